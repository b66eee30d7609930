/* Register pressure of a schedule: live ranges, values live at once, spills. */
#ifndef FG_PRESSURE_H
#define FG_PRESSURE_H
#include "generator/codelet/schedule.h"

typedef struct fg_pressure fg_pressure; /* room to measure schedules of one codelet */

fg_pressure *fg_pressure_create(fg_context *cx, const fg_codelet *c);
/* From s->order to s->last_use, peak, spills16 and spills32. */
void fg_pressure_measure(fg_pressure *p, fg_schedule *s);
#endif

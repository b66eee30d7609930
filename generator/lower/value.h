/* Values by handles of the emitter's recorder. */
#ifndef FG_LOWER_VALUE_H
#define FG_LOWER_VALUE_H
#include "generator/lower/writer.h"
#include "generator/text/spell.h"

void fg_value_name(fg_writer *w, const char *type, const char *name, const char *value); /* from now on */
void fg_value_if(fg_writer *w, const char *condition);                                   /* opens a bracket */
const char *fg_value_op(fg_writer *w, fg_op op, int lanes, const fg_marks *m);           /* operands a, b, c */
const char *fg_value_number(fg_writer *w, double value, fg_gf image, int lanes);
const char *fg_value_zero(fg_writer *w);
const char *fg_value_at(fg_writer *w, const char *element); /* what fg_access_plan_element names, read */
const char *fg_value_at_if(fg_writer *w, const char *condition, const char *element); /* or 0 */
void fg_value_put(fg_writer *w, const char *element, const char *value);              /* the same, written */
#endif

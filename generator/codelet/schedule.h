/* fg_schedule: the order of a codelet's operations, chosen for low register pressure. */
#ifndef FG_SCHEDULE_H
#define FG_SCHEDULE_H
#include "generator/codelet/codelet.h"

typedef struct fg_schedule {
  int count;
  fg_node *order;         /* every IN, TW and arithmetic node that an output needs, operands first; no CONST */
  int *last_use;          /* per node: position in order of its last use as an operand; -1 if none */
  int peak;               /* largest number of values alive at once */
  int spills16, spills32; /* values that furthest-first eviction stores with 16, 32 registers */
} fg_schedule;

/* Recursive bisection from both ends (Frigo 1999), loads right before their
 * first use, outputs stored as soon as they are complete. Deterministic. */
fg_schedule *fg_schedule_create(fg_context *cx, const fg_codelet *c);
char *fg_schedule_print(fg_context *cx, const fg_codelet *c, const fg_schedule *s); /* --dump=schedule */
#endif

/* Addresses and predicates as text. */
#ifndef FG_LOWER_ADDRESS_H
#define FG_LOWER_ADDRESS_H
#include "generator/lower/writer.h"

/* Declares the base pointer of a direct place, once. */
void fg_access_plan_open(fg_writer *w, fg_access_plan *p);

/* Text of the real (part 0) or imaginary (1) number of element (slot, lane):
 * "px[6]"; declares what it needs. */
const char *fg_access_plan_element(fg_writer *w, fg_access_plan *p, int slot, int lane, int part);

/* Name of a variable that holds the number of element `slot` (scalar). */
const char *fg_access_plan_index(fg_writer *w, fg_access_plan *p, int slot);

/* Of an address that is reduced: the result, and what is added to its rows, in
 * numbers. */
const char *fg_access_plan_residue(fg_writer *w, fg_access_plan *p, int slot);

const char *fg_access_plan_behind(fg_writer *w, const fg_access_plan *p, int slot);

/* The element (slot, lane) of a place that moves pairs: "*(const float2 *)(px + 6)". */
const char *fg_access_plan_pair(fg_writer *w, fg_access_plan *p, int slot, int lane);

typedef struct fg_component { /* a real number of a direct place */
  int slot, lane;
  int64_t elements; /* from (slot, lane) to it */
  int part;
} fg_component;

const char *fg_access_plan_pointer(fg_writer *w, fg_access_plan *p, const fg_component *spot); /* "px + 6" */

/* Which number of its buffer that is; false: not known before the call. */
bool fg_access_plan_number(const fg_writer *w, const fg_access_plan *p, const fg_component *spot, int64_t *out);

/* The condition of (slot, lane): NULL always, "0" never, or a name. */
const char *fg_access_plan_condition(fg_writer *w, fg_access_plan *p, int slot, int lane);

const char *fg_access_plan_pred(fg_writer *w, const fg_pred *pred, int npred, int slot_digit, int slot, int lane);
#endif

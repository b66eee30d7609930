/* Addresses and predicates as text. */
#ifndef FG_LOWER_ADDRESS_H
#define FG_LOWER_ADDRESS_H
#include "generator/lower/writer.h"

/* Declares the base pointer of a direct place, once. */
void fg_place_open(fg_writer *w, fg_place *p);

/* Text of the real (part 0) or imaginary (1) number of element (slot, lane):
 * "px[6]"; declares what it needs. */
const char *fg_place_element(fg_writer *w, fg_place *p, int slot, int lane, int part);

/* Name of a variable that holds the number of element `slot` (scalar). */
const char *fg_place_index(fg_writer *w, fg_place *p, int slot);

/* Of an address that is reduced: what comes of that, and what is added to its rows, in
 * numbers. */
const char *fg_place_residue(fg_writer *w, fg_place *p, int slot);

const char *fg_place_behind(fg_writer *w, const fg_place *p, int slot);

/* The element (slot, lane) of a place that moves pairs: "*(const float2 *)(px + 6)". */
const char *fg_place_pair(fg_writer *w, fg_place *p, int slot, int lane);

typedef struct fg_spot { /* a real number of a direct place */
  int slot, lane;
  int64_t elements; /* that it lies behind (slot, lane) */
  int part;
} fg_spot;

const char *fg_place_pointer(fg_writer *w, fg_place *p, const fg_spot *spot); /* "px + 6" */

/* Which number of its buffer that is; false: not known before the call. */
bool fg_place_number(const fg_writer *w, const fg_place *p, const fg_spot *spot, int64_t *out);

/* The condition of (slot, lane): NULL always, "0" never, or a name. */
const char *fg_place_condition(fg_writer *w, fg_place *p, int slot, int lane);

const char *fg_pred_text(fg_writer *w, const fg_pred *pred, int npred, int slot_digit, int slot, int lane);
#endif

/* What is known of an access's address before the call: nonlinear parts, residues, bounds. */
#ifndef FG_LOWER_ACCESS_RANGE_H
#define FG_LOWER_ACCESS_RANGE_H
#include "generator/lower/writer.h"

/* Padding, then blocks: how the address line is bent, and after how many elements; 0: it is straight. */
int64_t fg_access_plan_bend(const fg_access_plan *p, int64_t element);

int64_t fg_access_plan_bend_every(const fg_access_plan *p);
bool fg_access_plan_bends_twice(const fg_access_plan *p); /* padding, then blocks */

/* Bounds base % every, for the base without slot and lane; -1: may be negative or is not known at all. */
int64_t fg_access_plan_residue_bound(const fg_writer *w, const fg_access_plan *p, int64_t every);

/* The largest value of its address before it is bent. False: not known. */
bool fg_access_plan_most(const fg_writer *w, const fg_access_plan *p, int64_t *out);

bool fg_access_plan_may_be_negative(const fg_writer *w, const fg_access_plan *p, int slot, int lane);
#endif

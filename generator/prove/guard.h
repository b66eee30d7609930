/* The guards around the arrays of a proof: numbers that are no elements of its field, so that computing with them,
 * or storing to them, is found. */
#ifndef FG_PROVE_GUARD_H
#define FG_PROVE_GUARD_H
#include "generator/ir/program.h"
#include "generator/math/field.h"

enum {
  FG_GUARD_LEAST = 64,       /* elements before and after each array */
  FG_GUARD_SHARED = 1 << 12, /* before and after what a block's threads share */
  FG_GUARD_MOST = 1 << 18,   /* also of a program that would reach further */
};

/* As many as a call with these parameters needs. */
int64_t fg_guard_size(const fg_program *p, const int64_t *params);
void fg_guard_fill(fg_gf *at, int64_t count, int64_t size);
bool fg_guard_holds(const fg_gf *at, int64_t count, int64_t size); /* as it was filled */
#endif

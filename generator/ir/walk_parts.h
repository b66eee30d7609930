/* Inside the walk (walk.c): a program's stages, compiled to what their accesses are at values of digits, and checked
 * (walk_check.c). */
#ifndef FG_WALK_PARTS_H
#define FG_WALK_PARTS_H
#include "generator/ir/access_program.h"

typedef struct fg_walk_stage { /* a stage, compiled */
  const fg_stage *s;
  fg_route load, twiddle, more, store;
  fg_route *loaded[FG_MAX_OPERATIONS], *stored[FG_MAX_OPERATIONS]; /* operands; NULL: none */
  fg_linear guard[FG_MAX_PREDS];
  int64_t guard_bound[FG_MAX_PREDS];
  int nloop, ncopy, nthread; /* its digits by role */
  int16_t loop[FG_MAX_LOOPS], copy[FG_MAX_LOOPS], thread[FG_MAX_LOOPS];
  int lane, lanes; /* lane -1: none */
} fg_walk_stage;

typedef struct fg_walk_state {
  fg_site at; /* the present kernel */
  const fg_walk_options *options;
  const fg_walker *to;
  int ik;
  int16_t cut;           /* see fg_walk_cut */
  fg_walk_stage *stages; /* of the kernel */
  fg_walk_stage *s;      /* the present one */
  fg_moves factors[2];   /* its twiddle factors */
  int64_t value[FG_MAX_DIGITS];
  int phase; /* 1: load, 2: store, 3: both at once */
  int hold;
  fg_simd_group simd_group;
} fg_walk_state;

/* Of the present kernel. False: a contradiction was found. */
bool fg_walk_compile(fg_walk_state *w);
bool fg_walk_check_blocks(fg_walk_state *w);
bool fg_walk_check_bulk(fg_walk_state *w);
#endif

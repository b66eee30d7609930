/* Codelets with their constants evaluated, and results before they are stored. */
#ifndef FG_PROVE_TAPE_H
#define FG_PROVE_TAPE_H
#include "generator/codelet/codelet.h"
#include "generator/ir/walk.h"
#include "generator/math/constant.h"
#include "generator/prove/page.h"

typedef struct fg_tape { /* a codelet with its constants evaluated */
  const fg_codelet *codelet;
  bool *reads;                       /* per input slot: some operation wants it */
  const fg_gf **constant[FG_PRIMES]; /* per node: FG_WALK_WIDTH copies; NULL: no constant */
  const fg_quad **real;
  int *place, places; /* of results, in rows of work; -1: it has none */
  const fg_gf **row;  /* scratch */
  const fg_quad **real_row;
  fg_gf *work;
  fg_quad *real_work; /* NULL: not needed yet */
  struct fg_block_tape *block;
} fg_tape;

typedef struct fg_pool_images { /* of a pool's constants, in each field: walks share codelets, and nothing else */
  const fg_const_pool *pool;
  fg_gf *image[FG_PRIMES];
} fg_pool_images;

typedef struct fg_held { /* results of a SIMD group that waits for its stores */
  size_t room;           /* complex numbers */
  fg_gf *re[FG_PRIMES];  /* rows of slots: re, im, re, im, ... each of width numbers */
  fg_quad *real;
  unsigned char unknown[FG_WALK_WIDTH];
} fg_held;
#endif

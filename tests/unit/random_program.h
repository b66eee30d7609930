/* Programs at random, for tests of what takes any program. */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H
#include "generator/ir/program.h"

enum { RANDOM_PROGRAM_PARAM = 3 }; /* value of its one run-time parameter, "p" */

typedef struct random_wish {
  uint64_t seed;
  int lanes;              /* 1: scalar, and half of them with threads */
  fg_precision precision; /* f32, f64 */
  bool lookups;           /* addresses may be looked up in index tables */
} random_wish;

/* In cx's arena. One kernel of one to three stages: input, a LOCAL buffer that the
 * middle stage exchanges in place, output. */
fg_program *random_program(fg_context *context, const random_wish *wish);

/* Rows of slots: R points side by side, `distance` apart in a batch that is no
 * multiple of the lanes. */
typedef struct rows_wish {
  int points, distance, lanes;
  fg_precision precision;
  const char *form;
  bool stream;
} rows_wish;

/* One kernel of one stage, both sides by rows; NULL: no such problem, c's diag says why. */
fg_program *rows_program(fg_context *c, const rows_wish *wish);
#endif

/* Weigh: the error of a transform's result after the store operations.
 *
 * In: results of a transform, and the error that each may have. Out: for each element of the array how far it may be
 * off. The operations are applied again with every result larger, and smaller, by its error. All of them keep or
 * scale the angle of a number, or depend on its size alone, so that no other direction changes them more.
 *
 * A logarithm is not compared if its argument may be off by a quarter of itself, or if the square of its argument is
 * hardly above zero. */
#ifndef FG_WEIGH_H
#define FG_WEIGH_H
#include "generator/base/context.h"
#include "generator/math/quad.h"
#include "generator/problem/problem.h"
#include "generator/reference/operation_values.h"

typedef struct fg_weigh { /* of one problem */
  const fg_problem *p;
  fg_quadc *own, *moved;      /* results, without and with errors */
  fg_quadc *other, *argument; /* arrays: with errors, and what a logarithm takes */
  int64_t results, count;     /* elements of a transform's results, and of the array */
  long double *off;           /* [count]: may be off by; 0 where the array has no finite number */
  bool *blind;                /* [count]: not judged */
  fg_which which;             /* the transform in hand */
} fg_weigh;

void fg_weigh_create(fg_context *cx, const fg_problem *p, int64_t results, int64_t count, fg_weigh *out);
/* result: [results] re, im; array: what the operations make of it. Each result may be off by `error`, and by `relative`
 * of itself. */
void fg_weigh_run(fg_context *cx, fg_weigh *w, const long double *result, const fg_quadc *array, long double error,
                  long double relative);

#endif

/* How codelets of every kind are built: each is cut out of a complex transform of
 * some period, most of whose inputs are zero, equal or opposite and most of whose
 * outputs that are not wanted. Sharing by value and simplification leave what is
 * needed. */
#ifndef FG_ALGO_KIND_H
#define FG_ALGO_KIND_H
#include "generator/codelet/algo/algo.h"

typedef struct fg_kind_task {
  fg_codelet_kind kind;
  int n, sign;
  const fg_algo *row; /* of the complex transform, which it takes; NULL: the best */
  int variant;        /* 0 .. fg_codelet_kind_variants - 1 */
  bool turned;        /* of kinds whose factors are inside: twiddles are first, their conjugates last */
} fg_kind_task;

/* Length of the complex transform. */
int fg_codelet_kind_period(fg_codelet_kind kind, int n);
/* In how many ways a kind can be built that may differ in cost. */
int fg_codelet_kind_variants(fg_codelet_kind kind);
/* in and out: one edge per slot. */
void fg_codelet_kind_build(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out);

/* The inputs before factors on them, and the outputs after factors on them. */
void fg_codelet_kind_separate(fg_dag *d, const fg_kind_task *t, fg_edge *in);
void fg_codelet_kind_merge(fg_dag *d, const fg_kind_task *t, fg_edge *out);

/* The parts of the table. */
typedef void fg_kind_builder(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out);
fg_kind_builder fg_real_build, fg_trigonometric_build;
fg_kind_builder fg_convolve_build, fg_convolve_real_build, fg_convolve_odd_build, fg_convolve_pair_build,
    fg_convolve_sum_build;
/* For them: the complex transform of the period, by the task's row. */
void fg_codelet_kind_transform(fg_dag *d, const fg_kind_task *t, const fg_cedge *x, fg_cedge *y);
/* The transposed network of another kind, simplified: in[its outputs] -> out[its inputs]. */
void fg_codelet_kind_transpose(fg_dag *d, const fg_kind_task *of, const fg_edge *in, fg_edge *out);
#endif

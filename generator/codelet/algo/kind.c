/* The table of kinds, and what their builders share; see kind.h. */
#include "generator/codelet/algo/kind.h"
#include "generator/codelet/simplify.h"

typedef struct kind_row {
  int times, plus; /* period: times * (n + plus) */
  int variants;
  void (*build)(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out);
} kind_row;

/* Of others the period is n, and fg_real_build builds them. */
static const kind_row rows[FG_CODELET_KINDS] = {
    [FG_CODELET_C2R] = {1, 0, 2, fg_real_build},
    [FG_CODELET_R2C_ODD] = {2, 0, 2, fg_real_build},
    [FG_CODELET_C2R_ODD] = {2, 0, 2, fg_real_build},
    [FG_CODELET_DCT1] = {2, -1, 1, fg_trigonometric_build},
    [FG_CODELET_DCT2] = {4, 0, 1, fg_trigonometric_build},
    [FG_CODELET_DCT3] = {4, 0, 2, fg_trigonometric_build},
    [FG_CODELET_DCT4] = {8, 0, 1, fg_trigonometric_build},
    [FG_CODELET_DST1] = {2, 1, 1, fg_trigonometric_build},
    [FG_CODELET_DST2] = {4, 0, 1, fg_trigonometric_build},
    [FG_CODELET_DST3] = {4, 0, 2, fg_trigonometric_build},
    [FG_CODELET_DST4] = {8, 0, 1, fg_trigonometric_build},
    [FG_CODELET_CONVOLVE] = {1, 0, 1, fg_convolve_build},
    [FG_CODELET_RADER] = {1, 0, 1, fg_convolve_build},
    [FG_CODELET_CONVOLVE_REAL] = {1, 0, 1, fg_convolve_real_build},
    [FG_CODELET_CONVOLVE_ODD] = {2, 0, 2, fg_convolve_odd_build},
    [FG_CODELET_CONVOLVE_PAIR] = {1, 0, 1, fg_convolve_pair_build},
    [FG_CODELET_CONVOLVE_TWO] = {1, 0, 1, fg_convolve_build},
    [FG_CODELET_CONVOLVE_FIRST] = {1, 0, 1, fg_convolve_build},
    [FG_CODELET_PRODUCTS] = {1, 0, 1, fg_convolve_sum_build},
    [FG_CODELET_ACCUMULATE] = {1, 0, 1, fg_convolve_sum_build},
    [FG_CODELET_TOTAL] = {1, 0, 1, fg_convolve_sum_build},
};

static kind_row row_of(fg_codelet_kind kind) {
  return rows[kind].times ? rows[kind] : (kind_row){1, 0, 1, fg_real_build};
}

int fg_codelet_kind_period(fg_codelet_kind kind, int n) { return row_of(kind).times * (n + row_of(kind).plus); }
int fg_codelet_kind_variants(fg_codelet_kind kind) { return row_of(kind).variants; }

void fg_codelet_kind_build(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  row_of(t->kind).build(d, t, in, out);
}

void fg_codelet_kind_transform(fg_dag *d, const fg_kind_task *t, const fg_cedge *x, fg_cedge *y) {
  fg_dft dft = {fg_codelet_kind_period(t->kind, t->n), t->sign};
  if (t->row)
    t->row->build(d, dft, x, y);
  else
    fg_algo_build(d, dft, x, y);
}

void fg_codelet_kind_transpose(fg_dag *d, const fg_kind_task *of, const fg_edge *in, fg_edge *out) {
  fg_arena *arena = d->cx->arena;
  int nin = fg_codelet_slots(fg_codelet_input(of->kind, of->n));
  int nout = fg_codelet_slots(fg_codelet_output(of->kind, of->n));
  fg_network net = {fg_dag_sibling(d), nin, nout, fg_arena_new(arena, fg_edge, nout)};
  fg_edge *input = fg_arena_new(arena, fg_edge, nin);
  for (int i = 0; i < nin; i++) input[i] = fg_dag_input(net.dag, (uint32_t)i);
  fg_codelet_kind_build(net.dag, of, input, net.out);
  net = fg_simplify(&net);
  fg_network_transpose(&net, d, in, out);
}

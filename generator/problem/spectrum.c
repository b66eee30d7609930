/* See spectrum.h. */
#include "generator/problem/spectrum.h"
#include "generator/problem/shape.h"

/* The last batch dimension's length. */
static int64_t channels(const fg_problem *p, const int64_t *params) {
  if (!p->batch_rank) return 1;
  fg_num n = p->batch[p->batch_rank - 1].n;
  int64_t upper = n.form == FG_NUM_CONST ? n.n : n.n * p->param[n.param].hi;
  return params ? fg_num_value(n, params) : upper;
}

int64_t fg_problem_spectrum_at(const fg_problem *p, int64_t number, const int64_t *params) {
  if (p->spectra == FG_SPECTRA_SHARED) return 0;
  return fg_problem_points(p) * (p->spectra == FG_SPECTRA_CHANNEL ? number % channels(p, params) : number);
}

int64_t fg_problem_spectra_extent(const fg_problem *p, const int64_t *params) {
  int64_t count = 1;
  if (p->spectra == FG_SPECTRA_EACH) count = fg_problem_batch_count(p, params);
  if (p->spectra == FG_SPECTRA_CHANNEL) count = channels(p, params);
  return count * fg_problem_points(p);
}

/* See spectrum.h. */
#include "generator/problem/spectrum.h"
#include "generator/problem/frames.h"
#include "generator/problem/given.h"
#include "generator/problem/shape.h"

/* Transforms along the batch's dimensions first .. end - 1. */
static int64_t count_of(const fg_problem *p, int first, int end, const int64_t *params) {
  int64_t count = 1;
  for (int i = first; i < end; i++) {
    fg_num n = p->batch[i].n;
    count *= params ? fg_num_value(n, params) : n.form == FG_NUM_CONST ? n.n : n.n * p->param[n.param].hi;
  }
  return count;
}

static int64_t count_from(const fg_problem *p, int first, const int64_t *params) {
  return count_of(p, first, p->batch_rank, params);
}

/* The last batch dimension's length. */
static int64_t channels(const fg_problem *p, const int64_t *params) {
  return p->batch_rank ? count_from(p, p->batch_rank - 1, params) : 1;
}

int64_t fg_problem_result_count(const fg_problem *p, const int64_t *params) { return count_from(p, p->summed, params); }

int64_t fg_problem_summands(const fg_problem *p, const int64_t *params) { return count_of(p, 0, p->summed, params); }

int64_t fg_problem_spectrum_length(const fg_problem *p, int dimension) {
  int64_t n = p->dim[dimension].n.n;
  bool half = p->kind == FG_R2C || p->kind == FG_C2R || p->kind == FG_RCONV;
  return half && dimension == p->rank - 1 ? n / 2 + 1 : n;
}

int fg_problem_spectrum_dimension(const fg_problem *p) {
  int last = p->rank - 1;
  for (int i = 0; p->kind == FG_RCONV && i < last; i++)
    if (p->dim[i].n.n > 1) return i;
  return last;
}

fg_kind fg_problem_line_kind(const fg_problem *p, int dimension) {
  if (fg_problem_has_frames(p)) return fg_problem_kind_of_frame(p->kind);
  bool last = dimension == p->rank - 1, middle = dimension == fg_problem_spectrum_dimension(p);
  if (fg_problem_kind_convolves(p->kind))
    return middle ? last ? p->kind : FG_CONV : last ? fg_problem_kind_inside(p->kind, true) : FG_C2C;
  return last || (p->kind != FG_R2C && p->kind != FG_C2R) ? p->kind : FG_C2C;
}

int64_t fg_problem_spectrum_points(const fg_problem *p) {
  int64_t points = 1;
  for (int i = 0; i < p->rank; i++) points *= fg_problem_spectrum_length(p, i);
  return points;
}

bool fg_problem_has_own(const fg_problem *p, fg_spectra whose) {
  fg_given g;
  for (int i = 0; fg_given_at(p, i, &g); i++)
    if (g.whose == whose) return true;
  return whose == FG_SPECTRA_EACH && fg_given_numbers_transforms(p);
}

int64_t fg_problem_own(const fg_problem *p, fg_spectra whose, int64_t number, const int64_t *params) {
  return whose == FG_SPECTRA_SHARED ? 0 : whose == FG_SPECTRA_CHANNEL ? number % channels(p, params) : number;
}

int64_t fg_problem_own_count(const fg_problem *p, fg_spectra whose, const int64_t *params) {
  if (whose == FG_SPECTRA_EACH) return fg_problem_batch_count(p, params);
  return whose == FG_SPECTRA_CHANNEL ? channels(p, params) : 1;
}

int64_t fg_problem_spectrum_at(const fg_problem *p, int64_t number, const int64_t *params) {
  return fg_problem_spectrum_points(p) * fg_problem_own(p, p->spectra, number, params);
}

int64_t fg_problem_spectra_extent(const fg_problem *p, const int64_t *params) {
  return fg_problem_own_count(p, p->spectra, params) * fg_problem_spectrum_points(p);
}

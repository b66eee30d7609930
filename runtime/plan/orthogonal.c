/* See orthogonal.h. The factor of all results is 1 / sqrt of what forward and backward give; that of the first or the
 * last number along a dimension is sqrt 2 before and sqrt 1/2 behind, as scipy.fft has them. */
#include "runtime/plan/orthogonal.h"
#include "generator/problem/problem.h"
#include "targets/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ends { /* of a line: which numbers have a factor of their own */
  bool first_before, last_before, first_behind, last_behind;
} ends;

static const ends rows[] = {
    [FFTGEN_DCT1] = {true, true, true, true}, [FFTGEN_DCT2] = {.first_behind = true},
    [FFTGEN_DCT3] = {.first_before = true},   [FFTGEN_DCT4] = {.first_before = false},
    [FFTGEN_DST1] = {.first_before = false},  [FFTGEN_DST2] = {.last_behind = true},
    [FFTGEN_DST3] = {.last_before = true},    [FFTGEN_DST4] = {.first_before = false},
};

enum { MOST_RANK = 3 };

/* Times its factor at index 0, and 1 elsewhere. */
static void add_factor(char *list, size_t size, const fftgen_problem *p, int d, bool first, bool last, bool behind) {
  char index[8], away[64]; /* from the end that has the factor */
  long long end = p->dim[d].n - 1;
  if (!first && !last) return;
  snprintf(index, sizeof index, "%s%.*s", behind ? "k" : "j", p->rank > 1, (const char[]){(char)('0' + d), 0});
  if (first && last)
    snprintf(away, sizeof away, "min(%s,%lld-%s)", index, end, index);
  else if (first)
    snprintf(away, sizeof away, "%s", index);
  else
    snprintf(away, sizeof away, "(%lld-%s)", end, index);
  size_t used = strlen(list);
  snprintf(list + used, size - used, "*%s%s,1)", behind ? "min(sqrt(0.5)+" : "max(sqrt(2)-", away);
}

static double factor_of(const fftgen_problem *p) {
  double points = 1;
  for (int d = 0; d < p->rank; d++) {
    double more = p->kind == FFTGEN_DCT1 ? -1 : p->kind == FFTGEN_DST1 ? 1 : 0;
    points *= 2 * ((double)p->dim[d].n + more);
  }
  return 1 / sqrt(points);
}

bool fg_orthogonal_of(const fftgen_problem *p, fg_orthogonal *out) {
  char load[FG_EXPRESSION_SIZE + 64] = "x", store[FG_EXPRESSION_SIZE + 64] = "x*";
  if (p->kind < FFTGEN_DCT1 || p->kind > FFTGEN_DST4 || p->rank > MOST_RANK) return false;
  double by = factor_of(p);
  if (!isfinite(by)) return true; /* lengths that are refused */
  fg_number_print(store + 2, sizeof store - 2, "%.17g", by);
  for (int d = 0; d < p->rank; d++) {
    const ends *e = &rows[p->kind];
    add_factor(load, sizeof load, p, d, e->first_before, e->last_before, false);
    add_factor(store, sizeof store, p, d, e->first_behind, e->last_behind, true);
  }
  if (load[1]) snprintf(out->load, sizeof out->load, "%s", load);
  size_t used = strlen(out->store);
  snprintf(out->store + used, sizeof out->store - used, "%s%s", used ? "," : "", store);
  return strlen(load) < FG_EXPRESSION_SIZE && strlen(store) < FG_EXPRESSION_SIZE;
}

/* linear= of convolutions: parse.
 *
 * In: full(LxL,MxM), same(...), valid(...): signals of L samples, filters of M, by dimension. Out: zeropad and crop,
 * the operations that it stands for, so that a printed problem has these: behind load=, before store=, whose operations
 * are on what the arrays have. The idea: a cyclic convolution of n points
 * equals the linear one wherever that does not wrap around into the part that is wanted. */
#include "generator/base/text_match.h"
#include "generator/problem/operations.h"
#include "generator/problem/spectrum_text.h"
#include <string.h>

enum { FULL, SAME, VALID };

static const char *part_at(int i) {
  static const char *const parts[] = {"full", "same", "valid", NULL};
  return parts[i];
}

fg_status fg_scanner_linear(fg_scanner *ps) {
  const char *start = ps->at, *end = ps->end, *allowed = "full(L,M), same(L,M), valid(L,M); with filter= without M";
  size_t length = strcspn(ps->at, "( \t");
  ps->linear_at = start;
  ps->linear = fg_words_find(ps->at, length, part_at);
  if (ps->linear < 0 || ps->at + length == end || end[-1] != ')')
    return fg_scanner_fail(ps, start, allowed, "%s is no part", fg_scanner_quote(ps));
  const char *text = ps->at + length + 1, *comma = memchr(text, ',', (size_t)(end - 1 - text));
  const char *first_end = comma ? comma : end - 1;
  ps->at = end;
  fg_status status = fg_scanner_part(ps, text, (size_t)(first_end - text), "linear=full", &ps->signal);
  if (status != FG_OK || !comma) return status;
  return fg_scanner_part(ps, comma + 1, (size_t)(end - 1 - comma - 1), "linear=full", &ps->samples);
}

void fg_problem_print_linear(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  (void)s, (void)p, (void)declared; /* load= and store= say it */
}

static fg_status bad(fg_scanner *ps, const char *what, const char *allowed) {
  ps->key = "linear";
  return fg_scanner_fail(ps, ps->linear_at, allowed, "%s", what);
}

typedef struct wanted { /* of a dimension */
  int part;
  bool correlated; /* with the filter's conjugates: output k is the sum of input k + j times conjugate j */
  int64_t n, signal, samples;
} wanted;

/* Where the signal begins, and what the array has of the results; false: n is too short for that, or the signal for the
 * filter. Correlations begin with negative k: zeros before the signal make them 0. */
static bool part_of(const wanted *w, int64_t *zeros, int64_t *first, int64_t *length) {
  int64_t all = w->signal + w->samples - 1, valid = w->signal - w->samples + 1;
  int64_t before = w->part == FULL ? w->samples - 1 : w->part == SAME ? w->samples / 2 : 0;
  *zeros = w->correlated ? before : 0;
  *first = w->correlated ? 0 : w->samples - 1 - before;
  *length = w->part == FULL ? all : w->part == SAME ? w->signal : valid;
  int64_t beyond = w->correlated ? *length + w->samples - 1 - w->n : all - w->n;
  return *length >= 1 && *zeros + w->signal <= w->n && w->samples <= w->n && beyond <= *zeros + *first;
}

static void insert(fg_pointwise *list, int *count, int at, const char *name, const fg_part *kept) {
  memmove(list + at + 1, list + at, sizeof *list * (size_t)((*count)++ - at));
  list[at] = (fg_pointwise){.kept = *kept};
  memcpy(list[at].name, name, strlen(name) + 1);
}

fg_status fg_scanner_apply_linear(fg_scanner *ps) {
  fg_problem *p = ps->p;
  const fg_part *samples = ps->samples.rank ? &ps->samples : &p->filter;
  fg_part kept = {.rank = p->rank};
  if (!ps->linear_at) return FG_OK;
  if (!fg_problem_kind_convolves(p->kind)) return bad(ps, "of a transform", "conv and rconv");
  if (samples->rank == 0) return bad(ps, "how many samples a filter has is not said", "full(L,M), or filter=");
  if (ps->signal.rank != p->rank || samples->rank != p->rank)
    return bad(ps, "other numbers of dimensions than n", "one length for each dimension of n, as in full(60x80,5x5)");
  for (int d = 0; d < p->rank; d++) {
    wanted w = {ps->linear, p->conjugated, p->dim[d].n.n, ps->signal.length[d], samples->length[d]};
    if (!part_of(&w, &ps->signal.first[d], &kept.first[d], &kept.length[d]))
      return bad(ps,
                 fg_arena_printf(ps->cx->arena, "%lld and %lld samples in dimension %d",
                                 (long long)ps->signal.length[d], (long long)samples->length[d], d),
                 "lengths whose part is not empty, n at least L + M - 1, of same L + M/2, of valid L");
  }
  if (p->nload == FG_MAX_POINTWISE || p->nstore == FG_MAX_POINTWISE) return bad(ps, "too many operations", "up to 8");
  insert(p->load, &p->nload, p->nload, "zeropad", &ps->signal);
  insert(p->store, &p->nstore, 0, "crop", &kept);
  return FG_OK;
}

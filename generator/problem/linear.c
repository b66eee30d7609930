/* linear= of convolutions: parse.
 *
 * In: full(LxL,MxM), same(...), valid(...): signals of L samples, filters of M, by dimension. Out: zeropad and crop,
 * the operations that it stands for, so that a printed problem has these. The idea: a cyclic convolution of n points
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

/* What the array has of a dimension's results; false: n is too short for that, or the signal for the filter. */
static bool part_of(int part, int64_t n, int64_t signal, int64_t samples, int64_t *first, int64_t *length) {
  *first = part == FULL ? 0 : part == SAME ? (samples - 1) / 2 : samples - 1;
  *length = part == FULL ? signal + samples - 1 : part == SAME ? signal : signal - samples + 1;
  return *length >= 1 && signal <= n && samples <= n && signal + samples - 1 - n <= *first;
}

static void insert(fg_pointwise *list, int *count, int at, const char *name, const fg_part *kept) {
  memmove(list + at + 1, list + at, sizeof *list * (size_t)((*count)++ - at));
  list[at] = (fg_pointwise){.kept = *kept};
  memcpy(list[at].name, name, strlen(name) + 1);
}

static bool is_stored(const fg_pointwise *op) {
  const fg_operation_row *row = fg_operation_find(op->name);
  return row && row->act == FG_ACT_STORED;
}

fg_status fg_scanner_apply_linear(fg_scanner *ps) {
  fg_problem *p = ps->p;
  const fg_part *samples = ps->samples.rank ? &ps->samples : &p->filter;
  fg_part kept = {.rank = p->rank};
  if (!ps->linear_at) return FG_OK;
  if (!fg_problem_kind_convolves(p->kind) || p->conjugated)
    return bad(ps, "of a transform, or with conjugates", "conv and rconv with spectrum= or filter= without conj");
  if (samples->rank == 0) return bad(ps, "how many samples a filter has is not said", "full(L,M), or filter=");
  if (ps->signal.rank != p->rank || samples->rank != p->rank)
    return bad(ps, "other numbers of dimensions than n", "one length for each dimension of n, as in full(60x80,5x5)");
  for (int d = 0; d < p->rank; d++)
    if (!part_of(ps->linear, p->dim[d].n.n, ps->signal.length[d], samples->length[d], &kept.first[d], &kept.length[d]))
      return bad(ps,
                 fg_arena_printf(ps->cx->arena, "%lld and %lld samples in dimension %d",
                                 (long long)ps->signal.length[d], (long long)samples->length[d], d),
                 "lengths whose part is not empty, n at least L + M - 1, of same M/2 less, of valid M - 1 less");
  if (p->nload == FG_MAX_POINTWISE || p->nstore == FG_MAX_POINTWISE) return bad(ps, "too many operations", "up to 8");
  insert(p->load, &p->nload, p->nload, "zeropad", &ps->signal);
  insert(p->store, &p->nstore, p->nstore - (p->nstore && is_stored(&p->store[p->nstore - 1])), "crop", &kept);
  return FG_OK;
}

/* spectrum=, filter= and sum= of convolutions: parse, print.
 *
 * In: WHOSE, conj, or WHOSE,conj; of a filter WHOSE(LENGTHS), or that with ,conj. Out: fields of the problem. The idea:
 * both keys say which transforms have a spectrum of their own; a filter's lengths say that it is made of samples. */
#include "generator/problem/spectrum_text.h"
#include <string.h>

enum { CONJUGATED = FG_SPECTRA_EACH + 1 };

static const char *word_at(int i) {
  static const char *const words[] = {"shared", "channel", "each", "conj", NULL};
  return words[i];
}

/* The lengths in brackets; without them all of n, as a part of no lengths. */
static fg_status parse_lengths(fg_scanner *ps) {
  const char *start = ps->at;
  if (!fg_scanner_skip(ps, "(")) return FG_OK;
  size_t length = 0, rest = fg_scanner_rest(ps);
  while (length < rest && ps->at[length] != ')') length++;
  if (length == rest) return fg_scanner_fail(ps, start, "WHOSE or WHOSE(LENGTHS)", "no closing bracket");
  const char *text = ps->at;
  ps->at += length + 1;
  return fg_scanner_part(ps, text, length, "filter=shared", &ps->p->filter);
}

static fg_status parse_words(fg_scanner *ps, bool filter) {
  for (int least = 0;; least = CONJUGATED) {
    size_t length = strcspn(ps->at, ",( \t");
    int i = fg_words_find(ps->at, length, word_at);
    if (i < least)
      return fg_scanner_fail(
          ps, ps->at,
          fg_arena_printf(ps->cx->arena, "%s, or both as in channel,conj", fg_words_join(ps->cx->arena, word_at)),
          "%s does not say whose %s it is%s", fg_scanner_quote(ps), filter ? "filter" : "spectrum",
          fg_words_near(ps->cx->arena, ps->at, length, word_at));
    ps->at += length;
    if (i == CONJUGATED)
      ps->p->conjugated = true;
    else
      ps->p->spectra = (fg_spectra)i;
    fg_status status = filter && i != CONJUGATED ? parse_lengths(ps) : FG_OK;
    if (status != FG_OK || i == CONJUGATED || !fg_scanner_skip(ps, ",")) return status;
  }
}

static fg_status refuse_both(fg_scanner *ps) {
  return fg_scanner_fail(ps, ps->at, "one of both", "spectrum= and filter= together");
}

fg_status fg_scanner_spectrum(fg_scanner *ps) {
  if (ps->given_filter) return refuse_both(ps);
  ps->given_spectrum = true;
  return parse_words(ps, false);
}

fg_status fg_scanner_filter(fg_scanner *ps) {
  if (ps->given_spectrum) return refuse_both(ps);
  ps->given_filter = true;
  return parse_words(ps, true);
}

void fg_problem_print_spectrum(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  bool own = p->spectra != FG_SPECTRA_SHARED;
  (void)declared;
  if (p->filter.rank) return;
  if (own) fg_strbuf_add(s, word_at((int)p->spectra));
  if (p->conjugated) fg_strbuf_addf(s, "%s%s", own ? "," : "", word_at(CONJUGATED));
}

void fg_problem_print_filter(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  bool shorter = false;
  (void)declared;
  if (!p->filter.rank) return;
  fg_strbuf_add(s, word_at((int)p->spectra));
  for (int i = 0; i < p->filter.rank && i < p->rank; i++) shorter = shorter || p->filter.length[i] != p->dim[i].n.n;
  if (shorter) fg_scanner_print_part(s, &p->filter);
  if (p->conjugated) fg_strbuf_addf(s, ",%s", word_at(CONJUGATED));
}

/* ---- sum= ---------------------------------------------------------------------------- */

static const char *sum_at(int i) { return i <= FG_SPECTRA_CHANNEL ? word_at(i) : NULL; }

fg_status fg_scanner_sum(fg_scanner *ps) {
  int i = fg_words_find(ps->at, fg_scanner_rest(ps), sum_at);
  if (i < 0)
    return fg_scanner_fail(ps, ps->at, fg_words_join(ps->cx->arena, sum_at),
                           "%s does not say which results are added%s", fg_scanner_quote(ps),
                           fg_words_near(ps->cx->arena, ps->at, fg_scanner_rest(ps), sum_at));
  ps->sum_at = ps->at, ps->sum = (fg_spectra)i;
  ps->at = ps->end;
  return FG_OK;
}

fg_status fg_scanner_apply_sum(fg_scanner *ps) {
  fg_problem *p = ps->p;
  if (!ps->sum_at) return FG_OK;
  p->summed = p->batch_rank - (ps->sum == FG_SPECTRA_CHANNEL);
  ps->key = "sum";
  if (p->summed < 1)
    return fg_scanner_fail(ps, ps->sum_at, "sum=shared with a batch, sum=channel with one of two dimensions and more",
                           "there is nothing to add");
  for (int i = 0; i < p->summed; i++) p->batch[i].os = fg_num_const(0);
  return FG_OK;
}

void fg_problem_print_sum(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  (void)declared;
  if (p->summed) fg_strbuf_add(s, sum_at(p->summed < p->batch_rank));
}

static void add_count(fg_strbuf *s, const fg_problem *p, const char *before, fg_num n) {
  const fg_param *of = n.form == FG_NUM_PARAM ? &p->param[n.param] : NULL;
  fg_strbuf_add(s, before);
  if (!of || n.n != 1) fg_strbuf_addf(s, "%lld%s", (long long)n.n, of ? "*" : "");
  if (of) fg_strbuf_addf(s, "%s[%lld..%lld]", of->name, (long long)of->lo, (long long)of->hi);
}

char *fg_problem_prepare(fg_context *cx, const fg_problem *p) {
  bool shorter = false;
  int own = p->spectra == FG_SPECTRA_SHARED ? 0 : p->spectra == FG_SPECTRA_EACH ? p->batch_rank : p->batch_rank > 0;
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_addf(&s, "%s %s", fg_problem_kind_name(fg_problem_kind_inside(p->kind, false)),
                 fg_precision_name(p->compute));
  for (int i = 0; i < p->rank; i++) add_count(&s, p, i ? "x" : " n=", p->dim[i].n);
  for (int i = p->batch_rank - own; i < p->batch_rank; i++)
    add_count(&s, p, i > p->batch_rank - own ? "x" : " batch=", p->batch[i].n);
  for (int i = 0; i < p->filter.rank; i++) shorter = shorter || p->filter.length[i] != p->dim[i].n.n;
  if (shorter) fg_strbuf_add(&s, " load=zeropad");
  if (shorter) fg_scanner_print_part(&s, &p->filter);
  return s.text;
}

/* Problems as text: parse and print.
 *
 * In: one line, KIND PRECISION key=value ... Out: an fg_problem that passed
 * fg_problem_check; and the way back. The one idea: a table with one row for
 * each key holds how its value is read and how it is written, printing goes
 * through the rows in order and leaves defaults out, so text and struct cannot
 * drift apart. The form of problems follows the guru interface of Frigo and
 * Johnson, "The Design and Implementation of FFTW3" (2005). */
#include "generator/base/text_match.h"
#include "generator/problem/axes.h"
#include "generator/problem/expression_text.h"
#include "generator/problem/operations_text.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum_text.h"
#include "generator/problem/zeros.h"
#include "targets/number.h"
#include <math.h>
#include <string.h>

/* ---- keys ---------------------------------------------------------------- */

/* The word at hand is none of these. says: "%s is no sign%s", of the word and of one like it. */
static fg_status no_word(fg_scanner *ps, fg_scanner_slot slot, const char *says, fg_words_name name) {
  const char *hint = fg_scanner_hint(ps, slot, ps->at, fg_scanner_rest(ps), name);
  return fg_scanner_fail(ps, ps->at, fg_words_join(ps->cx->arena, name), says, fg_scanner_quote(ps), hint);
}

static fg_status parse_n(fg_scanner *ps) {
  const char *start = ps->at;
  fg_status st = fg_axes_parse(ps, ps->p->dim, ps->given_n, &ps->p->rank);
  for (int i = 0; !st && i < ps->p->rank; i++)
    if (ps->p->dim[i].n.form != FG_NUM_CONST)
      return fg_scanner_fail(ps, start, "numbers; run-time parameters in batch counts and strides",
                             "a length that is known only at run time");
  return st;
}

static fg_status parse_batch(fg_scanner *ps) {
  return fg_axes_parse(ps, ps->p->batch, ps->given_batch, &ps->p->batch_rank);
}

static bool has_sign(fg_kind k) { return k == FG_C2C || k == FG_R2C || k == FG_C2R; }

static const char *sign_at(int i) {
  static const char *const signs[] = {"-1", "+1", "forward", "backward", NULL};
  return signs[i];
}

static fg_status parse_sign(fg_scanner *ps) {
  if (!has_sign(ps->p->kind))
    return fg_scanner_fail(ps, ps->at, "sign for c2c, r2c, c2r", "%s has no sign", fg_problem_kind_name(ps->p->kind));
  if (fg_scanner_skip(ps, "-1") || fg_scanner_skip(ps, "forward"))
    ps->p->sign = -1;
  else if (fg_scanner_skip(ps, "+1") || fg_scanner_skip(ps, "backward"))
    ps->p->sign = 1;
  else
    return no_word(ps, FG_SCAN_SIGN, "%s is no sign%s", sign_at);
  return FG_OK;
}

static const char *place_at(int i) {
  static const char *const places[] = {"in", "out", NULL};
  return places[i];
}

static fg_status parse_place(fg_scanner *ps) {
  int i = fg_words_find(ps->at, fg_scanner_rest(ps), place_at);
  if (i < 0) return no_word(ps, FG_SCAN_PLACE, "%s is no place%s", place_at);
  ps->p->in_place = i == 0;
  ps->at = ps->end;
  return FG_OK;
}

static bool skip_layout(fg_scanner *ps, bool *split) {
  *split = fg_scanner_skip(ps, "split");
  return *split || fg_scanner_skip(ps, "interleaved");
}

static fg_status parse_layout(fg_scanner *ps) {
  fg_problem *p = ps->p;
  const char *start = ps->at;
  bool in = false, out = false, pair = fg_problem_kind_is_complex(p->kind);
  const char *allowed = pair ? "interleaved, split, interleaved>split, split>interleaved" : "interleaved, split";
  if (fg_problem_kind_is_real(p->kind, false) && fg_problem_kind_is_real(p->kind, true))
    return fg_scanner_fail(ps, start, "layout for c2c, r2c, c2r, conv, stft, istft", "%s is real on both sides",
                           fg_problem_kind_name(p->kind));
  const char *what =
      fg_arena_printf(ps->cx->arena, "%s is no layout of %s", fg_scanner_quote(ps), fg_problem_kind_name(p->kind));
  if (!skip_layout(ps, &in)) return fg_scanner_fail(ps, start, allowed, "%s", what);
  out = in;
  if (fg_scanner_skip(ps, ">") && !(pair && skip_layout(ps, &out)))
    return fg_scanner_fail(ps, start, allowed, "%s", what);
  p->split_in = !fg_problem_kind_is_real(p->kind, false) && in;
  p->split_out = !fg_problem_kind_is_real(p->kind, true) && out;
  return FG_OK;
}

static const char *precision_at(int i) { return i < FG_PRECISION_COUNT ? fg_precision_name((fg_precision)i) : NULL; }

static fg_status parse_precision(fg_scanner *ps, fg_precision *out) {
  int i = fg_words_find(ps->at, fg_scanner_rest(ps), precision_at);
  if (i < 0) return no_word(ps, FG_SCAN_PRECISION, "%s is no precision%s", precision_at);
  *out = (fg_precision)i;
  ps->at = ps->end;
  return FG_OK;
}

static fg_status parse_compute(fg_scanner *ps) {
  ps->given_compute = true;
  return parse_precision(ps, &ps->p->compute);
}

static fg_precision default_compute(fg_precision storage) { return storage == FG_F64 ? FG_F64 : FG_F32; }

static fg_status parse_scale(fg_scanner *ps) {
  const char *start = ps->at, *allowed = "1/n, 1/sqrt(n), a number other than 0";
  fg_problem *p = ps->p;
  if (fg_scanner_skip(ps, "1/sqrt(n)")) return p->scale = FG_SCALE_1_SQRT_N, FG_OK;
  if (fg_scanner_skip(ps, "1/n")) return p->scale = FG_SCALE_1_N, FG_OK;
  const char *what =
      fg_arena_printf(ps->cx->arena, "%s is no scale%s", fg_scanner_quote(ps),
                      fg_scanner_rest(ps) > 2 && !memcmp(ps->at, "1/", 2) ? " (did you mean '1/n'?)" : "");
  char *end, *text = fg_arena_copy(ps->cx->arena, ps->at, fg_scanner_rest(ps) + 1);
  text[fg_scanner_rest(ps)] = 0;
  if (!fg_scanner_rest(ps) || strspn(text, "0123456789.eE+-") != fg_scanner_rest(ps))
    return fg_scanner_fail(ps, start, allowed, "%s", what);
  double value = fg_number_read(text, &end);
  if (*end || !isfinite(value) || value == 0) return fg_scanner_fail(ps, start, allowed, "%s", what);
  if (value != 1) { /* scale=1 is the default */
    p->scale = FG_SCALE_VALUE;
    p->scale_value = value;
  }
  ps->at = ps->end;
  return FG_OK;
}

/* ---- printing ------------------------------------------------------------ */

static void print_n(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  fg_axes_print(s, p, p->batch_rank, p->batch_rank + p->rank, declared);
}

static void print_batch(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  fg_axes_print(s, p, 0, p->batch_rank, declared);
}

static int default_sign(fg_kind k) { return fg_problem_kind_of_frame(k) == FG_C2R ? 1 : -1; }

static void print_sign(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  (void)declared;
  if (has_sign(p->kind) && p->sign != default_sign(p->kind)) fg_strbuf_addf(s, "%+d", p->sign);
}

static void print_place(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  (void)declared;
  if (p->in_place) fg_strbuf_add(s, "in");
}

static void print_layout(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  (void)declared;
  bool pair = fg_problem_kind_is_complex(p->kind);
  if (pair && p->split_in != p->split_out)
    fg_strbuf_add(s, p->split_in ? "split>interleaved" : "interleaved>split");
  else if (p->split_in || p->split_out)
    fg_strbuf_add(s, "split");
}

static void print_compute(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  (void)declared;
  if (p->compute != default_compute(p->storage)) fg_strbuf_add(s, fg_precision_name(p->compute));
}

/* The shortest of the texts that read back as the same number. */
static void print_scale(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  (void)declared;
  if (p->scale == FG_SCALE_1_N) fg_strbuf_add(s, "1/n");
  if (p->scale == FG_SCALE_1_SQRT_N) fg_strbuf_add(s, "1/sqrt(n)");
  if (p->scale != FG_SCALE_VALUE) return;
  size_t start = s->length;
  for (int digits = 1; digits <= 17; digits++) {
    fg_strbuf_cut(s, start);
    fg_strbuf_addf(s, "%.*g", digits, p->scale_value);
    if (fg_number_read(s->text + start, NULL) == p->scale_value) break;
  }
}

static void print_load(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  (void)declared;
  fg_operations_print(s, p->load, p->nload);
}

static void print_store(fg_strbuf *s, const fg_problem *p, unsigned *declared) {
  (void)declared;
  fg_operations_print(s, p->store, p->nstore);
}

/* ---- the table of keys --------------------------------------------------- */

static const struct key {
  const char *name;
  fg_status (*parse)(fg_scanner *ps);
  void (*print)(fg_strbuf *s, const fg_problem *p, unsigned *declared); /* nothing for a default */
} keys[] = {
    {"n", parse_n, print_n},
    {"batch", parse_batch, print_batch},
    {"sign", parse_sign, print_sign},
    {"place", parse_place, print_place},
    {"layout", parse_layout, print_layout},
    {"compute", parse_compute, print_compute},
    {"scale", parse_scale, print_scale},
    {"spectrum", fg_scanner_spectrum, fg_problem_print_spectrum},
    {"filter", fg_scanner_filter, fg_problem_print_filter},
    {"sum", fg_scanner_sum, fg_problem_print_sum},
    {"linear", fg_scanner_linear, fg_problem_print_linear},
    {"load", fg_operations_parse_load, print_load},
    {"store", fg_operations_parse_store, print_store},
    {NULL, NULL, NULL},
};

static const char *key_at(int i) { return keys[i].name; }
static const char *kind_at(int i) { return i < FG_KIND_COUNT ? fg_problem_kind_name((fg_kind)i) : NULL; }

char *fg_problem_print(fg_context *cx, const fg_problem *p) {
  unsigned declared = 0;
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_addf(&s, "%s %s", fg_problem_kind_name(p->kind), fg_precision_name(p->storage));
  for (const struct key *k = keys; k->name; k++) {
    size_t before = s.length;
    fg_strbuf_addf(&s, " %s=", k->name);
    size_t empty = s.length;
    k->print(&s, p, &declared);
    if (s.length == empty) fg_strbuf_cut(&s, before);
  }
  return s.text;
}

/* ---- parsing ------------------------------------------------------------- */

/* The next word, between blanks, which quotes may hold; false at the end of the line. */
static bool next_word(fg_scanner *ps) {
  const char *c = ps->end;
  while (*c == ' ' || *c == '\t') c++;
  ps->at = ps->end = c;
  while (*ps->end && *ps->end != ' ' && *ps->end != '\t') {
    const char *quote = *ps->end == '"' || *ps->end == '\'' ? strchr(ps->end + 1, *ps->end) : NULL;
    ps->end = (quote ? quote : ps->end) + 1;
  }
  ps->key = NULL;
  return ps->at < ps->end;
}

static fg_status parse_kind(fg_scanner *ps) {
  if (!next_word(ps))
    return fg_scanner_fail(ps, ps->at, "KIND PRECISION n=... as in 'c2c f32 n=1024'", "an empty problem");
  int i = fg_words_find(ps->at, fg_scanner_rest(ps), kind_at);
  if (i < 0) return no_word(ps, FG_SCAN_KIND, "unknown kind %s%s", kind_at);
  ps->p->kind = (fg_kind)i;
  return FG_OK;
}

static fg_status parse_key(fg_scanner *ps) {
  fg_arena *a = ps->cx->arena;
  const char *start = ps->at, *equals = memchr(ps->at, '=', fg_scanner_rest(ps));
  size_t length = equals ? (size_t)(equals - start) : fg_scanner_rest(ps);
  int i = fg_words_find(start, length, key_at);
  if (i < 0) {
    const char *what = fg_arena_printf(a, "unknown key %s%s", fg_words_quote(a, start, length),
                                       fg_scanner_hint(ps, FG_SCAN_KEY, start, length, key_at));
    return fg_scanner_fail(ps, start, fg_words_join(a, key_at), "%s", what);
  }
  ps->key = keys[i].name;
  if (!equals) return fg_scanner_fail(ps, start, "key=value, without blanks", "no value");
  if (ps->seen >> i & 1) return fg_scanner_fail(ps, start, "each key once", "given twice");
  ps->seen |= 1u << i;
  ps->at = equals + 1;
  fg_status st = keys[i].parse(ps);
  if (!st && ps->at < ps->end)
    return fg_scanner_fail(ps, ps->at, "one value, then a blank", "%s after the value", fg_scanner_quote(ps));
  return st;
}

/* A parameter that may be 0 counts transforms. */
static fg_status fill_zeros(fg_context *cx, fg_problem *p) {
  for (int i = 0; i < p->nparam; i++) {
    bool counts = p->param[i].lo != 0;
    for (int k = 0; k < p->batch_rank; k++)
      counts = counts || (p->batch[k].n.form == FG_NUM_PARAM && p->batch[k].n.param == i);
    if (!counts)
      return fg_problem_bad(cx, "0 for counts of a batch, 1 for strides",
                            "run-time parameter '%s', a stride, from 0 on", p->param[i].name);
  }
  return fg_problem_fill_zeros(p), FG_OK;
}

typedef enum rigour { AS_THE_GENERATOR, ZEROS, OVERLAPPING } rigour;

static fg_status parse(fg_context *cx, const char *text, rigour how, fg_problem *out) {
  fg_problem p;
  memset(&p, 0, sizeof p);
  fg_scanner ps = {.cx = cx, .text = text, .at = text, .end = text, .p = &p, .zeros = how != AS_THE_GENERATOR};
  fg_status st = parse_kind(&ps);
  if (st) return st;
  p.sign = default_sign(p.kind);
  if (!next_word(&ps)) return fg_scanner_fail(&ps, ps.at, fg_words_join(cx->arena, precision_at), "no precision");
  if ((st = parse_precision(&ps, &p.storage))) return st;
  while (next_word(&ps))
    if ((st = parse_key(&ps))) return st;
  if (!p.rank) return fg_scanner_fail(&ps, ps.at, "n=N, as in 'c2c f32 n=1024'", "no length");
  if (!ps.given_compute) p.compute = default_compute(p.storage);
  if (ps.given_filter && !p.filter.rank)
    for (; p.filter.rank < p.rank; p.filter.rank++) p.filter.length[p.filter.rank] = p.dim[p.filter.rank].n.n;
  if ((st = fg_scanner_expressions(&ps))) return st;
  if ((st = fg_scanner_apply_linear(&ps))) return st;
  if ((st = fg_scanner_apply_sum(&ps))) return st;
  if (fg_problem_is_real(&p, true)) p.split_out = false; /* store= may have made it so */
  if ((st = fg_axes_fill_strides(&ps))) return st;
  fg_axes_number_params(&p);
  fg_problem filled = p;
  if ((st = fill_zeros(cx, &filled))) return st;
  st = how == OVERLAPPING ? fg_problem_check_overlapping(cx, &filled) : fg_problem_check(cx, &filled);
  if (st) return st;
  for (int i = 0; i < p.batch_rank; i++)
    if (ps.empty >> i & 1) p.batch[i].n = fg_num_const(0);
  *out = p;
  return FG_OK;
}

fg_status fg_problem_parse(fg_context *cx, const char *text, fg_problem *out) {
  return parse(cx, text, AS_THE_GENERATOR, out);
}

fg_status fg_problem_parse_zeros(fg_context *cx, const char *text, fg_problem *out) {
  return parse(cx, text, ZEROS, out);
}

fg_status fg_problem_parse_overlapping(fg_context *cx, const char *text, fg_problem *out) {
  return parse(cx, text, OVERLAPPING, out);
}

void fg_problem_fill_zeros(fg_problem *p) {
  for (int i = 0; i < p->nparam; i++) p->param[i].lo += !p->param[i].lo;
  for (int i = 0; i < p->batch_rank; i++) p->batch[i].n.n += !p->batch[i].n.n;
}

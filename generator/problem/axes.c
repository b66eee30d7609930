/* The axes of problems as text: lengths, strides, counts, run-time parameters.
 *
 * In: the value of n= or batch=, as N or N:IS:OS joined by 'x'. Out: fg_dims with
 * every stride filled. The one idea: one function gives the default stride of an
 * axis from the axes further in; parsing fills with it and printing leaves out
 * what equals it. */
#include "generator/problem/axes.h"
#include "generator/base/text_match.h"
#include "generator/problem/arrays.h"
#include "generator/problem/bank.h"
#include "generator/problem/frames.h"
#include "generator/problem/shape.h"
#include "targets/ascii.h"
#include "targets/c_family.h"
#include <string.h>

#define LIMIT (INT64_C(1) << 62)

/* ---- lengths, strides, counts -------------------------------------------- */

/* `zero`: 0 is allowed. */
static fg_status parse_integer(fg_scanner *ps, bool zero, int64_t *out) {
  const char *start = ps->at;
  int64_t value = 0;
  if (ps->at + 1 < ps->end && *ps->at == '-' && fg_is_digit(ps->at[1]))
    return fg_scanner_fail(ps, start, "1 .. 2^62; arrays begin at their lowest element", "%s is negative",
                           fg_scanner_quote(ps));
  if (ps->at == ps->end || !fg_is_digit(*ps->at))
    return fg_scanner_fail(ps, start, "1 .. 2^62", "%s is not a number", fg_scanner_quote(ps));
  for (; ps->at < ps->end && fg_is_digit(*ps->at); ps->at++)
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *ps->at - '0', &value) ||
        value > LIMIT)
      return fg_scanner_fail(ps, start, "1 .. 2^62", "number too large");
  if (value == 0 && !zero) return fg_scanner_fail(ps, start, "1 .. 2^62", "0 where a positive number belongs");
  *out = value;
  return FG_OK;
}

static int find_param(const fg_problem *p, const char *name, size_t length) {
  for (int i = 0; i < p->nparam; i++)
    if (strlen(p->param[i].name) == length && !memcmp(p->param[i].name, name, length)) return i;
  return -1;
}

/* True when one name is the other, an x and more: "s" and "sx4" in "8:1:sx4". */
static bool confusable(const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > nb) return confusable(b, a);
  return nb > na + 1 && b[na] == 'x' && !memcmp(a, b, na);
}

/* [lo..hi] after a name. Repeating a declaration with the same range is fine. */
static fg_status parse_range(fg_scanner *ps, const char *name, size_t length, int *index) {
  fg_param fresh = {.lo = 0};
  fg_problem *p = ps->p;
  fg_status st = parse_integer(ps, ps->zeros, &fresh.lo);
  if (st) return st;
  if (!fg_scanner_skip(ps, "..")) return fg_scanner_fail(ps, ps->at, "name[lowest..highest]", "a range without '..'");
  if ((st = parse_integer(ps, false, &fresh.hi))) return st;
  if (!fg_scanner_skip(ps, "]")) return fg_scanner_fail(ps, ps->at, "name[lowest..highest]", "a range without ']'");
  if (fresh.lo > fresh.hi) return fg_scanner_fail(ps, name, "lowest <= highest", "a range that ends before it begins");
  if (*index >= 0) {
    bool same = p->param[*index].lo == fresh.lo && p->param[*index].hi == fresh.hi;
    return same ? FG_OK
                : fg_scanner_fail(ps, name, "one range for each name",
                                  "run-time parameter declared twice, with two ranges");
  }
  if (p->nparam == FG_MAX_PARAMS) return fg_scanner_fail(ps, name, "16 of them", "too many run-time parameters");
  memcpy(fresh.name, name, length);
  for (int i = 0; i < p->nparam; i++)
    if (confusable(p->param[i].name, fresh.name))
      return fg_scanner_fail(ps, name, "other names, or the range repeated before 'x': name[lowest..highest]x...",
                             "run-time parameters '%s' and '%s' look like an x between axes", p->param[i].name,
                             fresh.name);
  *index = p->nparam;
  p->param[p->nparam++] = fresh;
  return FG_OK;
}

static fg_status parse_param(fg_scanner *ps, int *index) {
  const char *name = ps->at;
  while (ps->at < ps->end && fg_is_word(*ps->at)) ps->at++;
  size_t length = (size_t)(ps->at - name);
  if (length >= FG_NAME_SIZE)
    return fg_scanner_fail(ps, name, "23 characters", "the name of a run-time parameter is too long");
  if (fg_words_has(FG_C_FAMILY_WORDS, name, length)) /* emitted code uses the names as they are */
    return fg_scanner_fail(ps, name, "names that C and languages like it leave free", "%s is a reserved word",
                           fg_words_quote(ps->cx->arena, name, length));
  *index = find_param(ps->p, name, length);
  if (fg_scanner_skip(ps, "[")) return parse_range(ps, name, length, index);
  if (*index >= 0) return FG_OK;
  const char *what =
      fg_arena_printf(ps->cx->arena, "unknown run-time parameter %s", fg_words_quote(ps->cx->arena, name, length));
  return fg_scanner_fail(
      ps, name, "a number, name[lowest..highest], or a name declared before (before 'x': with its range)", "%s", what);
}

/* NUMBER, NAME, NAME[lo..hi] or NUMBER*NAME... */
static fg_status parse_num(fg_scanner *ps, fg_num *out) {
  fg_num x = fg_num_const(1);
  fg_status st;
  int index = -1;
  if (ps->at == ps->end || !fg_is_letter(*ps->at)) {
    if ((st = parse_integer(ps, false, &x.n))) return st;
    bool number = ps->at + 1 < ps->end && fg_is_digit(ps->at[1]),
         factor = ps->at < ps->end && *ps->at == '*' && !number;
    if (!factor) {
      *out = x;
      return FG_OK;
    }
    ps->at++;
    if (ps->at == ps->end || !fg_is_letter(*ps->at))
      return fg_scanner_fail(ps, ps->at, "NUMBER*name[lo..hi]", "no name after '*'");
  }
  if ((st = parse_param(ps, &index))) return st;
  x.form = FG_NUM_PARAM;
  x.param = (int16_t)index;
  *out = x;
  return FG_OK;
}

/* A batch of no transforms: 1 of them until the end of the line (fg_problem_parse_zeros). */
static bool skip_zero(fg_scanner *ps, const fg_dim *d) {
  bool batch = d >= ps->p->batch && d < ps->p->batch + FG_MAX_RANK;
  size_t digits = 0;
  while (digits < fg_scanner_rest(ps) && ps->at[digits] == '0') digits++;
  bool ends = digits == fg_scanner_rest(ps) || ps->at[digits] == ':' || ps->at[digits] == 'x';
  if (!ps->zeros || !batch || !digits || !ends) return false;
  ps->at += digits;
  ps->empty |= 1u << (d - ps->p->batch);
  return true;
}

static fg_status parse_axis(fg_scanner *ps, fg_dim *d, bool *given) {
  d->n = fg_num_const(1);
  fg_status st = skip_zero(ps, d) ? FG_OK : parse_num(ps, &d->n);
  if (st || !fg_scanner_skip(ps, ":")) return st;
  *given = true;
  if ((st = parse_num(ps, &d->is))) return st;
  if (!fg_scanner_skip(ps, ":"))
    return fg_scanner_fail(ps, ps->at, "N or N:IS:OS", "an input stride without an output stride");
  if (ps->at + 1 == ps->end || (ps->at < ps->end && ps->at[1] == 'x')) /* of results that are added */
    if (*ps->at == '0') return ps->at++, d->os = fg_num_const(0), FG_OK;
  return parse_num(ps, &d->os);
}

/* ",64": dimensions joined by a wrong character. */
static const char *join_hint(const fg_scanner *ps) {
  size_t digits = strspn(ps->at + 1, "0123456789");
  if (!strchr(",;X*/", *ps->at) || !digits || ps->at + 1 + digits != ps->end || digits > 18) return "";
  return fg_arena_printf(ps->cx->arena, " (did you mean 'x%.*s'?)", (int)digits, ps->at + 1);
}

fg_status fg_axes_parse(fg_scanner *ps, fg_dim *axis, bool *given, int *rank) {
  fg_status st;
  do {
    if (*rank == FG_MAX_RANK) return fg_scanner_fail(ps, ps->at, "up to 7, joined by 'x'", "too many dimensions");
    if ((st = parse_axis(ps, &axis[*rank], &given[*rank]))) return st;
    ++*rank;
  } while (fg_scanner_skip(ps, "x"));
  if (ps->at < ps->end)
    return fg_scanner_fail(ps, ps->at, "N or N:IS:OS, joined by 'x'", "%s after a dimension%s", fg_scanner_quote(ps),
                           join_hint(ps));
  return FG_OK;
}

/* ---- default strides ----------------------------------------------------- */

static fg_dim *axis_of(fg_problem *p, int k) { return k < p->batch_rank ? &p->batch[k] : &p->dim[k - p->batch_rank]; }

/* Elements that axis k takes in memory on one side. The last dimension of real
 * transforms is n/2+1 complex numbers long, its real side padded to match in place. */
static fg_num room(const fg_problem *p, int k, bool output) {
  fg_num n = axis_of((fg_problem *)p, k)->n;
  fg_kind kind = fg_problem_kind_of_frame(p->kind);
  bool real_kind = kind == FG_R2C || kind == FG_C2R;
  const fg_part *kept = p->in_place || k < p->batch_rank ? NULL : fg_problem_part(p, output);
  bool last = k == p->batch_rank + p->rank - 1, signal = fg_problem_is_signal(p, output);
  if (signal && k >= p->batch_rank) return fg_num_const(last ? fg_problem_signal_length(p) : 0);
  if (last && p->kind == FG_MDCT && !output) return n; /* frames overlap */
  if (kept && k - p->batch_rank < kept->rank) return fg_num_const(kept->length[k - p->batch_rank]);
  if (last && output && fg_problem_bank(p)) return fg_num_const(fg_problem_bank(p)->bands);
  if (last && p->kind == FG_IMDCT && output) return fg_num_const(2 * n.n);
  if (!real_kind || !last) return n;
  bool complex_side = (kind == FG_R2C) == output;
  if (complex_side) return fg_num_const(n.n / 2 + 1);
  return p->in_place ? fg_num_const(2 * (n.n / 2 + 1)) : n;
}

static int64_t upper(const fg_problem *p, fg_num x) {
  int64_t value;
  if (x.form == FG_NUM_CONST) return x.n;
  return __builtin_mul_overflow(x.n, p->param[x.param].hi, &value) ? INT64_MAX : value;
}

/* Frames of lapped transforms have half of their samples to themselves, others a quarter. */
static int64_t usual_hop(const fg_problem *p) {
  int64_t n = p->dim[1].n.n;
  return fg_problem_kind_is_lapped(p->kind) || n < 4 ? n : n / 4;
}

/* Frames of mdct begin n apart, and the last one ends n later. */
static bool overlaps(const fg_problem *p, int k, bool output) {
  return p->kind == FG_MDCT && p->rank == 1 && !output && k == p->batch_rank - 1;
}

/* The stride that clears every axis further in: the largest room * stride among
 * them, parameters at their upper ends. False when that is no number times at
 * most one parameter, or passes the limit. */
static bool default_stride(const fg_problem *p, int k, bool output, fg_num *out) {
  if (output && k < p->summed) return *out = fg_num_const(0), true;
  if (fg_problem_is_signal(p, output) && k == p->batch_rank) return *out = fg_num_const(usual_hop(p)), true;
  int64_t largest = 0;
  fg_num a = fg_num_const(1), b = fg_num_const(1);
  for (int j = k + 1; j < p->batch_rank + p->rank; j++) {
    const fg_dim *d = axis_of((fg_problem *)p, j);
    fg_num length = room(p, j, output), stride = output ? d->os : d->is;
    if (overlaps(p, j, output) && length.form != FG_NUM_CONST) return false;
    length.n += overlaps(p, j, output);
    int64_t span;
    if (__builtin_mul_overflow(upper(p, length), upper(p, stride), &span) || span > LIMIT) return false;
    if (span <= largest) continue;
    largest = span;
    a = length;
    b = stride;
  }
  if (a.form != FG_NUM_CONST && b.form != FG_NUM_CONST) return false;
  *out = a.form != FG_NUM_CONST ? fg_num_scaled(a, b.n) : fg_num_scaled(b, a.n);
  return true;
}

static bool is_dense(const fg_problem *p, int k) {
  const fg_dim *d = axis_of((fg_problem *)p, k);
  fg_num is, os;
  return default_stride(p, k, false, &is) && default_stride(p, k, true, &os) && fg_num_equal(is, d->is) &&
         fg_num_equal(os, d->os);
}

void fg_problem_cut_batch(fg_problem *p, int dimension, int64_t n) {
  bool dense[FG_MAX_RANK] = {false};
  for (int k = 0; k < dimension; k++) dense[k] = is_dense(p, k);
  p->batch[dimension].n = fg_num_const(n);
  for (int k = dimension - 1; k >= 0; k--) {
    if (!dense[k]) continue;
    default_stride(p, k, false, &p->batch[k].is);
    default_stride(p, k, true, &p->batch[k].os);
  }
}

fg_status fg_axes_fill_strides(fg_scanner *ps) {
  fg_problem *p = ps->p;
  for (int k = p->batch_rank + p->rank - 1; k >= 0; k--) {
    bool batch = k < p->batch_rank;
    if (batch ? ps->given_batch[k] : ps->given_n[k - p->batch_rank]) continue;
    fg_dim *d = axis_of(p, k);
    if (default_stride(p, k, false, &d->is) && default_stride(p, k, true, &d->os)) continue;
    return fg_refuse(ps->cx,
                     "problem: %s: dimension %d has no default stride (above 2^62, or a product of two run-time "
                     "parameters); allowed: N:IS:OS with strides up to 2^62",
                     batch ? "batch" : "n", batch ? k : k - p->batch_rank);
  }
  return FG_OK;
}

void fg_axes_number_params(fg_problem *p) {
  fg_param old[FG_MAX_PARAMS];
  int now[FG_MAX_PARAMS], count = 0;
  memcpy(old, p->param, sizeof old);
  for (int i = 0; i < FG_MAX_PARAMS; i++) now[i] = -1;
  for (int i = 0; i < p->rank + p->batch_rank; i++) {
    fg_dim *d = i < p->rank ? &p->dim[i] : &p->batch[i - p->rank];
    fg_num *x[] = {&d->n, &d->is, &d->os};
    for (int j = 0; j < 3; j++) {
      if (x[j]->form == FG_NUM_CONST) continue;
      if (now[x[j]->param] < 0) {
        p->param[count] = old[x[j]->param];
        now[x[j]->param] = count++;
      }
      x[j]->param = (int16_t)now[x[j]->param];
    }
  }
}

/* ---- printing ------------------------------------------------------------ */

static void print_num(fg_strbuf *s, const fg_problem *p, fg_num x, bool before_x, unsigned *declared) {
  if (x.form == FG_NUM_CONST) {
    fg_strbuf_addf(s, "%lld", (long long)x.n);
    return;
  }
  const fg_param *q = &p->param[x.param];
  if (x.n != 1) fg_strbuf_addf(s, "%lld*", (long long)x.n);
  fg_strbuf_add(s, q->name);
  /* A name without a range would include the x that follows: the range is repeated. */
  if (!(*declared >> x.param & 1) || before_x) fg_strbuf_addf(s, "[%lld..%lld]", (long long)q->lo, (long long)q->hi);
  *declared |= 1u << x.param;
}

void fg_axes_print(fg_strbuf *s, const fg_problem *p, int from, int to, unsigned *declared) {
  for (int k = from; k < to; k++) {
    const fg_dim *d = axis_of((fg_problem *)p, k);
    bool more = k + 1 < to;
    bool dense = is_dense(p, k);
    print_num(s, p, d->n, dense && more, declared);
    if (!dense) {
      fg_strbuf_add(s, ":");
      print_num(s, p, d->is, false, declared);
      fg_strbuf_add(s, ":");
      print_num(s, p, d->os, more, declared);
    }
    if (more) fg_strbuf_add(s, "x");
  }
}

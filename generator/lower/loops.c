/* Digits as text: names, loops, and the digits that blocks and threads compute from their numbers. In: digits of a
 * kernel. Out: names, "for" lines, declarations. */
#include "generator/lower/loops.h"
#include "generator/base/text_match.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/spell.h"
#include "generator/text/sum.h"
#include "targets/ascii.h"
#include "targets/c_family.h"
#include <stdio.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------- */

static const char *const reserved[] = {"px", "pv", "bv", "py",   "pw",     "pu",    "pz",   "bu",    "bz",   "bx",
                                       "by", "bw", "it", "hold", "thread", "block", "part", "parts", "step", "local"};

static bool is_taken(const fg_emitter *e, const fg_kernel *k, const char *name, const char **digit) {
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (!strcmp(name, reserved[i])) return true;
  if (fg_words_has(FG_C_FAMILY_WORDS, name, strlen(name))) return true;
  for (int i = 0; i < e->p->nbuffer; i++)
    if (!strcmp(name, e->p->buffer[i].name)) return true;
  for (int d = 0; d < k->ndigit; d++)
    if (digit[d] && !strcmp(name, digit[d])) return true;
  return strchr("xuwvyztsf", name[0]) && fg_is_digit(name[1]); /* values of a stage */
}

static void name_one(const fg_emitter *e, const fg_kernel *k, int d, const char **digit, int64_t *value) {
  const fg_digit *g = &k->digit[d];
  if (fg_num_is(g->extent, 1) && g->start.form == FG_NUM_CONST) {
    digit[d] = NULL;
    value[d] = fg_digit_value(g, 0, NULL);
    return;
  }
  const char *name = g->name;
  if (!*name || is_taken(e, k, name, digit)) name = fg_arena_printf(e->cx->arena, "%s_%d", *name ? name : "d", d);
  digit[d] = name;
}

void fg_nest_name_digits(const fg_emitter *e, const fg_kernel *k, const fg_stage *s, const char **digit,
                         int64_t *value) {
  for (int d = 0; d < k->ndigit; d++) digit[d] = NULL, value[d] = 0;
  for (int i = 0; i < k->nouter; i++) name_one(e, k, k->outer[i], digit, value);
  for (int i = 0; s && i < s->nloop; i++) name_one(e, k, s->loop[i], digit, value);
}

/* ---- types ---------------------------------------------------------------------- */

/* However many transforms blocks count, what is inside of one has small numbers. */
static bool is_bounded(const fg_digit *d) {
  if (d->batch && d->role == FG_ROLE_BLOCK) return false;
  return d->extent.form == FG_NUM_CONST && d->start.form == FG_NUM_CONST && d->extent.n > 0;
}

/* The largest sum of the bounded digits of an address, in numbers. */
static int64_t bounded_part(const fg_kernel *k, const fg_affine *a) {
  int64_t sum = a->offset.form == FG_NUM_CONST ? 2 * (a->offset.n < 0 ? -a->offset.n : a->offset.n) : 0;
  for (int t = 0; t < a->nterm; t++) {
    const fg_digit *d = &k->digit[a->term[t].digit];
    if (a->term[t].coef.form != FG_NUM_CONST || !is_bounded(d)) continue;
    int64_t first = fg_digit_value(d, 0, NULL), last = fg_digit_value(d, d->extent.n - 1, NULL),
            coef = a->term[t].coef.n;
    int64_t most = (first < 0 ? -first : first) + (last < 0 ? -last : last);
    sum += 4 * (coef < 0 ? -coef : coef) * most; /* two reals, and room for padding */
  }
  return sum;
}

static bool small_access(const fg_kernel *k, const fg_access *a) {
  const int64_t most = INT64_C(1) << 30;
  for (int i = 0; i < a->npred; i++)
    if (bounded_part(k, &a->pred[i].value) >= most) return false;
  return bounded_part(k, &a->index.at) < most && bounded_part(k, &a->index.base) < most;
}

static bool small_stage(const fg_kernel *k, const fg_stage *s) {
  for (int i = 0; i < s->npred; i++)
    if (bounded_part(k, &s->pred[i].value) >= INT64_C(1) << 30) return false;
  if (s->factors.has_twiddle && !small_access(k, &s->factors.twiddle)) return false;
  if (s->factors.has_more && !small_access(k, &s->factors.more)) return false;
  return small_access(k, &s->load) && small_access(k, &s->store);
}

const char *fg_nest_digit_type(const fg_emitter *e, const fg_kernel *k, int digit) {
  if (!e->d->small_index_type || !is_bounded(&k->digit[digit])) return e->index;
  for (int i = 0; i < k->nstage; i++)
    if (!small_stage(k, &k->stage[i])) return e->index;
  return e->d->small_index_type;
}

/* ---- loops --------------------------------------------------------------------- */

static void line(fg_nest *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(fg_nest *n, const char *format, ...) {
  va_list args;
  fg_strbuf_addf(n->out, "%*s", n->indent, "");
  va_start(args, format);
  fg_strbuf_vaddf(n->out, format, args);
  va_end(args);
  fg_strbuf_add(n->out, "\n");
}

/* "start + (at < last ? at : last)" */
static void declare_clipped(fg_nest *n, const fg_digit *d, const char *name, const char *at) {
  const char *start = fg_spell_num(n->e, n->uses, d->start);
  bool zero = fg_num_is(d->start, 0);
  line(n, "const %s %s = %s%s%s < %lld ? %s : %lld%s;", n->e->index, name, zero ? "" : start, zero ? "" : " + (", at,
       (long long)d->last, at, (long long)d->last, zero ? "" : ")");
}

static const char *over_parts(const fg_nest *n, const char *x) {
  if (n->e->coder) return fg_coder_index(n->e->coder, FG_CODE_DIV, x, "parts");
  return fg_arena_printf(n->e->cx->arena, "(%s / parts)", x);
}

/* Where a part of a loop begins: "64 * part / parts", times its step. A clipped last iteration is the last
 * part's beside its others, "part / parts" more where `part` is all of them. */
static const char *part_bound(fg_nest *n, const fg_digit *d, const char *part) {
  fg_sum iterations, at;
  fg_sum_init(&iterations, n->e, n->uses);
  fg_sum_init(&at, n->e, n->uses);
  fg_num extent = d->extent;
  if (fg_digit_is_clipped(d)) extent.n = fg_digit_parts(d, extent.n);
  fg_sum_add(&iterations, extent, 1, part);
  fg_sum_add(&at, fg_num_const(d->step), 1, over_parts(n, fg_sum_text(&iterations)));
  if (fg_digit_is_clipped(d)) fg_sum_add(&at, fg_num_const(d->step), 1, over_parts(n, part));
  fg_sum_add(&at, d->start, 1, NULL);
  return fg_sum_text(&at);
}

/* ---- as instructions -------------------------------------------------------------- */

/* start + min(at, last) */
static const char *clipped_value(fg_nest *n, const fg_digit *d, const char *at) {
  fg_coder *c = n->e->coder;
  const char *last = fg_coder_int(c, d->last), *below = fg_coder_index(c, FG_CODE_LESS, at, last);
  const char *value = fg_coder_add(c, (fg_instr){.op = FG_CODE_SELECT,
                                                 .type = FG_CODE_INDEX,
                                                 .lanes = 1,
                                                 .a = fg_coder_value(c, below),
                                                 .b = fg_coder_value(c, at),
                                                 .c = fg_coder_value(c, last)});
  if (fg_num_is(d->start, 0)) return value;
  return fg_coder_index(c, FG_CODE_ADD, fg_spell_num(n->e, n->uses, d->start), value);
}

static void record_bracket(fg_nest *n, const char *start, const char *bound, int64_t step) {
  fg_coder *c = n->e->coder;
  int32_t a = fg_coder_value(c, start), b = fg_coder_value(c, bound);
  fg_coder_add(
      c, (fg_instr){.op = FG_CODE_LOOP, .type = FG_CODE_INDEX, .lanes = 1, .a = a, .b = b, .c = -1, .imm.i = step});
  n->depth++;
}

/* The value of the bracket that was just opened. */
static const char *loop_value(const fg_nest *n) {
  return fg_arena_printf(n->e->cx->arena, "%%%d", fg_coder_count(n->e->coder) - 1);
}

static void record_part(fg_nest *n, const fg_digit *d, const char *name) {
  fg_coder *c = n->e->coder;
  const char *next = fg_coder_index(c, FG_CODE_ADD, "part", fg_coder_int(c, 1));
  const char *first = part_bound(n, d, "part");
  record_bracket(n, first, part_bound(n, d, next), d->step);
  const char *value = loop_value(n);
  fg_coder_bind(c, name, fg_digit_is_clipped(d) ? clipped_value(n, d, value) : value);
}

static void record_loop(fg_nest *n, const fg_digit *d, const char *name) {
  fg_coder *c = n->e->coder;
  bool clipped = fg_digit_is_clipped(d) || d->step <= 0;
  fg_sum bound;
  fg_sum_init(&bound, n->e, n->uses);
  if (!clipped) fg_sum_add(&bound, d->start, 1, NULL);
  fg_sum_add(&bound, d->extent, d->step > 0 ? d->step : 1, NULL);
  record_bracket(n, clipped ? "0" : fg_spell_num(n->e, n->uses, d->start), fg_sum_text(&bound),
                 d->step > 1 ? d->step : 1);
  const char *value = loop_value(n);
  if (clipped && d->step > 0) {
    value = clipped_value(n, d, value);
  } else if (clipped) {
    fg_sum sum;
    fg_sum_init(&sum, n->e, n->uses);
    fg_sum_add(&sum, d->start, 1, NULL);
    fg_sum_add(&sum, fg_num_const(d->step), 1, value);
    value = fg_sum_text(&sum);
  }
  fg_coder_bind(c, name, value);
}

static void record_hardware(fg_nest *n, const fg_digit *d, const char *name, const char *id) {
  fg_coder *c = n->e->coder;
  const char *at = d->div > 1 ? fg_coder_index(c, FG_CODE_DIV, id, fg_coder_int(c, d->div)) : id;
  at = fg_coder_index(c, FG_CODE_MOD, at, fg_spell_num(n->e, n->uses, d->extent));
  if (d->step != 1) at = fg_coder_index(c, FG_CODE_MUL, at, fg_coder_int(c, d->step));
  if (fg_digit_is_clipped(d))
    at = clipped_value(n, d, at);
  else if (!fg_num_is(d->start, 0))
    at = fg_coder_index(c, FG_CODE_ADD, fg_spell_num(n->e, n->uses, d->start), at);
  fg_coder_bind(c, name, at);
}

/* ---- both ------------------------------------------------------------------------------ */

/* The proof's text asks before each iteration. */
static void ask(fg_nest *n, int digit, const char *at) {
  int kernel = 0;
  if (!n->e->o->map || !n->e->d->iteration) return;
  while (n->e->p->kernel[kernel] != n->k) kernel++;
  const char *loop = fg_arena_printf(n->e->cx->arena, "%d", fg_text_loop_number(kernel, digit));
  line(n, "%s", fg_spell(n->e, 1, n->e->d->iteration, (fg_marks){.i = loop, .v = at}));
}

void fg_nest_threads(fg_nest *n, int threads) {
  if (n->e->coder) {
    record_bracket(n, "0", fg_arena_printf(n->e->cx->arena, "%d", threads), 1);
    fg_coder_bind(n->e->coder, "thread", loop_value(n));
    return;
  }
  line(n, "for (int thread = 0; thread < %d; ++thread) {", threads);
  n->indent += 2;
  n->depth++;
  ask(n, FG_MAX_DIGITS, "thread");
}

/* A digit whose loop does not count it itself. */
static void declare_value(fg_nest *n, int digit, const char *counter) {
  const fg_digit *d = &n->k->digit[digit];
  if (!fg_digit_is_clipped(d) && d->step > 0) return;
  if (d->step > 0) {
    declare_clipped(n, d, n->digit[digit], counter);
    return;
  }
  fg_sum value;
  fg_sum_init(&value, n->e, n->uses);
  fg_sum_add(&value, d->start, 1, NULL);
  fg_sum_add(&value, fg_num_const(d->step), 1, counter);
  line(n, "const %s %s = %s;", n->e->index, n->digit[digit], fg_sum_text(&value));
}

static void write_loop(fg_nest *n, const fg_text_loop *l, const char *first) {
  const char *step = l->step > 1 ? fg_arena_printf(n->e->cx->arena, "%s += %lld", l->counter, (long long)l->step)
                                 : fg_arena_printf(n->e->cx->arena, "++%s", l->counter);
  line(n, "for (%s %s = %s; %s < %s; %s) {", fg_nest_digit_type(n->e, n->k, l->digit), l->counter, first, l->counter,
       l->end, step);
  n->indent += 2;
  n->depth++;
  ask(n, l->digit, l->counter);
  declare_value(n, l->digit, l->counter);
}

void fg_nest_loop(fg_nest *n, int digit, bool unroll) {
  const fg_digit *d = &n->k->digit[digit];
  const char *name = n->digit[digit];
  if (!name) return;
  if (n->e->coder) {
    (digit == n->part_digit ? record_part : record_loop)(n, d, name);
    return;
  }
  bool clipped = fg_digit_is_clipped(d) || d->step <= 0, part = digit == n->part_digit;
  fg_sum bound;
  fg_sum_init(&bound, n->e, n->uses);
  if (!clipped) fg_sum_add(&bound, d->start, 1, NULL);
  fg_sum_add(&bound, d->extent, d->step > 0 ? d->step : 1, NULL);
  const char *first = part ? part_bound(n, d, "part") : clipped ? "0" : fg_spell_num(n->e, n->uses, d->start);
  if (unroll && n->e->d->unroll) line(n, "%s", n->e->d->unroll);
  bool known = !part && d->start.form == FG_NUM_CONST && d->extent.form == FG_NUM_CONST;
  fg_text_loop *l = &n->loop[n->nloop++];
  *l = (fg_text_loop){.digit = digit,
                      .at = n->out->length,
                      .counter = clipped ? fg_arena_printf(n->e->cx->arena, "%s_at", name) : name,
                      .end = part ? part_bound(n, d, "(part + 1)") : fg_sum_text(&bound),
                      .first = clipped ? 0 : d->start.n,
                      .step = d->step > 1 ? d->step : 1,
                      .iterations = known ? d->extent.n : 0};
  write_loop(n, l, first);
}

int64_t fg_nest_iterations(const fg_nest *n) {
  int64_t iterations = n->nloop == n->depth && n->nloop ? 1 : 0;
  for (int i = 0; i < n->nloop; i++) iterations *= n->loop[i].iterations;
  return iterations;
}

void fg_nest_first_iteration(fg_nest *n) {
  n->indent -= 2 * n->depth, n->depth = 0;
  fg_nest_open(n, "{");
  for (int i = 0; i < n->nloop; i++) {
    const fg_text_loop *l = &n->loop[i];
    line(n, "const %s %s = %lld;", fg_nest_digit_type(n->e, n->k, l->digit), l->counter, (long long)l->first);
    declare_value(n, l->digit, l->counter);
  }
}

/* "q == 0 && p == 0 ? 8 : 0" */
static const char *second_iteration(const fg_nest *n) {
  fg_strbuf s;
  fg_strbuf_init(&s, n->e->cx->arena);
  const fg_text_loop *last = &n->loop[n->nloop - 1];
  for (const fg_text_loop *l = n->loop; l < last; l++)
    fg_strbuf_addf(&s, "%s%s == %lld", l > n->loop ? " && " : "", l->counter, (long long)l->first);
  fg_strbuf_addf(&s, "%s%lld", n->nloop > 1 ? " ? " : "", (long long)(last->first + last->step));
  if (n->nloop > 1) fg_strbuf_addf(&s, " : %lld", (long long)last->first);
  return s.text;
}

void fg_nest_other_iterations(fg_nest *n) {
  for (int i = 0; i < n->nloop; i++) {
    const fg_text_loop *l = &n->loop[i];
    write_loop(n, l,
               i + 1 < n->nloop ? fg_arena_printf(n->e->cx->arena, "%lld", (long long)l->first) : second_iteration(n));
  }
}

void fg_nest_hardware(fg_nest *n, int digit, const char *id, bool whole) {
  const fg_digit *d = &n->k->digit[digit];
  const char *name = n->digit[digit];
  if (!name) return;
  if (n->e->coder) {
    record_hardware(n, d, name, id);
    return;
  }
  fg_arena *a = n->e->cx->arena;
  const char *counter = d->div > 1 ? fg_arena_printf(a, "%s / %lld", id, (long long)d->div) : id;
  if (!whole) {
    fg_sum extent;
    fg_sum_init(&extent, n->e, n->uses);
    fg_sum_add(&extent, d->extent, 1, NULL);
    const char *text = fg_sum_text(&extent);
    counter = fg_arena_printf(a, fg_sum_is_compound(&extent) ? "%s %% (%s)" : "%s %% %s", counter, text);
  }
  if (d->step != 1) counter = fg_arena_printf(a, "%lld * (%s)", (long long)d->step, counter);
  const char *type = fg_nest_digit_type(n->e, n->k, digit);
  if (fg_digit_is_clipped(d)) {
    line(n, "const %s %s_at = %s;", type, name, counter);
    declare_clipped(n, d, name, fg_arena_printf(a, "%s_at", name));
  } else if (fg_num_is(d->start, 0)) {
    line(n, "const %s %s = %s;", type, name, counter);
  } else {
    line(n, "const %s %s = %s + %s;", type, name, fg_spell_num(n->e, n->uses, d->start), counter);
  }
}

void fg_nest_open(fg_nest *n, const char *text) {
  line(n, "%s", text);
  n->indent += 2;
  n->depth++;
}

void fg_nest_close(fg_nest *n) {
  for (; n->depth > 0; n->depth--) {
    if (n->e->coder) {
      fg_coder_close(n->e->coder);
      continue;
    }
    n->indent -= 2;
    line(n, "}");
  }
}

/* Digits: names, loops, and the digits that blocks and threads compute from their numbers. In: digits of a kernel. Out:
 * names, loops around what is recorded next, values by these names. */
#include "generator/lower/loops.h"
#include "generator/base/text_match.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
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

/* ---- values -------------------------------------------------------------------- */

static const char *given(const fg_nest *n, const char *name) {
  return fg_coder_argument(n->e->coder, FG_CODE_INDEX, name);
}

static const char *over_parts(const fg_nest *n, const char *x) {
  return fg_coder_index(n->e->coder, FG_CODE_DIV, x, given(n, "parts"));
}

/* Where a part of a loop begins: "64 * part / parts", times its step. A clipped last iteration is the last
 * part's beside its others, "part / parts" more where `part` is all of them. */
static const char *part_bound(fg_nest *n, const fg_digit *d, const char *part) {
  fg_sum iterations = {.e = n->e, .uses = n->uses}, at = iterations;
  fg_num extent = d->extent;
  if (fg_digit_is_clipped(d)) extent.n = fg_digit_parts(d, extent.n);
  fg_sum_add(&iterations, extent, 1, part);
  fg_sum_add(&at, fg_num_const(d->step), 1, over_parts(n, fg_sum_text(&iterations)));
  if (fg_digit_is_clipped(d)) fg_sum_add(&at, fg_num_const(d->step), 1, over_parts(n, part));
  fg_sum_add(&at, d->start, 1, NULL);
  return fg_sum_text(&at);
}

/* start + min(at, last) */
static const char *clipped_value(fg_nest *n, const fg_digit *d, const char *at) {
  fg_coder *c = n->e->coder;
  const char *last = fg_coder_int(c, d->last), *below = fg_coder_index(c, FG_CODE_LESS, at, last);
  const char *value = fg_coder_choice(c, below, at, last);
  if (fg_num_is(d->start, 0)) return value;
  return fg_coder_index(c, FG_CODE_ADD, fg_spell_num(n->e, n->uses, d->start), value);
}

static const char *const_type(const fg_nest *n, const char *type) {
  return fg_arena_printf(n->e->cx->arena, "const %s", type);
}

/* A digit whose loop does not count it itself. */
static void declare_value(fg_nest *n, int digit, const char *counter) {
  const fg_digit *d = &n->k->digit[digit];
  if (fg_digit_is_clipped(d))
    fg_coder_name(n->e->coder, const_type(n, n->e->index), n->digit[digit], clipped_value(n, d, counter));
}

/* ---- loops --------------------------------------------------------------------- */

static void open_loop(fg_nest *n, fg_instr loop, const char *const bounds[2]) {
  fg_coder *c = n->e->coder;
  loop.op = FG_CODE_LOOP, loop.type = FG_CODE_INDEX, loop.lanes = 1;
  loop.a = fg_coder_value(c, bounds[0]), loop.b = fg_coder_value(c, bounds[1]), loop.c = -1;
  fg_coder_bind(c, loop.name, fg_coder_add(c, loop));
  n->depth++;
}

/* The proof's text asks before each iteration. */
static void ask(fg_nest *n, int digit, const char *at) {
  int kernel = 0;
  if (!n->e->o->map || !n->e->d->iteration) return;
  while (n->e->p->kernel[kernel] != n->k) kernel++;
  fg_instr i = fg_coder_instr(FG_CODE_ASK, FG_CODE_NONE, 0);
  i.imm.i = fg_text_loop_number(kernel, digit);
  fg_coder_add_of(n->e->coder, i, at, NULL, NULL);
}

void fg_nest_threads(fg_nest *n, int threads) {
  const char *bounds[] = {"0", fg_arena_printf(n->e->cx->arena, "%d", threads)};
  open_loop(n, (fg_instr){.name = "thread", .type_words = "int", .imm.i = 1}, bounds);
  ask(n, FG_MAX_DIGITS, "thread");
}

/* Until where a digit's loop counts, which counts iterations where their values are clipped. */
static const char *end_of(fg_nest *n, const fg_digit *d, bool counts) {
  fg_sum bound = {.e = n->e, .uses = n->uses};
  if (!counts) fg_sum_add(&bound, d->start, 1, NULL);
  fg_sum_add(&bound, d->extent, d->step, NULL);
  return fg_sum_text(&bound);
}

void fg_nest_loop(fg_nest *n, int digit, bool unroll) {
  const fg_digit *d = &n->k->digit[digit];
  const char *name = n->digit[digit];
  if (!name) return;
  fg_coder *c = n->e->coder;
  bool counts = fg_digit_is_clipped(d), part = digit == n->part_digit;
  const char *next = part ? fg_coder_index(c, FG_CODE_ADD, given(n, "part"), fg_coder_int(c, 1)) : NULL;
  const char *end = part ? part_bound(n, d, next) : end_of(n, d, counts);
  const char *first = part ? part_bound(n, d, "part") : counts ? "0" : fg_spell_num(n->e, n->uses, d->start);
  const char *counter = counts ? fg_arena_printf(n->e->cx->arena, "%s_at", name) : name;
  fg_instr loop = {.name = counter, .type_words = fg_nest_digit_type(n->e, n->k, digit)};
  loop.imm.i = d->step, loop.list = unroll && n->e->d->unroll;
  open_loop(n, loop, (const char *const[]){first, end});
  ask(n, digit, counter);
  declare_value(n, digit, counter);
}

void fg_nest_hardware(fg_nest *n, int digit, const char *id, bool whole) {
  const fg_digit *d = &n->k->digit[digit];
  const char *name = n->digit[digit];
  if (!name) return;
  fg_coder *c = n->e->coder;
  given(n, id);
  const char *at = d->div > 1 ? fg_coder_index(c, FG_CODE_DIV, id, fg_coder_int(c, d->div)) : id;
  if (!whole) at = fg_coder_index(c, FG_CODE_MOD, at, fg_spell_num(n->e, n->uses, d->extent));
  if (d->step != 1) at = fg_coder_index(c, FG_CODE_MUL, at, fg_coder_int(c, d->step));
  const char *type = fg_nest_digit_type(n->e, n->k, digit);
  if (fg_digit_is_clipped(d)) {
    const char *counter = fg_arena_printf(n->e->cx->arena, "%s_at", name);
    fg_coder_name(c, const_type(n, type), counter, at);
    fg_coder_name(c, const_type(n, n->e->index), name, clipped_value(n, d, counter));
    return;
  }
  if (!fg_num_is(d->start, 0)) at = fg_coder_index(c, FG_CODE_ADD, fg_spell_num(n->e, n->uses, d->start), at);
  fg_coder_name(c, const_type(n, type), name, at);
}

void fg_nest_open(fg_nest *n, const char *words) {
  fg_coder_block(n->e->coder, words);
  n->depth++;
}

void fg_nest_close(fg_nest *n) {
  for (; n->depth > 0; n->depth--) fg_coder_close(n->e->coder);
}

/* Codelets over interleaved complex vectors. In: a codelet, which is a graph of real operations. Out: the same on
 * complex numbers, with half the operations, or the answer that it is not possible.
 *
 * The idea: every node p of a codelet is the real part of exactly one complex linear form z of the inputs; the
 * imaginary part is the value that p has for inputs times -i. Real sums and products by real factors act on these
 * forms, too. So the nodes that the real parts of the outputs need are a program for complex numbers: each real
 * operation becomes one on pairs. An input's imaginary part is the form -i x. Forms that differ by a power of i are
 * one value. Multiplications by i are deferred until a sum of two values needs one, which swaps the parts of a pair
 * and moves the signs into a factor.
 *
 * Equal forms are recognised by their values at a random point. The proof of the text checks the result. */
#include "generator/lower/complex_vectors.h"
#include "generator/base/integer.h"
#include "generator/ir/count.h"
#include "generator/lower/address.h"
#include "generator/lower/codelet_text.h"
#include "generator/lower/fence.h"
#include "generator/lower/forward.h"
#include "generator/lower/move.h"
#include "generator/lower/storage.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/lower/writer.h"
#include "generator/math/constant_value.h"
#include "generator/text/spell.h"
#include <complex.h>
#include <math.h>
#include <string.h>

typedef struct form { /* i^turn times a vector */
  const char *name;
  int power;
} form;

typedef struct tally { /* operations, by the units that do them */
  int64_t sums, products;
  int64_t turned; /* sums of a number and another times i, which may be either */
} tally;

struct fg_complex_vectors {
  const fg_codelet *c;
  fg_node *same;            /* the first node whose form is this one's up to a power of i */
  uint8_t *power;           /* that power: form = i^turn * form of same */
  int8_t *parity;           /* of first nodes: the turn's that an output asks for, none: -1 */
  int8_t *shown;            /* likewise: the power of i between it and the last such output, none: -1 */
  form *value;              /* of first nodes */
  const char **swapped;     /* likewise: parts exchanged */
  const char **alternating; /* of factors: times 1, -1, 1, ... */
  const char *signs;        /* the vector 1, -1, 1, ... */
  tally count;
  bool alternates; /* half of what is turned are sums whose sign alternates */
};

/* ---- forms at a random point --------------------------------------------------------- */

static double random_part(uint64_t *state) { return 0.5 + (double)(fg_random(state) >> 40) / (1 << 24); }

static double complex form_at(const fg_codelet *c, fg_node n, const double complex *z, const double *in,
                              const double *tw) {
  const fg_dnode *d = &c->node[n];
  switch (d->op) {
  case FG_OP_IN: return d->slot % 2 ? in[d->slot] - I * in[d->slot - 1] : in[d->slot] + I * in[d->slot + 1];
  case FG_OP_TW: return tw[d->slot];
  case FG_OP_CONST: return fg_const_double(c->pool, d->slot);
  case FG_OP_NEG: return -z[d->a];
  case FG_OP_ADD: return z[d->a] + z[d->b];
  case FG_OP_SUB: return z[d->a] - z[d->b];
  case FG_OP_MUL: return creal(z[d->a]) * z[d->b];
  case FG_OP_FMA: return creal(z[d->a]) * z[d->b] + z[d->c];
  case FG_OP_FMS: return creal(z[d->a]) * z[d->b] - z[d->c];
  case FG_OP_FNMA: return z[d->c] - creal(z[d->a]) * z[d->b];
  case FG_OP_COUNT: break;
  }
  return 0;
}

static bool near(double complex a, double complex b) { return cabs(a - b) <= 1e-9 * (1 + cabs(b)); }

static bool is_factor(const fg_codelet *c, fg_node n) {
  return c->node[n].op == FG_OP_CONST || c->node[n].op == FG_OP_TW;
}

static double norm(double complex z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

/* Classes of forms that are powers of i apart; same[n]: the first of n's. */
static void find_classes(fg_context *cx, fg_complex_vectors *p, const double complex *z) {
  double *size = fg_arena_new(cx->arena, double, p->c->nnode);
  for (fg_node n = 0; n < (fg_node)p->c->nnode; n++) size[n] = norm(z[n]);
  for (fg_node n = 0; n < (fg_node)p->c->nnode; n++) {
    p->same[n] = n;
    if (is_factor(p->c, n)) continue;
    for (fg_node m = 0; m < n && p->same[n] == n; m++)
      if (p->same[m] == m && !is_factor(p->c, m) && fabs(size[n] - size[m]) <= 4e-9 * (1 + size[m]))
        for (uint8_t t = 0; t < 4; t++) {
          static const double complex power[] = {1, I, -1, -I};
          if (!near(z[n], power[t] * z[m])) continue;
          p->same[n] = m;
          p->power[n] = t;
        }
  }
}

/* Another node may stand for a class: one that is real where inputs are and
 * twiddles are 1, so that sums of most classes need no turns. */
static void choose_first(fg_complex_vectors *p, const double complex *real) {
  int count = p->c->nnode;
  for (fg_node n = 0; n < (fg_node)count; n++) {
    fg_node first = p->same[n];
    bool better = fabs(creal(real[n])) >= fabs(cimag(real[n])) && fabs(creal(real[first])) < fabs(cimag(real[first]));
    if (first == n || !better || is_factor(p->c, n)) continue;
    uint8_t power = p->power[n];
    for (fg_node m = 0; m < (fg_node)count; m++)
      if (p->same[m] == first) p->same[m] = n, p->power[m] = (uint8_t)((p->power[m] + 4 - power) % 4);
  }
}

static void ask(fg_complex_vectors *p, fg_node n, int parity) {
  fg_node first = p->same[n];
  if (p->parity[first] < 0) p->parity[first] = (int8_t)((parity + p->power[n]) % 2);
}

/* Outputs are to be settled; a fused sum is turned as what it is made of. */
static void ask_for_outputs(fg_complex_vectors *p) {
  const fg_codelet *c = p->c;
  for (int k = 0; k < c->nout; k += 2) ask(p, c->out[k], 0);
  for (fg_node n = (fg_node)c->nnode; n-- > 0;) {
    const fg_dnode *d = &c->node[n];
    if (p->parity[n] < 0 || fg_op_operands(d->op) < 3) continue;
    ask(p, d->b, p->parity[n]);
    ask(p, d->c, p->parity[n]);
  }
}

typedef struct sum { /* of i^a x and i^b y */
  bool exchange;     /* x is what is stored as it is, in place of y */
  int apart, power;  /* the power of i between them, that of the sum */
} sum;

/* fused: only x may be multiplied. The parts of the greater turn change places, unless an output asks. */
static sum sum_of(int a, int b, bool fused, int parity) {
  bool exchange = !fused && (a % 2 != b % 2 ? b % 2 != (parity > 0) : b > a);
  int base = exchange ? a : b, apart = ((exchange ? b - a : a - b) + 4) % 4;
  bool negative = (apart == 1 || apart == 2) && base == 2 && (fused || apart % 2);
  return (sum){exchange, apart, negative ? 0 : base};
}

/* Of a product by a twiddle factor: the real part of that multiplies the parts where they are, the imaginary one
 * those exchanged. Whether node n is such a product whose fused operation has it the other way round. */
static bool has_imaginary_first(const fg_codelet *c, fg_node n) {
  const fg_dnode *d = &c->node[n], *inner = &c->node[d->c];
  if (d->op != FG_OP_FMA && d->op != FG_OP_FMS && d->op != FG_OP_FNMA) return false;
  if (inner->op != FG_OP_MUL || c->node[d->a].op != FG_OP_TW || c->node[inner->a].op != FG_OP_TW) return false;
  return c->node[d->a].slot % 2 == 0 && c->node[inner->a].slot == c->node[d->a].slot + 1;
}

typedef struct trial { /* what turns cost */
  const fg_complex_vectors *p;
  int8_t *power; /* of first nodes' values, -1: not yet */
  bool *swapped; /* of first nodes */
  tally count;
} trial;

static int try_power(trial *t, fg_node n);

static int try_sum(trial *t, fg_node x, int a, int b, bool fused, int parity, fg_node y) {
  sum s = sum_of(a, b, fused, parity);
  if (s.apart % 2) t->swapped[t->p->same[s.exchange ? y : x]] = true;
  (*(fused ? &t->count.products : s.apart % 2 ? &t->count.turned : &t->count.sums))++;
  return s.power;
}

static int try_first(trial *t, fg_node n) {
  const fg_codelet *c = t->p->c;
  const fg_dnode *d = &c->node[n], *inner = &c->node[d->c];
  switch (d->op) {
  case FG_OP_IN: return d->slot % 2 ? 3 : 0;
  case FG_OP_NEG: return (try_power(t, d->a) + 2) % 4;
  case FG_OP_MUL: t->count.products++; return try_power(t, d->b);
  case FG_OP_ADD: return try_sum(t, d->b, try_power(t, d->b), try_power(t, d->a), false, t->p->parity[n], d->a);
  case FG_OP_SUB:
    return try_sum(t, d->b, (try_power(t, d->b) + 2) % 4, try_power(t, d->a), false, t->p->parity[n], d->a);
  default: break;
  }
  bool other = has_imaginary_first(c, n);
  fg_node x = other ? inner->b : d->b, y = other ? d->b : d->c;
  t->count.products += other;
  int minus = d->op == FG_OP_FNMA ? 2 : 0, less = d->op == FG_OP_FMS ? 2 : 0;
  int a = try_power(t, x) + (other ? less : minus), b = try_power(t, y) + (other ? minus : less);
  return try_sum(t, x, a % 4, b % 4, true, -1, y);
}

static int try_power(trial *t, fg_node n) {
  fg_node first = t->p->same[n];
  if (t->power[first] < 0) t->power[first] = (int8_t)try_first(t, first);
  return (t->power[first] + t->p->power[n]) % 4;
}

/* Operations that exchange parts and settle outputs. */
static int count_powers(fg_context *cx, fg_complex_vectors *p) {
  const fg_codelet *c = p->c;
  trial t = {p, fg_arena_new(cx->arena, int8_t, c->nnode + 1), fg_arena_new(cx->arena, bool, c->nnode + 1), {0}};
  memset(t.power, -1, (size_t)c->nnode);
  int count = 0;
  for (int k = 0; k < c->nout; k += 2) {
    int power = try_power(&t, c->out[k]);
    if (power % 2) t.swapped[p->same[c->out[k]]] = true;
    count += power != 0;
  }
  for (int n = 0; n < c->nnode; n++) count += t.swapped[n];
  p->count = t.count;
  return count;
}

/* As outputs ask, where that is less. */
static void find_parities(fg_context *cx, fg_complex_vectors *p) {
  memset(p->parity, -1, (size_t)p->c->nnode);
  int before = count_powers(cx, p);
  ask_for_outputs(p);
  if (count_powers(cx, p) < before) return;
  memset(p->parity, -1, (size_t)p->c->nnode);
  count_powers(cx, p);
}

static double complex *forms_at(fg_context *cx, const fg_codelet *c, bool real) {
  uint64_t state = 1;
  double *in = fg_arena_new(cx->arena, double, c->nin + 1), *tw = fg_arena_new(cx->arena, double, c->ntw + 1);
  for (int i = 0; i < c->nin; i++) in[i] = real && i % 2 ? 0 : random_part(&state);
  for (int i = 0; i < c->ntw; i++) tw[i] = real ? 1 - i % 2 : random_part(&state);
  double complex *z = fg_arena_new(cx->arena, double complex, c->nnode + 1);
  for (fg_node n = 0; n < (fg_node)c->nnode; n++) z[n] = form_at(c, n, z, in, tw);
  return z;
}

/* NULL: the outputs are no complex forms. */
static fg_complex_vectors *make_pack(fg_context *cx, const fg_codelet *c) {
  const double complex *z = forms_at(cx, c, false);
  for (int k = 0; k < c->nout / 2; k++) {
    if (is_factor(c, c->out[2 * k]) || is_factor(c, c->out[2 * k + 1])) return NULL;
    if (!near(z[c->out[2 * k + 1]], -I * z[c->out[2 * k]])) return NULL;
  }
  fg_complex_vectors *p = fg_arena_new(cx->arena, fg_complex_vectors, 1);
  *p = (fg_complex_vectors){.c = c,
                            .same = fg_arena_new(cx->arena, fg_node, c->nnode + 1),
                            .power = fg_arena_new(cx->arena, uint8_t, c->nnode + 1),
                            .parity = fg_arena_new(cx->arena, int8_t, c->nnode + 1),
                            .shown = fg_arena_new(cx->arena, int8_t, c->nnode + 1),
                            .value = fg_arena_new(cx->arena, form, c->nnode + 1),
                            .swapped = fg_arena_new(cx->arena, const char *, c->nnode + 1),
                            .alternating = fg_arena_new(cx->arena, const char *, c->nnode + 1)};
  find_classes(cx, p, z);
  choose_first(p, forms_at(cx, c, true));
  find_parities(cx, p);
  memset(p->shown, -1, (size_t)c->nnode);
  for (int k = 0; k < c->nout; k += 2) p->shown[p->same[c->out[k]]] = (int8_t)p->power[c->out[k]];
  return p;
}

/* ---- may this stage? -------------------------------------------------------------------- */

/* Rows of parts that are whole vectors each. */
static bool has_rows_of_parts(const fg_writer *w, const fg_access_plan *p) {
  bool parts = p->b->layout == FG_LAYOUT_SPLIT || p->b->layout == FG_LAYOUT_BLOCKED;
  return parts && p->b->elem == FG_ELEM_COMPLEX && p->direct && !p->npred && p->move == FG_MOVE_TRANSPOSE &&
         fg_odd_part(p->slots) == 1 && p->slots % (2 * w->lanes) == 0;
}

static bool moves_pairs(const fg_writer *w, const fg_access_plan *p, bool twiddle) {
  if (!twiddle && has_rows_of_parts(w, p)) return true;
  bool doubled = p->b->layout == FG_LAYOUT_DOUBLED && twiddle && p->move != FG_MOVE_GATHER;
  if (!(p->b->layout == FG_LAYOUT_INTERLEAVED || doubled) || !p->direct || p->npred) return false;
  if (p->move == FG_MOVE_NONE) return fg_storage_moves_vectors(w->e, p->b);
  if (p->move == FG_MOVE_SAME) return twiddle;
  return p->move == FG_MOVE_CONTIG || p->move == FG_MOVE_TRANSPOSE || (p->move == FG_MOVE_GATHER && p->apart);
}

/* What pairs allow: the same factor for both parts. */
static bool scales_only(const fg_operations *p) {
  for (int i = 0; i < p->count; i++)
    if (p->operation[i].row->takes != FG_TAKES_SYMBOL) return false;
  return true;
}

/* Whether sums are no more than products were if half of what is turned are sums: units have as much to do as others
 * then, and most of a kernel runs side by side (docs/lab/cpu-vectors.md). The other half are products by 1, -1, 1, ...
 */
static bool balances(const fg_writer *w) {
  const fg_problem *q = &w->e->p->problem;
  int64_t params[FG_MAX_PARAMS];
  tally all = {0};
  for (int i = 0; i < q->nparam; i++) params[i] = q->param[i].lo;
  for (int i = 0; i < w->k->nstage; i++) {
    const fg_stage *s = &w->k->stage[i];
    bool pairs = s->vectors.packed && s->codelet && s->codelet->key.kind == FG_CODELET_C2C;
    const fg_complex_vectors *p = pairs ? make_pack(w->e->cx, s->codelet) : NULL;
    int64_t iterations = p ? fg_stage_instances(w->k, s, params) / fg_stage_lanes(w->k, s) : 0;
    if (!iterations) continue;
    all.sums += iterations * p->count.sums;
    all.products += iterations * (p->count.products + p->count.turned);
    all.turned += iterations * p->count.turned;
  }
  return all.sums + all.turned / 2 <= all.products;
}

static bool alternates(const fg_writer *w) {
  const fg_isa *isa = w->e->o->isa;
  bool can = isa && 2 * w->lanes * fg_precision_bytes(w->e->precision) <= isa->alternating;
  return can && fg_plan_option(w->e->p->plan, FG_PARAM_ADDSUB, balances(w));
}

fg_complex_vectors *fg_complex_vectors_create(fg_writer *w) {
  const fg_stage *s = w->stage;
  if (!s->vectors.packed || !w->codelet || w->lanes > FG_MAX_LANES / 2 || !w->e->d->vector.join || w->hold) return NULL;
  if (w->lanes == 1 && (s->vectors.lane >= 0 || !w->e->d->vector.possible)) return NULL;
  if (w->load.rest || w->store.rest || w->codelet->key.kind != FG_CODELET_C2C) return NULL;
  if (s->operations.loaded || (s->operations.stored && !scales_only(s->operations.stored))) return NULL;
  if (!moves_pairs(w, &w->load, false) || !moves_pairs(w, &w->store, false)) return NULL;
  if (s->factors.product || (s->factors.has_twiddle && !moves_pairs(w, &w->twiddle, true))) return NULL;
  fg_complex_vectors *p = make_pack(w->e->cx, w->codelet);
  if (p && p->count.turned) p->alternates = alternates(w);
  return p;
}

/* ---- text --------------------------------------------------------------------------------- */

static const char *name_line(fg_writer *w, const char *name, const char *value) {
  fg_value_name(w, w->type, name, value);
  return name;
}

static const char *operate(fg_writer *w, fg_op op, const char *a, const char *b, const char *c) {
  const char *name = fg_arena_printf(w->arena, "t%d", w->nvalue++);
  return name_line(w, name, fg_value_op(w, op, w->width, &(fg_marks){.a = a, .b = b, .c = c}));
}

static const char *next_shuffle(fg_writer *w) { return fg_arena_printf(w->arena, "s%d", w->nshuffle++); }

/* One part of every pair, twice. */
static const char *double_part(fg_writer *w, const char *a, int part) {
  int index[2 * FG_MAX_LANES];
  for (int i = 0; i < w->width; i++) index[i] = i / 2 * 2 + part;
  const char *name = next_shuffle(w);
  return name_line(w, name, fg_value_shuffle(w, w->width, a, a, index));
}

static const char *signs_of(fg_writer *w) {
  fg_complex_vectors *p = w->pack;
  if (p->signs) return p->signs;
  const char *one = fg_value_number(w, 1, w->e->o->field ? w->e->o->field->one : 0, 1);
  const char *minus = fg_value_op(w, FG_OP_NEG, 1, &(fg_marks){.a = one}), *item[2 * FG_MAX_LANES];
  for (int i = 0; i < w->width; i++) item[i] = i % 2 ? minus : one;
  return p->signs = name_line(w, "J", fg_value_make(w, w->width, item));
}

static const char *alternating(fg_writer *w, fg_node n);

static const char *swapped(fg_writer *w, fg_node n, const char *value) {
  const char **memo = &w->pack->swapped[w->pack->same[n]];
  if (*memo) return *memo;
  *memo = next_shuffle(w);
  return name_line(w, *memo, fg_value_swap(w, w->width, value));
}

/* A part of a factor as the table has it: the real one twice, the imaginary one with either sign. */
static const char *load_doubled(fg_writer *w, fg_node n) {
  uint32_t slot = w->codelet->node[n].slot;
  const char *name = fg_arena_printf(w->arena, "w%d%c", (int)slot / 2, slot % 2 ? 'i' : 'r');
  fg_component spot = {.slot = (int)slot / 2, .part = (int)slot % 2};
  return name_line(w, name, fg_forward_load(w, &w->twiddle, &spot, w->width));
}

static bool has_doubled(const fg_writer *w, fg_node n) {
  return w->codelet->node[n].op == FG_OP_TW && w->twiddle.b->layout == FG_LAYOUT_DOUBLED &&
         w->twiddle.move != FG_MOVE_SAME;
}

static const char *factor_name(fg_writer *w, fg_node n) {
  const fg_dnode *d = &w->codelet->node[n];
  if (w->node[n]) return w->node[n];
  fg_access_plan *p = &w->twiddle;
  int slot = (int)d->slot / 2, part = (int)d->slot % 2;
  if (has_doubled(w, n)) {
    const char *signs = part ? signs_of(w) : NULL, *value = part ? alternating(w, n) : load_doubled(w, n);
    return w->node[n] = part ? operate(w, FG_OP_MUL, value, signs, NULL) : value;
  }
  if (p->move == FG_MOVE_SAME) {
    const char *element = fg_value_at(w, fg_access_plan_element(w, p, slot, 0, part));
    const char *all = fg_value_splat(w, w->width, element);
    return w->node[n] = name_line(w, fg_arena_printf(w->arena, "w%d%c", slot, part ? 'i' : 'r'), all);
  }
  fg_move_load_slot(w, p, slot);
  return w->node[n] = double_part(w, fg_move_loaded_name(w, p, 2 * slot), part);
}

/* n = FG_NO_NODE: the factor 1. */
static const char *alternating(fg_writer *w, fg_node n) {
  if (n == FG_NO_NODE) return signs_of(w);
  const char **memo = &w->pack->alternating[n];
  if (*memo) return *memo;
  if (has_doubled(w, n) && w->codelet->node[n].slot % 2) return *memo = load_doubled(w, n);
  const char *factor = factor_name(w, n), *signs = signs_of(w);
  return *memo = operate(w, FG_OP_MUL, factor, signs, NULL);
}

static form value_of(fg_writer *w, fg_node n);

typedef struct term { /* factor * form */
  fg_node factor;     /* FG_NO_NODE: 1 */
  fg_node node;       /* whose value it is */
  form z;
} term;

static form turned(form z, int by) { return (form){z.name, (z.power + by) % 4}; }

static term make_term(fg_writer *w, fg_node factor, fg_node node, bool negative) {
  return (term){factor, node, turned(value_of(w, node), negative ? 2 : 0)};
}

/* Whether node n, which is i^turn (y + i x), is to be a sum whose sign alternates. Not an output that is less such a
 * sum, since fused products take signs in, nor where y is a product, with which the sum is fused. */
static bool takes_signs(const fg_writer *w, fg_node n, fg_node y, int power) {
  const fg_complex_vectors *p = w->pack;
  int shown = p->shown[n];
  return p->alternates && !(shown >= 0 && (shown + power) % 4 == 2) && p->c->node[p->same[y]].op != FG_OP_MUL;
}

/* Node n, a first one: a + b, where b has no factor: i^b.turn (b + i^(a.turn - b.turn) a). */
static form add_terms(fg_writer *w, fg_node n, term a, term b) {
  bool plain = a.factor == FG_NO_NODE;
  sum s = sum_of(a.z.power, b.z.power, !plain, plain ? w->pack->parity[n] : -1);
  if (s.exchange) {
    term other = a;
    a = b, b = other;
  }
  const char *x = a.z.name, *y = b.z.name;
  bool minus = s.apart == 1 || s.apart == 2;
  if (plain && s.apart % 2 == 0) return (form){operate(w, minus ? FG_OP_SUB : FG_OP_ADD, y, x, NULL), s.power};
  if (plain && s.apart == 1 && s.power == b.z.power && takes_signs(w, n, b.node, s.power)) {
    const char *name = fg_arena_printf(w->arena, "t%d", w->nvalue++);
    x = swapped(w, a.node, x);
    return (form){name_line(w, name, fg_value_alternate(w, w->width, y, x)), s.power};
  }
  const char *factor = s.apart % 2 ? alternating(w, a.factor) : factor_name(w, a.factor);
  if (s.apart % 2) x = swapped(w, a.node, x);
  fg_op op = s.power != b.z.power ? FG_OP_FMS : minus ? FG_OP_FNMA : FG_OP_FMA;
  return (form){operate(w, op, factor, x, y), s.power};
}

static form times(fg_writer *w, fg_node factor, fg_node node) {
  form x = value_of(w, node);
  return (form){operate(w, FG_OP_MUL, factor_name(w, factor), x.name, NULL), x.power};
}

/* a b + c d, where c is the factor that is fused. */
static form multiply(fg_writer *w, fg_node n) {
  const fg_dnode *d = &w->codelet->node[n];
  const fg_dnode *inner = &w->codelet->node[d->c];
  term real = {FG_NO_NODE, d->b, turned(times(w, d->a, d->b), d->op == FG_OP_FNMA ? 2 : 0)};
  return add_terms(w, n, make_term(w, inner->a, inner->b, d->op == FG_OP_FMS), real);
}

static form compute(fg_writer *w, fg_node n) {
  const fg_dnode *d = &w->codelet->node[n];
  switch (d->op) {
  case FG_OP_IN:
    fg_move_load_slot(w, &w->load, (int)d->slot / 2);
    return (form){fg_move_loaded_name(w, &w->load, (int)d->slot), d->slot % 2 ? 3 : 0};
  case FG_OP_NEG: return turned(value_of(w, d->a), 2);
  case FG_OP_MUL: return times(w, d->a, d->b);
  case FG_OP_ADD:
  case FG_OP_SUB: {
    term a = make_term(w, FG_NO_NODE, d->a, false), b = make_term(w, FG_NO_NODE, d->b, d->op == FG_OP_SUB);
    return add_terms(w, n, b, a);
  }
  default: {
    if (has_imaginary_first(w->codelet, n)) return multiply(w, n);
    term c = make_term(w, FG_NO_NODE, d->c, d->op == FG_OP_FMS), b = make_term(w, d->a, d->b, d->op == FG_OP_FNMA);
    return add_terms(w, n, b, c);
  }
  }
}

/* Computes what is not there yet, operands first. */
static form value_of(fg_writer *w, fg_node n) {
  fg_complex_vectors *p = w->pack;
  fg_node first = p->same[n];
  if (!p->value[first].name) p->value[first] = compute(w, first);
  return turned(p->value[first], p->power[n]);
}

/* The vector itself, its turn carried out. */
static const char *settled(fg_writer *w, fg_node n) {
  form z = value_of(w, n);
  if (z.power == 0) return z.name;
  if (z.power == 2) return operate(w, FG_OP_NEG, z.name, NULL, NULL);
  const char *signs = signs_of(w), *parts = swapped(w, n, z.name);
  const char *turned = operate(w, FG_OP_MUL, signs, parts, NULL);
  return z.power == 3 ? turned : operate(w, FG_OP_NEG, turned, NULL, NULL);
}

/* ---- the stage ---------------------------------------------------------------------------- */

static void need(const fg_writer *w, bool *needed, fg_node n) {
  const fg_codelet *c = w->codelet;
  const fg_dnode *d = &c->node[n = w->pack->same[n]];
  fg_node operand[] = {d->a, d->b, d->c};
  if (needed[n]) return;
  needed[n] = true;
  if (has_imaginary_first(c, n)) need(w, needed, c->node[d->c].a), operand[2] = c->node[d->c].b;
  for (int i = 0; i < fg_op_operands(d->op); i++) need(w, needed, operand[i]);
}

/* Nodes that stand for a class, as far as the outputs' real parts need them. */
static bool *needed_nodes(const fg_writer *w) {
  bool *needed = fg_arena_new(w->arena, bool, w->codelet->nnode + 1);
  for (int k = 0; k < w->codelet->nout; k += 2) need(w, needed, w->codelet->out[k]);
  return needed;
}

/* Outputs that are there; all: those too that are inputs. */
static void store_finished(fg_writer *w, bool at_once, bool all) {
  const fg_codelet *c = w->codelet;
  for (int k = 0; k < c->nout / 2; k++) {
    if (w->value[k] || (!all && !w->pack->value[w->pack->same[c->out[2 * k]]].name)) continue;
    w->value[k] = settled(w, c->out[2 * k]);
    for (int i = 0; w->stage->operations.stored && i < w->stage->operations.stored->count; i++)
      w->value[k] = operate(w, FG_OP_MUL, "KP_scale", w->value[k], NULL);
    if (at_once) fg_move_store_slot(w, k);
  }
}

void fg_complex_vectors_write(fg_writer *w) {
  fg_complex_vectors *p = w->pack;
  const fg_codelet *c = w->codelet;
  bool *needed = needed_nodes(w), at_once = w->store.move != FG_MOVE_TRANSPOSE && w->load.memory != w->store.memory;
  memset(p->value, 0, sizeof *p->value * (size_t)c->nnode);
  memset(w->value, 0, sizeof *w->value * (size_t)c->nout);
  for (fg_node n = 0; n < (fg_node)c->nnode; n++)
    if (needed[n] && c->node[n].op == FG_OP_CONST) fg_lower_declare_constant(w, n);
  fg_access_plan_open(w, &w->load);
  if (w->stage->factors.has_twiddle) fg_access_plan_open(w, &w->twiddle);
  fg_access_plan_open(w, &w->store);
  fg_fence_note(w);
  fg_move_load_all(w, &w->load);
  if (w->stage->factors.has_twiddle) fg_move_load_all(w, &w->twiddle);
  for (int i = 0; i < w->schedule->count; i++) {
    fg_node n = w->schedule->order[i];
    if (!needed[n] || is_factor(c, n) || c->node[n].op == FG_OP_IN) continue;
    value_of(w, n);
    store_finished(w, at_once, false);
  }
  store_finished(w, at_once, true);
  if (!at_once) fg_move_store_all(w);
}

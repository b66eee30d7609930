/* See oracle.h. In: a program. Out: whether it is right, by execution.
 *
 * The idea: be slow and literal where the proof is quick. Addresses are those of
 * fg_index_value itself, elements are stored where their layout puts them, what nobody
 * wrote is not a number, tables and roots are MPFR's, the DFT is its sum. Between
 * barriers each thread runs alone to the next one, in several orders; a program
 * whose results depend on the order is wrong. */
#include "tests/unit/oracle.h"
#include "generator/codelet/codelet.h"
#include "generator/math/constant_value.h"
#include "generator/problem/shape.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef oracle_quad quad;
typedef oracle_quadc quadc;

enum { STEPS = 1 << 14, ORDERS = 6, BLOCKS = 512, MEMORY = 1 << 20 };

typedef struct step { /* one round of a stage's loops, for all threads */
  int stage;
  bool load, store, barrier; /* barrier: after it */
  int64_t value[FG_MAX_LOOPS];
} step;

typedef struct block {
  int64_t outer[FG_MAX_LOOPS]; /* values of the outer digits */
  quad *local[FG_MAX_BUFFERS];
  int at;     /* next step */
  quad *held; /* results waiting for a barrier: [thread][copy][lane][slot] */
  int64_t held_room;
} block;

typedef struct world {
  const fg_program *p;
  const fg_kernel *k;
  int64_t params[FG_MAX_PARAMS];
  int64_t size[FG_MAX_BUFFERS];   /* elements that may be touched */
  int64_t places[FG_MAX_BUFFERS]; /* reals, of roots */
  quad *memory[FG_MAX_BUFFERS];   /* of roots that blocks share */
  quadc *table[FG_MAX_BUFFERS];
  int32_t *index[FG_MAX_BUFFERS]; /* index tables */
  int64_t entries[FG_MAX_BUFFERS];
  quad *constant[256]; /* per stage in order of the program: by node */
  const fg_codelet *codelet[256];
  int ncodelet;
  bool threads;
  uint64_t random;
  int64_t work; /* elements moved: ends what does not end */
  const char *fault;
} world;

static bool is_number(quad x) { return x == x; }
static quad not_a_number(void) { return (quad)__builtin_nan(""); }

static bool fault(world *w, const char *what) {
  if (!w->fault) w->fault = what;
  return false;
}

/* ---- numbers --------------------------------------------------------------------------- */

quad oracle_constant(mpfr_t x) {
  quad sum = 0;
  mpfr_t rest;
  mpfr_init2(rest, FG_CONST_BITS);
  mpfr_set(rest, x, MPFR_RNDN);
  for (int i = 0; i < 4; i++) {
    double part = mpfr_get_d(rest, MPFR_RNDN);
    sum += part;
    mpfr_sub_d(rest, rest, part, MPFR_RNDN);
  }
  mpfr_clear(rest);
  return sum;
}

static quadc turn(int64_t k, int64_t n) {
  mpfr_t angle, s, c;
  mpfr_inits2(200, angle, s, c, (mpfr_ptr)0);
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul_si(angle, angle, 2 * (k % n), MPFR_RNDN);
  mpfr_div_si(angle, angle, n, MPFR_RNDN);
  mpfr_sin_cos(s, c, angle, MPFR_RNDN);
  quadc z = {oracle_constant(c), oracle_constant(s)};
  mpfr_clears(angle, s, c, (mpfr_ptr)0);
  return z;
}

static quadc times(quadc a, quadc b) { return (quadc){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

void oracle_dft(int64_t n, int sign, const quadc *x, quadc *y) {
  quadc *root = malloc(sizeof *root * (size_t)n);
  for (int64_t k = 0; k < n; k++) root[k] = turn(sign * k, n);
  for (int64_t k = 0; k < n; k++) {
    y[k] = (quadc){0, 0};
    for (int64_t j = 0; j < n; j++) {
      quadc t = times(x[j], root[j * k % n]);
      y[k].re += t.re, y[k].im += t.im;
    }
  }
  free(root);
}

/* g^-j modulo n for the least g whose powers are all of 1 .. n-1. */
static int64_t inverse_power(int64_t n, int64_t j) {
  for (int64_t g = 2;; g++) {
    int64_t x = g, period = 1;
    for (; x != 1 && period < n; x = x * g % n) period++;
    if (period != n - 1) continue;
    for (int64_t e = ((-j) % (n - 1) + n - 1) % (n - 1), y = 1;; e--, y = y * g % n)
      if (e == 0) return y;
  }
}

/* Sum over b_j = exp(sign 2 pi i g^-j / n), -(n-1) < j < n-1, at j modulo `length`, transformed. */
static void rader_spectrum(const fg_table *t, int64_t length, quadc *out) {
  quadc *x = calloc((size_t)length, sizeof *x);
  for (int64_t j = 2 - t->n; j <= t->n - 2; j++) {
    quadc z = turn(t->sign * inverse_power(t->n, j), t->n);
    x[(j + 2 * length) % length] = (quadc){z.re / length, z.im / length};
  }
  oracle_dft(length, -1, x, out);
  free(x);
}

int32_t *oracle_indices(const fg_table *t) {
  int32_t *out = calloc((size_t)t->cols + 1, sizeof *out);
  if (t->fill == FG_FILL_LOGARITHM) out[0] = (int32_t)t->order;
  for (int64_t c = 0; c < t->n - 1; c++) {
    if (t->fill == FG_FILL_POWER) out[c] = (int32_t)inverse_power(t->n, t->sign < 0 ? c : -c);
    if (t->fill == FG_FILL_LOGARITHM) out[inverse_power(t->n, c)] = (int32_t)c;
  }
  return out;
}

static quad doubled(quad x, int times) {
  for (; times > 0; times--) x *= 2;
  for (; times < 0; times++) x /= 2;
  return x;
}

/* Entry (r, c) of a table of twiddle factors, or of factors by doubled rows. */
static quadc factor(const fg_table *t, int64_t r, int64_t c) {
  if (t->fold && c > t->fold) c = 3 * t->fold - c;
  int64_t x = (c * (t->col_step ? t->col_step : 1) + t->col0) % t->order, row = (r + t->row0) % t->order;
  if (t->fill == FG_FILL_TWIDDLE) {
    quadc z = turn(t->sign * (row * x % t->order), t->order);
    return (quadc){doubled(z.re, t->shift), doubled(z.im, t->shift)};
  }
  if (t->fill == FG_FILL_STEPS) { /* w^(points / join) of those that join halves of join points, after turns */
    int64_t join = 2, first = 0, points = 2 * t->rows;
    for (int64_t at = 1; at <= r; at *= 2) join *= 2, first = at;
    quadc z = turn(t->sign * (points / join * x % t->order), t->order), w = turn(t->sign * (r - first), join);
    return (quadc){z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
  }
  for (; r > 0; r--) x = 2 * x % t->order;
  return turn(t->sign * x, t->order);
}

quadc *oracle_table(const fg_table *t) {
  quadc *out = calloc((size_t)(t->rows * t->cols) + 1, sizeof *out);
  if (t->fill == FG_FILL_TWIDDLE || t->fill == FG_FILL_DOUBLING || t->fill == FG_FILL_STEPS) {
    int64_t columns = t->panel ? t->panel : t->cols, at = 0; /* that are stored together, row after row */
    for (int64_t first = 0; first < t->cols; first += columns)
      for (int64_t r = 0; r < t->rows; r++)
        for (int64_t c = 0; c < columns; c++) out[at++] = factor(t, r, first + c);
  } else if (t->fill == FG_FILL_CHIRP) {
    for (int64_t i = 0; i < t->rows * t->cols; i++) {
      quadc z = turn(t->sign * (i * i % t->order), t->order);
      out[i] = (quadc){doubled(z.re, t->shift), doubled(z.im, t->shift)};
    }
  } else if (t->fill == FG_FILL_RADER || t->fill == FG_FILL_POWERS) {
    rader_spectrum(t, t->cols, out);
    if (t->fill == FG_FILL_RADER) out[0] = (quadc){1, 0};
  } else if (t->fill == FG_FILL_RADER_SUM) {
    quadc *all = calloc((size_t)t->order, sizeof *all);
    rader_spectrum(t, t->order, all);
    out[0] = (quadc){1, 0};
    out[1] = all[0];
    free(all);
  } else {
    quadc *x = calloc((size_t)t->cols, sizeof *x);
    for (int64_t j = 0; j < t->n; j++) {
      quadc z = turn(-t->sign * (j * j % (2 * t->n)), 2 * t->n);
      x[j] = x[(t->cols - j) % t->cols] = (quadc){z.re / t->cols, z.im / t->cols};
    }
    oracle_dft(t->cols, -1, x, out);
    free(x);
  }
  return out;
}

/* A table that contradicts itself cannot be filled. */
static bool table_possible(const fg_program *p, const fg_table *t) {
  if (t->rows < 1 || t->cols < 1 || t->order < 1 || t->rows * t->cols > MEMORY) return false;
  if (t->panel < 0 || (t->panel && t->cols % t->panel)) return false;
  if (t->fill == FG_FILL_WINDOW) return false; /* numbers of real problems, which this does not know */
  if (t->fill > FG_FILL_BLUESTEIN) return fg_table_possible(t);
  if (t->fill == FG_FILL_BLUESTEIN && (t->n < 1 || 2 * t->n - 1 > t->cols)) return false;
  return t->rows * t->cols >= 0 && p->nbuffer > t->buffer;
}

static const quad *constants(world *w, const fg_codelet *c) {
  for (int i = 0; i < w->ncodelet; i++)
    if (w->codelet[i] == c) return w->constant[i];
  quad *value = calloc((size_t)c->nnode, sizeof *value);
  mpfr_t x;
  mpfr_init2(x, FG_CONST_BITS);
  for (int i = 0; i < c->nnode; i++) {
    if (c->node[i].op != FG_OP_CONST) continue;
    fg_const_real(c->pool, c->node[i].slot, x);
    value[i] = oracle_constant(x);
  }
  mpfr_clear(x);
  w->codelet[w->ncodelet] = c;
  return w->constant[w->ncodelet++] = value;
}

static quad operation(const fg_dnode *d, const quad *v) {
  switch (d->op) {
  case FG_OP_NEG: return -v[d->a];
  case FG_OP_ADD: return v[d->a] + v[d->b];
  case FG_OP_SUB: return v[d->a] - v[d->b];
  case FG_OP_MUL: return v[d->a] * v[d->b];
  case FG_OP_FMA: return v[d->a] * v[d->b] + v[d->c];
  case FG_OP_FMS: return v[d->a] * v[d->b] - v[d->c];
  case FG_OP_FNMA: return v[d->c] - v[d->a] * v[d->b];
  case FG_OP_IN:
  case FG_OP_TW:
  case FG_OP_CONST:
  case FG_OP_COUNT: break;
  }
  return not_a_number();
}

static void evaluate(world *w, const fg_codelet *c, const quad *in, const quad *tw, quad *out) {
  const quad *constant = constants(w, c);
  quad *v = malloc(sizeof *v * (size_t)c->nnode);
  for (int i = 0; i < c->nnode; i++) {
    const fg_dnode *d = &c->node[i];
    v[i] = d->op == FG_OP_IN      ? in[d->slot]
           : d->op == FG_OP_TW    ? tw[d->slot]
           : d->op == FG_OP_CONST ? constant[i]
                                  : operation(d, v);
  }
  for (int s = 0; s < c->nout; s++) out[s] = v[c->out[s]];
  free(v);
}

/* ---- memory ------------------------------------------------------------------------------ */

static int root_of(const fg_program *p, int b) {
  while (p->buffer[b].alias >= 0) b = p->buffer[b].alias;
  return b;
}

static int parts_of(const world *w, int buffer) { return w->p->buffer[buffer].elem == FG_ELEM_COMPLEX ? 2 : 1; }

/* Where an element is among those beside it: of `permuted` of them, the second quarter and the third change places. */
static int64_t permuted_at(const fg_buffer *x, int64_t e) {
  int64_t quarter = x->permuted ? e % x->permuted / (x->permuted / 4) : 0;
  return quarter == 1 ? e + x->permuted / 4 : quarter == 2 ? e - x->permuted / 4 : e;
}

/* The two reals of an element, by its buffer's layout; one, twice, of a real. False: outside. */
static bool element(world *w, block *b, int buffer, int64_t e, quad **re, quad **im) {
  const fg_buffer *x = &w->p->buffer[buffer];
  int root = root_of(w->p, buffer);
  quad *base = b->local[root] ? b->local[root] : w->memory[root];
  if (!base || e < 0 || e >= w->size[buffer]) return fault(w, "an address out of bounds");
  e = permuted_at(x, e);
  int64_t at = 2 * e, other = at + 1;
  if (x->elem == FG_ELEM_REAL)
    at = other = e;
  else if (x->layout == FG_LAYOUT_SPLIT)
    at = e, other = e + w->places[root] / 2;
  else if (x->layout == FG_LAYOUT_BLOCKED) {
    at = e / x->block * 2 * x->block + e % x->block;
    other = at + x->block;
  }
  if (at >= w->places[root] || other >= w->places[root]) return fault(w, "an address out of bounds");
  *re = base + at, *im = base + other;
  return true;
}

static bool read_table(world *w, int buffer, int64_t e, quad *to) {
  const fg_table *t = &w->p->table[w->p->buffer[buffer].table];
  if (!w->table[buffer]) return fault(w, "numbers of elements taken for values");
  if (e < 0 || e >= t->rows * t->cols || e >= w->size[buffer]) return fault(w, "an address out of bounds");
  to[0] = w->table[buffer][e].re;
  to[1] = w->table[buffer][e].im;
  return true;
}

/* fg_index_value with bounds for the table; what is outside has no address. */
static int64_t address(const world *w, const fg_index *x, const int64_t *value) {
  if (x->lookup < 0) return fg_index_value(x, value, w->params, NULL);
  int64_t v = fg_affine_value(&x->at, value, w->params);
  if (x->mod) v = (v % x->mod + x->mod) % x->mod;
  if (x->lookup >= w->p->nbuffer || !w->index[x->lookup] || v < 0 || v >= w->entries[x->lookup]) return INT64_MIN;
  fg_index rest = *x;
  rest.at = (fg_affine){.offset = fg_num_const(w->index[x->lookup][v])};
  rest.mod = INT64_C(1) << 61;
  rest.lookup = -1;
  return fg_index_value(&rest, value, w->params, NULL);
}

static int64_t slots_of(const world *w, const fg_access *a) {
  return a->reg < 0 ? 1 : fg_digit_extent(&w->k->digit[a->reg], w->params);
}

/* Reals that an access and its continuation move. */
static int64_t reals_of(const world *w, const fg_access *a) {
  int64_t reals = 0;
  for (; a; a = a->rest) reals += parts_of(w, a->buffer) * slots_of(w, a);
  return reals;
}

static bool read_slots(world *w, block *b, const fg_access *a, int64_t *value, quad *to) {
  int64_t slots = slots_of(w, a);
  int parts = parts_of(w, a->buffer);
  for (int64_t m = 0; m < slots; m++, to += parts) {
    if (a->reg >= 0) value[a->reg] = fg_digit_value(&w->k->digit[a->reg], m, w->params);
    to[0] = to[parts - 1] = 0;
    if (!fg_preds_hold(a->pred, a->npred, value, w->params)) continue;
    int64_t e = address(w, &a->index, value);
    quad *re, *im;
    if (++w->work > MEMORY) return fault(w, "no end");
    if (w->p->buffer[a->buffer].space == FG_SPACE_TABLE) {
      if (!read_table(w, a->buffer, e, to)) return false;
    } else {
      if (!element(w, b, a->buffer, e, &re, &im)) return false;
      to[0] = *re, to[parts - 1] = *im;
    }
  }
  return true;
}

static bool read_access(world *w, block *b, const fg_access *a, int64_t *value, quad *to) {
  for (; a; a = a->rest) {
    if (a->rest && a->rest->buffer != a->buffer) return fault(w, "an access that goes on elsewhere");
    if (!read_slots(w, b, a, value, to)) return false;
    to += parts_of(w, a->buffer) * slots_of(w, a);
  }
  return true;
}

static bool write_slots(world *w, block *b, const fg_access *a, int64_t *value, const quad *from) {
  int64_t slots = slots_of(w, a);
  int parts = parts_of(w, a->buffer);
  for (int64_t m = 0; m < slots; m++, from += parts) {
    if (a->reg >= 0) value[a->reg] = fg_digit_value(&w->k->digit[a->reg], m, w->params);
    if (!fg_preds_hold(a->pred, a->npred, value, w->params)) continue;
    quad *re, *im;
    if (++w->work > MEMORY) return fault(w, "no end");
    if (w->p->buffer[a->buffer].space == FG_SPACE_TABLE) return fault(w, "a store to a table");
    if (!element(w, b, a->buffer, address(w, &a->index, value), &re, &im)) return false;
    *re = from[0], *im = from[parts - 1];
  }
  return true;
}

static bool write_access(world *w, block *b, const fg_access *a, int64_t *value, const quad *from) {
  for (; a; a = a->rest) {
    if (a->rest && a->rest->buffer != a->buffer) return fault(w, "an access that goes on elsewhere");
    if (!write_slots(w, b, a, value, from)) return false;
    from += parts_of(w, a->buffer) * slots_of(w, a);
  }
  return true;
}

/* ---- one thread, one step ------------------------------------------------------------------ */

enum { RESULTS = 256 }; /* reals of one instance */

/* Factors as products of what was loaded; in the order of their numbers. */
static void multiply_out(const fg_stage *s, int64_t factors, const quad *loaded, quad *out) {
  for (int64_t f = 0; f < factors; f++) {
    const fg_product *x = &s->factors.product[f];
    const quad *b = loaded + (ptrdiff_t)2 * x->load, *a = x->factor < 0 ? NULL : out + (ptrdiff_t)2 * x->factor;
    if (x->also) a = loaded + (ptrdiff_t)2 * (x->also - 1);
    out[2 * f] = a ? a[0] * b[0] - a[1] * b[1] : b[0];
    out[2 * f + 1] = a ? a[0] * b[1] + a[1] * b[0] : b[1];
  }
}

static bool read_factors(world *w, block *b, const fg_stage *s, int64_t *value, quad *tw) {
  quad loaded[RESULTS];
  int64_t first = slots_of(w, &s->factors.twiddle), more = s->factors.has_more ? slots_of(w, &s->factors.more) : 0;
  if (first + more > RESULTS / 2) return fault(w, "too many factors");
  if (!read_access(w, b, &s->factors.twiddle, value, loaded)) return false;
  if (more && !read_access(w, b, &s->factors.more, value, loaded + 2 * first)) return false;
  if (!s->factors.product) {
    memcpy(tw, loaded, sizeof *tw * (size_t)(2 * first));
    return true;
  }
  for (int f = 0; f < s->codelet->ntw / 2; f++)
    if (s->factors.product[f].factor >= f || s->factors.product[f].load < 0 ||
        s->factors.product[f].load >= first + more || s->factors.product[f].also < 0 ||
        s->factors.product[f].also > first + more)
      return fault(w, "a factor of nothing");
  multiply_out(s, s->codelet->ntw / 2, loaded, tw);
  return true;
}

static bool compute(world *w, block *b, const fg_stage *s, int64_t *value, quad *result) {
  quad in[RESULTS], tw[RESULTS];
  int64_t reals = reals_of(w, &s->load), factors = s->factors.has_twiddle ? slots_of(w, &s->factors.twiddle) : 0;
  if (s->factors.has_twiddle && s->factors.product && s->codelet) factors = s->codelet->ntw / 2;
  int64_t out = reals_of(w, &s->store);
  if (reals > RESULTS || factors > RESULTS / 2 || out > RESULTS) return fault(w, "too many slots");
  if (!s->codelet ? out != reals : reals != s->codelet->nin || out != s->codelet->nout)
    return fault(w, "slots that do not fit");
  if (s->codelet && 2 * factors != s->codelet->ntw) return fault(w, "twiddles that do not fit");
  if (!read_access(w, b, &s->load, value, in)) return false;
  if (s->factors.has_twiddle && !read_factors(w, b, s, value, tw)) return false;
  if (s->codelet)
    evaluate(w, s->codelet, in, tw, result);
  else
    memcpy(result, in, sizeof *in * (size_t)reals);
  return true;
}

static int copies_of(const world *w, const fg_stage *s, int *digit) {
  int count = 0;
  (void)w;
  for (int i = 0; i < s->nloop; i++)
    if (w->k->digit[s->loop[i]].role == FG_ROLE_REG) digit[count++] = s->loop[i];
  return count;
}

static int64_t lanes_of(const world *w, const fg_stage *s) {
  return s->vectors.lane < 0 ? 1 : fg_digit_extent(&w->k->digit[s->vectors.lane], w->params);
}

/* All lanes at fixed values of the other digits. */
static bool vector(world *w, block *b, const step *t, int64_t *value, quad *held) {
  const fg_stage *s = &w->k->stage[t->stage];
  int64_t lanes = lanes_of(w, s);
  for (int64_t l = 0; t->load && l < lanes; l++) {
    if (s->vectors.lane >= 0) value[s->vectors.lane] = fg_digit_value(&w->k->digit[s->vectors.lane], l, w->params);
    if (!fg_preds_hold(s->pred, s->npred, value, w->params)) continue;
    if (!compute(w, b, s, value, held + l * RESULTS)) return false;
  }
  for (int64_t l = 0; t->store && l < lanes; l++) {
    if (s->vectors.lane >= 0) value[s->vectors.lane] = fg_digit_value(&w->k->digit[s->vectors.lane], l, w->params);
    if (!fg_preds_hold(s->pred, s->npred, value, w->params)) continue;
    if (!write_access(w, b, &s->store, value, held + l * RESULTS)) return false;
  }
  return true;
}

static bool run_step(world *w, block *b, const step *t, int thread) {
  const fg_stage *s = &w->k->stage[t->stage];
  int64_t value[FG_MAX_DIGITS] = {0}, lanes = lanes_of(w, s), total = 1;
  int copy[FG_MAX_LOOPS], ncopy = copies_of(w, s, copy);
  for (int i = 0; i < w->k->nouter; i++) value[w->k->outer[i]] = b->outer[i];
  for (int i = 0; i < s->nloop; i++) {
    const fg_digit *d = &w->k->digit[s->loop[i]];
    if (d->role == FG_ROLE_LOOP) value[s->loop[i]] = t->value[i];
    if (d->role == FG_ROLE_THREAD)
      value[s->loop[i]] = fg_digit_value(d, thread / d->div % fg_digit_extent(d, w->params), w->params);
  }
  for (int i = 0; i < ncopy; i++) total *= fg_digit_extent(&w->k->digit[copy[i]], w->params);
  if (lanes < 1 || lanes > 64 || total > 64) return fault(w, "too many at once");
  int64_t need = (int64_t)w->k->launch.threads * total * lanes * RESULTS;
  if (need > b->held_room) {
    free(b->held);
    b->held = calloc((size_t)need, sizeof *b->held);
    b->held_room = need;
  }
  for (int64_t c = 0; c < total; c++) {
    int64_t rest = c;
    for (int i = ncopy - 1; i >= 0; i--) {
      int64_t n = fg_digit_extent(&w->k->digit[copy[i]], w->params);
      value[copy[i]] = fg_digit_value(&w->k->digit[copy[i]], rest % n, w->params);
      rest /= n;
    }
    if (!vector(w, b, t, value, b->held + (thread * total + c) * lanes * RESULTS)) return false;
  }
  return true;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Lists the rounds of one stage: its LOOP digits, outermost first. */
static bool list_rounds(world *w, int stage, int depth, step *round, step *list, int *count) {
  const fg_stage *s = &w->k->stage[stage];
  while (depth < s->nloop && w->k->digit[s->loop[depth]].role != FG_ROLE_LOOP) depth++;
  if (depth < s->nloop) {
    const fg_digit *d = &w->k->digit[s->loop[depth]];
    int64_t n = fg_digit_extent(d, w->params);
    for (int64_t i = 0; i < n; i++) {
      round->value[depth] = fg_digit_value(d, i, w->params);
      if (!list_rounds(w, stage, depth + 1, round, list, count)) return false;
    }
    return true;
  }
  if (*count + 2 > STEPS) return fault(w, "no end");
  bool parts = fg_exchange_waits(&s->exchange.between);
  round->stage = stage;
  round->load = true, round->store = !parts, round->barrier = parts;
  list[(*count)++] = *round;
  if (parts) {
    round->load = false, round->store = true, round->barrier = false;
    list[(*count)++] = *round;
  }
  return true;
}

/* The same of stages that share their first loops, from the first one to the one before `end`. */
static bool list_group(world *w, int first, int end, int depth, step *round, step *list, int *count) {
  int shared = end - first > 1 ? w->k->stage[first + 1].vectors.shared : 0;
  if (depth < shared) {
    const fg_digit *d = &w->k->digit[w->k->stage[first].loop[depth]];
    int64_t n = fg_digit_extent(d, w->params);
    for (int64_t i = 0; i < n; i++) {
      round->value[depth] = fg_digit_value(d, i, w->params);
      if (!list_group(w, first, end, depth + 1, round, list, count)) return false;
    }
    return true;
  }
  for (int s = first; s < end; s++) {
    if (!list_rounds(w, s, shared, round, list, count)) return false;
    if (*count && fg_exchange_waits(&w->k->stage[s].exchange.after)) list[*count - 1].barrier = true;
  }
  return true;
}

static uint64_t below(world *w, uint64_t n) { return fg_random(&w->random) % n; }

/* Runs one block to its next barrier, its threads in some order. */
static bool run_segment(world *w, block *b, const step *list, int count, int order) {
  int threads = w->k->launch.threads < 1 ? 1 : w->k->launch.threads, from = b->at, to = from;
  while (to < count && !list[to].barrier) to++;
  if (to < count) to++;
  int *turn_of = malloc(sizeof *turn_of * (size_t)threads);
  for (int i = 0; i < threads; i++) turn_of[i] = order == 1 ? threads - 1 - i : i;
  for (int i = threads - 1; order > 1 && i > 0; i--) {
    int j = (int)below(w, (uint64_t)i + 1), t = turn_of[i];
    turn_of[i] = turn_of[j], turn_of[j] = t;
  }
  bool good = true;
  for (int i = 0; i < threads && good; i++)
    for (int s = from; s < to && good; s++) good = run_step(w, b, &list[s], turn_of[i]);
  free(turn_of);
  b->at = to;
  return good;
}

static bool run_blocks(world *w, block *b, int nblock, const step *list, int count, int order) {
  for (int left = nblock; left > 0;) {
    int i = w->threads && order > 1    ? (int)below(w, (uint64_t)nblock)
            : order == 1 && w->threads ? left - 1
                                       : nblock - left;
    while (b[i].at >= count) i = (i + 1) % nblock;
    if (!run_segment(w, &b[i], list, count, order)) return false;
    left -= b[i].at >= count;
    while (!(w->threads && order > 1) && b[i].at < count) {
      if (!run_segment(w, &b[i], list, count, order)) return false;
      left -= b[i].at >= count;
    }
  }
  return true;
}

static void make_local(world *w, block *b) {
  memset(b->local, 0, sizeof b->local);
  for (int i = 0; i < w->p->nbuffer; i++)
    if (w->p->buffer[i].space == FG_SPACE_LOCAL && w->p->buffer[i].alias < 0) {
      b->local[i] = malloc(sizeof(quad) * (size_t)w->places[i]);
      for (int64_t k = 0; k < w->places[i]; k++) b->local[i][k] = not_a_number();
    }
}

/* The blocks of one launch: by number and divisors where blocks are launched, in
 * the order of the nest where they are loops. */
static int list_blocks(world *w, const int64_t *host, block *list) {
  const fg_kernel *k = w->k;
  int64_t count = 1, nest[FG_MAX_LOOPS];
  for (int i = 0; i < k->nouter; i++) {
    nest[i] = 1;
    if (fg_digit_is_of_blocks(&k->digit[k->outer[i]])) nest[i] = fg_digit_extent(&k->digit[k->outer[i]], w->params);
    if (!w->threads) count *= nest[i];
  }
  for (int i = 0; w->threads && i < k->launch.nblocks; i++) count *= fg_num_value(k->launch.blocks[i], w->params);
  if (count > BLOCKS || count < 0) return fault(w, "no end"), -1;
  for (int64_t b = 0; b < count; b++) {
    int64_t rest = b;
    for (int i = k->nouter - 1; i >= 0; i--) {
      const fg_digit *d = &k->digit[k->outer[i]];
      list[b].outer[i] = host[i];
      if (!fg_digit_is_of_blocks(d)) continue;
      int64_t counter = w->threads ? b / (d->div ? d->div : 1) % (nest[i] ? nest[i] : 1) : rest % nest[i];
      list[b].outer[i] = fg_digit_value(d, counter, w->params);
      rest /= nest[i] ? nest[i] : 1;
    }
    list[b].at = 0;
    list[b].held = NULL;
    list[b].held_room = 0;
    make_local(w, &list[b]);
  }
  return (int)count;
}

static bool run_launch(world *w, const int64_t *host, int order) {
  step *list = malloc(sizeof *list * STEPS), round = {0};
  block *b = malloc(sizeof *b * BLOCKS);
  int count = 0, nblock = 0;
  bool good = true;
  for (int s = 0, end = 1; s < w->k->nstage && good; s = end++) {
    while (end < w->k->nstage && w->k->stage[end].vectors.shared) end++;
    good = list_group(w, s, end, 0, &round, list, &count);
  }
  if (good)
    good =
        (nblock = list_blocks(w, host, b)) >= 0 && (!nblock || !count || run_blocks(w, b, nblock, list, count, order));
  for (int i = 0; i < nblock; i++) {
    for (int k = 0; k < w->p->nbuffer; k++) free(b[i].local[k]);
    free(b[i].held);
  }
  free(list);
  free(b);
  return good;
}

static bool run_hosts(world *w, int depth, int64_t *host, int order) {
  while (depth < w->k->nouter && w->k->digit[w->k->outer[depth]].role != FG_ROLE_HOST) depth++;
  if (depth == w->k->nouter) return run_launch(w, host, order);
  const fg_digit *d = &w->k->digit[w->k->outer[depth]];
  int64_t n = fg_digit_extent(d, w->params);
  for (int64_t i = 0; i < n; i++) {
    host[depth] = fg_digit_value(d, i, w->params);
    if (!run_hosts(w, depth + 1, host, order)) return false;
  }
  return true;
}

/* ---- the call -------------------------------------------------------------------------------- */

static int64_t offset_of(const world *w, int64_t number, bool output) {
  const fg_problem *q = &w->p->problem;
  int64_t at = 0;
  for (int i = q->batch_rank - 1; i >= 0; i--) {
    int64_t n = fg_num_value(q->batch[i].n, w->params);
    at += number % n * fg_num_value(output ? q->batch[i].os : q->batch[i].is, w->params);
    number /= n;
  }
  return at;
}

static bool is_real_side(const fg_problem *q, bool output) { return q->kind == (output ? FG_C2R : FG_R2C); }

/* Elements of one transform: half of a spectrum where the other side is real. */
static int64_t length_of(const fg_problem *q, bool output) {
  return is_real_side(q, !output) ? q->dim[0].n.n / 2 + 1 : q->dim[0].n.n;
}

static int64_t span(const world *w, bool output) {
  const fg_problem *q = &w->p->problem;
  int64_t n = 1 + (length_of(q, output) - 1) * fg_num_value(output ? q->dim[0].os : q->dim[0].is, w->params);
  for (int i = 0; i < q->batch_rank; i++)
    n += (fg_num_value(q->batch[i].n, w->params) - 1) *
         fg_num_value(output ? q->batch[i].os : q->batch[i].is, w->params);
  return n;
}

static bool make_memory(world *w) {
  const fg_program *p = w->p;
  for (int b = 0; b < p->nbuffer; b++) {
    const fg_buffer *x = &p->buffer[b];
    bool output = x->space == FG_SPACE_OUTPUT, side = output || x->space == FG_SPACE_INPUT;
    int whole = is_real_side(&p->problem, output) ? 1 : 2, parts = parts_of(w, b), root = root_of(p, b);
    w->size[b] = side ? span(w, output) * whole / parts : x->size;
    if (parts * w->size[b] > w->places[root] && (root == b || output)) w->places[root] = parts * w->size[b];
    if (w->size[b] < 0 || w->size[b] > MEMORY) return fault(w, "too large");
  }
  for (int b = 0; b < p->nbuffer; b++)
    if (root_of(p, b) == b && p->buffer[b].space != FG_SPACE_TABLE && p->buffer[b].space != FG_SPACE_LOCAL) {
      w->memory[b] = malloc(sizeof(quad) * (size_t)w->places[b]);
      for (int64_t i = 0; i < w->places[b]; i++)
        w->memory[b][i] = b == FG_BUFFER_IN ? (quad)((double)(fg_random(&w->random) >> 11) * 0x1p-53) : not_a_number();
    }
  for (int t = 0; t < p->ntable; t++)
    if (!table_possible(p, &p->table[t])) return fault(w, "a table that cannot be filled");
  for (int t = 0; t < p->ntable; t++) {
    int16_t b = p->table[t].buffer;
    w->entries[b] = p->table[t].rows * p->table[t].cols;
    if (fg_table_is_index(&p->table[t]))
      w->index[b] = oracle_indices(&p->table[t]);
    else
      w->table[b] = oracle_table(&p->table[t]);
  }
  return true;
}

static bool close_to(quad a, quad b) {
  quad d = a - b;
  return is_number(d) && d < 1e-24 && d > -1e-24;
}

/* What the definition makes of one transform's elements. */
static void define(const fg_problem *q, quadc *x, quadc *y) {
  int64_t n = q->dim[0].n.n;
  for (int64_t k = 0; q->kind == FG_C2R && k <= n / 2; k++) {
    if (2 * k % n == 0) x[k].im = 0;
    x[(n - k) % n] = (quadc){x[k].re, k ? -x[k].im : 0};
  }
  oracle_dft(n, q->sign, x, y);
}

/* Every element of the result is the DFT's; everything else is as before. */
static bool check_output(world *w, const quad *before_in, const quad *before_out, bool *no_call) {
  const fg_problem *q = &w->p->problem;
  int64_t n = q->dim[0].n.n, count = fg_problem_batch_count(q, w->params);
  bool real_in = is_real_side(q, false), real_out = is_real_side(q, true);
  int in_root = root_of(w->p, FG_BUFFER_IN), out_root = root_of(w->p, FG_BUFFER_OUT);
  quad *in = malloc(sizeof *in * (size_t)w->places[in_root]), *now = w->memory[out_root], *re, *im;
  bool good = true, *own = calloc((size_t)w->places[out_root], sizeof *own);
  quadc *x = malloc(sizeof *x * (size_t)n), *y = malloc(sizeof *y * (size_t)n);
  block none = {.at = 0};
  memcpy(in, before_in, sizeof *in * (size_t)w->places[in_root]);
  for (int64_t b = 0; b < count && good; b++) {
    for (int64_t j = 0; j < length_of(q, false); j++) {
      int64_t e = offset_of(w, b, false) + j * fg_num_value(q->dim[0].is, w->params);
      quad *keep = w->memory[in_root];
      w->memory[in_root] = in;
      element(w, &none, FG_BUFFER_IN, e, &re, &im);
      x[j] = (quadc){*re, real_in ? 0 : *im};
      w->memory[in_root] = keep;
    }
    define(q, x, y);
    for (int64_t k = 0; k < length_of(q, true); k++) {
      element(w, &none, FG_BUFFER_OUT, offset_of(w, b, true) + k * fg_num_value(q->dim[0].os, w->params), &re, &im);
      *no_call |= own[re - now];
      own[re - now] = own[im - now] = true;
      if (good && (!close_to(*re, y[k].re) || (!real_out && !close_to(*im, y[k].im))))
        good = fault(w, "another result");
    }
  }
  for (int64_t i = 0; i < count * length_of(q, false) && in_root == out_root && good; i++) {
    int64_t b = i / length_of(q, false), j = i % length_of(q, false); /* no results, but the transform's to write */
    element(w, &none, FG_BUFFER_IN, offset_of(w, b, false) + j * fg_num_value(q->dim[0].is, w->params), &re, &im);
    own[re - now] = own[im - now] = true;
  }
  for (int64_t i = 0; i < w->places[out_root] && good; i++)
    if (!own[i] && memcmp(&now[i], &before_out[i], sizeof *now)) good = fault(w, "a store between the results");
  if (good && in_root != out_root && memcmp(w->memory[in_root], before_in, sizeof *in * (size_t)w->places[in_root]))
    good = fault(w, "a changed input");
  free(own), free(x), free(y), free(in);
  return good;
}

static quad *copy_of(const quad *x, int64_t n) {
  quad *y = malloc(sizeof *y * (size_t)n);
  return memcpy(y, x, sizeof *y * (size_t)n);
}

static bool run_order(world *w, int order, bool *no_call) {
  int in = root_of(w->p, FG_BUFFER_IN), out = root_of(w->p, FG_BUFFER_OUT);
  quad *before_in = copy_of(w->memory[in], w->places[in]), *before_out = copy_of(w->memory[out], w->places[out]);
  int64_t host[FG_MAX_LOOPS] = {0};
  bool good = true;
  for (int i = 0; i < w->p->nkernel && good; i++) {
    w->k = w->p->kernel[i];
    for (int d = 0; d < w->k->ndigit; d++) {
      const fg_digit *x = &w->k->digit[d];
      if (x->role == FG_ROLE_THREAD && (x->div < 1 || x->div * fg_digit_extent(x, w->params) > w->k->launch.threads))
        good = fault(w, "threads that are not there");
    }
    good = good && run_hosts(w, 0, host, order);
  }
  good = good && check_output(w, before_in, before_out, no_call);
  free(before_in), free(before_out);
  return good;
}

static bool right_at(const fg_program *p, const int64_t *params, uint64_t seed, char why[160]) {
  bool good = true, no_call = false, threads = false;
  for (int i = 0; i < p->nkernel; i++) threads |= p->kernel[i]->launch.threads > 1;
  for (int order = 0; order < (threads ? ORDERS : 1) && good; order++) {
    world *w = calloc(1, sizeof *w);
    w->p = p;
    w->threads = threads;
    w->random = seed + (uint64_t)order;
    memcpy(w->params, params, sizeof w->params);
    good = make_memory(w) && run_order(w, order, &no_call);
    if (!good) snprintf(why, 160, "order %d: %s", order, w->fault ? w->fault : "?");
    for (int b = 0; b < p->nbuffer; b++) free(w->memory[b]), free(w->table[b]), free(w->index[b]);
    for (int i = 0; i < w->ncodelet; i++) free(w->constant[i]);
    free(w);
  }
  return good || no_call;
}

bool oracle_right(const fg_program *p, uint64_t seed, char why[160]) {
  const fg_problem *q = &p->problem;
  int64_t base[FG_MAX_PARAMS] = {0}, at[FG_MAX_PARAMS];
  for (int i = 0; i < q->nparam; i++) base[i] = q->param[i].lo + (q->param[i].hi - q->param[i].lo) / 3;
  if (!right_at(p, base, seed, why)) return false;
  for (int i = 0; i < q->nparam; i++)
    for (int64_t x = q->param[i].lo; x <= q->param[i].hi && x < q->param[i].lo + 24; x++) {
      memcpy(at, base, sizeof at);
      at[i] = x;
      if (!right_at(p, at, seed, why)) return false;
    }
  return true;
}

/* See checksum.h. In: a transform's inputs and its results, in a prime field.
 * Out: whether sum_k c1^k1 c2^k2 ... y_k is what the definition makes of the inputs.
 *
 * The idea: sum_k c^k z^(j k), k < K, is a geometric series, (1 - (c z^j)^K) / (1 - c z^j),
 * so that the weighted sum of all results takes one product for each input, and no
 * transform. Two lists of results are two polynomials in c1, c2, ..., which agree at
 * random elements with probability at most (n1 + n2 + ...) / p (Schwartz 1980, Zippel
 * 1979). Pairs (re, im) become re + i im for z and re - i im for 1/z, as in field_dft.c. */
#include "generator/reference/checksum.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"

enum { LONG = 1 << 14 }; /* points of a last dimension from which no table holds its powers and series */

typedef struct axis {
  int64_t n, inputs, results;
  fg_gf c, z, inverse;       /* inverse: 1/z */
  bool half_in;              /* inputs stand for their conjugates too */
  const fg_gf *weight;       /* c^k; NULL: made part by part */
  const fg_gf *there, *back; /* the same: series of z^j, of 1/z^j, for each input j */
} axis;

struct fg_sums {
  const fg_field *f;
  int rank;
  bool complex_in, complex_out, half_in; /* half_in: c2r, inputs stand for their conjugates too */
  axis axis[FG_MAX_RANK];
  fg_gf there, back; /* of the inputs: by z, by 1/z */
  fg_gf re, im;      /* of the results */
  fg_gf *part[2];    /* scratch: the series forward and back, or weights, of part of a long axis */
};

static void powers(const fg_field *f, fg_gf c, int64_t from, int64_t count, fg_gf *out) {
  fg_gf x = fg_gf_pow(f, c, (uint64_t)from);
  for (int64_t k = 0; k < count; k++, x = fg_gf_mul(f, x, c)) out[k] = x;
}

/* Of z^j, or of 1/z^j, from j = `from` on. All inverses by one: prefix products going up,
 * their inverses coming down. Of as many results as z's order, last powers are one number. */
static void series(const fg_field *f, const axis *x, bool mirrored, int64_t from, int64_t count, fg_gf *out) {
  fg_gf z = mirrored ? x->inverse : x->z, step = mirrored ? x->z : x->inverse, product = f->one;
  fg_gf turned = fg_gf_mul(f, x->c, fg_gf_pow(f, z, (uint64_t)from));
  for (int64_t j = 0; j < count; j++, turned = fg_gf_mul(f, turned, z)) {
    out[j] = product;
    product = fg_gf_mul(f, product, fg_gf_sub(f, f->one, turned));
  }
  fg_gf inverse = fg_gf_inv(f, product), last = fg_gf_pow(f, turned, (uint64_t)x->results);
  fg_gf last_step = fg_gf_pow(f, step, (uint64_t)x->results);
  bool one = last_step == f->one;
  if (one) inverse = fg_gf_mul(f, inverse, fg_gf_sub(f, f->one, last));
  for (int64_t j = count - 1; j >= 0; j--) {
    turned = fg_gf_mul(f, turned, step);
    out[j] = fg_gf_mul(f, inverse, out[j]);
    if (!one) last = fg_gf_mul(f, last, last_step), out[j] = fg_gf_mul(f, out[j], fg_gf_sub(f, f->one, last));
    inverse = fg_gf_mul(f, inverse, fg_gf_sub(f, f->one, turned));
  }
  for (int64_t j = 0; x->half_in && j < count; j++) /* its own conjugate's place: its neighbours count twice */
    if (from + j == 0 || 2 * (from + j) == x->n) out[j] = fg_gf_mul(f, out[j], f->half);
}

static void create_axis(fg_arena *a, const fg_problem *p, int d, const fg_field *f, uint64_t *random, axis *x) {
  *x = (axis){p->dim[d].n.n, fg_problem_span(p, d, false), fg_problem_span(p, d, true), .weight = NULL};
  uint64_t e = f->order / (uint64_t)x->n;
  x->half_in = p->kind == FG_C2R && d == p->rank - 1;
  x->z = fg_gf_pow(f, f->root, p->sign > 0 ? e : f->order - e);
  x->inverse = fg_gf_inv(f, x->z);
  do /* no root of unity itself, nor zero */
    x->c = fg_gf_random(random);
  while (!x->c || fg_gf_pow(f, x->c, (uint64_t)x->n) == f->one);
  if (x->n >= LONG && d == p->rank - 1) return;
  fg_gf *weight = fg_arena_raw(a, sizeof *weight * (size_t)x->results);
  fg_gf *there = fg_arena_raw(a, sizeof *there * (size_t)x->inputs);
  fg_gf *back = fg_arena_raw(a, sizeof *back * (size_t)x->inputs);
  powers(f, x->c, 0, x->results, weight);
  series(f, x, false, 0, x->inputs, there);
  if (x->inputs < x->n) series(f, x, true, 0, x->inputs, back);
  for (int64_t j = 0; x->inputs == x->n && j < x->n; j++) back[j] = there[j ? x->n - j : 0];
  x->weight = weight;
  x->there = there;
  x->back = back;
}

bool fg_sums_possible(const fg_problem *p) {
  return (p->kind == FG_C2C || p->kind == FG_R2C || p->kind == FG_C2R) && !fg_problem_has_operations(p);
}

fg_sums *fg_sums_create(fg_context *cx, const fg_problem *p, const fg_field *f, uint64_t *random) {
  if (!fg_sums_possible(p)) return NULL;
  fg_sums *s = fg_arena_new(cx->arena, fg_sums, 1);
  *s = (fg_sums){.f = f, .rank = p->rank, .half_in = p->kind == FG_C2R};
  s->complex_in = p->kind != FG_R2C;
  s->complex_out = p->kind != FG_C2R;
  for (int d = 0; d < p->rank; d++) create_axis(cx->arena, p, d, f, random, &s->axis[d]);
  for (int i = 0; i < 2 && !s->axis[p->rank - 1].weight; i++) s->part[i] = fg_arena_new(cx->arena, fg_gf, FG_SUMS_PART);
  return s;
}

void fg_sums_begin(fg_sums *s) { s->there = s->back = s->re = s->im = 0; }

/* Sums of products are kept below 2^64 p, and reduced once. */
typedef struct collected {
  fg_wide sum;
} collected;

static void collect(const fg_field *f, collected *c, fg_gf a, fg_gf b) {
  const fg_wide limit = (fg_wide)f->p << 64;
  c->sum += (fg_wide)a * b;
  if (c->sum >= limit) c->sum -= limit;
}

/* Both parts of x[0], x[1], ... by as many factors. */
static fg_gfc sum_of(const fg_field *f, const fg_gfc *x, int64_t count, bool complex, const fg_gf *factor) {
  collected re = {0}, im = {0};
  for (int64_t j = 0; j < count; j++) {
    collect(f, &re, x[j].re, factor[j]);
    if (complex) collect(f, &im, x[j].im, factor[j]);
  }
  return (fg_gfc){fg_gf_reduce(f, re.sum), fg_gf_reduce(f, im.sum)};
}

void fg_sums_input(fg_sums *s, int64_t row, int64_t from, int64_t count, const fg_gfc *x) {
  const fg_field *f = s->f;
  const axis *last = &s->axis[s->rank - 1];
  for (int i = 0; i < 2 && !last->weight; i++) series(f, last, i, from, count, s->part[i]);
  fg_gfc a = sum_of(f, x, count, s->complex_in, last->weight ? last->there + from : s->part[0]);
  fg_gfc b = sum_of(f, x, count, s->complex_in, last->weight ? last->back + from : s->part[1]);
  fg_gf there = fg_gf_add(f, a.re, fg_gf_mul(f, f->i, a.im)), back = fg_gf_sub(f, b.re, fg_gf_mul(f, f->i, b.im));
  for (int d = s->rank - 2; d >= 0; d--) {
    const axis *other = &s->axis[d];
    int64_t j = row % other->inputs;
    row /= other->inputs;
    there = fg_gf_mul(f, there, other->there[j]);
    back = fg_gf_mul(f, back, other->back[j]);
  }
  s->there = fg_gf_add(f, s->there, there);
  s->back = fg_gf_add(f, s->back, back);
}

void fg_sums_result(fg_sums *s, int64_t row, int64_t from, int64_t count, const fg_gfc *y) {
  const fg_field *f = s->f;
  const axis *last = &s->axis[s->rank - 1];
  if (!last->weight) powers(f, last->c, from, count, s->part[0]);
  fg_gfc sum = sum_of(f, y, count, s->complex_out, last->weight ? last->weight + from : s->part[0]);
  fg_gf outer = f->one;
  for (int d = s->rank - 2; d >= 0; d--) {
    outer = fg_gf_mul(f, outer, s->axis[d].weight[row % s->axis[d].results]);
    row /= s->axis[d].results;
  }
  s->re = fg_gf_add(f, s->re, fg_gf_mul(f, sum.re, outer));
  s->im = fg_gf_add(f, s->im, fg_gf_mul(f, sum.im, outer));
}

bool fg_sums_agree(const fg_sums *s) {
  const fg_field *f = s->f;
  fg_gf turned = fg_gf_mul(f, f->i, s->im);
  if (s->half_in) return fg_gf_add(f, s->there, s->back) == s->re;
  return s->there == fg_gf_add(f, s->re, turned) && s->back == fg_gf_sub(f, s->re, turned);
}

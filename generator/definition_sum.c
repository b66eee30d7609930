/* See definition_sum.h. In: a transform's inputs and its results, in a prime field.
 * Out: whether sum_k c1^k1 c2^k2 ... y_k is what the definition makes of the inputs.
 *
 * The idea: sum_k c^k z^(j k), k < K, is a geometric series, (1 - (c z^j)^K) / (1 - c z^j),
 * so that the weighted sum of all results takes one product for each input, and no
 * transform. Two lists of results are two polynomials in c1, c2, ..., which agree at
 * random elements with probability at most (n1 + n2 + ...) / p (Schwartz 1980, Zippel
 * 1979). Pairs (re, im) become re + i im for z and re - i im for 1/z, as in field_dft.c. */
#include "generator/definition_sum.h"

typedef struct axis {
  int64_t n, inputs, results;
  const fg_gf *weight; /* c^k */
  const fg_gf *series; /* of z^j, 0 <= j < n; that of 1/z^j is number n - j */
} axis;

struct fg_sums {
  const fg_field *f;
  int rank;
  bool complex_in, complex_out, half_in; /* half_in: c2r, inputs stand for their conjugates too */
  axis axis[FG_MAX_RANK];
  fg_gf there, back; /* of the inputs: by z, by 1/z */
  fg_gf re, im;      /* of the results */
};

static const fg_gf *powers(fg_arena *a, const fg_field *f, fg_gf c, int64_t count) {
  fg_gf *out = fg_arena_new(a, fg_gf, count), x = f->one;
  for (int64_t k = 0; k < count; k++, x = fg_gf_mul(f, x, c)) out[k] = x;
  return out;
}

/* All inverses by one: prefix products going up, their inverses coming down. NULL: c
 * is some root of unity itself. */
static const fg_gf *series(fg_arena *a, const fg_field *f, const axis *x, fg_gf z, fg_gf c) {
  fg_gf *out = fg_arena_new(a, fg_gf, x->n), product = f->one, turned = c;
  for (int64_t j = 0; j < x->n; j++, turned = fg_gf_mul(f, turned, z)) {
    out[j] = product;
    product = fg_gf_mul(f, product, fg_gf_sub(f, f->one, turned));
  }
  if (!product) return NULL;
  fg_gf inverse = fg_gf_inv(f, product), last = fg_gf_pow(f, turned, (uint64_t)x->results);
  fg_gf step = fg_gf_inv(f, z), last_step = fg_gf_pow(f, step, (uint64_t)x->results);
  for (int64_t j = x->n - 1; j >= 0; j--) {
    turned = fg_gf_mul(f, turned, step);
    last = fg_gf_mul(f, last, last_step);
    out[j] = fg_gf_mul(f, fg_gf_mul(f, inverse, out[j]), fg_gf_sub(f, f->one, last));
    inverse = fg_gf_mul(f, inverse, fg_gf_sub(f, f->one, turned));
  }
  return out;
}

static void create_axis(fg_arena *a, const fg_problem *p, int d, const fg_field *f, uint64_t *random, axis *x) {
  *x = (axis){p->dim[d].n.n, fg_problem_span(p, d, false), fg_problem_span(p, d, true), NULL, NULL};
  uint64_t e = f->order / (uint64_t)x->n;
  fg_gf z = fg_gf_pow(f, f->root, p->sign > 0 ? e : f->order - e), c = 0;
  while (!x->series) {
    c = fg_gf_random(f, random);
    x->series = series(a, f, x, z, c);
  }
  x->weight = powers(a, f, c, x->results);
}

/* An input that is its own conjugate's place counts once, its neighbours twice. */
static void halve_ends(const fg_field *f, const axis *x) {
  fg_gf *s = (fg_gf *)(uintptr_t)x->series;
  s[0] = fg_gf_mul(f, s[0], f->half);
  if (x->n > 1 && x->n % 2 == 0) s[x->n / 2] = fg_gf_mul(f, s[x->n / 2], f->half);
}

bool fg_sums_possible(const fg_problem *p) {
  return (p->kind == FG_C2C || p->kind == FG_R2C || p->kind == FG_C2R) && !fg_problem_has_points(p);
}

fg_sums *fg_sums_create(fg_context *cx, const fg_problem *p, const fg_field *f, uint64_t *random) {
  if (!fg_sums_possible(p)) return NULL;
  fg_sums *s = fg_arena_new(cx->arena, fg_sums, 1);
  *s = (fg_sums){.f = f, .rank = p->rank, .half_in = p->kind == FG_C2R};
  s->complex_in = p->kind != FG_R2C;
  s->complex_out = p->kind != FG_C2R;
  for (int d = 0; d < p->rank; d++) create_axis(cx->arena, p, d, f, random, &s->axis[d]);
  if (s->half_in) halve_ends(f, &s->axis[p->rank - 1]);
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

static int64_t mirrored(const axis *x, int64_t j) { return j ? x->n - j : 0; }

void fg_sums_input(fg_sums *s, int64_t row, const fg_gfc *x) {
  const fg_field *f = s->f;
  const axis *last = &s->axis[s->rank - 1];
  collected re = {0}, im = {0}, re_back = {0}, im_back = {0};
  for (int64_t j = 0; j < last->inputs; j++) {
    fg_gf there = last->series[j], back = last->series[mirrored(last, j)];
    collect(f, &re, x[j].re, there);
    collect(f, &re_back, x[j].re, back);
    if (!s->complex_in) continue;
    collect(f, &im, x[j].im, there);
    collect(f, &im_back, x[j].im, back);
  }
  fg_gf there = fg_gf_add(f, fg_gf_reduce(f, re.sum), fg_gf_mul(f, f->i, fg_gf_reduce(f, im.sum)));
  fg_gf back = fg_gf_sub(f, fg_gf_reduce(f, re_back.sum), fg_gf_mul(f, f->i, fg_gf_reduce(f, im_back.sum)));
  for (int d = s->rank - 2; d >= 0; d--) {
    const axis *a = &s->axis[d];
    int64_t j = row % a->inputs;
    row /= a->inputs;
    there = fg_gf_mul(f, there, a->series[j]);
    back = fg_gf_mul(f, back, a->series[mirrored(a, j)]);
  }
  s->there = fg_gf_add(f, s->there, there);
  s->back = fg_gf_add(f, s->back, back);
}

void fg_sums_result(fg_sums *s, int64_t row, const fg_gfc *y) {
  const fg_field *f = s->f;
  const axis *last = &s->axis[s->rank - 1];
  collected re = {0}, im = {0};
  for (int64_t k = 0; k < last->results; k++) {
    collect(f, &re, y[k].re, last->weight[k]);
    if (s->complex_out) collect(f, &im, y[k].im, last->weight[k]);
  }
  fg_gf outer = f->one;
  for (int d = s->rank - 2; d >= 0; d--) {
    outer = fg_gf_mul(f, outer, s->axis[d].weight[row % s->axis[d].results]);
    row /= s->axis[d].results;
  }
  s->re = fg_gf_add(f, s->re, fg_gf_mul(f, fg_gf_reduce(f, re.sum), outer));
  s->im = fg_gf_add(f, s->im, fg_gf_mul(f, fg_gf_reduce(f, im.sum), outer));
}

bool fg_sums_agree(const fg_sums *s) {
  const fg_field *f = s->f;
  fg_gf turned = fg_gf_mul(f, f->i, s->im);
  if (s->half_in) return fg_gf_add(f, s->there, s->back) == s->re;
  return s->there == fg_gf_add(f, s->re, turned) && s->back == fg_gf_sub(f, s->re, turned);
}

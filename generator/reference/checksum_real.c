/* See checksum.h. In: one transform's inputs and its results, reals of 113 bits.
 * Out: how far sum_k c1^k1 c2^k2 ... y_k is from what the definition makes of the inputs.
 *
 * The idea is that of the sums over a field. Here c lies on the unit circle, half way
 * between two roots of unity or nearly so: with c z^j = exp(2 i h) the series is
 * (1 - exp(2 i h K)) (1 + i cot h) / 2, and h keeps away from multiples of pi. */
#include "generator/math/block.h"
#include "generator/math/quad.h"
#include "generator/problem/shape.h"
#include "generator/reference/checksum.h"
#include <limits.h>
#include <math.h>

enum { GRAIN = 1 << 20 }; /* steps between two roots of unity, in which c is chosen */

typedef struct axis {
  int64_t n, inputs, results;
  const fg_blockc *weight; /* c^k */
  const fg_blockc *series; /* of z^j, 0 <= j < n */
} axis;

static const fg_block one = {.high = 1};

static fg_blockc conjugate(fg_blockc z) { return (fg_blockc){z.re, fg_block_neg(z.im)}; }

/* By doubling, so that errors do not add up. */
static fg_blockc *powers(fg_arena *a, fg_blockc c, int64_t count) {
  fg_blockc *z = fg_arena_new(a, fg_blockc, count + 1);
  z[0] = (fg_blockc){.re = one};
  z[1] = c;
  for (int64_t k = 2, step = 1; k < count; k++) {
    if ((k & (k - 1)) == 0)
      step = k, z[k] = fg_blockc_mul(z[k / 2], z[k / 2]);
    else
      z[k] = fg_blockc_mul(z[step], z[k - step]);
  }
  return z;
}

static fg_block halved(fg_block x) {
  return (fg_block){x.low >> 1 | (fg_fraction)(uint64_t)x.high << 127, x.high >> 1};
}

/* turned: exp(i h); last: exp(2 i h K) */
static fg_blockc series_of(fg_blockc turned, fg_blockc last) {
  fg_block cot = fg_block_from(fg_block_quad(turned.re, 0) / fg_block_quad(turned.im, 0), 0);
  fg_blockc ends = {fg_block_sub(one, last.re), fg_block_neg(last.im)};
  return fg_blockc_mul((fg_blockc){halved(ends.re), halved(ends.im)}, (fg_blockc){one, cot});
}

static void create_axis(fg_arena *a, const fg_problem *p, int d, uint64_t *random, axis *x) {
  *x = (axis){p->dim[d].n.n, fg_problem_span(p, d, false), fg_problem_span(p, d, true), NULL, NULL};
  int64_t n = x->n, step = (int64_t)(fg_random(random) % (uint64_t)n);
  step = GRAIN * step + GRAIN / 4 + (int64_t)(fg_random(random) % (GRAIN / 2));
  fg_blockc half = fg_block_root(step, 2 * n * GRAIN), c = fg_blockc_mul(half, half);
  const fg_blockc *root = fg_block_roots(a, 2 * n);
  fg_blockc *series = fg_arena_new(a, fg_blockc, n), *weight = powers(a, c, x->results + 1);
  for (int64_t j = 0; j < n; j++) {
    fg_blockc z = root[j], end = root[2 * (j * x->results % n)];
    if (p->sign < 0) z = conjugate(z), end = conjugate(end);
    series[j] = series_of(fg_blockc_mul(half, z), fg_blockc_mul(weight[x->results], end));
  }
  x->weight = weight;
  x->series = series;
}

/* The product of all axes' series at an element, or at its mirror image. */
static fg_blockc series_at(const axis *x, int rank, int64_t at, bool mirrored) {
  fg_blockc r;
  for (int d = rank - 1; d >= 0; d--) {
    int64_t j = at % x[d].inputs;
    const fg_blockc *s = &x[d].series[mirrored && j ? x[d].n - j : j];
    r = d == rank - 1 ? *s : fg_blockc_mul(r, *s);
    at /= x[d].inputs;
  }
  return r;
}

static fg_blockc weight_at(const axis *x, int rank, int64_t at) {
  fg_blockc r;
  for (int d = rank - 1; d >= 0; d--) {
    const fg_blockc *w = &x[d].weight[at % x[d].results];
    r = d == rank - 1 ? *w : fg_blockc_mul(r, *w);
    at /= x[d].results;
  }
  return r;
}

static fg_blockc taken(fg_quadc x, int e) { return (fg_blockc){fg_block_from(x.re, e), fg_block_from(x.im, e)}; }

/* Half of a spectrum stands for its mirror image too; what is its own counts once. */
static fg_blockc sum_inputs(const fg_problem *p, const axis *x, const fg_quadc *in, int e) {
  const axis *last = &x[p->rank - 1];
  int64_t count = fg_problem_elements(p, false);
  fg_blockc sum = {.re = {0}};
  for (int64_t at = 0; at < count; at++) {
    int64_t j = at % last->inputs;
    bool half = p->kind == FG_C2R, alone = half && (j == 0 || 2 * j == last->n);
    fg_blockc z = taken(in[at], e);
    if (alone) z = (fg_blockc){halved(z.re), halved(z.im)};
    sum = fg_blockc_add(sum, fg_blockc_mul(z, series_at(x, p->rank, at, false)));
    if (half) sum = fg_blockc_add(sum, fg_blockc_mul(conjugate(z), series_at(x, p->rank, at, true)));
  }
  return sum;
}

double fg_sums_distance(fg_context *cx, const fg_problem *p, uint64_t seed, const fg_quadc *in, const fg_quadc *out) {
  int64_t count = fg_problem_elements(p, true);
  int from = fg_block_exponent(&in->re, 2 * fg_problem_elements(p, false)), to = fg_block_exponent(&out->re, 2 * count);
  if (from == INT_MAX || to == INT_MAX) return INFINITY;
  if (from == INT_MIN || to == INT_MIN) return from == to ? 0 : INFINITY;
  axis *x = fg_arena_new(cx->arena, axis, p->rank);
  for (int d = 0; d < p->rank; d++) create_axis(cx->arena, p, d, &seed, &x[d]);
  fg_blockc there = sum_inputs(p, x, in, from), sum = {.re = {0}};
  double size = 0;
  for (int64_t k = 0; k < count; k++) {
    double re = (double)out[k].re, im = (double)out[k].im;
    sum = fg_blockc_add(sum, fg_blockc_mul(taken(out[k], to), weight_at(x, p->rank, k)));
    size += re * re + im * im;
  }
  double re = (double)(fg_block_quad(there.re, from) - fg_block_quad(sum.re, to));
  double im = (double)(fg_block_quad(there.im, from) - fg_block_quad(sum.im, to));
  return sqrt((re * re + im * im) / size);
}

/* Rader's algorithm with folded constants. In: p complex numbers, p an odd
 * prime. Out: their DFT.
 *
 * The idea: with a generator g and inputs and outputs in the order g^j, the sums
 * over cosines and over sines of s_j = x(g^j) + x(-g^j), d_j = x(g^j) - x(-g^j)
 * are y_k = sum_j h_(j+k) x_j of length m = (p-1)/2, with h periodic for the
 * cosines and antiperiodic for the sines (Rader 1968). Both are done on real
 * numbers as R^t D R: R is a real transform of length m, which the complex rows
 * of the table give when half of it is not asked for; R^t is its transposed
 * network; D, the spectrum of h, is constant: 2x2 blocks. Where m has no fast transform
 * of its own, a longer one of m numbers and zeros takes its place, with h_i for all i
 * that j + k reaches. That may be fewer points than there are such i: of two that fall
 * together there the one with more products is in the spectrum, and the others' products
 * are added one by one, times the difference. */
#include "generator/codelet/algo/rows.h"
#include "generator/codelet/simplify.h"

typedef struct real_transform { /* X_f = sum_j x_j exp(2 pi i f j / period) for the frequencies f, one of each pair */
  fg_network net;               /* outputs: per frequency re, im; a real frequency only re */
  int period;                   /* m, or 2 m when antiperiodic */
  int nfreq;
  int *freq;
} real_transform;

static bool is_real(const real_transform *t, int f) { return 2 * f % t->period == 0; }

static void add_output(real_transform *t, int f, fg_cedge x) {
  t->freq[t->nfreq++] = f;
  t->net.out[t->net.nout++] = x.re;
  if (!is_real(t, f)) t->net.out[t->net.nout++] = x.im;
}

/* Of m inputs; room for as many outputs as `points` have. */
static void start(const fg_dag *like, int m, int points, int period, real_transform *t, fg_edge *in) {
  fg_dag *d = fg_dag_sibling(like);
  *t = (real_transform){.net = {d, m, 0, fg_arena_new(d->cx->arena, fg_edge, points)}, .period = period};
  t->freq = fg_arena_new(d->cx->arena, int, points);
  for (int j = 0; j < m; j++) in[j] = fg_dag_input(d, (uint32_t)j);
}

/* Inputs from m on are zeros. */
static void periodic(const fg_dag *like, int m, int period, real_transform *t) {
  fg_arena *arena = like->cx->arena;
  fg_edge *in = fg_arena_new(arena, fg_edge, m);
  fg_cedge *x = fg_arena_new(arena, fg_cedge, period), *y = fg_arena_new(arena, fg_cedge, period);
  start(like, m, period, period, t, in);
  for (int j = 0; j < period; j++) x[j] = (fg_cedge){j < m ? in[j] : FG_ZERO, FG_ZERO};
  fg_algo_build(t->net.dag, (fg_dft){period, 1}, x, y);
  for (int f = 0; 2 * f <= period; f++) add_output(t, f, y[f]);
}

/* z^m = -1 with m = e q, e a power of two, q odd: z = u v with u^e = -1, v^q = 1.
 * Along u: the frequencies 1 mod 4 of e real numbers are a complex transform of
 * e/2 after twiddling; along v a transform of q. */
static void antiperiodic(const fg_dag *like, int m, real_transform *t) {
  fg_arena *arena = like->cx->arena;
  int e = m & -m, q = m / e, half = e > 1 ? e / 2 : 1, longest = half > q ? half : q;
  fg_edge *in = fg_arena_new(arena, fg_edge, m), *grid = fg_arena_new(arena, fg_edge, m);
  fg_cedge *x = fg_arena_new(arena, fg_cedge, longest), *y = fg_arena_new(arena, fg_cedge, longest);
  fg_cedge *u = fg_arena_new(arena, fg_cedge, m);
  start(like, m, m, 2 * m, t, in);
  fg_dag *d = t->net.dag;
  for (int j = 0; j < m; j++) {
    int r = j % (2 * e);
    grid[r % e * q + j % q] = r < e ? in[j] : fg_dag_neg(in[j]);
  }
  for (int b = 0; b < q; b++) {
    for (int i = 0; i < half; i++) {
      x[i] = (fg_cedge){grid[i * q + b], e > 1 ? grid[(i + half) * q + b] : FG_ZERO};
      x[i] = fg_dag_mul_root(d, x[i], i, 2 * e);
    }
    fg_algo_build(d, (fg_dft){half, 1}, x, y);
    for (int g = 0; g < half; g++) u[g * q + b] = y[g];
  }
  for (int g = 0; g < half; g++) {
    int fu = e > 1 ? 4 * g + 1 : 1; /* of 2 e */
    fg_algo_build(d, (fg_dft){q, 1}, u + g * q, y);
    for (int h = 0; h < (e > 1 ? q : q / 2 + 1); h++) add_output(t, (q * fu + 2 * e * h) % (2 * m), y[h]);
  }
}

typedef struct kernel { /* h_i for 0 <= i < count */
  fg_const *h;
  int count, points; /* of the transform that convolves with them */
} kernel;

/* How many j + k are i. */
static int products(const kernel *k, int i) { return i + 1 < k->count - i ? i + 1 : k->count - i; }

/* What falls together with i; -1: nothing. */
static int twin(const kernel *k, int i) {
  if (i >= k->points) return i - k->points;
  return i + k->points < k->count ? i + k->points : -1;
}

/* Is it the twin that is in the spectrum? */
static bool is_left_out(const kernel *k, int i) {
  int other = twin(k, i);
  if (other < 0) return false;
  int own = products(k, i), others = products(k, other);
  return own < others || (own == others && i < other);
}

/* (scale / points) sum_i h_i cos or sin(2 pi f i / period) */
static fg_const spectrum(fg_dag *d, const kernel *k, int scale, const real_transform *t, int f, bool sine) {
  fg_const_pool *pool = d->pool;
  fg_const sum = fg_const_rational(pool, 0, 1);
  for (int i = 0; i < k->count; i++) {
    if (is_left_out(k, i)) continue;
    fg_root w = fg_dag_root(d, (int64_t)f * i, t->period);
    sum = fg_const_add(pool, sum, fg_const_mul(pool, k->h[i], sine ? w.sin : w.cos));
  }
  return fg_const_mul(pool, sum, fg_const_rational(pool, scale, k->points));
}

/* D: the spectrum of x to that of y. For one pair of frequencies y_k takes
 * (2/points) Re(H X e^(i k)), H = sum_i h_i e^(-i i). */
static void multiply(fg_dag *d, const real_transform *t, const kernel *k, fg_edge *x) {
  for (int i = 0, at = 0; i < t->nfreq; i++) {
    int f = t->freq[i];
    if (is_real(t, f)) {
      x[at] = fg_dag_scale(d, spectrum(d, k, 1, t, f, false), x[at]);
      at++;
      continue;
    }
    fg_const p = spectrum(d, k, 2, t, f, false), q = spectrum(d, k, -2, t, f, true);
    fg_edge re = x[at], im = x[at + 1];
    fg_edge left = fg_dag_scale(d, p, re);
    x[at++] = fg_dag_sub(d, left, fg_dag_scale(d, q, im));
    left = fg_dag_scale(d, q, re);
    x[at++] = fg_dag_neg(fg_dag_add(d, left, fg_dag_scale(d, p, im)));
  }
}

/* Adds to y what the spectrum leaves out. */
static void add_rest(fg_dag *d, const kernel *k, const fg_edge *x, fg_edge *y) {
  int m = (k->count + 1) / 2;
  for (int i = 0; i < k->count; i++) {
    if (!is_left_out(k, i)) continue;
    fg_const other = fg_const_mul(d->pool, fg_const_rational(d->pool, -1, 1), k->h[twin(k, i)]);
    fg_const change = fg_const_add(d->pool, k->h[i], other);
    for (int j = i < m ? 0 : i - m + 1; j < m && j <= i; j++)
      y[i - j] = fg_dag_add(d, y[i - j], fg_dag_scale(d, change, x[j]));
  }
}

/* y_k = sum_j h_(j+k) x_j. zero: the sum of x is added to *zero, and *zero as it
 * was to every y. */
static void hankel(fg_dag *d, const real_transform *t, const kernel *k, const fg_edge *x, fg_edge *y, fg_edge *zero) {
  fg_edge *spectral = fg_arena_new(d->cx->arena, fg_edge, t->net.nout);
  fg_network_apply(&t->net, d, x, spectral);
  fg_edge sum = spectral[0];
  multiply(d, t, k, spectral);
  if (zero) {
    spectral[0] = fg_dag_add(d, *zero, spectral[0]);
    *zero = fg_dag_add(d, *zero, sum);
  }
  fg_network_transpose(&t->net, d, spectral, y);
  add_rest(d, k, x, y);
}

/* A transform of a prime length is done by two of its convolutions' in a row, which round
 * as often: longer ones are better. 2^i and 3 2^i have the fewest operations a point; as long
 * as that operations times roundings are least (107, fused: 112 points without a rest 6544
 * operations, 96 5572, 80 5364, 64 5460; noise.h's roundings 4.54, 4.59, 4.92, 5.38). */
int fg_rader_points(int p) {
  enum { LEAST_PRIME = 13 }; /* of convolutions that are not short anyway */
  int m = (p - 1) / 2, points = 2;
  if (m < LEAST_PRIME || !fg_algo_is_prime(m)) return m;
  while (2 * points <= p + 1) points *= 2;
  return points / 2 * 3 <= p + 1 ? points / 2 * 3 : points;
}

typedef struct convolutions { /* of length m, or of more points with zeros */
  real_transform even, odd;   /* of what is met by cosines, and by sines */
  int points, count;          /* of each transform, and of the constants that they meet */
} convolutions;

static convolutions short_ones(fg_dag *d, int m) {
  convolutions c = {.points = m, .count = m};
  periodic(d, m, m, &c.even);
  antiperiodic(d, m, &c.odd);
  c.even.net = fg_simplify(&c.even.net), c.odd.net = fg_simplify(&c.odd.net);
  return c;
}

static convolutions long_ones(fg_dag *d, int m, int points) {
  convolutions c = {.points = points, .count = 2 * m - 1};
  periodic(d, m, points, &c.even);
  c.even.net = fg_simplify(&c.even.net);
  c.odd = c.even;
  return c;
}

bool fg_rader_applies(int n) { return n >= 5 && fg_algo_is_prime(n); }

void fg_rader_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  fg_arena *arena = d->cx->arena;
  int p = dft.n, m = (p - 1) / 2, g = fg_algo_generator(p);
  fg_edge *part[4], *sum[4]; /* s.re, s.im, d.re, d.im */
  for (int i = 0; i < 4; i++) part[i] = fg_arena_new(arena, fg_edge, m), sum[i] = fg_arena_new(arena, fg_edge, m);
  int points = fg_rader_points(p);
  convolutions c = points == m ? short_ones(d, m) : long_ones(d, m, points);
  kernel cosines = {fg_arena_new(arena, fg_const, c.count), c.count, c.points}, sines = cosines;
  sines.h = fg_arena_new(arena, fg_const, c.count);
  int *order = fg_arena_new(arena, int, m);
  for (int j = 0; j < m; j++) {
    order[j] = fg_algo_power(g, j, p);
    fg_cedge a = in[order[j]], b = in[p - order[j]], s = fg_dag_cadd(d, a, b), diff = fg_dag_csub(d, a, b);
    part[0][j] = s.re, part[1][j] = s.im, part[2][j] = diff.re, part[3][j] = diff.im;
  }
  for (int j = 0; j < c.count; j++) {
    fg_root w = fg_dag_root(d, fg_algo_power(g, j, p), p);
    cosines.h[j] = w.cos;
    sines.h[j] = w.sin;
  }
  out[0] = in[0];
  hankel(d, &c.even, &cosines, part[0], sum[0], &out[0].re);
  hankel(d, &c.even, &cosines, part[1], sum[1], &out[0].im);
  hankel(d, &c.odd, &sines, part[2], sum[2], NULL);
  hankel(d, &c.odd, &sines, part[3], sum[3], NULL);
  for (int j = 0; j < m; j++) {
    fg_cedge x = {sum[0][j], sum[1][j]}, y = fg_dag_mul_i((fg_cedge){sum[2][j], sum[3][j]}, dft.sign);
    out[order[j]] = fg_dag_cadd(d, x, y);
    out[p - order[j]] = fg_dag_csub(d, x, y);
  }
}

/* See roots.h. In: an order. Out: roots of unity, each within half a unit of its last bit but for a few in a
 * thousand.
 *
 * Root e of order N is root e mod B times root B floor(e / B): two tables of about sqrt(N) entries, each a sum of two
 * doubles; the product is made in such sums (Dekker, "A floating-point technique for extending the available
 * precision", 1971). So a table of any length costs a few dozen operations an entry and no function of libm; long ones
 * fewer, by vectors. */
#include "fftw/line/roots.h"
#include "fftw/base/memory.h"
#include <math.h>
#include <stdbool.h>

typedef struct part { /* high + low; high is first + second, of 26 bits each */
  double high, low, first, second;
} part;

typedef struct exact {
  part re, im;
} exact;

struct fg_roots {
  int64_t order;
  int shift;  /* B = 2^shift */
  exact *far; /* behind `near`, in one piece of memory */
  exact near[];
};

static part part_of(long double x) {
  part p = {.high = (double)x};
  p.low = (double)(x - p.high);
  double scaled = p.high * 134217729.0; /* 2^27 + 1 */
  p.first = scaled - (scaled - p.high);
  p.second = p.high - p.first;
  return p;
}

/* The angle is brought below an eighth of a circle first, where sine and cosine lose nothing. */
static exact root(int64_t e, int64_t order) {
  static const long double circle = 6.283185307179586476925286766559005768L;
  int64_t quarter = (8 * e / order + 1) / 2, away = 4 * e - quarter * order; /* at most order / 2 */
  long double angle = circle * ((long double)away / (4.0L * (long double)order)), c = cosl(angle), s = sinl(angle), t;
  for (int i = 0; i < (int)(quarter % 4); i++) t = c, c = -s, s = t;
  return (exact){part_of(c), part_of(-s)};
}

fg_roots *fg_roots_create(int64_t order) {
  int shift = 0;
  while (((int64_t)1 << (2 * shift)) < order) shift++;
  int64_t near = (int64_t)1 << shift, far = (order >> shift) + 1;
  fg_roots *r = fg_memory_get(sizeof *r + sizeof(exact) * (size_t)(near + far));
  if (!r) return NULL;
  r->order = order, r->shift = shift, r->far = r->near + near;
  for (int64_t i = 0; i < near && i < order; i++) r->near[i] = root(i, order);
  for (int64_t i = 0; i < far && i << shift < order; i++) r->far[i] = root(i << shift, order);
  return r;
}

void fg_roots_destroy(fg_roots *r) { fg_memory_free(r); }

/* a b - c d or a b + c d in double-double, rounded. */
static inline double products(const part *a, const part *b, const part *c, const part *d, double sign) {
  double p = a->high * b->high, q = sign * c->high * d->high, sum = p + q, by = sum - p;
  double p_low = ((a->first * b->first - p) + a->first * b->second + a->second * b->first) + a->second * b->second;
  double q_low =
      sign * (((c->first * d->first - sign * q) + c->first * d->second + c->second * d->first) + c->second * d->second);
  double rest = (p - (sum - by)) + (q - by);
  double cross = a->high * b->low + a->low * b->high + sign * (c->high * d->low + c->low * d->high);
  return sum + (rest + (p_low + q_low + cross));
}

fg_complex fg_roots_value(const fg_roots *r, int64_t e, fg_direction direction) {
  const exact *a = &r->near[e & (((int64_t)1 << r->shift) - 1)], *b = &r->far[e >> r->shift];
  double re, im;
  if (FG_FFTW_SINGLE) {
    re = a->re.high * b->re.high - a->im.high * b->im.high;
    im = a->re.high * b->im.high + a->im.high * b->re.high;
  } else {
    re = products(&a->re, &b->re, &a->im, &b->im, -1);
    im = products(&a->re, &b->im, &a->im, &b->re, 1);
  }
  return (fg_complex){(fg_real)re, (fg_real)(direction == FG_FORWARD ? im : -im)};
}

/* ---- progressions ---------------------------------------------------------------------- */

/* Root first + i step is one of NEAR times one of every NEAR-th: vectors are contiguous, and products are exact by
 * fused ones. */
enum { NEAR = 64, FEW = 2 * NEAR /* roots, up to which tables cost more */ };

typedef struct progression { /* roots 0, step, 2 step ... as sums of two doubles */
  double re[NEAR], im[NEAR], re_low[NEAR], im_low[NEAR];
} progression;

static void set_exact(progression *p, int i, const fg_roots *r, int64_t e) {
  const exact *a = &r->near[e & (((int64_t)1 << r->shift) - 1)], *b = &r->far[e >> r->shift];
  long double a_re = (long double)a->re.high + a->re.low, a_im = (long double)a->im.high + a->im.low;
  long double b_re = (long double)b->re.high + b->re.low, b_im = (long double)b->im.high + b->im.low;
  long double re = a_re * b_re - a_im * b_im, im = a_re * b_im + a_im * b_re;
  p->re[i] = (double)re, p->im[i] = (double)im;
  p->re_low[i] = (double)(re - p->re[i]), p->im_low[i] = (double)(im - p->im[i]);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FUSED __attribute__((target("avx2,fma")))
static bool has_fused(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#elif defined(__aarch64__)
#define FUSED
static bool has_fused(void) { return true; }
#else
#define FUSED
static bool has_fused(void) { return false; }
#endif
#ifdef __clang__
#define AS_WRITTEN _Pragma("clang fp contract(off)")
#define VECTORS
#else
#define AS_WRITTEN
#define VECTORS __attribute__((optimize("O3", "fp-contract=off"))) /* sums are not to swallow products */
#endif

/* Of some of p, times root `at` of q. */
FUSED VECTORS static void multiply(const progression *p, const progression *q, int at, double sign, fg_complex *out,
                                   int64_t count) {
  AS_WRITTEN
  const double c = q->re[at], s = q->im[at], c_low = q->re_low[at], s_low = q->im_low[at];
  for (int64_t i = 0; i < count; i++) {
    double a = p->re[i], b = p->im[i];
    double ac = a * c, bs = b * s, as = a * s, bc = b * c;
    double re = ac - bs, im = as + bc;
    if (!FG_FFTW_SINGLE) {
      double re_by = re - ac, im_by = im - as;
      double re_rest = (ac - (re - re_by)) + (-bs - re_by), im_rest = (as - (im - im_by)) + (bc - im_by);
      double re_low = __builtin_fma(a, c, -ac) - __builtin_fma(b, s, -bs);
      double im_low = __builtin_fma(a, s, -as) + __builtin_fma(b, c, -bc);
      double re_cross = a * c_low + p->re_low[i] * c - (b * s_low + p->im_low[i] * s);
      double im_cross = a * s_low + p->re_low[i] * s + (b * c_low + p->im_low[i] * c);
      re += re_rest + (re_low + re_cross), im += im_rest + (im_low + im_cross);
    }
    out[i] = (fg_complex){(fg_real)re, (fg_real)(sign * im)};
  }
}

void fg_roots_run(const fg_roots *r, int64_t first, int64_t step, int64_t count, fg_direction direction,
                  fg_complex *out) {
  if (count <= FEW || !has_fused()) {
    for (int64_t i = 0; i < count; i++) out[i] = fg_roots_value(r, first + i * step, direction);
    return;
  }
  progression p, q;
  for (int i = 0; i < NEAR; i++) set_exact(&p, i, r, i * step);
  for (int64_t i = 0; i < count; i += NEAR) {
    set_exact(&q, 0, r, first + i * step);
    multiply(&p, &q, 0, direction == FG_FORWARD ? 1 : -1, out + i, count - i < NEAR ? count - i : NEAR);
  }
}

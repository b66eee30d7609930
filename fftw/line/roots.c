/* See roots.h. In: an order. Out: roots of unity, each within half a unit of its last bit but for a few in a
 * thousand.
 *
 * Root e of order N is root e mod B times root B floor(e / B): two tables of about sqrt(N) entries, each a sum of two
 * doubles; the product is made in such sums (Dekker, "A floating-point technique for extending the available
 * precision", 1971). So a table of any length costs a few dozen operations an entry and no function of libm. */
#include "fftw/line/roots.h"
#include "fftw/base/memory.h"
#include <math.h>

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

/* The kernel that emitted ones are compared with, in plain C: mixed-radix Stockham (Van Loan, Computational Frameworks
 * for the Fast Fourier Transform, 1992, section 1.7), out of place between two arrays, twiddle factors from one table.
 * In: a length whose factors are found here. Out: the same sums as an emitted c2c kernel, forward.
 *
 * It is kept as it is: whoever makes it faster moves every number in floors.list. */
#include "reference.h"
#include <math.h>
#include <stdlib.h>

struct plan {
  int n, nfactor, factor[32];
  pair *root, *work; /* exp(-2 pi i k / n); n numbers */
};

plan *reference_create(int n) {
  plan *p = calloc(1, sizeof *p);
  p->n = n;
  for (int rest = n, r = 4; rest > 1;) {
    while (rest % r) r = r == 4 ? 2 : r == 2 ? 3 : r + 2;
    p->factor[p->nfactor++] = r;
    rest /= r;
  }
  p->root = malloc(sizeof *p->root * (size_t)n);
  p->work = malloc(sizeof *p->work * (size_t)n);
  for (int k = 0; k < n; k++) {
    double angle = -2 * 3.14159265358979323846 * k / n;
    p->root[k] = (pair){(real)cos(angle), (real)sin(angle)};
  }
  return p;
}

void reference_destroy(plan *p) {
  free(p->root);
  free(p->work);
  free(p);
}

static pair times(pair a, pair b) { return (pair){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static pair sum(pair a, pair b) { return (pair){a.re + b.re, a.im + b.im}; }
static pair difference(pair a, pair b) { return (pair){a.re - b.re, a.im - b.im}; }

/* One butterfly: x[m] are rotated by root^(step m) and transformed, and are stored to out, `apart` numbers from each
 * other. step m < n. */
static void butterfly(const plan *p, int r, pair *x, int step, pair *out, int apart) {
  for (int m = 1; step && m < r; m++) x[m] = times(x[m], p->root[step * m]);
  if (r == 2) {
    out[0] = sum(x[0], x[1]), out[apart] = difference(x[0], x[1]);
  } else if (r == 4) {
    pair a = sum(x[0], x[2]), b = difference(x[0], x[2]), c = sum(x[1], x[3]), d = difference(x[1], x[3]);
    out[0] = sum(a, c), out[2 * apart] = difference(a, c);
    out[apart] = (pair){b.re + d.im, b.im - d.re}, out[3 * apart] = (pair){b.re - d.im, b.im + d.re};
  } else {
    for (int j = 0; j < r; j++) {
      pair s = x[0];
      for (int m = 1, at = j; m < r; m++, at = at + j < r ? at + j : at + j - r)
        s = sum(s, times(x[m], p->root[p->n / r * at]));
      out[j * apart] = s;
    }
  }
}

enum { MOST_RADIX = 2048 };

/* Of `before` transforms that are done already, r at a time become one. */
static void pass(const plan *p, int r, int before, const pair *in, pair *out) {
  int blocks = p->n / (r * before), step = p->n / (r * before);
  pair x[MOST_RADIX];
  for (int k = 0; k < before; k++)
    for (int b = 0; b < blocks; b++) {
      for (int m = 0; m < r; m++) x[m] = in[k * blocks * r + m * blocks + b];
      butterfly(p, r, x, step * k, out + k * blocks + b, before * blocks);
    }
}

void reference_execute(const plan *p, const pair *in, pair *out) {
  int before = 1;
  for (int f = 0; f < p->nfactor; f++) {
    /* The last pass ends in out. */
    pair *to = (p->nfactor - f) % 2 ? out : p->work;
    pass(p, p->factor[f], before, in, to);
    in = to;
    before *= p->factor[f];
  }
}

/* See pointwise.h. Vectors of 32 bytes as GCC and Clang have them, for AVX2 where the CPU has it: the loader chooses.
 */
#include "fftw/line/pointwise.h"
#include "fftw/base/clones.h"
#include "fftw/base/vector.h"
#include "fftw/line/method.h"

FG_VECTOR(vector, 32);
enum { PAIRS = sizeof(vector) / sizeof(fg_complex), LANES = 2 * PAIRS };

#if FG_FFTW_SINGLE
#define REVERSED(a) FG_SHUFFLE(a, a, 6, 7, 4, 5, 2, 3, 0, 1)
#define SWAPPED(a) FG_SHUFFLE(a, a, 1, 0, 3, 2, 5, 4, 7, 6)
#define TURNED(a) FG_SHUFFLE(a, a, 7, 6, 5, 4, 3, 2, 1, 0)
#define REALS(a) FG_SHUFFLE(a, a, 0, 0, 2, 2, 4, 4, 6, 6)
#define IMAGINARIES(a) FG_SHUFFLE(a, a, 1, 1, 3, 3, 5, 5, 7, 7)
#define EACH(re, im) ((vector){re, im, re, im, re, im, re, im})
#define LOW(a, b) FG_SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) FG_SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define EVEN(a, b) FG_SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD(a, b) FG_SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#else
#define REVERSED(a) FG_SHUFFLE(a, a, 2, 3, 0, 1)
#define SWAPPED(a) FG_SHUFFLE(a, a, 1, 0, 3, 2)
#define TURNED(a) FG_SHUFFLE(a, a, 3, 2, 1, 0)
#define REALS(a) FG_SHUFFLE(a, a, 0, 0, 2, 2)
#define IMAGINARIES(a) FG_SHUFFLE(a, a, 1, 1, 3, 3)
#define EACH(re, im) ((vector){re, im, re, im})
#define LOW(a, b) FG_SHUFFLE(a, b, 0, 4, 1, 5)
#define HIGH(a, b) FG_SHUFFLE(a, b, 2, 6, 3, 7)
#define EVEN(a, b) FG_SHUFFLE(a, b, 0, 2, 4, 6)
#define ODD(a, b) FG_SHUFFLE(a, b, 1, 3, 5, 7)
#endif
#define TIMES(a, b) ((a)*REALS(b) + SWAPPED(a) * (IMAGINARIES(b) * EACH(-1, 1)))

CLONES void fg_pointwise_products(const fg_complex *a, const fg_complex *b, fg_complex *out, int64_t n) {
  int64_t k = 0;
  for (; k + PAIRS <= n; k += PAIRS) {
    vector x = *(const vector *)(a + k), y = *(const vector *)(b + k);
    *(vector *)(out + k) = TIMES(x, y);
  }
  for (; k < n; k++) out[k] = fg_complex_times(a[k], b[k]);
}

CLONES void fg_pointwise_unfold(const fg_complex *z, const fg_complex *factor, fg_real half, fg_complex *x, int64_t h) {
  int64_t k = 1;
  const vector conjugate = EACH(1, -1);
  for (; 2 * (k + PAIRS - 1) < h; k += PAIRS) {
    int64_t far = h - k - PAIRS + 1;
    vector a = *(const vector *)(z + k), upper = *(const vector *)(z + far), w = *(const vector *)(factor + k);
    vector b = REVERSED(upper) * conjugate, s = (a + b) * half, d = a - b;
    vector t = d * REALS(w), u = SWAPPED(d),
           v = IMAGINARIES(w) * EACH(-1, 1); /* s -+ t -+ u v: two roundings with FMA */
    vector last = (s + t + u * v) * conjugate;
    *(vector *)(x + k) = s - t - u * v;
    *(vector *)(x + far) = REVERSED(last);
  }
  for (; 2 * k <= h; k++) {
    fg_complex a = z[k], b = z[h - k], s = {half * (a.re + b.re), half * (a.im - b.im)};
    fg_complex t = fg_complex_times((fg_complex){a.re - b.re, a.im + b.im}, factor[k]);
    x[k] = (fg_complex){s.re - t.re, s.im - t.im};
    x[h - k] = (fg_complex){s.re + t.re, -s.im - t.im};
  }
}

/* Near the middle some elements may be computed twice, and what is its own conjugate is stored last. */
CLONES void fg_pointwise_apart(const fg_complex *z, fg_complex *a, fg_complex *b, int64_t n) {
  int64_t k = 1, middle = n / 2;
  const vector half = EACH((fg_real)0.5, (fg_real)0.5), conjugate = EACH(1, -1);
  a[0] = (fg_complex){z[0].re, 0};
  b[0] = (fg_complex){z[0].im, 0};
  for (int64_t at = 1; middle >= PAIRS && at <= middle; at += PAIRS) {
    k = at + PAIRS - 1 <= middle ? at : middle - PAIRS + 1;
    int64_t far = n - k - PAIRS + 1;
    vector u = *(const vector *)(z + k), upper = *(const vector *)(z + far), v = REVERSED(upper) * conjugate;
    vector s = (u + v) * half, d = (v - u) * half, turned = SWAPPED(d), back = s * conjugate,
           front = turned * EACH(-1, -1);
    *(vector *)(a + far) = REVERSED(back);
    *(vector *)(b + far) = REVERSED(front);
    *(vector *)(a + k) = s;
    *(vector *)(b + k) = turned * EACH(-1, 1);
  }
  for (; middle < PAIRS && k <= middle; k++) {
    fg_complex u = z[k], v = z[n - k];
    fg_complex s = {(fg_real)0.5 * (u.re + v.re), (fg_real)0.5 * (u.im - v.im)};
    fg_complex t = {(fg_real)0.5 * (u.im + v.im), (fg_real)0.5 * (v.re - u.re)};
    a[n - k] = (fg_complex){s.re, -s.im}, b[n - k] = (fg_complex){t.re, -t.im};
    a[k] = s, b[k] = t;
  }
}

CLONES void fg_pointwise_from_reals(const fg_real *in, fg_complex *out, int64_t n) {
  int64_t k = 0;
  const vector zero = EACH(0, 0);
  for (; k + LANES <= n; k += LANES) {
    vector a = *(const vector *)(in + k);
    *(vector *)(out + k) = LOW(a, zero);
    *(vector *)(out + k + PAIRS) = HIGH(a, zero);
  }
  for (; k < n; k++) out[k] = (fg_complex){in[k], 0};
}

CLONES void fg_pointwise_reals(const fg_complex *in, fg_real *out, int64_t n) {
  int64_t k = 0;
  for (; k + LANES <= n; k += LANES) {
    vector a = *(const vector *)(in + k), b = *(const vector *)(in + k + PAIRS);
    *(vector *)(out + k) = EVEN(a, b);
  }
  for (; k < n; k++) out[k] = in[k].re;
}

CLONES void fg_pointwise_mirror(const fg_complex *in, fg_complex *end, int64_t n) {
  int64_t k = 1;
  const vector conjugate = EACH(1, -1);
  for (; k + PAIRS <= n + 1; k += PAIRS) {
    vector a = *(const vector *)(in + k) * conjugate;
    *(vector *)(end - k - PAIRS + 1) = REVERSED(a);
  }
  for (; k <= n; k++) end[-k] = (fg_complex){in[k].re, -in[k].im};
}

CLONES void fg_pointwise_to_halfcomplex(const fg_complex *in, fg_real *out, int64_t n, bool hartley) {
  int64_t k = 1;
  out[0] = in[0].re;
  for (; 2 * (k + LANES - 1) < n; k += LANES) {
    vector a = *(const vector *)(in + k), b = *(const vector *)(in + k + PAIRS), re = EVEN(a, b), im = ODD(a, b),
           last = im;
    if (hartley) last = re + im, re = re - im;
    *(vector *)(out + k) = re;
    *(vector *)(out + n - k - LANES + 1) = TURNED(last);
  }
  for (; 2 * k < n; k++) {
    out[k] = hartley ? in[k].re - in[k].im : in[k].re;
    out[n - k] = hartley ? in[k].re + in[k].im : in[k].im;
  }
  if (2 * k == n) out[k] = in[k].re;
}

CLONES void fg_pointwise_from_halfcomplex(const fg_real *in, fg_complex *out, int64_t n) {
  int64_t k = 1;
  out[0] = (fg_complex){in[0], 0};
  for (; 2 * (k + LANES - 1) < n; k += LANES) {
    vector re = *(const vector *)(in + k), last = *(const vector *)(in + n - k - LANES + 1), im = TURNED(last);
    *(vector *)(out + k) = LOW(re, im);
    *(vector *)(out + k + PAIRS) = HIGH(re, im);
  }
  for (; 2 * k < n; k++) out[k] = (fg_complex){in[k], in[n - k]};
  if (2 * k == n) out[k] = (fg_complex){in[k], 0};
}

CLONES void fg_pointwise_interleave(const fg_real *re, const fg_real *im, fg_real *pairs, int64_t n) {
  int64_t k = 0;
  for (; k + 2 * PAIRS <= n; k += 2 * PAIRS) {
    vector a = *(const vector *)(re + k), b = *(const vector *)(im + k);
    *(vector *)(pairs + 2 * k) = LOW(a, b);
    *(vector *)(pairs + 2 * k + 2 * PAIRS) = HIGH(a, b);
  }
  for (; k < n; k++) pairs[2 * k] = re[k], pairs[2 * k + 1] = im[k];
}

CLONES void fg_pointwise_separate(const fg_real *pairs, fg_real *re, fg_real *im, int64_t n) {
  int64_t k = 0;
  for (; k + 2 * PAIRS <= n; k += 2 * PAIRS) {
    vector a = *(const vector *)(pairs + 2 * k), b = *(const vector *)(pairs + 2 * k + 2 * PAIRS);
    *(vector *)(re + k) = EVEN(a, b);
    *(vector *)(im + k) = ODD(a, b);
  }
  for (; k < n; k++) re[k] = pairs[2 * k], im[k] = pairs[2 * k + 1];
}

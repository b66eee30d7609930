/* See pointwise.h. Vectors of 32 bytes as GCC and Clang have them, for AVX2 where the CPU has it: the loader chooses.
 */
#include "fftw/line/pointwise.h"
#include "fftw/line/method.h"

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define CLONES
#endif
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors that functions here pass to each other */

typedef fg_real vector __attribute__((vector_size(32), aligned(sizeof(fg_real)), may_alias));
enum { PAIRS = sizeof(vector) / sizeof(fg_complex) };

#if FG_FFTW_SINGLE
#define REVERSED(a) __builtin_shufflevector(a, a, 6, 7, 4, 5, 2, 3, 0, 1)
#define SWAPPED(a) __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6)
#define REALS(a) __builtin_shufflevector(a, a, 0, 0, 2, 2, 4, 4, 6, 6)
#define IMAGINARIES(a) __builtin_shufflevector(a, a, 1, 1, 3, 3, 5, 5, 7, 7)
#define EACH(re, im) ((vector){re, im, re, im, re, im, re, im})
#else
#define REVERSED(a) __builtin_shufflevector(a, a, 2, 3, 0, 1)
#define SWAPPED(a) __builtin_shufflevector(a, a, 1, 0, 3, 2)
#define REALS(a) __builtin_shufflevector(a, a, 0, 0, 2, 2)
#define IMAGINARIES(a) __builtin_shufflevector(a, a, 1, 1, 3, 3)
#define EACH(re, im) ((vector){re, im, re, im})
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
    vector b = REVERSED(upper) * conjugate, s = (a + b) * half, d = a - b, t = TIMES(d, w), last = (s + t) * conjugate;
    *(vector *)(x + k) = s - t;
    *(vector *)(x + far) = REVERSED(last);
  }
  for (; 2 * k <= h; k++) {
    fg_complex a = z[k], b = z[h - k], s = {half * (a.re + b.re), half * (a.im - b.im)};
    fg_complex t = fg_complex_times((fg_complex){a.re - b.re, a.im + b.im}, factor[k]);
    x[k] = (fg_complex){s.re - t.re, s.im - t.im};
    x[h - k] = (fg_complex){s.re + t.re, -s.im - t.im};
  }
}

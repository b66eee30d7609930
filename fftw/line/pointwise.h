/* Loops over complex numbers beside transforms: products, and what real lines do to their halves. */
#ifndef FG_FFTW_LINE_POINTWISE_H
#define FG_FFTW_LINE_POINTWISE_H
#include "fftw/base/real.h"
#include <string.h>

/* out[k] = a[k] b[k]; out may be a. */
void fg_pointwise_products(const fg_complex *a, const fg_complex *b, fg_complex *out, int64_t n);

/* For 0 < k < h, with s = half (z[k] + conj z[h-k]) and t = factor[k] (z[k] - conj z[h-k]):
 * x[k] = s - t, x[h-k] = conj (s + t); factor has h/2 + 1 numbers. */
void fg_pointwise_unfold(const fg_complex *z, const fg_complex *factor, fg_real half, fg_complex *x, int64_t h);

/* The same with half 1/2 and h >= 8, and x[2h-k] = conj x[k], x[h+k] = conj x[h-k]. */
void fg_pointwise_unfold_whole(const fg_complex *z, const fg_complex *factor, fg_complex *x, int64_t h);
/* The spectra of two arrays of reals, n complex numbers each, from that of the first and i times the second. */
void fg_pointwise_apart(const fg_complex *z, fg_complex *a, fg_complex *b, int64_t n);

/* Reals as complex numbers, and real parts. */
void fg_pointwise_from_reals(const fg_real *in, fg_complex *out, int64_t n);
void fg_pointwise_reals(const fg_complex *in, fg_real *out, int64_t n);
/* end[-k] = conj in[k], 0 < k <= n. */
void fg_pointwise_mirror(const fg_complex *in, fg_complex *end, int64_t n);
/* n/2 + 1 complex numbers in halfcomplex order, or each real part less and more the imaginary one; and back. */
void fg_pointwise_to_halfcomplex(const fg_complex *in, fg_real *out, int64_t n, bool hartley);
void fg_pointwise_from_halfcomplex(const fg_real *in, fg_complex *out, int64_t n);

/* What a codelet just stored, from memory on the stack. A few numbers are copied one by one, as they were stored: a
 * load of what several stores wrote waits until these are in the cache. */
static inline void fg_pointwise_store_again(fg_real *out, const fg_real *results, size_t numbers) {
  enum { FEW = 48 };
  if (numbers > FEW) {
    memcpy(out, results, sizeof *out * numbers);
    return;
  }
  for (size_t j = 0; j < numbers; j++) {
    out[j] = results[j];
    __asm__ volatile("" ::: "memory"); /* else the compiler makes vectors of it */
  }
}

/* Between arrays of the parts and complex numbers. */
void fg_pointwise_interleave(const fg_real *re, const fg_real *im, fg_real *pairs, int64_t n);
void fg_pointwise_separate(const fg_real *pairs, fg_real *re, fg_real *im, int64_t n);
#endif

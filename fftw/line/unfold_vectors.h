/* fg_pointwise_unfold_whole by vectors of BYTES bytes, whose names are OF(...); see unfold.c, which includes this file
 * for each width. */
#include "fftw/base/clones.h"
#include "fftw/base/vector.h"

#ifdef BYTES /* not where this file is read alone */
FG_VECTOR(OF(vector), BYTES);
FG_VECTOR_BITS(OF(bits), BYTES);
#define VECTOR OF(vector)
#define PAIRS ((int64_t)(BYTES / sizeof(fg_complex)))

#if BYTES / (8 - 4 * FG_FFTW_SINGLE) == 16
#define EACH(re, im) ((VECTOR){re, im, re, im, re, im, re, im, re, im, re, im, re, im, re, im})
#define REVERSED(a) FG_SHUFFLE(a, a, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1)
#define SWAPPED(a) FG_SHUFFLE(a, a, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#define REALS(a) FG_SHUFFLE(a, a, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14)
#define IMAGINARIES(a) FG_SHUFFLE(a, a, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15)
#define BEHIND(a, b) FG_SHUFFLE(a, b, 0, 1, 30, 31, 28, 29, 26, 27, 24, 25, 22, 23, 20, 21, 18, 19)
#elif BYTES / (8 - 4 * FG_FFTW_SINGLE) == 8
#define EACH(re, im) ((VECTOR){re, im, re, im, re, im, re, im})
#define REVERSED(a) FG_SHUFFLE(a, a, 6, 7, 4, 5, 2, 3, 0, 1)
#define SWAPPED(a) FG_SHUFFLE(a, a, 1, 0, 3, 2, 5, 4, 7, 6)
#define REALS(a) FG_SHUFFLE(a, a, 0, 0, 2, 2, 4, 4, 6, 6)
#define IMAGINARIES(a) FG_SHUFFLE(a, a, 1, 1, 3, 3, 5, 5, 7, 7)
#define BEHIND(a, b) FG_SHUFFLE(a, b, 0, 1, 14, 15, 12, 13, 10, 11)
#else
#define EACH(re, im) ((VECTOR){re, im, re, im})
#define REVERSED(a) FG_SHUFFLE(a, a, 2, 3, 0, 1)
#define SWAPPED(a) FG_SHUFFLE(a, a, 1, 0, 3, 2)
#define REALS(a) FG_SHUFFLE(a, a, 0, 0, 2, 2)
#define IMAGINARIES(a) FG_SHUFFLE(a, a, 1, 1, 3, 3)
#define BEHIND(a, b) FG_SHUFFLE(a, b, 0, 1, 6, 7)
#endif
#define CONJUGATED(a) FG_SIGNED(VECTOR, OF(bits), a, EACH(1, -1))

typedef struct OF(both) { /* results k and h + k, PAIRS of each, and the conjugates */
  VECTOR first, last, back, front;
} OF(both);

INLINED ATTRIBUTES OF(both) OF(unfold)(const fg_complex *z, const fg_complex *factor, int64_t h, int64_t k) {
  const VECTOR half = EACH((fg_real)0.5, (fg_real)0.5);
  VECTOR a = *(const VECTOR *)(z + k), upper = *(const VECTOR *)(z + h - k - PAIRS + 1);
  VECTOR w = *(const VECTOR *)(factor + k), turned = REVERSED(upper), b = CONJUGATED(turned), s = a + b, d = a - b;
  VECTOR swapped = SWAPPED(d), imaginaries = IMAGINARIES(w);
  VECTOR t = d * REALS(w) + swapped * FG_SIGNED(VECTOR, OF(bits), imaginaries, EACH(-1, 1));
  VECTOR first = s * half - t, last = s * half + t;
  OF(both) y = {first, last, CONJUGATED(first), CONJUGATED(last)};
  return y;
}

/* Block k; element h / 2, which is its own image, has the conjugate of what element 3 h / 2 has. */
INLINED ATTRIBUTES void OF(store)(const OF(both) * y, fg_complex *x, int64_t h, int64_t k) {
  *(VECTOR *)(x + 2 * h - k - PAIRS + 1) = REVERSED(y->back);
  *(VECTOR *)(x + h + k) = y->last;
  *(VECTOR *)(x + k) = y->first;
  *(VECTOR *)(x + h - k - PAIRS + 1) = REVERSED(y->front);
}

/* The same of many from k on, where x + k is aligned: mirror images are put together of two vectors, one result later,
 * so that they are, too. A store across lines of the cache takes the time of two. Returns the next k. */
INLINED ATTRIBUTES int64_t OF(several)(const fg_complex *z, const fg_complex *factor, fg_complex *x, int64_t h,
                                       int64_t k) {
  OF(both) y = OF(unfold)(z, factor, h, k);
  *(VECTOR *)(x + k) = y.first, *(VECTOR *)(x + h + k) = y.last;
  for (k += PAIRS; k + PAIRS - 1 <= h / 2; k += PAIRS) {
    VECTOR back = y.back, front = y.front;
    y = OF(unfold)(z, factor, h, k);
    *(VECTOR *)(x + k) = y.first;
    *(VECTOR *)(x + h + k) = y.last;
    *(VECTOR *)(x + h - k) = BEHIND(y.front, front);
    *(VECTOR *)(x + 2 * h - k) = BEHIND(y.back, back);
  }
  OF(store)(&y, x, h, k - PAIRS);
  return k;
}

/* h / 2 >= PAIRS. Some results are computed twice. */
FUNCTION void OF(whole)(const fg_complex *z, const fg_complex *factor, fg_complex *x, int64_t h) {
  int64_t middle = h / 2, k = 1 + (int64_t)(-(uintptr_t)(x + 1) % sizeof(VECTOR) / sizeof *x);
  OF(both) first = OF(unfold)(z, factor, h, 1);
  OF(store)(&first, x, h, 1);
  if (k + PAIRS - 1 <= middle) k = OF(several)(z, factor, x, h, k);
  if (k > middle) return;
  OF(both) last = OF(unfold)(z, factor, h, middle - PAIRS + 1);
  OF(store)(&last, x, h, middle - PAIRS + 1);
}

#undef VECTOR
#undef PAIRS
#undef EACH
#undef REVERSED
#undef SWAPPED
#undef REALS
#undef IMAGINARIES
#undef BEHIND
#undef CONJUGATED
#endif

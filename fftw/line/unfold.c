/* See pointwise.h: the last loop of a transform of reals to all n complex numbers, by vectors of 32 bytes for every
 * CPU, compiled for AVX2, too, and by those of 64 where the CPU has AVX-512. */
#include "fftw/base/clones.h"
#include "fftw/base/vector.h"
#include "fftw/line/pointwise.h"

#define BYTES 32
#define OF(name) name##_32
#define ATTRIBUTES
#define FUNCTION CLONES static
#include "fftw/line/unfold_vectors.h"
#undef BYTES
#undef OF
#undef ATTRIBUTES
#undef FUNCTION

#define BYTES 64
#define OF(name) name##_64
#define ATTRIBUTES FG_WIDE
#define FUNCTION FG_WIDE static
#include "fftw/line/unfold_vectors.h"

enum { WIDE = 8 * 64 / sizeof(fg_complex) }; /* least h */

void fg_pointwise_unfold_whole(const fg_complex *z, const fg_complex *factor, fg_complex *x, int64_t h) {
  if (h >= WIDE && FG_HAS_WIDE)
    whole_64(z, factor, x, h);
  else
    whole_32(z, factor, x, h);
}

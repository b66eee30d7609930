/* The loop that ends a transform of reals to all n complex numbers, in float: the text of fftw/line's. */
#define FG_FFTW_REAL float
#define FG_FFTW_SINGLE 1
#define fg_pointwise_unfold_whole fg_unfold_whole_f32
#include "fftw/base/real.h"
static void fg_pointwise_unfold_whole(const fg_complex *z, const fg_complex *factor, fg_complex *x, int64_t h);
#include "fftw/line/unfold.c" /* NOLINT(bugprone-suspicious-include) */
#include "runtime/plan/halves.h"

void fg_unfold_f32(const void *z, const void *factor, void *x, int64_t h) { fg_unfold_whole_f32(z, factor, x, h); }

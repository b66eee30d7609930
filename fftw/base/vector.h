/* Vectors of 32 bytes, as GCC and Clang have them. The proof of plans (tests/fftw/field) brings its own. */
#ifndef FG_FFTW_BASE_VECTOR_H
#define FG_FFTW_BASE_VECTOR_H
#include "fftw/base/real.h"

#ifndef FG_VECTOR
#define FG_VECTOR(name) typedef fg_real name __attribute__((vector_size(32), aligned(sizeof(fg_real)), may_alias))
#define FG_SHUFFLE __builtin_shufflevector
#endif
#endif

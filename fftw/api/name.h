/* Names of this precision's functions and types, and its header. */
#ifndef FG_FFTW_API_NAME_H
#define FG_FFTW_API_NAME_H
#include "fftw/base/real.h"
#include "fftw/include/fftw3.h"

#if FG_FFTW_SINGLE
#define X(name) FFTW_MANGLE_FLOAT(name)
#else
#define X(name) FFTW_MANGLE_DOUBLE(name)
#endif

#define FG_PUBLIC __attribute__((visibility("default")))

typedef X(complex) fg_api_complex;
#endif

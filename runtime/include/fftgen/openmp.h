/* libfftgen-openmp: batches in parallel by OpenMP.
 *
 *   options.parallel_for = fftgen_openmp_for;   options.threads: parts, one a CPU by default */
#ifndef FFTGEN_OPENMP_H
#define FFTGEN_OPENMP_H
#include "fftgen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A fftgen_parallel_for; context is not used. */
FFTGEN_API void fftgen_openmp_for(void *context, int parts, fftgen_work work, void *data);

#ifdef __cplusplus
}
#endif
#endif

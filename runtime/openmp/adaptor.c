/* In: parts of an execution. Out: OpenMP's threads run them. A separate library, so that libfftgen needs no OpenMP. */
#include "runtime/include/fftgen/openmp.h"

void fftgen_openmp_for(void *context, int parts, fftgen_work work, void *data) {
  (void)context;
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < parts; i++) work(data, i);
}

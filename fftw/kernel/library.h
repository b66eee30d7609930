/* libfftgen, as far as it is called here. */
#ifndef FG_FFTW_KERNEL_LIBRARY_H
#define FG_FFTW_KERNEL_LIBRARY_H
#include "runtime/include/fftgen/fftgen.h"

typedef struct fg_kernel_library {
  fftgen_status (*create)(const char *problem, const fftgen_options *options, fftgen_plan **plan, fftgen_error *error);
  void (*destroy)(fftgen_plan *plan);
  fftgen_status (*execute)(const fftgen_plan *plan, const fftgen_arrays *arrays);
  fftgen_status (*execute_two)(const fftgen_plan *plan, const void *in, void *out); /* fftgen_execute_called */
  fftgen_status (*info)(const fftgen_plan *plan, fftgen_info *info);
  fftgen_status (*text)(const fftgen_problem *problem, char *text, size_t size, fftgen_error *error);
} fg_kernel_library;

/* NULL: it is not there, or of another version. The first call looks for it. */
const fg_kernel_library *fg_kernel_library_get(void);
void *fg_kernel_library_find(const char *name); /* another function of it; NULL: none */
#endif

/* A kernel against codelets, by the clock. */
#ifndef FG_FFTW_KERNEL_COMPARISON_H
#define FG_FFTW_KERNEL_COMPARISON_H
#include "fftw/kernel/library.h"
#include "fftw/sweep/transform.h"

/* Whether the plan is the faster one. False, too, where there is no memory to try it on. */
bool fg_kernel_is_faster(const fg_kernel_library *l, const fftgen_plan *plan, fg_transform *t, const fg_request *r);
/* On arrays of a request, or others with the same layout. */
void fg_kernel_execute(const fg_kernel_library *l, const fftgen_plan *plan, fg_array in, fg_array out);
#endif

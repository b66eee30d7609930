/* A request as libfftgen's text, which is what kernels are known by. */
#ifndef FG_FFTW_KERNEL_PROBLEM_H
#define FG_FFTW_KERNEL_PROBLEM_H
#include "fftw/kernel/library.h"
#include "fftw/sweep/transform.h"

/* text has FFTGEN_TEXT_SIZE bytes. False: libfftgen has no such problems. */
bool fg_kernel_text(const fg_kernel_library *l, const fg_request *r, char *text);
int64_t fg_kernel_points(const fg_request *r, bool all); /* of one transform, or of all together; at least 1 */
#endif

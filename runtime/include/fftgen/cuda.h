/* libfftgen on NVIDIA GPUs: plans of kernels that are enqueued on a stream. Problems, options, errors and sources of
 * kernels are as in fftgen.h. libcuda is loaded when the first plan is made; no CUDA header is needed. */
#ifndef FFTGEN_CUDA_H
#define FFTGEN_CUDA_H
#include "fftgen.h"

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st; /* CUstream and cudaStream_t are pointers to it */

typedef struct fftgen_cuda_plan fftgen_cuda_plan; /* never changes once created */

/* For the device of the current context, which must be current wherever the plan is used, and outlive it.
 * options.concurrency: number of the plan's workspaces (default: 1; below 0: none, each execution brings one), if its
 * kernels need any. *plan is NULL unless FFTGEN_OK. */
FFTGEN_API fftgen_status fftgen_cuda_plan_create(const char *problem, const fftgen_options *options,
                                                 fftgen_cuda_plan **plan, fftgen_error *error);
/* NULL allowed; all enqueued executions must have ended. */
FFTGEN_API void fftgen_cuda_plan_destroy(fftgen_cuda_plan *plan);

typedef struct fftgen_cuda_arrays { /* CUdeviceptr, or device pointers as numbers; aligned to an element of the array */
  unsigned long long in, in_im;     /* in_im: imaginary parts, where the input is split */
  unsigned long long out, out_im;   /* in place: the addresses of the input, or 0 */
  const long long *params;          /* run-time parameters, in the order of the problem's text */
  unsigned long long workspace;     /* info.scratch bytes, aligned to 256, that nothing else uses meanwhile; 0: the
                                     * plan's */
  const unsigned long long *given;  /* conv: the spectrum; then arrays that load= and store= take (mul, add, window), in
                                     * the order of the problem's text */
} fftgen_cuda_arrays;

/* Only enqueues, and may be captured into a graph: it allocates nothing, waits for nothing and takes no lock. Any
 * threads, any streams. Each of the plan's workspaces belongs to the first stream that uses it (of the per-thread
 * default stream: to the thread) for as long as the plan lives; FFTGEN_EBUSY: all of them belong to others. A graph
 * uses the workspace of the stream that it was captured from: launches of it that may overlap with one another, or with
 * that stream, need workspaces of their own. error: may be NULL. */
FFTGEN_API fftgen_status fftgen_cuda_execute(const fftgen_cuda_plan *plan, const fftgen_cuda_arrays *arrays,
                                             struct CUstream_st *stream, fftgen_error *error);
/* For convenience, on arrays of the host (fftgen_arrays.scratch is not used):
 * allocates, copies, executes, copies back, waits. */
FFTGEN_API fftgen_status fftgen_cuda_execute_host(const fftgen_cuda_plan *plan, const fftgen_arrays *arrays,
                                                  fftgen_error *error);

/* info.isa: the architecture, "sm_90". */
FFTGEN_API fftgen_status fftgen_cuda_plan_info(const fftgen_cuda_plan *plan, fftgen_info *info);

#ifdef __cplusplus
}
#endif
#endif

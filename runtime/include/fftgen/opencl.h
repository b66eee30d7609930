/* libfftgen on OpenCL devices: plans of kernels that are enqueued on a queue. Problems, options, errors and sources of
 * kernels are as in fftgen.h. libOpenCL is loaded when the first plan is made. */
#ifndef FFTGEN_OPENCL_H
#define FFTGEN_OPENCL_H
#include "fftgen.h"
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fftgen_opencl_plan fftgen_opencl_plan;

/* For the context and the device of this queue, which are retained. options.concurrency: number of the plan's
 * workspaces (default: 1), if its kernels need any. *plan is NULL unless FFTGEN_OK. */
FFTGEN_API fftgen_status fftgen_opencl_plan_create(const char *problem, const fftgen_options *options,
                                                   cl_command_queue queue, fftgen_opencl_plan **plan,
                                                   fftgen_error *error);
FFTGEN_API void fftgen_opencl_plan_destroy(fftgen_opencl_plan *plan); /* NULL allowed; enqueued executions continue */

typedef struct fftgen_opencl_arrays {
  cl_mem in, in_im;        /* in_im: imaginary parts, where the input is split */
  cl_mem out, out_im;      /* in place: the buffers of the input, or NULL */
  const long long *params; /* run-time parameters, in the order of the problem's text */
  cl_mem workspace;        /* info.scratch bytes that nothing else uses meanwhile; NULL: the plan's */
  const cl_mem *given; /* conv: the spectrum; then arrays that load= and store= take (mul, add, window), in the order of
                        * the problem's text */
} fftgen_opencl_arrays;

typedef struct fftgen_opencl_events { /* as in clEnqueue...; zero in a field: none */
  cl_uint count;
  const cl_event *wait; /* for these */
  cl_event *done;       /* of all that was enqueued; the caller releases it */
} fftgen_opencl_events;

/* Only enqueues, on any queue of the plan's context and device, in order or not.
 * Any threads: a plan is locked while it enqueues. Executions that share
 * one of the plan's workspaces wait for each other on the device. events, error:
 * may be NULL. */
FFTGEN_API fftgen_status fftgen_opencl_execute(fftgen_opencl_plan *plan, const fftgen_opencl_arrays *arrays,
                                               cl_command_queue queue, const fftgen_opencl_events *events,
                                               fftgen_error *error);
/* For convenience, on arrays of the host (fftgen_arrays.scratch is not used):
 * allocates, copies, executes, copies back, waits. */
FFTGEN_API fftgen_status fftgen_opencl_execute_host(fftgen_opencl_plan *plan, const fftgen_arrays *arrays,
                                                    cl_command_queue queue, fftgen_error *error);

FFTGEN_API fftgen_status fftgen_opencl_plan_info(const fftgen_opencl_plan *plan, fftgen_info *info);

#ifdef __cplusplus
}
#endif
#endif

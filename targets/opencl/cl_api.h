/* OpenCL without linking to it: the functions that are used, as pointers filled
 * from libOpenCL.so.1 when it is asked for. Types are the headers'. */
#ifndef FG_CL_API_H
#define FG_CL_API_H
#define CL_TARGET_OPENCL_VERSION 120
#include "targets/device.h"
#include <CL/cl.h>

/* clang-format off */
#define FG_CL_FUNCTIONS(F)                                                              \
  F(clGetPlatformIDs) F(clGetPlatformInfo) F(clGetDeviceIDs) F(clGetDeviceInfo)         \
  F(clCreateContext) F(clRetainContext) F(clReleaseContext)                             \
  F(clCreateCommandQueue) F(clRetainCommandQueue) F(clReleaseCommandQueue)              \
  F(clGetCommandQueueInfo)                                                              \
  F(clCreateProgramWithSource) F(clCreateProgramWithBinary) F(clBuildProgram)           \
  F(clGetProgramInfo) F(clGetProgramBuildInfo) F(clReleaseProgram)                      \
  F(clCreateKernel) F(clSetKernelArg) F(clReleaseKernel) F(clGetKernelWorkGroupInfo)    \
  F(clCreateBuffer) F(clCreateSubBuffer) F(clGetMemObjectInfo) F(clReleaseMemObject)    \
  F(clEnqueueWriteBuffer) F(clEnqueueReadBuffer) F(clEnqueueNDRangeKernel)              \
  F(clEnqueueMarkerWithWaitList) F(clGetEventProfilingInfo) F(clRetainEvent)            \
  F(clReleaseEvent) F(clFinish)
/* clang-format on */

typedef struct fg_cl_api {
#define F(name) __typeof__(&name) name;
  FG_CL_FUNCTIONS(F)
#undef F
} fg_cl_api;

/* The functions, loaded once per process; NULL and the reason when they are not there. */
const fg_cl_api *fg_cl_load(char why[FG_WHY_SIZE]);
const char *fg_cl_error(cl_int status); /* "CL_OUT_OF_RESOURCES" */
#endif

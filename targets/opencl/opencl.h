/* The opencl device beyond the common table: the context and queue that it works in. */
#ifndef FG_OPENCL_H
#define FG_OPENCL_H
#include "targets/opencl/cl_api.h"

typedef struct fg_opencl_selection { /* the device in use */
  const fg_cl_api *cl;
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
} fg_opencl_selection;

/* The chosen device, or the first, with references of the caller's own. */
int fg_opencl_acquire(fg_opencl_selection *out, char why[FG_WHY_SIZE]);
void fg_opencl_release(fg_opencl_selection *s);

#endif

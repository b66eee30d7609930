/* What an OpenCL device offers. */
#ifndef FG_CL_FACTS_H
#define FG_CL_FACTS_H
#include "targets/opencl/cl_api.h"

void fg_cl_facts(const fg_cl_api *cl, cl_device_id device, fg_device_facts *facts);
#endif

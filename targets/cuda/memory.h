/* Memory of the GPU that the device "cuda" is, beyond the life of any module: in its primary context, which modules
 * share. */
#ifndef FG_CUDA_MEMORY_H
#define FG_CUDA_MEMORY_H
#include "targets/cuda/driver_api.h"

extern const fg_resident_memory fg_cuda_memory;

/* device.c: the GPU that was chosen. */
int fg_cuda_device(const fg_cu_api *cu, int *device, char why[FG_WHY_SIZE]);
#endif

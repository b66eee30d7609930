/* The cuda device beyond the common table: execution on existing device memory. */
#ifndef FG_CUDA_H
#define FG_CUDA_H
#include "targets/device.h"

extern const fg_device fg_device_cuda;

/* Enqueues one execution on a CUstream of the device's primary context, which is
 * current; place: device pointers of IN and OUT. Allocates nothing: it may be
 * captured into a graph. */
int fg_cuda_enqueue(const fg_module *m, void *const *slot, const int64_t *params, void *stream, char why[FG_WHY_SIZE]);
#endif

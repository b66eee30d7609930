/* The limit of memory: the time in which a device copies as many bytes as a transform has to read and write at
 * least. */
#ifndef FG_COPY_H
#define FG_COPY_H
#include "targets/device.h"

/* Nanoseconds for copying `bytes` from one array to another on d. 0, or nonzero
 * with a reason. */
int fg_copy_measure(const fg_device *d, size_t bytes, double seconds, double *ns, char why[FG_WHY_SIZE]);
#endif

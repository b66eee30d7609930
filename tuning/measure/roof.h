/* The roofline of a device: operations a nanosecond in registers, bytes a nanosecond from and to each cache
 * (Williams, Waterman, Patterson, "Roofline", 2009). */
#ifndef FG_ROOF_H
#define FG_ROOF_H
#include "generator/problem/problem.h"
#include "targets/device.h"

enum { FG_ROOF_LEVELS = 4 };

typedef struct fg_roof {
  double flops;                 /* a nanosecond, a fused operation is two; 0: not known */
  double bytes[FG_ROOF_LEVELS]; /* a nanosecond, read and written, from each cache, then memory; 0: not known */
} fg_roof;

/* Measured in about half a second. isa: NULL: the device has no lanes to choose.
 * What cannot be measured here stays 0: GPUs, and devices that take no C. */
void fg_roof_measure(const fg_device *d, const fg_device_facts *facts, const char *isa, fg_precision precision,
                     fg_roof *out);
#endif

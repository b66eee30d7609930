/* FFTW in the problem's precision, as a device's module, so that verification and timing treat it like fftgen's
 * programs. */
#ifndef FG_PEER_H
#define FG_PEER_H
#include "generator/problem/problem.h"
#include "targets/device.h"

typedef enum fg_effort { FG_EFFORT_ESTIMATE, FG_EFFORT_MEASURE, FG_EFFORT_PATIENT } fg_effort;

/* FFTW for the c2c problem p with these run-time parameters, f32 or f64, one
 * thread. Scales are left out: FFTW has none. 0, or nonzero with a reason. The
 * arrays of its calls are aligned as fg_arrays are. */
int fg_peer_create(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out,
                   char why[FG_WHY_SIZE]);
extern const fg_device fg_peer_device; /* run, time, sample, destroy; it is in no table and builds nothing */
#endif

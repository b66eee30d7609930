/* Other people's transforms, for comparison: FFTW in quadruple precision as the
 * truth, FFTW in the problem's own precision as the opponent.
 *
 * The opponent comes as a device's module, so that verifying and timing treat
 * it exactly as what we generate. */
#ifndef FG_REFERENCE_H
#define FG_REFERENCE_H
#include "generator/problem.h"
#include "targets/device.h"

/* ---- truth: c2c of `rank` dimensions, dense, interleaved -------------------- */
typedef struct fg_reference fg_reference;
/* NULL: out of memory, or a length that FFTW does not take (over 2^31 - 1). */
fg_reference *fg_reference_create(int rank, const int64_t *n, int sign);
/* in, out: re, im pairs. Computed in 113 bits, rounded to long double. */
void fg_reference_run(fg_reference *r, const double *in, long double *out);
void fg_reference_destroy(fg_reference *r); /* NULL allowed */

/* ---- opponent --------------------------------------------------------------- */
typedef enum fg_effort { FG_EFFORT_ESTIMATE, FG_EFFORT_MEASURE, FG_EFFORT_PATIENT } fg_effort;
/* FFTW for the c2c problem p with these run-time parameters, f32 or f64. Scales
 * are left out: FFTW has none. 0, or nonzero with a reason (precision, kind). */
int fg_peer_create(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out,
                   char why[FG_WHY_SIZE]);
extern const fg_device fg_peer_device; /* run, time, destroy; it is in no table, and builds nothing */
#endif

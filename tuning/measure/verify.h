/* Verify: whether a built program computes its transform. It runs on random inputs, all batches, with all strides,
 * and is compared with a transform of higher precision; then the four classical checks are made, which need no
 * reference: impulse, linearity, shift in time, shift in frequency (Ergün 1995). Of these, real transforms have
 * linearity.
 *
 * Memory is checked: poison is between the strides and around the arrays; all memory but the output, and an input
 * out of place, must not change. */
#ifndef FG_VERIFY_H
#define FG_VERIFY_H
#include "generator/base/context.h"
#include "generator/problem/problem.h"
#include "targets/device.h"

typedef struct fg_verify_options {
  const int64_t *params; /* values of the run-time parameters; NULL: the lowest (fg_settings_lowest) */
  int inputs;            /* random inputs, each for the whole batch; 0: one */
  int64_t compared;      /* points of the transforms that are compared, at most, but for three; 0: 2^18 */
  bool no_properties;    /* leave out the four checks (l2 and max only) */
  bool unscaled;         /* the module leaves the problem's scale out (FFTW) */
  uint64_t seed;
  struct fg_truths *truths; /* of this problem, kept between calls (reference.h); NULL: not kept */
} fg_verify_options;

typedef struct fg_verified {
  bool ok;
  char why[FG_WHY_SIZE]; /* first failure in words; "" when ok */
  double l2;             /* relative L2 error, root mean square over the transforms compared */
  double l2_worst;       /* ... of the worst transform */
  double max;            /* largest error of one element over the root mean square of the spectrum */
  double impulse, linearity, time_shift, frequency_shift; /* relative L2 errors; worst transform */
  double bound_l2, bound_max;                             /* what is allowed */
  int64_t compared, transforms; /* transforms compared with the reference, and run (all inputs) */
} fg_verified;

/* FG_OK with out->ok true or false; FG_ESYS when the device fails, FG_ENA for
 * problems that there is no reference for. Uses memory of its own, which it frees. */
fg_status fg_verify(fg_context *cx, const fg_problem *p, const fg_device *d, fg_module *m,
                    const fg_verify_options *options, fg_verified *out);
/* The relative L2 error that is allowed. */
double fg_verify_bound(const fg_problem *p);

#endif

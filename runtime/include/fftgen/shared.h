/* For libraries that are called with arrays of any shape: plans that are shared, by their structs, and calls that bring
 * what is no part of a plan. docs/runtime.md has an example. */
#ifndef FFTGEN_SHARED_H
#define FFTGEN_SHARED_H
#include "fftgen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Plans that are shared: one that an earlier call made of the same struct and options, else a new one, which later
 * calls find. No text is made of a problem whose plan is there. A caller releases a plan once. An
 * allocator and the context of parallel_for must stay valid for as long as the plan is kept. */
FFTGEN_API fftgen_status fftgen_plan_get(const fftgen_problem *problem, const fftgen_options *options,
                                         fftgen_plan **plan, fftgen_error *error);
FFTGEN_API void fftgen_plan_release(fftgen_plan *plan); /* NULL allowed */
/* At most so many plans are kept for later calls (1024), and so many bytes of their tables and scratch (2^30). The
 * longest unused ones are dropped first, and destroyed when their last user releases them. */
FFTGEN_API void fftgen_plans_limit(int64_t plans, int64_t bytes);
typedef struct fftgen_plans {
  size_t size;                  /* sizeof(fftgen_plans), set by the caller */
  int64_t kept, bytes;          /* now */
  int64_t found, made, dropped; /* since the start: calls that found one; plans */
} fftgen_plans;
FFTGEN_API fftgen_status fftgen_plans_count(fftgen_plans *plans);

/* As fftgen_execute_arrays, with what is no part of the plan. error: what is wrong with the call; may be NULL. */
typedef struct fftgen_call { /* zero in a field: the default */
  size_t size;               /* sizeof(fftgen_call) */
  double scale;              /* factor of the results, of a problem with FFTGEN_CALL_SCALE; default: 1 */
  int threads;               /* parts that an execution is divided into, at most; default: all of the plan's */
  /* Of structs with FFTGEN_CALL_LENGTHS, a number for each dimension of n: elements that the input has, behind which
   * there are zeros, and that are stored of the output; NULL: all. */
  const long long *in_lengths, *out_lengths;
} fftgen_call;
FFTGEN_API fftgen_status fftgen_execute_call(const fftgen_plan *plan, const fftgen_arrays *arrays,
                                             const fftgen_call *call, fftgen_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* Evaluator: checks and times modules of one problem on a device, in one process: on a testbed if the
 * problem has random inputs (drawn.h), else by fg_verify and on arrays of the host. */
#ifndef FG_EVALUATOR_H
#define FG_EVALUATOR_H
#include "tuning/measure/testbed.h"
#include "tuning/measure/verify.h"

typedef struct fg_evaluator fg_evaluator;

typedef struct fg_evaluator_options {
  const fg_device *device;
  const fg_problem *problem;
  const int64_t *params; /* of the problem; NULL: none */
  uint64_t seed;
  const fg_drawn *drawn; /* NULL: there are none */
} fg_evaluator_options;

/* In cx's arena. FG_ESYS: the device has no room. */
fg_status fg_evaluator_create(fg_context *cx, const fg_evaluator_options *o, fg_evaluator **out);
/* FG_OK and the error; FG_EWRONG: it computes wrongly; FG_ESYS: it does not run. */
fg_status fg_evaluator_check(fg_evaluator *s, fg_module *m, double *l2);
/* Nanoseconds of one execution; turn: number of this timing of the module. */
fg_status fg_evaluator_time(fg_evaluator *s, fg_module *m, double seconds, int turn, double *ns);
#endif

/* An order to the plugin, and what came of it. */
#ifndef FG_JIT_JOB_H
#define FG_JIT_JOB_H
#include "generator/base/context.h"
#include "runtime/load/jit.h"

typedef struct fg_job {
  const fg_jit_request *request;
  fg_jit_result *result;
  fg_jit_status status;
  bool faulty; /* what was refused failed a proof, or an invariant: that is said though another way serves */
} fg_job;

fg_jit_status fg_job_complain(fg_job *j, fg_jit_status status, const char *message);
/* A recipe's or a user's plan that does not fit is refused; what the system lacks has failed. */
fg_jit_status fg_job_complain_from(fg_job *j, const fg_context *cx, fg_status status);
#endif

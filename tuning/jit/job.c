/* See job.h. */
#include "tuning/jit/job.h"
#include <stdio.h>

fg_jit_status fg_job_complain(fg_job *j, fg_jit_status status, const char *message) {
  snprintf(j->result->message, sizeof j->result->message, "%s", message);
  return j->status = status;
}

fg_jit_status fg_job_complain_from(fg_job *j, const fg_context *cx, fg_status status) {
  const char *message = cx->diag.message[0] ? cx->diag.message : fg_status_name(status);
  j->faulty = status == FG_EWRONG || status == FG_EINTERNAL;
  bool refused = status == FG_EUSER || j->faulty;
  return fg_job_complain(j, refused ? FG_JIT_REFUSED : FG_JIT_FAILED, message);
}

/* See public.h. */
#include "runtime/plan/public.h"
#include "targets/machine/machine.h"
#include "targets/pages.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

fftgen_status fg_public_status(fg_status s) {
  switch (s) {
  case FG_OK: return FFTGEN_OK;
  case FG_EUSER: return FFTGEN_EPROBLEM;
  case FG_ENA: return FFTGEN_ENOKERNEL;
  case FG_ENOMEM: return FFTGEN_ENOMEM;
  case FG_EWRONG:
  case FG_EINTERNAL:
  case FG_ESYS: break;
  }
  return FFTGEN_ESYSTEM;
}

fftgen_status fg_public_tell(fftgen_error *error, fftgen_status status, const char *message) {
  if (!error) return status;
  error->status = status;
  snprintf(error->message, sizeof error->message, "%s", *message ? message : fftgen_status_text(status));
  return status;
}

const char *fg_public_options(const fftgen_options *given, fftgen_options *out) {
  *out = (fftgen_options){0};
  if (!given) return NULL;
  if (given->size < sizeof given->size) return "options.size must be sizeof(fftgen_options)";
  memcpy(out, given, given->size < sizeof *out ? given->size : sizeof *out);
  if ((int)out->effort < FFTGEN_ESTIMATE || out->effort > FFTGEN_PATIENT)
    return "options.effort: FFTGEN_ESTIMATE, FFTGEN_MEASURE or FFTGEN_PATIENT";
  if (!(out->time_limit >= 0)) return "options.time_limit: seconds, not negative";
  if (!out->arch || fg_machine_find(out->arch)) return NULL;
  return "options.arch: a machine that is not in the table (fftgen devices --arch)";
}

static void *usual_allocate(void *context, size_t bytes, size_t alignment) {
  (void)context;
  return fg_pages_allocate(bytes, alignment);
}

static void usual_release(void *context, void *memory) {
  (void)context;
  free(memory);
}

fftgen_allocator fg_public_allocator(const fftgen_options *o) {
  return o->allocator ? *o->allocator : (fftgen_allocator){usual_allocate, usual_release, NULL};
}

static sigset_t too_large(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

void fg_public_begin_files(sigset_t *before) {
  sigset_t set = too_large();
  pthread_sigmask(SIG_BLOCK, &set, before);
}

void fg_public_end_files(const sigset_t *before) {
  sigset_t set = too_large();
  while (!sigismember(before, SIGXFSZ) && sigtimedwait(&set, NULL, &(struct timespec){0, 0}) == SIGXFSZ) continue;
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

bool fg_public_params_fit(const fg_problem *p, const long long *params) {
  if (p->nparam && !params) return false;
  for (int i = 0; i < p->nparam; i++)
    if (params[i] < p->param[i].lo || params[i] > p->param[i].hi) return false;
  return true;
}

bool fg_public_is_empty(const fg_problem *p, const long long *params) {
  for (int i = 0; i < p->batch_rank; i++)
    if (fg_num_value(p->batch[i].n, (const int64_t *)params) == 0) return true;
  return false;
}

const char *fftgen_status_text(fftgen_status status) {
  switch (status) {
  case FFTGEN_OK: return "done";
  case FFTGEN_EPROBLEM: return "not a valid problem, array or parameter";
  case FFTGEN_ENOKERNEL: return "no kernel for this problem";
  case FFTGEN_ESYSTEM: return "the system failed";
  case FFTGEN_ENOMEM: return "out of memory";
  case FFTGEN_EBUSY: return "all workspaces of the plan belong to other streams: give one, or set options.concurrency";
  }
  return "unknown status";
}

/* See on_cuda.h. */
#include "tuning/baselines/on_cuda.h"
#include "targets/cuda/clock.h"
#include <stdio.h>
#include <stdlib.h>

struct fg_module {
  const fg_rival_cuda_library *library;
  const fg_cu_api *cu;
  int device;
  fg_cu_context_ref context;
  fg_cuda_clock clock;
  fg_cu_memory in, out;
  fg_rival_cuda_plan plan;
};

static void destroy_inside(fg_module *m) {
  if (m->plan.own) m->library->drop(&m->plan);
  if (m->in) m->cu->release(m->in);
  if (m->out && !m->plan.in_place) m->cu->release(m->out);
  fg_cuda_clock_destroy(&m->clock);
}

static void destroy(fg_module *m) {
  char why[FG_WHY_SIZE];
  if (!m) return;
  if (m->context && fg_cu_enter(m->cu, m->context, why) == 0) {
    destroy_inside(m);
    fg_cu_leave(m->cu, 0);
  }
  if (m->context) m->cu->context_release(m->device);
  free(m);
}

static int open_inside(fg_module *m, char why[FG_WHY_SIZE]) {
  fg_rival_cuda_plan *x = &m->plan;
  if (fg_cuda_clock_create(&m->clock, m->cu, why)) return 1;
  int status = m->cu->allocate(&m->in, x->shape.bytes_in);
  if (status == FG_CU_SUCCESS && !x->in_place) status = m->cu->allocate(&m->out, x->shape.bytes_out);
  if (x->in_place) m->out = m->in;
  if (status != FG_CU_SUCCESS) return fg_cu_failed(why, "allocating memory on the GPU", status);
  x->stream = m->clock.stream;
  x->in = (void *)(uintptr_t)m->in, x->out = (void *)(uintptr_t)m->out;
  status = m->library->plan(x);
  return status ? snprintf(why, FG_WHY_SIZE, "%s makes no plan (%d)", m->library->name, status), 1 : 0;
}

static int open_module(fg_module *m, char why[FG_WHY_SIZE]) {
  int status = m->cu->device_get(&m->device, 0);
  if (status == FG_CU_SUCCESS) status = m->cu->context_retain(&m->context, m->device);
  if (status != FG_CU_SUCCESS) return fg_cu_failed(why, "opening the CUDA context", status);
  return fg_cu_enter(m->cu, m->context, why) || fg_cu_leave(m->cu, open_inside(m, why));
}

int fg_rival_cuda_create(const fg_rival_cuda_library *library, const fg_problem *p, const int64_t *params,
                         fg_module **out, char why[FG_WHY_SIZE]) {
  fg_rival_shape shape;
  const char *absent = library->absent();
  if (absent) return snprintf(why, FG_WHY_SIZE, "%s", absent), 1;
  if (fg_rival_shape_of(p, params, &shape, why)) return 1;
  const char *refused = library->refused(&shape, p->in_place);
  if (refused) return snprintf(why, FG_WHY_SIZE, "%s", refused), 1;
  const fg_cu_api *cu = fg_cu_load(why);
  if (!cu) return 1;
  fg_module *m = calloc(1, sizeof *m);
  if (!m) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  m->cu = cu, m->library = library;
  m->plan = (fg_rival_cuda_plan){.shape = shape, .sign = p->sign, .in_place = p->in_place};
  if (open_module(m, why)) return destroy(m), 1;
  *out = m;
  return 0;
}

static int launch(void *context, char why[FG_WHY_SIZE]) {
  fg_module *m = context;
  int status = m->library->launch(&m->plan);
  return status ? snprintf(why, FG_WHY_SIZE, "%s does not run (%d)", m->library->name, status), 1 : 0;
}

static int upload(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  int status = m->cu->upload(m->in, call->slot[0], m->plan.shape.bytes_in);
  if (status == FG_CU_SUCCESS) status = m->cu->stream_wait(NULL);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "copying to the GPU", status);
}

static int run_inside(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (upload(m, call, why) || launch(m, why)) return 1;
  int status = m->cu->stream_wait(m->clock.stream);
  if (status == FG_CU_SUCCESS) status = m->cu->download(call->slot[1], m->out, m->plan.shape.bytes_out);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "running another library", status);
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  return fg_cu_enter(m->cu, m->context, why) || fg_cu_leave(m->cu, run_inside(m, call, why));
}

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  fg_cuda_work work = {launch, m};
  return fg_cu_enter(m->cu, m->context, why) ||
         fg_cu_leave(m->cu, upload(m, call, why) || fg_cuda_clock_time(&m->clock, &work, seconds, ns, why));
}

static int sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  fg_cuda_work work = {launch, m};
  return fg_cu_enter(m->cu, m->context, why) ||
         fg_cu_leave(m->cu, upload(m, call, why) || fg_cuda_clock_sample(&m->clock, &work, s, why));
}

const fg_device fg_rival_cuda = {
    .name = "a library on cuda", .run = run, .time = time_module, .sample = sample, .destroy = destroy};

/* Plans for NVIDIA GPUs. In: packages, as device_plan.c finds them. Out: launches on the caller's stream.
 *
 * A workspace is bound to a stream, once, by compare and exchange. Executions on one stream follow one another, so
 * that no event, lock or wait is needed. */
#include "runtime/include/fftgen/cuda.h"
#include "runtime/plan/cuda_code.h"
#include "runtime/plan/device_plan.h"
#include "targets/cuda/facts.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { ALIGN = 256, MOST_SLOTS = 1024, NON_BLOCKING = 1, PER_THREAD_STREAM = 2 };

typedef struct slot {
  _Atomic(uintptr_t) owner; /* 0: no stream yet */
  fg_cu_memory memory;
} slot;

struct fftgen_cuda_plan {
  fg_device_plan base;
  const fg_cu_api *cu;
  int device;
  char arch[FG_CU_ARCH_SIZE];
  fg_cu_module_ref code;
  fg_cu_kernel *kernel;
  fg_cu_memory tables;
  int nslot;
  slot *slot;
};

/* ---- taking packages ----------------------------------------------------------- */

static const char *failed(fg_context *cx, const char *what, int status) {
  char why[FG_WHY_SIZE];
  fg_cu_failed(why, what, status);
  return fg_arena_strdup(cx->arena, why);
}

static void let_go(fftgen_cuda_plan *p) {
  if (p->tables) p->cu->release(p->tables);
  if (p->code) p->cu->module_unload(p->code);
  fg_device_plan_give(&p->base, p->kernel);
  p->tables = 0;
  p->code = NULL;
  p->kernel = NULL;
}

static const char *make_functions(fftgen_cuda_plan *p, fg_context *cx) {
  const fg_routine *r = &p->base.routine;
  for (int i = 0; i < r->nlaunch; i++) {
    const fg_launch *l = &r->launch[i];
    fg_cu_kernel *k = &p->kernel[i];
    int status = fg_cu_find_kernel(p->cu, p->device, p->code, l, k);
    if (status != FG_CU_SUCCESS) return failed(cx, l->entry, status);
    if (l->threads > k->threads)
      return fg_arena_printf(cx->arena, "%s needs %d threads per block; this GPU allows %d", l->entry, l->threads,
                             k->threads);
  }
  return NULL;
}

static const char *make_tables(fftgen_cuda_plan *p, fg_context *cx, const fg_package *from) {
  const fg_routine *r = &p->base.routine;
  if (!r->tables) return NULL;
  int status = p->cu->allocate(&p->tables, r->tables), place = 0;
  if (status != FG_CU_SUCCESS) return p->tables = 0, failed(cx, "memory for tables", status);
  for (int i = 0; i < from->artifact.nbuffer && status == FG_CU_SUCCESS; i++) {
    const fg_arg_buffer *b = &from->artifact.buffer[i];
    if (b->kind == FG_ARG_TABLE && b->bytes)
      status = p->cu->upload(p->tables + r->place[place].at, b->content, b->bytes);
    place += b->split ? 2 : 1;
  }
  /* Copies may still be on their way, and streams of the caller's need not wait for them: this does. */
  if (status == FG_CU_SUCCESS) status = p->cu->stream_wait(NULL);
  return status == FG_CU_SUCCESS ? NULL : failed(cx, "copying tables to the GPU", status);
}

static const char *take(fg_device_plan *base, fg_context *cx, const fg_package *from) {
  fftgen_cuda_plan *p = (fftgen_cuda_plan *)base;
  const fg_package_code *code;
  const char *why = fg_cuda_code_find(cx, from, p->arch, &code);
  if (why) return why;
  p->kernel = fg_device_plan_take(base, (size_t)base->routine.nlaunch * sizeof *p->kernel);
  if (!p->kernel) return "out of memory";
  int status = p->cu->module_load(&p->code, code->bytes);
  if (status != FG_CU_SUCCESS) p->code = NULL, why = failed(cx, "loading its code", status);
  if (!why) why = make_functions(p, cx);
  if (!why) why = make_tables(p, cx, from);
  if (why) let_go(p);
  return why;
}

static const char *refuse(const fg_device_plan *base, const char *features) {
  const fftgen_cuda_plan *p = (const fftgen_cuda_plan *)base;
  return fg_cuda_code_serves(features, p->arch) ? NULL : "its kernels are for other GPUs";
}

static const char *translate(fg_device_plan *base, fg_context *cx, const fg_package *from, fg_package_code *out) {
  return fg_cuda_code_translate(cx, &from->code[0], ((fftgen_cuda_plan *)base)->arch, out);
}

static const fg_backend backend = {"cuda", ALIGN, refuse, translate, take};

/* ---- creating ------------------------------------------------------------------ */

static fftgen_status find_device(fftgen_cuda_plan *p, fftgen_error *error) {
  char why[FG_WHY_SIZE];
  fg_cu_context_ref context = NULL;
  p->cu = fg_cu_load(why);
  if (!p->cu) return fg_public_tell(error, FFTGEN_ENOKERNEL, why);
  int status = p->cu->context_current(&context);
  if (status == FG_CU_SUCCESS && !context)
    return fg_public_tell(error, FFTGEN_EPROBLEM, "no CUDA context is current on this thread");
  if (status == FG_CU_SUCCESS) status = p->cu->context_device(&p->device);
  if (status != FG_CU_SUCCESS) {
    fg_cu_failed(why, "asking for the current CUDA context", status);
    return fg_public_tell(error, FFTGEN_ESYSTEM, why);
  }
  fg_cu_facts(p->cu, p->device, &p->base.facts);
  fg_cu_arch(p->cu, p->device, p->arch);
  p->base.arch = p->arch;
  return FFTGEN_OK;
}

static fftgen_status make_slots(fftgen_cuda_plan *p, int count, fftgen_error *error) {
  char why[FG_WHY_SIZE];
  if (!p->base.routine.workspace || count < 0) return FFTGEN_OK;
  count = count < 1 ? 1 : count > MOST_SLOTS ? MOST_SLOTS : count;
  p->slot = fg_device_plan_take(&p->base, (size_t)count * sizeof *p->slot);
  if (!p->slot) return fg_public_tell(error, FFTGEN_ENOMEM, "");
  for (; p->nslot < count; p->nslot++) {
    atomic_init(&p->slot[p->nslot].owner, 0);
    int status = p->cu->allocate(&p->slot[p->nslot].memory, p->base.routine.workspace);
    if (status == FG_CU_SUCCESS) continue;
    fg_cu_failed(why, "memory for workspaces", status);
    return fg_public_tell(error, FFTGEN_ENOMEM, why);
  }
  return FFTGEN_OK;
}

fftgen_status fftgen_cuda_plan_create(const char *problem, const fftgen_options *options, fftgen_cuda_plan **plan,
                                      fftgen_error *error) {
  fg_device_order order = {problem, options, &backend, sizeof **plan};
  fftgen_status status;
  if (!plan) return fg_public_tell(error, FFTGEN_EPROBLEM, "no pointer for the plan");
  *plan = NULL;
  fftgen_cuda_plan *p = (fftgen_cuda_plan *)fg_device_plan_begin(&order, error, &status);
  if (!p) return status;
  status = find_device(p, error);
  if (status == FFTGEN_OK) status = fg_device_plan_find(&p->base, &order, error);
  if (status == FFTGEN_OK) status = make_slots(p, options ? options->concurrency : 0, error);
  if (status == FFTGEN_OK)
    *plan = p;
  else
    fftgen_cuda_plan_destroy(p);
  return status;
}

void fftgen_cuda_plan_destroy(fftgen_cuda_plan *p) {
  if (!p) return;
  for (int i = 0; i < p->nslot; i++) p->cu->release(p->slot[i].memory);
  fg_device_plan_give(&p->base, p->slot);
  if (p->cu) let_go(p);
  fg_device_plan_end(&p->base);
}

/* ---- executing ----------------------------------------------------------------- */

/* Names that no two streams share. The per-thread default stream is another one in
 * every thread: its names are odd, those of streams are addresses. */
static uintptr_t name_of(fg_cu_stream_ref stream) {
  static atomic_uintptr_t threads = 3;
  static _Thread_local uintptr_t here;
  if (!stream) return 1;
  if ((uintptr_t)stream != PER_THREAD_STREAM) return (uintptr_t)stream;
  if (!here) here = atomic_fetch_add_explicit(&threads, 2, memory_order_relaxed);
  return here;
}

/* 0: all workspaces belong to other streams. */
static fg_cu_memory workspace_of(const fftgen_cuda_plan *p, fg_cu_stream_ref stream) {
  uintptr_t name = name_of(stream);
  for (int i = 0; i < p->nslot; i++) {
    uintptr_t owner = atomic_load_explicit(&p->slot[i].owner, memory_order_relaxed);
    if (!owner && atomic_compare_exchange_strong(&p->slot[i].owner, &owner, name)) owner = name;
    if (owner == name) return p->slot[i].memory;
  }
  return 0;
}

static fg_cu_memory address_of(const fftgen_cuda_plan *p, const fftgen_cuda_arrays *a, int place) {
  const fg_routine_slot *at = &p->base.routine.place[place];
  bool in_place = p->base.problem.in_place;
  switch (at->kind) {
  case FG_ARG_IN: return at->part ? a->in_im : a->in;
  case FG_ARG_OUT: return in_place ? (at->part ? a->in_im : a->in) : (at->part ? a->out_im : a->out);
  case FG_ARG_TABLE: return p->tables + at->at;
  case FG_ARG_GIVEN: return a->given[at->at];
  case FG_ARG_WORK: break;
  }
  return a->workspace + at->at;
}

static int launch(const fftgen_cuda_plan *p, const fg_cu_memory *memory, const long long *params,
                  fg_cu_stream_ref stream) {
  for (int i = 0; i < p->base.routine.nlaunch; i++) {
    const fg_launch *l = &p->base.routine.launch[i];
    void *argument[FG_ROUTINE_ARGS];
    for (int k = 0; k < l->narg; k++)
      argument[k] = l->arg[k].is_param ? (void *)(uintptr_t)&params[l->arg[k].index]
                                       : (void *)(uintptr_t)&memory[l->arg[k].index];
    int64_t blocks = fg_routine_blocks(l, params);
    const fg_cu_kernel *kernel = &p->kernel[i];
    if (blocks > kernel->most) blocks = kernel->most;
    int status = p->cu->launch(kernel->function, (unsigned)blocks, 1, 1, (unsigned)l->threads, 1, 1,
                               (unsigned)l->local_bytes, stream, argument, NULL);
    if (status != FG_CU_SUCCESS) return status;
  }
  return FG_CU_SUCCESS;
}

static const char *wrong_arrays(const fftgen_cuda_plan *p, const fftgen_cuda_arrays *a) {
  fg_device_arrays all = {a->in, a->in_im, a->out, a->out_im, true, a->params};
  for (int i = 0; i < p->base.routine.ngiven; i++) all.given = all.given && a->given && a->given[i];
  const char *wrong = fg_device_plan_wrong(&p->base, &all);
  for (int i = 0; !wrong && i < p->base.routine.nlaunch; i++)
    if (fg_routine_blocks(&p->base.routine.launch[i], a->params) > INT32_MAX) wrong = "more than 2^31-1 blocks";
  return wrong;
}

fftgen_status fftgen_cuda_execute(const fftgen_cuda_plan *p, const fftgen_cuda_arrays *arrays,
                                  struct CUstream_st *of_caller, fftgen_error *error) {
  fg_cu_memory memory[FG_ROUTINE_SLOTS];
  fg_cu_stream_ref stream = (fg_cu_stream_ref)of_caller;
  if (!p || !arrays) return fg_public_tell(error, FFTGEN_EPROBLEM, "no plan or no arrays");
  if (fg_device_plan_is_empty(&p->base, arrays->params)) return FFTGEN_OK;
  fftgen_cuda_arrays a = *arrays;
  const char *wrong = wrong_arrays(p, &a);
  if (wrong) return fg_public_tell(error, FFTGEN_EPROBLEM, wrong);
  if (p->base.routine.workspace && !a.workspace) {
    a.workspace = workspace_of(p, stream);
    if (!a.workspace) return fg_public_tell(error, FFTGEN_EBUSY, "");
  }
  for (int i = 0; i < p->base.routine.nplace; i++) memory[i] = address_of(p, &a, i);
  int status = launch(p, memory, a.params, stream);
  if (status == FG_CU_SUCCESS) return FFTGEN_OK;
  char why[FG_WHY_SIZE];
  fg_cu_failed(why, "launching", status);
  return fg_public_tell(error, FFTGEN_ESYSTEM, why);
}

/* ---- arrays of the host ---------------------------------------------------------- */

typedef struct visit { /* of arrays of the host to the GPU */
  const fftgen_cuda_plan *p;
  const fftgen_arrays *host;
  fg_cu_memory in, out, workspace;
  unsigned long long given[FG_ROUTINE_SLOTS];
  fg_cu_stream_ref stream;
} visit;

static int bring_given(visit *v) {
  const fg_routine *r = &v->p->base.routine;
  int status = FG_CU_SUCCESS;
  for (int i = 0; i < r->nplace && status == FG_CU_SUCCESS; i++) {
    const fg_routine_slot *at = &r->place[i];
    fg_cu_memory there = 0;
    if (at->kind != FG_ARG_GIVEN) continue;
    size_t bytes = fg_device_plan_given_bytes(&v->p->base, at->at, at->bytes, v->host->params);
    status = v->p->cu->allocate(&there, bytes);
    if (status != FG_CU_SUCCESS) return status;
    v->given[at->at] = there;
    status = v->p->cu->upload(there, v->host->given[at->at], bytes);
  }
  return status;
}

static int make_room(visit *v) {
  const fg_routine *r = &v->p->base.routine;
  const fg_cu_api *cu = v->p->cu;
  int status = cu->stream_create(&v->stream, NON_BLOCKING);
  if (status != FG_CU_SUCCESS) return v->stream = NULL, status;
  status = cu->allocate(&v->in, r->in_bytes > r->out_bytes ? r->in_bytes : r->out_bytes);
  if (status != FG_CU_SUCCESS) return v->in = 0, status;
  if (!v->p->base.problem.in_place && (status = cu->allocate(&v->out, r->out_bytes)) != FG_CU_SUCCESS)
    return v->out = 0, status;
  if (r->workspace && (status = cu->allocate(&v->workspace, r->workspace)) != FG_CU_SUCCESS) v->workspace = 0;
  return status;
}

static void leave(visit *v) {
  const fg_cu_api *cu = v->p->cu;
  const fg_cu_memory all[] = {v->in, v->out, v->workspace};
  for (int i = 0; i < 3; i++)
    if (all[i]) cu->release(all[i]);
  for (int i = 0; i < v->p->base.routine.ngiven; i++)
    if (v->given[i]) cu->release(v->given[i]);
  if (v->stream) cu->stream_destroy(v->stream);
}

/* Outputs are copied there, too: they may be written in part only. */
static int copy_there(const visit *v) {
  const fg_routine *r = &v->p->base.routine;
  const fg_cu_api *cu = v->p->cu;
  const fg_device_plan *p = &v->p->base;
  size_t in = fg_device_plan_bytes(p, false, v->host->params) / (r->split_in ? 2 : 1);
  size_t out = fg_device_plan_bytes(p, true, v->host->params) / (r->split_out ? 2 : 1);
  int status = cu->upload(v->in, v->host->in, in);
  if (status == FG_CU_SUCCESS && r->split_in) status = cu->upload(v->in + r->in_bytes / 2, v->host->in_im, in);
  if (status == FG_CU_SUCCESS && v->out) status = cu->upload(v->out, v->host->out, out);
  if (status == FG_CU_SUCCESS && v->out && r->split_out)
    status = cu->upload(v->out + r->out_bytes / 2, v->host->out_im, out);
  return status == FG_CU_SUCCESS ? cu->stream_wait(NULL) : status;
}

static int copy_back(const visit *v) {
  const fg_routine *r = &v->p->base.routine;
  const fg_cu_api *cu = v->p->cu;
  bool in_place = v->p->base.problem.in_place;
  size_t bytes = fg_device_plan_bytes(&v->p->base, true, v->host->params) / (r->split_out ? 2 : 1);
  size_t half = (in_place ? r->in_bytes : r->out_bytes) / 2;
  fg_cu_memory from = in_place ? v->in : v->out;
  const void *to = in_place ? v->host->in : v->host->out, *to_im = in_place ? v->host->in_im : v->host->out_im;
  int status = cu->stream_wait(v->stream);
  if (status == FG_CU_SUCCESS) status = cu->download((void *)(uintptr_t)to, from, bytes);
  if (status == FG_CU_SUCCESS && r->split_out) status = cu->download((void *)(uintptr_t)to_im, from + half, bytes);
  return status;
}

static fftgen_status visit_gpu(visit *v, fftgen_error *error) {
  const fg_routine *r = &v->p->base.routine;
  char why[FG_WHY_SIZE];
  int status = make_room(v);
  if (status == FG_CU_SUCCESS) status = bring_given(v);
  if (status == FG_CU_SUCCESS) status = copy_there(v);
  if (status == FG_CU_SUCCESS) {
    fftgen_cuda_arrays a = {.in = v->in, .out = v->out, .params = v->host->params, .workspace = v->workspace};
    a.given = v->given;
    a.in_im = r->split_in ? v->in + r->in_bytes / 2 : 0;
    a.out_im = r->split_out && v->out ? v->out + r->out_bytes / 2 : 0;
    fftgen_status enqueued = fftgen_cuda_execute(v->p, &a, (struct CUstream_st *)v->stream, error);
    if (enqueued != FFTGEN_OK) return enqueued;
    status = copy_back(v);
  }
  if (status == FG_CU_SUCCESS) return FFTGEN_OK;
  fg_cu_failed(why, "running on arrays of the host", status);
  return fg_public_tell(error, FFTGEN_ESYSTEM, why);
}

fftgen_status fftgen_cuda_execute_host(const fftgen_cuda_plan *p, const fftgen_arrays *arrays, fftgen_error *error) {
  if (!p || !arrays) return fg_public_tell(error, FFTGEN_EPROBLEM, "no plan or no arrays");
  if (fg_device_plan_is_empty(&p->base, arrays->params)) return FFTGEN_OK;
  unsigned long long given[FG_ROUTINE_SLOTS];
  for (int i = 0; i < p->base.routine.ngiven; i++) given[i] = arrays->given ? (uintptr_t)arrays->given[i] : 0;
  fftgen_cuda_arrays same = {.in = (uintptr_t)arrays->in,
                             .in_im = (uintptr_t)arrays->in_im,
                             .out = (uintptr_t)arrays->out,
                             .out_im = (uintptr_t)arrays->out_im,
                             .params = arrays->params,
                             .given = given};
  const char *wrong = wrong_arrays(p, &same);
  if (wrong) return fg_public_tell(error, FFTGEN_EPROBLEM, wrong);
  visit v = {.p = p, .host = arrays};
  fftgen_status status = visit_gpu(&v, error);
  leave(&v);
  return status;
}

fftgen_status fftgen_cuda_plan_info(const fftgen_cuda_plan *p, fftgen_info *info) {
  return fg_device_plan_info(&p->base, info);
}

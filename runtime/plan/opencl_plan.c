/* Plans for OpenCL devices. In: packages, as device_plan.c finds them. Out: launches on the caller's queue, ordered
 * by the queue or by events.
 *
 * OpenCL keeps arguments in kernel objects, so a plan is locked while it enqueues. Each workspace remembers the
 * queue and the last event that used it. */
#include "runtime/include/fftgen/opencl.h"
#include "runtime/plan/device_plan.h"
#include "targets/opencl/facts.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ALIGN = 4096, MOST_SLOTS = 64, MOST_WAITS = 64 }; /* ALIGN: of sub-buffers; devices ask for less */

typedef struct slot { /* a workspace, or where there is none what is known of a queue */
  cl_mem memory;
  cl_mem part[FG_ROUTINE_SLOTS]; /* by place: of WORK */
  cl_command_queue queue;        /* that used it last; retained */
  bool in_order;                 /* that queue is */
  cl_event done;                 /* of the last use of the memory; NULL: nothing to wait for */
  cl_command_queue done_by;      /* the queue of that event, which keeps it */
} slot;

struct fftgen_opencl_plan {
  fg_device_plan base;
  const fg_cl_api *cl;
  cl_context context;
  cl_device_id device;
  cl_program program;
  cl_kernel *kernel;
  cl_mem table[FG_ROUTINE_SLOTS];
  pthread_mutex_t lock;
  bool has_lock;
  int nslot, next;
  slot *slot;
};

static fftgen_status report(fftgen_error *error, const char *what, cl_int status) {
  char why[FG_WHY_SIZE];
  bool full = status == CL_OUT_OF_HOST_MEMORY || status == CL_MEM_OBJECT_ALLOCATION_FAILURE;
  snprintf(why, sizeof why, "%s: %s (%d)", what, fg_cl_error(status), (int)status);
  return fg_public_tell(error, full ? FFTGEN_ENOMEM : FFTGEN_ESYSTEM, why);
}

/* ---- taking packages ----------------------------------------------------------- */

static const char *failed(fg_context *cx, const char *what, cl_int status) {
  return fg_arena_printf(cx->arena, "%s: %s (%d)", what, fg_cl_error(status), (int)status);
}

static void let_go(fftgen_opencl_plan *p) {
  const fg_cl_api *cl = p->cl;
  for (int i = 0; i < p->base.routine.nplace; i++) {
    if (p->table[i]) cl->clReleaseMemObject(p->table[i]);
    p->table[i] = NULL;
  }
  for (int i = 0; p->kernel && i < p->base.routine.nlaunch; i++)
    if (p->kernel[i]) cl->clReleaseKernel(p->kernel[i]);
  fg_device_plan_give(&p->base, p->kernel);
  if (p->program) cl->clReleaseProgram(p->program);
  p->kernel = NULL;
  p->program = NULL;
}

static const char *build_log(const fftgen_opencl_plan *p, fg_context *cx, cl_program program, cl_int status) {
  size_t size = 0;
  p->cl->clGetProgramBuildInfo(program, p->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = fg_arena_alloc(cx->arena, size + 1);
  p->cl->clGetProgramBuildInfo(program, p->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  const char *line = log + strspn(log, " \t\r\n");
  if (!*line) return failed(cx, "building its program", status);
  const char *first = strstr(line, "error");
  while (first && first > line && first[-1] != '\n') first--;
  if (!first) first = line;
  return fg_arena_printf(cx->arena, "building its program: %.*s", (int)strcspn(first, "\n"), first);
}

/* NULL: *out is a built program. */
static const char *build(fftgen_opencl_plan *p, fg_context *cx, const fg_package *from, const fg_package_code *code,
                         cl_program *out) {
  const char *text = code->bytes;
  const unsigned char *bytes = code->bytes;
  cl_int status, loaded = CL_SUCCESS;
  cl_program program;
  if (!strcmp(code->form, "source"))
    program = p->cl->clCreateProgramWithSource(p->context, 1, &text, &code->size, &status);
  else
    program = p->cl->clCreateProgramWithBinary(p->context, 1, &p->device, &code->size, &bytes, &loaded, &status);
  if (status != CL_SUCCESS) return failed(cx, "loading its code", status);
  const char *why = NULL;
  status =
      loaded != CL_SUCCESS ? loaded : p->cl->clBuildProgram(program, 1, &p->device, from->artifact.flags, NULL, NULL);
  if (status == CL_SUCCESS) return *out = program, NULL;
  why = build_log(p, cx, program, status);
  p->cl->clReleaseProgram(program);
  return why;
}

static const char *make_kernels(fftgen_opencl_plan *p, fg_context *cx) {
  const fg_routine *r = &p->base.routine;
  for (int i = 0; i < r->nlaunch; i++) {
    const fg_launch *l = &r->launch[i];
    size_t most = 0;
    cl_int status;
    p->kernel[i] = p->cl->clCreateKernel(p->program, l->entry, &status);
    if (status != CL_SUCCESS) return p->kernel[i] = NULL, failed(cx, l->entry, status);
    p->cl->clGetKernelWorkGroupInfo(p->kernel[i], p->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if ((size_t)l->threads > most)
      return fg_arena_printf(cx->arena, "%s needs %d threads per block; this device allows %zu", l->entry, l->threads,
                             most);
  }
  return NULL;
}

static const char *make_tables(fftgen_opencl_plan *p, fg_context *cx, const fg_package *from) {
  int place = 0;
  for (int i = 0; i < from->artifact.nbuffer; i++) {
    const fg_arg_buffer *b = &from->artifact.buffer[i];
    cl_int status = CL_SUCCESS;
    if (b->kind == FG_ARG_TABLE && b->bytes)
      p->table[place] = p->cl->clCreateBuffer(p->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, b->bytes,
                                              (void *)(uintptr_t)b->content, &status);
    if (status != CL_SUCCESS) return p->table[place] = NULL, failed(cx, "memory for tables", status);
    place += b->split ? 2 : 1;
  }
  return NULL;
}

static const fg_package_code *choose_code(const fftgen_opencl_plan *p, const fg_package *from) {
  const fg_package_code *code = fg_package_find(from, "binary", p->base.facts.identity);
  return code ? code : fg_package_find(from, "source", "");
}

static const char *take(fg_device_plan *base, fg_context *cx, const fg_package *from) {
  fftgen_opencl_plan *p = (fftgen_opencl_plan *)base;
  const fg_package_code *code = choose_code(p, from);
  if (!code) return "no code in it for this device";
  p->kernel = fg_device_plan_take(base, (size_t)base->routine.nlaunch * sizeof *p->kernel);
  if (!p->kernel) return "out of memory";
  const char *why = build(p, cx, from, code, &p->program);
  if (!why) why = make_kernels(p, cx);
  if (!why) why = make_tables(p, cx, from);
  if (why) let_go(p);
  return why;
}

/* A package for one device has a source as well, or its line says which. */
static const char *refuse(const fg_device_plan *base, const char *features) {
  return !*features || !strcmp(features, base->facts.identity) ? NULL : "its kernels are for other devices";
}

/* What the driver made of a source; where it gives nothing away, the source. */
static const char *translate(fg_device_plan *base, fg_context *cx, const fg_package *from, fg_package_code *out) {
  fftgen_opencl_plan *p = (fftgen_opencl_plan *)base;
  cl_program program;
  size_t size = 0;
  const char *why = build(p, cx, from, &from->code[0], &program);
  *out = from->code[0];
  if (why) return why;
  cl_int status = p->cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  unsigned char *bytes = status == CL_SUCCESS && size ? fg_arena_alloc(cx->arena, size) : NULL;
  if (bytes && p->cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS)
    *out = (fg_package_code){"binary", base->facts.identity, bytes, size};
  p->cl->clReleaseProgram(program);
  return NULL;
}

static const fg_backend backend = {"opencl", ALIGN, refuse, translate, take};

/* ---- creating ------------------------------------------------------------------ */

static fftgen_status find_device(fftgen_opencl_plan *p, cl_command_queue queue, fftgen_error *error) {
  char why[FG_WHY_SIZE];
  p->cl = fg_cl_load(why);
  if (!p->cl) return fg_public_tell(error, FFTGEN_ENOKERNEL, why);
  cl_int status = p->cl->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof p->device, &p->device, NULL);
  if (status == CL_SUCCESS)
    status = p->cl->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof p->context, &p->context, NULL);
  if (status == CL_SUCCESS) status = p->cl->clRetainContext(p->context);
  if (status != CL_SUCCESS) {
    p->context = NULL;
    return report(error, "asking the queue for its device", status);
  }
  fg_cl_facts(p->cl, p->device, &p->base.facts);
  return FFTGEN_OK;
}

/* A block as large as all workspaces together, and its parts. */
static cl_int make_parts(const fftgen_opencl_plan *p, cl_mem memory, cl_mem part[FG_ROUTINE_SLOTS]) {
  const fg_routine *r = &p->base.routine;
  cl_int status = CL_SUCCESS;
  for (int i = 0; i < r->nplace && status == CL_SUCCESS; i++) {
    if (r->place[i].kind != FG_ARG_WORK) continue;
    cl_buffer_region region = {r->place[i].at, r->place[i].bytes};
    part[i] = p->cl->clCreateSubBuffer(memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    if (status != CL_SUCCESS) part[i] = NULL;
  }
  return status;
}

static void release_parts(const fftgen_opencl_plan *p, cl_mem part[FG_ROUTINE_SLOTS]) {
  for (int i = 0; i < p->base.routine.nplace; i++)
    if (part[i]) p->cl->clReleaseMemObject(part[i]);
}

static fftgen_status make_slots(fftgen_opencl_plan *p, int count, fftgen_error *error) {
  cl_int status;
  count = count < 1 || !p->base.routine.workspace ? 1 : count > MOST_SLOTS ? MOST_SLOTS : count;
  p->slot = fg_device_plan_take(&p->base, (size_t)count * sizeof *p->slot);
  if (!p->slot) return fg_public_tell(error, FFTGEN_ENOMEM, "");
  for (p->nslot = 0; p->nslot < count && p->base.routine.workspace; p->nslot++) {
    slot *s = &p->slot[p->nslot];
    s->memory = p->cl->clCreateBuffer(p->context, CL_MEM_READ_WRITE, p->base.routine.workspace, NULL, &status);
    if (status != CL_SUCCESS) return s->memory = NULL, report(error, "memory for workspaces", status);
    if ((status = make_parts(p, s->memory, s->part)) != CL_SUCCESS) {
      release_parts(p, s->part);
      p->cl->clReleaseMemObject(s->memory);
      return report(error, "memory for workspaces", status);
    }
  }
  p->nslot = count;
  return FFTGEN_OK;
}

fftgen_status fftgen_opencl_plan_create(const char *problem, const fftgen_options *options, cl_command_queue queue,
                                        fftgen_opencl_plan **plan, fftgen_error *error) {
  fg_device_order order = {problem, options, &backend, sizeof **plan};
  fftgen_status status;
  if (!plan) return fg_public_tell(error, FFTGEN_EPROBLEM, "no pointer for the plan");
  *plan = NULL;
  if (!queue) return fg_public_tell(error, FFTGEN_EPROBLEM, "no queue given");
  fftgen_opencl_plan *p = (fftgen_opencl_plan *)fg_device_plan_begin(&order, error, &status);
  if (!p) return status;
  p->has_lock = pthread_mutex_init(&p->lock, NULL) == 0;
  status = p->has_lock ? find_device(p, queue, error) : fg_public_tell(error, FFTGEN_ESYSTEM, "no lock");
  if (status == FFTGEN_OK) status = fg_device_plan_find(&p->base, &order, error);
  if (status == FFTGEN_OK) status = make_slots(p, options ? options->concurrency : 0, error);
  if (status == FFTGEN_OK)
    *plan = p;
  else
    fftgen_opencl_plan_destroy(p);
  return status;
}

static void forget_use(const fftgen_opencl_plan *p, slot *s) {
  if (s->done) p->cl->clReleaseEvent(s->done);
  if (s->queue) p->cl->clReleaseCommandQueue(s->queue);
  s->done = NULL;
  s->queue = NULL;
}

void fftgen_opencl_plan_destroy(fftgen_opencl_plan *p) {
  if (!p) return;
  for (int i = 0; i < p->nslot; i++) {
    forget_use(p, &p->slot[i]);
    release_parts(p, p->slot[i].part);
    if (p->slot[i].memory) p->cl->clReleaseMemObject(p->slot[i].memory);
  }
  fg_device_plan_give(&p->base, p->slot);
  if (p->cl) let_go(p);
  if (p->context) p->cl->clReleaseContext(p->context);
  if (p->has_lock) pthread_mutex_destroy(&p->lock);
  fg_device_plan_end(&p->base);
}

/* ---- executing ----------------------------------------------------------------- */

typedef struct call { /* one execution */
  fftgen_opencl_plan *p;
  const fftgen_opencl_arrays *arrays;
  cl_command_queue queue;
  slot *slot;
  const cl_mem *work; /* by place */
  cl_uint nwait;
  cl_event wait[MOST_WAITS + 1];
} call;

static cl_mem memory_of(const call *c, int place) {
  const fg_routine_slot *at = &c->p->base.routine.place[place];
  const fftgen_opencl_arrays *a = c->arrays;
  bool in_place = c->p->base.problem.in_place;
  switch (at->kind) {
  case FG_ARG_IN: return at->part ? a->in_im : a->in;
  case FG_ARG_OUT: return in_place ? (at->part ? a->in_im : a->in) : (at->part ? a->out_im : a->out);
  case FG_ARG_TABLE: return c->p->table[place];
  case FG_ARG_GIVEN: return a->given[at->at];
  case FG_ARG_WORK: break;
  }
  return c->work[place];
}

static cl_int set_arguments(const call *c, int i) {
  const fg_launch *l = &c->p->base.routine.launch[i];
  cl_int status = CL_SUCCESS;
  for (int k = 0; k < l->narg && status == CL_SUCCESS; k++) {
    fg_launch_arg arg = l->arg[k];
    cl_long value = arg.is_param ? c->arrays->params[arg.index] : 0;
    cl_mem memory = arg.is_param ? NULL : memory_of(c, arg.index);
    status = c->p->cl->clSetKernelArg(c->p->kernel[i], (cl_uint)k, arg.is_param ? sizeof value : sizeof memory,
                                      arg.is_param ? (const void *)&value : (const void *)&memory);
  }
  return status;
}

/* On a queue without order each launch waits for the one before. */
static cl_int launch_all(call *c, cl_event *last) {
  const fg_cl_api *cl = c->p->cl;
  const fg_routine *r = &c->p->base.routine;
  cl_event before = NULL;
  cl_int status = CL_SUCCESS;
  for (int i = 0; i < r->nlaunch && status == CL_SUCCESS; i++) {
    size_t local = (size_t)r->launch[i].threads;
    size_t global = local * (size_t)fg_routine_blocks(&r->launch[i], c->arrays->params);
    cl_event done = NULL;
    bool ends = i == r->nlaunch - 1, chained = before != NULL;
    status = set_arguments(c, i);
    if (status == CL_SUCCESS)
      status = cl->clEnqueueNDRangeKernel(c->queue, c->p->kernel[i], 1, NULL, &global, &local,
                                          chained ? 1
                                          : i     ? 0
                                                  : c->nwait,
                                          chained          ? &before
                                          : i || !c->nwait ? NULL
                                                           : c->wait,
                                          (ends ? last != NULL : !c->slot->in_order) ? &done : NULL);
    if (before) cl->clReleaseEvent(before);
    before = done;
  }
  if (status == CL_SUCCESS && last)
    *last = before;
  else if (before)
    cl->clReleaseEvent(before);
  return status;
}

/* The workspace that this queue used last, else a new one, else one after the other. */
static slot *choose_slot(fftgen_opencl_plan *p, cl_command_queue queue) {
  for (int i = 0; i < p->nslot; i++)
    if (p->slot[i].queue == queue) return &p->slot[i];
  for (int i = 0; i < p->nslot; i++)
    if (!p->slot[i].queue) return &p->slot[i];
  slot *s = &p->slot[p->next];
  p->next = (p->next + 1) % p->nslot;
  return s;
}

static cl_int use_queue(call *c) {
  cl_command_queue_properties properties = 0;
  slot *s = c->slot;
  if (s->queue == c->queue) return CL_SUCCESS;
  cl_int status = c->p->cl->clGetCommandQueueInfo(c->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  if (status == CL_SUCCESS) status = c->p->cl->clRetainCommandQueue(c->queue);
  if (status != CL_SUCCESS) return status;
  if (s->queue) c->p->cl->clReleaseCommandQueue(s->queue);
  s->queue = c->queue;
  s->in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  return CL_SUCCESS;
}

/* With the lock held. */
static cl_int execute(call *c, const fftgen_opencl_events *events) {
  const fg_cl_api *cl = c->p->cl;
  bool own_work = c->p->base.routine.workspace && !c->arrays->workspace;
  slot *s = c->slot = choose_slot(c->p, c->queue);
  cl_int status = use_queue(c);
  if (status != CL_SUCCESS) return status;
  if (own_work) c->work = s->part;
  if (own_work && s->done && !(s->in_order && s->done_by == c->queue)) c->wait[c->nwait++] = s->done;
  cl_event last = NULL;
  bool wanted = own_work || (events && events->done);
  status = launch_all(c, wanted ? &last : NULL);
  if (status != CL_SUCCESS) return status;
  if (own_work) {
    if (s->done) cl->clReleaseEvent(s->done);
    if (events && events->done) cl->clRetainEvent(last);
    s->done = last;
    s->done_by = c->queue;
  }
  if (events && events->done) *events->done = last;
  return CL_SUCCESS;
}

static const char *wrong_arrays(const fftgen_opencl_plan *p, const fftgen_opencl_arrays *a) {
  fg_device_arrays all = {(uintptr_t)a->in, (uintptr_t)a->in_im, (uintptr_t)a->out, (uintptr_t)a->out_im, true,
                          a->params};
  for (int i = 0; i < p->base.routine.ngiven; i++) all.given = all.given && a->given && a->given[i];
  return fg_device_plan_wrong(&p->base, &all);
}

/* Nothing is to be done: what the caller waits for is over when what he names is. */
static fftgen_status pass(const fftgen_opencl_plan *p, cl_command_queue queue, const fftgen_opencl_events *events,
                          fftgen_error *error) {
  if (!events || !events->done) return FFTGEN_OK;
  cl_int status = p->cl->clEnqueueMarkerWithWaitList(queue, events->count, events->wait, events->done);
  return status == CL_SUCCESS ? FFTGEN_OK : report(error, "enqueueing a marker", status);
}

fftgen_status fftgen_opencl_execute(fftgen_opencl_plan *p, const fftgen_opencl_arrays *arrays, cl_command_queue queue,
                                    const fftgen_opencl_events *events, fftgen_error *error) {
  if (!p || !arrays || !queue) return fg_public_tell(error, FFTGEN_EPROBLEM, "no plan, no arrays or no queue");
  if (fg_device_plan_is_empty(&p->base, arrays->params)) return pass(p, queue, events, error);
  const char *wrong = wrong_arrays(p, arrays);
  if (wrong) return fg_public_tell(error, FFTGEN_EPROBLEM, wrong);
  call c = {.p = p, .arrays = arrays, .queue = queue};
  cl_mem part[FG_ROUTINE_SLOTS] = {NULL};
  cl_int status = CL_SUCCESS;
  if (events && events->count > MOST_WAITS) return fg_public_tell(error, FFTGEN_EPROBLEM, "more than 64 events");
  if (events && events->count) memcpy(c.wait, events->wait, (c.nwait = events->count) * sizeof *c.wait);
  if (arrays->workspace && p->base.routine.workspace) {
    status = make_parts(p, arrays->workspace, part);
    c.work = part;
  }
  pthread_mutex_lock(&p->lock);
  if (status == CL_SUCCESS) status = execute(&c, events);
  pthread_mutex_unlock(&p->lock);
  release_parts(p, part); /* they live until the kernels have ended */
  return status == CL_SUCCESS ? FFTGEN_OK : report(error, "launching", status);
}

/* ---- arrays of the host ---------------------------------------------------------- */

enum { IN, IN_IM, OUT, OUT_IM, GIVEN, SIDES = GIVEN + FG_ROUTINE_SLOTS };

typedef struct visit { /* of arrays of the host to the device */
  fftgen_opencl_plan *p;
  const void *host[SIDES];
  size_t bytes[SIDES]; /* 0: there is none */
  cl_mem memory[SIDES];
} visit;

/* Outputs are copied there, too: they may be written in part only. */
static cl_int copy_there(visit *v, cl_command_queue queue) {
  const fg_cl_api *cl = v->p->cl;
  for (int i = 0; i < SIDES; i++) {
    cl_int status;
    if (!v->bytes[i]) continue;
    v->memory[i] = cl->clCreateBuffer(v->p->context, CL_MEM_READ_WRITE, v->bytes[i], NULL, &status);
    if (status != CL_SUCCESS) return v->memory[i] = NULL, status;
    status = cl->clEnqueueWriteBuffer(queue, v->memory[i], CL_TRUE, 0, v->bytes[i], v->host[i], 0, NULL, NULL);
    if (status != CL_SUCCESS) return status;
  }
  return CL_SUCCESS;
}

static cl_int copy_back(const visit *v, cl_command_queue queue) {
  int first = v->p->base.problem.in_place ? IN : OUT;
  cl_int status = v->p->cl->clFinish(queue);
  for (int i = first; i < first + 2 && status == CL_SUCCESS; i++)
    if (v->memory[i])
      status = v->p->cl->clEnqueueReadBuffer(queue, v->memory[i], CL_TRUE, 0, v->bytes[i],
                                             (void *)(uintptr_t)v->host[i], 0, NULL, NULL);
  return status;
}

static void measure(visit *v, const fftgen_arrays *a) {
  const fg_routine *r = &v->p->base.routine;
  const void *const host[GIVEN] = {a->in, a->in_im, a->out, a->out_im};
  bool in_place = v->p->base.problem.in_place;
  size_t in = fg_device_plan_bytes(&v->p->base, false, a->params) / (r->split_in ? 2 : 1);
  size_t out = fg_device_plan_bytes(&v->p->base, true, a->params) / (r->split_out ? 2 : 1);
  const size_t bytes[GIVEN] = {in, r->split_in ? in : 0, in_place ? 0 : out, in_place || !r->split_out ? 0 : out};
  memcpy(v->host, host, sizeof host);
  memcpy(v->bytes, bytes, sizeof bytes);
  for (int i = 0; i < r->nplace; i++)
    if (r->place[i].kind == FG_ARG_GIVEN) {
      v->host[GIVEN + r->place[i].at] = a->given[r->place[i].at];
      v->bytes[GIVEN + r->place[i].at] =
          fg_device_plan_given_bytes(&v->p->base, r->place[i].at, r->place[i].bytes, a->params);
    }
}

fftgen_status fftgen_opencl_execute_host(fftgen_opencl_plan *p, const fftgen_arrays *a, cl_command_queue queue,
                                         fftgen_error *error) {
  if (!p || !a || !queue) return fg_public_tell(error, FFTGEN_EPROBLEM, "no plan, no arrays or no queue");
  if (fg_device_plan_is_empty(&p->base, a->params)) return FFTGEN_OK;
  cl_mem given[FG_ROUTINE_SLOTS];
  for (int i = 0; i < p->base.routine.ngiven; i++) given[i] = a->given ? (cl_mem)(uintptr_t)a->given[i] : NULL;
  fftgen_opencl_arrays same = {(cl_mem)(uintptr_t)a->in, (cl_mem)a->in_im, a->out, a->out_im, a->params, NULL, given};
  const char *wrong = wrong_arrays(p, &same);
  if (wrong) return fg_public_tell(error, FFTGEN_EPROBLEM, wrong);
  visit v = {.p = p};
  measure(&v, a);
  cl_int status = copy_there(&v, queue);
  fftgen_status result = FFTGEN_OK;
  if (status == CL_SUCCESS) {
    fftgen_opencl_arrays there = {v.memory[IN], v.memory[IN_IM], v.memory[OUT], v.memory[OUT_IM], a->params,
                                  NULL,         v.memory + GIVEN};
    result = fftgen_opencl_execute(p, &there, queue, NULL, error);
  }
  if (status == CL_SUCCESS && result == FFTGEN_OK) status = copy_back(&v, queue);
  for (int i = 0; i < SIDES; i++)
    if (v.memory[i]) p->cl->clReleaseMemObject(v.memory[i]);
  return status == CL_SUCCESS ? result : report(error, "running on arrays of the host", status);
}

fftgen_status fftgen_opencl_plan_info(const fftgen_opencl_plan *p, fftgen_info *info) {
  return fg_device_plan_info(&p->base, info);
}

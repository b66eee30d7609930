/* The device "cuda": the first GPU, unless somebody chose. In: CUDA C++ text and
 * its launches. Out: a module of machine code for this GPU, with tables and
 * workspace on it.
 *
 * Work happens in the GPU's primary context, pushed and popped around every call,
 * so that threads need not know of it. */
#include "targets/cuda/clock.h"
#include "targets/cuda/cuda.h"
#include "targets/cuda/driver_api.h"
#include "targets/cuda/facts.h"
#include "targets/cuda/nvrtc_api.h"
#include "targets/host.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMS = 64 };

struct fg_module {
  const fg_cu_api *cu;
  int device;
  fg_cu_context_ref context;
  fg_cuda_clock clock;
  fg_cu_module_ref code;
  fg_cuda_image image;
  int nplace, nparam, nlaunch;
  fg_launch *launch;
  fg_cu_kernel *kernel;
  fg_arg_kind kind[FG_MAX_PLACES];
  size_t bytes[FG_MAX_PLACES];
  fg_cu_memory own[FG_MAX_PLACES];  /* allocated; 0: shares (in place) or not yet */
  fg_cu_memory used[FG_MAX_PLACES]; /* what a kernel gets */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int chosen_device; /* number */

/* ---- the GPU ------------------------------------------------------------------ */

static int device_number(void) {
  pthread_mutex_lock(&lock);
  int number = chosen_device;
  pthread_mutex_unlock(&lock);
  return number;
}

static int find_device(const fg_cu_api *cu, int *device, char why[FG_WHY_SIZE]) {
  int count = 0, number = device_number();
  int status = cu->device_count(&count);
  if (status != FG_CU_SUCCESS) return fg_cu_failed(why, "counting GPUs", status);
  if (number >= count) return snprintf(why, FG_WHY_SIZE, "no CUDA device %d among %d", number, count), 1;
  status = cu->device_get(device, number);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "choosing a GPU", status);
}

static int option(const char *key, const char *value, char why[FG_WHY_SIZE]) {
  char *end = NULL;
  long number = value ? strtol(value, &end, 10) : 0;
  if (strcmp(key, "device") != 0) return snprintf(why, FG_WHY_SIZE, "cuda: unknown option %.64s (device)", key), 1;
  if (value && (*end || end == value || number < 0 || number > 1024))
    return snprintf(why, FG_WHY_SIZE, "cuda: device %.64s: a number", value), 1;
  pthread_mutex_lock(&lock);
  chosen_device = (int)number;
  pthread_mutex_unlock(&lock);
  return 0;
}

static int probe(fg_device_facts *facts, char why[FG_WHY_SIZE]) {
  char compiler[64];
  int device;
  const fg_cu_api *cu = fg_cu_load(why);
  if (!cu || fg_cuda_compiler(compiler, sizeof compiler, why) || find_device(cu, &device, why)) return 1;
  fg_cu_facts(cu, device, facts);
  size_t used = strlen(facts->version);
  snprintf(facts->version + used, sizeof facts->version - used, ", %s", compiler);
  return 0;
}

static int enter(const fg_module *m, char why[FG_WHY_SIZE]) {
  int status = m->cu->context_push(m->context);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "entering the CUDA context", status);
}

static int leave(const fg_module *m, int result) {
  fg_cu_context_ref context;
  m->cu->context_pop(&context);
  return result;
}

/* ---- building ------------------------------------------------------------------ */

static void free_inside(fg_module *m) {
  const fg_cu_api *cu = m->cu;
  for (int i = 0; i < m->nplace; i++)
    if (m->own[i]) cu->release(m->own[i]);
  if (m->code) cu->module_unload(m->code);
  fg_cuda_clock_destroy(&m->clock);
}

static void destroy(fg_module *m) {
  char why[FG_WHY_SIZE];
  if (!m) return;
  if (m->context && enter(m, why) == 0) {
    free_inside(m);
    leave(m, 0);
  }
  if (m->context) m->cu->context_release(m->device);
  fg_cuda_image_free(&m->image);
  free(m->kernel);
  free(m->launch);
  free(m);
}

static int open_context(fg_module *m, char why[FG_WHY_SIZE]) {
  int status = m->cu->context_retain(&m->context, m->device);
  if (status == FG_CU_SUCCESS) return 0;
  m->context = NULL;
  return fg_cu_failed(why, "opening the CUDA context", status);
}

static int load_code(fg_module *m, const fg_artifact *a, char why[FG_WHY_SIZE]) {
  char arch[FG_CU_ARCH_SIZE];
  fg_cu_arch(m->cu, m->device, arch);
  if (fg_cuda_compile(a->source, arch, &m->image, why)) return 1;
  int status = m->cu->module_load(&m->code, m->image.bytes);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "loading machine code", status);
}

static int check_arguments(const fg_module *m, const fg_launch *l, char why[FG_WHY_SIZE]) {
  for (int k = 0; k < l->narg; k++) {
    int limit = l->arg[k].is_param ? m->nparam : m->nplace;
    if (l->arg[k].index >= 0 && l->arg[k].index < limit) continue;
    snprintf(why, FG_WHY_SIZE, "%s: argument %d names buffer or parameter %d of %d", l->entry, k, l->arg[k].index,
             limit);
    return 1;
  }
  return 0;
}

static int make_functions(fg_module *m, char why[FG_WHY_SIZE]) {
  const fg_cu_api *cu = m->cu;
  for (int i = 0; i < m->nlaunch; i++) {
    const fg_launch *l = &m->launch[i];
    fg_cu_kernel *kernel = &m->kernel[i];
    int status = fg_cu_find_kernel(cu, m->device, m->code, l, kernel);
    if (status != FG_CU_SUCCESS) return fg_cu_failed(why, l->entry, status);
    if (l->threads > kernel->threads)
      return snprintf(why, FG_WHY_SIZE, "%s needs %d threads per block; this GPU allows %d", l->entry, l->threads,
                      kernel->threads),
             1;
    if (check_arguments(m, l, why)) return 1;
  }
  return 0;
}

/* Copies from ordinary memory may still be on their way when the call returns,
 * and our stream does not wait for those: this does. */
static int settle(const fg_module *m, char why[FG_WHY_SIZE]) {
  int status = m->cu->stream_wait(NULL);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "copying to the GPU", status);
}

static int new_memory(fg_module *m, int at, const void *content, char why[FG_WHY_SIZE]) {
  size_t bytes = m->bytes[at] ? m->bytes[at] : 1;
  int status = m->cu->allocate(&m->own[at], bytes);
  if (status != FG_CU_SUCCESS) {
    m->own[at] = 0;
    return fg_cu_failed(why, "allocating memory on the GPU", status);
  }
  if (content) status = m->cu->upload(m->own[at], content, m->bytes[at]);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "copying to the GPU", status);
}

static int make_buffers(fg_module *m, const fg_artifact *a, char why[FG_WHY_SIZE]) {
  for (int i = 0; i < a->nbuffer; i++) {
    const fg_arg_buffer *b = &a->buffer[i];
    for (int at = fg_artifact_place(a, i); at < fg_artifact_place(a, i + 1); at++) {
      m->kind[at] = b->kind;
      m->bytes[at] = b->split ? b->bytes / 2 : b->bytes;
      if (b->kind == FG_ARG_IN || b->kind == FG_ARG_OUT) continue;
      if (b->kind == FG_ARG_TABLE && !b->content)
        return snprintf(why, FG_WHY_SIZE, "table %s has no content", b->name), 1;
      if (new_memory(m, at, b->content, why)) return 1;
      m->used[at] = m->own[at];
    }
  }
  return settle(m, why);
}

static int fill_module(fg_module *m, const fg_artifact *a, char why[FG_WHY_SIZE]) {
  m->launch = calloc((size_t)a->nlaunch, sizeof *m->launch);
  m->kernel = calloc((size_t)a->nlaunch, sizeof *m->kernel);
  if (!m->launch || !m->kernel) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  memcpy(m->launch, a->launch, (size_t)a->nlaunch * sizeof *m->launch);
  m->nlaunch = a->nlaunch;
  if (find_device(m->cu, &m->device, why) || open_context(m, why) || enter(m, why)) return 1;
  int bad = fg_cuda_clock_create(&m->clock, m->cu, why) || load_code(m, a, why) || make_functions(m, why) ||
            make_buffers(m, a, why);
  for (int i = 0; i < m->nlaunch; i++) m->launch[i].entry = NULL; /* the artifact's, which may go */
  return leave(m, bad);
}

static int build(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]) {
  const fg_cu_api *cu = fg_cu_load(why);
  if (!cu) return 1;
  int nplace = fg_artifact_place(a, a->nbuffer);
  if (a->needs_init) return snprintf(why, FG_WHY_SIZE, "CUDA tables come with their content, not by init"), 1;
  if (nplace > FG_MAX_PLACES || a->nparam > MAX_PARAMS || a->nlaunch < 1)
    return snprintf(why, FG_WHY_SIZE, "%d buffers, %d parameters, %d launches; allowed: up to %d, up to %d, 1 or more",
                    nplace, a->nparam, a->nlaunch, FG_MAX_PLACES, MAX_PARAMS),
           1;
  fg_module *m = calloc(1, sizeof *m);
  if (!m) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  m->cu = cu, m->nplace = nplace, m->nparam = a->nparam;
  if (fill_module(m, a, why)) return destroy(m), 1;
  *out = m;
  return 0;
}

/* ---- running ------------------------------------------------------------------- */

static bool is_callers(const fg_module *m, int at) { return m->kind[at] == FG_ARG_IN || m->kind[at] == FG_ARG_OUT; }

static size_t place_bytes(const fg_module *m, const fg_call *call, int at) {
  return call->bytes ? call->bytes[at] : m->bytes[at];
}

/* The earlier place with the same host memory, else itself. */
static int shared_place(const fg_module *m, const fg_call *call, int at) {
  for (int i = 0; i < at; i++)
    if (is_callers(m, i) && call->place[i] == call->place[at]) return i;
  return at;
}

/* Buffers as large as the artifact says, so that they serve every later call;
 * outputs are copied in as well: they may be written in part only. */
static int upload(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  for (int at = 0; at < m->nplace; at++) {
    if (!is_callers(m, at)) continue;
    if (!call->place[at]) return snprintf(why, FG_WHY_SIZE, "no memory given for place %d", at), 1;
    size_t bytes = place_bytes(m, call, at);
    int same = shared_place(m, call, at);
    if (bytes > m->bytes[same])
      return snprintf(why, FG_WHY_SIZE, "place %d: %zu bytes, the kernel was made for %zu", at, bytes, m->bytes[same]),
             1;
    if (same == at && !m->own[at] && new_memory(m, at, NULL, why)) return 1;
    m->used[at] = m->own[same];
    if (same != at) continue; /* uploaded already */
    int status = m->cu->upload(m->used[at], call->place[at], bytes);
    if (status != FG_CU_SUCCESS) return fg_cu_failed(why, "copying to the GPU", status);
  }
  return settle(m, why);
}

static int download(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  for (int at = 0; at < m->nplace; at++) {
    if (m->kind[at] != FG_ARG_OUT) continue;
    int status = m->cu->download(call->place[at], m->used[at], place_bytes(m, call, at));
    if (status != FG_CU_SUCCESS) return fg_cu_failed(why, "copying from the GPU", status);
  }
  return 0;
}

static int64_t block_count(const fg_launch *l, const int64_t *params) {
  int64_t blocks = 1;
  for (int i = 0; i < l->nblock_factor; i++) {
    int64_t div = l->block_factor[i].div > 0 ? l->block_factor[i].div : 1, p = l->block_factor[i].param;
    blocks *= l->block_factor[i].n * (p < 0 ? 1 : (params[p] + div - 1) / div);
  }
  return blocks;
}

static int launch_one(const fg_module *m, int i, const fg_cu_memory *memory, const int64_t *params,
                      fg_cu_stream_ref stream, char why[FG_WHY_SIZE]) {
  const fg_launch *l = &m->launch[i];
  enum { MOST = sizeof l->arg / sizeof *l->arg };
  void *argument[MOST];
  long long value[MOST];
  int64_t blocks = block_count(l, params);
  if (!blocks) return 0;
  if (blocks > INT32_MAX) return snprintf(why, FG_WHY_SIZE, "%lld blocks: at most 2^31-1", (long long)blocks), 1;
  for (int k = 0; k < l->narg; k++) {
    if (l->arg[k].is_param) value[k] = params[l->arg[k].index];
    argument[k] = l->arg[k].is_param ? (void *)&value[k] : (void *)&memory[l->arg[k].index];
  }
  if (blocks > m->kernel[i].most) blocks = m->kernel[i].most;
  int status = m->cu->launch(m->kernel[i].function, (unsigned)blocks, 1, 1, (unsigned)l->threads, 1, 1,
                             (unsigned)l->local_bytes, stream, argument, NULL);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "launching", status);
}

static int launch_all(const fg_module *m, const int64_t *params, char why[FG_WHY_SIZE]) {
  for (int i = 0; i < m->nlaunch; i++)
    if (launch_one(m, i, m->used, params, m->clock.stream, why)) return 1;
  return 0;
}

static int wait(const fg_module *m, char why[FG_WHY_SIZE]) {
  int status = m->cu->stream_wait(m->clock.stream);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "running on the GPU", status);
}

static int check_call(const fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (!m->nparam || call->params) return 0;
  return snprintf(why, FG_WHY_SIZE, "no values for the run-time parameters"), 1;
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (check_call(m, call, why) || enter(m, why)) return 1;
  int bad = upload(m, call, why) || launch_all(m, call->params, why) || wait(m, why) || download(m, call, why);
  return leave(m, bad);
}

int fg_cuda_enqueue(const fg_module *m, void *const *place, const int64_t *params, void *stream,
                    char why[FG_WHY_SIZE]) {
  fg_cu_memory memory[FG_MAX_PLACES];
  for (int at = 0; at < m->nplace; at++)
    memory[at] = is_callers(m, at) ? (fg_cu_memory)(uintptr_t)place[at] : m->used[at];
  for (int i = 0; i < m->nlaunch; i++)
    if (launch_one(m, i, memory, params, stream, why)) return 1;
  return 0;
}

/* ---- timing ---------------------------------------------------------------------- */

typedef struct repetition {
  const fg_module *m;
  const fg_call *call;
} repetition;

static int launch_again(void *context, char why[FG_WHY_SIZE]) {
  const repetition *r = context;
  return launch_all(r->m, r->call->params, why);
}

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  fg_cuda_work work = {launch_again, &(repetition){m, call}};
  if (check_call(m, call, why) || enter(m, why)) return 1;
  return leave(m, upload(m, call, why) || fg_cuda_clock_time(&m->clock, &work, seconds, ns, why));
}

static int sample_module(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  fg_cuda_work work = {launch_again, &(repetition){m, call}};
  if (check_call(m, call, why) || enter(m, why)) return 1;
  return leave(m, upload(m, call, why) || fg_cuda_clock_sample(&m->clock, &work, s, why));
}

/* ---- what the kernels take --------------------------------------------------------- */

static int describe(const fg_module *m, char *text, size_t size) {
  char why[FG_WHY_SIZE];
  size_t used = 0;
  *text = 0;
  if (enter(m, why)) return 1;
  for (int i = 0; i < m->nlaunch && used < size; i++) {
    const fg_launch *l = &m->launch[i];
    int registers = 0, spilled = 0, blocks = 0;
    m->cu->function_get(&registers, FG_CU_FUNCTION_REGISTERS, m->kernel[i].function);
    m->cu->function_get(&spilled, FG_CU_FUNCTION_SPILL_BYTES, m->kernel[i].function);
    m->cu->occupancy(&blocks, m->kernel[i].function, l->threads, l->local_bytes);
    int n = snprintf(text + used, size - used,
                     "%s%d threads a block, %d registers, %d bytes spilled, %zu bytes shared, %d blocks at once",
                     i ? "; " : "", l->threads, registers, spilled, l->local_bytes, blocks);
    used += n > 0 ? (size_t)n : 0;
  }
  return leave(m, 0);
}

static int spilled(const fg_module *m) {
  int most = 0;
  for (int i = 0; i < m->image.nusage; i++)
    if (m->image.usage[i].spill_stores > most) most = m->image.usage[i].spill_stores;
  return most;
}

/* ---- compiling alone ----------------------------------------------------------------- */

/* The architecture of the device that is chosen. */
static int native_arch(char arch[FG_CU_ARCH_SIZE], char why[FG_WHY_SIZE]) {
  int device;
  const fg_cu_api *cu = fg_cu_load(why);
  if (!cu || find_device(cu, &device, why)) return 1;
  fg_cu_arch(cu, device, arch);
  return 0;
}

static int compile_alone(const char *source, const char *arch, fg_code *out, char why[FG_WHY_SIZE]) {
  fg_cuda_image image;
  char native[FG_CU_ARCH_SIZE];
  if (!strcmp(arch, "native")) {
    if (native_arch(native, why)) return 1;
    arch = native;
  }
  if (fg_cuda_compile(source, arch, &image, why)) return 1;
  *out = (fg_code){image.bytes, image.size, strncmp(arch, "compute_", 8) ? "cubin" : "ptx", ""};
  snprintf(out->fits, sizeof out->fits, "%s", arch);
  return 0;
}

const fg_device fg_device_cuda = {
    .name = "cuda",
    .dialect = "cuda",
    .has_lanes = false,
    .probe = probe,
    .build = build,
    .run = run,
    .time = time_module,
    .sample = sample_module,
    .destroy = destroy,
    .option = option,
    .describe = describe,
    .spilled = spilled,
    .compile = compile_alone,
    .compiler = fg_cuda_compiler,
};

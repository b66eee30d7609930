/* The device "cuda": the first GPU, unless the user chose another. In: CUDA C++ text and
 * its launches. Out: a module of machine code for this GPU, with tables and
 * workspace on it.
 *
 * Work happens in the GPU's primary context, pushed and popped around every call,
 * so that threads need not know of it. */
#include "targets/argument_slots.h"
#include "targets/cuda/clock.h"
#include "targets/cuda/cuda.h"
#include "targets/cuda/driver_api.h"
#include "targets/cuda/facts.h"
#include "targets/cuda/memory.h"
#include "targets/cuda/nvrtc_api.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fg_module {
  const fg_cu_api *cu;
  int device;
  fg_cu_context_ref context;
  fg_cuda_clock clock;
  fg_cu_module_ref code;
  fg_cuda_image image; /* of what was compiled here */
  int nlaunch;
  fg_launch *launch;
  fg_cu_kernel *kernel;
  fg_argument_slots slots;
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

int fg_cuda_device(const fg_cu_api *cu, int *device, char why[FG_WHY_SIZE]) {
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
  if (!cu || fg_cuda_compiler(compiler, sizeof compiler, why) || fg_cuda_device(cu, &device, why)) return 1;
  fg_cu_facts(cu, device, facts);
  size_t used = strlen(facts->version);
  snprintf(facts->version + used, sizeof facts->version - used, ", %s", compiler);
  return 0;
}

/* ---- memory ---------------------------------------------------------------------- */

static int take(void *on, uintptr_t *out, size_t bytes, char why[FG_WHY_SIZE]) {
  fg_cu_memory memory = 0;
  int status = ((fg_module *)on)->cu->allocate(&memory, bytes);
  *out = (uintptr_t)memory;
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "allocating memory on the GPU", status);
}

static int fill(void *on, uintptr_t to, size_t at, const void *from, size_t bytes, char why[FG_WHY_SIZE]) {
  int status = ((fg_module *)on)->cu->upload(to + at, from, bytes);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "copying to the GPU", status);
}

static int fetch(void *on, void *to, uintptr_t from, size_t bytes, char why[FG_WHY_SIZE]) {
  int status = ((fg_module *)on)->cu->download(to, from, bytes);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "copying from the GPU", status);
}

static void release(void *on, uintptr_t memory) { ((fg_module *)on)->cu->release(memory); }

static const fg_device_memory gpu_memory = {take, fill, fetch, release};

/* Copies from ordinary memory may still be on their way when the call returns,
 * and our stream does not wait for those: this does. */
static int settle(const fg_module *m, char why[FG_WHY_SIZE]) {
  int status = m->cu->stream_wait(NULL);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "copying to the GPU", status);
}

/* ---- building ------------------------------------------------------------------ */

static void free_inside(fg_module *m) {
  const fg_cu_api *cu = m->cu;
  fg_argument_slots_free(&m->slots);
  if (m->code) cu->module_unload(m->code);
  fg_cuda_clock_destroy(&m->clock);
}

static void destroy(fg_module *m) {
  char why[FG_WHY_SIZE];
  if (!m) return;
  if (m->context && fg_cu_enter(m->cu, m->context, why) == 0) {
    free_inside(m);
    fg_cu_leave(m->cu, 0);
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

/* code NULL: the artifact's source is compiled. */
static int load_code(fg_module *m, const fg_artifact *a, const fg_code *code, char why[FG_WHY_SIZE]) {
  char arch[FG_CU_ARCH_SIZE];
  fg_cu_arch(m->cu, m->device, arch);
  if (!code && fg_cuda_compile(a->source, arch, &m->image, why)) return 1;
  int status = m->cu->module_load(&m->code, code ? code->bytes : m->image.bytes);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "loading machine code", status);
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
    if (fg_argument_slots_check(&m->slots, l, why)) return 1;
  }
  return 0;
}

static int fill_module(fg_module *m, const fg_artifact *a, const fg_code *code, char why[FG_WHY_SIZE]) {
  m->launch = calloc((size_t)a->nlaunch, sizeof *m->launch);
  m->kernel = calloc((size_t)a->nlaunch, sizeof *m->kernel);
  if (!m->launch || !m->kernel) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  memcpy(m->launch, a->launch, (size_t)a->nlaunch * sizeof *m->launch);
  m->nlaunch = a->nlaunch;
  if (fg_cuda_device(m->cu, &m->device, why) || open_context(m, why) || fg_cu_enter(m->cu, m->context, why)) return 1;
  int bad = fg_cuda_clock_create(&m->clock, m->cu, why) || load_code(m, a, code, why) || make_functions(m, why) ||
            fg_argument_slots_make(&m->slots, a, why) || settle(m, why);
  for (int i = 0; i < m->nlaunch; i++) m->launch[i].entry = NULL; /* the artifact's, which may be freed */
  return fg_cu_leave(m->cu, bad);
}

static int load(const fg_artifact *a, const fg_code *code, fg_module **out, char why[FG_WHY_SIZE]) {
  const fg_cu_api *cu = fg_cu_load(why);
  if (!cu) return 1;
  fg_module *m = calloc(1, sizeof *m);
  if (!m) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  m->cu = cu;
  if (fg_argument_slots_create(&m->slots, a, &gpu_memory, m, why) || fill_module(m, a, code, why)) return destroy(m), 1;
  *out = m;
  return 0;
}

static int build(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]) { return load(a, NULL, out, why); }

/* ---- running ------------------------------------------------------------------- */

static int launch_one(const fg_module *m, int i, const fg_cu_memory *memory, const int64_t *params,
                      fg_cu_stream_ref stream, char why[FG_WHY_SIZE]) {
  const fg_launch *l = &m->launch[i];
  enum { MOST = sizeof l->arg / sizeof *l->arg };
  void *argument[MOST];
  long long value[MOST];
  int64_t blocks = fg_launch_blocks(l, params);
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
  fg_cu_memory memory[FG_MAX_ARGUMENT_SLOTS];
  for (int at = 0; at < m->slots.count; at++) memory[at] = m->slots.used[at];
  for (int i = 0; i < m->nlaunch; i++)
    if (launch_one(m, i, memory, params, m->clock.stream, why)) return 1;
  return 0;
}

static int wait(const fg_module *m, char why[FG_WHY_SIZE]) {
  int status = m->cu->stream_wait(m->clock.stream);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "running on the GPU", status);
}

static int upload(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  return fg_argument_slots_upload(&m->slots, call, why) || settle(m, why);
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (fg_cu_enter(m->cu, m->context, why)) return 1;
  int bad = upload(m, call, why) || launch_all(m, call->params, why) || wait(m, why) ||
            fg_argument_slots_download(&m->slots, call, why);
  return fg_cu_leave(m->cu, bad);
}

int fg_cuda_enqueue(const fg_module *m, void *const *slot, const int64_t *params, void *stream, char why[FG_WHY_SIZE]) {
  fg_cu_memory memory[FG_MAX_ARGUMENT_SLOTS];
  for (int at = 0; at < m->slots.count; at++)
    memory[at] = fg_argument_slots_callers(&m->slots, at) ? (uintptr_t)slot[at] : m->slots.used[at];
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
  if (fg_cu_enter(m->cu, m->context, why)) return 1;
  return fg_cu_leave(m->cu, upload(m, call, why) || fg_cuda_clock_time(&m->clock, &work, seconds, ns, why));
}

static int sample_module(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  fg_cuda_work work = {launch_again, &(repetition){m, call}};
  if (fg_cu_enter(m->cu, m->context, why)) return 1;
  return fg_cu_leave(m->cu, upload(m, call, why) || fg_cuda_clock_sample(&m->clock, &work, s, why));
}

/* ---- what the kernels take --------------------------------------------------------- */

static int describe(const fg_module *m, const fg_artifact *a, char *text, size_t size) {
  (void)a;
  char why[FG_WHY_SIZE];
  size_t used = 0;
  *text = 0;
  if (fg_cu_enter(m->cu, m->context, why)) return 1;
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
  return fg_cu_leave(m->cu, 0);
}

static int most_spilled(const fg_cuda_image *image) {
  int most = 0;
  for (int i = 0; i < image->nusage; i++)
    if (image->usage[i].spill_stores > most) most = image->usage[i].spill_stores;
  return most;
}

static int spilled(const fg_module *m) { return most_spilled(&m->image); }

/* ---- compiling alone ----------------------------------------------------------------- */

/* The architecture of the device that is chosen. */
static int native_arch(char arch[FG_CU_ARCH_SIZE], char why[FG_WHY_SIZE]) {
  int device;
  const fg_cu_api *cu = fg_cu_load(why);
  if (!cu || fg_cuda_device(cu, &device, why)) return 1;
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
  *out = (fg_code){.bytes = image.bytes,
                   .size = image.size,
                   .form = strncmp(arch, "compute_", 8) ? "cubin" : "ptx",
                   .spilled = most_spilled(&image)};
  snprintf(out->fits, sizeof out->fits, "%s", arch);
  return 0;
}

const fg_device fg_device_cuda = {
    .name = "cuda",
    .help = "NVIDIA GPUs by their driver and NVRTC",
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
    .load = load,
    .memory = &fg_cuda_memory,
};

/* The device "hip": a GPU of AMD's, by the HIP runtime. In: HIP text and its
 * launches. Out: a module of machine code for this GPU, with tables and workspace
 * on it.
 *
 * What the GPU can do is read from the table of architectures; one that is not in
 * it is refused before any compiler sees it. */
#include "targets/argument_slots.h"
#include "targets/hip/compile.h"
#include "targets/hip/hip_api.h"
#include "targets/timing.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROPERTIES_BYTES = 16384, THREADS = 1024, REGISTERS = 256 };

struct fg_module {
  const fg_hip_api *hip;
  int device;
  const fg_hip_arch *arch;
  fg_hip_code code;
  fg_hip_module_ref module;
  int nlaunch;
  fg_launch *launch;
  fg_hip_function_ref *function;
  const fg_hip_usage **usage; /* of each launch's kernel; NULL: not in the notes */
  fg_argument_slots slots;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int chosen_device;
static fg_hip_compiler chosen_compiler;

static int failed(char why[FG_WHY_SIZE], const char *what, int status) {
  return snprintf(why, FG_WHY_SIZE, "%s: HIP error %d", what, status), 1;
}

/* ---- the GPU ------------------------------------------------------------------ */

/* The record of properties differs between versions; that it begins with the
 * name and has the architecture's somewhere does not. */
static const char *arch_in(const char *properties) {
  for (const char *at = properties + 256; at < properties + PROPERTIES_BYTES - 64; at++)
    if (!memcmp(at, "gfx", 3)) return at;
  return NULL;
}

static int find_device(const fg_hip_api *hip, int *number, char name[128], const fg_hip_arch **arch,
                       char why[FG_WHY_SIZE]) {
  int count = 0, status = hip->device_count(&count);
  pthread_mutex_lock(&lock);
  *number = chosen_device;
  pthread_mutex_unlock(&lock);
  if (status != FG_HIP_SUCCESS || count == 0)
    return snprintf(why, FG_WHY_SIZE, "the HIP runtime finds no GPU (error %d)", status), 1;
  if (*number >= count) return snprintf(why, FG_WHY_SIZE, "no HIP device %d among %d", *number, count), 1;
  char *properties = calloc(1, PROPERTIES_BYTES);
  if (!properties) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  status = hip->properties(properties, *number);
  const char *found = status == FG_HIP_SUCCESS ? arch_in(properties) : NULL;
  *arch = found ? fg_hip_arch_find(found) : NULL;
  snprintf(name, 128, "%.120s", properties);
  if (status != FG_HIP_SUCCESS)
    failed(why, "asking for the GPU's properties", status);
  else if (!*arch)
    snprintf(why, FG_WHY_SIZE, "%.100s is a %.40s, which is not in the table of architectures", name,
             found ? found : "GPU without a name of its architecture");
  free(properties);
  return *arch == NULL;
}

static int option(const char *key, const char *value, char why[FG_WHY_SIZE]) {
  char *end = NULL;
  if (!strcmp(key, "compiler")) {
    bool known = !value || !strcmp(value, "hiprtc") || !strcmp(value, "clang");
    if (!known) return snprintf(why, FG_WHY_SIZE, "hip: compiler %.64s: hiprtc or clang", value), 1;
    chosen_compiler = !value ? FG_HIP_ANY : !strcmp(value, "clang") ? FG_HIP_CLANG : FG_HIP_HIPRTC;
    return 0;
  }
  long number = value ? strtol(value, &end, 10) : 0;
  if (strcmp(key, "device") != 0)
    return snprintf(why, FG_WHY_SIZE, "hip: unknown option %.64s (device, compiler)", key), 1;
  if (value && (*end || end == value || number < 0 || number > 1024))
    return snprintf(why, FG_WHY_SIZE, "hip: device %.64s: a number", value), 1;
  pthread_mutex_lock(&lock);
  chosen_device = (int)number;
  pthread_mutex_unlock(&lock);
  return 0;
}

static int compiler(char *version, size_t size, char why[FG_WHY_SIZE]) {
  return fg_hip_compiler_here(chosen_compiler, version, size, why);
}

static int probe(fg_device_facts *facts, char why[FG_WHY_SIZE]) {
  char text[128];
  int number, version = 0;
  const fg_hip_arch *arch;
  const fg_hip_api *hip = fg_hip_load(why);
  *facts = (fg_device_facts){.is_gpu_like = true, .registers = REGISTERS, .has_f64 = true, .has_fma = true};
  if (!hip || find_device(hip, &number, facts->name, &arch, why) || compiler(text, sizeof text, why)) return 1;
  hip->version(&version);
  snprintf(facts->version, sizeof facts->version, "%s, wave%d, HIP %d, %.80s", arch->name, arch->wave, version, text);
  snprintf(facts->identity, sizeof facts->identity, "%s, %s", facts->name, facts->version);
  facts->lanes_f32 = facts->lanes_f64 = 1; /* one number a thread */
  facts->has_f16 = true;
  facts->wave = arch->wave;
  facts->local_bytes = arch->block_bytes;
  facts->max_threads = THREADS;
  facts->machine = *fg_machine_of_device(arch->name, facts->name);
  return 0;
}

/* ---- memory ---------------------------------------------------------------------- */

static int take(void *on, uintptr_t *out, size_t bytes, char why[FG_WHY_SIZE]) {
  void *memory = NULL;
  int status = ((fg_module *)on)->hip->allocate(&memory, bytes);
  *out = (uintptr_t)memory;
  return status == FG_HIP_SUCCESS ? 0 : failed(why, "allocating memory on the GPU", status);
}

static int fill(void *on, uintptr_t to, size_t at, const void *from, size_t bytes, char why[FG_WHY_SIZE]) {
  int status = ((fg_module *)on)->hip->upload((void *)(to + at), from, bytes);
  return status == FG_HIP_SUCCESS ? 0 : failed(why, "copying to the GPU", status);
}

static int fetch(void *on, void *to, uintptr_t from, size_t bytes, char why[FG_WHY_SIZE]) {
  int status = ((fg_module *)on)->hip->download(to, (void *)from, bytes);
  return status == FG_HIP_SUCCESS ? 0 : failed(why, "copying from the GPU", status);
}

static void release(void *on, uintptr_t memory) { ((fg_module *)on)->hip->release((void *)memory); }

static const fg_device_memory gpu_memory = {take, fill, fetch, release};

/* ---- building ------------------------------------------------------------------ */

static void destroy(fg_module *m) {
  if (!m) return;
  m->hip->set_device(m->device);
  fg_argument_slots_free(&m->slots);
  if (m->module) m->hip->module_unload(m->module);
  fg_hip_code_free(&m->code);
  free(m->usage);
  free(m->function);
  free(m->launch);
  free(m);
}

static int make_kernels(fg_module *m, char why[FG_WHY_SIZE]) {
  for (int i = 0; i < m->nlaunch; i++) {
    const fg_launch *l = &m->launch[i];
    int status = m->hip->module_function(&m->function[i], m->module, l->entry);
    if (status != FG_HIP_SUCCESS) return failed(why, l->entry, status);
    m->usage[i] = fg_hip_code_usage(&m->code, l->entry);
    int most = m->usage[i] ? m->usage[i]->most_threads : THREADS;
    if (l->threads > most || l->local_bytes > m->arch->block_bytes)
      return snprintf(why, FG_WHY_SIZE, "%s: %d threads and %zu bytes a block; this GPU allows %d and %zu", l->entry,
                      l->threads, l->local_bytes, most, m->arch->block_bytes),
             1;
    if (fg_argument_slots_check(&m->slots, l, why)) return 1;
    m->launch[i].entry = NULL; /* the artifact's, which may be freed */
  }
  return 0;
}

static int fill_module(fg_module *m, const fg_artifact *a, char why[FG_WHY_SIZE]) {
  char name[128];
  size_t n = (size_t)a->nlaunch;
  if (find_device(m->hip, &m->device, name, &m->arch, why)) return 1;
  m->launch = calloc(n, sizeof *m->launch);
  m->function = calloc(n, sizeof *m->function);
  m->usage = calloc(n, sizeof *m->usage);
  if (!m->launch || !m->function || !m->usage) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  memcpy(m->launch, a->launch, n * sizeof *m->launch);
  m->nlaunch = a->nlaunch;
  int status = m->hip->set_device(m->device);
  if (status != FG_HIP_SUCCESS) return failed(why, "choosing a GPU", status);
  if (fg_hip_compile(chosen_compiler, a->source, m->arch->name, &m->code, why)) return 1;
  status = m->hip->module_load(&m->module, m->code.bytes);
  if (status != FG_HIP_SUCCESS) return failed(why, "loading machine code", status);
  return make_kernels(m, why) || fg_argument_slots_make(&m->slots, a, why);
}

static int build(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]) {
  const fg_hip_api *hip = fg_hip_load(why);
  if (!hip) return 1;
  fg_module *m = calloc(1, sizeof *m);
  if (!m) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  m->hip = hip;
  if (fg_argument_slots_create(&m->slots, a, &gpu_memory, m, why) || fill_module(m, a, why)) return destroy(m), 1;
  *out = m;
  return 0;
}

/* ---- running ------------------------------------------------------------------- */

static int launch_all(const fg_module *m, const int64_t *params, char why[FG_WHY_SIZE]) {
  for (int i = 0; i < m->nlaunch; i++) {
    const fg_launch *l = &m->launch[i];
    enum { MOST = sizeof l->arg / sizeof *l->arg };
    void *argument[MOST];
    long long value[MOST];
    int64_t blocks = fg_launch_blocks(l, params);
    if (!blocks) continue;
    if (blocks > INT32_MAX) return snprintf(why, FG_WHY_SIZE, "%lld blocks: at most 2^31-1", (long long)blocks), 1;
    for (int k = 0; k < l->narg; k++) {
      if (l->arg[k].is_param) value[k] = params[l->arg[k].index];
      argument[k] = l->arg[k].is_param ? (void *)&value[k] : (void *)(uintptr_t)&m->slots.used[l->arg[k].index];
    }
    int status = m->hip->launch(m->function[i], (unsigned)blocks, 1, 1, (unsigned)l->threads, 1, 1,
                                (unsigned)l->local_bytes, NULL, argument, NULL);
    if (status != FG_HIP_SUCCESS) return failed(why, "launching", status);
  }
  return 0;
}

static int begin_call(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  int status = m->hip->set_device(m->device);
  return status == FG_HIP_SUCCESS ? fg_argument_slots_upload(&m->slots, call, why)
                                  : failed(why, "choosing a GPU", status);
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (begin_call(m, call, why) || launch_all(m, call->params, why)) return 1;
  int status = m->hip->wait();
  return status == FG_HIP_SUCCESS ? fg_argument_slots_download(&m->slots, call, why)
                                  : failed(why, "running on the GPU", status);
}

/* ---- timing ---------------------------------------------------------------------- */

typedef struct repetition {
  fg_module *m;
  const fg_call *call;
  char *why;
} repetition;

static int repeated(void *context, int64_t repeat) {
  repetition *r = context;
  for (int64_t i = 0; i < repeat; i++)
    if (launch_all(r->m, r->call->params, r->why)) return 1;
  int status = r->m->hip->wait();
  return status == FG_HIP_SUCCESS ? 0 : failed(r->why, "running on the GPU", status);
}

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  repetition r = {m, call, why};
  return begin_call(m, call, why) || fg_timing_measure(repeated, &r, seconds, ns);
}

/* One execution on the GPU's own clock. */
static int clocked(const repetition *r, fg_hip_event_ref begin, fg_hip_event_ref end, double *ns) {
  const fg_hip_api *hip = r->m->hip;
  float milliseconds = 0;
  int status = hip->event_record(begin, NULL);
  if (status == FG_HIP_SUCCESS && launch_all(r->m, r->call->params, r->why)) return 1;
  if (status == FG_HIP_SUCCESS) status = hip->event_record(end, NULL);
  if (status == FG_HIP_SUCCESS) status = hip->event_wait(end);
  if (status == FG_HIP_SUCCESS) status = hip->event_between(&milliseconds, begin, end);
  *ns = 1e6 * (double)milliseconds;
  return status == FG_HIP_SUCCESS ? 0 : failed(r->why, "timing on the GPU", status);
}

static int sample_inside(const repetition *r, fg_samples *s) {
  const fg_hip_api *hip = r->m->hip;
  fg_hip_event_ref begin = NULL, end = NULL;
  int bad = 0, status = hip->event_create(&begin);
  if (status == FG_HIP_SUCCESS) status = hip->event_create(&end);
  s->has_inside = status == FG_HIP_SUCCESS;
  for (int i = 0; i < s->count && s->has_inside && !bad; i++) bad = clocked(r, begin, end, &s->inside[i]);
  if (begin) hip->event_destroy(begin);
  if (end) hip->event_destroy(end);
  return bad;
}

static int sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  repetition r = {m, call, why};
  return begin_call(m, call, why) || fg_timing_each(repeated, &r, s->seconds, s->most, s->total, &s->count) ||
         sample_inside(&r, s);
}

/* ---- what the kernels take --------------------------------------------------------- */

static int describe(const fg_module *m, const fg_artifact *a, char *text, size_t size) {
  (void)a;
  size_t used = 0;
  *text = 0;
  for (int i = 0; i < m->nlaunch && used < size; i++) {
    const fg_hip_usage *u = m->usage[i];
    if (!u) continue;
    fg_hip_occupancy o = fg_hip_occupancy_of(m->arch, u, m->launch[i].threads, m->launch[i].local_bytes);
    int n = snprintf(text + used, size - used,
                     "%s%d threads a block, %d VGPR, %d SGPR, %d spilled, %zu bytes LDS, %d waves a SIMD (%s)",
                     used ? "; " : "", m->launch[i].threads, u->vector_registers, u->scalar_registers, u->vector_spills,
                     m->launch[i].local_bytes, o.waves, o.limited);
    used += n > 0 ? (size_t)n : 0;
  }
  return 0;
}

static int spilled(const fg_module *m) {
  int most = 0;
  for (int i = 0; i < m->code.nusage; i++)
    if (m->code.usage[i].private_bytes > most) most = m->code.usage[i].private_bytes;
  return most;
}

static int compile_alone(const char *source, const char *arch, fg_code *out, char why[FG_WHY_SIZE]) {
  fg_hip_code code;
  if (!strcmp(arch, "native")) {
    char name[128];
    int number;
    const fg_hip_arch *here;
    const fg_hip_api *hip = fg_hip_load(why);
    if (!hip || find_device(hip, &number, name, &here, why)) return 1;
    arch = here->name;
  }
  if (fg_hip_compile(chosen_compiler, source, arch, &code, why)) return 1;
  *out = (fg_code){.bytes = code.bytes, .size = code.size, .form = "co"};
  snprintf(out->fits, sizeof out->fits, "%s", arch);
  return 0;
}

const fg_device fg_device_hip = {
    .name = "hip",
    .help = "AMD GPUs by HIP and hiprtc, or clang",
    .dialect = "hip",
    .has_lanes = false,
    .probe = probe,
    .build = build,
    .run = run,
    .time = time_module,
    .sample = sample,
    .destroy = destroy,
    .option = option,
    .describe = describe,
    .spilled = spilled,
    .compile = compile_alone,
    .compiler = compiler,
};

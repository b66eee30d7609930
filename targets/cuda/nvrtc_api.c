/* See nvrtc_api.h. In: CUDA C++ text. Out: a cubin, and what the assembler says
 * that its kernels take (-v: the only account of spills that needs no GPU). */
#include "targets/cuda/nvrtc_api.h"
#include "targets/env.h"
#include "targets/host.h"
#include "targets/library.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct nvrtc_program *program_ref;

/* name here, symbol, parameters; all return 0 or an error's number */
/* clang-format off */
#define FUNCTIONS(F)                                                                                \
  F(version, nvrtcVersion, (int *major, int *minor))                                                \
  F(create, nvrtcCreateProgram,                                                                     \
    (program_ref *program, const char *source, const char *name, int headers, const char *const *text, \
     const char *const *include))                                                                   \
  F(compile, nvrtcCompileProgram, (program_ref program, int options, const char *const *option))    \
  F(log_size, nvrtcGetProgramLogSize, (program_ref program, size_t *size))                          \
  F(log, nvrtcGetProgramLog, (program_ref program, char *log))                                      \
  F(cubin_size, nvrtcGetCUBINSize, (program_ref program, size_t *size))                             \
  F(cubin, nvrtcGetCUBIN, (program_ref program, char *cubin))                                       \
  F(ptx_size, nvrtcGetPTXSize, (program_ref program, size_t *size))                                 \
  F(ptx, nvrtcGetPTX, (program_ref program, char *ptx))                                             \
  F(destroy, nvrtcDestroyProgram, (program_ref *program))
/* clang-format on */

static struct api { FUNCTIONS(FG_API_FIELD) } api;

static const fg_symbol symbols[] = {FUNCTIONS(FG_API_SYMBOL)};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[FG_WHY_SIZE];

/* Where toolkits are that the loader does not know. */
static void *open_in_toolkit(void) {
  static const char *const variables[] = {"CUDA_PATH", "CUDA_HOME"};
  char path[4096];
  void *library = NULL;
  for (int i = 0; i < 2 && !library; i++) {
    const char *folder = fg_env(variables[i]);
    if (!folder || snprintf(path, sizeof path, "%s/lib64/libnvrtc.so", folder) >= (int)sizeof path) continue;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  return library ? library : dlopen("/usr/local/cuda/lib64/libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
}

static void load(void) {
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  void *library = fg_library_open(names, sizeof names / sizeof *names);
  if (!library) library = open_in_toolkit();
  if (!library) {
    snprintf(problem, sizeof problem, "no CUDA compiler library on this machine (libnvrtc.so)");
    return;
  }
  const char *missing = fg_library_find(library, symbols, sizeof symbols / sizeof *symbols, &api);
  if (missing) snprintf(problem, sizeof problem, "libnvrtc lacks %s: it is too old", missing);
}

static int ready(char why[FG_WHY_SIZE]) {
  pthread_once(&once, load);
  if (*problem) snprintf(why, FG_WHY_SIZE, "%s", problem);
  return *problem != 0;
}

int fg_cuda_compiler(char *version, size_t size, char why[FG_WHY_SIZE]) {
  int major = 0, minor = 0;
  if (ready(why)) return 1;
  api.version(&major, &minor);
  snprintf(version, size, "NVRTC %d.%d", major, minor);
  return 0;
}

/* ---- what kernels take ------------------------------------------------------ */

static const char *in_line(const char *line, const char *text) {
  const char *hit = strstr(line, text), *end = strchr(line, '\n');
  return hit && (!end || hit < end) ? hit : NULL;
}

/* "... 8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads" */
static void read_spills(const char *line, fg_cuda_usage *u) {
  const char *at = in_line(line, " bytes stack frame");
  if (!at) return;
  while (at > line && at[-1] >= '0' && at[-1] <= '9') at--;
  sscanf(at, "%d bytes stack frame, %d bytes spill stores, %d bytes spill loads", &u->stack_bytes, &u->spill_stores,
         &u->spill_loads);
}

/* The assembler's lines: "... Compiling entry function 'NAME' for ...", spills,
 * "... Used 54 registers, ...". */
static void read_usage(const char *log, fg_cuda_image *image) {
  fg_cuda_usage *u = NULL;
  for (const char *line = log; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
    const char *entry = in_line(line, "Compiling entry function '"), *used = in_line(line, "Used ");
    if (entry && image->nusage < FG_CUDA_MOST_KERNELS) {
      u = &image->usage[image->nusage++];
      sscanf(entry, "Compiling entry function '%127[^']", u->kernel);
    }
    if (u && used) sscanf(used, "Used %d registers", &u->registers);
    if (u) read_spills(line, u);
  }
}

/* ---- compiling ---------------------------------------------------------------- */

static char *program_log(program_ref program) {
  size_t size = 0;
  if (api.log_size(program, &size) != 0) return NULL;
  char *log = calloc(size + 1, 1);
  if (log && api.log(program, log) != 0) *log = 0;
  return log;
}

/* Machine code, or text for the driver to finish. */
static int take_code(program_ref program, bool ptx, fg_cuda_image *out, char why[FG_WHY_SIZE]) {
  int bad = ptx ? api.ptx_size(program, &out->size) : api.cubin_size(program, &out->size);
  if (bad || !out->size) return snprintf(why, FG_WHY_SIZE, "NVRTC: no code for this architecture"), 1;
  out->bytes = malloc(out->size);
  if (!out->bytes) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  if ((ptx ? api.ptx(program, out->bytes) : api.cubin(program, out->bytes)) == 0) return 0;
  fg_cuda_image_free(out);
  return snprintf(why, FG_WHY_SIZE, "NVRTC: the code could not be fetched"), 1;
}

static int compile_text(const char *source, const char *arch, fg_cuda_image *out, char why[FG_WHY_SIZE]) {
  char target[64];
  program_ref program = NULL;
  *out = (fg_cuda_image){0};
  snprintf(target, sizeof target, "--gpu-architecture=%.32s", arch);
  const char *option[] = {target, "--ptxas-options=-v", "--std=c++14", "--minimal"};
  if (api.create(&program, source, "fftgen.cu", 0, NULL, NULL) != 0)
    return snprintf(why, FG_WHY_SIZE, "NVRTC: the program could not be created"), 1;
  int bad = api.compile(program, sizeof option / sizeof *option, option);
  char *log = program_log(program);
  if (bad)
    fg_host_first_error(log ? log : "", why, "NVRTC");
  else
    bad = take_code(program, !strncmp(arch, "compute_", 8), out, why);
  if (!bad && log) read_usage(log, out);
  free(log);
  api.destroy(&program);
  return bad != 0;
}

int fg_cuda_compile(const char *source, const char *arch, fg_cuda_image *out, char why[FG_WHY_SIZE]) {
  return ready(why) || compile_text(source, arch, out, why);
}

void fg_cuda_image_free(fg_cuda_image *image) {
  free(image->bytes);
  image->bytes = NULL;
  image->size = 0;
}

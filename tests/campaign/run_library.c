/* Calls libfftgen for the cases of a list, each in a process of its own, at most 60 s of processor time.
 * usage: run_library DOOR LIST FOLDER    DOOR: llvm, cc, tcc (plans made now), pack (FOLDER/K.pack), opencl.
 * It reads FOLDER/K.in, writes FOLDER/K.after, or K.refused with the message, or K.died. */
#define _DEFAULT_SOURCE
#include "case_file.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef CAMPAIGN_OPENCL
#include <fftgen/opencl.h>
#else
#include <fftgen/fftgen.h>
#endif

enum { REFUSED = 9 };

static void *either(const case_file *f, const char *a, const char *b, const char *c, const char *d) {
  const char *names[] = {a, b, c, d};
  for (int i = 0; i < 4; i++) {
    void *content = names[i] ? case_array(f, names[i]) : NULL;
    if (content) return content;
  }
  return NULL;
}

typedef struct call {
  fftgen_arrays arrays;
  const void *given[MOST_ARRAYS];
  long long params[MOST_ARRAYS];
} call;

static void prepare(const case_file *f, call *c) {
  int given = 0;
  *c = (call){.arrays = {.given = c->given, .params = c->params}};
  c->arrays.in = either(f, "in", "in_re", "data", "data_re");
  c->arrays.in_im = either(f, "in_im", "data_im", NULL, NULL);
  c->arrays.out = either(f, "out", "out_re", "data", "data_re");
  c->arrays.out_im = either(f, "out_im", "data_im", NULL, NULL);
  for (int i = 0; i < f->array_count; i++) {
    if (case_is_operand(f->arrays[i].name)) c->given[given++] = f->arrays[i].content;
  }
  for (int i = 0; i < f->parameter_count; i++) c->params[i] = f->parameters[i].amount;
}

static int refused(const char *folder, long long k, const char *message) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%lld.refused", folder, k);
  FILE *file = fopen(path, "w");
  if (!file) return 1;
  fprintf(file, "%s\n", message);
  return fclose(file) ? 1 : REFUSED;
}

#ifdef CAMPAIGN_OPENCL
/* libOpenCL as libfftgen takes it: by its name at run time. */
static cl_command_queue some_queue(void) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  if (!library) return NULL;
  __typeof__(&clGetPlatformIDs) platforms;
  __typeof__(&clGetDeviceIDs) devices;
  __typeof__(&clCreateContext) create;
  __typeof__(&clCreateCommandQueue) queue;
  *(void **)&platforms = dlsym(library, "clGetPlatformIDs");
  *(void **)&devices = dlsym(library, "clGetDeviceIDs");
  *(void **)&create = dlsym(library, "clCreateContext");
  *(void **)&queue = dlsym(library, "clCreateCommandQueue");
  if (platforms(1, &platform, NULL) || devices(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return NULL;
  cl_context context = create(NULL, 1, &device, NULL, NULL, &status);
  return context ? queue(context, device, 0, &status) : NULL;
}

static int on_opencl(const char *problem, const fftgen_options *o, const call *c, fftgen_error *error) {
  fftgen_opencl_plan *plan;
  cl_command_queue queue = some_queue();
  snprintf(error->message, sizeof error->message, "no OpenCL device");
  if (!queue) return -1;
  if (fftgen_opencl_plan_create(problem, o, queue, &plan, error)) return -1;
  return fftgen_opencl_execute_host(plan, &c->arrays, queue, error) ? -1 : 0;
}
#endif

/* The spectrum of a filter, by a plan of its own. */
static int make_spectrum(const case_file *f, const char *problem, const fftgen_options *o, fftgen_error *error) {
  char text[FFTGEN_TEXT_SIZE];
  fftgen_plan *plan;
  long long params[MOST_ARRAYS] = {0};
  fftgen_arrays arrays = {.in = case_array(f, "filter"), .out = case_array(f, "spectrum"), .params = params};
  if (!arrays.in) return 0;
  if (fftgen_prepare_text(problem, text, sizeof text, error) || fftgen_plan_create(text, o, &plan, error)) return -1;
  for (int i = 0, n = 0; i < f->parameter_count; i++)
    if (strstr(text, f->parameters[i].name)) params[n++] = f->parameters[i].amount;
  int bad = fftgen_execute_arrays(plan, &arrays) != FFTGEN_OK;
  if (bad) snprintf(error->message, sizeof error->message, "fftgen_execute_arrays complains of %.800s", text);
  fftgen_plan_destroy(plan);
  return bad ? -1 : 0;
}

static int on_host(const char *door, const char *problem, const fftgen_options *o, const call *c, fftgen_error *error) {
  fftgen_plan *plan;
  fftgen_info info = {.size = sizeof info};
  if (fftgen_plan_create(problem, o, &plan, error)) return -1;
  if (fftgen_plan_info(plan, &info) || strcmp(info.origin, o->pack ? "pack" : "jit") != 0) {
    snprintf(error->message, sizeof error->message, "not by the door %s, but from the %s", door, info.origin);
    return -1;
  }
  int bad = fftgen_execute_arrays(plan, &c->arrays) != FFTGEN_OK;
  if (bad) snprintf(error->message, sizeof error->message, "fftgen_execute_arrays complains");
  fftgen_plan_destroy(plan);
  return bad ? -1 : 0;
}

static int one(const char *door, const char *folder, long long k, const char *problem) {
  char path[4096], pack[4096];
  case_file f;
  call c;
  fftgen_error error = {0};
  bool packed = strcmp(door, "pack") == 0;
  snprintf(path, sizeof path, "%s/%lld.in", folder, k);
  snprintf(pack, sizeof pack, "%s/%lld.pack", folder, k);
  if (case_read(&f, path)) return 4;
  prepare(&f, &c);
  fftgen_options o = {.size = sizeof o, .flags = FFTGEN_NO_CACHE | FFTGEN_NO_WISDOM | (packed ? FFTGEN_NO_JIT : 0)};
  if (packed) o.pack = pack;
  int bad;
#ifdef CAMPAIGN_OPENCL
  if (strcmp(door, "opencl") == 0)
    bad = on_opencl(problem, &o, &c, &error);
  else
#endif
    bad = make_spectrum(&f, problem, &o, &error) || on_host(door, problem, &o, &c, &error);
  if (bad) return refused(folder, k, error.message);
  snprintf(path, sizeof path, "%s/%lld.after", folder, k);
  return case_write(&f, path) ? 5 : 0;
}

static void note_death(const char *folder, long long k, int status) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%lld.died", folder, k);
  FILE *file = fopen(path, "w");
  if (!file) exit(1);
  if (case_hung(status))
    fprintf(file, "hung\n");
  else
    fprintf(file, "crashed by signal or exit %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  fclose(file);
}

int main(int argc, char **argv) {
  char line[2048];
  int text = 0;
  long long k;
  FILE *list = argc == 4 ? fopen(argv[2], "r") : NULL;
  if (!list) return 2;
  while (fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "%lld %*s %*s %*s %n", &k, &text) < 1) return 1;
    pid_t child = fork();
    if (child == 0) case_limit(), _exit(one(argv[1], argv[3], k, line + text));
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (WIFSIGNALED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != REFUSED))
      note_death(argv[3], k, status);
  }
  return 0;
}

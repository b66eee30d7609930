/* See launch.h. */
#include "launch.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef CAMPAIGN_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#endif

enum { RESIDENT = 3 }; /* blocks that stay, together */

typedef int blocks_launch(const char *name, const unsigned shape[4], size_t local_bytes, void **arguments);

struct launcher {
  launch_place *place;
  int places;
  blocks_launch *blocks; /* NULL: by OpenCL */
#ifdef CAMPAIGN_OPENCL
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_mem memory[LAUNCH_PLACES];
#endif
};

static void *content_of(const launcher *l, int place) {
  const launch_place *p = &l->place[place];
  return p->shared >= 0 ? l->place[p->shared].content : p->content;
}

static int run_here(launcher *l, const launch *what) {
  void *memory[LAUNCH_ARGUMENTS], *argument[LAUNCH_ARGUMENTS];
  long long value[LAUNCH_ARGUMENTS];
  size_t blocks = what->persistent && what->blocks > RESIDENT ? RESIDENT : what->blocks;
  size_t together = what->persistent ? blocks : what->cluster;
  for (int i = 0; i < what->arguments; i++) {
    const launch_argument *a = &what->argument[i];
    if (a->place >= 0) memory[i] = content_of(l, a->place);
    value[i] = a->value;
    argument[i] = a->place < 0 ? (void *)&value[i] : (void *)&memory[i];
  }
  const unsigned shape[] = {(unsigned)blocks, (unsigned)what->threads, (unsigned)what->cluster, (unsigned)together};
  return l->blocks(what->kernel, shape, what->local_bytes, argument);
}

#ifdef CAMPAIGN_OPENCL

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) return NULL;
  long size = ftell(file);
  rewind(file);
  char *text = calloc(1, (size_t)size + 1);
  if (text && fread(text, 1, (size_t)size, file) != (size_t)size) text = NULL;
  fclose(file);
  return text;
}

static int open_device(launcher *l, const char *code) {
  static char said[1 << 14];
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  const char *text = read_text(code);
  if (!text || clGetPlatformIDs(1, &platform, NULL)) return -1;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return -1;
  l->context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  l->queue = l->context ? clCreateCommandQueue(l->context, device, 0, &status) : NULL;
  l->program = l->queue ? clCreateProgramWithSource(l->context, 1, &text, NULL, &status) : NULL;
  if (!l->program) return -1;
  if (clBuildProgram(l->program, 1, &device, "", NULL, NULL)) {
    clGetProgramBuildInfo(l->program, device, CL_PROGRAM_BUILD_LOG, sizeof said - 1, said, NULL);
    fprintf(stderr, "%s\n", said);
    return -1;
  }
  for (int i = 0; i < l->places; i++) {
    launch_place *p = &l->place[i];
    if (p->shared >= 0) continue;
    l->memory[i] = clCreateBuffer(l->context, CL_MEM_READ_WRITE, p->bytes, NULL, &status);
    if (status || clEnqueueWriteBuffer(l->queue, l->memory[i], CL_TRUE, 0, p->bytes, p->content, 0, NULL, NULL))
      return -1;
  }
  return 0;
}

static int run_on_device(launcher *l, const launch *what) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(l->program, what->kernel, &status);
  size_t all = what->blocks * what->threads;
  for (int i = 0; kernel && !status && i < what->arguments; i++) {
    const launch_argument *a = &what->argument[i];
    cl_long value = a->value;
    int place = a->place >= 0 && l->place[a->place].shared >= 0 ? l->place[a->place].shared : a->place;
    status = place < 0 ? clSetKernelArg(kernel, (cl_uint)i, sizeof value, &value)
                       : clSetKernelArg(kernel, (cl_uint)i, sizeof l->memory[place], &l->memory[place]);
  }
  if (!kernel || status) return -1;
  status = clEnqueueNDRangeKernel(l->queue, kernel, 1, NULL, &all, &what->threads, 0, NULL, NULL);
  return status || clFinish(l->queue) ? -1 : 0;
}

static int take_back(launcher *l) {
  for (int i = 0; i < l->places; i++) {
    launch_place *p = &l->place[i];
    if (!p->array || p->shared >= 0) continue;
    if (clEnqueueReadBuffer(l->queue, l->memory[i], CL_TRUE, 0, p->bytes, p->content, 0, NULL, NULL)) return -1;
  }
  return 0;
}

#else
static int open_device(launcher *l, const char *code) { return (void)l, (void)code, -1; }
static int run_on_device(launcher *l, const launch *what) { return (void)l, (void)what, -1; }
static int take_back(launcher *l) { return (void)l, -1; }
#endif

launcher *launcher_open(const char *door, const char *code, launch_place *place, int places) {
  static launcher one;
  one = (launcher){.place = place, .places = places};
  if (strcmp(door, "cl") == 0) return open_device(&one, code) ? NULL : &one;
  void *object = dlopen(code, RTLD_NOW);
  if (!object) return fprintf(stderr, "%s\n", dlerror()), NULL;
  *(void **)&one.blocks = dlsym(object, "blocks_launch");
  return one.blocks ? &one : NULL;
}

int launcher_run(launcher *l, const launch *what) { return l->blocks ? run_here(l, what) : run_on_device(l, what); }

int launcher_close(launcher *l) { return l->blocks ? 0 : take_back(l); }

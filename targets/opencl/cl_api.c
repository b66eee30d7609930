/* See cl_api.h. The library stays loaded: drivers do not survive an unloading. */
#include "targets/opencl/cl_api.h"
#include "targets/library.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static fg_cl_api api;
static char problem[FG_WHY_SIZE];

static const fg_symbol symbols[] = {
#define F(name) {#name, offsetof(fg_cl_api, name)},
    FG_CL_FUNCTIONS(F)
#undef F
};

static void load(void) {
  bool possible = !fg_library_static_program();
  void *library = possible ? dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    snprintf(problem, sizeof problem, "%s",
             possible ? "no OpenCL loader on this machine (libOpenCL.so.1)" : FG_LIBRARY_STATIC);
    return;
  }
  /* First what was preloaded, as checking tools are; then the loader's own. */
  enum { COUNT = sizeof symbols / sizeof *symbols };
  if (!fg_library_find(RTLD_DEFAULT, symbols, COUNT, &api)) return;
  const char *missing = fg_library_find(library, symbols, COUNT, &api);
  if (missing) snprintf(problem, sizeof problem, "libOpenCL.so.1 lacks %s", missing);
}

const fg_cl_api *fg_cl_load(char why[FG_WHY_SIZE]) {
  pthread_once(&once, load);
  if (!*problem) return &api;
  snprintf(why, FG_WHY_SIZE, "%s", problem);
  return NULL;
}

const char *fg_cl_error(cl_int status) {
  static const struct {
    cl_int status;
    const char *name;
  } names[] = {
#define E(name) {name, #name}
      E(CL_DEVICE_NOT_FOUND),        E(CL_DEVICE_NOT_AVAILABLE),
      E(CL_COMPILER_NOT_AVAILABLE),  E(CL_OUT_OF_RESOURCES),
      E(CL_OUT_OF_HOST_MEMORY),      E(CL_MEM_OBJECT_ALLOCATION_FAILURE),
      E(CL_BUILD_PROGRAM_FAILURE),   E(CL_INVALID_VALUE),
      E(CL_INVALID_BUFFER_SIZE),     E(CL_INVALID_BUILD_OPTIONS),
      E(CL_INVALID_KERNEL_NAME),     E(CL_INVALID_KERNEL_ARGS),
      E(CL_INVALID_ARG_INDEX),       E(CL_INVALID_ARG_SIZE),
      E(CL_INVALID_ARG_VALUE),       E(CL_INVALID_WORK_DIMENSION),
      E(CL_INVALID_WORK_GROUP_SIZE), E(CL_INVALID_WORK_ITEM_SIZE),
      E(CL_INVALID_MEM_OBJECT),      E(CL_INVALID_GLOBAL_WORK_SIZE),
#undef E
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].status == status) return names[i].name;
  return status == -1001 ? "no OpenCL platform is installed" : "an OpenCL error without a name here";
}

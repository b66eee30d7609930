/* See driver_api.h. The library stays loaded, because drivers cannot be unloaded. */
#include "targets/cuda/driver_api.h"
#include "targets/library.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static fg_cu_api api;
static char problem[FG_WHY_SIZE];

#define F(name, symbol, parameters) {#symbol, offsetof(fg_cu_api, name)},
static const fg_symbol symbols[] = {FG_CU_FUNCTIONS(F)};
static const fg_symbol graph_symbols[] = {FG_CU_GRAPH_FUNCTIONS(F)};
#undef F

int fg_cu_failed(char why[FG_WHY_SIZE], const char *what, int status) {
  const char *name = NULL;
  if (!api.error_name || api.error_name(status, &name) != FG_CU_SUCCESS || !name) name = "an error without a name";
  snprintf(why, FG_WHY_SIZE, "%s: %s (%d)", what, name, status);
  return 1;
}

static void load(void) {
  /* What the process has already is preferred: checking tools, and tests. */
  bool is_here = dlsym(RTLD_DEFAULT, "cuInit") != NULL;
  bool possible = !fg_library_static_program();
  void *library = is_here || !possible ? RTLD_DEFAULT : dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!is_here && (!library || !possible)) {
    snprintf(problem, sizeof problem, "%s",
             possible ? "no CUDA driver on this machine (libcuda.so.1)" : FG_LIBRARY_STATIC);
    return;
  }
  const char *missing = fg_library_find(library, symbols, sizeof symbols / sizeof *symbols, &api);
  if (missing) snprintf(problem, sizeof problem, "libcuda.so.1 lacks %s: the driver is too old", missing);
  api.has_graphs = !fg_library_find(library, graph_symbols, sizeof graph_symbols / sizeof *graph_symbols, &api);
  int status = missing ? FG_CU_SUCCESS : api.init(0);
  if (status != FG_CU_SUCCESS) fg_cu_failed(problem, "starting the CUDA driver", status);
}

const fg_cu_api *fg_cu_load(char why[FG_WHY_SIZE]) {
  pthread_once(&once, load);
  if (!*problem) return &api;
  snprintf(why, FG_WHY_SIZE, "%s", problem);
  return NULL;
}

int fg_cu_enter(const fg_cu_api *cu, fg_cu_context_ref context, char why[FG_WHY_SIZE]) {
  int status = cu->context_push(context);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "entering the CUDA context", status);
}

int fg_cu_leave(const fg_cu_api *cu, int result) {
  fg_cu_context_ref context;
  cu->context_pop(&context);
  return result;
}

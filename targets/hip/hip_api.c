/* See hip_api.h. The library stays loaded, because drivers cannot be unloaded. */
#include "targets/hip/hip_api.h"
#include "targets/library.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static fg_hip_api api;
static char problem[FG_WHY_SIZE];

static const fg_symbol symbols[] = {
#define F(name, symbol, parameters) {#symbol, offsetof(fg_hip_api, name)},
    FG_HIP_FUNCTIONS(F)
#undef F
};

static void load(void) {
  static const char *const names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};
  void *library = fg_library_open(names, sizeof names / sizeof *names);
  if (!library) {
    snprintf(problem, sizeof problem, "no HIP runtime on this machine (libamdhip64.so)");
    return;
  }
  const char *missing = fg_library_find(library, symbols, sizeof symbols / sizeof *symbols, &api);
  if (missing) snprintf(problem, sizeof problem, "libamdhip64.so lacks %s", missing);
}

const fg_hip_api *fg_hip_load(char why[FG_WHY_SIZE]) {
  pthread_once(&once, load);
  if (!*problem) return &api;
  snprintf(why, FG_WHY_SIZE, "%s", problem);
  return NULL;
}

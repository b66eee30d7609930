/* See library.h. In: the folder of this library. Out: libfftgen's functions.
 *
 * It is looked for beside this library, and in the two folders above, which is where an installation and a build have
 * it; a program with more rights than its caller takes it from beside this library alone. It stays when this library is
 * closed: what it loads does, too. */
#include "fftw/kernel/library.h"
#include "fftw/base/real.h"
#include "targets/env.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static fg_kernel_library library;
static void *handle; /* NULL: it is not there */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A pointer to data becomes one to a function. */
static bool find(void *in, const char *name, void *to) {
  void *symbol = dlsym(in, name);
  memcpy(to, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool take(void *in) {
  int (*version)(void);
  return find(in, "fftgen_version", &version) && version() == FFTGEN_VERSION &&
         find(in, "fftgen_plan_create", &library.create) && find(in, "fftgen_plan_destroy", &library.destroy) &&
         find(in, "fftgen_execute_arrays", &library.execute) &&
         find(in, "fftgen_execute_called", &library.execute_two) && find(in, "fftgen_plan_info", &library.info) &&
         find(in, "fftgen_problem_text", &library.text);
}

static bool folder_of_this(char *folder, size_t size) {
  Dl_info here;
  if (fg_env_library_folder(&library, folder, size)) return true;
  if (fg_env_secure() || !dladdr(&library, &here) || !here.dli_fname) return false;
  const char *slash = strrchr(here.dli_fname, '/'); /* a preload by a relative path */
  return slash && snprintf(folder, size, "%.*s/", (int)(slash - here.dli_fname), here.dli_fname) < (int)size;
}

static void look(void) {
  static const char *const up[] = {"", "../", "../../"};
  char folder[4096], path[sizeof folder + 64];
  if (!folder_of_this(folder, sizeof folder)) return;
  for (size_t i = 0; i < (fg_env_secure() ? 1 : sizeof up / sizeof *up); i++) {
    snprintf(path, sizeof path, "%s%slibfftgen.so.%d.%d", folder, up[i], FFTGEN_VERSION / 10000,
             FFTGEN_VERSION / 100 % 100);
    handle = access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (handle && take(handle)) return;
    if (handle) dlclose(handle);
    handle = NULL;
  }
}

const fg_kernel_library *fg_kernel_library_get(void) {
  pthread_once(&once, look);
  return handle ? &library : NULL;
}

void *fg_kernel_library_find(const char *name) { return fg_kernel_library_get() ? dlsym(handle, name) : NULL; }

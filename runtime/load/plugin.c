/* See plugin.h. $FFTGEN_JIT, else libfftgen-jit.so beside the object that contains this code, else in the loader's
 * search path; in a set-user-id program only beside it. */
#include "runtime/load/plugin.h"
#include "runtime/version.h"
#include "targets/env.h"
#include "targets/library.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const fg_jit *found;

static const char *copy_of_error(fg_context *cx) { return fg_arena_strdup(cx->arena, dlerror()); }

/* libfftgen-jit beside the code that this function is in. */
static const char *beside(fg_arena *a) {
  char folder[4096];
  Dl_info here;
  if (fg_env_secure())
    return fg_env_library_folder(&lock, folder, sizeof folder) ? fg_arena_printf(a, "%slibfftgen-jit.so", folder)
                                                               : NULL;
  int status = dladdr(&lock, &here);
  const char *slash = status && here.dli_fname ? strrchr(here.dli_fname, '/') : NULL;
  return slash ? fg_arena_printf(a, "%.*s/libfftgen-jit.so", (int)(slash - here.dli_fname), here.dli_fname) : NULL;
}

static void *open_library(fg_context *cx, const char **why) {
  const char *named = fg_env("FFTGEN_JIT"), *near = beside(cx->arena);
  if (named) {
    void *library = *named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) *why = *named ? copy_of_error(cx) : "FFTGEN_JIT is empty";
    return library;
  }
  void *library = near && access(near, R_OK) == 0 ? dlopen(near, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library && fg_env_secure()) {
    *why = "none beside the library; a set-user-id program takes it from nowhere else";
    return NULL;
  }
  if (!library) library = dlopen("libfftgen-jit.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) *why = copy_of_error(cx);
  return library;
}

static const fg_jit *entry_of(void *library) {
  fg_jit_entry *entry = NULL;
  void *symbol = dlsym(library, FG_JIT_SYMBOL);
  memcpy(&entry, &symbol, sizeof entry);
  return entry ? entry() : NULL;
}

const fg_jit *fg_plugin_find(fg_context *cx, const char **why) {
  pthread_mutex_lock(&lock);
  const fg_jit *jit = found;
  pthread_mutex_unlock(&lock);
  if (jit) return jit;
  if (fg_library_static_program()) {
    *why = FG_LIBRARY_STATIC "; link kernels into it, or give a pack";
    return NULL;
  }
  void *library = open_library(cx, why);
  if (!library) return NULL;
  jit = entry_of(library);
  if (!jit || jit->abi != FG_JIT_ABI || strcmp(jit->version, fg_version)) {
    *why = jit ? "of another version than this library" : "not the library that it should be";
    dlclose(library);
    return NULL;
  }
  pthread_mutex_lock(&lock);
  found = jit; /* another thread may have been first: it is the same library */
  pthread_mutex_unlock(&lock);
  return jit;
}

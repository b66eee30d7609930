/* Finding libfftgen-llvm. In: nothing. Out: the plugin, or why there is none.
 * FFTGEN_LLVM names it; else it is beside the code that asks, in ../lib or the
 * like of the installed program, or where the loader looks. */
#include "targets/env.h"
#include "targets/llvm/llvm.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const fg_llvm *found;

/* A program with more rights than its caller takes it from the folder of the library that asks, or not at all. */
static void *open_securely(void) {
  char path[4096 + sizeof "libfftgen-llvm.so"];
  if (!fg_env_library_folder(&lock, path, 4096)) return NULL;
  strcat(path, "libfftgen-llvm.so");
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_beside(void) {
  static const char *const folders[] = {"", "../lib/", "../lib64/", "../lib/x86_64-linux-gnu/"};
  char path[4096];
  Dl_info here;
  if (fg_env_secure()) return open_securely();
  if (!dladdr(&lock, &here) || !here.dli_fname) return NULL;
  const char *slash = strrchr(here.dli_fname, '/'), *name = here.dli_fname;
  char self[4096];
  ssize_t length = slash ? -1 : readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) self[length] = 0, name = self, slash = strrchr(self, '/');
  for (size_t i = 0; slash && i < sizeof folders / sizeof *folders; i++) {
    int n = snprintf(path, sizeof path, "%.*s/%slibfftgen-llvm.so", (int)(slash - name), name, folders[i]);
    void *library = n < (int)sizeof path && access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library) return library;
  }
  return NULL;
}

static void *open_plugin(char why[FG_WHY_SIZE]) {
  const char *named = fg_env("FFTGEN_LLVM");
  void *library = named ? (*named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : NULL) : open_beside();
  if (!library && !named && !fg_env_secure()) library = dlopen("libfftgen-llvm.so", RTLD_NOW | RTLD_LOCAL);
  if (library) return library;
  const char *error = named && !*named ? "FFTGEN_LLVM is empty" : dlerror();
  bool built = error && strstr(error, "libLLVM");
  snprintf(why, FG_WHY_SIZE, "%s (%.200s)",
           built ? "LLVM 19 is not here" : "no libfftgen-llvm.so: built where LLVM 19 is", error ? error : "");
  return NULL;
}

const fg_llvm *fg_llvm_load(char why[FG_WHY_SIZE]) {
  pthread_mutex_lock(&lock);
  if (!found) {
    void *library = open_plugin(why), *symbol = library ? dlsym(library, FG_LLVM_SYMBOL) : NULL;
    fg_llvm_entry *entry;
    memcpy(&entry, &symbol, sizeof entry);
    found = symbol ? entry() : NULL;
    if (found && found->abi != FG_LLVM_ABI) found = NULL;
    if (library && !found) snprintf(why, FG_WHY_SIZE, "libfftgen-llvm.so is of another version, or without a target");
  }
  pthread_mutex_unlock(&lock);
  return found;
}

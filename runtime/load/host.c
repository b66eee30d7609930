/* See host.h. */
#include "runtime/load/host.h"
#include "runtime/load/memory_file.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/registry.h"
#include "targets/cpu.h"
#include "targets/env.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *linked(fg_loader *l, const char *problem, const char *plan) {
  fg_host_loader *h = (fg_host_loader *)l;
  const char *why;
  h->kernel = fg_registry_find(problem, plan, &why);
  if (!h->kernel) return why;
  l->plan = h->kernel->plan;
  return NULL;
}

static const char *refuse(const fg_loader *l, const char *features) {
  (void)l;
  return fg_cpu_has(features) ? NULL : "this CPU lacks features that its kernels need";
}

/* From a folder that nothing may be executed in, by way of memory. NULL: *why. */
static void *open_library(fg_loader *l, fg_context *cx, const char *path, const char **why) {
  char name[FG_MEMORY_FILE_NAME];
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library) return library;
  *why = fg_arena_strdup(cx->arena, dlerror());
  const char *remark = fg_arena_printf(cx->arena, "%s; it is loaded from memory", *why);
  int fd = fg_memory_file_copy(path);
  if (fd < 0) return NULL;
  fg_memory_file_name(name, fd);
  library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  close(fd);
  if (library) l->remark = remark;
  return library;
}

static const char *open_object(fg_loader *l, fg_context *cx, const char *problem, const char *path) {
  fg_host_loader *h = (fg_host_loader *)l;
  const char *why;
  void *library = open_library(l, cx, path, &why);
  if (!library) return why;
  const fftgen_kernel *k = dlsym(library, FG_KERNEL_SYMBOL);
  const char *refusal = k ? fg_registry_refuse(k) : "no kernel inside";
  if (!refusal && strcmp(k->problem, problem)) refusal = "a kernel for another problem";
  if (refusal) {
    dlclose(library);
    return refusal;
  }
  h->kernel = k;
  h->library = library;
  l->plan = k->plan;
  return NULL;
}

static fg_jit_status make(fg_loader *l, const fg_jit *jit, const fg_jit_request *request, fg_jit_result *result) {
  (void)l;
  return jit->build(request, result);
}

void fg_load_host_begin(fg_host_loader *l) {
  const char *compiler = fg_env_compiler();
  *l = (fg_host_loader){.loader = {.target = "c",
                                   .also = "llvm",
                                   .device = fg_fingerprint_host(),
                                   .suffix = ".so",
                                   .compiler = compiler ? compiler : "",
                                   .linked = linked,
                                   .refuse = refuse,
                                   .open = open_object,
                                   .make = make}};
}

void fg_load_host_end(fg_host_loader *l) {
  if (l->library) dlclose(l->library);
  l->library = NULL;
  l->kernel = NULL;
}

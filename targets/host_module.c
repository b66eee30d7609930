/* See host_module.h. */
#include "targets/host_module.h"
#include "targets/host.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct fg_module {
  fg_host_code code;
  fg_host *host;
};

void fg_host_module_destroy(fg_module *m) {
  if (!m) return;
  fg_host_destroy(m->host);
  m->code.release(m->code.code);
  free(m);
}

int fg_host_module_create(const fg_artifact *a, const fg_host_code *code, fg_module **out, char why[FG_WHY_SIZE]) {
  fg_module *m = calloc(1, sizeof *m);
  if (!m) {
    code->release(code->code);
    return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  }
  m->code = *code;
  int status = fg_host_create(a, code->find, code->code, &m->host, why);
  if (status)
    fg_host_module_destroy(m);
  else
    *out = m;
  return status;
}

static void *find_in_library(void *library, const char *symbol) { return dlsym(library, symbol); }

static void close_library(void *library) { dlclose(library); }

int fg_host_module_load(const fg_artifact *a, const char *path, fg_module **out, char why[FG_WHY_SIZE]) {
  fg_host_code code = {dlopen(path, RTLD_NOW | RTLD_LOCAL), find_in_library, close_library};
  if (!code.code) return snprintf(why, FG_WHY_SIZE, "loading: %.400s", dlerror()), 1;
  return fg_host_module_create(a, &code, out, why);
}

int fg_host_module_run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  return fg_host_run(m->host, call, why);
}

int fg_host_module_time(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  return fg_host_time(m->host, call, seconds, ns, why);
}

int fg_host_module_sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  return fg_host_sample(m->host, call, s, why);
}

/* FFTW (fftw.h) on as many threads as the team has: its library for threads is loaded if there is more than one. */
#include "targets/team.h"
#include "tuning/baselines/baselines.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef struct threads {
  int (*init)(void);
  void (*plan_with)(int threads);
} threads;

static void *symbol_of(void *library, const char *prefix, const char *name) {
  char symbol[64];
  snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
  return dlsym(library, symbol);
}

/* One precision's. Stays loaded: plans need it. */
static bool open_threads(const char *file, const char *prefix, threads *out) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  void *init = library ? symbol_of(library, prefix, "init_threads") : NULL;
  void *plan_with = library ? symbol_of(library, prefix, "plan_with_nthreads") : NULL;
  if (!init || !plan_with) return false;
  memcpy(&out->init, &init, sizeof init);
  memcpy(&out->plan_with, &plan_with, sizeof plan_with);
  return out->init() != 0;
}

static int create(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out,
                  char why[FG_WHY_SIZE]) {
  threads t = {NULL, NULL};
  int count = fg_team_threads();
  bool single = p->storage == FG_F32;
  if (count > 1 &&
      !open_threads(single ? "libfftw3f_threads.so.3" : "libfftw3_threads.so.3", single ? "fftwf" : "fftw", &t))
    return snprintf(why, FG_WHY_SIZE, "no FFTW for %d threads (libfftw3_threads.so.3)", count), 1;
  if (t.plan_with) t.plan_with(count);
  int bad = fg_peer_create(p, params, effort, out, why);
  if (t.plan_with) t.plan_with(1);
  return bad;
}

const fg_rival fg_rival_fftw = {"FFTW", "", create, &fg_peer_device};

/* See fftw.h: of a program that is built without FFTW. */
#include "tuning/baselines/fftw.h"
#include <stdio.h>

int fg_peer_create(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out,
                   char why[FG_WHY_SIZE]) {
  (void)p, (void)params, (void)effort, (void)out;
  return snprintf(why, FG_WHY_SIZE, "this fftgen is built without FFTW"), 1;
}

static void destroy(fg_module *m) { (void)m; }

const fg_device fg_peer_device = {.name = "fftw", .destroy = destroy};

/* See baselines.h. */
#include "tuning/baselines/baselines.h"
#include <string.h>

static const fg_rival *const rivals[] = {&fg_rival_fftw, &fg_rival_cufft, &fg_rival_vkfft, &fg_rival_clfft};

static bool serves(const fg_rival *r, const fg_device *d) {
  return *r->device ? !strcmp(r->device, d->name) : !strcmp(d->name, "cc");
}

const fg_rival *fg_rival_of(const fg_device *d, int i) {
  for (size_t r = 0; r < sizeof rivals / sizeof *rivals; r++)
    if (serves(rivals[r], d) && i-- == 0) return rivals[r];
  return NULL;
}

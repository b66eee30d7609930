/* See foreign.h. In: names. Out: functions of the next library.
 *
 * A program may hold plans that FFTW itself made: of fftw_mpi, or from before this library was there. */
#include "fftw/api/foreign.h"
#include <dlfcn.h>

void *fg_foreign_function(const char *name, void **found) {
  void *at = __atomic_load_n(found, __ATOMIC_RELAXED);
  if (at) return at;
  if ((at = dlsym(RTLD_NEXT, name))) __atomic_store_n(found, at, __ATOMIC_RELAXED);
  return at;
}

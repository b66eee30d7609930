/* See registry.h. Tables are read-only and permanent; adding one is a store to the next free slot. Of several
 * kernels of one problem the last in its table is taken: emitters write from narrow to wide vectors. */
#include "runtime/store/registry.h"
#include "targets/cpu.h"
#include <pthread.h>
#include <string.h>

enum { TABLES = 256, MOST_BUFFERS = 128 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const fftgen_kernel *const *tables[TABLES];
static int ntable;

bool fg_registry_add(const fftgen_kernel *const *table) {
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < ntable && tables[i] != table) i++;
  bool fits = i < TABLES;
  if (fits) tables[i] = table;
  if (fits && i == ntable) ntable++;
  pthread_mutex_unlock(&lock);
  return fits;
}

const char *fg_registry_refuse(const fftgen_kernel *k) {
  if (k->abi != FFTGEN_KERNEL_ABI) return "made for another version of this library";
  if ((k->steps > 0) != (k->part != NULL) || !k->entry || k->nbuffer < 1 || k->nbuffer > MOST_BUFFERS || !k->buffer)
    return "its description is damaged";
  if (!fg_cpu_has(k->features)) return "this CPU lacks features that it needs";
  return NULL;
}

const fftgen_kernel *fg_registry_find(const char *problem, const char *plan, const char **why) {
  const fftgen_kernel *best = NULL;
  *why = "no linked kernel for this problem";
  pthread_mutex_lock(&lock);
  for (int t = 0; t < ntable; t++)
    for (const fftgen_kernel *const *k = tables[t]; *k; k++) {
      if ((*k)->abi == FFTGEN_KERNEL_ABI && (strcmp((*k)->problem, problem) || (plan && strcmp((*k)->plan, plan))))
        continue;
      const char *refusal = fg_registry_refuse(*k);
      if (refusal)
        *why = refusal;
      else
        best = *k;
    }
  pthread_mutex_unlock(&lock);
  return best;
}

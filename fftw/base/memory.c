/* See memory.h. In: sizes. Out: memory. An execution takes what a plan keeps by one exchange of a pointer, so that any
 * number of threads may execute one plan. */
#include "fftw/base/memory.h"
#include <stdlib.h>

enum { ALIGN = 64 };

void *fg_memory_get(size_t bytes) {
  size_t whole = (bytes + ALIGN - 1) / ALIGN * ALIGN;
  if (whole < bytes) return NULL;
  return aligned_alloc(ALIGN, whole ? whole : ALIGN);
}

void fg_memory_free(void *memory) { free(memory); }

void *fg_loan_take(fg_loan *l) {
  if (!l->bytes) return NULL;
  void *memory = __atomic_exchange_n(&l->kept, NULL, __ATOMIC_ACQUIRE);
  return memory ? memory : fg_memory_get(l->bytes);
}

void fg_loan_return(fg_loan *l, void *memory) {
  void *none = NULL;
  if (!memory || __atomic_compare_exchange_n(&l->kept, &none, memory, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    return;
  fg_memory_free(memory);
}

void fg_loan_close(fg_loan *l) { fg_memory_free(l->kept); }

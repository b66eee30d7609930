/* Memory beyond the caches: every page of it is looked up again in each pass, and small pages share the
 * L2's sets as it happens. It is asked for in large ones, where the system has them on demand. */
#ifndef FG_PAGES_H
#define FG_PAGES_H
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { FG_LARGE_PAGE = 2 << 20 };

/* memory: a large page's multiple that was not written to yet. */
static inline void fg_pages_enlarge(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (memory) madvise(memory, bytes, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}

/* For scratch and tables; free() takes it back. NULL: there is none. */
static inline void *fg_pages_allocate(size_t bytes, size_t alignment) {
  bool large = bytes >= FG_LARGE_PAGE;
  if (large && alignment < FG_LARGE_PAGE) alignment = FG_LARGE_PAGE;
  size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void *memory = aligned_alloc(alignment, whole);
  if (large) fg_pages_enlarge(memory, whole);
  return memory;
}
#endif

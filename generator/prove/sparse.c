/* See sparse.h. In: sizes. Out: mapped memory; whether parts of it were touched.
 *
 * The idea: a page of an anonymous mapping exists once it was read or written, and mincore says whether it does. Small
 * pages alone: a large one would exist beyond what is touched. */
#include "generator/prove/sparse.h"
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 1 << 12 }; /* asked for at once */

void *fg_sparse_zeros(fg_sparse *s, size_t bytes) {
  if (s->count == FG_SPARSE_MOST) return NULL;
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return NULL;
  (void)madvise(at, bytes, MADV_NOHUGEPAGE);
  s->map[s->count].at = at, s->map[s->count++].bytes = bytes;
  return at;
}

bool fg_sparse_is_untouched(const void *from, size_t bytes) {
  unsigned char exists[PAGES];
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = ((uintptr_t)from + page - 1) / page * page;
  uintptr_t end = ((uintptr_t)from + bytes) / page * page;
  while (at < end) {
    size_t count = (end - at) / page < PAGES ? (end - at) / page : PAGES;
    if (mincore((void *)at, count * page, exists)) return false;
    for (size_t i = 0; i < count; i++)
      if (exists[i] & 1) return false;
    at += count * page;
  }
  return true;
}

void fg_sparse_free(fg_sparse *s) {
  while (s->count > 0) {
    s->count--;
    munmap(s->map[s->count].at, s->map[s->count].bytes);
  }
}

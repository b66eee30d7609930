/* Memory for arrays of which only parts are used: zeros, whose pages exist once they are touched. */
#ifndef FG_PROVE_SPARSE_H
#define FG_PROVE_SPARSE_H
#include <stdbool.h>
#include <stddef.h>

enum { FG_SPARSE_MOST = 16 };

typedef struct fg_sparse {
  int count;
  struct {
    void *at;
    size_t bytes;
  } map[FG_SPARSE_MOST];
} fg_sparse;

void *fg_sparse_zeros(fg_sparse *s, size_t bytes); /* NULL: there is no room */
/* None of the whole pages in between was read or stored to. */
bool fg_sparse_is_untouched(const void *from, size_t bytes);
void fg_sparse_free(fg_sparse *s);
#endif

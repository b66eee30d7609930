/* See layout.h. */
#include "runtime/plan/layout.h"
#include <string.h>

/* Elements one by one; sizes that are known are single moves. */
static void copy_elements(int bytes, int64_t count, const char *from, int64_t from_step, char *to, int64_t to_step) {
#define CASE(size)                                                                                                     \
  case size:                                                                                                           \
    for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, size);                          \
    break
  switch (bytes) {
    CASE(1);
    CASE(2);
    CASE(4);
    CASE(8);
    CASE(16);
  default: break;
  }
#undef CASE
}

static void copy_row(const fg_layout *l, int d, const char *from, int64_t from_stride, char *to, int64_t to_stride) {
  if (from_stride == 1 && to_stride == 1)
    memcpy(to, from, (size_t)(l->present[d] * l->bytes));
  else
    copy_elements(l->bytes, l->present[d], from, from_stride * l->bytes, to, to_stride * l->bytes);
}

static void gather(const fg_layout *l, int d, const char *from, char *to) {
  int64_t dense = l->dense[d] * l->bytes, stride = l->stride[d] * l->bytes;
  if (d == l->rank - 1)
    copy_row(l, d, from, l->stride[d], to, l->dense[d]);
  else
    for (int64_t i = 0; i < l->present[d]; i++) gather(l, d + 1, from + i * stride, to + i * dense);
  if (l->present[d] < l->n[d]) memset(to + l->present[d] * dense, 0, (size_t)((l->n[d] - l->present[d]) * dense));
}

static void scatter(const fg_layout *l, int d, const char *from, char *to) {
  int64_t dense = l->dense[d] * l->bytes, stride = l->stride[d] * l->bytes;
  if (d == l->rank - 1)
    copy_row(l, d, from, l->dense[d], to, l->stride[d]);
  else
    for (int64_t i = 0; i < l->present[d]; i++) scatter(l, d + 1, from + i * dense, to + i * stride);
}

void fg_layout_gather(const fg_layout *l, const void *from, void *to) { gather(l, 0, from, to); }

void fg_layout_scatter(const fg_layout *l, const void *from, void *to) { scatter(l, 0, from, to); }

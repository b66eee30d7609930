/* A transform's elements in an array of the caller's, and densely in one of ours. */
#ifndef FG_LAYOUT_H
#define FG_LAYOUT_H
#include "generator/problem/problem.h"

typedef struct fg_layout {
  int rank;
  int bytes;                                       /* of an element in one array */
  int64_t n[FG_MAX_RANK];                          /* elements along each dimension, slowest first */
  int64_t present[FG_MAX_RANK];                    /* that the caller's array has of them */
  int64_t stride[FG_MAX_RANK], dense[FG_MAX_RANK]; /* in elements: the caller's, which may be 0 or negative; ours */
} fg_layout;

/* From the caller's array; what it does not have becomes zeros. */
void fg_layout_gather(const fg_layout *l, const void *from, void *to);
void fg_layout_scatter(const fg_layout *l, const void *from, void *to); /* to the caller's, what it has */
#endif

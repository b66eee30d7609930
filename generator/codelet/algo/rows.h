/* The functions of the table's rows. */
#ifndef FG_ALGO_ROWS_H
#define FG_ALGO_ROWS_H
#include "generator/codelet/algo/algo.h"

#define ROW(name)                                                                                                      \
  bool fg_##name##_applies(int n);                                                                                     \
  void fg_##name##_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out)
ROW(direct);
ROW(symmetric);
ROW(rader);
ROW(prime_factor);
ROW(tangent);
ROW(split_radix);
ROW(cooley_tukey);
ROW(parted);
#undef ROW

/* Points of the convolutions that a prime's transform is done by: (p-1)/2, or more. */
int fg_rader_points(int p);
#endif

/* Complex values of the graph: two edges. */
#ifndef FG_CODELET_COMPLEX_EDGE_H
#define FG_CODELET_COMPLEX_EDGE_H
#include "generator/codelet/dag.h"

/* Complex values. */
typedef struct fg_cedge {
  fg_edge re, im;
} fg_cedge;

fg_cedge fg_dag_cadd(fg_dag *d, fg_cedge a, fg_cedge b);
fg_cedge fg_dag_csub(fg_dag *d, fg_cedge a, fg_cedge b);
fg_cedge fg_dag_cscale(fg_dag *d, fg_const c, fg_cedge a);
fg_cedge fg_dag_mul_constant(fg_dag *d, fg_cedge a, fg_const re, fg_const im); /* times re + i im */
fg_cedge fg_dag_mul_i(fg_cedge a, int sign);                                   /* times sign * i */
fg_cedge fg_dag_mul_root(fg_dag *d, fg_cedge a, int64_t k, int64_t n);         /* times exp(2 pi i k / n) */
fg_cedge fg_dag_mul_twiddle(fg_dag *d, fg_cedge a, uint32_t slot);             /* times TW[slot] + i TW[slot + 1] */
fg_cedge fg_dag_mul_conjugate(fg_dag *d, fg_cedge a, uint32_t slot);           /* times TW[slot] - i TW[slot + 1] */
#endif

/* An algorithm: a way to write the DFT of n complex numbers,
 * X[k] = sum_j x[j] exp(sign 2 pi i j k / n), as real operations in a graph.
 * One file each; table.c lists them. */
#ifndef FG_ALGO_H
#define FG_ALGO_H
#include "generator/codelet/complex_edge.h"

typedef struct fg_dft {
  int n, sign; /* sign: -1 or +1; it is a parameter of every algorithm */
} fg_dft;

typedef struct fg_algo {
  const char *name;
  bool (*applies)(int n);
  /* in[n] -> out[n]; they do not overlap. */
  void (*build)(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out);
} fg_algo;

/* The rows by preference, ended by one without a name. */
extern const fg_algo fg_algo_table[];
const fg_algo *fg_algo_find(const char *name); /* NULL: no such row */
/* The row that the recursion takes for n, by errors first when accurate; NULL: none. */
const fg_algo *fg_algo_best(int n, fg_fma_form form, int accuracy);
/* The recursion of every algorithm: the best row's transform. */
void fg_algo_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out);
/* A multiple of the orders of all roots of unity that a transform of n may use, by any row. */
uint64_t fg_algo_order(int n);

/* Arithmetic that several rows need. */
bool fg_algo_is_prime(int n);
int fg_algo_power(int base, int e, int p); /* base^e mod p, e >= 0 */
int fg_algo_generator(int p);              /* of the multiplicative group modulo a prime */
#endif

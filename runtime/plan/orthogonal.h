/* FFTGEN_ORTHOGONAL: cosine and sine transforms whose matrix is orthogonal, by operations while loading and storing. */
#ifndef FG_ORTHOGONAL_H
#define FG_ORTHOGONAL_H
#include "runtime/include/fftgen/problem.h"
#include <stdbool.h>

typedef struct fg_orthogonal { /* lists of operations; "": none */
  char load[256], store[320];
} fg_orthogonal;

/* Adds to the lists. False: of another kind, or too many dimensions for an expression. */
bool fg_orthogonal_of(const fftgen_problem *p, fg_orthogonal *out);
#endif

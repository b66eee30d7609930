/* Transforms in long doubles by this file alone: the references of a program that is built without FFTW. */
#ifndef FG_PLAIN_H
#define FG_PLAIN_H
#include "generator/problem/problem.h"

typedef struct fg_plain fg_plain;

/* As FFTW's plans in place: of r2c and c2r, rows of reals are as long as those of complex numbers, r2c is forward and c2r
 * backward; cosine and sine transforms have no factor. NULL: out of memory. */
fg_plain *fg_plain_create(fg_kind kind, int rank, const int *length, int sign);
void fg_plain_run(fg_plain *p, long double *data);
void fg_plain_destroy(fg_plain *p); /* NULL allowed */
#endif

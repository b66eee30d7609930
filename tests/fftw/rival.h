/* Two libraries with FFTW's functions in one process, and problems for both: ours and a rival. */
#ifndef FG_TESTS_FFTW_RIVAL_H
#define FG_TESTS_FFTW_RIVAL_H
#include "problem.h"
#include <stddef.h>

typedef struct library library;

/* By its path; symbols of the one do not see those of the other. Ends the program where there is none. */
library *library_open(const char *path);

typedef struct arrays {
  real *re[2], *im[2]; /* element 0 of input and output; im: NULL of reals */
  real *memory[2];
  size_t size[2]; /* numbers */
} arrays;

/* Room for both sides by their strides, all zero. */
void arrays_get(arrays *a, const problem *p);
void arrays_free(arrays *a);

X(plan) library_plan(const library *l, const problem *p, const arrays *a); /* NULL: there is none */
void library_execute(const library *l, X(plan) plan);
void library_destroy(const library *l, X(plan) plan);
void library_forget(const library *l); /* wisdom and all that is kept; no plan is there */

/* As a text: kind, dimensions with strides, vectors. */
const char *problem_text(const problem *p);
int64_t problem_elements(const problem *p, int d, bool output);
double now(void);                /* seconds of this thread */
double now_of_all_threads(void); /* of whatever plans */
int compare_doubles(const void *a, const void *b);
#endif

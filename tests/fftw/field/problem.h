/* A problem of the proof: a request, its arrays, and whether a plan of it is right. */
#ifndef FG_FFTW_FIELD_PROBLEM_H
#define FG_FFTW_FIELD_PROBLEM_H
#include "fftw/sweep/transform.h"
#include "field.h"

enum { PROBLEM_AXES = 5 };

typedef struct problem {
  int rank, vectors;               /* axes: dimensions, then vectors */
  fg_line_type type[PROBLEM_AXES]; /* of dimensions */
  fg_dim axis[PROBLEM_AXES];       /* strides in numbers */
  bool complex_in, complex_out, split, in_place, preserve, scaled;
} problem;

typedef enum problem_verdict { PROBLEM_RIGHT, PROBLEM_WRONG, PROBLEM_NO_FIELD } problem_verdict;

/* Dense arrays; `order`: of axes in memory, slowest first, of input and output; `room` elements more in each row. */
void problem_lay_out(problem *p, const int *order_in, const int *order_out, int room);
/* Over a field that is drawn for it. *plan: the plan as text. */
problem_verdict problem_prove(const problem *p, uint64_t *random, char *plan, size_t size);
void problem_print(const problem *p, FILE *to);
#endif

/* A step: a line for every vector, from one array to another or in place. */
#ifndef FG_FFTW_SWEEP_STEP_H
#define FG_FFTW_SWEEP_STEP_H
#include "fftw/sweep/transform.h"

enum { FG_PLACE_IN, FG_PLACE_OUT, FG_PLACE_TEMP, FG_PLACES };

typedef struct fg_step {
  int from, to;     /* FG_PLACE_... */
  bool shared;      /* both are one memory */
  fg_line *line;    /* NULL: a copy */
  fg_line *columns; /* the same of neighbouring lines; NULL: there is none, or no neighbours */
  fg_dim dim;       /* along the line; a copy: of n elements */
  bool complex_in, complex_out;
  bool split_in, split_out; /* parts of complex numbers in two arrays */
  int vectors;
  fg_dim *vector;                /* the last one innermost */
  int64_t parts;                 /* that may run side by side */
  int64_t lines;                 /* of the innermost vector's at a time */
  ptrdiff_t pitch_in, pitch_out; /* of rows in memory of the step's */
  size_t work;                   /* numbers of memory for one run: rows in, rows out, the line's */
  fg_loan loan;                  /* of so many */
} fg_step;

/* Of a step whose places, line, dim, layouts and vectors are set: orders the vectors, finds how many lines go together.
 */
void fg_step_prepare(fg_step *s);
/* Runs its parts first .. end - 1; work has s->work numbers. */
void fg_step_run(const fg_step *s, fg_array in, fg_array out, int64_t first, int64_t end, fg_real *work);
#endif

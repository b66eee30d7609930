/* A step: a line for every vector, from one array to another or in place. */
#ifndef FG_FFTW_SWEEP_STEP_H
#define FG_FFTW_SWEEP_STEP_H
#include "fftw/codelet/codelet.h"
#include "fftw/line/each.h"
#include "fftw/sweep/transform.h"

enum { FG_PLACE_IN, FG_PLACE_OUT, FG_PLACE_TEMP, FG_PLACES };

typedef enum fg_step_form {
  FG_STEP_COPY,
  FG_STEP_ONE,              /* one short line: no groups */
  FG_STEP_LINES,            /* contiguous arrays, without copies */
  FG_STEP_COLUMNS,          /* neighbouring columns by one codelet, without copies */
  FG_STEP_COLUMNS_IN_PLACE, /* the same, by way of memory of the step's */
  FG_STEP_ACROSS,           /* the same by passes */
  FG_STEP_COLUMNS_INSIDE,   /* neighbouring columns by one codelet in place */
  FG_STEP_ROWS_INSIDE,      /* contiguous arrays by one codelet in place */
  FG_STEP_PARTS,            /* contiguous arrays of parts, without copies */
  FG_STEP_PAIRS,            /* neighbouring real columns, two of them as one of complex numbers */
  FG_STEP_EACH,             /* short ones one by one, without copies */
  FG_STEP_GATHERED          /* rows of copies, of inputs or of results or both */
} fg_step_form;

struct fg_step;
typedef void (*fg_direct)(const struct fg_step *s, fg_array in, fg_array out);

typedef struct fg_whole { /* what a codelet of all of the innermost vector is called with: numbers of elements */
  int64_t count;
  ptrdiff_t is, os, id, od;
} fg_whole;

typedef struct fg_step {
  int from, to;                     /* FG_PLACE_... */
  bool shared;                      /* both are one memory */
  fg_line *line;                    /* NULL: a copy */
  fg_line *uncopied;                /* the same of columns, or of arrays of parts; NULL: they are gathered */
  bool in_pairs;                    /* real columns; `uncopied` is a line of complex ones, or NULL: a codelet */
  fg_codelet_columns codelet;       /* on columns; NULL: none, or they are no columns */
  fg_codelet_columns_in columns_in; /* the same in place; NULL as well */
  fg_codelet_rows_in rows_in;       /* contiguous ones in place; NULL as well */
  fg_codelet_alone_in alone_in;     /* the same, one by one */
  bool copies;                      /* one by one, by copies of short lines */
  bool in_blocks;                   /* columns by way of memory on the stack */
  fg_each each;                     /* of FG_STEP_EACH */
  fg_dim dim;                       /* along the line; a copy: of n elements */
  bool complex_in, complex_out;
  bool split_in, split_out; /* parts of complex numbers in two arrays */
  int vectors;
  fg_dim *vector; /* the last one innermost */
  fg_step_form form;
  fg_direct direct;     /* does the whole step by one call; or NULL */
  fg_direct innermost;  /* does the innermost vector; or NULL */
  fg_codelet_rows rows; /* the line's */
  fg_whole whole;
  bool gathers, scatters;            /* inputs, results of a form that is gathered */
  int64_t parts;                     /* that may run side by side */
  int64_t lines;                     /* of the innermost vector's at a time */
  int64_t elements_in, elements_out; /* of a line */
  ptrdiff_t pitch_in, pitch_out;     /* of rows in memory of the step's */
  size_t work;                       /* numbers of memory for one run: rows in, rows out, the line's */
  fg_loan loan;                      /* of so many */
} fg_step;

enum {
  FG_STEP_SHORT = 1 << 14,              /* bytes of work that the stack has */
  FG_STEP_COPIED = 128,                 /* points of a line that is copied to the stack */
  FG_STEP_LANES = 32 / sizeof(fg_real), /* reals of a vector */
  FG_STEP_ALONE = 4                     /* points, beyond which a codelet that is alone is sooner over than loops */
};

/* The innermost vector. */
static inline fg_dim fg_step_inner(const fg_step *s) {
  return s->vectors ? s->vector[s->vectors - 1] : (fg_dim){.n = 1};
}

static inline int fg_step_unit(bool complex) { return complex ? 2 : 1; }

/* Elements that so many numbers are; not a division, which takes as long as a short transform. */
static inline ptrdiff_t fg_step_elements(ptrdiff_t numbers, bool complex) { return complex ? numbers / 2 : numbers; }

/* Of a step whose places, line, dim, layouts and vectors are set: orders the vectors, finds how many lines are taken
 * together.
 */
bool fg_step_prepare(fg_step *s); /* false: there is no memory */
typedef struct fg_step_arrays {
  fg_array in, out;
  const fg_factors *by; /* of results; NULL: they stay as they are */
} fg_step_arrays;

/* Runs all of it, or some of its parts. False: there is no memory. */
bool fg_step_run(fg_step *s, const fg_step_arrays *a);
bool fg_step_run_parts(fg_step *s, const fg_step_arrays *a, int64_t first, int64_t end);
/* The more, the less it costs where this step scales: rows that are in cache, copies, arrays with strides. */
int fg_step_scales_well(const fg_step *s);
/* Results that are there, times factors. */
void fg_step_scale(const fg_step *s, fg_array out, const fg_factors *by);
#endif

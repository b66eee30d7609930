/* A line: the transform of one contiguous array into another.
 *
 * Complex numbers are interleaved. What a line does is FFTW's definition of the kind, never scaled. Lines are shared:
 * one of a type and length that is there already is found again, with its tables, and counts its users. Any number of
 * threads may run one, each with memory of its own. */
#ifndef FG_FFTW_LINE_H
#define FG_FFTW_LINE_H
#include "fftw/base/real.h"

typedef enum fg_line_type {
  FG_LINE_FORWARD,  /* complex, exp(-i ...) */
  FG_LINE_BACKWARD, /* complex, exp(+i ...) */
  FG_LINE_R2C,      /* n reals to n/2 + 1 complex numbers */
  FG_LINE_C2R,      /* and back */
  FG_LINE_R2HC,     /* real kinds, in FFTW's order of them */
  FG_LINE_HC2R,
  FG_LINE_DHT,
  FG_LINE_REDFT00,
  FG_LINE_REDFT01,
  FG_LINE_REDFT10,
  FG_LINE_REDFT11,
  FG_LINE_RODFT00,
  FG_LINE_RODFT01,
  FG_LINE_RODFT10,
  FG_LINE_RODFT11,
  FG_LINE_ACROSS_FORWARD, /* complex ones of neighbouring columns (across.h) */
  FG_LINE_ACROSS_BACKWARD,
  FG_LINE_FEW_FORWARD, /* the same of few columns, whose number is part of n (across.h) */
  FG_LINE_FEW_BACKWARD,
  FG_LINE_PARTS, /* whose parts are in two arrays (parts.h) */
  FG_LINE_WHOLE, /* n reals to n complex numbers */
  FG_LINE_TYPES
} fg_line_type;

static inline bool fg_line_type_is_complex(fg_line_type type) {
  return type == FG_LINE_FORWARD || type == FG_LINE_BACKWARD;
}

typedef struct fg_line fg_line;
typedef struct fg_codelets fg_codelets; /* codelet.h */

typedef struct fg_line_method { /* a row of table.c */
  const char *name;
  bool (*applies)(fg_line_type type, int64_t n);
  bool (*create)(fg_line *l);  /* fills work, flops and whatever is its own; false: there is no memory */
  void (*destroy)(fg_line *l); /* what create made, all or a part of it */
  void (*run)(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work);
} fg_line_method;

enum { FG_LINE_PASSES = 40, FG_LINE_SUBLINES = 2, FG_LINE_TABLES = 2 };

typedef struct fg_twiddles fg_twiddles; /* twiddles.h */

typedef struct fg_pass { /* in place, in each of n / (radix * columns) blocks */
  const fg_codelets *codelets;
  int64_t columns;
  const fg_twiddles *factors;
  bool buffered; /* panels of columns are copied to a buffer; factors are packed by panel */
} fg_pass;

struct fg_line {
  const fg_line_method *method;
  fg_line_type type;
  int64_t n;
  size_t work; /* numbers of memory that a run takes */
  size_t over; /* and so many more where results overwrite the input; 0: all of it is read before */
  fg_flops flops;
  void (*alone)(const fg_real *in, fg_real *out, fg_real *scratch); /* one codelet is all of it; or NULL */
  size_t scratch;                                                   /* bytes that it takes, aligned to 64 */
  /* and of many lines; distances count complex numbers where a side is complex; or NULL */
  void (*rows)(const fg_real *in, fg_real *out, ptrdiff_t count, ptrdiff_t id, ptrdiff_t od);
  /* the same of lines that do more than one by one; distances count numbers; or NULL */
  void (*several)(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work, int64_t count, ptrdiff_t id,
                  ptrdiff_t od);
  size_t several_work;         /* that it takes */
  int rows_least;              /* of which it is faster than `alone`, one by one; 0: half a vector */
  const fg_codelets *codelets; /* a leaf pass's */
  int npass;                   /* Cooley-Tukey: the passes, first one first */
  fg_pass pass[FG_LINE_PASSES];
  fg_line *part[FG_LINE_SUBLINES]; /* shorter lines that it uses */
  fg_complex *table[FG_LINE_TABLES];
  int64_t *index; /* Rader: the order of elements */
  int users;
  fg_line *next; /* of its bucket */
};

/* NULL: there is no memory. Released by as many calls. */
fg_line *fg_line_get(fg_line_type type, int64_t n);
void fg_line_release(fg_line *l); /* NULL does nothing */
void fg_line_forget(void);        /* frees what is kept without users */

/* in is out, or they share nothing; work has l->work numbers, or l->work + l->over. */
void fg_line_run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work);
/* `count` of them, id and od numbers apart. Of more than one, work has l->several_work numbers where that is more. */
void fg_line_run_rows(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work, int64_t count, ptrdiff_t id,
                      ptrdiff_t od);

int64_t fg_line_elements(fg_line_type type, int64_t n, bool output); /* real or complex ones */
#endif

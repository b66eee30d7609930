/* Plans of any arrays for other interfaces than FFTW's: a table of functions for each precision, and nothing else that
 * a program could see.
 *
 * Plans are looked up by their problem, and stay for later calls as long as there are not too many. This header names
 * no precision: its users may use both. */
#ifndef FG_FFTW_ENGINE_H
#define FG_FFTW_ENGINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fg_engine_kind { /* of all dimensions; of the last one where a side is real: the others are complex */
                              FG_ENGINE_FORWARD,
                              FG_ENGINE_BACKWARD,
                              FG_ENGINE_R2C, /* forward */
                              FG_ENGINE_C2R, /* backward */
                              FG_ENGINE_DCT1,
                              FG_ENGINE_DCT2,
                              FG_ENGINE_DCT3,
                              FG_ENGINE_DCT4,
                              FG_ENGINE_DST1,
                              FG_ENGINE_DST2,
                              FG_ENGINE_DST3,
                              FG_ENGINE_DST4,
                              FG_ENGINE_WHOLE, /* R2C, and what that leaves out: all n complex numbers */
                              FG_ENGINE_KINDS
} fg_engine_kind;

typedef struct fg_engine_dim { /* strides count real numbers, and may be negative; those of inputs may be 0 */
  int64_t n, is, os;
} fg_engine_dim;

enum { FG_ENGINE_DIMS = 65 }; /* NumPy's 64, and one for the parts of complex numbers */

typedef struct fg_engine_problem {
  int32_t kind, rank, vectors; /* rank 1 or more */
  int32_t in_place;            /* input and output begin at one address; else they share nothing */
  int32_t threads;             /* at most */
  int32_t search;              /* milliseconds that looking for a faster kernel of libfftgen may take; 0: codelets */
  fg_engine_dim dim[FG_ENGINE_DIMS]; /* those of the transform, slowest first, then the vectors */
} fg_engine_problem;

typedef struct fg_engine_plan fg_engine_plan;

typedef struct fg_engine_counts {
  int64_t plans, limit, found, made, dropped; /* that are kept, at most; calls that found one; since the start */
  int64_t bytes;                              /* of memory that executions of kept plans borrow */
} fg_engine_counts;

typedef struct fg_engine {
  const char *precision;
  size_t real; /* bytes of a number */
  /* NULL: there is no memory. Each is released once. */
  fg_engine_plan *(*get)(const fg_engine_problem *p);
  bool (*knows)(const fg_engine_problem *p); /* whether get would find a plan */
  void (*release)(fg_engine_plan *p);
  /* Results times re; imaginary parts times im: -re conjugates. Any number of threads may run one plan. */
  bool (*run)(fg_engine_plan *p, const void *in, void *out, double re, double im); /* false: there is no memory */
  void (*print)(const fg_engine_plan *p, void (*put)(void *to, char c), void *to);
  bool (*is_compiled)(const fg_engine_plan *p); /* by libfftgen, for this problem */
  size_t (*bytes)(const fg_engine_plan *p);     /* of memory that an execution borrows */
  void (*count)(fg_engine_counts *c);
  void (*limit)(int64_t plans);       /* drops the plans beyond, the longest unused ones first; 0: and tables, too */
  void *(*library)(const char *name); /* a function of libfftgen's; NULL: the library is not there, or has none */
  /* work(data, 0) .. work(data, parts - 1), side by side; returns when all are over. */
  void (*parallel)(int parts, void (*work)(void *data, int part), void *data);
} fg_engine;

extern const fg_engine fg_engine_f64, fg_engine_f32;
#endif

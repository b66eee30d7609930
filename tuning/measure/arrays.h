/* A problem's arrays: the location of element k of transform t, and memory laid out that way with poison around and
 * between. */
#ifndef FG_ARRAYS_H
#define FG_ARRAYS_H
#include "generator/problem/problem.h"
#include <stddef.h>

typedef struct fg_geometry {
  int rank;
  int64_t n[FG_MAX_RANK];
  int64_t points, transforms;  /* points of one transform; transforms of one call */
  int64_t count_in, count_out; /* elements of one transform; real ones on a real side */
  bool real_in, real_out;
  int64_t *point_in, *point_out; /* [count]: offset in elements of element k within a transform */
  int64_t *start_in, *start_out; /* [transforms]: offset of transform t */
  int64_t extent_in, extent_out; /* elements that the arrays span */
  bool overlap_in;               /* some input element belongs to several transforms */
} fg_geometry;

typedef struct fg_arrays { /* leading places of a call: input (one, split two), output (likewise) */
  fg_precision type_in, type_out;
  bool split_in, split_out, in_place;
  bool real_in, real_out;
  int nslot;
  void *slot[4]; /* aligned to 64 bytes; in place: the output's are the input's */
  size_t bytes[4];
} fg_arrays;

/* params: run-time parameters (needed when the problem has some). All in cx's arena. */
void fg_geometry_create(fg_context *cx, const fg_problem *p, const int64_t *params, fg_geometry *out);

/* Everything poison (signalling NaNs, where the type has them), FG_ARRAYS_GUARD bytes before and behind included
 * (not a multiple of 2048: parts of an array shall not fall on the same cache sets). */
enum { FG_ARRAYS_GUARD = 2112 };
void fg_arrays_create(fg_context *cx, const fg_problem *p, const fg_geometry *g, fg_arrays *out);
/* One number of poison. */
void fg_arrays_poison(fg_precision type, void *at);
/* Bytes from the real to the imaginary part of a split array of `bytes` each:
 * always the same, as FFTW wants it. */
size_t fg_arrays_separation(size_t bytes);
/* Random numbers in -1..1 in all input elements; of whole ones, all that there are. */
void fg_arrays_fill(const fg_arrays *a, const fg_geometry *g, uint64_t seed);
/* Poison in the outputs again; in place: nothing. */
void fg_arrays_poison_output(const fg_arrays *a);
/* Transform t between the arrays and dense re, im pairs; im of a real side is 0. */
void fg_arrays_put_input(const fg_arrays *a, const fg_geometry *g, int64_t t, const double *x);
void fg_arrays_get_input(const fg_arrays *a, const fg_geometry *g, int64_t t, double *x);
void fg_arrays_get_output(const fg_arrays *a, const fg_geometry *g, int64_t t, double *y);
/* NULL, or what was written that must not be: "before the output array", ... */
const char *fg_arrays_damage(const fg_arrays *a, const fg_geometry *g, const unsigned char *may_write);
/* may_write[number of an output array]: 1 for outputs (in place: and inputs). In cx's arena. */
unsigned char *fg_arrays_may_write(fg_context *cx, const fg_arrays *a, const fg_geometry *g);
#endif

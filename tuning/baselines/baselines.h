/* Baselines: other libraries for the same device, if they are present. Each is a file and a row of the table in
 * baselines.c. */
#ifndef FG_RIVAL_H
#define FG_RIVAL_H
#include "tuning/baselines/fftw.h"

typedef struct fg_rival {
  const char *name;
  const char *device; /* of the table whose arrays and threads it uses: "cuda"; "": those of CPUs */
  /* effort: of its planner, where it has one */
  int (*create)(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out, char why[FG_WHY_SIZE]);
  const fg_device *as_device; /* run, time, sample, destroy */
} fg_rival;

extern const fg_rival fg_rival_fftw, fg_rival_cufft, fg_rival_vkfft, fg_rival_clfft;

/* Number i of those that run on d; NULL: there are no more. */
const fg_rival *fg_rival_of(const fg_device *d, int i);

/* What libraries of batches take: c2c, r2c and c2r of numbers one behind the other, interleaved (shape.c). 0, or
 * nonzero and why not. */
typedef struct fg_rival_shape {
  fg_kind kind;
  int rank, batch;
  int64_t n[3]; /* of the signal */
  size_t bytes_in, bytes_out;
  bool is_double;
} fg_rival_shape;
int fg_rival_shape_of(const fg_problem *p, const int64_t *params, fg_rival_shape *out, char why[FG_WHY_SIZE]);

#endif

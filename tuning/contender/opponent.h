/* Opponents of convolutions: libraries that have transforms alone. What a user writes around them is here as well: a
 * transform, a loop for the product, and a transform back. */
#ifndef CONTENDER_OPPONENT_H
#define CONTENDER_OPPONENT_H
#include <stdbool.h>
#include <stddef.h>

typedef struct conv_problem { /* dense, row-major, out of place */
  int rank, n[3];
  long batch;
  bool real, is_double, each; /* each: a spectrum for each transform, else one for all */
  long points, half;          /* of a transform, and of its spectrum */
} conv_problem;

typedef struct library {
  const char *name;
  const char *(*open)(const char *path); /* NULL: it is there, else why not; path: a folder or a file, NULL: usual */
  void (*remember)(const char *file, bool write); /* what its planner learned; NULL: nothing */
  /* `count` transforms there, from `in`, which stays as it is, to `work`, and back to `out`. NULL: it has no plan. */
  void *(*plan)(const conv_problem *p, long count, bool patient, void *in, void *work, void *out);
  void (*there)(void *plan, void *in, void *work);
  void (*back)(void *plan, void *work, void *out);
  void (*destroy)(void *plan);
} library;

extern const library library_fftw, library_mkl, library_kfr;

/* A library's convolution: all transforms of a batch, all products, all transforms back; or one after the other. */
typedef struct opponent {
  const library *library;
  conv_problem problem;
  void *plan, *work;
  bool one_by_one;
} opponent;

bool opponent_create(const library *l, const conv_problem *p, bool one_by_one, bool patient, void *in, void *out,
                     opponent *o);
void opponent_run(const opponent *o, void *in, const void *spectrum, void *out);
void opponent_destroy(opponent *o);

size_t conv_number(const conv_problem *p);   /* bytes of a real number */
size_t conv_in_bytes(const conv_problem *p); /* of input, and output */
size_t conv_spectrum_bytes(const conv_problem *p);
void *conv_memory(size_t bytes); /* aligned to 64 bytes, in large pages from 1 MiB on, zero */
#endif

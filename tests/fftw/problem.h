/* Problems of FFTW's guru interface with numbers drawn, their results by the definition in long double, and how far a
 * library's results are from them. */
#ifndef FG_TESTS_FFTW_PROBLEM_H
#define FG_TESTS_FFTW_PROBLEM_H
#include "fftw/include/fftw3.h"
#include <stdbool.h>
#include <stdint.h>

#if FG_FFTW_SINGLE
#define X(name) FFTW_MANGLE_FLOAT(name)
typedef float real;
#define UNIT 5.96e-8
#else
#define X(name) FFTW_MANGLE_DOUBLE(name)
typedef double real;
#define UNIT 1.11e-16
#endif

enum { DFT = -1, R2C = -2, C2R = -3 }; /* beside the kinds of r2r */
enum { MOST_DIMS = 9 };

typedef struct problem {
  int kind[MOST_DIMS]; /* DFT, R2C or C2R in all dimensions, or kinds of r2r */
  int rank, vectors, sign;
  X(iodim64) dim[MOST_DIMS], vector[MOST_DIMS];
  bool split, in_place;
  unsigned flags;
} problem;

/* Strides of both sides: rows, or drawn; vectors, too. */
void problem_lay_out(problem *p, uint64_t *random, bool drawn);
/* Plans, executes, compares: the relative error, or a message and -1. Nothing but results may be written, and nothing
 * read outside of the arrays. */
double problem_error(const problem *p, const char **why);

double problem_allowed(const problem *p); /* of that error */
/* Any rank, vectors, strides of either sign, layouts, in place and not. */
void problem_draw(problem *p, uint64_t *random);
static inline uint64_t draw(uint64_t *random, uint64_t below) { /* SplitMix64 */
  uint64_t x = (*random += 0x9e3779b97f4a7c15u);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return (x ^ x >> 31) % below;
}
#endif

/* One transform in place by FFTW, in the precision that its caller names, or by plain.h in a program without FFTW: the
 * build takes planned_fftw.c or planned_plain.c. */
#ifndef FG_PLANNED_H
#define FG_PLANNED_H
#include "generator/problem/problem.h"

enum { FG_PLANNED_RANK = 16 };

typedef enum fg_digits { FG_DIGITS_QUAD, FG_DIGITS_WIDE, FG_DIGITS_DOUBLE } fg_digits; /* 113, 64 or 53 bits */

typedef struct fg_planned {
  fg_digits digits; /* those that are wanted, then those that it has */
  __float128 *quad; /* the numbers; NULL where they are not these digits' */
  long double *wide;
  double *narrow;
  void *plan;
} fg_planned;

/* With p->digits set, of so many complex numbers of room. false: out of memory, or no plan. */
bool fg_planned_make(fg_planned *p, fg_kind kind, int rank, const int *length, int sign, int64_t complexes);
void fg_planned_run(fg_planned *p);
void fg_planned_end(fg_planned *p); /* what was made, in part or whole */

static inline void fg_planned_put(fg_planned *p, int64_t i, long double x) {
  if (p->quad)
    p->quad[i] = x;
  else if (p->wide)
    p->wide[i] = x;
  else
    p->narrow[i] = (double)x;
}

static inline long double fg_planned_get(const fg_planned *p, int64_t i) {
  return p->quad ? (long double)p->quad[i] : p->wide ? p->wide[i] : (long double)p->narrow[i];
}
#endif

/* See planned.h. Planning is serialised, because FFTW's planner has global state. */
#include "tuning/measure/planned.h"
#include "tuning/measure/planner_lock.h"
#include <fftw3.h>

#ifdef __clang__ /* has the type, but the header leaves its functions out */
FFTW_DEFINE_API(FFTW_MANGLE_QUAD, __float128, fftwq_complex)
#endif

#define LONG_TRANSFORM (INT64_C(1) << 16) /* elements, from which 113 bits take too long */

typedef struct order {
  fg_kind kind;
  int rank, sign;
  const int *length;
  fftw_r2r_kind kinds[FG_PLANNED_RANK];
} order;

/* One of FFTW's libraries: its prefix, its number, where the numbers are. */
#define PLANNER(NAME, FFTW, NUMBER, ARRAY)                                                                             \
  static void NAME(fg_planned *p, const order *o) {                                                                    \
    NUMBER *reals = p->ARRAY;                                                                                          \
    FFTW##_complex *data = (FFTW##_complex *)reals;                                                                    \
    if (o->kind == FG_C2C)                                                                                             \
      p->plan = FFTW##_plan_dft(o->rank, o->length, data, data, o->sign, FFTW_ESTIMATE);                               \
    else if (o->kind == FG_R2C)                                                                                        \
      p->plan = FFTW##_plan_dft_r2c(o->rank, o->length, reals, data, FFTW_ESTIMATE);                                   \
    else if (o->kind == FG_C2R)                                                                                        \
      p->plan = FFTW##_plan_dft_c2r(o->rank, o->length, data, reals, FFTW_ESTIMATE);                                   \
    else                                                                                                               \
      p->plan = FFTW##_plan_r2r(o->rank, o->length, reals, reals, o->kinds, FFTW_ESTIMATE);                            \
  }
PLANNER(plan_quad, fftwq, __float128, quad)
PLANNER(plan_wide, fftwl, long double, wide)
PLANNER(plan_double, fftw, double, narrow)

bool fg_planned_make(fg_planned *p, fg_kind kind, int rank, const int *length, int sign, int64_t complexes) {
  static const fftw_r2r_kind of[FG_KIND_COUNT] = {
      [FG_DCT1] = FFTW_REDFT00, [FG_DCT2] = FFTW_REDFT10,  [FG_DCT3] = FFTW_REDFT01, [FG_DCT4] = FFTW_REDFT11,
      [FG_MDCT] = FFTW_REDFT11, [FG_IMDCT] = FFTW_REDFT11, [FG_DST1] = FFTW_RODFT00, [FG_DST2] = FFTW_RODFT10,
      [FG_DST3] = FFTW_RODFT01, [FG_DST4] = FFTW_RODFT11};
  static void (*const plan[])(fg_planned *, const order *) = {plan_quad, plan_wide, plan_double};
  size_t count = 2 * (size_t)complexes;
  order o = {kind, rank, sign, length, {0}};
  for (int i = 0; i < rank; i++) o.kinds[i] = of[kind];
  if (p->digits == FG_DIGITS_QUAD && complexes >= LONG_TRANSFORM) p->digits = FG_DIGITS_WIDE;
  if (p->digits == FG_DIGITS_QUAD) p->quad = fftwq_malloc(count * sizeof *p->quad);
  if (p->digits == FG_DIGITS_WIDE) p->wide = fftwl_malloc(count * sizeof *p->wide);
  if (p->digits == FG_DIGITS_DOUBLE) p->narrow = fftw_malloc(count * sizeof *p->narrow);
  if (!p->quad && !p->wide && !p->narrow) return false;
  pthread_mutex_lock(&fg_planner_lock);
  plan[p->digits](p, &o);
  pthread_mutex_unlock(&fg_planner_lock);
  return p->plan;
}

void fg_planned_run(fg_planned *p) {
  if (p->digits == FG_DIGITS_QUAD)
    fftwq_execute(p->plan);
  else if (p->digits == FG_DIGITS_WIDE)
    fftwl_execute(p->plan);
  else
    fftw_execute(p->plan);
}

void fg_planned_end(fg_planned *p) {
  pthread_mutex_lock(&fg_planner_lock);
  if (p->plan && p->digits == FG_DIGITS_QUAD) fftwq_destroy_plan(p->plan);
  if (p->plan && p->digits == FG_DIGITS_WIDE) fftwl_destroy_plan(p->plan);
  if (p->plan && p->digits == FG_DIGITS_DOUBLE) fftw_destroy_plan(p->plan);
  pthread_mutex_unlock(&fg_planner_lock);
  fftwq_free(p->quad);
  fftwl_free(p->wide);
  fftw_free(p->narrow);
}

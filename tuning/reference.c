/* See reference.h. FFTW's quad library does the work; planning is serialised,
 * because FFTW's planner keeps global state. */
#include "tuning/reference.h"
#include "tuning/planner_lock.h"
#include <fftw3.h>
#include <limits.h>
#include <stdlib.h>

#ifdef __clang__ /* has the type, but the header leaves its functions out */
FFTW_DEFINE_API(FFTW_MANGLE_QUAD, __float128, fftwq_complex)
#endif

struct fg_reference {
  fftwq_plan plan;
  fftwq_complex *data; /* in place */
  int64_t points;
};

fg_reference *fg_reference_create(int rank, const int64_t *n, int sign) {
  int length[16];
  fg_reference *r = calloc(1, sizeof *r);
  if (!r || rank > 16) return free(r), NULL;
  r->points = 1;
  for (int i = 0; i < rank; i++) {
    if (n[i] > INT_MAX) return free(r), NULL;
    length[i] = (int)n[i];
    r->points *= n[i];
  }
  r->data = fftwq_malloc(sizeof *r->data * (size_t)r->points);
  if (r->data) {
    pthread_mutex_lock(&fg_planner_lock);
    r->plan = fftwq_plan_dft(rank, length, r->data, r->data, sign, FFTW_ESTIMATE);
    pthread_mutex_unlock(&fg_planner_lock);
  }
  if (r->plan) return r;
  fg_reference_destroy(r);
  return NULL;
}

void fg_reference_run(fg_reference *r, const double *in, long double *out) {
  for (int64_t k = 0; k < r->points; k++) {
    r->data[k][0] = in[2 * k];
    r->data[k][1] = in[2 * k + 1];
  }
  fftwq_execute(r->plan);
  for (int64_t k = 0; k < r->points; k++) {
    out[2 * k] = (long double)r->data[k][0];
    out[2 * k + 1] = (long double)r->data[k][1];
  }
}

void fg_reference_destroy(fg_reference *r) {
  if (!r) return;
  pthread_mutex_lock(&fg_planner_lock);
  if (r->plan) fftwq_destroy_plan(r->plan);
  pthread_mutex_unlock(&fg_planner_lock);
  fftwq_free(r->data);
  free(r);
}

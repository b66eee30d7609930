/* See reference.h. FFTW's quad library does the work; planning is serialised,
 * because FFTW's planner keeps global state. */
#include "tuning/reference.h"
#include "tuning/planner_lock.h"
#include <fftw3.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- kept results ---------------------------------------------------------- */

enum { MOST_KEPT = 64 << 20 };

typedef struct truth truth;
struct truth {
  truth *next;
  long double *out; /* behind it: the input */
  double *in;
};

struct fg_truths {
  truth *first;
  size_t bytes;
};

fg_truths *fg_truths_create(void) { return calloc(1, sizeof(fg_truths)); }

static void keep(fg_truths *truths, int64_t points, const double *in, const long double *out) {
  size_t in_bytes = sizeof *in * 2 * (size_t)points, out_bytes = sizeof *out * 2 * (size_t)points;
  if (truths->bytes + in_bytes + out_bytes > MOST_KEPT) return;
  truth *t = calloc(1, sizeof *t);
  if (!t || !(t->out = malloc(in_bytes + out_bytes))) {
    free(t);
    return;
  }
  t->in = (double *)(void *)((char *)t->out + out_bytes);
  memcpy(t->in, in, in_bytes);
  memcpy(t->out, out, out_bytes);
  t->next = truths->first;
  truths->first = t;
  truths->bytes += in_bytes + out_bytes;
}

void fg_truths_run(fg_truths *truths, fg_reference *r, const double *in, long double *out) {
  for (truth *t = truths ? truths->first : NULL; t; t = t->next)
    if (!memcmp(t->in, in, sizeof *in * 2 * (size_t)r->points)) {
      memcpy(out, t->out, sizeof *out * 2 * (size_t)r->points);
      return;
    }
  fg_reference_run(r, in, out);
  if (truths) keep(truths, r->points, in, out);
}

void fg_truths_destroy(fg_truths *truths) {
  for (truth *t = truths ? truths->first : NULL, *next; t; t = next) {
    next = t->next;
    free(t->out);
    free(t);
  }
  free(truths);
}

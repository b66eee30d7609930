/* See opponent.h. Compiled for the machine, as a user of these libraries would. */
#include "tuning/contender/opponent.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, LARGE = 2 << 20, LARGE_FROM = 1 << 20 };

size_t conv_number(const conv_problem *p) { return p->is_double ? sizeof(double) : sizeof(float); }

size_t conv_in_bytes(const conv_problem *p) {
  return (size_t)(p->points * p->batch) * (p->real ? 1 : 2) * conv_number(p);
}

size_t conv_spectrum_bytes(const conv_problem *p) {
  return (size_t)(p->half * (p->each ? p->batch : 1)) * 2 * conv_number(p);
}

void *conv_memory(size_t bytes) {
  size_t unit = bytes >= LARGE_FROM ? LARGE : LINE, size = (bytes + unit - 1) / unit * unit;
  void *memory = aligned_alloc(unit, size ? size : unit);
  if (!memory) abort();
  if (unit == LARGE) madvise(memory, size, MADV_HUGEPAGE);
  memset(memory, 0, size);
  return memory;
}

static void multiply_f32(float *restrict w, const float *restrict h, long n) {
  for (long k = 0; k < n; k++) {
    float re = w[2 * k] * h[2 * k] - w[2 * k + 1] * h[2 * k + 1];
    float im = w[2 * k] * h[2 * k + 1] + w[2 * k + 1] * h[2 * k];
    w[2 * k] = re, w[2 * k + 1] = im;
  }
}

static void multiply_f64(double *restrict w, const double *restrict h, long n) {
  for (long k = 0; k < n; k++) {
    double re = w[2 * k] * h[2 * k] - w[2 * k + 1] * h[2 * k + 1];
    double im = w[2 * k] * h[2 * k + 1] + w[2 * k + 1] * h[2 * k];
    w[2 * k] = re, w[2 * k + 1] = im;
  }
}

static void multiply(const conv_problem *p, void *work, const void *spectrum) {
  if (p->is_double)
    multiply_f64(work, spectrum, p->half);
  else
    multiply_f32(work, spectrum, p->half);
}

bool opponent_create(const library *l, const conv_problem *p, bool one_by_one, bool patient, void *in, void *out,
                     opponent *o) {
  long count = one_by_one ? 1 : p->batch;
  *o = (opponent){.library = l, .problem = *p, .one_by_one = one_by_one};
  o->work = conv_memory((size_t)(p->half * count) * 2 * conv_number(p));
  o->plan = l->plan(p, count, patient, in, o->work, out);
  if (!o->plan) free(o->work);
  return o->plan != NULL;
}

void opponent_run(const opponent *o, void *in, const void *spectrum, void *out) {
  const conv_problem *p = &o->problem;
  const library *l = o->library;
  size_t transform = (size_t)p->half * 2 * conv_number(p), from = p->each ? transform : 0;
  size_t side = conv_in_bytes(p) / (size_t)p->batch;
  const char *h = spectrum;
  if (!o->one_by_one) {
    l->there(o->plan, in, o->work);
    for (size_t i = 0; i < (size_t)p->batch; i++) multiply(p, (char *)o->work + i * transform, h + i * from);
    l->back(o->plan, o->work, out);
    return;
  }
  for (size_t i = 0; i < (size_t)p->batch; i++) {
    l->there(o->plan, (char *)in + i * side, o->work);
    multiply(p, o->work, h + i * from);
    l->back(o->plan, o->work, (char *)out + i * side);
  }
}

void opponent_destroy(opponent *o) {
  if (!o->plan) return;
  o->library->destroy(o->plan);
  free(o->work);
  o->plan = NULL;
}

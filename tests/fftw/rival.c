/* See rival.h. In: paths, problems. Out: plans of either library on the same arrays. */
#include "rival.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAME_OF(x) #x
#define NAME(x) NAME_OF(x)
/* name, type of the result, parameters */
#define GURU int, const X(iodim64) *, int, const X(iodim64) *
#define FUNCTIONS(F)                                                                                                   \
  F(plan_guru64_dft, X(plan), (GURU, X(complex) *, X(complex) *, int, unsigned))                                       \
  F(plan_guru64_split_dft, X(plan), (GURU, real *, real *, real *, real *, unsigned))                                  \
  F(plan_guru64_dft_r2c, X(plan), (GURU, real *, X(complex) *, unsigned))                                              \
  F(plan_guru64_dft_c2r, X(plan), (GURU, X(complex) *, real *, unsigned))                                              \
  F(plan_guru64_r2r, X(plan), (GURU, real *, real *, const X(r2r_kind) *, unsigned))                                   \
  F(execute, void, (X(plan)))                                                                                          \
  F(destroy_plan, void, (X(plan)))                                                                                     \
  F(cleanup, void, (void))

struct library {
#define MEMBER(name, type, parameters) type(*name) parameters;
  FUNCTIONS(MEMBER)
};

library *library_open(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) fprintf(stderr, "%s\n", dlerror()), exit(1);
  library *l = malloc(sizeof *l);
  if (!l) exit(1);
#define FIND(name, type, parameters)                                                                                   \
  *(void **)&l->name = dlsym(handle, NAME(X(name)));                                                                   \
  if (!l->name) fprintf(stderr, "%s has no %s\n", path, NAME(X(name))), exit(1);
  FUNCTIONS(FIND)
  return l;
}

int64_t problem_elements(const problem *p, int d, bool output) {
  if (d >= p->rank) return p->vector[d - p->rank].n;
  bool half = d == p->rank - 1 && p->kind[0] == (output ? R2C : C2R);
  return half ? p->dim[d].n / 2 + 1 : p->dim[d].n;
}

void arrays_get(arrays *a, const problem *p) {
  static real some;
  memset(a, 0, sizeof *a);
  for (int o = 0; o < 2; o++) {
    bool complex = p->kind[0] == DFT || p->kind[0] == (o ? R2C : C2R);
    int64_t last = 0;
    for (int i = 0; i < p->rank + p->vectors; i++) {
      const X(iodim64) *d = i < p->rank ? &p->dim[i] : &p->vector[i - p->rank];
      last += (problem_elements(p, i, o) - 1) * (o ? d->os : d->is);
    }
    a->size[o] = (size_t)(last + 1) * (complex ? 2 : 1);
    if (p->in_place && o && a->size[1] < a->size[0]) a->size[1] = a->size[0];
    a->im[o] = complex ? &some : NULL; /* for now: whether there is one */
  }
  if (p->in_place && a->size[0] < a->size[1]) a->size[0] = a->size[1];
  for (int o = 0; o < 2; o++) {
    size_t bytes = (sizeof(real) * a->size[o] + 63) / 64 * 64;
    a->memory[o] = o && p->in_place ? a->memory[0] : aligned_alloc(64, bytes);
    if (!a->memory[o]) exit(1);
    memset(a->memory[o], 0, bytes);
    a->re[o] = a->memory[o];
    if (a->im[o]) a->im[o] = a->re[o] + (p->split ? a->size[o] / 2 : 1);
  }
}

void arrays_free(arrays *a) {
  if (a->memory[1] != a->memory[0]) free(a->memory[1]);
  free(a->memory[0]);
}

X(plan) library_plan(const library *l, const problem *p, const arrays *a) {
  int rank = p->rank, vectors = p->vectors;
  X(complex) *in = (X(complex) *)a->re[0], *out = (X(complex) *)a->re[1];
  X(r2r_kind) kind[MOST_DIMS];
  for (int d = 0; d < rank && p->kind[0] >= 0; d++) kind[d] = (X(r2r_kind))p->kind[d];
  if (p->kind[0] == R2C) return l->plan_guru64_dft_r2c(rank, p->dim, vectors, p->vector, a->re[0], out, p->flags);
  if (p->kind[0] == C2R) return l->plan_guru64_dft_c2r(rank, p->dim, vectors, p->vector, in, a->re[1], p->flags);
  if (p->kind[0] >= 0) return l->plan_guru64_r2r(rank, p->dim, vectors, p->vector, a->re[0], a->re[1], kind, p->flags);
  if (p->split)
    return l->plan_guru64_split_dft(rank, p->dim, vectors, p->vector, a->re[0], a->im[0], a->re[1], a->im[1], p->flags);
  return l->plan_guru64_dft(rank, p->dim, vectors, p->vector, in, out, p->sign, p->flags);
}

void library_execute(const library *l, X(plan) plan) { l->execute(plan); }

void library_destroy(const library *l, X(plan) plan) { l->destroy_plan(plan); }

void library_forget(const library *l) { l->cleanup(); }

const char *problem_text(const problem *p) {
  static char text[512];
  static const char *const real_kind[] = {"r2hc",    "hc2r",    "dht",     "redft00", "redft01", "redft10",
                                          "redft11", "rodft00", "rodft01", "rodft10", "rodft11"};
  static const char *const kind[] = {"c2r", "r2c", "c2c"};
  int at = snprintf(text, sizeof text, "%s", p->kind[0] >= 0 ? real_kind[p->kind[0]] : kind[p->kind[0] + 3]);
  for (int d = 1; d < p->rank && p->kind[0] >= 0; d++)
    at += snprintf(text + at, sizeof text - (size_t)at, "/%s", real_kind[p->kind[d]]);
  for (int i = 0; i < p->rank + p->vectors; i++) {
    const X(iodim64) *d = i < p->rank ? &p->dim[i] : &p->vector[i - p->rank];
    at += snprintf(text + at, sizeof text - (size_t)at, " %s%td:%td:%td", i < p->rank ? "" : "v", d->n, d->is, d->os);
  }
  snprintf(text + at, sizeof text - (size_t)at, "%s%s%s", p->split ? " split" : "", p->in_place ? " in-place" : "",
           p->sign > 0 ? " backward" : "");
  return text;
}

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double now(void) { return seconds(CLOCK_THREAD_CPUTIME_ID); }

double now_of_all_threads(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

int compare_doubles(const void *a, const void *b) {
  const double *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

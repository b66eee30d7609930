/* MKL by its DFTI, without its headers: functions are loaded from libmkl_rt. One thread. */
#include "tuning/contender/opponent.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the library's interface. */
enum {
  TRANSFORMS = 7,
  CONJUGATE_EVEN_STORAGE = 10,
  PLACEMENT = 11,
  INPUT_STRIDES = 12,
  OUTPUT_STRIDES = 13,
  INPUT_DISTANCE = 14,
  OUTPUT_DISTANCE = 15,
  THREAD_LIMIT = 27,
  COMPLEX = 32,
  REAL = 33,
  SINGLE = 35,
  DOUBLE = 36,
  COMPLEX_COMPLEX = 39,
  NOT_INPLACE = 44,
};

static struct {
  long (*create)(void **descriptor, int precision, int domain, long rank, ...);
  long (*set)(void *descriptor, int parameter, ...);
  long (*commit)(void *descriptor);
  long (*forward)(void *descriptor, void *in, ...);
  long (*backward)(void *descriptor, void *in, ...);
  long (*release)(void **descriptor);
} api;

typedef struct plans {
  void *there, *back;
} plans;

static const char *open_mkl(const char *path) {
  static const struct {
    const char *name;
    void *field;
  } functions[] = {{"DftiCreateDescriptor", &api.create},  {"DftiSetValue", &api.set},
                   {"DftiCommitDescriptor", &api.commit},  {"DftiComputeForward", &api.forward},
                   {"DftiComputeBackward", &api.backward}, {"DftiFreeDescriptor", &api.release}};
  static const char *const names[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"};
  void *library = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
  setenv("MKL_THREADING_LAYER", "SEQUENTIAL", 1);
  setenv("MKL_NUM_THREADS", "1", 1);
  for (size_t i = 0; !path && !library && i < sizeof names / sizeof *names; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
  if (!library) return "libmkl_rt is not there";
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *found = dlsym(library, functions[i].name);
    if (!found) return "libmkl_rt lacks a function";
    memcpy(functions[i].field, &found, sizeof found);
  }
  return NULL;
}

/* In: strides of both sides, [0] the offset. */
static void *descriptor(const conv_problem *p, long count, bool back, const long *real, const long *spectrum) {
  void *d = NULL;
  long n[3];
  int precision = p->is_double ? DOUBLE : SINGLE, domain = p->real ? REAL : COMPLEX;
  for (int i = 0; i < p->rank; i++) n[i] = p->n[i];
  long bad =
      p->rank == 1 ? api.create(&d, precision, domain, 1L, n[0]) : api.create(&d, precision, domain, (long)p->rank, n);
  if (bad) return NULL;
  bad |= api.set(d, PLACEMENT, NOT_INPLACE);
  if (p->real) bad |= api.set(d, CONJUGATE_EVEN_STORAGE, COMPLEX_COMPLEX);
  bad |= api.set(d, INPUT_STRIDES, back ? spectrum : real);
  bad |= api.set(d, OUTPUT_STRIDES, back ? real : spectrum);
  bad |= api.set(d, TRANSFORMS, count);
  bad |= api.set(d, INPUT_DISTANCE, back ? p->half : p->points);
  bad |= api.set(d, OUTPUT_DISTANCE, back ? p->points : p->half);
  bad |= api.set(d, THREAD_LIMIT, 1L);
  bad |= api.commit(d);
  if (bad) api.release(&d);
  return bad ? NULL : d;
}

static void destroy(void *plan) {
  plans *s = plan;
  if (s->there) api.release(&s->there);
  if (s->back) api.release(&s->back);
  free(s);
}

static void *plan(const conv_problem *p, long count, bool patient, void *in, void *work, void *out) {
  long real[4] = {0}, spectrum[4] = {0}, a = 1, b = 1;
  plans *s = calloc(1, sizeof *s);
  (void)patient, (void)in, (void)work, (void)out;
  if (!s) return NULL;
  for (int i = p->rank - 1; i >= 0; i--) {
    real[i + 1] = a, spectrum[i + 1] = b;
    a *= p->n[i];
    b *= p->real && i == p->rank - 1 ? p->n[i] / 2 + 1 : p->n[i];
  }
  s->there = descriptor(p, count, false, real, spectrum);
  s->back = descriptor(p, count, true, real, spectrum);
  if (s->there && s->back) return s;
  destroy(s);
  return NULL;
}

static void there(void *plan, void *in, void *work) { api.forward(((plans *)plan)->there, in, work); }

static void back(void *plan, void *work, void *out) { api.backward(((plans *)plan)->back, work, out); }

const library library_mkl = {"MKL", open_mkl, NULL, plan, there, back, destroy};

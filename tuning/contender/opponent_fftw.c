/* FFTW, any build of it, loaded on demand. One by one, transforms of a batch may begin at any alignment: their plan is
 * made for that where they do not begin with whole lines. */
#include "tuning/contender/opponent.h"
#include <dlfcn.h>
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };
static const double seconds = 10; /* of planning, for each plan */

/* One precision's functions. */
#define FUNCTIONS(F)                                                                                                   \
  F(plan_many_dft)                                                                                                     \
  F(plan_many_dft_r2c)                                                                                                 \
  F(plan_many_dft_c2r) F(execute_dft) F(execute_dft_r2c) F(execute_dft_c2r) F(destroy_plan) F(set_timelimit)           \
      F(import_wisdom_from_filename) F(export_wisdom_to_filename)
#define FIELD_F64(name) __typeof__(&fftw_##name) name;
#define FIELD_F32(name) __typeof__(&fftwf_##name) name;
static struct { FUNCTIONS(FIELD_F64) } f64;
static struct { FUNCTIONS(FIELD_F32) } f32;

typedef struct plans {
  bool real;
  fftw_plan there, back;
  fftwf_plan there_f32, back_f32;
} plans;

static void *open_library(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static bool find(void *library, const char *prefix, const char *name, void *field) {
  char symbol[64];
  snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
  void *found = dlsym(library, symbol);
  memcpy(field, &found, sizeof found);
  return found != NULL;
}

static const char *open_fftw(const char *folder) {
  void *doubles = open_library(folder, "libfftw3.so.3"), *floats = open_library(folder, "libfftw3f.so.3");
  bool all = doubles && floats;
  if (!all) return "libfftw3.so.3 and libfftw3f.so.3 are not there";
#define FIND_F64(name) all = all && find(doubles, "fftw", #name, &f64.name);
#define FIND_F32(name) all = all && find(floats, "fftwf", #name, &f32.name);
  FUNCTIONS(FIND_F64)
  FUNCTIONS(FIND_F32)
  if (!all) return "libfftw3 lacks a function";
  const char *version = dlsym(doubles, "fftw_version");
  if (!version || strstr(version, "fftgen")) return "libfftw3 is fftgen's own here, not FFTW";
  f64.set_timelimit(seconds), f32.set_timelimit(seconds);
  return NULL;
}

static void remember(const char *file, bool write) {
  char name[4096];
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "%s.f%d", file, i ? 32 : 64);
    if (write)
      (i ? f32.export_wisdom_to_filename : f64.export_wisdom_to_filename)(name);
    else
      (i ? f32.import_wisdom_from_filename : f64.import_wisdom_from_filename)(name);
  }
}

static void destroy(void *plan) {
  plans *p = plan;
  if (p->there) f64.destroy_plan(p->there);
  if (p->back) f64.destroy_plan(p->back);
  if (p->there_f32) f32.destroy_plan(p->there_f32);
  if (p->back_f32) f32.destroy_plan(p->back_f32);
  free(p);
}

static void plan_f64(plans *s, const conv_problem *p, int count, unsigned flags, void *in, void *work, void *out) {
  int n = (int)p->points, half = (int)p->half;
  if (p->real) {
    unsigned keep = flags | FFTW_PRESERVE_INPUT;
    s->there = f64.plan_many_dft_r2c(p->rank, p->n, count, in, NULL, 1, n, work, NULL, 1, half, keep);
    s->back = f64.plan_many_dft_c2r(p->rank, p->n, count, work, NULL, 1, half, out, NULL, 1, n, flags);
    return;
  }
  s->there = f64.plan_many_dft(p->rank, p->n, count, in, NULL, 1, n, work, NULL, 1, n, -1, flags | FFTW_PRESERVE_INPUT);
  s->back = f64.plan_many_dft(p->rank, p->n, count, work, NULL, 1, n, out, NULL, 1, n, +1, flags | FFTW_DESTROY_INPUT);
}

static void plan_f32(plans *s, const conv_problem *p, int count, unsigned flags, void *in, void *work, void *out) {
  int n = (int)p->points, half = (int)p->half;
  if (p->real) {
    unsigned keep = flags | FFTW_PRESERVE_INPUT;
    s->there_f32 = f32.plan_many_dft_r2c(p->rank, p->n, count, in, NULL, 1, n, work, NULL, 1, half, keep);
    s->back_f32 = f32.plan_many_dft_c2r(p->rank, p->n, count, work, NULL, 1, half, out, NULL, 1, n, flags);
    return;
  }
  s->there_f32 =
      f32.plan_many_dft(p->rank, p->n, count, in, NULL, 1, n, work, NULL, 1, n, -1, flags | FFTW_PRESERVE_INPUT);
  s->back_f32 =
      f32.plan_many_dft(p->rank, p->n, count, work, NULL, 1, n, out, NULL, 1, n, +1, flags | FFTW_DESTROY_INPUT);
}

static void *plan(const conv_problem *p, long count, bool patient, void *in, void *work, void *out) {
  plans *s = calloc(1, sizeof *s);
  bool lines = conv_in_bytes(p) / (size_t)p->batch % LINE == 0;
  unsigned flags = (patient ? FFTW_PATIENT : FFTW_MEASURE) | (count < p->batch && !lines ? FFTW_UNALIGNED : 0);
  if (!s) return NULL;
  s->real = p->real;
  (p->is_double ? plan_f64 : plan_f32)(s, p, (int)count, flags, in, work, out);
  if ((s->there && s->back) || (s->there_f32 && s->back_f32)) return s;
  destroy(s);
  return NULL;
}

static void there(void *plan, void *in, void *work) {
  const plans *s = plan;
  if (s->there && s->real)
    f64.execute_dft_r2c(s->there, in, work);
  else if (s->there)
    f64.execute_dft(s->there, in, work);
  else if (s->real)
    f32.execute_dft_r2c(s->there_f32, in, work);
  else
    f32.execute_dft(s->there_f32, in, work);
}

static void back(void *plan, void *work, void *out) {
  const plans *s = plan;
  if (s->back && s->real)
    f64.execute_dft_c2r(s->back, work, out);
  else if (s->back)
    f64.execute_dft(s->back, work, out);
  else if (s->real)
    f32.execute_dft_c2r(s->back_f32, work, out);
  else
    f32.execute_dft(s->back_f32, work, out);
}

const library library_fftw = {"FFTW", open_fftw, remember, plan, there, back, destroy};

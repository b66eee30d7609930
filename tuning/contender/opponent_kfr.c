/* KFR by its C interface, without its headers: functions are loaded from libkfr_capi. One thread. It transforms one
 * array at a time, reals of an even last dimension, and lacks doubles' real ones of several dimensions. */
#include "tuning/contender/opponent.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONE_MORE_THAN_HALF = 1 }; /* KFR_DFT_PACK_FORMAT CCs */

/* Plans of complex and of real transforms are made with other arguments. */
typedef void *create_complex(size_t n);
typedef void *create_real(size_t n, int format);
typedef void *create_complex_md(size_t rank, const unsigned *n);
typedef void *create_real_md(size_t rank, const unsigned *n, bool out_is_spectrum_too);

/* Of one precision, complex or real. */
typedef struct functions {
  void (*create)(void), (*create_md)(void);
  size_t (*temp_size)(void *plan);
  void (*there)(void *plan, void *out, const void *in, void *temp);
  void (*back)(void *plan, void *out, const void *in, void *temp);
  void (*destroy)(void *plan);
} functions;

static functions api[2][2]; /* real, is_double */

typedef struct plans {
  const functions *f;
  void *plan, *temp;
  size_t count, side, half; /* bytes of a transform's input, and of its spectrum */
} plans;

static bool find(void *library, bool real, bool is_double, functions *f) {
  const struct {
    const char *name;
    void *field;
  } names[] = {{"create_plan", &f->create}, {"create_md_plan", &f->create_md}, {"get_temp_size", &f->temp_size},
               {"execute", &f->there},      {"execute_inverse", &f->back},     {"delete_plan", &f->destroy}};
  bool all = true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char symbol[64];
    snprintf(symbol, sizeof symbol, "kfr_dft_%s%s_f%d", real ? "real_" : "", names[i].name, is_double ? 64 : 32);
    void *found = dlsym(library, symbol);
    memcpy(names[i].field, &found, sizeof found);
    all = all && (found || names[i].field == (void *)&f->create_md);
  }
  return all;
}

static const char *open_kfr(const char *path) {
  void *library = dlopen(path ? path : "libkfr_capi.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) return "libkfr_capi.so is not there";
  for (int i = 0; i < 4; i++)
    if (!find(library, i / 2, i % 2, &api[i / 2][i % 2])) return "libkfr_capi.so lacks a function";
  return NULL;
}

static void destroy(void *plan) {
  plans *s = plan;
  if (s->plan) s->f->destroy(s->plan);
  free(s->temp);
  free(s);
}

static void *create(const functions *f, const conv_problem *p) {
  unsigned n[3];
  for (int i = 0; i < p->rank; i++) n[i] = (unsigned)p->n[i];
  size_t rank = (size_t)p->rank;
  if (p->real && rank == 1) return ((create_real *)f->create)(n[0], ONE_MORE_THAN_HALF);
  if (p->real) return ((create_real_md *)f->create_md)(rank, n, false);
  return rank == 1 ? ((create_complex *)f->create)(n[0]) : ((create_complex_md *)f->create_md)(rank, n);
}

static void *plan(const conv_problem *p, long count, bool patient, void *in, void *work, void *out) {
  (void)patient, (void)in, (void)work, (void)out;
  if ((p->real && p->n[p->rank - 1] % 2) || (p->rank > 1 && !api[p->real][p->is_double].create_md)) return NULL;
  plans *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->f = &api[p->real][p->is_double];
  s->count = (size_t)count;
  s->side = (size_t)p->points * (p->real ? 1 : 2) * conv_number(p);
  s->half = (size_t)p->half * 2 * conv_number(p);
  s->plan = create(s->f, p);
  if (s->plan) s->temp = conv_memory(s->f->temp_size(s->plan));
  if (s->plan) return s;
  destroy(s);
  return NULL;
}

static void there(void *plan, void *in, void *work) {
  const plans *s = plan;
  for (size_t i = 0; i < s->count; i++)
    s->f->there(s->plan, (char *)work + i * s->half, (char *)in + i * s->side, s->temp);
}

static void back(void *plan, void *work, void *out) {
  const plans *s = plan;
  for (size_t i = 0; i < s->count; i++)
    s->f->back(s->plan, (char *)out + i * s->side, (char *)work + i * s->half, s->temp);
}

const library library_kfr = {"KFR", open_kfr, NULL, plan, there, back, destroy};

/* Errors of one-dimensional transforms, ours beside a rival's, both ESTIMATE. In: paths of two libraries with FFTW's
 * functions and of a third one in long double, a number of longer lengths, a seed. Out: a line of csv for every kind
 * and length, all to 512 and the drawn ones, then ratios by kind on standard error. usage: errors OURS RIVAL LONG COUNT
 * SEED
 *
 * An error is the distance from the long double's results over their norm, of several drawn inputs together. */
#include "rival.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 512, MOST = 1 << 18, NUMBERS = 1 << 13 /* of inputs together, at least */ };

/* ---- the reference ------------------------------------------------------------------ */

typedef struct exact { /* libfftw3l's functions; its structures of dimensions are the same */
  void *(*dft)(int, const X(iodim64) *, int, const void *, long double *, long double *, int, unsigned);
  void *(*r2c)(int, const X(iodim64) *, int, const void *, long double *, long double *, unsigned);
  void *(*c2r)(int, const X(iodim64) *, int, const void *, long double *, long double *, unsigned);
  void *(*r2r)(int, const X(iodim64) *, int, const void *, long double *, long double *, const int *, unsigned);
  void (*execute)(void *), (*destroy)(void *);
} exact;

static void *find(void *handle, const char *name) {
  void *at = handle ? dlsym(handle, name) : NULL;
  if (!at) fprintf(stderr, "no %s: %s\n", name, dlerror()), exit(1);
  return at;
}

static exact open_exact(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  exact e;
  *(void **)&e.dft = find(handle, "fftwl_plan_guru64_dft"),
         *(void **)&e.r2c = find(handle, "fftwl_plan_guru64_dft_r2c");
  *(void **)&e.c2r = find(handle, "fftwl_plan_guru64_dft_c2r"),
         *(void **)&e.r2r = find(handle, "fftwl_plan_guru64_r2r");
  *(void **)&e.execute = find(handle, "fftwl_execute"), *(void **)&e.destroy = find(handle, "fftwl_destroy_plan");
  return e;
}

static void *plan_exact(const exact *e, const problem *p, long double *in, long double *out) {
  switch (p->kind[0]) {
  case DFT: return e->dft(1, p->dim, 0, NULL, in, out, p->sign, FFTW_ESTIMATE);
  case R2C: return e->r2c(1, p->dim, 0, NULL, in, out, FFTW_ESTIMATE);
  case C2R: return e->c2r(1, p->dim, 0, NULL, in, out, FFTW_ESTIMATE);
  default: return e->r2r(1, p->dim, 0, NULL, in, out, p->kind, FFTW_ESTIMATE);
  }
}

/* ---- errors ------------------------------------------------------------------------- */

typedef struct context {
  library *l[2];
  exact e;
  uint64_t random;
} context;

/* From -1 to 1. Fewer bits than the type has would leave the first sums of a transform without rounding errors. */
static real all_bits(uint64_t *random) {
  return (real)((double)draw(random, (uint64_t)1 << 53) / ((uint64_t)1 << 52) - 1);
}

/* Of ours and the rival's, of the same inputs. */
static void measure(context *c, const problem *p, double error[2]) {
  arrays a;
  arrays_get(&a, p);
  X(plan) plan[2] = {library_plan(c->l[0], p, &a), library_plan(c->l[1], p, &a)};
  long double *in = calloc(a.size[0], sizeof *in), *out = calloc(a.size[1], sizeof *out);
  void *right = in && out ? plan_exact(&c->e, p, in, out) : NULL;
  if (!plan[0] || !plan[1] || !right) fprintf(stderr, "no plan: %s\n", problem_text(p)), exit(1);
  long double sum[2] = {0}, norm = 0;
  for (int64_t done = 0; done < NUMBERS; done += p->dim[0].n) {
    real *input = malloc(sizeof *input * a.size[0]);
    for (size_t j = 0; j < a.size[0]; j++) input[j] = all_bits(&c->random);
    if (p->kind[0] == C2R) input[1] = 0, input[a.size[0] - 1] = p->dim[0].n % 2 ? input[a.size[0] - 1] : 0;
    for (size_t j = 0; j < a.size[0]; j++) in[j] = input[j];
    c->e.execute(right);
    for (size_t k = 0; k < a.size[1]; k++) norm += out[k] * out[k];
    for (int i = 0; i < 2; i++) {
      memcpy(a.memory[0], input, sizeof *input * a.size[0]);
      library_execute(c->l[i], plan[i]);
      for (size_t k = 0; k < a.size[1]; k++) sum[i] += (a.memory[1][k] - out[k]) * (a.memory[1][k] - out[k]);
    }
    free(input);
  }
  for (int i = 0; i < 2; i++) error[i] = (double)sqrtl(sum[i] / norm), library_destroy(c->l[i], plan[i]);
  c->e.destroy(right);
  free(in), free(out), arrays_free(&a);
}

/* ---- sums --------------------------------------------------------------------------- */

typedef struct sum {
  int count, above;
  double log, most;
} sum;

static void add(sum *s, double ratio) {
  s->count++, s->above += ratio > 1.15, s->log += log(ratio);
  if (ratio > s->most) s->most = ratio;
}

static void print(const char *name, const sum *s) {
  fprintf(stderr, "%-8s %5d  mean %.3f  most %.2f  above 1.15: %d\n", name, s->count, exp(s->log / s->count), s->most,
          s->above);
}

static problem one(int kind, int64_t n, bool back) {
  problem p = {.kind = {kind}, .rank = 1, .sign = back ? 1 : -1, .flags = FFTW_ESTIMATE};
  p.dim[0] = (X(iodim64)){n, 1, 1};
  return p;
}

int main(int argc, char **argv) {
  if (argc != 6) return fprintf(stderr, "usage: errors OURS RIVAL LONG COUNT SEED\n"), 2;
  context c = {{library_open(argv[1]), library_open(argv[2])}, open_exact(argv[3]), strtoull(argv[5], NULL, 0)};
  sum all = {0};
  printf("problem,ours,rival,ratio\n");
  for (int kind = C2R; kind <= FFTW_RODFT11; kind++) {
    sum of = {0};
    char name[16] = "";
    for (int64_t i = 2; i <= ALL + atoi(argv[4]); i++) {
      int64_t n = i <= ALL
                      ? i
                      : (int64_t)exp(log(ALL) + (double)draw(&c.random, 1 << 20) / (1 << 20) * log((double)MOST / ALL));
      problem p = one(kind, n, i % 2);
      if (kind != DFT) p.sign = -1;
      double error[2];
      measure(&c, &p, error);
      printf("%s,%.3g,%.3g,%.3f\n", problem_text(&p), error[0], error[1], error[0] / error[1]);
      if (error[0] == 0 && error[1] == 0) continue; /* both exact */
      add(&of, error[0] / error[1]), add(&all, error[0] / error[1]);
      snprintf(name, sizeof name, "%.*s", (int)strcspn(problem_text(&p), " "), problem_text(&p));
    }
    print(name, &of);
  }
  print("all", &all);
  return 0;
}

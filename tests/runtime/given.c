/* Plans whose kernels take arrays of the caller's: kernels out of a pack, linked in
 * (-DLINKED), or made now. usage: given ORIGIN; 0, or it has said what went wrong. */
#include <fftgen/fftgen.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

typedef struct lot { /* of arrays */
  float in[2 * MOST], window[MOST], before[2 * MOST], after[2 * MOST], out[2 * MOST];
} lot;

static const struct problem {
  const char *text;
  int n;
  bool window, before, after;
} problems[] = {
    {"c2c f32 n=64 load=mul", 64, false, true, false},
    {"c2c f32 n=60 store=mul", 60, false, false, true},
    {"c2c f32 n=64 load=window,mul store=mul", 64, true, true, true},
};

static void fill(lot *l) {
  for (int i = 0; i < 2 * MOST; i++) {
    l->in[i] = (float)((i * 37 + 11) % 101) / 50 - 1;
    l->before[i] = (float)(i % 7) - 3;
    l->after[i] = (float)(i % 5) - 2;
    l->window[i / 2] = (float)(i % 9) / 4;
  }
}

/* What output k has to be, in double. */
static void define(const struct problem *p, const lot *l, int k, double result[2]) {
  double re = 0, im = 0;
  for (int j = 0; j < p->n; j++) {
    double angle = -2 * 3.14159265358979323846 * (double)(j * k % p->n) / p->n, c = cos(angle), s = sin(angle);
    double w = p->window ? l->window[j] : 1, a = l->in[2 * j] * w, b = l->in[2 * j + 1] * w;
    double mr = p->before ? l->before[2 * j] : 1, mi = p->before ? l->before[2 * j + 1] : 0;
    double xr = a * mr - b * mi, xi = a * mi + b * mr;
    re += xr * c - xi * s;
    im += xr * s + xi * c;
  }
  double mr = p->after ? l->after[2 * k] : 1, mi = p->after ? l->after[2 * k + 1] : 0;
  result[0] = re * mr - im * mi;
  result[1] = re * mi + im * mr;
}

static bool is_right(const struct problem *p, const fftgen_plan *plan) {
  lot l;
  const void *given[3];
  int count = 0;
  fill(&l);
  if (p->window) given[count++] = l.window;
  if (p->before) given[count++] = l.before;
  if (p->after) given[count++] = l.after;
  fftgen_arrays arrays = {.in = l.in, .out = l.out, .given = given};
  bool right = fftgen_execute_arrays(plan, &arrays) == FFTGEN_OK;
  for (int k = 0; k < p->n && right; k++) {
    double wanted[2];
    define(p, &l, k, wanted);
    right = fabs(wanted[0] - l.out[2 * k]) < 5e-3 && fabs(wanted[1] - l.out[2 * k + 1]) < 5e-3;
  }
  return right;
}

static bool check(const struct problem *p, const char *origin) {
  fftgen_plan *plan;
  fftgen_error error;
  fftgen_info info = {.size = sizeof info};
  if (fftgen_plan_create(p->text, NULL, &plan, &error) != FFTGEN_OK) return printf("%s\n", error.message), false;
  fftgen_plan_info(plan, &info);
  bool right = is_right(p, plan), expected = !strcmp(info.origin, origin);
  if (!right || !expected) printf("%s: %s, from %s\n", p->text, right ? "right" : "wrong", info.origin);
  fftgen_plan_destroy(plan);
  return right && expected;
}

#ifdef LINKED
extern const fftgen_kernel *const mine_kernels[];
#endif

int main(int argc, char **argv) {
  bool good = argc > 1;
#ifdef LINKED
  good = good && fftgen_register(mine_kernels) == FFTGEN_OK;
#endif
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) good = good && check(&problems[i], argv[1]);
  return !good;
}

/* A program that chooses a locale and plans transforms. Each is compared with its
 * definition in long double; one line names the source of its kernel.
 * usage: user LOCALE */
#include <fftgen/fftgen.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
  const char *problem;
  int n;
  int cosine;    /* dct2; else c2c */
  int is_double; /* f64 */
  long double scale;
} row;

static const row rows[] = {{"c2c f32 n=3", 3, 0, 0, 1},
                           {"c2c f32 n=1000", 1000, 0, 0, 1},
                           {"c2c f64 n=64", 64, 0, 1, 1},
                           {"c2c f64 n=256 scale=0.3", 256, 0, 1, 0.3L},
                           {"c2c f64 n=11", 11, 0, 1, 1},
                           {"dct2 f32 n=8", 8, 1, 0, 1},
                           {"dct2 f64 n=30 scale=1.5", 30, 1, 1, 1.5L}};

static long double get(const row *r, const void *x, int i) {
  return r->is_double ? (long double)((const double *)x)[i] : (long double)((const float *)x)[i];
}

/* Output k by its sum. */
static void define(const row *r, const void *in, int k, long double out[2]) {
  const long double pi = acosl(-1);
  out[0] = out[1] = 0;
  for (long j = 0; j < r->n; j++) {
    if (r->cosine) {
      out[0] += 2 * get(r, in, (int)j) * cosl(pi * (long double)((2 * j + 1) * k % (4L * r->n)) / (2 * r->n));
    } else {
      long double angle = -2 * pi * (long double)(j * k % r->n) / r->n;
      long double re = get(r, in, (int)(2 * j)), im = get(r, in, (int)(2 * j + 1));
      out[0] += re * cosl(angle) - im * sinl(angle);
      out[1] += re * sinl(angle) + im * cosl(angle);
    }
  }
  out[0] *= r->scale;
  out[1] *= r->scale;
}

static long double error_of(const row *r, const void *in, const void *out) {
  long double wrong = 0, size = 0, sum[2];
  int parts = r->cosine ? 1 : 2;
  for (int k = 0; k < r->n; k++) {
    define(r, in, k, sum);
    for (int part = 0; part < parts; part++) {
      long double d = get(r, out, k * parts + part) - sum[part];
      wrong += d * d;
      size += sum[part] * sum[part];
    }
  }
  return sqrtl(wrong / size);
}

static int run(const row *r) {
  fftgen_plan *plan;
  fftgen_error error;
  if (fftgen_plan_create(r->problem, NULL, &plan, &error) != FFTGEN_OK)
    return printf("%s: %s\n", r->problem, error.message), 1;
  fftgen_info info = {.size = sizeof info};
  fftgen_plan_info(plan, &info);
  int count = r->n * (r->cosine ? 1 : 2);
  void *in = calloc((size_t)count, 8), *out = calloc((size_t)count, 8);
  for (int i = 0; i < count; i++) {
    double x = rand() / (double)RAND_MAX - 0.5;
    if (r->is_double)
      ((double *)in)[i] = x;
    else
      ((float *)in)[i] = (float)x;
  }
  int status = fftgen_execute(plan, in, out);
  int bad = status != FFTGEN_OK || !(error_of(r, in, out) < (r->is_double ? 1e-14 : 1e-6));
  printf("%s %s by %s, %s: %s; %s\n", info.origin, r->problem, info.plan, info.isa, bad ? "WRONG" : "right",
         info.reasons);
  free(in);
  free(out);
  fftgen_plan_destroy(plan);
  return bad;
}

/* All but "C" have another point. */
static int in_locale(const char *name) { return !strcmp(localeconv()->decimal_point, ".") == !strcmp(name, "C"); }

int main(int argc, char **argv) {
  int bad = 0;
  if (argc != 2 || !setlocale(LC_ALL, argv[1])) return puts("no such locale"), 2;
  if (!in_locale(argv[1])) return puts("a decimal point"), 2;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) bad |= run(&rows[i]);
  if (!in_locale(argv[1])) return puts("the locale was changed"), 2;
  return bad;
}

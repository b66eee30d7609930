/* A program that holds plans of FFTW's own, of other precisions too, while its calls are ours. usage: foreign FFTW, the
 * path of FFTW's library, which is in the program behind ours */
#include <dlfcn.h>
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 12 };
static fftw_complex x[N], y[N], z[N];

static int wrong(const char *what) {
  printf("%s\n", what);
  return 1;
}

static void fill(void) {
  for (int i = 0; i < N; i++) x[i][0] = i % 5 - 2, x[i][1] = i % 3;
}

static int differ(void) {
  for (int i = 0; i < N; i++)
    for (int p = 0; p < 2; p++)
      if (y[i][p] - z[i][p] > 1e-12 || z[i][p] - y[i][p] > 1e-12) return 1;
  return 0;
}

/* FFTW's own, by the function that calls no other one of the interface. */
static fftw_plan plan_of(const char *path) {
  static const fftw_iodim64 dim = {N, 1, 1};
  fftw_plan (*plan)(int, const fftw_iodim64 *, int, const fftw_iodim64 *, fftw_complex *, fftw_complex *, int,
                    unsigned);
  void *theirs = dlopen(path, RTLD_NOW | RTLD_NOLOAD), *at = theirs ? dlsym(theirs, "fftw_plan_guru64_dft") : NULL;
  if (!at) return NULL;
  memcpy(&plan, &at, sizeof at);
  return plan(1, &dim, 0, NULL, x, y, FFTW_FORWARD, FFTW_ESTIMATE);
}

static int long_double_is_theirs(void) {
  fftwl_complex *a = fftwl_alloc_complex(N);
  for (int i = 0; i < N; i++) a[i][0] = x[i][0], a[i][1] = x[i][1];
  fftwl_plan p = fftwl_plan_dft_1d(N, a, a, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwl_execute(p);
  for (int i = 0; i < N; i++) y[i][0] = (double)a[i][0], y[i][1] = (double)a[i][1];
  fftwl_destroy_plan(p), fftwl_free(a);
  return strstr(fftwl_version, "fftgen") ? wrong("long double is ours") : differ() ? wrong("long double") : 0;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  fftw_plan ours = fftw_plan_dft_1d(N, x, z, FFTW_FORWARD, FFTW_ESTIMATE), theirs = plan_of(argv[1]);
  if (!ours || !theirs) return wrong("no plan");
  char *text = fftw_sprint_plan(theirs), *mine = fftw_sprint_plan(ours);
  if (!strstr(text, "dft-direct-12")) return wrong(text);
  if (!strstr(mine, "codelet")) return wrong(mine);
  double add = -1, mul = -1, fma = -1; /* FFTW says nothing of operations before it measures */
  fftw_flops(theirs, &add, &mul, &fma);
  if (add < 0 || mul < 0 || fma < 0 || fftw_cost(theirs) != 0 || fftw_estimate_cost(theirs) != 0 ||
      fftw_cost(ours) <= 0)
    return wrong("operations");
  fill(), fftw_execute(ours), fftw_execute(theirs);
  if (differ()) return wrong("fftw_execute");
  memset(y, 0, sizeof y);
  fftw_execute_dft(theirs, x, y);
  if (differ()) return wrong("fftw_execute_dft");
  if (long_double_is_theirs()) return 1;
  fftw_destroy_plan(theirs), fftw_destroy_plan(ours);
  fftw_cleanup();
  free(text), free(mine);
  puts("plans of both");
  return 0;
}

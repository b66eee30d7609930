/* Kernels in the program, found by libfftgen; nothing else may be looked for. */
#include <fftgen/fftgen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const fftgen_kernel *const mine_kernels[];

static const fftgen_options linked_only = {
    .size = sizeof linked_only, .flags = FFTGEN_NO_CACHE | FFTGEN_NO_JIT | FFTGEN_NO_PACK | FFTGEN_NO_WISDOM};

static fftgen_plan *plan_of(const char *problem) {
  fftgen_plan *plan;
  fftgen_error error;
  if (fftgen_plan_create(problem, &linked_only, &plan, &error) == FFTGEN_OK) return plan;
  printf("%s: %s\n", problem, error.message);
  return NULL;
}

/* Element 5 is multiplied by a window of 3 and a factor of 2i: 12 outputs of 6i exp(-2 pi i 5k/12). */
static int takes_arrays(void) {
  float x[24] = {0}, y[24], window[12] = {0}, factor[24] = {0};
  const void *given[] = {window, factor};
  fftgen_arrays arrays = {.in = x, .out = y, .given = given};
  double wrong = 0;
  fftgen_plan *plan = plan_of("c2c f32 n=12 load=window,mul");
  x[2 * 5] = 1, window[5] = 3, factor[2 * 5 + 1] = 2;
  if (!plan || fftgen_execute_arrays(plan, &arrays) != FFTGEN_OK) return 0;
  for (int k = 0; k < 12; k++) {
    double angle = -2 * 3.14159265358979323846 * 5 * k / 12;
    wrong += fabs(y[2 * k] + 6 * sin(angle)) + fabs(y[2 * k + 1] - 6 * cos(angle));
  }
  printf("linked, arrays of the caller's: %g\n", wrong);
  fftgen_plan_destroy(plan);
  return wrong < 1e-4;
}

int main(void) {
  fftgen_plan *plan;
  fftgen_info info = {.size = sizeof info};
  float x[96] = {0}, y[96];
  double wrong = 0;
  if (fftgen_register(mine_kernels) != FFTGEN_OK) return 1;
  if (!takes_arrays() || !(plan = plan_of("c2c f32 n=16 batch=3"))) return 1;
  x[2 * 16 + 2] = 1; /* of the second transform */
  fftgen_execute(plan, x, y);
  for (int k = 0; k < 48; k++) {
    double angle = -2 * 3.14159265358979323846 * k / 16;
    int second = k / 16 == 1;
    wrong += fabs(y[2 * k] - second * cos(angle)) + fabs(y[2 * k + 1] - second * sin(angle));
  }
  fftgen_plan_info(plan, &info);
  printf("linked: %s, %s, %g\n", info.origin, info.isa, wrong);
  int bad = strcmp(info.origin, "linked") || !(wrong < 1e-5);
  fftgen_plan_destroy(plan);
  return bad;
}

/* Kernels in the program, found by libfftgen; nothing else may be looked for. */
#include <fftgen/fftgen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const fftgen_kernel *const mine_kernels[];

int main(void) {
  fftgen_options options = {.size = sizeof options,
                            .flags = FFTGEN_NO_CACHE | FFTGEN_NO_JIT | FFTGEN_NO_PACK | FFTGEN_NO_WISDOM};
  fftgen_plan *plan;
  fftgen_error error;
  fftgen_info info = {.size = sizeof info};
  float x[96] = {0}, y[96];
  double wrong = 0;
  if (fftgen_register(mine_kernels) != FFTGEN_OK) return 1;
  if (fftgen_plan_create("c2c f32 n=16 batch=3", &options, &plan, &error) != FFTGEN_OK) {
    puts(error.message);
    return 1;
  }
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

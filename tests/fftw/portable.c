/* Drawn problems against the definition, on machines that have a C library and nothing else. usage: portable COUNT
 * [SEED] */
#include "problem.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  uint64_t random = argc > 2 ? strtoull(argv[2], NULL, 0) : 35;
  int wrong = 0, count = argc > 1 ? atoi(argv[1]) : 0;
  double worst = 0;
  for (int i = 0; i < count; i++) {
    const char *why;
    problem p;
    problem_draw(&p, &random);
    double error = problem_error(&p, &why), part = error / problem_allowed(&p);
    if (part > worst) worst = part;
    if (error >= 0 && part <= 1) continue;
    printf("problem %d, kind %d, rank %d: %s, error %.2g\n", i, p.kind[0], p.rank, why, error);
    wrong++;
  }
  X(plan) plan = X(plan_r2r_1d)(64, NULL, NULL, FFTW_REDFT10, FFTW_PATIENT); /* without libfftgen: codelets */
  if (!plan) wrong++;
  X(destroy_plan)(plan);
  printf("%d problems, %d wrong, %.2f of what is allowed at most\n", count, wrong, worst);
  return wrong || !count;
}

/* What the verifier of programs (fg_program_valid, after every pass) costs: its part of the processor time that emit
 * takes. Out: a line for each problem, and for all of them; exit code 1 where one is 3 % or more.
 *
 * The linker puts __wrap_fg_program_valid between the passes and the verifier. */
#include "generator/pipeline/pipeline.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const struct job {
  const char *target, *isa, *problem;
} jobs[] = {
    {"c", "scalar", "c2c f64 n=64"},
    {"c", "avx2", "c2c f32 n=1024"},
    {"c", "avx512", "c2c f32 n=1009"},
    {"c", "avx2", "r2c f64 n=1000 batch=4"},
    {"c", "znver4", "c2c f32 n=64x64 batch=count[1..100]"},
    {"c", "neon", "dct2 f32 n=256"},
    {"opencl", NULL, "c2c f32 n=4096 batch=16"},
    {"cuda", NULL, "c2c f32 n=1024 batch=count[1..1000]"},
    {"cuda", NULL, "c2c f32 n=65536 batch=2"},
    {"hip", NULL, "r2c f32 n=512 batch=100"},
};
static const double MOST = 0.03;
enum { JOBS = sizeof jobs / sizeof *jobs };

static double now(void) { /* ns of this process; proofs have threads */
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double verifying;
static long calls;

bool __real_fg_program_valid(const fg_program *p, const char **why);
bool __wrap_fg_program_valid(const fg_program *p, const char **why);
bool __wrap_fg_program_valid(const fg_program *p, const char **why) {
  double start = now();
  bool valid = __real_fg_program_valid(p, why);
  verifying += now() - start;
  calls++;
  return valid;
}

/* ns; 0 with a message: not emitted. */
static double emit(const struct job *j) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  double start = now();
  if (!cx.arena || fg_arena_guard(cx.arena)) return 0;
  fg_status status =
      fg_pipeline_compile(&cx, &(fg_request){.problem = j->problem, .target = j->target, .isa = j->isa}, &c);
  if (status != FG_OK) printf("FAIL: %s: %s\n", j->problem, cx.diag.message);
  fg_arena_destroy(cx.arena);
  return status == FG_OK ? now() - start : 0;
}

int main(void) {
  double all = 0, all_verifying = 0, most = 0;
  printf("%-8s %-8s %-40s %9s %9s %6s\n", "target", "isa", "problem", "emit ms", "calls", "part");
  for (int i = 0; i < JOBS; i++) {
    verifying = 0, calls = 0;
    double ns = emit(&jobs[i]);
    if (ns <= 0 || !calls) return 1;
    printf("%-8s %-8s %-40s %9.1f %9ld %5.2f%%\n", jobs[i].target, jobs[i].isa ? jobs[i].isa : "", jobs[i].problem,
           ns / 1e6, calls, 100 * verifying / ns);
    most = verifying / ns > most ? verifying / ns : most;
    all += ns;
    all_verifying += verifying;
  }
  printf("%-58s %9.1f %9s %5.2f%%\n", "all of them", all / 1e6, "", 100 * all_verifying / all);
  if (most >= MOST)
    printf("FAIL: the verifier takes %.1f%% of an emit, below %g%% is wanted\n", 100 * most, 100 * MOST);
  return most >= MOST;
}

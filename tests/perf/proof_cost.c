/* What the proof of what is handed out costs beside everything else that `emit` does. In: a seed and a count. Out: a
 * line for each problem that is drawn, and the shares in order.
 *
 * Times are those of processors, not of clocks on the wall: the proof of the text runs beside the program's, and
 * what else a machine does is no matter. For plans that somebody waits for, the clock is read, too: by how much later
 * they come than with the program's proof alone. Each problem is a process of its own, as `emit` is. */
#include "generator/pipeline/pipeline.h"
#include "targets/number.h"
#include "targets/timing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 4096, TEXT = 256 };

typedef struct task {
  char problem[TEXT];
  const char *target, *isa;
  bool soon; /* a plan that somebody waits for */
} task;

typedef struct cost { /* seconds */
  double text, emit, decide, all, added;
  bool good;
  char walked[256], message[1024];
} cost;

/* ---- what is drawn ----------------------------------------------------------------- */

static int64_t below(uint64_t *random, int64_t n) { return (int64_t)fg_random_below((uint64_t)n, random); }

static const char *one_of(uint64_t *random, const char *const *list, int n) { return list[below(random, n)]; }

#define ONE_OF(random, list) one_of(random, list, sizeof(list) / sizeof *(list))

/* Powers of two, their multiples by 3, 5 and 7, and anything. */
static int64_t draw_length(uint64_t *random, int64_t most) {
  int exponents = 1;
  while (INT64_C(2) << exponents <= most) exponents++;
  int64_t n = INT64_C(2) << below(random, exponents), which = below(random, 4);
  if (which == 1) n = n / 8 * (3 + 2 * below(random, 3));
  if (which == 2) n = n / 2 + below(random, n / 2 + 1);
  return n < 2 ? 2 : n > most ? most : n;
}

static void draw(uint64_t *random, task *t) {
  static const char *const kinds[] = {"c2c", "c2c", "c2c", "r2c", "c2r", "dct2", "dct4", "dst1"};
  static const char *const precisions[] = {"f32", "f64"};
  static const char *const targets[] = {"c", "c", "c", "cuda", "opencl", "hip"};
  static const char *const isas[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
  const char *kind = ONE_OF(random, kinds), *precision = ONE_OF(random, precisions);
  int64_t n = draw_length(random, kind[0] == 'd' ? 1 << 14 : 1 << 18), batch = 1 + 15 * (below(random, 4) == 0);
  t->target = ONE_OF(random, targets);
  t->isa = strcmp(t->target, "c") ? NULL : ONE_OF(random, isas);
  snprintf(t->problem, TEXT, "%s %s n=%lld%s", kind, precision, (long long)n, batch > 1 && n < 4096 ? " batch=16" : "");
}

/* ---- what it costs ------------------------------------------------------------------- */

static cost measure(const task *t) {
  cost r = {0};
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  if (!cx.arena || fg_arena_guard(cx.arena)) return r;
  double begin = fg_timing_process();
  fg_request request = {
      .problem = t->problem, .target = t->target, .isa = t->isa, .effort_fast = t->soon, .entry = t->soon};
  fg_status status = fg_pipeline_compile(&cx, &request, &c);
  r.all = fg_timing_process() - begin;
  r.good = status == FG_OK;
  snprintf(r.message, sizeof r.message, "%s", cx.diag.message);
  if (!r.good) return r;
  r.text = c.times.text, r.emit = c.times.emit, r.decide = c.times.decide, r.added = c.times.added;
  snprintf(r.walked, sizeof r.walked, "%s", c.text.walked);
  fg_arena_destroy(cx.arena);
  return r;
}

static cost measure_apart(const task *t) {
  cost r = {0};
  int ends[2], status;
  if (pipe(ends)) return r;
  pid_t child = fork();
  if (child == 0) {
    r = measure(t);
    _exit(write(ends[1], &r, sizeof r) != sizeof r);
  }
  close(ends[1]);
  if (child < 0 || read(ends[0], &r, sizeof r) != sizeof r) r = (cost){.message = "no answer"};
  close(ends[0]);
  if (child > 0) waitpid(child, &status, 0);
  return r;
}

/* ---- both lists -------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(double *list, int n, int percent) {
  qsort(list, (size_t)n, sizeof *list, by_value);
  return n ? list[(n - 1) * percent / 100] : 0;
}

static bool say(const task *t, const cost *r) {
  if (!r->good) return printf("FAIL %s %s: %s\n", t->problem, t->target, r->message), false;
  double rest = r->all - r->text - r->emit - r->decide;
  printf("%5.1f %%  %8.2f of %8.2f ms (decide %.2f, program's proof %.2f, emit %.2f)  %s, %s%s%s: %s\n",
         100 * r->text / r->all, 1e3 * r->text, 1e3 * r->all, 1e3 * r->decide, 1e3 * rest, 1e3 * r->emit, t->problem,
         t->target, t->isa ? " " : "", t->isa ? t->isa : "", r->walked);
  fflush(stdout);
  return true;
}

/* Shares of emissions; of those under 3 ms of proof none is looked at. */
static int emissions(uint64_t seed, int count) {
  double share[MOST];
  int n = 0, bad = 0;
  for (int i = 0; i < count; i++) {
    task t = {.soon = false};
    uint64_t random = seed + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
    draw(&random, &t);
    cost r = measure_apart(&t);
    bad += !say(&t, &r);
    if (r.good) share[n++] = 1e-3 * floor(1e3 * (r.text < 3e-3 ? 0 : r.text / r.all) + 0.5);
  }
  printf("emit: share of the proof of the text, 0 where it takes under 3 ms: median %.1f %%, 90th percentile %.1f %%, "
         "most %.1f %% (seed %llu, %d problems)\n",
         100 * quantile(share, n, 50), 100 * quantile(share, n, 90), 100 * quantile(share, n, 100),
         (unsigned long long)seed, count);
  return bad || quantile(share, n, 90) > 0.3;
}

/* Plans by LLVM. */
static int plans(uint64_t seed, int count) {
  static const char *const kinds[] = {"c2c", "c2c", "r2c", "c2r"}, *const precisions[] = {"f32", "f64"};
  double took[MOST], added[MOST];
  int n = 0, bad = 0;
  for (int i = 0; i < count; i++) {
    task t = {.target = "code", .isa = "native", .soon = true};
    uint64_t random = seed + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
    const char *kind = ONE_OF(&random, kinds), *precision = ONE_OF(&random, precisions);
    snprintf(t.problem, TEXT, "%s %s n=%lld", kind, precision, (long long)draw_length(&random, 4096));
    cost r = measure_apart(&t);
    bad += !say(&t, &r);
    if (r.good) took[n] = r.text, added[n++] = r.added;
  }
  printf("plan: proof of instructions to 4096 points: median %.2f ms, 90th percentile %.2f ms, most %.2f ms (seed "
         "%llu, %d "
         "problems)\n",
         1e3 * quantile(took, n, 50), 1e3 * quantile(took, n, 90), 1e3 * quantile(took, n, 100),
         (unsigned long long)seed, count);
  printf("plan: by the clock, later than without it: median %.2f ms, 90th percentile %.2f ms, most %.2f ms\n",
         1e3 * quantile(added, n, 50), 1e3 * quantile(added, n, 90), 1e3 * quantile(added, n, 100));
  return bad || quantile(took, n, 90) > 5e-3 || quantile(added, n, 100) > 5e-3;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  int count = argc > 3 ? atoi(argv[3]) : 60;
  if (argc < 2 || count < 1 || count > MOST || (strcmp(argv[1], "emit") && strcmp(argv[1], "plan"))) {
    fputs("usage: campaign_cost emit|plan [SEED [COUNT]]\n", stderr);
    return 2;
  }
  return strcmp(argv[1], "emit") ? plans(seed, count) : emissions(seed, count);
}

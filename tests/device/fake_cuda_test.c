/* The cuda device against a driver that only keeps accounts (fake_cuda.c): data
 * are copied in and out, launches are those of the artifact, every failing call is
 * reported in a line and leaves nothing behind. NVRTC is the real one. Exit code
 * 77: it is not there. */
#include "generator/pipeline/pipeline.h"
#include "targets/cuda/cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* fake_cuda.c */
extern int fake_calls, fake_launches, fake_depth;
extern void *fake_stream, *fake_captured;
extern float fake_launch_us, fake_node_us;
extern unsigned fake_blocks, fake_threads, fake_local_bytes;
void fake_fail_at(int n);
int fake_alive(void);

static int bad;

static void check(bool good, const char *what) {
  if (good) return;
  bad++;
  printf("FAIL: %s\n", what);
}

enum { POINTS = 4096, BATCH = 3, REALS = 2 * POINTS * BATCH };

static fg_artifact compile(fg_context *cx) {
  fg_request request = {.problem = "c2c f64 n=4096 batch=count[1..3]", .target = "cuda", .plan = "stockham(16,16,16)"};
  fg_compilation c;
  if (fg_pipeline_compile(cx, &request, &c) != FG_OK) {
    printf("FAIL: %s\n", cx->diag.message);
    exit(1);
  }
  return c.emitted.artifact;
}

/* Builds, runs and times once; 0: all of it worked. */
static int life(const fg_artifact *a, double *in, double *out, char why[FG_WHY_SIZE]) {
  const int64_t count = BATCH;
  double ns = 0;
  char text[512];
  fg_module *m = NULL;
  fg_call call = {.slot = (void *const[]){in, out, NULL, NULL, NULL}, .params = &count};
  if (fg_device_cuda.build(a, &m, why)) return 1;
  int status = fg_device_cuda.run(m, &call, why) || fg_device_cuda.time(m, &call, 0, &ns, why);
  if (!status && (ns <= 0 || fg_device_cuda.describe(m, a, text, sizeof text) || !strstr(text, "32 registers"))) {
    snprintf(why, FG_WHY_SIZE, "no time, or no description: %.400s", text);
    status = 2;
  }
  fg_device_cuda.destroy(m);
  return status;
}

static void good_life(const fg_artifact *a) {
  char why[FG_WHY_SIZE] = "";
  double *in = calloc(REALS, sizeof *in), *out = calloc(REALS, sizeof *out);
  for (int i = 0; i < REALS; i++) in[i] = 1 + i, out[i] = -1 - i;
  fake_fail_at(0);
  int status = life(a, in, out, why);
  if (status) printf("%s\n", why);
  check(status == 0, "build, run and time");
  check(out[0] == in[0], "what the kernel wrote comes back");
  check(out[1] == -2 && out[REALS - 1] == -REALS, "what it did not write stays");
  check(fake_launches > 5, "launches");
  check(fake_stream != NULL, "launches on a stream of its own");
  check(fake_blocks == BATCH && (int)fake_threads == a->launch[0].threads, "grid of the artifact");
  check(fake_local_bytes == a->launch[0].local_bytes && fake_local_bytes > 48 << 10, "shared memory of the artifact");
  check(fake_alive() == 0 && fake_depth == 0, "nothing left behind");
  free(in);
  free(out);
}

/* The tuner leaves out what spills: the device must say so. */
static void spills_are_told(const fg_artifact *a) {
  static const char crowded[] = "extern \"C\" __global__ void __launch_bounds__(1024) crowded(double *x) {\n"
                                "  double v[64];\n"
                                "  for (int i = 0; i < 64; ++i) v[i] = x[threadIdx.x + 1024 * i];\n"
                                "  for (int k = 0; k < 64; ++k)\n"
                                "    for (int i = 0; i < 64; ++i) v[i] = v[i] * v[(i * 7 + 3) % 64] + v[63 - i];\n"
                                "  for (int i = 0; i < 64; ++i) x[threadIdx.x + 1024 * i] = v[i];\n"
                                "}\n";
  char why[FG_WHY_SIZE] = "";
  fg_artifact worse = *a;
  fg_module *good = NULL, *bad_one = NULL;
  char *both = calloc(1, a->source_bytes + sizeof crowded);
  memcpy(both, a->source, a->source_bytes);
  memcpy(both + a->source_bytes, crowded, sizeof crowded);
  worse.source = both;
  fake_fail_at(0);
  check(!fg_device_cuda.build(a, &good, why) && fg_device_cuda.spilled(good) == 0, "a kernel that fits spills nothing");
  check(!fg_device_cuda.build(&worse, &bad_one, why) && fg_device_cuda.spilled(bad_one) > 64, "spills are told");
  fg_device_cuda.destroy(good);
  fg_device_cuda.destroy(bad_one);
  free(both);
}

/* What is short is timed in graphs, where launches cost nothing; where a call for a graph fails, by launches. */
static void short_lives(const fg_artifact *a) {
  enum { CALLS = 200, FOR_GRAPH = 32 + 3 /* launches that are captured; begin, end, prepare */ };
  double *in = calloc(REALS, sizeof *in), *out = calloc(REALS, sizeof *out);
  int64_t count = BATCH;
  fg_module *m = NULL;
  fg_call call = {.slot = (void *const[]){in, out, NULL, NULL, NULL}, .params = &count};
  char why[FG_WHY_SIZE] = "";
  double ns = 0;
  int by_launches = 0, failures = 0;
  fake_launch_us = 4, fake_node_us = 1.5f;
  fake_fail_at(0);
  check(!fg_device_cuda.build(a, &m, why), "build");
  check(!fg_device_cuda.time(m, &call, 0, &ns, why) && ns > 1499 && ns < 1501, "the time is that of the graph");
  for (int n = 1; n <= CALLS; n++) {
    fake_fail_at(n);
    int status = fg_device_cuda.time(m, &call, 0, &ns, why);
    failures += status != 0, by_launches += !status && ns > 3999 && ns < 4001;
    check(!fake_captured, "no capture goes on");
  }
  check(by_launches == FOR_GRAPH && failures > CALLS / 2, "without a graph by launches, else an error");
  fake_launch_us = 25;
  fake_fail_at(0);
  check(!fg_device_cuda.time(m, &call, 0, &ns, why) && ns > 24999 && ns < 25001, "longer ones by launches");
  fake_launch_us = 0;
  fg_device_cuda.destroy(m);
  check(fake_alive() == 0 && fake_depth == 0, "nothing left behind by graphs");
  free(in);
  free(out);
}

/* The calls of a life fail one after the other. */
static void failing_lives(const fg_artifact *a) {
  double *in = calloc(REALS, sizeof *in), *out = calloc(REALS, sizeof *out);
  fake_fail_at(0);
  char why[FG_WHY_SIZE] = "";
  life(a, in, out, why);
  int calls = fake_calls < 60 ? fake_calls : 60, reported = 0;
  for (int n = 1; n <= calls; n++) {
    *why = 0;
    fake_fail_at(n);
    int status = life(a, in, out, why);
    reported += status == 1;
    if (status == 1 && (!*why || strchr(why, '\n'))) check(false, "a failure is one line");
    if (fake_alive() != 0 || fake_depth != 0) {
      printf("call %d: %d alive, depth %d: %s\n", n, fake_alive(), fake_depth, why);
      check(false, "nothing left behind after a failure");
      break;
    }
  }
  check(reported > calls / 2, "failures are reported");
  printf("%d failing calls, %d reported\n", calls, reported);
  free(in);
  free(out);
}

int main(void) {
  char why[FG_WHY_SIZE];
  fg_device_facts facts;
  fake_fail_at(0);
  if (fg_device_cuda.probe(&facts, why)) {
    printf("SKIP: %s\n", why);
    return 77;
  }
  check(facts.is_gpu_like && facts.local_bytes == 227 << 10 && facts.max_threads == 1024, "facts");
  const fg_machine *m = &facts.machine;
  check(!strcmp(m->name, "sm_90") && m->multiprocessors == 10 && !strcmp(m->source.multiprocessors, "its driver"),
        "the row of its architecture, with what the driver says");
  check(m->l2_bytes == 50 << 20 && m->registers == 64 << 10, "the row, where the driver says nothing");
  fg_context cx = {.arena = fg_arena_create()};
  if (!cx.arena || fg_arena_guard(cx.arena)) return 1;
  fg_artifact a = compile(&cx);
  good_life(&a);
  failing_lives(&a);
  short_lives(&a);
  spills_are_told(&a);
  fg_arena_destroy(cx.arena);
  printf("%d failures\n", bad);
  return bad != 0;
}

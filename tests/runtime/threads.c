/* Built with TSan, library, kernels and all: threads that register kernels, create,
 * execute and destroy plans of their own, share plans by their structs, and execute one
 * plan together, whole and in parts, with less scratch than threads. argv[1]: a pack. */
#include <fftgen/shared.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const fftgen_kernel *const mine_kernels[];

enum { THREADS = 4, PARTS = 3, TURNS = 8, N = 32768 };

typedef struct shared {
  const char *pack;
  const fftgen_plan *whole, *parts;
  const float *in, *expected;
  atomic_int wrong;
} shared;

typedef struct part {
  fftgen_work work;
  void *data;
  int number;
} part;

static void *run_part(void *data) {
  const part *p = data;
  p->work(p->data, p->number);
  return NULL;
}

static void run_parts(void *context, int parts, fftgen_work work, void *data) {
  pthread_t thread[PARTS];
  part p[PARTS];
  (void)context;
  for (int i = 0; i < parts; i++) {
    p[i] = (part){work, data, i};
    if (pthread_create(&thread[i], NULL, run_part, &p[i])) abort();
  }
  for (int i = 0; i < parts; i++) pthread_join(thread[i], NULL);
}

static fftgen_plan *create(const char *problem, const fftgen_options *o, const char *origin) {
  fftgen_plan *plan;
  fftgen_error error;
  fftgen_info info = {.size = sizeof info};
  if (fftgen_plan_create(problem, o, &plan, &error) != FFTGEN_OK) {
    printf("%s: %s\n", problem, error.message);
    exit(1);
  }
  fftgen_plan_info(plan, &info);
  if (strcmp(info.origin, origin)) {
    printf("%s: from %s, expected %s: %s\n", problem, info.origin, origin, info.reasons);
    exit(1);
  }
  return plan;
}

static bool agrees(const fftgen_plan *plan, const float *in, const float *expected, float *out, int n) {
  memset(out, 0xff, (size_t)n * 8);
  return fftgen_execute(plan, in, out) == FFTGEN_OK && !memcmp(out, expected, (size_t)n * 8);
}

/* One that other threads find, or that has been dropped meanwhile. */
static bool is_shared(const char *pack, int turn, const float *impulse, const float *flat, float *out) {
  fftgen_options o = {.size = sizeof o, .pack = pack, .flags = FFTGEN_NO_JIT | FFTGEN_NO_LINKED};
  fftgen_dim dim = {16, 1, 1};
  fftgen_problem p = {.size = sizeof p, .precision = FFTGEN_F32, .rank = 1, .dim = &dim};
  fftgen_plan *plan;
  o.concurrency = 1 + turn % 3;
  if (fftgen_plan_get(&p, &o, &plan, NULL) != FFTGEN_OK) return false;
  bool agreed = agrees(plan, impulse, flat, out, 16);
  if (turn % 4 == 0) fftgen_plans_limit(2, 1 << 20);
  fftgen_plan_release(plan);
  return agreed;
}

static void *work(void *data) {
  shared *s = data;
  fftgen_options o = {.size = sizeof o, .pack = s->pack, .flags = FFTGEN_NO_JIT | FFTGEN_NO_LINKED};
  static const float impulse[32] = {1}, flat[32] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0,
                                                    1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
  float *out = malloc(N * 8);
  for (int turn = 0; turn < TURNS && out; turn++) {
    if (fftgen_register(mine_kernels) != FFTGEN_OK) s->wrong++;
    fftgen_plan *own = create("c2c f32 n=16", &o, turn % 2 ? "linked" : "pack");
    if (!agrees(own, impulse, flat, out, 16)) s->wrong++;
    fftgen_plan_destroy(own);
    if (!is_shared(s->pack, turn, impulse, flat, out)) s->wrong++;
    o.flags ^= FFTGEN_NO_LINKED;
    if (!agrees(s->whole, s->in, s->expected, out, N) || !agrees(s->parts, s->in, s->expected, out, N)) s->wrong++;
  }
  free(out);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 2 || fftgen_register(mine_kernels) != FFTGEN_OK) return 1;
  float *in = malloc(N * 8), *expected = malloc(N * 8);
  fftgen_options o = {.size = sizeof o, .flags = FFTGEN_NO_JIT | FFTGEN_NO_CACHE, .concurrency = 1};
  shared s = {.pack = argv[1], .in = in, .expected = expected};
  for (int i = 0; i < 2 * N; i++) in[i] = sinf((float)i);
  fftgen_plan *whole = create("c2c f32 n=32768", &o, "linked");
  o.parallel_for = run_parts, o.threads = PARTS;
  fftgen_plan *parts = create("c2c f32 n=32768", &o, "linked");
  s.whole = whole, s.parts = parts;
  fftgen_execute(whole, in, expected);
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, work, &s)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  fftgen_info info = {.size = sizeof info};
  fftgen_plan_info(parts, &info);
  printf("%d threads, one plan in %d parts, %zu bytes of scratch: %d wrong\n", THREADS, info.parts, info.scratch,
         s.wrong);
  fftgen_plan_destroy(whole), fftgen_plan_destroy(parts);
  free(in), free(expected);
  return s.wrong || info.parts != PARTS;
}

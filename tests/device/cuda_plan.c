/* libfftgen's plans on a real GPU: results of every form of problem, streams,
 * threads, a captured graph, arrays of the host, every place that kernels are found
 * from. Exit code 77: there is no GPU. */
#include "runtime/include/fftgen/cuda.h"
#include "targets/cuda/facts.h"
#include "tests/unit/device_sums.h"
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/fftgen-cuda-XXXXXX", cache[64], wisdom[64];
static const fg_cu_api *cu;
static fg_cu_context_ref context;

static fftgen_options usual(void) {
  return (fftgen_options){.size = sizeof(fftgen_options), .cache = cache, .wisdom = wisdom};
}

static fftgen_cuda_plan *plan_or_fail(const char *problem, const fftgen_options *o) {
  fftgen_cuda_plan *p;
  fftgen_error error;
  if (fftgen_cuda_plan_create(problem, o, &p, &error) != FFTGEN_OK) fail_msg("%s: %s", problem, error.message);
  return p;
}

static fftgen_info info_of(const fftgen_cuda_plan *p) {
  fftgen_info info = {.size = sizeof info};
  assert_int_equal(fftgen_cuda_plan_info(p, &info), FFTGEN_OK);
  return info;
}

static fg_cu_stream_ref new_stream(void) {
  fg_cu_stream_ref stream;
  assert_int_equal(cu->stream_create(&stream, 1), FG_CU_SUCCESS);
  return stream;
}

/* ---- arrays at the device ----------------------------------------------------- */

typedef struct there { /* 256 bytes before and behind each array must stay */
  fg_cu_memory in, in_im, out, out_im;
} there;

enum { GUARD = 256, GUARD_BYTE = 0xa5 };

static fg_cu_memory put(const void *host, size_t bytes) {
  fg_cu_memory m;
  char guard[GUARD];
  if (!host) return 0;
  memset(guard, GUARD_BYTE, sizeof guard);
  assert_int_equal(cu->allocate(&m, bytes + 2 * GUARD), FG_CU_SUCCESS);
  assert_int_equal(cu->upload(m, guard, GUARD) | cu->upload(m + GUARD + bytes, guard, GUARD), FG_CU_SUCCESS);
  assert_int_equal(cu->upload(m + GUARD, host, bytes), FG_CU_SUCCESS);
  return m + GUARD;
}

static void drop(fg_cu_memory m, size_t bytes) {
  char guard[2 * GUARD];
  if (!m) return;
  assert_int_equal(cu->download(guard, m - GUARD, GUARD) | cu->download(guard + GUARD, m + bytes, GUARD),
                   FG_CU_SUCCESS);
  for (int i = 0; i < 2 * GUARD; i++) assert_int_equal((unsigned char)guard[i], GUARD_BYTE);
  cu->release(m - GUARD);
}

static there put_all(const fg_sums *s) {
  bool in_place = s->problem.in_place;
  there t = {put(s->in.re, s->in.bytes), put(s->in.im, s->in.bytes), in_place ? 0 : put(s->out.re, s->out.bytes),
             in_place ? 0 : put(s->out.im, s->out.bytes)};
  assert_int_equal(cu->stream_wait(NULL), FG_CU_SUCCESS);
  return t;
}

static void get_all(const fg_sums *s, const there *t) {
  bool in_place = s->problem.in_place;
  fg_cu_memory re = in_place ? t->in : t->out, im = in_place ? t->in_im : t->out_im;
  assert_int_equal(cu->download(s->out.re, re, s->out.bytes), FG_CU_SUCCESS);
  if (im) assert_int_equal(cu->download(s->out.im, im, s->out.bytes), FG_CU_SUCCESS);
}

static void drop_all(const fg_sums *s, const there *t) {
  drop(t->in, s->in.bytes), drop(t->in_im, s->in.bytes);
  drop(t->out, s->out.bytes), drop(t->out_im, s->out.bytes);
}

static void check_on(const char *text, fftgen_cuda_plan *p, fg_cu_stream_ref stream, fg_cu_memory workspace) {
  fg_sums s;
  fftgen_error error;
  fg_sums_create(text, 5, &s);
  there t = put_all(&s);
  fftgen_cuda_arrays a = {t.in, t.in_im, t.out, t.out_im, s.given_params, workspace, NULL};
  if (fftgen_cuda_execute(p, &a, (struct CUstream_st *)stream, &error)) fail_msg("%s: %s", text, error.message);
  assert_int_equal(cu->stream_wait(stream), FG_CU_SUCCESS);
  get_all(&s, &t);
  fg_sums_check(&s, text);
  drop_all(&s, &t);
  fg_sums_destroy(&s);
}

/* Beside those of all devices. */
static const char *const further[] = {
    "c2c f32 n=4096 batch=11",
    "c2c f64 n=16384 batch=2",
    "c2c f32 n=65536 batch=2",
};
enum { PROBLEMS = FG_SUMS_PROBLEMS + sizeof further / sizeof *further };

static const char *problem_at(int i) {
  return i < FG_SUMS_PROBLEMS ? fg_sums_problems[i] : further[i - FG_SUMS_PROBLEMS];
}

static void results(void **state) {
  (void)state;
  fftgen_options o = usual();
  fg_cu_stream_ref stream = new_stream();
  for (int i = 0; i < PROBLEMS; i++) {
    fftgen_cuda_plan *p = plan_or_fail(problem_at(i), &o);
    check_on(problem_at(i), p, stream, 0);
    check_on(problem_at(i), p, stream, 0);
    fftgen_cuda_plan_destroy(p);
    p = plan_or_fail(problem_at(i), &o);
    assert_string_equal(info_of(p).origin, "cache");
    check_on(problem_at(i), p, NULL, 0);
    fftgen_cuda_plan_destroy(p);
  }
  cu->stream_destroy(stream);
}

static void arrays_of_the_host(void **state) {
  (void)state;
  fftgen_options o = usual();
  for (int i = 0; i < PROBLEMS; i++) {
    fftgen_cuda_plan *p = plan_or_fail(problem_at(i), &o);
    fg_sums s;
    fftgen_error error;
    fg_sums_create(problem_at(i), 3, &s);
    fftgen_arrays a = fg_sums_arrays(&s);
    if (fftgen_cuda_execute_host(p, &a, &error)) fail_msg("%s: %s", problem_at(i), error.message);
    fg_sums_check(&s, problem_at(i));
    fg_sums_destroy(&s);
    fftgen_cuda_plan_destroy(p);
  }
}

/* Arrays that load= and store= take. */
static void given_arrays(void **state) {
  (void)state;
  fftgen_options o = usual();
  fftgen_error error;
  fg_given_arrays g;
  fg_given_fill(&g);
  const void *given[] = {g.weight, g.factor};
  fftgen_cuda_plan *plain = plan_or_fail(fg_given_plain, &o), *with = plan_or_fail(fg_given_problem, &o);
  fftgen_arrays a = {.in = g.weighted, .out = g.plain}, b = {.in = g.in, .out = g.out};
  if (fftgen_cuda_execute_host(plain, &a, &error)) fail_msg("%s", error.message);
  assert_int_equal(fftgen_cuda_execute_host(with, &b, &error), FFTGEN_EPROBLEM);
  b.given = given;
  if (fftgen_cuda_execute_host(with, &b, &error)) fail_msg("%s", error.message);
  assert_true(fg_given_error(&g) < 1e-6);
  fftgen_cuda_plan_destroy(plain);
  fftgen_cuda_plan_destroy(with);
}

/* ---- workspaces, streams, threads, graphs ------------------------------------------ */

static const char work[] = "c2c f32 n=4000 batch=2";

static fftgen_cuda_plan *plan_with_workspace(int concurrency) {
  fftgen_options o = usual();
  o.plan = "four-step(stockham(10,8), stockham(25,2))";
  o.concurrency = concurrency;
  return plan_or_fail(work, &o);
}

static void workspaces(void **state) {
  (void)state;
  fftgen_cuda_plan *p = plan_with_workspace(2);
  fg_cu_stream_ref a = new_stream(), b = new_stream();
  fg_cu_memory own;
  assert_int_equal(cu->allocate(&own, info_of(p).scratch), FG_CU_SUCCESS);
  check_on(work, p, a, 0);
  check_on(work, p, b, 0);
  check_on(work, p, a, 0);
  fftgen_cuda_arrays more = {.in = own, .out = own + 64};
  assert_int_equal(fftgen_cuda_execute(p, &more, NULL, NULL), FFTGEN_EBUSY);
  check_on(work, p, NULL, own);
  cu->release(own);
  fftgen_cuda_plan_destroy(p);
  cu->stream_destroy(a);
  cu->stream_destroy(b);
}

static void *thread(void *data) {
  assert_int_equal(cu->context_push(context), FG_CU_SUCCESS);
  fg_cu_stream_ref mine = new_stream();
  for (int i = 0; i < 20; i++) check_on(work, data, mine, 0);
  cu->stream_destroy(mine);
  cu->context_pop(&(fg_cu_context_ref){NULL});
  return NULL;
}

static void threads(void **state) {
  (void)state;
  enum { THREADS = 4 };
  fftgen_cuda_plan *p = plan_with_workspace(THREADS);
  pthread_t id[THREADS];
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&id[i], NULL, thread, p), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(id[i], NULL);
  fftgen_cuda_plan_destroy(p);
}

static int call_driver(const char *name, void *a, void *b, void *c) {
  int (*f)(void *, void *, void *) = NULL;
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *found = library ? dlsym(library, name) : NULL;
  memcpy(&f, &found, sizeof f);
  assert_non_null(found);
  return f(a, b, c);
}

/* Captured once, launched on new data: the capture would fail if anything but
 * launches were called. */
static void graphs(void **state) {
  (void)state;
  fftgen_cuda_plan *p = plan_with_workspace(1);
  fg_cu_stream_ref stream = new_stream();
  void *graph = NULL, *ready = NULL;
  fftgen_error error;
  fg_sums s;
  fg_sums_create(work, 1, &s);
  there t = put_all(&s);
  fftgen_cuda_arrays a = {.in = t.in, .out = t.out};
  assert_int_equal(call_driver("cuStreamBeginCapture_v2", stream, NULL, NULL), 0);
  if (fftgen_cuda_execute(p, &a, (struct CUstream_st *)stream, &error)) fail_msg("%s", error.message);
  assert_int_equal(call_driver("cuStreamEndCapture", stream, &graph, NULL), 0);
  assert_int_equal(call_driver("cuGraphInstantiateWithFlags", &ready, graph, NULL), 0);
  for (int i = 0; i < 3; i++) {
    memset(s.out.re, 0x5a, s.out.bytes);
    assert_int_equal(cu->upload(t.out, s.out.re, s.out.bytes) | cu->stream_wait(NULL), 0);
    assert_int_equal(call_driver("cuGraphLaunch", ready, stream, NULL), 0);
    assert_int_equal(cu->stream_wait(stream), 0);
    get_all(&s, &t);
    fg_sums_check(&s, "a graph");
  }
  call_driver("cuGraphExecDestroy", ready, NULL, NULL);
  call_driver("cuGraphDestroy", graph, NULL, NULL);
  drop_all(&s, &t);
  fg_sums_destroy(&s);
  fftgen_cuda_plan_destroy(p);
  cu->stream_destroy(stream);
}

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return 1;
  snprintf(cache, sizeof cache, "%s/cache", folder);
  snprintf(wisdom, sizeof wisdom, "%s/wisdom.jsonl", folder);
  return 0;
}

static int tear_down(void **state) {
  char command[128];
  (void)state;
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

/* usage: device_cuda_plan JIT */
int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results),      cmocka_unit_test(arrays_of_the_host),
                                     cmocka_unit_test(given_arrays), cmocka_unit_test(workspaces),
                                     cmocka_unit_test(threads),      cmocka_unit_test(graphs)};
  char why[FG_WHY_SIZE] = "no GPU";
  int device, count = 0;
  if (argc > 1) setenv("FFTGEN_JIT", argv[1], 1);
  if (!(cu = fg_cu_load(why)) || cu->device_count(&count) || !count) {
    printf("SKIP: %s\n", why);
    return 77;
  }
  if (cu->device_get(&device, 0) || cu->context_retain(&context, device) || cu->context_push(context)) return 1;
  return cmocka_run_group_tests_name("cuda_plan", tests, set_up, tear_down);
}

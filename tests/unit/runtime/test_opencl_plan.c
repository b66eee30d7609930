/* libfftgen on OpenCL as its users meet it, for real on whatever device is first
 * here: every kind of problem, every source of kernels, queues in and
 * out of order, threads, failures. Exit code 77: there is no device. */
#include "runtime/include/fftgen/opencl.h"
#include "runtime/store/line.h"
#include "targets/opencl/facts.h"
#include "tests/unit/device_sums.h"
#include "tests/unit/folder.h"
#include "tests/unit/wisdom_entry.h"
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/fftgen-opencl-XXXXXX", cache[64], wisdom[64], pack[64];
static const fg_cl_api *cl;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static fg_device_facts facts;

static fftgen_options usual(void) {
  return (fftgen_options){.size = sizeof(fftgen_options), .cache = cache, .wisdom = wisdom, .pack = pack};
}

static fftgen_opencl_plan *plan_or_fail(const char *problem, const fftgen_options *o) {
  fftgen_opencl_plan *p;
  fftgen_error error;
  if (fftgen_opencl_plan_create(problem, o, queue, &p, &error) != FFTGEN_OK) fail_msg("%s: %s", problem, error.message);
  return p;
}

static fftgen_info info_of(const fftgen_opencl_plan *p) {
  fftgen_info info = {.size = sizeof info};
  assert_int_equal(fftgen_opencl_plan_info(p, &info), FFTGEN_OK);
  return info;
}

/* ---- arrays at the device ----------------------------------------------------- */

typedef struct there {
  cl_mem in, in_im, out, out_im;
} there;

static cl_mem put(const void *host, size_t bytes) {
  cl_int status;
  if (!host) return NULL;
  cl_mem m =
      cl->clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, (void *)(uintptr_t)host, &status);
  assert_int_equal(status, CL_SUCCESS);
  return m;
}

static there put_all(const fg_sums *s) {
  bool in_place = s->problem.in_place;
  return (there){put(s->in.re, s->in.bytes), put(s->in.im, s->in.bytes), in_place ? NULL : put(s->out.re, s->out.bytes),
                 in_place ? NULL : put(s->out.im, s->out.bytes)};
}

static void get_all(const fg_sums *s, const there *t, cl_event done) {
  bool in_place = s->problem.in_place;
  cl_mem re = in_place ? t->in : t->out, im = in_place ? t->in_im : t->out_im;
  cl_uint n = done ? 1 : 0;
  assert_int_equal(cl->clEnqueueReadBuffer(queue, re, CL_TRUE, 0, s->out.bytes, s->out.re, n, n ? &done : NULL, NULL),
                   0);
  if (im) assert_int_equal(cl->clEnqueueReadBuffer(queue, im, CL_TRUE, 0, s->out.bytes, s->out.im, 0, NULL, NULL), 0);
}

static void drop_all(there *t) {
  cl_mem all[] = {t->in, t->in_im, t->out, t->out_im};
  for (int i = 0; i < 4; i++)
    if (all[i]) cl->clReleaseMemObject(all[i]);
}

/* On the given queue, by device arrays, with an event. */
static void check_on(const char *text, fftgen_opencl_plan *p, cl_command_queue q, cl_mem workspace) {
  fg_sums s;
  fftgen_error error;
  cl_event done = NULL;
  fg_sums_create(text, 5, &s);
  there t = put_all(&s);
  fftgen_opencl_arrays a = {t.in, t.in_im, t.out, t.out_im, s.given_params, workspace, NULL};
  if (fftgen_opencl_execute(p, &a, q, &(fftgen_opencl_events){.done = &done}, &error))
    fail_msg("%s: %s", text, error.message);
  assert_non_null(done);
  get_all(&s, &t, done);
  cl->clReleaseEvent(done);
  fg_sums_check(&s, text);
  drop_all(&t);
  fg_sums_destroy(&s);
}

/* Beside those of all devices. */
static const char *const further[] = {
    "c2c f32 n=2187 batch=2",
};
enum { PROBLEMS = FG_SUMS_PROBLEMS + sizeof further / sizeof *further };

static const char *problem_at(int i) {
  return i < FG_SUMS_PROBLEMS ? fg_sums_problems[i] : further[i - FG_SUMS_PROBLEMS];
}

static void results(void **state) {
  (void)state;
  fftgen_options o = usual();
  for (int i = 0; i < PROBLEMS; i++) {
    fftgen_opencl_plan *p = plan_or_fail(problem_at(i), &o);
    check_on(problem_at(i), p, queue, NULL);
    check_on(problem_at(i), p, queue, NULL);
    fftgen_opencl_plan_destroy(p);
  }
}

/* What is waited for is over, where nothing was to be done. */
static void no_transforms(void **state) {
  (void)state;
  fftgen_options o = usual();
  fftgen_opencl_plan *p = plan_or_fail("c2c f32 n=8 batch=0", &o);
  fftgen_opencl_arrays none = {NULL};
  fftgen_error error;
  cl_event done = NULL;
  assert_int_equal(fftgen_opencl_execute(p, &none, queue, NULL, &error), FFTGEN_OK);
  assert_int_equal(fftgen_opencl_execute(p, &none, queue, &(fftgen_opencl_events){.done = &done}, &error), FFTGEN_OK);
  assert_non_null(done);
  cl->clReleaseEvent(done);
  assert_int_equal(fftgen_opencl_execute_host(p, &(fftgen_arrays){.in = NULL}, queue, &error), FFTGEN_OK);
  fftgen_opencl_plan_destroy(p);
}

static void arrays_of_the_host(void **state) {
  (void)state;
  fftgen_options o = usual();
  for (int i = 0; i < PROBLEMS; i++) {
    fftgen_opencl_plan *p = plan_or_fail(problem_at(i), &o);
    fg_sums s;
    fftgen_error error;
    fg_sums_create(problem_at(i), 3, &s);
    fftgen_arrays a = fg_sums_arrays(&s);
    if (fftgen_opencl_execute_host(p, &a, queue, &error)) fail_msg("%s: %s", problem_at(i), error.message);
    fg_sums_check(&s, problem_at(i));
    fg_sums_destroy(&s);
    fftgen_opencl_plan_destroy(p);
  }
}

/* A call with few transforms brings arrays for few: the bytes behind them are not read or written. */
static void arrays_are_as_long_as_the_call_says(void **state) {
  (void)state;
  fftgen_options o = usual();
  fftgen_error error;
  long page = sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, (size_t)(4 * page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(pages != MAP_FAILED);
  assert_int_equal(mprotect(pages, (size_t)page, PROT_READ | PROT_WRITE), 0);
  assert_int_equal(mprotect(pages + 2 * page, (size_t)page, PROT_READ | PROT_WRITE), 0);
  float *in = (float *)(void *)(pages + page) - 4, *out = (float *)(void *)(pages + 3 * page) - 4;
  long long count = 1;
  fftgen_opencl_plan *p = plan_or_fail("c2c f32 n=2 batch=count[1..4096]", &o);
  for (int i = 0; i < 4; i++) in[i] = (float)(i + 1);
  fftgen_arrays a = {.in = in, .out = out, .params = &count};
  if (fftgen_opencl_execute_host(p, &a, queue, &error)) fail_msg("%s", error.message);
  assert_true(out[0] == 4 && out[1] == 6 && out[2] == -2 && out[3] == -2);
  fftgen_opencl_plan_destroy(p);
  munmap(pages, (size_t)(4 * page));
}

/* Arrays that load= and store= take. */
static void given_arrays(void **state) {
  (void)state;
  fftgen_options o = usual();
  fftgen_error error;
  fg_given_arrays g;
  fg_given_fill(&g);
  const void *given[] = {g.weight, g.factor};
  fftgen_opencl_plan *plain = plan_or_fail(fg_given_plain, &o), *with = plan_or_fail(fg_given_problem, &o);
  fftgen_arrays a = {.in = g.weighted, .out = g.plain}, b = {.in = g.in, .out = g.out};
  if (fftgen_opencl_execute_host(plain, &a, queue, &error)) fail_msg("%s", error.message);
  assert_int_equal(fftgen_opencl_execute_host(with, &b, queue, &error), FFTGEN_EPROBLEM);
  b.given = given;
  if (fftgen_opencl_execute_host(with, &b, queue, &error)) fail_msg("%s", error.message);
  assert_true(fg_given_error(&g) < 1e-6);
  fftgen_opencl_plan_destroy(plain);
  fftgen_opencl_plan_destroy(with);
}

/* ---- sources of kernels --------------------------------------------------------- */

static void expect_origin(const char *problem, const fftgen_options *o, const char *origin) {
  fftgen_opencl_plan *p = plan_or_fail(problem, o);
  fftgen_info info = info_of(p);
  if (strcmp(info.origin, origin)) fail_msg("%s, not %s: %s", info.origin, origin, info.reasons);
  check_on(problem, p, queue, NULL);
  fftgen_opencl_plan_destroy(p);
}

static void places(void **state) {
  (void)state;
  const char *problem = "c2c f32 n=48 batch=3";
  fftgen_options o = usual();
  fftgen_opencl_plan *p;
  fftgen_error error;
  expect_origin(problem, &o, "jit");
  expect_origin(problem, &o, "cache");
  o.flags = FFTGEN_NO_CACHE;
  expect_origin(problem, &o, "jit");
  o.flags = FFTGEN_NO_CACHE | FFTGEN_NO_JIT;
  assert_int_equal(fftgen_opencl_plan_create(problem, &o, queue, &p, &error), FFTGEN_ENOKERNEL);
  assert_null(p);
  assert_non_null(strstr(error.message, "left out"));
  o.flags = 0;
  o.cache = "/proc/none";
  expect_origin(problem, &o, "jit");
}

/* Every file of the cache damaged in turn is made again. */
static void damaged_cache(void **state) {
  (void)state;
  char command[512];
  fftgen_options o = usual();
  o.cache = pack; /* a folder of its own */
  o.pack = NULL;
  static const char *const harm[] = {"printf x | dd of=$f conv=notrunc bs=1 seek=300 2>/dev/null", "truncate -s 500 $f",
                                     "truncate -s 0 $f", "rm $f"};
  expect_origin("c2c f32 n=20", &o, "jit");
  expect_origin("c2c f32 n=20", &o, "cache");
  for (size_t i = 0; i < sizeof harm / sizeof *harm; i++) {
    snprintf(command, sizeof command, "for f in %s/objects/*.fgk; do %s; done", pack, harm[i]);
    assert_int_equal(system(command), 0);
    expect_origin("c2c f32 n=20", &o, "jit");
    expect_origin("c2c f32 n=20", &o, "cache");
  }
}

static void wisdom_decides(void **state) {
  (void)state;
  static const char *const plans[] = {"stockham(4,4,4,4)", "stockham(16,16)"};
  for (int i = 0; i < 2; i++) {
    fg_wisdom_entry e = entry_for(facts.identity, "opencl", "c2c f32 n=256", plans[i], 100 - i);
    assert_int_equal(entry_add(wisdom, &e), FG_OK);
    fftgen_options o = usual();
    fftgen_opencl_plan *p = plan_or_fail("c2c f32 n=256", &o);
    assert_string_equal(info_of(p).plan, plans[i]);
    assert_true(info_of(p).ns == 100 - i);
    fftgen_opencl_plan_destroy(p);
  }
  fftgen_options o = usual();
  o.flags = FFTGEN_NO_WISDOM;
  o.plan = "stockham(8,32)";
  fftgen_opencl_plan *p = plan_or_fail("c2c f32 n=256", &o);
  assert_string_equal(info_of(p).plan, "stockham(8,32)");
  fftgen_opencl_plan_destroy(p);
}

/* ---- workspaces, queues, threads -------------------------------------------------- */

static const char large[] = "c2c f32 n=256 batch=64", passes[] = "four-step(stockham(16), stockham(16))";

static cl_command_queue another_queue(cl_command_queue_properties properties) {
  cl_int status;
  cl_command_queue q = cl->clCreateCommandQueue(context, device, properties, &status);
  assert_int_equal(status, CL_SUCCESS);
  return q;
}

/* With a workspace: two kernels. */
static const char work[] = "c2c f32 n=4000 batch=2";

static fftgen_opencl_plan *plan_with_workspace(int concurrency) {
  fftgen_options o = usual();
  o.plan = "four-step(stockham(10,8), stockham(25,2))";
  o.concurrency = concurrency;
  return plan_or_fail(work, &o);
}

static void workspaces(void **state) {
  (void)state;
  fftgen_opencl_plan *p = plan_with_workspace(0);
  fftgen_info info = info_of(p);
  assert_true(info.scratch >= 2 * 4000 * 8);
  check_on(work, p, queue, NULL);
  cl_int status;
  cl_mem own = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, info.scratch, NULL, &status);
  check_on(work, p, queue, own);
  cl_command_queue loose = another_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), second = another_queue(0);
  for (int i = 0; i < 3; i++) {
    check_on(work, p, loose, NULL);
    check_on(work, p, second, NULL);
    check_on(work, p, second, own);
    check_on(work, p, queue, NULL);
  }
  cl->clReleaseMemObject(own);
  fftgen_opencl_plan_destroy(p);
  cl->clReleaseCommandQueue(loose);
  cl->clReleaseCommandQueue(second);
}

static void *symbol(const char *name) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL), *found = library ? dlsym(library, name) : NULL;
  assert_non_null(found);
  return found;
}

static bool is_complete(cl_event e) {
  cl_int status = CL_QUEUED;
  __typeof__(&clGetEventInfo) ask = (__typeof__(ask))(uintptr_t)symbol("clGetEventInfo");
  assert_int_equal(ask(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL), CL_SUCCESS);
  return status == CL_COMPLETE;
}

/* Executions that share a workspace, on queues that do not know of one another. The
 * first is held back: those behind it must wait, the one with the other workspace not. */
static void shared_workspace(void **state) {
  (void)state;
  enum { MANY = 4 };
  fftgen_opencl_plan *p = plan_with_workspace(2);
  cl_int status;
  cl_event gate = ((__typeof__(&clCreateUserEvent))(uintptr_t)symbol("clCreateUserEvent"))(context, &status);
  assert_int_equal(status, CL_SUCCESS);
  cl_command_queue q[3] = {another_queue(0), another_queue(0), another_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  static const int queue_of[MANY] = {0, 1, 2, 0}; /* workspaces: one, two, one again, one */
  fg_sums s[MANY];
  there t[MANY];
  cl_event done[MANY];
  for (int i = 0; i < MANY; i++) {
    fg_sums_create(work, 1, &s[i]);
    t[i] = put_all(&s[i]);
    fftgen_opencl_arrays a = {.in = t[i].in, .out = t[i].out};
    fftgen_opencl_events e = {i == 0, &gate, &done[i]};
    assert_int_equal(fftgen_opencl_execute(p, &a, q[queue_of[i]], &e, NULL), FFTGEN_OK);
  }
  get_all(&s[1], &t[1], done[1]); /* or this never ends */
  usleep(50000);
  assert_false(is_complete(done[0]));
  assert_false(is_complete(done[2]));
  assert_false(is_complete(done[3]));
  ((__typeof__(&clSetUserEventStatus))(uintptr_t)symbol("clSetUserEventStatus"))(gate, CL_COMPLETE);
  for (int i = 0; i < MANY; i++) {
    get_all(&s[i], &t[i], done[i]);
    fg_sums_check(&s[i], "a shared workspace");
    drop_all(&t[i]);
    cl->clReleaseEvent(done[i]);
    fg_sums_destroy(&s[i]);
  }
  fftgen_opencl_plan_destroy(p);
  for (int i = 0; i < 3; i++) cl->clReleaseCommandQueue(q[i]);
  cl->clReleaseEvent(gate);
}

/* An execution waits for the events that it is given: forward, then backward. */
static void chains(void **state) {
  (void)state;
  fftgen_options o = usual();
  o.plan = passes;
  fftgen_opencl_plan *forward = plan_or_fail(large, &o), *back = plan_or_fail("c2c f32 n=256 batch=64 sign=+1", &o);
  cl_command_queue loose = another_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  fg_sums s;
  fg_sums_create(large, 1, &s);
  there t = put_all(&s);
  cl_mem middle = put(s.out.re, s.out.bytes);
  cl_event first, second;
  fftgen_opencl_arrays a = {.in = t.in, .out = middle}, b = {.in = middle, .out = t.out};
  assert_int_equal(fftgen_opencl_execute(forward, &a, loose, &(fftgen_opencl_events){.done = &first}, NULL), FFTGEN_OK);
  assert_int_equal(fftgen_opencl_execute(back, &b, loose, &(fftgen_opencl_events){1, &first, &second}, NULL),
                   FFTGEN_OK);
  get_all(&s, &t, second);
  const float *out = s.out.re;
  for (int i = 0; i < 2 * 256 * 64; i++)
    assert_true(out[i] / 256 - s.given[i] < 1e-4 && s.given[i] - out[i] / 256 < 1e-4);
  cl->clReleaseEvent(first);
  cl->clReleaseEvent(second);
  cl->clReleaseMemObject(middle);
  drop_all(&t);
  fg_sums_destroy(&s);
  fftgen_opencl_plan_destroy(forward);
  fftgen_opencl_plan_destroy(back);
  cl->clReleaseCommandQueue(loose);
}

static void *thread(void *data) {
  cl_command_queue q = another_queue(0);
  for (int i = 0; i < 8; i++) check_on(work, data, q, NULL);
  cl->clReleaseCommandQueue(q);
  return NULL;
}

static void threads(void **state) {
  (void)state;
  enum { THREADS = 4 };
  fftgen_opencl_plan *p = plan_with_workspace(0);
  pthread_t id[THREADS];
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&id[i], NULL, thread, p), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(id[i], NULL);
  fftgen_opencl_plan_destroy(p);
}

/* ---- mistakes ----------------------------------------------------------------------- */

static void mistakes(void **state) {
  (void)state;
  fftgen_options o = usual(), bad = {.size = 1};
  fftgen_opencl_plan *p = (fftgen_opencl_plan *)&o;
  fftgen_error error;
  assert_int_equal(fftgen_opencl_plan_create("c2c f32 n=8", &o, NULL, &p, &error), FFTGEN_EPROBLEM);
  assert_null(p);
  assert_int_equal(fftgen_opencl_plan_create(NULL, &o, queue, &p, &error), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_opencl_plan_create("c2c f32 n=0", &o, queue, &p, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "column"));
  assert_int_equal(fftgen_opencl_plan_create("c2c f32 n=8", &bad, queue, &p, &error), FFTGEN_EPROBLEM);
  o.plan = "direct(8)";
  o.flags = FFTGEN_NO_WISDOM;
  assert_int_equal(fftgen_opencl_plan_create("c2c f32 n=16", &o, queue, &p, &error), FFTGEN_ENOKERNEL);
  o = usual();
  p = plan_or_fail("c2c f32 n=8 batch=count[1..4]", &o);
  fg_sums s;
  fg_sums_create("c2c f32 n=8 batch=4", 1, &s);
  there t = put_all(&s);
  long long low = 0, high = 5, good = 4;
  const fftgen_opencl_arrays wrong[] = {{.in = t.in, .out = t.out},
                                        {.in = t.in, .out = t.out, .params = &low},
                                        {.in = t.in, .out = t.out, .params = &high},
                                        {.in = t.in, .params = &good},
                                        {.out = t.out, .params = &good},
                                        {.in = t.in, .out = t.in, .params = &good}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(fftgen_opencl_execute(p, &wrong[i], queue, NULL, &error), FFTGEN_EPROBLEM);
    assert_true(error.message[0] && !strchr(error.message, '\n'));
  }
  fftgen_info info = {.size = 1};
  assert_int_equal(fftgen_opencl_plan_info(p, &info), FFTGEN_EPROBLEM);
  drop_all(&t);
  fg_sums_destroy(&s);
  fftgen_opencl_plan_destroy(p);
  fftgen_opencl_plan_destroy(NULL);
}

/* ---- all of them ----------------------------------------------------------------------- */

static int set_up(void **state) {
  (void)state;
  if (folder_make(folder, FFTGEN_JIT_FILE)) return 1;
  snprintf(cache, sizeof cache, "%s/cache", folder);
  snprintf(wisdom, sizeof wisdom, "%s/wisdom.jsonl", folder);
  snprintf(pack, sizeof pack, "%s/pack", folder);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  return folder_remove(folder);
}

static bool find_device(void) {
  char why[FG_WHY_SIZE];
  cl_platform_id platform;
  cl_uint n = 0;
  cl_int status;
  cl = fg_cl_load(why);
  if (!cl || cl->clGetPlatformIDs(1, &platform, &n) != CL_SUCCESS || !n) return false;
  if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &n) != CL_SUCCESS || !n) return false;
  context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  if (status != CL_SUCCESS) return false;
  queue = cl->clCreateCommandQueue(context, device, 0, &status);
  fg_cl_facts(cl, device, &facts);
  return status == CL_SUCCESS;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places),
                                     cmocka_unit_test(results),
                                     cmocka_unit_test(arrays_of_the_host),
                                     cmocka_unit_test(no_transforms),
                                     cmocka_unit_test(arrays_are_as_long_as_the_call_says),
                                     cmocka_unit_test(damaged_cache),
                                     cmocka_unit_test(wisdom_decides),
                                     cmocka_unit_test(workspaces),
                                     cmocka_unit_test(shared_workspace),
                                     cmocka_unit_test(chains),
                                     cmocka_unit_test(threads),
                                     cmocka_unit_test(given_arrays),
                                     cmocka_unit_test(mistakes)};
  if (!find_device()) {
    puts("SKIP: no OpenCL device here");
    return 77;
  }
  int failed = cmocka_run_group_tests_name("opencl_plan", tests, set_up, tear_down);
  cl->clReleaseCommandQueue(queue);
  cl->clReleaseContext(context);
  return failed;
}

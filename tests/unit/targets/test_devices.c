/* Every row of the device table on a hand-written artifact: out = factor * in
 * for `count` numbers, the factor from a table, a workspace in between. What a
 * machine lacks is said and left out; with no device at all the test is skipped. */
#include "targets/cc/process.h"
#include "targets/tcc.h"
#include "targets/timing.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

/* The leak checker itself crashes once drivers with threads of their own and
 * unloaded libraries have been in the process; memory errors are still found. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

enum { COUNT = 1000, BYTES = COUNT * (int)sizeof(float) };

static const char c_text[] = "#include <stddef.h>\n"
                             "#include <math.h>\n"
                             "void scale_entry(void *const *places, const long long *params) {\n"
                             "  const float *in = places[0];\n"
                             "  float *out = places[1], *work = places[2];\n"
                             "  const float *table = places[3];\n"
                             "  for (ptrdiff_t i = 0; i < params[0]; i++) work[i] = in[i] * table[0];\n"
                             "  for (ptrdiff_t i = 0; i < params[0]; i++) out[i] = work[i] * (float)cos(0.0);\n"
                             "}\n";
static const char cl_text[] =
    "__kernel void scale0(__global const float *in, __global float *work, __global const float *table, long count) {\n"
    "  __local float tile[16];\n"
    "  long i = get_global_id(0);\n"
    "  tile[get_local_id(0)] = i < count ? in[i] * table[0] : 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (i < count) work[i] = tile[get_local_id(0)];\n"
    "}\n"
    "__kernel void scale1(__global const float *work, __global float *out, long count) {\n"
    "  long i = get_global_id(0);\n"
    "  if (i < count) out[i] = work[i];\n"
    "}\n";

static const float factor = 3;
static fg_launch launches[2] = {
    {.entry = "scale0",
     .threads = 16,
     .nblock_factor = 1,
     .block_factor = {{1, 0, 16}},
     .narg = 4,
     .arg = {{false, 0}, {false, 2}, {false, 3}, {true, 0}}},
    {.entry = "scale1",
     .threads = 16,
     .nblock_factor = 1,
     .block_factor = {{1, 0, 16}},
     .narg = 3,
     .arg = {{false, 2}, {false, 1}, {true, 0}}},
};

static fg_artifact scale_artifact(const fg_device *d) {
  bool cl = !strcmp(d->dialect, "opencl");
  fg_artifact a = {
      .dialect = d->dialect,
      .name = "scale",
      .source = cl ? cl_text : c_text,
      .source_bytes = (cl ? sizeof cl_text : sizeof c_text) - 1,
      .flags = "",
      .nbuffer = 4,
      .buffer = {{.name = "in", .kind = FG_ARG_IN, .bytes = BYTES},
                 {.name = "out", .kind = FG_ARG_OUT, .bytes = BYTES},
                 {.name = "work", .kind = FG_ARG_WORK, .bytes = BYTES},
                 {.name = "table", .kind = FG_ARG_TABLE, .bytes = sizeof factor, .content = &factor}},
      .nparam = 1,
      .nlaunch = cl ? 2 : 0,
      .launch = cl ? launches : NULL,
  };
  return a;
}

typedef void (*with_device)(const fg_device *d);

static void for_present(with_device f) {
  for (const fg_device *const *d = fg_device_table(); *d; d++) {
    fg_device_facts facts;
    char why[FG_WHY_SIZE];
    if ((*d)->probe(&facts, why))
      print_message("  SKIP %s: %s\n", (*d)->name, why);
    else
      f(*d);
  }
}

static void check_facts(const fg_device *d) {
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  assert_int_equal(d->probe(&facts, why), 0);
  print_message("  %s: %s; %s; lanes %d, %d; %d threads, %zu local\n", d->name, facts.name, facts.version,
                facts.lanes_f32, facts.lanes_f64, facts.max_threads, facts.local_bytes);
  assert_true(*facts.name && *facts.version);
  assert_true(facts.lanes_f32 >= 1 && facts.lanes_f64 >= 1 && facts.registers >= 8 && facts.max_threads >= 1);
  if (facts.is_gpu_like) assert_true(facts.local_bytes > 0 && facts.max_threads > 1);
}

static void check_runs(const fg_device *d) {
  fg_artifact a = scale_artifact(d);
  float in[COUNT], out[COUNT];
  int64_t count = COUNT - 9; /* the last ones stay */
  fg_call call = {.slot = (void *[]){in, out, NULL, NULL}, .params = &count};
  fg_module *m = NULL;
  char why[FG_WHY_SIZE] = "";
  double ns = 0;
  for (int i = 0; i < COUNT; i++) in[i] = (float)i, out[i] = -1;
  if (d->build(&a, &m, why)) fail_msg("%s: %s", d->name, why);
  if (d->run(m, &call, why)) fail_msg("%s: %s", d->name, why);
  for (int i = 0; i < COUNT; i++) assert_true(in[i] == (float)i && out[i] == (i < count ? 3 * (float)i : -1));
  /* in place, and fewer bytes than the artifact allows */
  float *few = malloc(10 * sizeof *few);
  for (int i = 0; i < 10; i++) few[i] = 1;
  count = 10;
  fg_call small = {.slot = (void *[]){few, few, NULL, NULL},
                   .bytes = (size_t[]){10 * sizeof *few, 10 * sizeof *few, 0, 0},
                   .params = &count};
  for (int k = 0; k < 2; k++) assert_int_equal(d->run(m, &small, why), 0);
  for (int i = 0; i < 10; i++) assert_true(few[i] == 9);
  free(few);
  count = COUNT;
  double start = fg_timing_now();
  assert_int_equal(d->time(m, &call, 0.05, &ns, why), 0);
  assert_true(ns > 1 && ns < 1e8 && fg_timing_now() - start < 5);
  assert_int_not_equal(d->run(m, &(fg_call){.slot = (void *[]){in, NULL, NULL, NULL}, .params = &count}, why), 0);
  d->destroy(m);
  d->destroy(NULL);
}

static void check_refusals(const fg_device *d) {
  fg_artifact a = scale_artifact(d);
  fg_module *m = NULL;
  char why[FG_WHY_SIZE] = "";
  a.source = "\n\nthis is not C;\n", a.source_bytes = strlen(a.source);
  assert_int_not_equal(d->build(&a, &m, why), 0);
  assert_null(m);
  assert_non_null(strstr(why, "rror")); /* the compiler's own first error, with its line */
  assert_non_null(strstr(why, ":3"));
  assert_null(strchr(why, '\n'));
  a.source = d->dialect[0] == 'c' ? "int nothing;\n" : "__kernel void other(void) {}\n";
  a.source_bytes = strlen(a.source);
  assert_int_not_equal(d->build(&a, &m, why), 0);
  assert_non_null(strstr(why, "scale"));
  assert_int_not_equal(d->option("no-such-option", "1", why), 0);
  assert_non_null(strstr(why, "no-such-option"));
}

static void test_facts(void **state) {
  (void)state;
  for_present(check_facts);
}
static void test_runs(void **state) {
  (void)state;
  for_present(check_runs);
}
static void test_refusals(void **state) {
  (void)state;
  for_present(check_refusals);
}

static void test_table(void **state) {
  (void)state;
  for (const fg_device *const *d = fg_device_table(); *d; d++) assert_ptr_equal(fg_device_find((*d)->name), *d);
  assert_null(fg_device_find("abacus"));
  fg_artifact a = {.nbuffer = 3, .buffer = {{.split = true}, {.split = true}, {.kind = FG_ARG_WORK}}};
  assert_int_equal(fg_artifact_slot(&a, 1), 2);
  assert_int_equal(fg_artifact_slot(&a, 3), 5);
}

static int entries_in(const char *path) {
  int n = 0;
  DIR *d = opendir(path);
  assert_non_null(d);
  while (readdir(d)) n++;
  closedir(d);
  return n - 2;
}

static void test_cc_leaves_nothing(void **state) {
  (void)state;
  const fg_device *d = fg_device_find("cc");
  fg_device_facts facts;
  char why[FG_WHY_SIZE], temp[] = "/tmp/fftgen-test-XXXXXX";
  if (d->probe(&facts, why)) skip();
  assert_non_null(mkdtemp(temp));
  setenv("TMPDIR", temp, 1);
  check_runs(d);
  check_refusals(d);
  assert_int_equal(entries_in(temp), 0);
  assert_int_equal(rmdir(temp), 0);
  fg_artifact a = scale_artifact(d);
  fg_module *m = NULL;
  assert_int_not_equal(d->build(&a, &m, why), 0); /* its directory was removed */
  assert_non_null(strstr(why, temp));
  unsetenv("TMPDIR");
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child, no zombie */
  assert_int_equal(errno, ECHILD);
}

static void test_cc_compiler_choice(void **state) {
  (void)state;
  const fg_device *d = fg_device_find("cc");
  static const char *const each[] = {"gcc", "clang"};
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  for (int i = 0; i < 2; i++) {
    assert_int_equal(d->option("compiler", each[i], why), 0);
    if (d->probe(&facts, why)) {
      print_message("  SKIP %s: %s\n", each[i], why);
      continue;
    }
    assert_non_null(strstr(facts.version, each[i]));
    check_runs(d);
  }
  assert_int_equal(d->option("compiler", "no-such-compiler", why), 0);
  assert_int_not_equal(d->probe(&facts, why), 0);
  assert_non_null(strstr(why, "no-such-compiler: not found"));
  assert_int_equal(d->option("compiler", "true", why), 0); /* runs, but is no compiler */
  assert_int_not_equal(d->probe(&facts, why), 0);
  assert_int_equal(d->option("compiler", NULL, why), 0);
  setenv("CC", "no-such-compiler either", 1);
  assert_int_not_equal(d->probe(&facts, why), 0);
  unsetenv("CC");
  char path[1024];
  snprintf(path, sizeof path, "%s", getenv("PATH"));
  assert_int_equal(d->option("compiler", NULL, why), 0);
  setenv("PATH", "/nonexistent", 1);
  assert_int_not_equal(d->probe(&facts, why), 0);
  setenv("PATH", path, 1);
  assert_non_null(strstr(why, "no C compiler"));
}

static void test_process_ends_in_time(void **state) {
  (void)state;
  char text[64];
  char *const slow[] = {"sh", "-c", "echo begun; sleep 30 & sleep 30", NULL};
  double start = fg_timing_now();
  int status = fg_process_run(&(fg_process){.argv = slow, .seconds = 0.3, .text = text, .size = sizeof text});
  assert_int_equal(status, FG_PROCESS_TIMEOUT);
  assert_true(fg_timing_now() - start < 5);
  assert_string_equal(text, "begun\n");
  char *const quiet[] = {"sh", "-c", "exec >/dev/null 2>&1; sleep 30", NULL}; /* closes its end of the pipe */
  status = fg_process_run(&(fg_process){.argv = quiet, .seconds = 0.3, .text = text, .size = sizeof text});
  assert_int_equal(status, FG_PROCESS_TIMEOUT);
  char *const loud[] = {"sh", "-c", "yes | head -c 200000; exit 7", NULL}; /* more than text holds */
  status = fg_process_run(&(fg_process){.argv = loud, .seconds = 20, .text = text, .size = sizeof text});
  assert_int_equal(status, 7);
  assert_int_equal(strlen(text), sizeof text - 1);
  char *const missing[] = {"no-such-program", NULL};
  status = fg_process_run(&(fg_process){.argv = missing, .seconds = 5, .text = text, .size = sizeof text});
  assert_int_equal(status, FG_PROCESS_NOT_STARTED);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void *compile_often(void *number) {
  char source[128], why[FG_WHY_SIZE];
  for (long i = 0; i < 40; i++) {
    fg_tcc_code *code;
    int (*f)(void);
    snprintf(source, sizeof source, "#include <stdint.h>\nint64_t x = %ld; int f(void) { return (int)x; }",
             1000 * *(long *)number + i);
    if (fg_tcc_compile(source, NULL, &code, why)) return number;
    void *address = fg_tcc_find(code, "f");
    memcpy(&f, &address, sizeof f);
    bool same = f() == 1000 * *(long *)number + i;
    fg_tcc_free(code);
    if (!same) return number;
  }
  return NULL;
}

static void test_tcc_in_threads(void **state) {
  (void)state;
  pthread_t thread[4];
  long number[4] = {1, 2, 3, 4};
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, compile_often, &number[i]), 0);
  for (int i = 0; i < 4; i++) {
    void *wrong;
    pthread_join(thread[i], &wrong);
    assert_null(wrong);
  }
}

static void test_tcc_symbols_and_support(void **state) {
  (void)state;
  static const int seven = 7;
  fg_tcc_symbol symbols[] = {{"seven", &seven}, {NULL, NULL}};
  fg_tcc_code *code = NULL;
  char why[FG_WHY_SIZE];
  const char *source = "#include <stddef.h>\n# include <string.h>\n#include <math.h>\n#include <stddef.h>\n"
                       "extern const int seven;\n"
                       "double f(double x, unsigned long long u) {\n"
                       "  double a[9]; memset(a, 0, sizeof a);\n"
                       "  return seven + cos(x) + a[3] + (double)u + (unsigned long long)x; }\n";
  double (*f)(double, unsigned long long);
  if (fg_tcc_compile(source, symbols, &code, why)) fail_msg("%s", why);
  void *address = fg_tcc_find(code, "f");
  assert_null(fg_tcc_find(code, "g"));
  memcpy(&f, &address, sizeof f);
  assert_true(f(0, 1ULL << 63) == 8 + 9223372036854775808.0);
  fg_tcc_free(code);
  fg_tcc_free(NULL);
  assert_int_not_equal(fg_tcc_compile("int f(void) { return missing_function(); }", NULL, &code, why), 0);
  assert_non_null(strstr(why, "missing_function"));
}

/* In a child, which has loaded no OpenCL yet: no platform is one clear line. */
static void test_opencl_absent(void **state) {
  (void)state;
  if (dlsym(RTLD_DEFAULT, "clGetPlatformIDs")) skip(); /* a checking tool is preloaded */
  pid_t child = fork();
  if (child == 0) {
    fg_device_facts facts;
    char why[FG_WHY_SIZE] = "";
    setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
    int status = fg_device_find("opencl")->probe(&facts, why);
    _exit(status && (strstr(why, "no OpenCL platform") || strstr(why, "no OpenCL loader")) ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

static void test_opencl_choice(void **state) {
  (void)state;
  const fg_device *d = fg_device_find("opencl");
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  if (d->probe(&facts, why)) skip();
  assert_int_equal(d->option("platform", "no such platform", why), 0);
  assert_int_not_equal(d->probe(&facts, why), 0);
  assert_non_null(strstr(why, "no such platform"));
  assert_int_equal(d->option("platform", "0", why), 0);
  assert_int_equal(d->option("device", "0", why), 0);
  assert_int_equal(d->probe(&facts, why), 0);
  assert_int_equal(d->option("device", NULL, why), 0);
  assert_int_equal(d->option("platform", NULL, why), 0);
  fg_artifact a = scale_artifact(d);
  fg_launch many = launches[0];
  fg_module *m = NULL;
  many.threads = facts.max_threads * 2, a.launch = &many, a.nlaunch = 1;
  assert_int_not_equal(d->build(&a, &m, why), 0);
  assert_non_null(strstr(why, "threads per block"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_opencl_absent), /* first: before OpenCL is loaded */
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_facts),
      cmocka_unit_test(test_runs),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_process_ends_in_time),
      cmocka_unit_test(test_tcc_in_threads),
      cmocka_unit_test(test_tcc_symbols_and_support),
      cmocka_unit_test(test_opencl_choice),
      cmocka_unit_test(test_cc_compiler_choice),
      cmocka_unit_test(test_cc_leaves_nothing),
  };
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  unsetenv("CC"); /* the tests choose */
  int present = 0;
  for (const fg_device *const *d = fg_device_table(); *d; d++)
    present += strcmp((*d)->name, "opencl") && !(*d)->probe(&facts, why);
  if (!present) {
    printf("SKIP: no device on this machine\n");
    return 77;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}

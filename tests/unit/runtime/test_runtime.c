/* The runtime as its users meet it: plans from every place that kernels are found
 * from, results against plain sums, many threads, processes and failures. */
#include "generator/base/atomic_file.h"
#include "runtime/include/fftgen/fftgen.h"
#include "runtime/include/fftgen/openmp.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/store.h"
#include "targets/cpu.h"
#include "tests/unit/folder.h"
#include "tests/unit/wisdom_entry.h"
#include <dirent.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static char folder[] = "/tmp/fftgen-runtime-XXXXXX", cache[64], wisdom[64];
static char warning[2048];

static void on_warning(void *context, const char *message) {
  (void)context;
  snprintf(warning, sizeof warning, "%s", message);
}

static fftgen_options usual(void) {
  return (fftgen_options){.size = sizeof(fftgen_options), .cache = cache, .wisdom = wisdom, .warning = on_warning};
}

static fftgen_info info_of(const fftgen_plan *p) {
  fftgen_info info = {.size = sizeof info};
  assert_int_equal(fftgen_plan_info(p, &info), FFTGEN_OK);
  return info;
}

static fftgen_plan *plan_or_fail(const char *problem, const fftgen_options *o) {
  fftgen_plan *p;
  fftgen_error error;
  if (fftgen_plan_create(problem, o, &p, &error) != FFTGEN_OK) fail_msg("%s: %s", problem, error.message);
  return p;
}

static void expect_origin(const char *problem, const fftgen_options *o, const char *origin) {
  fftgen_plan *p = plan_or_fail(problem, o);
  assert_string_equal(info_of(p).origin, origin);
  fftgen_plan_destroy(p);
}

/* ---- plain sums ------------------------------------------------------------- */

/* One complex element of an array of a problem, as doubles. */
typedef struct view {
  void *re, *im; /* im NULL: interleaved */
  bool wide;     /* double */
} view;

static double part(const view *v, int64_t at, int which) {
  const void *from = v->im && which ? v->im : v->re;
  int64_t i = v->im ? at : 2 * at + which;
  return v->wide ? ((const double *)from)[i] : (double)((const float *)from)[i];
}

static void set(const view *v, int64_t at, int which, double value) {
  void *to = v->im && which ? v->im : v->re;
  int64_t i = v->im ? at : 2 * at + which;
  if (v->wide)
    ((double *)to)[i] = value;
  else
    ((float *)to)[i] = (float)value;
}

static double noise(int64_t i) {
  uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u + 12345;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return (double)(int64_t)(x >> 12) / (double)(1ll << 51) - 1;
}

typedef struct shape { /* n points at stride 1, `batch` of them one behind the other */
  int64_t n, batch;
  int sign;
} shape;

static void fill(const view *v, int64_t count) {
  for (int64_t i = 0; i < count; i++) set(v, i, 0, noise(2 * i)), set(v, i, 1, noise(2 * i + 1));
}

/* Relative L2 error of out against the sum over the filled input. */
static double error_of(const view *out, const shape *s) {
  double difference = 0, size = 0;
  for (int64_t b = 0; b < s->batch; b++)
    for (int64_t k = 0; k<s->n; k += s->n> 512 ? 37 : 1) {
      double re = 0, im = 0;
      for (int64_t j = 0; j < s->n; j++) {
        double angle = s->sign * 2 * M_PI * (double)(j * k % s->n) / (double)s->n;
        int64_t i = b * s->n + j;
        double x = noise(2 * i), y = noise(2 * i + 1);
        re += x * cos(angle) - y * sin(angle);
        im += x * sin(angle) + y * cos(angle);
      }
      double dr = part(out, b * s->n + k, 0) - re, di = part(out, b * s->n + k, 1) - im;
      difference += dr * dr + di * di;
      size += re * re + im * im;
    }
  return sqrt(difference / size);
}

/* A struct gives the plan of its text, from the cache by now. */
static void test_struct(void **state) {
  (void)state;
  fftgen_options o = usual();
  fftgen_dim dim = {48, 1, 1}, batch = {3, 48, 48};
  fftgen_problem p = {
      .size = sizeof p, .precision = FFTGEN_F64, .rank = 1, .dim = &dim, .batch_rank = 1, .batch = &batch};
  fftgen_plan *by_text = plan_or_fail("c2c f64 n=48 batch=3", &o), *by_struct;
  assert_int_equal(fftgen_plan_create_from(&p, &o, &by_struct, NULL), FFTGEN_OK);
  fftgen_info a = info_of(by_text), b = info_of(by_struct);
  assert_string_equal(a.problem, b.problem);
  assert_string_equal(a.plan, b.plan);
  assert_string_equal(b.origin, "cache");
  double in[2 * 48 * 3], one[2 * 48 * 3], two[2 * 48 * 3];
  for (int i = 0; i < 2 * 48 * 3; i++) in[i] = noise(i);
  assert_int_equal(fftgen_execute(by_text, in, one), FFTGEN_OK);
  assert_int_equal(fftgen_execute(by_struct, in, two), FFTGEN_OK);
  assert_memory_equal(one, two, sizeof one);
  fftgen_plan_destroy(by_text);
  fftgen_plan_destroy(by_struct);
}

static void check(const char *text, const shape *s, const fftgen_options *o) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_problem p;
  fftgen_plan *plan = plan_or_fail(text, o);
  assert_int_equal(fg_problem_parse(&cx, text, &p), FG_OK);
  int64_t count = s->n * s->batch;
  size_t bytes = (size_t)count * 16;
  view in = {calloc(1, bytes), p.split_in ? calloc(1, bytes) : NULL, p.storage == FG_F64};
  view out = p.in_place ? in : (view){calloc(1, bytes), p.split_out ? calloc(1, bytes) : NULL, in.wide};
  long long params[4] = {s->batch, s->batch, s->batch, s->batch};
  fill(&in, count);
  fftgen_arrays arrays = {.in = in.re, .in_im = in.im, .out = out.re, .out_im = out.im, .params = params};
  assert_int_equal(fftgen_execute_arrays(plan, &arrays), FFTGEN_OK);
  double error = error_of(&out, s);
  if (!(error < (in.wide ? 1e-13 : 1e-5))) fail_msg("%s: error %g", text, error);
  fftgen_plan_destroy(plan);
  free(in.re), free(in.im);
  if (!p.in_place) free(out.re), free(out.im);
  fg_arena_destroy(cx.arena);
}

/* ---- sources of kernels ------------------------------------------------------ */

/* First of all, while no compiler has been found in this process yet. */
/* tcc is always there, and a plan that is asked for by name is as good as any; what it made is not kept. */
static void test_no_compiler(void **state) {
  (void)state;
  int status;
  if (fork() == 0) {
    bool good = true;
    setenv("PATH", "/nonexistent", 1);
    unsetenv("CC");
    setenv("FFTGEN_LLVM", "", 1);
    for (int i = 0; i < 4 && good; i++) {
      fftgen_plan *p;
      fftgen_error error;
      fftgen_info info = {.size = sizeof info};
      fftgen_options o = usual();
      if (i >= 2) o.plan = "stockham(8,8)";
      if (fftgen_plan_create("c2c f64 n=64", &o, &p, &error)) _exit(2);
      fftgen_plan_info(p, &info);
      good = !strcmp(info.origin, "jit") && !strcmp(info.isa, "scalar") && strstr(info.reasons, "scalar code by tcc");
      good = good && (i < 2 || !strcmp(info.plan, "stockham(8,8)"));
      double in[128] = {0}, out[128];
      in[2] = 1; /* an impulse at 1: output 16 is a quarter turn */
      good = good && fftgen_execute(p, in, out) == FFTGEN_OK && out[0] == 1 && fabs(out[33] + 1) < 1e-15;
      fftgen_plan_destroy(p);
    }
    _exit(good ? 0 : 1);
  }
  wait(&status);
  assert_int_equal(status, 0);
}

/* By LLVM just in time, then out of the cache without it. */
static void test_llvm_alone(void **state) {
  (void)state;
  int status;
  const char *jit = getenv("FFTGEN_JIT");
  char plugin[4096];
  snprintf(plugin, sizeof plugin, "%.*s/libfftgen-llvm.so", (int)(strrchr(jit, '/') - jit), jit);
  if (access(plugin, R_OK)) {
    print_message("SKIP: libfftgen-llvm is not built (LLVM 19)\n");
    skip();
  }
  if (fork() == 0) {
    bool good = true;
    setenv("PATH", "/nonexistent", 1);
    unsetenv("CC");
    for (int turn = 0; turn < 2 && good; turn++) {
      fftgen_plan *p;
      fftgen_error error;
      fftgen_options o = usual();
      fftgen_info info = {.size = sizeof info};
      if (turn) setenv("FFTGEN_LLVM", "", 1);
      good = fftgen_plan_create("c2c f32 n=24", &o, &p, &error) == FFTGEN_OK;
      good = good && fftgen_plan_info(p, &info) == FFTGEN_OK && !strcmp(info.origin, turn ? "cache" : "jit");
      good = good && strstr(info.problem, "n=24");
      float in[48] = {1}, out[48];
      good = good && fftgen_execute(p, in, out) == FFTGEN_OK && out[0] == 1 && out[46] == 1 && out[47] == 0;
      fftgen_plan_destroy(good ? p : NULL);
    }
    _exit(good ? 0 : 1);
  }
  wait(&status);
  assert_int_equal(status, 0);
}

static void test_nothing_anywhere(void **state) {
  (void)state;
  int status;
  if (fork() == 0) {
    fftgen_plan *p;
    fftgen_error error;
    fftgen_options o = usual();
    setenv("FFTGEN_JIT", "/nonexistent/libfftgen-jit.so", 1);
    fftgen_status got = fftgen_plan_create("c2c f32 n=16", &o, &p, &error);
    const char *const wanted[] = {"wisdom:", "linked:", "cache:", "jit:", "/nonexistent"};
    bool clear = true;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) clear = clear && strstr(error.message, wanted[i]);
    _exit(got == FFTGEN_ENOKERNEL && clear ? 0 : 1);
  }
  wait(&status);
  assert_int_equal(status, 0);
}

/* What /proc/cpuinfo calls the CPU's maker is in it, so that machines of other kinds share no wisdom. */
static void names_the_maker(const char *fingerprint) {
  char line[512], maker[64];
  bool found = false;
  FILE *f = fopen("/proc/cpuinfo", "r");
  while (f && !found && fgets(line, sizeof line, f))
    found = sscanf(line, "vendor_id : %63s", maker) == 1 || sscanf(line, "CPU implementer : %63s", maker) == 1;
  if (f) fclose(f);
  if (found && !strstr(fingerprint, maker)) fail_msg("%s is not in %s", maker, fingerprint);
}

/* Plans for a machine that is named: another kernel than that of the machine that is here, and in the cache both. */
static void test_arch(void **state) {
  (void)state;
  fftgen_plan *p;
  fftgen_error error;
  fftgen_options o = usual();
  const char *problem = "c2c f32 n=36";
  o.arch = "zen";
  assert_int_equal(fftgen_plan_create(problem, &o, &p, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "options.arch"));
  o.arch = "sm_90";
  assert_int_equal(fftgen_plan_create(problem, &o, &p, &error), FFTGEN_ENOKERNEL);
  assert_non_null(strstr(error.message, "arch \"sm_90\": not for target c"));
  o.arch = NULL;
  expect_origin(problem, &o, "jit");
  o.arch = "cpu";
  expect_origin(problem, &o, "jit");
  o.arch = "scalar"; /* the same */
  p = plan_or_fail(problem, &o);
  assert_string_equal(info_of(p).origin, "cache");
  assert_string_equal(info_of(p).isa, "scalar");
  fftgen_plan_destroy(p);
  o.arch = NULL;
  expect_origin(problem, &o, "cache");
}

static void test_wrong_arguments(void **state) {
  (void)state;
  fftgen_plan *p = (fftgen_plan *)"untouched";
  fftgen_error error;
  fftgen_options o = usual();
  assert_int_equal(fftgen_plan_create("c2c f32 n=0", &o, &p, &error), FFTGEN_EPROBLEM);
  assert_null(p);
  assert_non_null(strstr(error.message, "n=0") ? error.message : strstr(error.message, "n:"));
  assert_int_equal(fftgen_plan_create(NULL, &o, &p, NULL), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_plan_create("c2c f32 n=8", &o, NULL, NULL), FFTGEN_EPROBLEM);
  o.size = 0;
  assert_int_equal(fftgen_plan_create("c2c f32 n=8", &o, &p, NULL), FFTGEN_EPROBLEM);
  o = usual();
  o.plan = "stockham(3,3)";
  assert_int_equal(fftgen_plan_create("c2c f32 n=8", &o, &p, &error), FFTGEN_ENOKERNEL);
  o.plan = NULL;
  p = plan_or_fail("c2c f32 n=8", &o);
  float x[16] = {0}, y[16];
  assert_int_equal(fftgen_execute(p, NULL, y), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_execute(p, x, NULL), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_execute(p, x, x), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_execute(NULL, x, y), FFTGEN_EPROBLEM);
  fftgen_plan_destroy(p);
  fftgen_plan_destroy(NULL);
  assert_int_equal(fftgen_version(), FFTGEN_VERSION);
  assert_string_equal(fftgen_fingerprint(), fg_fingerprint_host());
  names_the_maker(fftgen_fingerprint());
  /* What the maker's name implies is asked for and not written: wisdom from before stays. */
  assert_null(strstr(fftgen_fingerprint(), "sse4a"));
  if (strstr(fftgen_fingerprint(), "GenuineIntel")) assert_false(fg_cpu_has("sse4a"));
  if (strstr(fftgen_fingerprint(), "AuthenticAMD")) assert_true(fg_cpu_has("sse2,sse4a"));
}

static void test_results(void **state) {
  (void)state;
  fftgen_options o = usual();
  check("c2c f32 n=16", &(shape){16, 1, -1}, &o);
  check("c2c f64 n=60 batch=3 sign=+1", &(shape){60, 3, 1}, &o);
  check("c2c f32 n=64 batch=5 layout=split", &(shape){64, 5, -1}, &o);
  check("c2c f64 n=32 batch=2 place=in", &(shape){32, 2, -1}, &o);
  check("c2c f32 n=12 batch=count[1..100]", &(shape){12, 7, -1}, &o);
  check("c2c f64 n=17", &(shape){17, 1, -1}, &o);
  o.plan = "stockham(8,8; tables=init)"; /* tables in memory of the plan's: C alone has them so */
  const char *before = getenv("CC");
  assert_int_equal(setenv("CC", before ? before : "gcc", 1), 0);
  check("c2c f64 n=64", &(shape){64, 1, -1}, &o);
  if (!before) unsetenv("CC");
}

static void test_parameters_are_checked(void **state) {
  (void)state;
  fftgen_options o = usual();
  fftgen_plan *p = plan_or_fail("c2c f32 n=12 batch=count[1..100]", &o);
  float x[24] = {0}, y[24];
  long long count = 101;
  assert_int_equal(fftgen_execute(p, x, y), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_execute_arrays(p, &(fftgen_arrays){.in = x, .out = y, .params = &count}), FFTGEN_EPROBLEM);
  count = 1;
  assert_int_equal(fftgen_execute_arrays(p, &(fftgen_arrays){.in = x, .out = y, .params = &count}), FFTGEN_OK);
  fftgen_plan_destroy(p);
}

/* Damage to the one object in the cache that was made last. */
static void damage_objects(bool cut) {
  char path[512];
  snprintf(path, sizeof path, "%s/objects", cache);
  DIR *d = opendir(path);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/objects/%.100s", cache, e->d_name);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    if (cut) {
      assert_int_equal(truncate(path, st.st_size / 2), 0);
      continue;
    }
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, st.st_size / 2, SEEK_SET);
    int c = fgetc(f);
    fseek(f, -1, SEEK_CUR);
    fputc(c ^ 1, f);
    fclose(f);
  }
  closedir(d);
}

static int open_files(void) {
  DIR *d = opendir("/proc/self/fd");
  assert_non_null(d);
  int n = 0;
  while (readdir(d)) n++;
  closedir(d);
  return n;
}

static void test_cache(void **state) {
  (void)state;
  fftgen_options o = usual(), without = usual();
  expect_origin("c2c f32 n=12", &o, "jit");
  int before = open_files();
  expect_origin("c2c f32 n=12", &o, "cache");
  assert_int_equal(open_files(), before);
  int input = dup(0);
  close(0); /* then a file may have this number */
  expect_origin("c2c f32 n=12", &o, "cache");
  assert_int_equal(dup2(input, 0), 0);
  close(input);
  expect_origin("c2c f32 n=20", &o, "jit");
  expect_origin("c2c f32 n=20", &o, "cache");
  expect_origin("c2c  f32 batch=1 n=20:1:1", &o, "cache"); /* the same in other words */
  without.flags = FFTGEN_NO_CACHE;
  expect_origin("c2c f32 n=20", &without, "jit");
  damage_objects(true);
  expect_origin("c2c f32 n=20", &o, "jit");
  expect_origin("c2c f32 n=20", &o, "cache");
  damage_objects(false);
  expect_origin("c2c f32 n=20", &o, "jit");
  expect_origin("c2c f32 n=20", &o, "cache");
}

/* What another version of the generator made is never found: its version is in the key of every request. */
static void test_cache_is_of_one_version(void **state) {
  (void)state;
  char command[512];
  snprintf(command, sizeof command,
           "cd %s/index && test -n \"$(grep -LF '\"key\":\"address ' *)\" && "
           "test -z \"$(grep -LF -e '\"key\":\"address ' -e '%s' *)\"",
           cache, fg_version);
  assert_int_equal(system(command), 0);
}

/* Two requests that mean one source share its object. */
static void test_content_is_shared(void **state) {
  (void)state;
  fftgen_options o = usual();
  fftgen_plan *p = plan_or_fail("c2c f32 n=20", &o);
  char plan[200];
  snprintf(plan, sizeof plan, "%s", info_of(p).plan);
  fftgen_plan_destroy(p);
  char command[200];
  int before, after;
  snprintf(command, sizeof command, "exit $(ls %s/objects | wc -l)", cache);
  before = WEXITSTATUS(system(command));
  o.plan = plan;
  expect_origin("c2c f32 n=20", &o, "jit");
  after = WEXITSTATUS(system(command));
  assert_int_equal(before, after);
  expect_origin("c2c f32 n=20", &o, "cache");
}

/* Entries that another user could have written, or that are no longer what was put there: passed over with a warning,
 * and made again. */
static void test_cache_is_checked(void **state) {
  (void)state;
  static const struct {
    const char *harm, *why; /* done to each object or index file "$f" */
    bool by_root;
  } rows[] = {
      {"chmod g+w $f", "others may write", false},
      {"chmod o+w $f", "others may write", false},
      {"mv $f ../$(basename $f) && ln -s ../$(basename $f) $f", "a symbolic link", false},
      {"mv $f ../$(basename $f) && mkfifo $f", "not a regular file", false},
      {"echo >>$f", "damaged", false},
      {"chown 65534 $f", "belongs to another user", true},
  };
  char own[128], command[512];
  snprintf(own, sizeof own, "%s/checked", folder);
  fftgen_options o = usual();
  o.cache = own;
  expect_origin("c2c f32 n=12", &o, "jit");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].by_root && geteuid() != 0) continue;
    for (int index = 0; index < 2; index++) {
      const char *why = index && !strcmp(rows[i].why, "damaged") ? NULL : rows[i].why; /* a line may end so */
      expect_origin("c2c f32 n=12", &o, "cache");
      snprintf(command, sizeof command, "cd %s/%s && for f in *; do %s; done", own, index ? "index" : "objects",
               rows[i].harm);
      assert_int_equal(system(command), 0);
      warning[0] = 0;
      expect_origin("c2c f32 n=12", &o, why ? "jit" : "cache");
      if (why && !strstr(warning, why)) fail_msg("%s: \"%s\"", rows[i].harm, warning);
    }
  }
  snprintf(command, sizeof command, "cd %s/index && for f in *; do echo '{}' >$f; done", own);
  assert_int_equal(system(command), 0);
  warning[0] = 0;
  expect_origin("c2c f32 n=12", &o, "jit");
  assert_non_null(strstr(warning, "damaged"));
  expect_origin("c2c f32 n=12", &o, "cache");
  snprintf(command, sizeof command, "chmod g+w %s/index", own);
  assert_int_equal(system(command), 0);
  expect_origin("c2c f32 n=12", &o, "jit");
  assert_non_null(strstr(warning, "others may write"));
}

/* A umask that lets everybody write does not spoil what is kept. */
static void test_cache_under_any_umask(void **state) {
  (void)state;
  char own[128];
  snprintf(own, sizeof own, "%s/umask", folder);
  fftgen_options o = usual();
  o.cache = own;
  mode_t before = umask(0);
  expect_origin("c2c f32 n=12", &o, "jit");
  umask(before);
  expect_origin("c2c f32 n=12", &o, "cache");
}

/* The loader takes libraries of one name for one library; the names of descriptors are used again. */
static void test_cached_plans_side_by_side(void **state) {
  (void)state;
  enum { PLANS = 5 };
  static const int length[PLANS] = {3, 5, 6, 7, 9};
  fftgen_options o = usual();
  fftgen_plan *p[PLANS];
  char problem[32];
  for (int twice = 0; twice < 2; twice++) {
    for (int i = 0; i < PLANS; i++) {
      snprintf(problem, sizeof problem, "c2c f32 n=%d", length[i]);
      p[i] = plan_or_fail(problem, &o);
      if (twice) assert_string_equal(info_of(p[i]).origin, "cache");
    }
    for (int i = 0; i < PLANS; i++) {
      float x[18], y[18];
      for (int k = 0; k < length[i]; k++) x[2 * k] = 1, x[2 * k + 1] = 0;
      assert_int_equal(fftgen_execute(p[i], x, y), FFTGEN_OK);
      assert_true(y[0] > length[i] - 1e-3 && y[0] < length[i] + 1e-3);
    }
    for (int i = 0; i < PLANS; i++) fftgen_plan_destroy(p[i]);
  }
}

static void test_cache_that_cannot_be_used(void **state) {
  (void)state;
  fftgen_options o = usual();
  o.cache = "/proc/none";
  expect_origin("c2c f32 n=16", &o, "jit");
  assert_non_null(strstr(warning, "/proc/none"));
  char open_to_all[128];
  snprintf(open_to_all, sizeof open_to_all, "%s/open", folder);
  assert_int_equal(mkdir(open_to_all, 0700), 0);
  assert_int_equal(chmod(open_to_all, 0777), 0);
  o.cache = open_to_all;
  expect_origin("c2c f32 n=16", &o, "jit");
  assert_non_null(strstr(warning, "others may write"));
}

static void test_every_call_of_the_system_fails_once(void **state) {
  (void)state;
  fftgen_options o = usual();
  float x[32] = {1}, y[32];
  fftgen_plan_destroy(plan_or_fail("c2c f32 n=16", &o)); /* in the cache now */
  for (long n = 1; n <= 40; n++) {
    fftgen_plan *p = NULL;
    fg_atomic_file_fail_at(n);
    fftgen_status status = fftgen_plan_create("c2c f32 n=16", &o, &p, NULL);
    fg_atomic_file_fail_at(0);
    assert_int_equal(status, FFTGEN_OK); /* nothing in a cache or in wisdom is ever needed */
    assert_int_equal(fftgen_execute(p, x, y), FFTGEN_OK);
    fftgen_plan_destroy(p);
  }
}

static void test_wisdom_decides(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  fg_wisdom_entry e = entry_for(fg_fingerprint_host(), "c", "c2c f32 n=64", "stockham(2,4,2,4)", 123.5);
  e.isa = "scalar";
  fg_wisdom_entry foreign = e, useless = e;
  foreign.device = "another machine", foreign.problem = "c2c f64 n=64";
  useless.plan = "stockham(5,5)", useless.problem = "c2c f32 n=25 batch=2";
  useless.isa = "";
  assert_int_equal(fg_wisdom_add(&cx, wisdom, &e, 1, (fg_wisdom_warn){0}), FG_OK);
  assert_int_equal(fg_wisdom_add(&cx, wisdom, &foreign, 1, (fg_wisdom_warn){0}), FG_OK);
  fftgen_options o = usual();
  fftgen_plan *p = plan_or_fail("c2c f32 n=64", &o);
  assert_string_equal(info_of(p).plan, "stockham(2,4,2,4)");
  assert_string_equal(info_of(p).isa, "scalar");
  assert_true(info_of(p).ns == 123.5);
  fftgen_plan_destroy(p);
  p = plan_or_fail("c2c f64 n=64", &o);
  assert_true(info_of(p).ns == 0);
  assert_string_not_equal(info_of(p).plan, "stockham(2,4,2,4)");
  fftgen_plan_destroy(p);
  /* Measured with LLVM and faster, then slower. */
  fg_wisdom_entry other = e;
  other.target = "llvm", other.plan = "stockham(2,4,8)", other.ns = 100;
  assert_int_equal(fg_wisdom_add(&cx, wisdom, &other, 1, (fg_wisdom_warn){0}), FG_OK);
  p = plan_or_fail("c2c f32 n=64", &o);
  assert_string_equal(info_of(p).plan, "stockham(2,4,8)");
  fftgen_plan_destroy(p);
  /* The other sign and the other place are served by the same line, with what it measured. */
  p = plan_or_fail("c2c f32 n=64 sign=+1", &o);
  assert_string_equal(info_of(p).plan, "stockham(2,4,8)");
  assert_true(info_of(p).ns == 100);
  assert_non_null(strstr(info_of(p).reasons, "measured for \"c2c f32 n=64\""));
  fftgen_plan_destroy(p);
  e.ns = 90;
  assert_int_equal(fg_wisdom_add(&cx, wisdom, &e, 1, (fg_wisdom_warn){0}), FG_OK);
  p = plan_or_fail("c2c f32 n=64", &o);
  assert_string_equal(info_of(p).plan, "stockham(2,4,2,4)");
  fftgen_plan_destroy(p);
  o.flags = FFTGEN_NO_WISDOM;
  p = plan_or_fail("c2c f32 n=64", &o);
  assert_string_not_equal(info_of(p).plan, "stockham(2,4,2,4)");
  fftgen_plan_destroy(p);
  /* A plan that cannot be built any more is passed over, with a warning. */
  useless.plan = "stockham(7,7)";
  assert_int_equal(fg_wisdom_add(&cx, wisdom, &useless, 1, (fg_wisdom_warn){0}), FG_OK);
  o.flags = 0;
  warning[0] = 0;
  check("c2c f32 n=25 batch=2", &(shape){25, 2, -1}, &o);
  assert_non_null(strstr(warning, "wisdom"));
  fg_arena_destroy(cx.arena);
}

/* ---- linked kernels ----------------------------------------------------------- */

static void sum_of_two(void *const *place, const long long *params) {
  (void)params;
  const float *x = place[0];
  float *y = place[1];
  y[0] = x[0] + x[2], y[1] = x[1] + x[3], y[2] = x[0] - x[2], y[3] = x[1] - x[3];
}

static void nothing(void *const *place, const long long *params) { (void)place, (void)params; }

static const fftgen_buffer two_buffers[] = {{FFTGEN_BUFFER_IN, 0, 16, "in"}, {FFTGEN_BUFFER_OUT, 0, 16, "out"}};
static const fftgen_kernel two = {.abi = FFTGEN_KERNEL_ABI,
                                  .nbuffer = 2,
                                  .problem = "c2c f32 n=2",
                                  .plan = "direct(2)",
                                  .isa = "",
                                  .features = "",
                                  .generator = "by hand",
                                  .flops = 4,
                                  .bytes = 32,
                                  .buffer = two_buffers,
                                  .entry = sum_of_two};
static const fftgen_kernel two_for_another_cpu = {.abi = FFTGEN_KERNEL_ABI,
                                                  .nbuffer = 2,
                                                  .problem = "c2c f32 n=2",
                                                  .plan = "direct(2)",
                                                  .isa = "x",
                                                  .features = "sse2,no_such_feature",
                                                  .generator = "",
                                                  .buffer = two_buffers,
                                                  .entry = nothing};
static const fftgen_kernel two_of_the_future = {.abi = FFTGEN_KERNEL_ABI + 1, .entry = nothing};

static void test_linked_kernels(void **state) {
  (void)state;
  static const fftgen_kernel *const table[] = {&two, &two_for_another_cpu, &two_of_the_future, NULL};
  fftgen_options o = usual();
  float x[4] = {1, 2, 3, 5}, y[4];
  for (int i = 0; i < 1000; i++) assert_int_equal(fftgen_register(table), FFTGEN_OK);
  fftgen_plan *p = plan_or_fail("c2c f32 n=2", &o);
  assert_string_equal(info_of(p).origin, "linked");
  assert_int_equal(fftgen_execute(p, x, y), FFTGEN_OK);
  assert_true(y[0] == 4 && y[1] == 7 && y[2] == -2 && y[3] == -3);
  fftgen_plan_destroy(p);
  o.flags = FFTGEN_NO_LINKED;
  p = plan_or_fail("c2c f32 n=2", &o);
  assert_string_not_equal(info_of(p).origin, "linked");
  fftgen_plan_destroy(p);
  assert_int_equal(fftgen_register(NULL), FFTGEN_EPROBLEM);
}

/* ---- many at once -------------------------------------------------------------- */

typedef struct crowd {
  fftgen_plan *plan;
  shape shape;
  const double *in, *expected;
  atomic_int wrong;
} crowd;

static void *execute_often(void *data) {
  crowd *c = data;
  size_t bytes = (size_t)(c->shape.n * c->shape.batch) * 16;
  double *out = malloc(bytes);
  for (int i = 0; i < 50; i++) {
    memset(out, 0xff, bytes);
    if (fftgen_execute(c->plan, c->in, out) != FFTGEN_OK || memcmp(out, c->expected, bytes)) c->wrong++;
  }
  free(out);
  return NULL;
}

/* Whose scratch is larger than what is put on stacks, for 10000 points. */
#define PLAN_WITH_SCRATCH "four-step(stockham(10,10), stockham(10,10))"

/* There is one piece of scratch only. */
static void test_threads_share_a_plan(void **state) {
  (void)state;
  enum { THREADS = 4 };
  fftgen_options o = usual();
  o.plan = PLAN_WITH_SCRATCH;
  o.concurrency = 1;
  crowd c = {.shape = {10000, 1, -1}};
  size_t bytes = 10000 * 16;
  double *in = malloc(bytes), *out = malloc(bytes);
  view v = {in, NULL, true}, w = {out, NULL, true};
  fill(&v, 10000);
  c.plan = plan_or_fail("c2c f64 n=10000", &o);
  assert_true(info_of(c.plan).scratch > 32768);
  assert_int_equal(fftgen_execute(c.plan, in, out), FFTGEN_OK);
  assert_true(error_of(&w, &c.shape) < 1e-13);
  c.in = in, c.expected = out;
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, execute_often, &c), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  assert_int_equal(c.wrong, 0);
  /* Scratch of one's own. */
  void *scratch = aligned_alloc(64, info_of(c.plan).scratch);
  double *again = malloc(bytes);
  assert_int_equal(fftgen_execute_arrays(c.plan, &(fftgen_arrays){.in = in, .out = again, .scratch = scratch}),
                   FFTGEN_OK);
  assert_memory_equal(again, out, bytes);
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 10; i++) fftgen_execute(c.plan, in, again);
  assert_int_equal(mallinfo2().uordblks, before);
  fftgen_plan_destroy(c.plan);
  free(in), free(out), free(again), free(scratch);
}

typedef struct loop {
  fftgen_work work;
  void *data;
  int part;
} loop;

static atomic_int parts_run;

static void *run_part(void *data) {
  loop *l = data;
  l->work(l->data, l->part);
  parts_run++;
  return NULL;
}

static void run_parts(void *context, int parts, fftgen_work work, void *data) {
  pthread_t thread[16];
  loop l[16];
  assert_string_equal(context, "mine");
  assert_true(parts <= 16);
  for (int i = 0; i < parts; i++) {
    l[i] = (loop){work, data, i};
    assert_int_equal(pthread_create(&thread[i], NULL, run_part, &l[i]), 0);
  }
  for (int i = 0; i < parts; i++) pthread_join(thread[i], NULL);
}

static void test_parallel_for(void **state) {
  (void)state;
  fftgen_options o = usual();
  o.parallel_for = run_parts, o.parallel_context = (void *)(uintptr_t) "mine", o.threads = 4;
  check("c2c f32 n=16 batch=10", &(shape){16, 10, -1}, &o);
  assert_int_equal(parts_run, 4);
  check("c2c f64 n=24 batch=3 layout=split sign=+1", &(shape){24, 3, 1}, &o);
  assert_int_equal(parts_run, 7);
  check("c2c f64 n=24 batch=5 place=in", &(shape){24, 5, -1}, &o);
  assert_int_equal(parts_run, 11);
  check("c2c f32 n=16", &(shape){16, 1, -1}, &o); /* nothing to cut */
  assert_int_equal(parts_run, 11);
  long processors = sysconf(_SC_NPROCESSORS_ONLN), parts = processors < 10 ? processors : 10;
  o.threads = 0; /* as many as processors */
  check("c2c f32 n=16 batch=10", &(shape){16, 10, -1}, &o);
  assert_int_equal(parts_run, 11 + (parts > 1 ? parts : 0));
}

/* One transform by several threads: the same bits as by one. */
static void compare_parts(const char *text, const char *plan, int64_t count, int threads) {
  fftgen_options o = usual();
  o.plan = plan;
  fftgen_plan *alone = plan_or_fail(text, &o);
  o.parallel_for = run_parts, o.parallel_context = (void *)(uintptr_t) "mine", o.threads = threads;
  fftgen_plan *together = plan_or_fail(text, &o);
  assert_int_equal(info_of(alone).parts, 1);
  assert_int_equal(info_of(together).parts, threads);
  size_t bytes = (size_t)count * 8;
  view in = {calloc(1, bytes), NULL, false};
  float *a = calloc(1, bytes), *b = calloc(1, bytes);
  fill(&in, count);
  parts_run = 0;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(fftgen_execute(alone, in.re, a), FFTGEN_OK);
    assert_int_equal(fftgen_execute(together, in.re, b), FFTGEN_OK);
    assert_memory_equal(a, b, bytes);
    memset(b, 0, bytes);
  }
  assert_true(parts_run > 0 && parts_run % (3 * threads) == 0);
  fftgen_plan_destroy(alone);
  fftgen_plan_destroy(together);
  free(in.re), free(a), free(b);
}

/* Numbers of the caller's that each transform has to itself, by one thread and by several: the same bits. */
static void compare_given_parts(const char *text, int64_t points, int64_t transforms) {
  fftgen_options o = usual();
  fftgen_plan *alone = plan_or_fail(text, &o);
  o.parallel_for = run_parts, o.parallel_context = (void *)(uintptr_t) "mine", o.threads = 3;
  fftgen_plan *together = plan_or_fail(text, &o);
  size_t bytes = (size_t)(points * transforms) * 2 * sizeof(float);
  view in = {calloc(1, bytes), NULL, false}, numbers = {calloc(1, bytes), NULL, false};
  float *a = calloc(1, bytes), *b = calloc(1, bytes);
  const void *given[] = {numbers.re, numbers.re, numbers.re};
  fill(&in, points * transforms), fill(&numbers, points * transforms);
  parts_run = 0;
  assert_int_equal(fftgen_execute_arrays(alone, &(fftgen_arrays){.in = in.re, .out = a, .given = given}), FFTGEN_OK);
  assert_int_equal(parts_run, 0);
  assert_int_equal(fftgen_execute_arrays(together, &(fftgen_arrays){.in = in.re, .out = b, .given = given}), FFTGEN_OK);
  assert_int_equal(parts_run, 3);
  assert_memory_equal(a, b, bytes);
  fftgen_plan_destroy(alone);
  fftgen_plan_destroy(together);
  free(in.re), free(numbers.re), free(a), free(b);
}

static void test_given_in_parts(void **state) {
  (void)state;
  compare_given_parts("conv f32 n=16 batch=10 spectrum=each", 16, 10);
  compare_given_parts("conv f32 n=16 batch=10 spectrum=channel", 16, 10);
  compare_given_parts("conv f32 n=16 batch=5x2 spectrum=channel", 16, 10);
  compare_given_parts("conv f32 n=16 batch=5x2 spectrum=each", 16, 10);
  compare_given_parts("conv f32 n=16 batch=10", 16, 10);
  compare_given_parts("c2c f32 n=16 batch=10 load=mul(each)", 16, 10);
  compare_given_parts("c2c f32 n=16 batch=10 load=window,mul(channel) store=add(each)", 16, 10);
  compare_given_parts("conv f32 n=16 batch=5x2 load=mul(each) store=mul(channel)", 16, 10);
  compare_given_parts("c2c f32 n=8 batch=7 load=twiddle", 8, 7);
}

/* An array of the caller's, in instructions and in C. */
static void check_given(const char *compiler) {
  fftgen_options o = usual();
  const char *before = getenv("CC");
  if (compiler) assert_int_equal(setenv("CC", compiler, 1), 0);
  fftgen_plan *plain = plan_or_fail("c2c f32 n=16", &o), *twice = plan_or_fail("c2c f32 n=16 load=mul", &o);
  float in[32], two[32] = {0}, a[32], b[32];
  const void *given[] = {two};
  for (int i = 0; i < 32; i++) in[i] = (float)(i % 7), two[i] = i % 2 ? 0 : 2;
  assert_int_equal(fftgen_execute(plain, in, a), FFTGEN_OK);
  assert_int_equal(fftgen_execute_arrays(twice, &(fftgen_arrays){.in = in, .out = b, .given = given}), FFTGEN_OK);
  for (int i = 0; i < 32; i++) assert_true(fabsf(2 * a[i] - b[i]) < 1e-4F);
  fftgen_plan_destroy(plain);
  fftgen_plan_destroy(twice);
  if (compiler && !before) unsetenv("CC");
}

/* What instructions have no form for is compiled as C. */
static void test_operations(void **state) {
  (void)state;
  fftgen_options o = usual();
  static const char *const problems[] = {"c2c f32 n=16 store=logmag", "c2c bf16 n=16 store=mag"};
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) fftgen_plan_destroy(plan_or_fail(problems[i], &o));
  check_given(NULL);
  check_given("gcc");
}

static void test_parts_of_one_transform(void **state) {
  (void)state;
  compare_parts("c2c f32 n=32768", "stockham(32,32,32; deterministic=on)", 32768, 3);
  compare_parts("c2c f32 n=65536", "four-step(stockham(16,16),stockham(16,16); deterministic=on)", 65536, 4);
  compare_parts("c2c f32 n=256x128", "nd(stockham(16,16),stockham(16,8); deterministic=on)", 32768, 5);
  compare_parts("c2c f32 n=16384 batch=2", "stockham(32,16,32; deterministic=on)", 32768, 7);
  for (int threads = 2; threads <= 3; threads++)
    compare_parts("c2c f32 n=65536", "four-step(stockham(16,16),stockham(16,16))", 65536, threads);
}

static void test_openmp(void **state) {
  (void)state;
#ifdef FFTGEN_HAS_OPENMP
  fftgen_options o = usual();
  o.parallel_for = fftgen_openmp_for, o.threads = 3;
  check("c2c f32 n=16 batch=10", &(shape){16, 10, -1}, &o);
  fftgen_plan *p = plan_or_fail("c2c f32 n=16 batch=10", &o);
  assert_int_equal(info_of(p).parts, 3);
  fftgen_plan_destroy(p);
#else
  print_message("SKIP: built without OpenMP\n");
#endif
}

/* One of many: a plan out of the shared cache and wisdom, while it writes there itself. */
static bool race(const fftgen_options *o, const char *wisdom, int number) {
  fg_context cx = {.arena = fg_arena_create()};
  fftgen_plan *p;
  float x[8] = {1, 0, 2, 0, 3, 0, 4, 0}, y[8];
  fg_wisdom_entry e = {.device = fg_fingerprint_host(), .target = "c", .plan = "direct(4)", .isa = "scalar"};
  e.problem = fg_arena_printf(cx.arena, "c2c f64 n=%d", number + 1);
  e.compiler = e.kind = e.flags = e.generator = "";
  e.ns = 1, e.final = true;
  bool ok = fg_wisdom_add(&cx, wisdom, &e, 1, (fg_wisdom_warn){0}) == FG_OK;
  ok = ok && fftgen_plan_create("c2c f32 n=4", o, &p, NULL) == FFTGEN_OK && fftgen_execute(p, x, y) == FFTGEN_OK;
  e.problem = "c2c f32 n=4";
  e.ns = 100 - number; /* of these the last stays */
  ok = ok && fg_wisdom_add(&cx, wisdom, &e, 1, (fg_wisdom_warn){0}) == FG_OK;
  fg_arena_destroy(cx.arena);
  return ok && y[0] == 10 && y[4] == -2;
}

static void test_many_processes_one_cache(void **state) {
  (void)state;
#ifdef __SANITIZE_THREAD__
  print_message("SKIP: TSan follows no child of a process with threads\n");
  skip();
#endif
  enum { PROCESSES = 32 };
  char shared[128], wisdom[128];
  snprintf(shared, sizeof shared, "%s/shared", folder);
  snprintf(wisdom, sizeof wisdom, "%s/shared.jsonl", folder);
  fftgen_options o = usual();
  o.cache = shared, o.wisdom = wisdom;
  int bad = 0;
  for (int i = 0; i < PROCESSES; i++)
    if (fork() == 0) _exit(!race(&o, wisdom, i));
  for (int i = 0; i < PROCESSES; i++) {
    int status;
    wait(&status);
    bad += status != 0;
  }
  assert_int_equal(bad, 0);
  fg_context cx = {.arena = fg_arena_create()};
  fg_wisdom w;
  assert_int_equal(fg_wisdom_load(&cx, wisdom, (fg_wisdom_warn){0}, &w), FG_OK);
  assert_int_equal(w.damaged, 0);
  assert_int_equal(w.count, PROCESSES + 1);
  fg_wisdom_entry key = {.device = fg_fingerprint_host(), .target = "c", .problem = "c2c f32 n=4"};
  assert_true(fg_wisdom_best(&w, &key)->ns == 100 - (PROCESSES - 1));
  fg_arena_destroy(cx.arena);
  expect_origin("c2c f32 n=4", &o, "cache");
  /* The generator's plan, and that of wisdom, for whoever saw it in time. */
  char command[200];
  snprintf(command, sizeof command, "n=$(ls %s/objects | wc -l); test $n = 1 -o $n = 2", shared);
  assert_int_equal(system(command), 0);
}

/* ---- memory ---------------------------------------------------------------------- */

typedef struct counted {
  long taken, held, fail_at;
} counted;

static void *take(void *context, size_t bytes, size_t alignment) {
  counted *c = context;
  if (++c->taken == c->fail_at) return NULL;
  c->held++;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void give(void *context, void *memory) {
  ((counted *)context)->held--;
  free(memory);
}

static void test_allocator(void **state) {
  (void)state;
  fftgen_options o = usual();
  long needed = 0;
  for (long n = 0; n <= needed; n++) {
    counted c = {.fail_at = n};
    fftgen_allocator a = {take, give, &c};
    fftgen_plan *p;
    fftgen_error error;
    o.allocator = &a;
    o.concurrency = 2;
    o.plan = PLAN_WITH_SCRATCH;
    fftgen_status status = fftgen_plan_create("c2c f64 n=10000", &o, &p, &error);
    assert_int_equal(status, n ? FFTGEN_ENOMEM : FFTGEN_OK);
    if (!n) needed = c.taken;
    fftgen_plan_destroy(p);
    assert_int_equal(c.held, 0);
  }
  assert_true(needed >= 4); /* the plan, the slots, their scratch */
}

/* ---- bounds ----------------------------------------------------------------------- */

static void test_cache_is_bounded(void **state) {
  (void)state;
  char small[128], command[512];
  snprintf(small, sizeof small, "%s/small", folder);
  fftgen_options o = usual();
  o.cache = small;
  expect_origin("c2c f32 n=16", &o, "jit");
  /* Old files of two mebibytes, then room for one only. */
  snprintf(command, sizeof command,
           "for i in 1 2; do head -c 1048576 /dev/zero >%s/objects/$i.so; touch -d '2001-01-01 00:00:00.999999999' "
           "%s/objects/$i.so; done",
           small, small);
  assert_int_equal(system(command), 0);
  setenv("FFTGEN_CACHE_MIB", "1", 1);
  expect_origin("c2c f32 n=8", &o, "jit");
  unsetenv("FFTGEN_CACHE_MIB");
  snprintf(command, sizeof command, "test ! -e %s/objects/1.so -a ! -e %s/objects/2.so", small, small);
  assert_int_equal(system(command), 0);
  expect_origin("c2c f32 n=8", &o, "cache");
  expect_origin("c2c f32 n=16", &o, "cache");
  /* What was being written when its process died. */
  snprintf(command, sizeof command, "cd %s/objects && touch new-1-1.so new-1-2.so && touch -d '2001-01-01' new-1-1.so",
           small);
  assert_int_equal(system(command), 0);
  expect_origin("c2c f32 n=4", &o, "jit");
  snprintf(command, sizeof command, "cd %s/objects && test ! -e new-1-1.so -a -e new-1-2.so", small);
  assert_int_equal(system(command), 0);
}

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return 1;
  snprintf(cache, sizeof cache, "%s/cache", folder);
  snprintf(wisdom, sizeof wisdom, "%s/wisdom.jsonl", folder);
  return setenv("FFTGEN_JIT", FFTGEN_JIT_FILE, 1);
}

static int tear_down(void **state) {
  (void)state;
  return folder_remove(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_compiler),
      cmocka_unit_test(test_llvm_alone),
      cmocka_unit_test(test_nothing_anywhere),
      cmocka_unit_test(test_wrong_arguments),
      cmocka_unit_test(test_arch),
      cmocka_unit_test(test_results),
      cmocka_unit_test(test_struct),
      cmocka_unit_test(test_parameters_are_checked),
      cmocka_unit_test(test_cache),
      cmocka_unit_test(test_cache_is_of_one_version),
      cmocka_unit_test(test_content_is_shared),
      cmocka_unit_test(test_cache_is_checked),
      cmocka_unit_test(test_cache_under_any_umask),
      cmocka_unit_test(test_cached_plans_side_by_side),
      cmocka_unit_test(test_cache_that_cannot_be_used),
      cmocka_unit_test(test_every_call_of_the_system_fails_once),
      cmocka_unit_test(test_wisdom_decides),
      cmocka_unit_test(test_linked_kernels),
      cmocka_unit_test(test_threads_share_a_plan),
      cmocka_unit_test(test_parallel_for),
      cmocka_unit_test(test_given_in_parts),
      cmocka_unit_test(test_parts_of_one_transform),
      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_openmp),
      cmocka_unit_test(test_many_processes_one_cache),
      cmocka_unit_test(test_allocator),
      cmocka_unit_test(test_cache_is_bounded),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

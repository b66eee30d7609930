/* What plans for devices cost, on whatever is here: a plan whose kernel is cached and
 * whose plan wisdom knows; one that is generated and compiled now, by shipped wisdom
 * or by the model alone, and how much of that is the generator's; and an execution,
 * beside the driver's own launch of the same kernel. What is paid once a process -
 * the context, the first load of the compiler - is printed apart.
 *
 * usage: runtime_bench JIT [short] [cuda|opencl]...; short: one problem; exit code 77: none of them is here. */
#include "runtime/include/fftgen/cuda.h"
#include "runtime/include/fftgen/opencl.h"
#include "runtime/load/jit.h"
#include "runtime/load/plugin.h"
#include "runtime/store/package.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include "targets/cuda/facts.h"
#include "targets/opencl/facts.h"
#include "targets/timing.h"
#include "tests/unit/wisdom_entry.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCHES = 200, ROUNDS = 50, PLANS = 9 };

static char folder[] = "/tmp/fftgen-bench-XXXXXX", cache[64], wisdom[64];
static bool is_short;

static double milliseconds(double since) { return 1e3 * (fg_timing_now() - since); }

static void stop(const char *what) {
  fprintf(stderr, "runtime_bench: %s\n", what);
  exit(1);
}

/* ---- what CUDA and OpenCL have in common ----------------------------------------- */

typedef struct bench {
  const char *target, *identity;
  const char *arch; /* its compiler's word for it; NULL: the driver compiles */
  const fg_device_facts *facts;
  bool every; /* problem; else four: its compilers take seconds */
  /* A plan is made and, at `again`, destroyed. */
  void *(*create)(const char *problem, const fftgen_options *o, fftgen_info *info);
  void (*destroy)(void *plan);
  void (*begin)(const char *name, const fg_package *g); /* arrays, and the driver's own kernel */
  void (*ours)(void *plan);                             /* enqueues LAUNCHES times */
  void (*driver)(void);
  void (*wait)(void);
} bench;

static fftgen_options usual(void) {
  return (fftgen_options){.size = sizeof(fftgen_options), .cache = cache, .wisdom = wisdom};
}

/* origin: NULL where it may be any. plan: its text. */
static double plan_once(const bench *b, const char *problem, const fftgen_options *o, const char *origin,
                        char plan[256]) {
  fftgen_info info = {.size = sizeof info};
  double start = fg_timing_now();
  void *p = b->create(problem, o, &info);
  double took = milliseconds(start);
  if (origin && strcmp(info.origin, origin)) stop(info.reasons);
  snprintf(plan, 256, "%s", info.plan);
  b->destroy(p);
  return took;
}

/* The compiler's part, of a package that holds a source. */
static double time_compiler(const bench *b, fg_context *cx, const fg_jit *jit, const fg_jit_bytes *package) {
  fg_package g;
  fg_jit_bytes made;
  fg_jit_result result = {.address = ""};
  const char *wrong = fg_package_read(cx, package->bytes, package->size, &g);
  if (wrong) stop(wrong);
  double start = fg_timing_now();
  fg_jit_source text = {b->target, g.code[0].bytes, b->arch};
  if (jit->compile(&text, &made, &result) != FG_JIT_BUILT) stop(result.message);
  double took = milliseconds(start);
  jit->release(&made);
  return took;
}

/* Until there is a source, and until it is proved, in milliseconds; and how long it is compiled. */
static void time_generator(const bench *b, const char *problem, double *source, double *proof, double *compiler) {
  fg_context cx = {.arena = fg_arena_create()};
  const char *why = "";
  const fg_jit *jit = fg_plugin_find(&cx, &why);
  fg_jit_order order = {.problem = problem, .target = b->target, .facts = b->facts};
  fg_jit_bytes package;
  fg_jit_result result = {.address = ""};
  if (!jit) stop(why);
  double start = fg_timing_now();
  if (jit->package(&order, &package, &result) != FG_JIT_BUILT) stop(result.message);
  *source = milliseconds(start);
  if (jit->proved(&package, &result) != FG_JIT_BUILT) stop(result.message);
  *proof = milliseconds(start);
  *compiler = b->arch ? time_compiler(b, &cx, jit, &package) : 0;
  jit->release(&package);
  fg_arena_destroy(cx.arena);
}

static void know(const bench *b, const char *problem, const char *plan) {
  fg_wisdom_entry e = entry_for(b->identity, b->target, problem, plan, 1000);
  if (entry_add(wisdom, &e) != FG_OK) stop("no line of wisdom can be written");
}

typedef struct row {
  const char *problem, *batch, *another; /* compilers keep what they have compiled: two texts */
} row;

static void time_problem(const bench *b, const row *r) {
  fftgen_options o = usual(), none = usual();
  char known[96], other[96], plan[256], choice[256];
  double source, proof, compiler, best = 1e30, worst = 0;
  none.flags |= FFTGEN_NO_WISDOM;
  snprintf(known, sizeof known, "%s batch=%s", r->problem, r->batch);
  snprintf(other, sizeof other, "%s batch=%s", r->problem, r->another);
  double cold = plan_once(b, known, &o, "jit", plan), chosen = plan_once(b, other, &none, "jit", choice);
  time_generator(b, other, &source, &proof, &compiler);
  know(b, known, plan);
  plan_once(b, known, &o, NULL, choice); /* the same kernel; the cache has it by that plan's name now */
  for (int k = 0; k < PLANS; k++) {
    double t = plan_once(b, known, &o, "cache", choice);
    best = t < best ? t : best;
    worst = t > worst ? t : worst;
  }
  printf("%s: %-35s %6.1f ms cold by %s; by the model %6.1f (source after %.1f, proved after %.1f, compiled in %.1f); "
         "%.2f by wisdom from the cache (at most %.2f)\n",
         b->target, known, cold, plan, chosen, source, proof, compiler, best, worst);
}

static void time_plans(const bench *b) {
  static const char any[] = "count[1..100000]", most[] = "count[1..99999]";
  static const row rows[] = {
      {"c2c f32 n=64", any, most},     {"c2c f32 n=1024", any, most},     {"c2c f64 n=1000", any, most},
      {"c2c f32 n=4096", any, most},   {"c2c f32 n=1024", "1000", "999"}, {"c2c f64 n=4096", any, most},
      {"c2c f32 n=5000", "100", "99"}, {"c2c f32 n=1009", any, most},     {"c2c f32 n=31", any, most},
      {"r2c f32 n=1024", any, most},   {"c2r f32 n=4096", any, most},     {"c2c f32 n=128x128", "64", "63"}};
  size_t count = is_short ? 1 : b->every ? sizeof rows / sizeof *rows : 4;
  fftgen_options o = usual();
  char plan[256];
  printf("%s: %.1f ms for the first kernel of a process: the compiler is loaded\n", b->target,
         plan_once(b, "c2c f32 n=2", &o, "jit", plan));
  for (size_t i = 0; i < count; i++) time_problem(b, &rows[i]);
}

/* The only package of a cache that is new. */
static void read_package(fg_context *cx, const char *place, fg_package *out) {
  char path[512], *bytes;
  size_t size;
  snprintf(path, sizeof path, "%s/objects", place);
  DIR *d = opendir(path);
  struct dirent *e = NULL;
  while (d && (e = readdir(d)) && !strstr(e->d_name, ".fgk")) continue;
  if (!e) stop("no package in the cache");
  snprintf(path, sizeof path, "%s/objects/%s", place, e->d_name);
  closedir(d);
  const char *wrong = "it cannot be read";
  if (fg_store_read(cx, path, 1 << 28, &bytes, &size) == FG_OK) wrong = fg_package_read(cx, bytes, size, out);
  if (wrong) stop(wrong);
}

static void time_launches(const bench *b) {
  char place[128];
  fg_context cx = {.arena = fg_arena_create()};
  fg_package g;
  fftgen_info info = {.size = sizeof info};
  fftgen_options o = usual();
  double ours = 1e30, driver = 1e30;
  snprintf(place, sizeof place, "%s/alone-%s", folder, b->target);
  o.cache = place, o.plan = "direct(4)";
  void *plan = b->create("c2c f32 n=4", &o, &info);
  read_package(&cx, place, &g);
  b->begin(g.artifact.launch[0].entry, &g);
  for (int r = 0; r < ROUNDS; r++) {
    double start = fg_timing_now();
    b->ours(plan);
    double middle = fg_timing_now();
    b->wait();
    double again = fg_timing_now();
    b->driver();
    double end = fg_timing_now();
    b->wait();
    if (middle - start < ours) ours = middle - start;
    if (end - again < driver) driver = end - again;
  }
  printf("%s: %.3f us to enqueue an execution, %.3f us the driver's own launch: %.3f us more\n", b->target,
         1e6 * ours / LAUNCHES, 1e6 * driver / LAUNCHES, 1e6 * (ours - driver) / LAUNCHES);
  b->destroy(plan);
  fg_arena_destroy(cx.arena);
}

/* ---- CUDA ------------------------------------------------------------------------ */

static const fg_cu_api *cu;
static fg_cu_memory cu_in, cu_out;
static fg_cu_function_ref cu_function;
static fg_cu_stream_ref cu_stream;
static int cu_threads;

static void *cu_create(const char *problem, const fftgen_options *o, fftgen_info *info) {
  fftgen_cuda_plan *p;
  fftgen_error error;
  if (fftgen_cuda_plan_create(problem, o, &p, &error) != FFTGEN_OK) stop(error.message);
  fftgen_cuda_plan_info(p, info);
  return p;
}

static void cu_destroy(void *plan) { fftgen_cuda_plan_destroy(plan); }

static void cu_begin(const char *name, const fg_package *g) {
  fg_cu_module_ref code;
  if (cu->module_load(&code, g->code[0].bytes) || cu->module_function(&cu_function, code, name) ||
      cu->allocate(&cu_in, 4096) || cu->allocate(&cu_out, 4096) || cu->stream_create(&cu_stream, 1))
    stop("the driver's own launch");
  cu_threads = g->artifact.launch[0].threads;
}

static void cu_ours(void *plan) {
  fftgen_cuda_arrays a = {.in = cu_in, .out = cu_out};
  for (int i = 0; i < LAUNCHES; i++)
    if (fftgen_cuda_execute(plan, &a, (struct CUstream_st *)cu_stream, NULL) != FFTGEN_OK) stop("an execution");
}

static void cu_driver(void) {
  void *argument[] = {&cu_in, &cu_out};
  for (int i = 0; i < LAUNCHES; i++)
    if (cu->launch(cu_function, 1, 1, 1, (unsigned)cu_threads, 1, 1, 0, cu_stream, argument, NULL)) stop("a launch");
}

static void cu_wait(void) {
  if (cu->stream_wait(cu_stream)) stop("waiting for the GPU");
}

static bool bench_cuda(void) {
  char why[FG_WHY_SIZE], arch[FG_CU_ARCH_SIZE];
  fg_cu_context_ref context;
  fg_device_facts facts;
  double start = fg_timing_now();
  int device, count = 0;
  if (!(cu = fg_cu_load(why)) || cu->device_count(&count) || !count) return printf("cuda: not here: %s\n", why), false;
  if (cu->device_get(&device, 0) || cu->context_retain(&context, device) || cu->context_push(context))
    stop("no CUDA context");
  printf("cuda: %.1f ms for the driver and its context\n", milliseconds(start));
  fg_cu_facts(cu, device, &facts);
  printf("cuda: %s\n", facts.identity);
  fg_cu_arch(cu, device, arch);
  bench b = {"cuda", facts.identity, arch, &facts, true, cu_create, cu_destroy, cu_begin, cu_ours, cu_driver, cu_wait};
  time_plans(&b);
  time_launches(&b);
  return true;
}

/* ---- OpenCL ---------------------------------------------------------------------- */

static const fg_cl_api *cl;
static cl_device_id cl_device;
static cl_context cl_here;
static cl_command_queue cl_queue;
static cl_mem cl_in, cl_out;
static cl_kernel cl_own;
static size_t cl_threads;

static void *cl_create(const char *problem, const fftgen_options *o, fftgen_info *info) {
  fftgen_opencl_plan *p;
  fftgen_error error;
  if (fftgen_opencl_plan_create(problem, o, cl_queue, &p, &error) != FFTGEN_OK) stop(error.message);
  fftgen_opencl_plan_info(p, info);
  return p;
}

static void cl_destroy(void *plan) { fftgen_opencl_plan_destroy(plan); }

static void cl_begin(const char *name, const fg_package *g) {
  const unsigned char *bytes = g->code[0].bytes;
  const char *text = g->code[0].bytes;
  cl_int status;
  cl_program program =
      !strcmp(g->code[0].form, "source")
          ? cl->clCreateProgramWithSource(cl_here, 1, &text, &g->code[0].size, &status)
          : cl->clCreateProgramWithBinary(cl_here, 1, &cl_device, &g->code[0].size, &bytes, NULL, &status);
  if (status || cl->clBuildProgram(program, 1, &cl_device, "", NULL, NULL)) stop("the driver's own program");
  cl_own = cl->clCreateKernel(program, name, &status);
  cl_in = cl->clCreateBuffer(cl_here, CL_MEM_READ_WRITE, 4096, NULL, &status);
  cl_out = cl->clCreateBuffer(cl_here, CL_MEM_READ_WRITE, 4096, NULL, &status);
  cl_threads = (size_t)g->artifact.launch[0].threads;
}

static void cl_ours(void *plan) {
  fftgen_opencl_arrays a = {.in = cl_in, .out = cl_out};
  for (int i = 0; i < LAUNCHES; i++)
    if (fftgen_opencl_execute(plan, &a, cl_queue, NULL, NULL) != FFTGEN_OK) stop("an execution");
}

static void cl_driver(void) {
  for (int i = 0; i < LAUNCHES; i++)
    if (cl->clSetKernelArg(cl_own, 0, sizeof cl_in, &cl_in) || cl->clSetKernelArg(cl_own, 1, sizeof cl_out, &cl_out) ||
        cl->clEnqueueNDRangeKernel(cl_queue, cl_own, 1, NULL, &cl_threads, &cl_threads, 0, NULL, NULL))
      stop("a launch");
}

static void cl_wait(void) { cl->clFinish(cl_queue); }

static bool bench_opencl(void) {
  char why[FG_WHY_SIZE];
  cl_platform_id platform;
  cl_uint n = 0;
  cl_int status;
  fg_device_facts facts;
  double start = fg_timing_now();
  if (!(cl = fg_cl_load(why)) || cl->clGetPlatformIDs(1, &platform, &n) || !n ||
      cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &cl_device, &n) || !n)
    return printf("opencl: not here\n"), false;
  cl_here = cl->clCreateContext(NULL, 1, &cl_device, NULL, NULL, &status);
  if (status) stop("no OpenCL context");
  cl_queue = cl->clCreateCommandQueue(cl_here, cl_device, 0, &status);
  printf("opencl: %.1f ms for the driver and its context\n", milliseconds(start));
  fg_cl_facts(cl, cl_device, &facts);
  printf("opencl: %s\n", facts.identity);
  bench b = {"opencl",   facts.identity, NULL,    &facts,    false,  cl_create,
             cl_destroy, cl_begin,       cl_ours, cl_driver, cl_wait};
  time_plans(&b);
  time_launches(&b);
  return true;
}

/* ---- both -------------------------------------------------------------------------- */

static const struct how {
  const char *target;
  bool (*run)(void);
} benches[] = {{"cuda", bench_cuda}, {"opencl", bench_opencl}};

int main(int argc, char **argv) {
  char command[128];
  bool any = false;
  if (argc < 2) stop("usage: runtime_bench JIT [short] [cuda|opencl]...");
  setenv("FFTGEN_JIT", argv[1], 1);
  if (!mkdtemp(folder)) stop("no folder");
  snprintf(cache, sizeof cache, "%s/cache", folder);
  snprintf(wisdom, sizeof wisdom, "%s/wisdom.jsonl", folder);
  is_short = argc > 2 && !strcmp(argv[2], "short");
  for (size_t i = 0; i < sizeof benches / sizeof *benches; i++) {
    bool asked = argc == 2 + is_short;
    for (int k = 2; k < argc; k++) asked |= !strcmp(argv[k], benches[i].target);
    if (asked) any |= benches[i].run();
  }
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) ? 1 : any ? 0 : 77;
}

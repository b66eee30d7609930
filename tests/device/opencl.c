/* The OpenCL device, kernel by kernel. In: problems, some with a plan, some for a
 * device with less local memory or fewer threads than this one has. Each goes
 * through the whole compiler for the facts of the device, is built by it, runs on
 * random inputs and is compared with a transform in quadruple precision; and the
 * form that it was given (a block with local memory, or passes) is the one that
 * the row asks for. Rows of vectors are for CPUs. A fifth of the rows is drawn by the
 * day; with the argument `all`, every one runs. Exit code 77: no OpenCL device here. */
#include "generator/codelet/library.h"
#include "generator/pipeline/pipeline.h"
#include "generator/problem/shape.h"
#include "tests/unit/pace.h"
#include "tuning/measure/verify.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 4 };

typedef enum form { ANY, BLOCK, PASSES, DIRECT, VECTORS } form;
static const char *const form_names[] = {"any", "block", "passes", "direct", "vectors"};

static const struct row {
  const char *problem;
  form form;
  const char *plan;          /* NULL: the cheapest */
  size_t local;              /* less local memory than the device has; 0: all of it */
  int threads;               /* fewer threads a block; 0: all */
  int64_t value[MAX_VALUES]; /* of run-time parameters */
} rows[] = {
    /* one codelet a thread, through local memory or not */
    {.problem = "c2c f32 n=1", .form = ANY},
    {.problem = "c2c f64 n=2 batch=5 sign=+1", .form = ANY},
    {.problem = "c2c f32 n=7 batch=300", .form = ANY},
    {.problem = "c2c f64 n=16 batch=3x50 layout=split", .form = ANY, .plan = "direct(16)"},
    {.problem = "c2c f32 n=13 batch=129 place=in", .form = ANY},
    {.problem = "c2c f32 n=8 batch=count[1..400]", .form = ANY, .plan = "direct(8)", .value = {333}},
    {.problem = "c2c f32 n=9:5:7 batch=10:100:111", .form = ANY, .plan = "direct(9)"},

    /* a block with local memory and barriers, n up to 4096 */
    {.problem = "c2c f32 n=4096", .form = BLOCK},
    {.problem = "c2c f64 n=4096 sign=+1", .form = BLOCK},
    {.problem = "c2c f32 n=4096", .form = BLOCK, .plan = "stockham(8,8,8,8)"},
    {.problem = "c2c f32 n=4096", .form = BLOCK, .plan = "stockham(4,4,4,4,4,4)"},
    {.problem = "c2c f32 n=4096", .form = BLOCK, .plan = "stockham(64,64)"},
    {.problem = "c2c f64 n=4096", .form = BLOCK, .plan = "stockham(2,2,2,2,2,2,2,2,2,2,2,2)"},
    {.problem = "c2c f32 n=256", .form = BLOCK, .plan = "stockham(16,16)"},
    {.problem = "c2c f32 n=100", .form = BLOCK, .plan = "stockham(4,5,5)"},
    {.problem = "c2c f64 n=360 batch=11 sign=+1", .form = BLOCK, .plan = "stockham(9,8,5)"},
    {.problem = "c2c f32 n=1000 batch=7", .form = BLOCK},
    {.problem = "c2c f32 n=2040 batch=3", .form = BLOCK, .plan = "stockham(15,17,8)"},
    {.problem = "c2c f64 n=2187", .form = BLOCK, .plan = "stockham(3,9,27,3)"},
    {.problem = "c2c f32 n=3125 sign=+1", .form = BLOCK},
    {.problem = "c2c f64 n=1001 batch=2", .form = BLOCK, .plan = "stockham(7,11,13)"},
    {.problem = "c2c f32 n=2662", .form = BLOCK, .plan = "stockham(11,2,11,11)"},
    {.problem = "c2c f32 n=4095", .form = BLOCK},
    {.problem = "c2c f32 n=512 place=in", .form = BLOCK, .plan = "stockham(8,8,8)"},
    {.problem = "c2c f64 n=100 place=in batch=9", .form = BLOCK, .plan = "stockham(10,10)"},
    {.problem = "c2c f32 n=128 layout=split", .form = BLOCK, .plan = "stockham(8,16)"},
    {.problem = "c2c f64 n=243 layout=split place=in batch=3", .form = BLOCK, .plan = "stockham(9,27)"},
    {.problem = "c2c f32 n=64 layout=interleaved>split batch=2", .form = BLOCK, .plan = "stockham(8,8)"},
    {.problem = "c2c f64 n=96 layout=split>interleaved batch=2", .form = BLOCK, .plan = "stockham(12,8)"},
    {.problem = "c2c f32 n=120:3:2 batch=4:400:300", .form = BLOCK, .plan = "stockham(10,12)"},
    {.problem = "c2c f32 n=64:64:64 batch=64:1:1", .form = BLOCK, .plan = "stockham(8,8)"},
    {.problem = "c2c f64 n=36:7:1 batch=2x3", .form = BLOCK, .plan = "stockham(6,6)"},
    {.problem = "c2c f32 n=128 batch=2:1000:2000x5:128:300", .form = BLOCK, .plan = "stockham(16,8)"},
    {.problem = "c2c f32 n=256 batch=count[1..40]", .form = BLOCK, .plan = "stockham(16,16)", .value = {37}},
    {.problem = "c2c f32 n=256 batch=count[1..40]", .form = BLOCK, .plan = "stockham(16,16)", .value = {1}},
    {.problem = "c2c f64 n=60:s[1..9]:t[1..5] batch=3:600:300",
     .form = BLOCK,
     .plan = "stockham(6,10)",
     .value = {9, 2}},
    {.problem = "c2c f32 n=64 batch=rows[1..9]:pitch[64..200]:pitch",
     .form = BLOCK,
     .plan = "stockham(8,8)",
     .value = {7, 131}},
    {.problem = "c2c f32 n=32 batch=a[1..6]:320:320xc[1..10]", .form = BLOCK, .plan = "stockham(8,4)", .value = {5, 9}},
    {.problem = "c2c f32 n=32 batch=3:4000:4000xa[1..6]:320:320xc[1..10]",
     .form = BLOCK,
     .plan = "stockham(8,4)",
     .value = {6, 3}},
    {.problem = "c2c f32 n=64 batch=100", .form = BLOCK, .plan = "stockham(8,8; group=7)"},
    {.problem = "c2c f64 n=27 batch=c[1..100]", .form = BLOCK, .plan = "stockham(3,9; group=5)", .value = {38}},
    {.problem = "c2c f32 n=900", .form = BLOCK, .plan = "cooley-tukey(9, stockham(10,10))"},
    {.problem = "c2c f64 n=211 batch=2", .form = BLOCK, .plan = "bluestein(432, stockham(16,27))"},
    {.problem = "c2c f32 n=1009", .form = BLOCK},
    {.problem = "c2c f64 n=1021 sign=+1 place=in layout=split", .form = BLOCK},
    {.problem = "c2c f32 n=997 batch=count[1..5]",
     .form = BLOCK,
     .plan = "bluestein(2000, stockham(20,10,10))",
     .value = {4}},
    /* stages so long that compilers do not inline them by themselves: 83 points are 4012 operations */
    {.problem = "c2c f32 n=166 batch=3", .form = BLOCK, .plan = "stockham(83,2)"},

    /* the same with few threads: loops of threads, guards, uneven cuts */
    {.problem = "c2c f32 n=1000 batch=2", .form = BLOCK, .plan = "stockham(10,10,10)", .threads = 1},
    {.problem = "c2c f32 n=1000 batch=2", .form = BLOCK, .plan = "stockham(10,10,10)", .threads = 7},
    {.problem = "c2c f64 n=4096", .form = BLOCK, .plan = "stockham(16,16,16)", .threads = 64},
    {.problem = "c2c f32 n=720", .form = BLOCK, .plan = "stockham(5,9,16; threads=33)"},
    {.problem = "c2c f32 n=331", .form = BLOCK, .threads = 50},

    /* passes through global memory: more than the local memory holds */
    {.problem = "c2c f32 n=64 batch=3", .form = PASSES, .plan = "stockham(8,8)", .local = 256},
    {.problem = "c2c f32 n=60", .form = PASSES, .plan = "stockham(3,4,5)", .local = 256},
    {.problem = "c2c f64 n=1000 batch=7 place=in", .form = PASSES, .plan = "stockham(10,10,10)", .local = 256},
    {.problem = "c2c f32 n=1000 batch=7 layout=split", .form = PASSES, .local = 4096, .threads = 13},
    {.problem = "c2c f32 n=96 batch=count[1..30]",
     .form = PASSES,
     .plan = "stockham(8,12)",
     .local = 256,
     .value = {23}},
    {.problem = "c2c f32 n=96 batch=a[1..5]:600:600xc[1..6]",
     .form = PASSES,
     .plan = "stockham(8,12)",
     .local = 256,
     .value = {4, 5}},
    {.problem = "c2c f64 n=48:s[1..3]:2 batch=2x3:200:100",
     .form = PASSES,
     .plan = "stockham(6,8)",
     .local = 256,
     .value = {3}},
    {.problem = "c2c f32 n=1009 batch=2", .form = PASSES, .local = 4096},
    {.problem = "c2c f32 n=2048 sign=+1", .form = PASSES, .local = 8192, .threads = 64},
    {.problem = "c2c f32 n=8192 batch=3", .form = PASSES, .local = 32768, .threads = 256},
    {.problem = "c2c f64 n=65536", .form = PASSES, .local = 49152},
    {.problem = "c2c f32 n=131072 sign=+1", .form = PASSES, .local = 49152},
    {.problem = "c2c f32 n=100000", .form = PASSES, .local = 49152},
    {.problem = "c2c f64 n=59049 place=in", .form = PASSES, .local = 49152},
    {.problem = "c2c f32 n=85085", .form = PASSES, .local = 49152}, /* 5 7 11 13 17 */
    {.problem = "c2c f32 n=65537", .form = PASSES, .local = 49152},
    {.problem = "c2c f64 n=20011 sign=+1", .form = PASSES, .local = 49152},

    /* several dimensions, of which one is too long for a block: passes for that one */
    {.problem = "c2c f32 n=8192x4 batch=2", .form = PASSES, .local = 32768},
    {.problem = "c2c f64 n=6x4096x3", .form = PASSES, .local = 32768},
    {.problem = "c2c f32 n=2048x2048 place=in", .form = PASSES, .local = 8192},

    /* vectors in blocks of one work-item: batches that fill blocks and those that do not, memory that fits and not */
    {.problem = "c2c f32 n=8 batch=16384", .form = VECTORS},
    {.problem = "c2c f32 n=8 batch=10007", .form = VECTORS, .plan = "direct(8)"},
    {.problem = "c2c f64 n=5 batch=count[1..9000]", .form = VECTORS, .value = {8999}},
    {.problem = "c2c f64 n=5 batch=count[1..9000]", .form = VECTORS, .value = {3}},
    {.problem = "c2c f32 n=16 batch=3x2000 place=in", .form = VECTORS, .plan = "direct(16)"},
    {.problem = "c2c f32 n=9:5:7 batch=1000:100:111", .form = VECTORS, .plan = "direct(9)"},
    {.problem = "c2c f32 n=64 batch=1000", .form = VECTORS, .plan = "stockham(8,8)"},
    {.problem = "c2c f64 n=60 batch=rows[1..900]", .form = VECTORS, .plan = "stockham(6,10)", .value = {701}},
    {.problem = "c2c f32 n=256 batch=count[1..500]", .form = VECTORS, .plan = "stockham(16,16)", .value = {333}},
    {.problem = "c2c f32 n=1000 batch=7 place=in", .form = VECTORS},
    {.problem = "c2c f64 n=1000 batch=7 layout=split", .form = VECTORS, .local = 4096},
    {.problem = "c2c f32 n=32 batch=a[1..6]:320:320xc[1..10]",
     .form = VECTORS,
     .plan = "stockham(8,4)",
     .value = {5, 9}},
    {.problem = "c2c f32 n=1009 batch=3", .form = VECTORS},
    {.problem = "c2c f32 n=8x32x5 batch=3", .form = VECTORS},
    {.problem = "c2c f64 n=128x96", .form = VECTORS, .local = 4096},
    {.problem = "c2c f32 n=65536 batch=2", .form = VECTORS, .plan = "four-step(stockham(16,16), stockham(16,16))"},
    {.problem = "c2c f32 n=65536", .form = VECTORS, .plan = "stockham(16,16,16,16)", .local = 49152},
    {.problem = "r2c f32 n=30 batch=333", .form = VECTORS},
    {.problem = "dst1 f32 n=1018 batch=3",
     .form = VECTORS,
     .local = 8192}, /* parts of numbers in memory that is not local */
    {.problem = "c2r f64 n=1013 batch=3", .form = VECTORS, .local = 8192},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const fg_device *device;
static fg_device_facts facts;
static fg_library *library;

static bool has_local(const fg_program *p) {
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].space == FG_SPACE_LOCAL) return true;
  return false;
}

static form form_of(const fg_program *p) {
  if (p->vectors.lanes > 1) return VECTORS;
  if (p->nkernel == 1 && p->kernel[0]->nstage > 1 && has_local(p)) return BLOCK;
  return p->nkernel == 1 && p->kernel[0]->nstage == 1 ? DIRECT : PASSES;
}

static fg_status run_on_device(fg_compilation *c, const struct row *r, fg_verified *v) {
  char why[FG_WHY_SIZE] = "";
  fg_module *m = NULL;
  fg_verify_options options = {.inputs = fg_problem_points(&c->problem) > 50000 ? 1 : 2, .seed = 11};
  if (c->problem.nparam) options.params = r->value;
  if (device->build(&c->emitted.artifact, &m, why)) return fg_diag_set(&c->cx->diag, FG_ESYS, "%s", why);
  fg_status status = fg_verify(c->cx, &c->problem, device, m, &options, v);
  device->destroy(m);
  return status;
}

static fg_status check(fg_context *cx, const struct row *r) {
  fg_device_facts limited = facts;
  if (r->local && r->local < limited.local_bytes) limited.local_bytes = r->local;
  if (r->threads && r->threads < limited.max_threads) limited.max_threads = r->threads;
  fg_request request = {
      .problem = r->problem, .target = device->dialect, .plan = r->plan, .facts = &limited, .entry = true};
  request.isa = r->form == VECTORS ? "native" : "scalar";
  fg_compilation *c = fg_arena_new(cx->arena, fg_compilation, 1);
  fg_verified v = {.ok = false};
  fg_status status = fg_pipeline_compile(cx, &request, c);
  if (status == FG_OK) status = run_on_device(c, r, &v);
  if (status != FG_OK) return status;
  const fg_program *p = c->chosen.program;
  printf("%-6s %2d x %4d threads  l2 %.2g  %s  [%s]\n", form_names[form_of(p)], p->nkernel,
         p->kernel[0]->launch.threads, v.l2, r->problem, fg_plan_print(cx, c->chosen.plan));
  if (!v.ok) return fg_diag_set(&cx->diag, FG_EWRONG, "%s", v.why);
  if (p->kernel[0]->launch.threads > limited.max_threads)
    return fg_diag_set(&cx->diag, FG_EWRONG, "%d threads, at most %d", p->kernel[0]->launch.threads,
                       limited.max_threads);
  if (r->form != ANY && form_of(p) != r->form)
    return fg_diag_set(&cx->diag, FG_EWRONG, "%s where the row says %s", form_names[form_of(p)], form_names[r->form]);
  return FG_OK;
}

static bool passes(const struct row *r) {
  fg_context cx = {.arena = fg_arena_create(), .library = library};
  if (!cx.arena) return false;
  fg_status status = fg_arena_guard(cx.arena) ? FG_ENOMEM : check(&cx, r);
  if (status != FG_OK)
    printf("FAIL: %s [%s]: %s\n", r->problem, r->plan ? r->plan : "any plan",
           cx.diag.message[0] ? cx.diag.message : fg_status_name(status));
  fg_arena_destroy(cx.arena);
  return status == FG_OK;
}

int main(int argc, char **argv) {
  char why[FG_WHY_SIZE] = "";
  long some = argc > 1 && !strcmp(argv[1], "all") ? 1 : 5, day = drawn_day();
  int bad = 0, run = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  device = fg_device_find("opencl");
  if (device->probe(&facts, why)) return printf("SKIP: opencl: %s\n", why), 77;
  printf("%s: %zu bytes of local memory, %d threads a block\n", facts.name, facts.local_bytes, facts.max_threads);
  library = fg_codelet_library_create();
  if (facts.is_gpu_like) puts("SKIP: rows of vectors: this device is no CPU");
  if (some > 1) printf("drawn by FFTGEN_SEED=%ld\n", day);
  for (int i = 0; i < ROWS; i++) {
    if ((i + day) % some || (rows[i].form == VECTORS && facts.is_gpu_like)) continue;
    bad += !passes(&rows[i]);
    run++;
  }
  fg_codelet_library_destroy(library);
  printf("%d of %d problems on the device, %d failures\n", run, (int)ROWS, bad);
  return bad != 0;
}

/* The accuracy campaign: every size of a list, built, run, compared with a
 * transform in quadruple precision, FFTW's error of the same precision beside it.
 *
 *   campaign [--device cc|tcc|opencl] [--compiler gcc] [--isa NAME] [--inputs 20]
 *            [--precision f32,f64] [--sign -1,+1] [--kind r2c,c2r,dct2,...] [--batch B]
 *            [--stride S] LIST...
 *
 * Of short transforms more inputs are taken, 4096 points in all.
 * LIST: A..B, A..B:STEP, one number, or a name: stratified (200 sizes, drawn from
 * strata of 1..4096), primes (sampled to 10007), large (powers and products to
 * 2^22). Prints CSV, then a summary as comments; exit code 1 when a transform is
 * wrong, a proof fails, or an error exceeds the bars:
 * 1.15 x FFTW's L2 error for each size, 1.0 x in geometric mean. Of kinds other than
 * c2c FFTW's sign alone is asked for. */
#include "generator/codelet/library.h"
#include "generator/pipeline/pipeline.h"
#include "generator/problem/shape.h"
#include "tuning/baselines/fftw.h"
#include "tuning/measure/reference.h"
#include "tuning/measure/verify.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 20000 };
static const double bar_each = 1.15, bar_mean = 1.0;

typedef struct campaign {
  const fg_device *device;
  const char *isa, *precisions, *signs, *kinds;
  int inputs, batch, stride;
  bool no_proof;
  int64_t size[MAX_SIZES];
  int nsize;
  fg_library *library;
  fg_truths *truths; /* of the problem at hand */
  fg_device_facts facts;
  /* results */
  long rows, wrong, over, fallbacks;
  double log_sum, worst;
  char worst_problem[128];
} campaign;

/* ---- lists of sizes ------------------------------------------------------------ */

static void add_size(campaign *c, int64_t n) {
  if (c->nsize < MAX_SIZES) c->size[c->nsize++] = n;
}

static bool is_prime(int64_t n) {
  for (int64_t d = 2; d * d <= n; d++)
    if (n % d == 0) return false;
  return n > 1;
}

static bool has_size(const campaign *c, int64_t n) {
  for (int i = 0; i < c->nsize; i++)
    if (c->size[i] == n) return true;
  return false;
}

/* Strata of equal width in the logarithm; where one has no new size left, the next above. */
static void add_stratified(campaign *c) {
  uint64_t state = 2026;
  for (int i = 0; i < 200; i++) {
    int64_t lo = (int64_t)floor(exp2(12.0 * i / 200)), hi = (int64_t)ceil(exp2(12.0 * (i + 1) / 200));
    int64_t n = lo + (int64_t)(fg_random(&state) % (uint64_t)(hi - lo + 1));
    while (has_size(c, n)) n++;
    add_size(c, n);
  }
}

static void add_primes(campaign *c) {
  int count = 0;
  for (int64_t n = 2; n <= 10007; n++)
    if (is_prime(n) && (n < 128 || n > 9990 || count++ % 12 == 0)) add_size(c, n);
}

static void add_large(campaign *c) {
  for (int e = 13; e <= 22; e++) add_size(c, (int64_t)1 << e);
  static const int64_t product[] = {6561,    15625,   16807,   14641,   10000,   20000,   30000,   44100,   48000,
                                    50000,   59049,   65537,   78125,   100000,  117649,  177147,  250000,  390625,
                                    524287,  531441,  823543,  1000000, 1000003, 1062882, 1594323, 1953125, 2000000,
                                    2097143, 3000000, 4000000, 4194301, 7623,    9009,    10647,   13000};
  for (size_t i = 0; i < sizeof product / sizeof *product; i++) add_size(c, product[i]);
}

static bool add_list(campaign *c, const char *text) {
  long long lo, hi, step = 1;
  if (!strcmp(text, "stratified")) return add_stratified(c), true;
  if (!strcmp(text, "primes")) return add_primes(c), true;
  if (!strcmp(text, "large")) return add_large(c), true;
  int got = sscanf(text, "%lld..%lld:%lld", &lo, &hi, &step);
  if (got < 1 || lo < 1 || step < 1) return false;
  if (got == 1) hi = lo;
  for (; lo <= hi; lo += step) add_size(c, lo);
  return true;
}

/* ---- one problem ------------------------------------------------------------------ */

typedef struct row {
  const char *problem, *plan;
  fg_verified ours, peer;
  int nfallback;
} row;

/* Of short transforms more are run, 4096 points in all: the error of few has much noise. */
static int inputs_of(const campaign *c, const fg_problem *p) {
  int64_t points = fg_problem_points(p);
  int more = points < 4096 ? (int)(4096 / points) : 1;
  return more > c->inputs ? more : c->inputs;
}

static fg_status peer_error(const campaign *c, fg_context *cx, const fg_problem *p, fg_verified *out) {
  fg_verify_options options = {
      .truths = c->truths, .inputs = inputs_of(c, p), .no_properties = true, .unscaled = true, .seed = 7};
  char why[FG_WHY_SIZE];
  fg_module *m;
  if (fg_peer_create(p, NULL, FG_EFFORT_ESTIMATE, &m, why)) return fg_diag_set(&cx->diag, FG_ESYS, "FFTW: %s", why);
  fg_status status = fg_verify(cx, p, &fg_peer_device, m, &options, out);
  fg_peer_device.destroy(m);
  return status;
}

static fg_status our_error(const campaign *c, fg_context *cx, const fg_compilation *comp, fg_verified *out) {
  fg_verify_options options = {.truths = c->truths, .inputs = inputs_of(c, &comp->problem), .seed = 7};
  char why[FG_WHY_SIZE];
  fg_module *m;
  if (c->device->build(&comp->emitted.artifact, &m, why))
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: %s", c->device->name, why);
  fg_status status = fg_verify(cx, &comp->problem, c->device, m, &options, out);
  c->device->destroy(m);
  return status;
}

static fg_status run_problem(const campaign *c, fg_context *cx, row *r) {
  fg_request request = {.problem = r->problem, .target = c->device->dialect, .isa = c->isa, .entry = true};
  if (c->facts.is_gpu_like) request.facts = &c->facts;
  fg_compilation *comp = fg_arena_new(cx->arena, fg_compilation, 1);
  fg_status status = fg_pipeline_parse(cx, &request, comp);
  if (status == FG_OK) status = fg_pipeline_decide(comp);
  if (status == FG_OK && !c->no_proof) status = fg_pipeline_prove(comp);
  if (status == FG_OK) status = fg_pipeline_emit(comp);
  if (status == FG_OK) status = our_error(c, cx, comp, &r->ours);
  if (status == FG_OK) status = peer_error(c, cx, &comp->problem, &r->peer);
  if (status != FG_OK) return status;
  r->plan = fg_plan_print(cx, comp->chosen.plan);
  r->nfallback = comp->chosen.program->nfallback;
  return FG_OK;
}

static void note(campaign *c, const row *r) {
  double ratio = r->peer.l2 > 0 ? r->ours.l2 / r->peer.l2 : 1;
  printf("%s,%s,%s,%d,%.4g,%.4g,%.3f,%s\n", c->device->name, r->problem, r->plan, r->nfallback, r->ours.l2, r->peer.l2,
         ratio, r->ours.ok ? "ok" : r->ours.why);
  c->rows++;
  c->wrong += !r->ours.ok;
  c->fallbacks += r->nfallback > 0;
  if (r->peer.l2 <= 0 || r->ours.l2 <= 0) return; /* n = 1: both exact */
  c->log_sum += log(ratio);
  c->over += ratio > bar_each;
  if (ratio > c->worst) {
    c->worst = ratio;
    snprintf(c->worst_problem, sizeof c->worst_problem, "%s", r->problem);
  }
}

/* One of a list with commas. */
static bool is_listed(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ',')) return true;
  return false;
}

/* sign: " sign=-1", or nothing. */
static void one(campaign *c, fg_kind kind, int64_t n, const char *precision, const char *sign) {
  fg_context cx = {.arena = fg_arena_create(), .library = c->library};
  if (!cx.arena || fg_arena_guard(cx.arena)) {
    fprintf(stderr, "campaign: out of memory at n=%lld\n", (long long)n);
    c->wrong++;
    fg_arena_destroy(cx.arena);
    return;
  }
  char dims[64], batch[64] = "";
  snprintf(dims, sizeof dims, "n=%lld", (long long)n);
  if (c->stride > 1) snprintf(dims, sizeof dims, "n=%lld:%d:%d", (long long)n, c->stride, c->stride);
  if (c->batch > 1) snprintf(batch, sizeof batch, " batch=%d", c->batch);
  row r = {.problem =
               fg_arena_printf(cx.arena, "%s %s %s%s%s", fg_problem_kind_name(kind), precision, dims, batch, sign)};
  c->truths = fg_truths_create();
  fg_status status = run_problem(c, &cx, &r);
  fg_truths_destroy(c->truths);
  if (status == FG_OK) {
    note(c, &r);
  } else {
    printf("%s,%s,,,,,,%s\n", c->device->name, r.problem, cx.diag.message);
    c->rows++;
    c->wrong++;
  }
  fflush(stdout);
  fg_arena_destroy(cx.arena);
}

static void all_of_kind(campaign *c, fg_kind kind, int64_t n) {
  for (int p = 0; p < 2; p++)
    for (int s = 0; s < (kind == FG_C2C ? 2 : 1); s++) {
      if (!strstr(c->precisions, p ? "f64" : "f32")) continue;
      if (kind == FG_C2C && !strstr(c->signs, s ? "+1" : "-1")) continue;
      one(c, kind, n, p ? "f64" : "f32", kind != FG_C2C ? "" : s ? " sign=+1" : " sign=-1");
    }
}

static void all(campaign *c) {
  printf("device,problem,plan,fallbacks,l2,l2_fftw,ratio,verdict\n");
  for (int i = 0; i < c->nsize; i++)
    for (int k = FG_C2C; k < FG_CONV; k++)
      if (is_listed(c->kinds, fg_problem_kind_name((fg_kind)k)) && (k != FG_DCT1 || c->size[i] > 1))
        all_of_kind(c, (fg_kind)k, c->size[i]);
}

static int summary(const campaign *c) {
  double mean = c->rows ? exp(c->log_sum / (double)c->rows) : 0;
  printf("# %ld problems, %ld wrong, %ld with a fallback\n", c->rows, c->wrong, c->fallbacks);
  printf("# L2 error over FFTW's: geometric mean %.3f (bar %.2f), worst %.3f at \"%s\", %ld over %.2f\n", mean,
         bar_mean, c->worst, c->worst_problem, c->over, bar_each);
  return c->wrong || c->over || mean > bar_mean || !c->rows;
}

/* ---- the command line ---------------------------------------------------------------- */

static int usage(const char *why) {
  fprintf(stderr, "campaign: %s; see the head of tests/accuracy/campaign.c\n", why);
  return 2;
}

static const struct option long_options[] = {
    {"device", required_argument, 0, 'd'},
    {"compiler", required_argument, 0, 'c'},
    {"isa", required_argument, 0, 'i'},
    {"inputs", required_argument, 0, 'n'},
    {"batch", required_argument, 0, 'b'},
    {"stride", required_argument, 0, 't'},
    {"sign", required_argument, 0, 's'},
    {"precision", required_argument, 0, 'p'},
    {"kind", required_argument, 0, 'k'},
    {"no-proof", no_argument, 0, 'q'},
    {0, 0, 0, 0},
};

int main(int argc, char **argv) {
  static campaign c = {.inputs = 20, .precisions = "f32,f64", .signs = "-1,+1", .kinds = "c2c"};
  const char *device = "tcc", *compiler = NULL;
  for (int o; (o = getopt_long(argc, argv, "", long_options, NULL)) != -1;) switch (o) {
    case 'd': device = optarg; break;
    case 'c': compiler = optarg; break;
    case 'i': c.isa = optarg; break;
    case 'n': c.inputs = atoi(optarg); break;
    case 'b': c.batch = atoi(optarg); break;
    case 't': c.stride = atoi(optarg); break;
    case 's': c.signs = optarg; break;
    case 'p': c.precisions = optarg; break;
    case 'k': c.kinds = optarg; break;
    case 'q': c.no_proof = true; break;
    default: return usage("unknown option");
    }
  char why[FG_WHY_SIZE] = "unknown";
  c.device = fg_device_find(device);
  if (!c.device || c.device->probe(&c.facts, why)) {
    printf("SKIP: device %s: %s\n", device, why);
    return 77;
  }
  if (compiler && (c.device->option("compiler", compiler, why) || c.device->probe(&c.facts, why))) {
    printf("SKIP: compiler %s: %s\n", compiler, why);
    return 77;
  }
  if (!c.isa) c.isa = c.device->has_lanes ? "native" : "scalar";
  for (int i = optind; i < argc; i++)
    if (!add_list(&c, argv[i])) return usage("bad list of sizes");
  if (!c.nsize) return usage("no sizes");
  c.library = fg_codelet_library_create();
  if (!c.library) return usage("out of memory");
  all(&c);
  fg_codelet_library_destroy(c.library);
  return summary(&c);
}

/* Kernels whose blocks know of each other are read themselves, and run with each thread a context of its own: right
 * ones of each kind are proved, and faults that only the language's spelling shows are found. */
#include "generator/prove/translate.h"
#include "tests/unit/child.h"
#include "tests/unit/compiled.h"
#include "tests/unit/launched.h"
#include "tests/unit/pace.h"
#include <stdlib.h>

enum { WHY = 256, CHILD_SECONDS = 60 };

typedef struct row { /* a kind, and what of its text becomes what */
  const char *problem, *plan, *from, *to;
  int n;                      /* which of those */
  const char *also, *becomes; /* NULL: nothing else */
} row;

static const char *target = "cuda";

/* Where the kernels begin: the text before them is the language's. */
static const char *with(const char *text, const char *from, int n, const char *to) {
  const char *at = strstr(text, " k_");
  assert_non_null(at);
  return fg_arena_printf(context.arena, "%.*s%s", (int)(at - text), text, text_with(context.arena, at, from, n, to));
}

typedef struct trial {
  const fg_compilation *c;
  const char *source;
  char *why; /* shared with the child */
} trial;

/* "": it is proved. */
static void judge(void *data) {
  const trial *t = data;
  fg_artifact changed = t->c->emitted.artifact;
  fg_text_proof proof;
  fg_text_options options = {.seed = 3, .primes = 1, .emitted = &changed, .map = &t->c->map};
  changed.source = t->source;
  fg_status status = fg_prove_text(&context, t->c->chosen.program, t->c->isa, &options, &proof);
  snprintf(t->why, WHY, "%s", status == FG_OK ? proof.failure : "");
}

static const char *failure_of(const fg_compilation *c, const row *r) {
  trial t = {c, with(c->emitted.artifact.source, r->from, r->n, r->to), shared_memory(WHY)};
  if (r->also) t.source = with(t.source, r->also, 1, r->becomes);
  bool ended = done_in_child(judge, &t, CHILD_SECONDS);
  const char *why = fg_arena_strdup(context.arena, ended ? t.why : "it takes the process down");
  munmap(t.why, WHY);
  return why;
}

#define CLUSTER "four-step(stockham(4,2), stockham(4,2); cluster=2)"
#define DEFERRED "four-step(stockham(4,4), stockham(4,4); cluster=4, deferred_store=on)"
#define QUEUE "four-step(stockham(4,2), stockham(4,2); tile=8, rows=8, queue=3)"
#define SWAP "four-step(stockham(4,4), stockham(4,4); tile=8, rows=8, queue=2, swap=on)"
#define DISCARD "four-step(stockham(8,4), stockham(8,4); tile=16, rows=16, queue=2, swap=discard, deferred_wait=next)"
#define BULK "stockham(8,8; group=2, bulk=both, persistent=4)"
#define NARROW "four-step(stockham(4,4), stockham(4,4); cluster=2, narrow=on)"
#define NARROW_DEFERRED "four-step(stockham(4,4), stockham(4,4); cluster=4, deferred_store=on, narrow=on)"
#define NARROW_DISCARD                                                                                                 \
  "four-step(stockham(8,4), stockham(8,4); tile=16, rows=16, queue=2, swap=discard, deferred_wait=next, narrow=on)"
#define NARROW_BULK "stockham(8,8; group=2, bulk=both, persistent=4, narrow=on)"
#define STAYS "stockham(7,7; group=3, bulk=separate, persistent=0)"

static void right_ones_are_proved(void **state) {
  (void)state;
  static const row rows[] = {
      {.problem = "c2c f32 n=64 batch=3", .plan = CLUSTER},
      {.problem = "c2c f64 n=256 batch=count[1..5]", .plan = DEFERRED},
      {.problem = "c2c f32 n=1024 batch=3",
       .plan = "four-step(four-step(stockham(4,2), direct(4); cluster=2), stockham(8,4); l2_prefetch=on)"},
      {.problem = "c2c f32 n=29 batch=count[1..9]",
       .plan = "bluestein(64, four-step(stockham(4,2), stockham(4,2); cluster=2); separate_buffers=on)"},
      {.problem = "c2c f32 n=16x16 batch=3", .plan = "nd(stockham(4,4), stockham(4,4); cluster=2)"},
      {.problem = "r2c f64 n=64 batch=5", .plan = "real(2, four-step(stockham(4,2), direct(4); cluster=2))"},
      {.problem = "c2r f32 n=64 batch=5", .plan = "real(2, four-step(stockham(4,2), direct(4); cluster=2))"},
      {.problem = "c2c f32 n=64 batch=5", .plan = QUEUE},
      {.problem = "c2c f32 n=256 batch=count[1..7]", .plan = SWAP},
      {.problem = "c2c f32 n=1024 batch=5", .plan = DISCARD},
      {.problem = "c2c f64 n=64 batch=5",
       .plan = "four-step(stockham(4,2), stockham(4,2); tile=8, rows=8, queue=3, frequency=on, products=on)"},
      {.problem = "c2c f32 n=256 batch=9",
       .plan = "four-step(stockham(4,4), stockham(4,4); tile=16, rows=16, queue=5, evict_last=on)"},
      {.problem = "c2c f32 n=16x16 batch=5",
       .plan = "nd(stockham(4,4), stockham(4,4); tile=8, rows=8, threads=64, queue=3)"},
      {.problem = "c2c f32 n=8x16x16 batch=2",
       .plan =
           "nd(stockham(4,2), stockham(4,4), stockham(4,4); tile=8, rows=8, threads=32, queue=3, deferred_wait=next)"},
      {.problem = "r2c f32 n=512 batch=5",
       .plan = "real(4, four-step(stockham(4,2), direct(16); tile=8, rows=8); threads=64, queue=2)"},
      {.problem = "c2c f32 n=64 batch=count[1..9]", .plan = BULK},
      {.problem = "c2c f64 n=49 batch=count[1..20]", .plan = STAYS},
      {.problem = "c2c f32 n=125 batch=5", .plan = "stockham(25,5; group=2, bulk=shared, persistent=3)"},
      {.problem = "r2c f32 n=128 batch=5", .plan = "real(2, stockham(8,8); group=2, bulk=both, persistent=2)"},
      {.problem = "c2c f16 n=256 batch=3", .plan = NARROW},
      {.problem = "c2c bf16 n=256 batch=count[1..5]", .plan = NARROW_DEFERRED},
      {.problem = "c2c f16 n=1024 batch=5", .plan = NARROW_DISCARD},
      {.problem = "c2c bf16 n=64 batch=count[1..9]", .plan = NARROW_BULK},
      {.problem = "c2c f16 n=64 batch=count[1..9]", .plan = BULK},
      {.problem = "c2c f16 n=256 batch=3 compute=f64", .plan = NARROW},
      {.problem = "c2c f64 n=256 batch=count[1..9]", .plan = "stockham(16,16; shuffles=on)"},
      {.problem = "c2c f32 n=64 batch=100", .plan = "stockham(4,4,4; shuffles=on)"},
      {.problem = "conv f16 n=64 batch=3 scale=1/n",
       .plan = "convolve(four-step(stockham(4,2), stockham(4,2); cluster=2); narrow=on)"},
      {.problem = "conv f32 n=64 batch=7 spectrum=each",
       .plan = "convolve(four-step(stockham(4,2), stockham(4,2); tile=8, rows=8); threads=16, queue=3)"},
      {.problem = "conv f64 n=256 batch=count[1..9]",
       .plan = "convolve(four-step(stockham(4,4), stockham(4,4); tile=8, rows=8); threads=32, queue=4, "
               "deferred_wait=next)"},
      {.problem = "conv f32 n=16x16 batch=7 spectrum=each",
       .plan = "nd(stockham(4,4), convolve(stockham(4,4)); tile=8, rows=8, threads=64, queue=5, deferred_wait=store)"},
      /* By few transforms. */
      {.problem = "c2c f32 n=65536 batch=2048", .plan = "four-step(stockham(16,16), stockham(16,16); cluster=16)"},
      {.problem = "c2c f32 n=65536 batch=2048",
       .plan =
           "four-step(stockham(16,16), stockham(16,16); tile=16, rows=16, threads=256, queue=4, deferred_wait=next)"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fg_compilation c;
    compiled_for(target, rows[i].problem, rows[i].plan, &c);
    assert_true(fg_translate_is_possible(c.chosen.program, &c.emitted.artifact));
    if (getenv("FFTGEN_VERBOSE")) print_message("%s, %s: %s\n", rows[i].problem, rows[i].plan, c.text.walked);
    if (!c.text.read) fail_msg("%s, %s: its text is not read", rows[i].problem, rows[i].plan);
    fresh();
  }
}

/* A problem and its plan, as most faults take them. */
#define OF_CLUSTER "c2c f32 n=64 batch=3", CLUSTER
#define OF_QUEUE "c2c f32 n=64 batch=9", QUEUE
#define OF_BULK "c2c f32 n=64 batch=count[1..9]", BULK
#define OF_WORDS "c2c f16 n=256 batch=3", NARROW
#define OF_BULK_WORDS "c2c f16 n=64 batch=count[1..9]", NARROW_BULK
#define OF_THREE                                                                                                       \
  "conv f32 n=256 batch=9 spectrum=each",                                                                              \
      "convolve(four-step(stockham(4,4), stockham(4,4); tile=8, rows=8); threads=32, queue=3, deferred_wait=next)"
/* The n-th `from` becomes `to`; behind that maybe something else does. */
#define FAULT(...) FAULT_OF(__VA_ARGS__, NULL, NULL, 0)
#define FAULT_OF(a, b, c, d, i, e, f, ...)                                                                             \
  { .problem = a, .plan = b, .from = c, .to = d, .n = i, .also = e, .becomes = f }

/* What faults in a row share is compiled once. */
static void all_are_found(const row *rows, size_t count) {
  fg_compilation c;
  const row *of = NULL; /* what c is of */
  for (size_t i = 0; i < count; i++) {
    if (is_left_out((long)i, 3)) continue;
    if (!of || strcmp(of->problem, rows[i].problem) || strcmp(of->plan, rows[i].plan)) {
      fresh();
      of = &rows[i];
      compiled_for(target, of->problem, of->plan, &c);
      if (getenv("FFTGEN_VERBOSE")) print_message("%s, %s: %s\n", of->problem, of->plan, c.text.walked);
      if (!c.text.read) fail_msg("%s, %s: its text is not read", of->problem, target);
    }
    const char *why = failure_of(&c, &rows[i]);
    if (getenv("FFTGEN_VERBOSE")) print_message("'%s' for '%s': %s\n", rows[i].to, rows[i].from, why);
    if (!why[0])
      fail_msg("%s, %s: '%s' for '%s' is not found", rows[i].problem, rows[i].plan, rows[i].to, rows[i].from);
  }
}

static void faults_of_clusters_are_found(void **state) {
  (void)state;
  static const row rows[] = {
      FAULT(OF_CLUSTER, "peer0 + 0", "peer0 + 8", 1),
      FAULT(OF_CLUSTER, "peer0 + 0", "peer0 + 4", 1),
      FAULT(OF_CLUSTER, "fftgen_map_shared(py, 1)", "fftgen_map_shared(py, 0)", 1),
      FAULT(OF_CLUSTER, "fftgen_map_shared(py, 1)", "fftgen_map_shared(py, 2)", 1),
      FAULT(OF_CLUSTER, "fftgen_map_shared(work0 + 96, 1)", "fftgen_map_shared(work0 + 96, 0)", 1),
      FAULT(OF_CLUSTER, "fftgen_map_shared(work0 + 96, 1)", "fftgen_map_shared(work0 + 94, 1)", 1),
      FAULT(OF_CLUSTER, "hold[4 * it + 0], hold[4 * it + 1]", "hold[4 * it + 1], hold[4 * it + 0]", 1),
      FAULT(OF_CLUSTER, "fftgen_cluster_arrive();", "", 1),
      FAULT(OF_CLUSTER, "fftgen_cluster_wait();", "", 1),
      FAULT(OF_CLUSTER, "fftgen_cluster_arrive();\n  fftgen_cluster_wait();", "", 1),
      FAULT(OF_CLUSTER, "fftgen_cluster_arrive();", "", 1, "  int it = 0;",
            "  int it = 0;\n  fftgen_cluster_arrive();\n"),
      FAULT(OF_CLUSTER, "fftgen_cluster_wait();", "", 1, "    ++it;\n  }\n}",
            "    ++it;\n  }\n  fftgen_cluster_wait();\n}"),
      FAULT(OF_CLUSTER, "fftgen_mbarrier_wait(work0 + 96, 0);", "", 1),
      FAULT(OF_CLUSTER, "fftgen_mbarrier_wait(work0 + 96, 0);", "__syncthreads();", 1),
      FAULT(OF_CLUSTER, "fftgen_mbarrier_wait(work0 + 96, 0);", "fftgen_mbarrier_wait(work0 + 96, 1);", 1),
      FAULT(OF_CLUSTER, "fftgen_mbarrier_init(work0 + 96, 128)", "fftgen_mbarrier_init(work0 + 96, 120)", 1),
      FAULT(OF_CLUSTER, "fftgen_mbarrier_init(work0 + 96, 128)", "fftgen_mbarrier_init(work0 + 90, 128)", 1),
      FAULT(OF_CLUSTER, "fftgen_mbarrier_init(work0 + 96, 128);", "", 1),
      FAULT(OF_CLUSTER, "__syncthreads();", "", 1),
      FAULT(OF_CLUSTER, "__syncthreads();", "", 2),
      FAULT(OF_CLUSTER, "__syncthreads();", "", 3),
      FAULT(OF_CLUSTER, "fftgen_is_own(1)", "fftgen_is_own(0)", 1),
      FAULT(OF_CLUSTER, "block % 2", "1 - block % 2", 1),
      FAULT("c2c f64 n=256 batch=2", DEFERRED, "peer1 + 0", "peer1 + 16", 1),
      FAULT("c2c f64 n=256 batch=2", DEFERRED, "fftgen_cluster_wait();", "", 1)};
  all_are_found(rows, sizeof rows / sizeof *rows);
}

/* Of halves that pass between blocks in pairs. */
static void faults_of_words_are_found(void **state) {
  (void)state;
  static const row rows[] = {
      FAULT(OF_WORDS, "peer0 + 0, hold[0]", "peer0 + 0, hold[1]", 1),
      FAULT(OF_WORDS, "peer0 + 0", "peer0 + 4", 1),
      FAULT(OF_WORDS, "peer0 + 0", "peer0 + 2", 1),
      FAULT(OF_WORDS, "peer0 + 320", "peer0 + 640", 1),
      FAULT(OF_WORDS, "packed_f16(t20, t26)", "packed_f16(t26, t20)", 1),
      FAULT(OF_WORDS, "fftgen_send(peer0 + 0, hold[0], mbarrier0, own0)",
            "fftgen_send(peer0 + 0, t20, t26, mbarrier0, own0)", 1),
      FAULT(OF_WORDS, "fftgen_send(peer0 + 0, hold[0], mbarrier0, own0)",
            "fftgen_send(peer0 + 0, t20, mbarrier0, own0)", 1),
      FAULT(OF_WORDS, "fftgen_map_shared(work0 + 320, 0)", "fftgen_map_shared(work0 + 320, 1)", 1),
      FAULT(OF_WORDS, "fftgen_mbarrier_init(work0 + 320, 256)", "fftgen_mbarrier_init(work0 + 320, 512)", 1),
      FAULT(OF_WORDS, "fftgen_mbarrier_init(work0 + 320, 256)", "fftgen_mbarrier_init(work0 + 160, 256)", 1),
      FAULT(OF_WORDS, "fftgen_map_shared(work0 + 320, 1)", "fftgen_map_shared(work0 + 160, 1)", 1),
      FAULT(OF_WORDS, "*(unsigned *)(py) = hold[0]", "*(unsigned *)(py) = hold[2]", 1),
      FAULT("c2c bf16 n=256 batch=2", NARROW_DEFERRED, "fftgen_cluster_wait();", "", 1),
      FAULT("c2c f16 n=1024 batch=7", NARROW_DISCARD, "work0 + 2 * (e +", "work0 + 2 * (e + 16 +", 1),
      FAULT("c2c f16 n=1024 batch=7", NARROW_DISCARD, "work0 + 2 * (e +", "work0 + 2 * (e + 1 +", 1),
      FAULT(OF_BULK_WORDS, "(local + 136)", "(local + 64)", 1),
      FAULT(OF_BULK_WORDS, "local + 268", "local + 267", 1),
      FAULT(OF_BULK_WORDS, "*(unsigned *)(py) = hold[0]", "*(unsigned *)(py) = hold[1]", 1),
      FAULT(OF_BULK_WORDS, "fftgen_bulk_store(work0, out, tile, 256", "fftgen_bulk_store(work0, out, tile, 128", 1)};
  all_are_found(rows, sizeof rows / sizeof *rows);
}

static void faults_of_queues_are_found(void **state) {
  (void)state;
  static const row rows[] = {
      FAULT(OF_QUEUE, "fftgen_counter_wait(stored + transform, 1);", "tile = tile;", 1),
      FAULT(OF_QUEUE, "stored + transform, 1", "stored + transform, 2", 1),
      FAULT(OF_QUEUE, "fftgen_counter_wait(taken + transform - 3, 1)", "fftgen_counter_wait(taken + transform - 3, 2)",
            1),
      FAULT(OF_QUEUE, "transform >= 3", "transform >= 2", 1),
      FAULT(OF_QUEUE, "queue[i] = 0", "queue[i] = 1", 1),
      FAULT(OF_QUEUE, "fftgen_counter_add(freed)", "fftgen_counter_add(freed + 1)", 1),
      FAULT(OF_QUEUE, "block % 3", "block % 2", 1),
      FAULT(OF_QUEUE, "block % 3", "block % 2", 2),
      FAULT(OF_QUEUE, "* 1 + before;", "* 1 + before + 1;", 1),
      FAULT(OF_QUEUE, "if (threadIdx.x == 0) next = atomicAdd(queue, 1u);\n    __syncthreads();",
            "if (threadIdx.x == 0) next = atomicAdd(queue, 1u);", 1),
      FAULT(OF_QUEUE, "atomicAdd(queue, 1u)", "atomicAdd(queue, 2u)", 1),
      FAULT(OF_QUEUE, "threadIdx.x == 15", "threadIdx.x == 16", 1),
      FAULT("c2c f32 n=1024 batch=7", DISCARD, "next & ~2147483648u", "next + 1", 1),
      FAULT(OF_THREE, "* 2 + before;", "* 2 + before + 1;", 1),
      FAULT(OF_THREE, "fftgen_counter_wait(passed + transform, 2);", "", 1),
      FAULT(OF_THREE, "fftgen_counter_wait(stored + transform, 2);", "", 1),
      FAULT(OF_THREE, "transform >= 3", "transform >= 2", 1),
      FAULT(OF_THREE, "finished = passed + transform", "finished = stored + transform", 1),
      FAULT(OF_THREE, "if (threadIdx.x == 0) *next", "if (threadIdx.x > 1000) *next", 3),
      FAULT("c2c f32 n=1024 batch=7", DISCARD, "if (threadIdx.x == 0) *next", "if (threadIdx.x > 1000) *next", 2),
      FAULT("c2c f32 n=1024 batch=7", DISCARD, "work0 + 2 * (e +", "work0 + 2 * (e + 8 +", 1),
      FAULT("c2c f32 n=256 batch=count[1..30]", SWAP, "tile % 4, tile / 4)", "tile % 4, tile / 8)", 1),
      FAULT("c2c f32 n=256 batch=9", SWAP, "block % 2", "1 - block % 2", 1)};
  all_are_found(rows, sizeof rows / sizeof *rows);
}

static void faults_of_copies_are_found(void **state) {
  (void)state;
  static const row rows[] = {
      FAULT(OF_BULK, "fftgen_bulk_wait(mbarrier, phase);", "", 1),
      FAULT(OF_BULK, "fftgen_bulk_wait(mbarrier, phase);", "fftgen_bulk_wait(mbarrier, 0);", 1),
      FAULT(OF_BULK, "phase ^= 1", "phase ^= 2", 1),
      FAULT(OF_BULK, "fftgen_async_fence();", "", 1),
      FAULT(OF_BULK, "fftgen_async_fence();", "", 2),
      FAULT(OF_BULK, "fftgen_async_fence();\n    __syncthreads();", "fftgen_async_fence();", 1),
      FAULT(OF_BULK, "fftgen_async_fence();\n    __syncthreads();", "fftgen_async_fence();", 2),
      FAULT(OF_BULK, "fftgen_bulk_drain();", "", 1),
      FAULT(OF_BULK, "fftgen_bulk_drain();\n    __syncthreads();", "fftgen_bulk_drain();", 1),
      FAULT(OF_BULK, "128 * p_count", "128 * p_count - 2", 1),
      FAULT(OF_BULK, "128 * p_count", "128 * p_count - 2", 3),
      FAULT(OF_BULK, "in + 256 * (long long)tile", "in + 258 * (long long)tile", 1),
      FAULT(OF_BULK, "tile + step, 256", "tile + step + 1, 256", 1),
      FAULT(OF_BULK, "out, tile, 256", "out, tile, 254", 1),
      FAULT(OF_BULK, "fftgen_bulk_init(mbarrier);\n  __syncthreads();", "fftgen_bulk_init(mbarrier);", 1),
      FAULT("c2c f64 n=49 batch=20", STAYS, "step = blocks", "step = blocks + 1", 1),
      FAULT("c2c f64 n=49 batch=20", STAYS, "gridDim.x", "4", 1)};
  all_are_found(rows, sizeof rows / sizeof *rows);
}

/* Numbers given from lane to lane, in each language that has a word for it. */
static void faults_of_shuffles_are_found(void **state) {
  (void)state;
  static const char problem[] = "c2c f32 n=64 batch=16", plan[] = "stockham(8,8; shuffles=on)";
  static const row rows[] = {
      FAULT(problem, plan, "from_lane(v16, 1)", "from_lane(v16, 2)", 1),
      FAULT(problem, plan, "from_lane(v16, 1)", "from_lane(v16, 32)", 1),
      FAULT(problem, plan, "from_lane(v16, 1)", "from_lane(v15, 1)", 1),
      FAULT(problem, plan, "fftgen_from_lane(v16, 1)", "v16", 1),
      FAULT(problem, plan, "0 < l0 ? v0 : v2", "l0 < 1 ? v0 : v2", 1),
      FAULT(problem, plan, ">> 1) & 1", ">> 2) & 1", 1),
      FAULT(problem, plan, "fftgen_from_lane(v16, 1)", "l0 < 1 ? fftgen_from_lane(v16, 1) : v0", 1),
      FAULT(problem, plan, "lane5[0] =", "lane5[1] =", 1),
      FAULT(problem, plan, "= lane4[2]", "= lane4[16]", 1)};
  const fg_dialect *d;
  for (int i = 0; (d = launched_dialect(i)); i++) {
    target = d->name;
    if (d->lane) all_are_found(rows, sizeof rows / sizeof *rows);
  }
  target = "cuda";
}

/* Kernels with a loop around all stages, of each language that launches. */
static void loops_around_stages_are_read(void **state) {
  (void)state;
  static const char problem[] = "c2c f32 n=64 batch=b[1..4]:256:256xa[1..4]:64:64", plan[] = "stockham(8,8)";
  const fg_dialect *d;
  for (int i = 0; (d = launched_dialect(i)); i++) {
    const char *barrier = d->barrier_block;
    const row rows[] = {FAULT(problem, plan, "b1 < p_a", "b1 + 1 < p_a", 1), FAULT(problem, plan, barrier, "", 1),
                        FAULT(problem, plan, barrier, "", 2), FAULT(problem, plan, "b1, b0", "b0, b1", 2)};
    target = d->name;
    all_are_found(rows, sizeof rows / sizeof *rows);
  }
  target = "cuda";
}

/* Of calls that are too long to run whole the first and the last transform are. */
static void ends_of_long_batches_are_read(void **state) {
  (void)state;
  static const row rows[] = {FAULT("c2c f32 n=64 batch=1000", CLUSTER, "peer0 + 0", "peer0 + 8", 1),
                             FAULT("c2c f32 n=64 batch=1000", CLUSTER, "in + 128 * b", "in + 126 * b", 1),
                             FAULT("c2c f32 n=1024 batch=20", DISCARD, "float2{t17, t23}", "float2{t23, t17}", 1),
                             FAULT("c2c f64 n=256 batch=100", SWAP, "transform >= 2", "transform >= 99", 1),
                             FAULT("c2c f32 n=64 batch=501", BULK, "float2{t12, t26}", "float2{t26, t12}", 1),
                             FAULT("c2c f32 n=64 batch=501", BULK, "64128", "64126", 3),
                             FAULT("c2c f32 n=16384 batch=33", "four-step(stockham(16,8), stockham(16,8); cluster=4)",
                                   "block % 4", "block % 2", 1)};
  all_are_found(rows, sizeof rows / sizeof *rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(right_ones_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_of_clusters_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_of_words_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_of_queues_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_of_copies_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_of_shuffles_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(loops_around_stages_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown(ends_of_long_batches_are_read, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

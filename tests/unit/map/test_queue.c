/* Queues: two kernels whose blocks stay are proved, together and one after the other; what
 * orders their tiles is needed, piece by piece. */
#include "generator/ir/serialize.h"
#include "generator/print/emit.h"
#include "tests/unit/offers.h"
#include "tests/unit/text_proof.h"

static const fg_mapping stays = OF_THREADS(.local_bytes = 64 << 10, .cluster = 16, .queue = true);

static fg_program *assembled(const char *problem, const char *plan) { return assembled_for(problem, plan, &stays); }

/* It fails, and by a race. */
static void must_meet(const fg_program *p, const char *words) { assert_true(must_fail(p, words).races > 0); }

static const struct right {
  const char *problem, *plan;
} right[] = {
    {"c2c f32 n=1024 batch=7", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3)"},
    {"c2c f32 n=1024 batch=2", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=5)"},
    {"c2c f64 n=512 batch=count[1..9]", "four-step(stockham(4,4), stockham(8,4); tile=8, rows=4, threads=16, queue=2)"},
    {"c2c f32 n=900 sign=+1 batch=5 place=in",
     "four-step(stockham(6,5), stockham(6,5); tile=6, rows=6, queue=3, prefetch_distance=7)"},
    {"c2c f32 n=512 batch=6 layout=split",
     "four-step(stockham(4,4), stockham(8,4); tile=8, rows=4, threads=16, queue=4)"},
    {"r2c f32 n=1024 batch=5", "four-step(stockham(8,4), stockham(8,4); tile=16, rows=8, threads=16, queue=3)"},
    {"c2r f32 n=1024 batch=5", "four-step(stockham(8,4), stockham(8,4); tile=16, rows=8, threads=16, queue=3)"},
    {"r2c f32 n=1024 batch=5", "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=4); threads=16, queue=3)"},
    {"r2c f32 n=1024 batch=4",
     "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=4); threads=16, queue=3, frequency=on)"},
    {"c2r f64 n=1024 batch=5", "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=4); threads=16, queue=3)"},
    {"c2c f32 n=1024 batch=5", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3, frequency=on)"},
    {"c2c f16 n=1024 batch=4", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=2)"},
    {"c2c f32 n=1024 batch=7", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=16, queue=3)"},
    {"c2c f32 n=30x40 batch=5", "nd(stockham(6,5), stockham(8,5); tile=5, rows=6, queue=3)"},
    {"c2c f32 n=32x16 batch=5", "nd(stockham(8,4), stockham(4,4); tile=4, rows=8, threads=16, queue=3)"},
    {"c2c f64 n=16x12 batch=count[1..9] place=in",
     "nd(stockham(4,4), stockham(4,3); tile=4, rows=4, queue=2, prefetch_distance=4)"},
    {"c2c f32 n=16x6x8 batch=3", "nd(stockham(4,4), direct(6), stockham(4,2); tile=4, rows=4, threads=8, queue=3)"},
    {"c2c f32 n=16x7x8", "nd(stockham(4,4), direct(7), stockham(4,2); tile=4, rows=8, threads=16, queue=2)"},
    {"c2c f32 n=16x4x8 batch=count[1..5] place=in",
     "nd(stockham(4,4), direct(4), stockham(4,2); tile=4, rows=8, threads=16, queue=5)"},
    {"c2c f16 n=16x6x8 batch=2", "nd(stockham(4,4), direct(6), stockham(4,2); tile=8, rows=8, threads=16, queue=3)"},
    {"c2c f32 n=16x8x8 batch=5", "nd(stockham(4,4), stockham(4,2), stockham(4,2); cluster=1, threads=16, queue=3)"},
    {"c2c f32 n=29 batch=5", "bluestein(64, four-step(direct(8), stockham(4,2); tile=4, rows=4); threads=8, queue=3)"},
    {"c2c f64 n=17 batch=count[1..7]",
     "rader(17, four-step(direct(4), stockham(2,2); tile=2, rows=2); threads=4, queue=3)"},
    {"c2c f32 n=1024 batch=7",
     "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3, deferred_wait=store, evict_last=on)"},
    {"conv f32 n=1024 batch=7 spectrum=each",
     "convolve(four-step(stockham(8,4), stockham(8,4); tile=8, rows=8); threads=64, queue=3)"},
    {"conv f32 n=1024 batch=7",
     "convolve(four-step(stockham(8,4), stockham(8,4); tile=4, rows=8); threads=64, queue=5, deferred_wait=store)"},
    {"conv f64 n=512 batch=count[1..9] spectrum=each",
     "convolve(four-step(stockham(4,4), stockham(8,4); tile=8, rows=4); threads=32, queue=4, deferred_wait=next)"},
    {"conv f32 n=512 batch=9 place=in", "convolve(four-step(stockham(4,4), stockham(8,4); tile=8, rows=4); threads=32, "
                                        "queue=6, prefetch_distance=9, evict_last=on)"},
    {"c2c f64 n=29 batch=6",
     "bluestein(64, four-step(stockham(4,2), stockham(4,2); tile=4, rows=4); threads=8, queue=3, deferred_wait=next)"},
    {"conv f32 n=32x16 batch=7 spectrum=each",
     "nd(stockham(8,4), convolve(stockham(4,4)); tile=4, rows=8, threads=32, queue=3, deferred_wait=next)"},
    {"conv f64 n=12x20 batch=5", "nd(stockham(4,3), convolve(stockham(5,4)); tile=4, rows=4, threads=16, queue=4)"},
    {"r2c f32 n=16x32 batch=3", "nd(stockham(4,4), stockham(8,4); tile=8, rows=8, threads=16, queue=3)"},
    {"r2c f32 n=1024 batch=5",
     "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=4); threads=16, queue=3, deferred_wait=next)"},
    {"c2r f32 n=1024 batch=5", "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=4); threads=16, queue=3, "
                               "deferred_wait=next, evict_last=on)"},
    {"c2c f32 n=1024 batch=7", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=2, swap=on)"},
    {"c2c f64 n=1024 batch=count[1..9]",
     "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=1, swap=on, deferred_wait=next)"},
    {"c2c f32 n=1024 batch=8 place=in",
     "four-step(stockham(8,4), stockham(8,4); tile=16, rows=16, queue=3, swap=on, frequency=on, prefetch_distance=5)"},
    {"r2c f32 n=1024 batch=6", "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=2); threads=16, queue=2, "
                               "swap=on, deferred_wait=store)"},
    {"c2r f64 n=1024 batch=6",
     "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=2); threads=16, queue=1, swap=on, evict_last=on)"},
    {"c2c f32 n=1024 batch=7",
     "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=2, swap=discard, deferred_wait=next)"},
    {"c2c f32 n=32x16 batch=7", "nd(stockham(8,4), stockham(4,4); tile=4, rows=8, threads=16, queue=2, swap=on)"},
    {"c2c f32 n=16x5x16 batch=2",
     "nd(stockham(4,4), direct(5), stockham(4,4); tile=4, rows=4, threads=16, queue=2, swap=on)"},
    {"r2c f32 n=2048 batch=3", "real(8, four-step(stockham(4,4), stockham(4,4); tile=8, rows=4); threads=16, queue=3)"},
    {"c2r f32 n=2048 batch=3", "real(8, four-step(stockham(4,4), stockham(4,4); tile=8, rows=4); threads=16, queue=3)"},
    {"r2c f32 n=1024 batch=6", "real(4, four-step(stockham(4,4), stockham(4,4); tile=16, rows=4); threads=16, queue=2, "
                               "swap=on, deferred_wait=store, whole=on)"},
    {"r2c f32 n=2048 batch=count[1..9]",
     "real(8, four-step(stockham(4,4), stockham(4,4); tile=8, rows=8); threads=16, queue=3, whole=on)"},
    {"r2c f64 n=1024 batch=5",
     "real(4, four-step(stockham(4,4), direct(16); tile=8, rows=2); threads=16, queue=3, frequency=on, whole=on)"},
    {"c2c f32 n=1110 batch=7", "four-step(stockham(6,5), direct(37); tile=8, rows=4, uneven=on, queue=3)"},
    {"c2c f64 n=700 batch=count[1..9] place=in",
     "four-step(stockham(7,4), stockham(5,5); tile=4, rows=8, uneven=on, threads=64, queue=2)"},
};

static void queues_are_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    fg_program *p = assembled(right[i].problem, right[i].plan);
    assert_true(p->queue.ring + p->queue.swap >= 2);
    must_hold(p);
    const fg_program *q = fg_serialize_blocks(&context, p);
    assert_int_equal(q->queue.ring, 0);
    must_hold(q);
    text_proof_both(p, NULL, 7, right[i].plan);
  }
}

static int16_t digit_named(const fg_kernel *k, const char *name) {
  for (int16_t d = 0; d < k->ndigit; d++)
    if (strcmp(k->digit[d].name, name) == 0) return d;
  return -1;
}

static fg_program *begins(void) {
  return assembled("r2c f32 n=1024 batch=6", "real(4, four-step(stockham(4,4), stockham(4,4); tile=16, rows=4); "
                                             "threads=16, queue=2, swap=on, deferred_wait=store, whole=on)");
}

/* Every tile but the first, which has the last pairs too, stores rows k from the beginning of a sector on. */
static void tiles_begin_with_sectors(void **state) {
  (void)state;
  const fg_program *p = begins();
  const fg_kernel *k = p->kernel[1];
  const fg_stage *s = &k->stage[2];
  int64_t value[FG_MAX_DIGITS] = {0};
  int16_t b = digit_named(k, "b"), t = digit_named(k, "t"), shift = digit_named(k, "shift");
  assert_true(b >= 0 && t >= 0 && shift >= 0 && s->store.buffer == FG_BUFFER_OUT && p->queue.begins == 4);
  for (value[b] = 0, value[t] = 1; value[b] < 6; value[b]++) {
    value[shift] = value[b] % 4;
    assert_int_equal(fg_index_value(&s->store.index, value, NULL, NULL) % 4, 0);
  }
}

/* In both kernels alike, tables and what is no pair with them. */
static void tiles_begin_alike(void **state) {
  (void)state;
  fg_program *p = begins();
  must_hold(p);
  for (int k = 0; k < 2; k++) {
    p = begins();
    p->kernel[k]->digit[digit_named(p->kernel[k], "shift")].extent = fg_num_const(2);
    must_fail(p, "");
  }
  for (int s = 0; s < 2; s++) {
    p = begins();
    fg_stage *stage = &p->kernel[1]->stage[2 + s];
    fg_index *x = s ? &stage->load.index : &stage->factors.twiddle.index;
    x->at.nterm--;
    must_fail(p, "");
  }
  p = begins();
  p->kernel[1]->stage[2].store.pred[0].value.nterm--;
  must_fail(p, "");
}

/* Of one kernel, what it does in the ring is the same in all turns. */
static void keep_order(fg_program *p, int kernel) {
  for (int s = 0; s < p->kernel[kernel]->nstage; s++)
    for (int a = 0; a < 2; a++) {
      fg_stage *stage = &p->kernel[kernel]->stage[s];
      for (fg_access *x = a ? &stage->store : &stage->load; x; x = x->rest) x->index.swap = (fg_digit_swap){0};
    }
}

/* So long that a sample of blocks is walked: where tiles change places, the first rounds of the ring with it. */
static void the_ends_are_enough(void **state) {
  (void)state;
  static const char *const long_ones[][2] = {
      {"c2c f32 n=4096 batch=1001", "four-step(stockham(8,8), stockham(8,8); tile=16, rows=16, queue=4)"},
      {"c2c f32 n=32x9x32 batch=401", "nd(stockham(8,4), direct(9), stockham(8,4); tile=8, rows=8, queue=4)"},
      {"c2c f32 n=4096 batch=1001", "four-step(stockham(8,8), stockham(8,8); tile=16, rows=16, queue=2, swap=on)"}};
  for (int i = 0; i < 3; i++) {
    fg_program *p = assembled(long_ones[i][0], long_ones[i][1]);
    fg_proof proof = proof_of(p);
    if (!proof.proved) fail_msg("%s", proof.failure);
    assert_non_null(strstr(proof.walked, "addresses of all"));
    int64_t waits = p->queue.waits[0];
    p->queue.waits[0] = 0;
    must_meet(p, "waits for no other");
    if (!p->queue.swap) continue;
    p->queue.waits[0] = waits;
    int64_t part = p->queue.part[0];
    p->queue.part[0] = 1;
    must_meet(p, "none of its tile's place");
    p->queue.part[0] = part;
    keep_order(p, 1);
    must_meet(p, "none of its tile's place");
  }
}

/* Two digits count them, one after the other; kernels that follow are none of the queue's. */
static void planes_go_round(void **state) {
  (void)state;
  const fg_program *p = assembled("c2c f32 n=16x6x8 batch=count[1..3]", right[16].plan);
  assert_int_equal(p->nkernel, 3);
  assert_int_equal(p->queue.outer, 2);
  assert_true(p->queue.transforms.form == FG_NUM_PARAM && p->queue.transforms.n == 6);
  int round = 0;
  for (int i = 0; i < p->nbuffer; i++) round += fg_buffer_is_ring(&p->buffer[i]) ? (int)p->buffer[i].size : 0;
  assert_int_equal(round, 3 * 16 * 8);
  fg_emitted e;
  fg_emit_options options = {.dialect = fg_dialect_find("cuda"), .prefix = "x"};
  assert_int_equal(fg_emit(&context, p, &options, &e), FG_OK);
  const fg_launch *l = e.artifact.launch;
  assert_int_equal(e.artifact.nlaunch, 3);
  assert_string_equal(l[1].entry, "x_queue");
  assert_int_equal(l[1].block_factor[0].n, 6 * (p->queue.tiles[0] + p->queue.tiles[1]));
  assert_string_equal(l[2].entry, "x_block2");
  assert_true(!l[2].persistent && l[2].narg < l[1].narg);
  assert_null(strstr(strstr(e.file[0].text, " x_block2("), "fftgen_counter_wait("));
}

/* ---- faults --------------------------------------------------------------------------- */

static fg_program *a_queue(void) { return assembled(right[0].problem, right[0].plan); }

/* The values are right all the same in the order of the queue. */
static void nobody_waits(void **state) {
  (void)state;
  static const char *const says[] = {"stores to work0, which another block uses",
                                     "loads from work0, which another block"};
  for (int k = 0; k < 2; k++) {
    fg_program *p = a_queue();
    p->queue.waits[k] = 0;
    must_meet(p, says[k]);
    p = a_queue();
    p->queue.waits[k]--;
    must_meet(p, "waits for other than all tiles");
    p->queue.waits[k] += 2;
    must_meet(p, "waits for other than all tiles");
  }
}

/* Before its last load from the ring, or while threads of the block still load. */
static void freed_too_early(void **state) {
  (void)state;
  fg_program *p = a_queue();
  assert_int_equal(p->queue.frees, 0);
  for (p->queue.frees = -1; p->queue.frees < 3; p->queue.frees += 3) must_meet(p, "threads of its block are not");
  p->queue.frees = 0;
  p->kernel[1]->stage[0].exchange.after = fg_exchange_none();
  must_meet(p, "threads of its block are not");
  p = a_queue();
  fg_kernel *k = p->kernel[1]; /* its first stage twice */
  fg_stage *stages = fg_arena_new(context.arena, fg_stage, 3);
  stages[0] = stages[1] = k->stage[0], stages[2] = k->stage[1];
  k->stage = stages;
  k->nstage = 3;
  p->queue.frees = 1;
  must_hold(p);
  p->queue.frees = 0;
  must_meet(p, "stores to work0, which another block uses");
}

/* Before the barrier of all threads, or when the ring is in use already. */
static void early_too_early(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    fg_program *p = assembled(right[0].problem,
                              "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3, deferred_wait=next)");
    assert_int_equal(p->queue.last[k], 0);
    must_hold(p);
    for (p->queue.last[k] = -1; p->queue.last[k] < 3; p->queue.last[k] += 3) must_meet(p, "elsewhere");
    p->queue.last[k] = 0;
    p->kernel[k]->stage[0].exchange.after = fg_exchange_none();
    must_meet(p, "elsewhere");
    p->kernel[k]->stage[0].exchange.after = fg_exchange_barrier();
    p->kernel[k]->stage[1].exchange.after = fg_exchange_barrier();
    p->queue.last[k] = 1;
    if (k == 0) must_meet(p, "stores to work0, which another block uses");
  }
}

static void a_wrong_lag(void **state) {
  (void)state;
  fg_program *p = a_queue();
  static const int64_t lags[] = {0, 1, 2, 9, 12, 1000}; /* 4 to 8 are right */
  for (size_t i = 0; i < sizeof lags / sizeof *lags; i++) {
    p->queue.distance = lags[i];
    must_meet(p, "comes later: blocks may wait forever");
  }
  for (p->queue.distance = 4; p->queue.distance <= 8; p->queue.distance++) must_hold(p);
}

/* Room for fewer transforms than are waited for, or another digit of the ring buffer. */
static void a_small_ring(void **state) {
  (void)state;
  fg_program *p = a_queue();
  p->queue.ring = 2;
  p->queue.distance = 4;
  must_meet(p, "place in the ring");
  p = a_queue();
  for (int k = 0; k < 2; k++)
    for (int d = 0; d < p->kernel[k]->ndigit; d++)
      if (p->kernel[k]->digit[d].role == FG_ROLE_RING) p->kernel[k]->digit[d].extent = fg_num_const(2);
  must_meet(p, "place in the ring");
  p->queue.ring = 2; /* all but the lag */
  p->buffer[p->kernel[1]->stage[0].load.buffer].size = 2048;
  must_meet(p, "blocks may wait forever");
  p->queue.distance = 4;
  must_hold(p);
}

static fg_program *swaps(void) {
  return assembled(right[0].problem, "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=2, swap=on)");
}

static fg_digit_swap *exchange_of(fg_program *p, int kernel) {
  fg_kernel *k = p->kernel[kernel];
  return kernel ? &k->stage[0].load.index.swap : &k->stage[k->nstage - 1].store.index.swap;
}

/* The order in the ring, piece by piece: tiles that nobody waits for, or for too few, or that keep to no part. */
static void places_are_changed_rightly(void **state) {
  (void)state;
  fg_program *p = swaps();
  must_hold(p);
  assert_true(exchange_of(p, 0)->count == 4 && exchange_of(p, 0)->low == p->queue.part[0]);
  for (int k = 0; k < 2; k++) {
    p = swaps();
    p->queue.waits[k] = 0;
    must_meet(p, k ? "loads from work0, which another block" : "stores to work0, which another block uses");
    p = swaps();
    p->queue.waits[k]++;
    must_meet(p, "waits for other than all tiles");
    p = swaps();
    keep_order(p, k);
    must_meet(p, "none of its tile's place in the ring");
    p = swaps();
    exchange_of(p, k)->low *= 2;
    must_meet(p, "place in the ring");
    p = swaps();
    exchange_of(p, k)->count /= 2;
    must_meet(p, "none of its tile's place in the ring");
    p = swaps();
    p->kernel[k]->digit[exchange_of(p, k)->phase].div *= 2;
    must_meet(p, "none of its tile's place in the ring");
    p = swaps();
    p->queue.part[k] *= 2;
    must_meet(p, "none of its tile's place in the ring");
  }
  p = swaps(); /* rows alone, in all turns */
  keep_order(p, 0), keep_order(p, 1);
  must_meet(p, "none of its tile's place in the ring");
  p = swaps();
  p->queue.tiles[1] = 2;
  must_meet(p, "are not as many");
  p = swaps();
  p->queue.swap = false; /* a transform is waited for, as if the order did not change: that is right, and slow */
  p->queue.waits[0] = 4;
  p->queue.distance = 4;
  must_hold(p);
}

/* Where it is loaded once more, or where others have their places, too. */
static void dropped_too_early(void **state) {
  (void)state;
  fg_program *p =
      assembled(right[0].problem, "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=2, swap=discard)");
  assert_true(p->queue.discard);
  must_hold(p);
  fg_kernel *k = p->kernel[1];
  fg_stage *stages = fg_arena_new(context.arena, fg_stage, 3);
  stages[0] = stages[1] = k->stage[0], stages[2] = k->stage[1];
  k->stage = stages;
  k->nstage = 3;
  must_meet(p, "drops what it may want");
  p->queue.frees = 1;
  must_hold(p);
  p->queue.frees = 2;
  must_meet(p, "drops what it may want");
  p = a_queue();
  p->queue.discard = true;
  must_meet(p, "or what is not its own");
}

/* Another memory that both kernels use: the input's, in place. */
static void order_holds_for_all_memory(void **state) {
  (void)state;
  fg_program *p =
      assembled("c2c f32 n=1024 batch=5 place=in", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3)");
  must_hold(p);
  p->queue.waits[1] = 0;
  must_meet(p, "which another block uses");
}

static void tiles_of_a_kernel_meet(void **state) {
  (void)state;
  fg_program *p = a_queue();
  fg_kernel *k = p->kernel[0];
  fg_affine *at = &k->stage[k->nstage - 1].store.index.at;
  for (int t = 0; t < at->nterm; t++)
    if (!strcmp(k->digit[at->term[t].digit].name, "t")) at->term[t].coef = fg_num_const(0);
  must_meet(p, "stores to work0, which another block uses");
}

/* ---- items --------------------------------------------------------------------------------- */

static void every_lag_that_is_allowed(void **state) {
  (void)state;
  static const int64_t tiles[][2] = {{1, 1}, {4, 4}, {3, 5}, {17, 32}, {33, 16}, {8, 1}};
  for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
    for (int ring = 2; ring < 5; ring++)
      for (int64_t transforms = 1; transforms < 12; transforms += 5)
        for (int64_t distance = tiles[i][0]; distance <= tiles[i][0] * (ring - 1); distance++) {
          fg_queue q = {.ring = ring,
                        .kernels = 2,
                        .tiles = {tiles[i][0], tiles[i][1]},
                        .distance = distance,
                        .waits = {tiles[i][1], tiles[i][0]}};
          const char *wrong = fg_queue_wrong(&q, transforms);
          if (wrong)
            fail_msg("%d tiles, %d, lag %d, ring %d: %s", (int)q.tiles[0], (int)q.tiles[1], (int)distance, ring, wrong);
        }
}

static void every_lag_of_tiles_that_change_places(void **state) {
  (void)state;
  for (int64_t tiles = 1; tiles < 40; tiles = 3 * tiles - 1 + (tiles == 1))
    for (int ring = 1; ring < 5; ring++)
      for (int64_t distance = tiles - 2; distance <= tiles * ring; distance++) {
        fg_queue q = {.ring = ring,
                      .kernels = 2,
                      .tiles = {tiles, tiles},
                      .distance = distance,
                      .waits = {1, tiles},
                      .swap = true};
        bool right_one = distance >= tiles - 1 && distance < tiles * ring;
        if (distance >= 0 && right_one != !fg_queue_wrong(&q, 9))
          fail_msg("%d tiles, lag %d, ring %d", (int)tiles, (int)distance, ring);
      }
}

static void which_tile_is_before_which(void **state) {
  (void)state;
  fg_queue q = {.ring = 2, .kernels = 2, .tiles = {4, 4}, .distance = 6, .waits = {1, 4}, .swap = true};
  assert_true(fg_queue_before(&q, (fg_group){1, 1, 3}, (fg_group){0, 3, 3}));
  assert_false(fg_queue_before(&q, (fg_group){1, 1, 3}, (fg_group){0, 3, 2}));
  assert_true(fg_queue_before(&q, (fg_group){0, 1, 2}, (fg_group){0, 3, 3}));
  assert_true(fg_queue_before(&q, (fg_group){0, 1, 2}, (fg_group){1, 1, 0}));
  assert_true(fg_queue_before(&q, (fg_group){1, 1, 3}, (fg_group){1, 3, 0}));
  assert_false(fg_queue_before(&q, (fg_group){1, 2, 3}, (fg_group){1, 3, 3}));
}

static void what_is_before_what(void **state) {
  (void)state;
  fg_queue q = {.ring = 3, .kernels = 2, .tiles = {4, 4}, .distance = 6, .waits = {4, 4}};
  fg_group first = {0, 2, -1};
  assert_true(fg_queue_before(&q, first, (fg_group){1, 2, -1}));
  assert_true(fg_queue_before(&q, first, (fg_group){0, 5, -1}));
  assert_true(fg_queue_before(&q, first, (fg_group){1, 8, -1}));
  assert_false(fg_queue_before(&q, first, (fg_group){1, 3, -1}));
  assert_false(fg_queue_before(&q, first, (fg_group){0, 2, -1}));
  assert_false(fg_queue_before(&q, (fg_group){1, 2, -1}, first));
  q.waits[0] = 0;
  assert_false(fg_queue_before(&q, first, (fg_group){0, 5, -1}));
}

/* ---- text and launches ------------------------------------------------------------------------ */

static void the_text_waits(void **state) {
  (void)state;
  fg_emitted e;
  fg_emit_options options = {.dialect = fg_dialect_find("cuda"), .prefix = "x"};
  const fg_program *p = assembled("c2c f64 n=512 batch=count[1..9]", right[2].plan);
  assert_int_equal(fg_emit(&context, p, &options, &e), FG_OK);
  const fg_launch *l = e.artifact.launch;
  assert_int_equal(e.artifact.nlaunch, 2);
  assert_string_equal(l[0].entry, "x_begin");
  assert_string_equal(l[1].entry, "x_queue");
  assert_true(l[1].persistent && !l[0].persistent && l[1].threads == p->kernel[0]->launch.threads);
  assert_int_equal(l[1].block_factor[0].n, p->queue.tiles[0] + p->queue.tiles[1]);
  assert_int_equal(l[1].block_factor[0].param, 0);
  const char *kernel = strstr(e.file[0].text, " x_queue("),
             *wait = strstr(kernel, "fftgen_counter_wait(taken + transform - 2, 4);"),
             *first = strstr(kernel, "x_block0_device("), *second = strstr(kernel, "x_block1_device(");
  assert_true(wait && first && second && wait < first && first < second);
  assert_non_null(strstr(first, "fftgen_counter_wait(stored + transform, 4);"));
  assert_non_null(strstr(e.file[0].text, "__ldcg("));
  assert_null(strstr(e.file[0].text, "__restrict__ work0) {"));
  assert_null(strstr(e.file[0].text, "x_block0("));
}

/* Room is waited for before the first kernel's last barrier, and the next item taken behind it. */
static void the_text_is_early(void **state) {
  (void)state;
  fg_emitted e;
  fg_emit_options options = {.dialect = fg_dialect_find("cuda"), .prefix = "x"};
  const char *plan = "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3, early=%d, keep=%d)";
  for (int deferred_wait = 1; deferred_wait < 3; deferred_wait++) {
    const fg_program *p =
        assembled(right[0].problem, fg_arena_printf(context.arena, plan, deferred_wait, deferred_wait - 1));
    assert_int_equal(fg_emit(&context, p, &options, &e), FG_OK);
    const char *kernel = strstr(e.file[0].text, "\nstatic __device__ __forceinline__ void x_block0_device("),
               *room =
                   strstr(kernel, "if (threadIdx.x == 0 && room) fftgen_counter_wait(room, 4);\n  __syncthreads();\n"),
               *next = strstr(kernel, "  if (threadIdx.x == 0) *next = x_take(queue, transforms);\n  x_block0_1("),
               *last = strstr(kernel, "x_block1_device(");
    assert_true(room && last && room < last);
    assert_true(deferred_wait == 1 ? !next : next && room < next && next < last);
    assert_null(strstr(kernel, "fftgen_counter_wait(taken"));
    assert_int_equal(strstr(e.file[0].text, "fftgen_store_evict_last((float2 *)(") != NULL, deferred_wait - 1);
  }
}

/* Each place has a counter of the turns in which it was left. */
static void the_text_changes_places(void **state) {
  (void)state;
  fg_emitted e;
  fg_emit_options options = {.dialect = fg_dialect_find("cuda"), .prefix = "x"};
  for (int deferred_wait = 0; deferred_wait < 2; deferred_wait++) {
    const char *plan = fg_arena_printf(
        context.arena, "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3, swap=1, early=%d)",
        deferred_wait);
    assert_int_equal(fg_emit(&context, assembled(right[0].problem, plan), &options, &e), FG_OK);
    const char *text = e.file[0].text;
    assert_non_null(strstr(text, "i < 32 + (unsigned)7 + 12;"));
    assert_non_null(strstr(text, deferred_wait ? "if (threadIdx.x == 0) fftgen_counter_wait(room, block / 12);"
                                               : "transform >= 3) fftgen_counter_wait(taken + tile % 12, tile / 12);"));
    assert_non_null(strstr(text, "const int phase = block / 12 % 2;"));
    assert_non_null(strstr(text, "by ^= 320 * (((by >> 6) ^ (by >> 8)) & (3 * phase));"));
    assert_non_null(strstr(text, "bx ^= 320 * (((bx >> 6) ^ (bx >> 8)) & (3 * phase));"));
    assert_non_null(strstr(text, "(px + (phase ? "));
    assert_null(strstr(text, "taken + transform"));
  }
  const char *dropping = "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3, swap=discard)";
  assert_int_equal(fg_emit(&context, assembled(right[0].problem, dropping), &options, &e), FG_OK);
  const char *drops = strstr(e.file[0].text, "l < 16; l += 32)"), *discard = drops ? strstr(drops, "discard.") : NULL,
             *done = discard ? strstr(discard, "__syncthreads();\n  if (threadIdx.x == 0) fftgen_counter_add(freed);")
                             : NULL;
  assert_non_null(done);
  assert_non_null(strstr(drops, "work0 + 2 * (e + 1024 * (block / 4 % 3)))"));
  const char *pairs = "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=2); threads=16, queue=2, swap=on, "
                      "deferred_wait=store)";
  assert_int_equal(fg_emit(&context, assembled("r2c f32 n=1024 batch=6", pairs), &options, &e), FG_OK);
  assert_non_null(strstr(e.file[0].text, " * (((iz0 >> "));
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan, *says;
  } wrong[] = {
      {"c2c f32 n=1024 batch=7", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=1)",
       "2 transforms or more"},
      {"c2c f32 n=1024 batch=7", "four-step(stockham(8,4), stockham(8,4); cluster=4, queue=3)", "wants two kernels"},
      {"c2c f32 n=1024 batch=7", "stockham(32,32; queue=3)", "wants two kernels"},
      {"c2c f32 n=1024", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3)", "wants a batch"},
      {"c2c f32 n=32x32", "nd(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3)", "wants a batch"},
      {"conv f32 n=1024 batch=7 spectrum=each",
       "convolve(four-step(stockham(8,4), stockham(8,4); tile=8, rows=8); threads=64, queue=3, swap=on)",
       "have no swap="},
      {"conv f32 n=1024 batch=7 spectrum=each",
       "convolve(four-step(stockham(8,4), stockham(8,4); tile=8, rows=8); threads=64, queue=3, prefetch_distance=8)",
       "allows 4..7"},
      {"conv f32 n=1024 batch=7",
       "convolve(four-step(stockham(8,4), stockham(8,4); tile=8, rows=8); threads=64, queue=2)", "allows 4..3"},
      {"c2c f32 n=1024 batch=7",
       "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3, prefetch_distance=9)", "allows 4..8"},
      {"c2c f32 n=1024 batch=7",
       "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=3, prefetch_distance=3)", "allows 4..8"},
      {"c2c f32 n=1024 batch=7",
       "four-step(stockham(8,4), stockham(8,4); tile=8, rows=8, queue=2, swap=on, prefetch_distance=8)", "allows 3..7"},
      {"c2c f32 n=1024 batch=7", "four-step(stockham(8,4), stockham(8,4); tile=8, rows=16, queue=2, swap=on)",
       "swap=on wants"},
      {"c2c f32 n=64 batch=7", "four-step(direct(8), direct(8); tile=4, rows=4, threads=4, queue=2, swap=discard)",
       "swap=discard wants"},
      {"c2c f32 n=256 batch=7",
       "four-step(stockham(4,4), stockham(4,4); tile=4, rows=2, threads=8, queue=2, swap=discard)", "want"},
      {"c2c f32 n=900 batch=7", "four-step(stockham(6,5), stockham(6,5); tile=6, rows=6, queue=2, swap=on)",
       "swap=on wants"},
      {"c2c f32 n=64 batch=7",
       "four-step(direct(8), direct(8); tile=8, rows=8, threads=8, queue=3, deferred_wait=store)",
       "deferred_wait wants"},
      {"c2r f32 n=1024 batch=5",
       "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=4); threads=16, queue=3, whole=on)", "alone"},
      {"r2c f32 n=1024 batch=5",
       "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=4); threads=16, whole=on)", "alone"},
      {"r2c f32 n=1024 batch=5",
       "real(4, four-step(stockham(4,4), stockham(4,4); tile=8, rows=2); threads=16, queue=3, whole=on)",
       "whole sectors"},
  };
  fg_program *p;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    fg_status expected = strstr(wrong[i].says, "want") ? FG_ENA : FG_EUSER;
    assert_int_equal(try_assemble(wrong[i].problem, wrong[i].plan, &stays, &p), expected);
    if (!strstr(context.diag.message, wrong[i].says)) fail_msg("%s: %s", wrong[i].plan, context.diag.message);
  }
  fg_mapping none = stays;
  none.queue = false;
  assert_int_equal(try_assemble(right[0].problem, right[0].plan, &none, &p), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "this target has none"));
  fg_emitted e;
  fg_emit_options options = {.dialect = fg_dialect_find("opencl")};
  assert_int_equal(fg_emit(&context, a_queue(), &options, &e), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "the dialect opencl has none"));
}

/* Where one kernel cannot hold a transform, and a ring can hold several. */
static int count_offers(const char *problem, bool queue) {
  offers o;
  int count = 0;
  offers_for(problem, 16, queue, &o);
  for (int i = 0; i < o.plans.count; i++) {
    if (!fg_plan_param_value(o.plans.plan[i], FG_PARAM_QUEUE)) continue;
    const fg_program *p = offered_program(&o, i);
    assert_true(p->queue.ring + p->queue.swap > 2);
    count++;
  }
  return count;
}

static void recipes_offer_queues(void **state) {
  (void)state;
  assert_true(count_offers("c2c f32 n=262144 batch=512", true) > 0);
  assert_true(count_offers("c2c f32 n=1048576 batch=128", true) > 0);
  assert_true(count_offers("c2c f32 n=1000000 batch=128", true) > 0);
  assert_int_equal(count_offers("c2c f32 n=262144 batch=512", false), 0);
  assert_int_equal(count_offers("c2c f32 n=262144 batch=4", true), 0); /* not two rounds of a ring */
  assert_true(count_offers("c2c f32 n=4194304 batch=32", true) > 0);   /* L2 holds two */
  assert_int_equal(count_offers("c2c f32 n=8388608 batch=16", true), 0);
  assert_int_equal(count_offers("r2c f32 n=524288 batch=512", true), 2);
  assert_int_equal(count_offers("r2c f64 n=1048576 batch=128", true), 1);
  assert_int_equal(count_offers("c2r f32 n=2097152 batch=127", true), 2);
  assert_int_equal(count_offers("r2c f32 n=524288 batch=512", false), 0);
  assert_int_equal(count_offers("r2c f32 n=524288 batch=8", true), 0);
  assert_int_equal(count_offers("r2c f32 n=4194304 batch=64", true), 0);
  assert_int_equal(count_offers("c2r f32 n=4194304 batch=63", true), 1);
  assert_int_equal(count_offers("c2c f32 n=512x512 batch=512", true), 1);
  assert_int_equal(count_offers("c2c f64 n=256x256 batch=1024", true), 1);
  assert_int_equal(count_offers("c2c f32 n=1000x1000 batch=134", true), 1);
  assert_int_equal(count_offers("c2c f32 n=512x512x512", true), 1);
  assert_int_equal(count_offers("c2c f32 n=64x64x64 batch=512", true), 1);
  assert_int_equal(count_offers("c2c f64 n=64x64x64 batch=256", true), 1);
  assert_int_equal(count_offers("c2c f32 n=512x512 batch=512", false), 0);
  assert_int_equal(count_offers("c2c f32 n=512x512 batch=20", true), 0);
  assert_int_equal(count_offers("c2c f32 n=64x64 batch=32768", true), 0);
  assert_int_equal(count_offers("c2c f32 n=2048x2048 batch=32", true), 0);
  assert_int_equal(count_offers("c2c f32 n=480x640 batch=436", true), 1);
  assert_int_equal(count_offers("c2c f64 n=128x512 batch=1024", true), 1);
  assert_int_equal(count_offers("c2c f32 n=80x80x80 batch=262", true), 1);
  assert_int_equal(count_offers("c2c f32 n=16x16x16 batch=32768", true), 0);
  assert_int_equal(count_offers("c2c f32 n=128x128x128 batch=1", true), 0);
  assert_int_equal(count_offers("c2c f32 n=65537 batch=2047", true), 1);
  assert_int_equal(count_offers("c2c f64 n=65537 batch=1023", true), 1);
  assert_int_equal(count_offers("c2c f32 n=65537 batch=2047", false), 0);
  assert_int_equal(count_offers("c2c f32 n=65537 batch=9", true), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(queues_are_proved),
      cmocka_unit_test(the_ends_are_enough),
      cmocka_unit_test(planes_go_round),
      cmocka_unit_test(nobody_waits),
      cmocka_unit_test(freed_too_early),
      cmocka_unit_test(early_too_early),
      cmocka_unit_test(a_wrong_lag),
      cmocka_unit_test(a_small_ring),
      cmocka_unit_test(places_are_changed_rightly),
      cmocka_unit_test(tiles_begin_with_sectors),
      cmocka_unit_test(tiles_begin_alike),
      cmocka_unit_test(dropped_too_early),
      cmocka_unit_test(order_holds_for_all_memory),
      cmocka_unit_test(tiles_of_a_kernel_meet),
      cmocka_unit_test(every_lag_that_is_allowed),
      cmocka_unit_test(every_lag_of_tiles_that_change_places),
      cmocka_unit_test(which_tile_is_before_which),
      cmocka_unit_test(what_is_before_what),
      cmocka_unit_test(the_text_waits),
      cmocka_unit_test(the_text_is_early),
      cmocka_unit_test(the_text_changes_places),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(recipes_offer_queues),
  };
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}

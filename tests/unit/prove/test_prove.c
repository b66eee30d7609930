/* The proof on small programs: right ones are proved, and each kind of fault that
 * it looks for - values, races, bounds, uninitialised memory, moves - is found
 * and named. Programs are assembled from plans, or laid down by hand here. */
#include "generator/ir/table_values.h"
#include "generator/ir/walk.h"
#include "generator/print/emit.h"
#include "generator/prove/attempt.h"
#include "generator/prove/literals.h"
#include "generator/prove/table_values.h"
#include "generator/prove/values.h"
#include "tests/unit/proving.h"
#include "tests/unit/text_proof.h"
#include <math.h>

static const fg_mapping blocks_of_lanes = {
    .blocks = true, .lanes = 8, .one_source = true, .registers = 16, .fma = true, .local_bytes = 2048};

/* ---- right programs --------------------------------------------------------------- */

static const struct right {
  const char *problem, *plan;
} right[] = {
    {"c2c f64 n=1", "direct(1)"},
    {"c2c f32 n=2 batch=3", "direct(2)"},
    {"c2c f64 n=7 sign=+1 batch=9", "direct(7)"},
    {"c2c f32 n=64", "stockham(8,8)"},
    {"c2c f32 n=64 place=in batch=5", "stockham(4,4,4)"},
    {"c2c f32 n=320", "stockham(8,5,8)"},
    {"c2c f64 n=384 batch=3 place=in", "stockham(8,2,3,8)"},
    {"c2c f32 n=288 batch=4", "stockham(24,12)"},
    {"c2c f64 n=60 batch=11", "stockham(3,4,5)"},
    {"c2c f64 n=96:2:3 batch=4:200:300", "stockham(8,12)"},
    {"c2c f64 n=12 layout=split batch=3", "stockham(3,4)"},
    {"c2c f32 n=48 layout=interleaved>split", "stockham(6,8)"},
    {"c2c f32 n=16:20:20 batch=19:1:1 place=in", "stockham(4,4)"},
    {"c2c f64 n=24 batch=3x5 place=in", "cooley-tukey(2,stockham(3,4))"},
    {"c2c f64 n=3600", "four-step(stockham(6,10),stockham(6,10); frequency=on, products=on)"},
    {"c2c f32 n=4096 sign=+1 batch=2", "four-step(stockham(4,4,4),stockham(8,8); frequency=on)"},
    {"c2c f64 n=23", "bluestein(64,stockham(8,8))"},
    {"c2c f64 n=23 batch=3 sign=+1", "bluestein(48,stockham(6,8))"},
    {"c2c f64 n=37 place=in batch=3", "rader(37,stockham(6,6))"},
    {"c2c f64 n=15", "prime-factor(direct(5),direct(3))"},
    {"c2c f32 n=36 sign=+1 batch=3", "prime-factor(direct(4),direct(9))"},
    {"c2c f64 n=240:3:2 place=out batch=2:1:500", "prime-factor(stockham(4,4),direct(15))"},
    {"c2c f32 n=40 batch=2 place=in layout=split", "prime-factor(direct(5),stockham(4,2))"},
    {"c2c f64 n=24", "cooley-tukey(2,prime-factor(direct(4),direct(3)))"},
    {"c2c f32 n=13", "rader(13,prime-factor(direct(4),direct(3)))"},
    {"c2c f64 n=12:step[1..5]:2 batch=count[1..7]:90:40", "prime-factor(direct(3),direct(4))"},
    {"c2c f32 n=23 sign=+1 batch=2", "rader(23,stockham(6,8))"},
    {"c2c f64 n=23:25:27 layout=split batch=19:1:1", "rader(23,cooley-tukey(2,rader(11,direct(10))))"},
    {"c2c f64 n=34 batch=2", "cooley-tukey(2,rader(17,bluestein(32,stockham(4,8))))"},
    {"c2c f32 n=17:step[1..5]:2 batch=count[1..7]:90:40", "rader(17,stockham(4,4))"},
    {"c2c f32 n=48:19:19 batch=19:1:1 sign=+1", "stockham(6,8)"},
    {"c2c f32 n=8 batch=count[1..40]", "direct(8)"},
    {"c2c f32 n=16 batch=count[3..40]:dist[16..100]:step[1..64]", "stockham(4,4)"},
};

static void right_programs_are_proved(void **state) {
  (void)state;
  const fg_mapping *maps[] = {&scalar, &eight_lanes, &threads, &blocks_of_lanes};
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    for (int m = 0; m < 4; m++) must_hold(assembled_for(right[i].problem, right[i].plan, maps[m]));
}

static void proof_says_what_was_walked(void **state) {
  (void)state;
  fg_proof p = proof_of(assembled_for("c2c f32 n=8 batch=3000000", "direct(8)", &eight_lanes));
  assert_true(p.proved);
  assert_non_null(strstr(p.walked, "of 3000000 transforms (ends of the batch)"));
  assert_true(p.addresses < 100000);
  p = proof_of(assembled_for("c2c f32 n=8 batch=12", "direct(8)", &eight_lanes));
  assert_non_null(strstr(p.walked, "12 of 12 transforms, 2 primes"));
  assert_int_equal(p.primes, 2);
  p = proof_of(assembled_for("c2c f32 n=8 batch=c[1..5000000000000]", "direct(8)", &scalar));
  assert_true(p.proved);
  assert_non_null(strstr(p.walked, "not to their upper ends"));
}

static void same_seed_same_proof(void **state) {
  (void)state;
  const fg_program *p = assembled_for("c2c f32 n=64 batch=count[1..40]", "stockham(8,8)", &threads);
  fg_proof a = proof_of(p), b = proof_of(p);
  assert_memory_equal(&a, &b, sizeof a);
}

/* Long enough to be shared out among threads, where there are processors for them. */
static fg_program *long_program(const fg_mapping *map) {
  fg_program *p = assembled_for("c2c f32 n=64 batch=4096", "stockham(8,8)", map);
  assert_true(fg_walk_cut(p, p->kernel[0]) >= 0);
  return p;
}

static fg_access *last_store(const fg_program *p) { return &p->kernel[0]->stage[p->kernel[0]->nstage - 1].store; }

static void walk_long_ones(const fg_mapping *map, const char *other) {
  fg_proof whole = proof_of(long_program(map)),
           part = proof_of(assembled_for("c2c f32 n=64 batch=512", "stockham(8,8)", map));
  assert_true(whole.proved && part.proved);
  assert_int_equal(whole.addresses, 8 * part.addresses);
  assert_int_equal(whole.bank_conflicts, 8 * part.bank_conflicts);
  assert_int_equal(whole.segments, 8 * part.segments);
  assert_non_null(strstr(whole.walked, "4096 of 4096 transforms"));
  fg_program *p = long_program(map);
  p->table[0].row0++;
  must_fail(p, "is not that of the DFT");
  p = long_program(map); /* the last transform loads the first one's elements */
  fg_access *load = &p->kernel[0]->stage[0].load;
  load->index.mod = 64 * 4095;
  if (load->move != FG_MOVE_NONE) load->move = FG_MOVE_GATHER;
  must_fail(p, "of transform 4095 is not that of the DFT");
  p = long_program(map); /* blocks that store to others' elements */
  fg_affine *at = &last_store(p)->index.at;
  for (int t = 0; t < at->nterm; t++)
    if (at->term[t].digit == fg_walk_cut(p, p->kernel[0])) at->term[t].coef.n -= 8;
  assert_true(must_fail(p, other).races > 0);
  p = long_program(map); /* the last block stores to elements of the first */
  last_store(p)->index.mod = 64 * 4096 - 8;
  if (last_store(p)->move != FG_MOVE_NONE) last_store(p)->move = FG_MOVE_GATHER;
  assert_true(must_fail(p, other).races > 0);
}

/* One field says as much of a program as the other. */
static void each_field_counts(const fg_program *p, fg_outcome wanted) {
  fg_field field[FG_PRIMES];
  fg_context cx = {.arena = NULL};
  for (int i = 0; i < FG_PRIMES; i++)
    assert_int_equal(fg_field_create(&context, fg_program_order(p), (uint64_t)i, &field[i]), FG_OK);
  for (int i = 0; i < FG_PRIMES; i++) {
    fg_attempt a = {.p = p, .field = field, .seed = 3, .first = i, .fields = 1, .others = 1, .seen = i > 0};
    fg_proof proof = {0};
    assert_int_equal(fg_attempt_walk(&cx, &a, &proof), FG_OK);
    assert_int_equal(a.outcome, wanted);
  }
}

/* Where there is memory for one field at a time, they are run one after the other. */
static void little_memory_is_enough(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f32 n=64 batch=16", "stockham(8,8)", &threads);
  fg_proof whole = proof_of(p);
  size_t both = (size_t)fg_prove_memory_of_walk(p, NULL, 0, 2), one = (size_t)fg_prove_memory_of_walk(p, NULL, 0, 1);
  assert_true(one > 16 * 64 * 2 * 8 && both > 3 * one / 2);
  context.memory = both - 1;
  fg_proof apart = proof_of(p);
  assert_memory_equal(&whole, &apart, sizeof whole);
  each_field_counts(p, FG_OUTCOME_DONE);
  context.memory = one - 1;
  assert_int_equal(fg_prove(&context, p, 7, &apart), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "over one field takes"));
  fg_diag_clear(&context.diag);
  p->table[0].row0++;
  context.memory = both - 1;
  must_fail(p, "is not that of the DFT");
  context.memory = 0;
  each_field_counts(p, FG_OUTCOME_WRONG);
}

static void long_walks_are_shared(void **state) {
  (void)state;
  walk_long_ones(&eight_lanes, "which another part uses");
  walk_long_ones(&threads, "which another block uses");
  must_hold(assembled_for("c2c f32 n=131072", "four-step(stockham(16,16), stockham(16,32))", &eight_lanes));
  must_hold(assembled_for("c2c f32 n=131072", "four-step(stockham(16,16), stockham(16,32))", &threads));
  fg_program *odd =
      assembled_for("c2c f32 n=16807", "four-step(direct(49), stockham(7,49); parallel_split=on)", &eight_lanes);
  for (int k = 0; k < 2; k++)
    assert_true(fg_digit_is_clipped(&odd->kernel[k]->digit[odd->kernel[k]->vectors.part - 1]));
  must_hold(odd);
}

/* ---- wrong values ------------------------------------------------------------------- */

static void wrong_values_are_found(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=64", "stockham(8,8)", &scalar);
  p->table[0].sign = -p->table[0].sign;
  must_fail(p, "is not that of the DFT");
  p = assembled_for("c2c f64 n=64 sign=-1", "stockham(8,8)", &eight_lanes);
  p->problem.sign = +1;
  must_fail(p, "is not that of the DFT");
  p = assembled_for("c2c f64 n=64", "stockham(8,8)", &scalar);
  p->table[0].row0++;
  must_fail(p, "is not that of the DFT");
}

/* The last stage forgets its last value of a loop. */
static void missing_outputs_are_found(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=64", "stockham(8,8)", &scalar);
  fg_kernel *k = p->kernel[0];
  fg_stage *s = &k->stage[k->nstage - 1];
  k->digit[s->loop[s->nloop - 1]].extent.n--;
  must_fail(p, "not every output was stored");
}

/* Without its scalar rest, a loop of vectors is right only for whole vectors. */
static void a_missing_tail_is_found(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=8 batch=count[1..64]", "direct(8)", &eight_lanes);
  must_hold(p);
  p->kernel[0]->nstage--;
  fg_proof proof = must_fail(p, "count=");
  assert_non_null(strstr(proof.failure, "not every output was stored"));
  p->kernel[0]->nstage++;
  p = assembled_for("c2c f64 n=8 batch=count[9..9]", "direct(8)", &eight_lanes);
  must_hold(p);
}

/* ---- memory --------------------------------------------------------------------------- */

static void addresses_out_of_bounds_are_found(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=64", "stockham(8,8)", &scalar);
  fg_stage *s = p->kernel[0]->stage;
  s[0].load.index.at.offset.n += 1;
  assert_true(must_fail(p, "loads element 64 of in, which has 0 to 63").out_of_bounds > 0);
  s[0].load.index.at.offset.n -= 2;
  assert_true(must_fail(p, "loads element -1 of in").out_of_bounds > 0);
  s[0].load.index.at.offset.n += 1;
  s[1].factors.twiddle.index.at.offset.n += 1;
  assert_true(must_fail(p, "of tw0").out_of_bounds > 0);
  s[1].factors.twiddle.index.at.offset.n -= 1;
  must_hold(p);
}

/* The buffer is large enough for the range's end, the caller's array for its own call. */
static void bounds_follow_the_parameters(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=4 batch=count[1..64]", "direct(4)", &scalar);
  p->kernel[0]->stage[0].load.index.at.offset.n += 4;
  must_fail(p, "of in, which has 0 to");
}

static void uninitialised_reads_are_found(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=512", "stockham(8,8,8)", &scalar);
  fg_stage *s = p->kernel[0]->stage;
  int16_t swap = s[1].load.buffer;
  s[1].load.buffer = s[1].store.buffer;
  assert_true(must_fail(p, "what was never stored there").uninitialised > 0);
  s[1].load.buffer = swap;
  must_hold(p);
}

/* What one block left in its LOCAL memory is not there for the next. */
static void local_memory_is_fresh_in_each_block(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=64 batch=2", "stockham(8,8)", &scalar);
  fg_kernel *k = p->kernel[0];
  fg_stage *s = &k->stage[0];
  must_hold(p);
  assert_int_equal(p->buffer[s->store.buffer].space, FG_SPACE_LOCAL);
  /* only the first block fills it */
  s->pred[s->npred].value = (fg_affine){.offset = fg_num_const(0)};
  fg_affine_add(&s->pred[s->npred].value, k->outer[0], fg_num_const(1));
  s->pred[s->npred++].bound = fg_num_const(1);
  must_fail(p, "what was never stored there");
}

static void gaps_are_left_alone(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=4:1:2 batch=2:4:8", "direct(4)", &scalar);
  must_hold(p);
  fg_kernel *k = p->kernel[0];
  k->stage = fg_arena_copy(context.arena, (fg_stage[]){k->stage[0], k->stage[0]}, 2 * sizeof *k->stage);
  k->nstage = 2;
  must_hold(p);
  k->stage[0].store.index.at.offset.n = 1;
  k->stage[0].store.npred = 1; /* not beyond the end */
  k->stage[0].store.pred[0] = (fg_pred){.value = k->stage[0].store.index.at, .bound = fg_num_const(14)};
  must_fail(p, "lies between those of the result");
}

static void the_input_is_left_alone(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=64", "stockham(8,8)", &scalar);
  p->kernel[0]->stage[0].store.buffer = FG_BUFFER_IN;
  p->kernel[0]->stage[1].load.buffer = FG_BUFFER_IN;
  must_fail(p, "stores to its input");
}

static void moves_must_say_what_addresses_do(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=64", "stockham(8,8)", &eight_lanes);
  fg_stage *s = p->kernel[0]->stage;
  assert_int_equal(s[1].load.move, FG_MOVE_CONTIG);
  s[1].load.move = FG_MOVE_TRANSPOSE;
  must_fail(p, "the move of an access");
  s[1].load.move = FG_MOVE_CONTIG;
  must_hold(p);
}

/* ---- programs by hand -------------------------------------------------------------------- */

/* n = 1: the transform copies. One kernel of `nstage` copies; digit 0 is the slot,
 * digit 1 the element's number in its role, digit 2 the block's number. */
typedef struct hand {
  fg_program *p;
  fg_kernel *k;
} hand;

static hand by_hand(const char *problem, fg_role role, int64_t extent, int64_t blocks, int nstage) {
  hand h = {fg_arena_new(context.arena, fg_program, 1), fg_arena_new(context.arena, fg_kernel, 1)};
  fg_problem *q = &h.p->problem;
  assert_int_equal(fg_problem_parse(&context, problem, q), FG_OK);
  h.p->nbuffer = 3;
  for (int i = 0; i < 3; i++)
    h.p->buffer[i] = (fg_buffer){.space = i < 2 ? (fg_space)i : FG_SPACE_LOCAL,
                                 .precision = q->storage,
                                 .size = i < 2 ? extent * blocks : 4096,
                                 .alias = i == 1 && q->in_place ? 0 : -1,
                                 .table = -1};
  memcpy(h.p->buffer[0].name, "in", 3);
  memcpy(h.p->buffer[1].name, "out", 4);
  memcpy(h.p->buffer[2].name, "work", 5);
  h.p->nkernel = 1;
  h.p->kernel = fg_arena_new(context.arena, fg_kernel *, 1);
  h.p->kernel[0] = h.k;
  h.p->vectors.lanes = role == FG_ROLE_LANE ? (int)extent : 1;
  h.k->name = "hand";
  h.k->ndigit = 3;
  const fg_digit one = {.role = FG_ROLE_REG, .extent = fg_num_const(1), .step = 1, .last = INT64_MAX, .div = 1};
  h.k->digit[0] = h.k->digit[1] = h.k->digit[2] = one;
  h.k->digit[1].role = role;
  h.k->digit[1].extent = fg_num_const(extent);
  h.k->digit[2].role = FG_ROLE_BLOCK;
  h.k->digit[2].extent = h.k->launch.blocks[0] = fg_num_const(blocks);
  h.k->nouter = h.k->launch.nblocks = 1;
  h.k->outer[0] = 2;
  h.k->launch.threads = role == FG_ROLE_THREAD ? (int)extent : 1;
  h.k->nstage = nstage;
  h.k->stage = fg_arena_new(context.arena, fg_stage, nstage);
  for (int i = 0; i < nstage; i++) {
    fg_stage *s = &h.k->stage[i];
    s->what = "copy";
    s->nloop = 1;
    s->loop[0] = 1;
    s->vectors.lane = role == FG_ROLE_LANE ? 1 : -1;
    s->load.index.lookup = s->store.index.lookup = -1;
    s->exchange.after = fg_exchange_barrier();
  }
  return h;
}

/* Element offset + coef * number + block_coef * block of a buffer. */
static void point(fg_access *a, int16_t buffer, int64_t offset, int64_t coef, int64_t block_coef) {
  a->buffer = buffer;
  a->index.at = (fg_affine){.offset = fg_num_const(offset)};
  fg_affine_add(&a->index.at, 1, fg_num_const(coef));
  fg_affine_add(&a->index.at, 2, fg_num_const(block_coef));
}

/* In place, turned round twice: right only when all lanes load before any stores. */
static void lanes_load_before_they_store(void **state) {
  (void)state;
  fg_role role[] = {FG_ROLE_LANE, FG_ROLE_LOOP};
  for (int r = 0; r < 2; r++) {
    hand h = by_hand("c2c f64 n=1 batch=8 place=in", role[r], 8, 1, 2);
    for (int i = 0; i < 2; i++) {
      point(&h.k->stage[i].load, 1, 7, -1, 0);
      point(&h.k->stage[i].store, 1, 0, 1, 0);
    }
    if (r == 0)
      must_hold(h.p);
    else
      must_fail(h.p, "is not that of the DFT");
  }
}

static void lanes_must_store_to_different_places(void **state) {
  (void)state;
  hand h = by_hand("c2c f64 n=1 batch=8", FG_ROLE_LANE, 8, 1, 2);
  point(&h.k->stage[0].load, 0, 0, 1, 0);
  point(&h.k->stage[0].store, 1, 0, 0, 0);
  point(&h.k->stage[1].load, 0, 0, 1, 0);
  point(&h.k->stage[1].store, 1, 0, 1, 0);
  must_fail(h.p, "two slots or lanes store");
}

/* The same exchange in one buffer by 64 threads: needs the barrier in the middle. */
static void a_barrier_in_the_middle_is_needed(void **state) {
  (void)state;
  for (int sync = 0; sync < 2; sync++) {
    hand h = by_hand("c2c f64 n=1 batch=64 place=in", FG_ROLE_THREAD, 64, 1, 2);
    for (int i = 0; i < 2; i++) {
      point(&h.k->stage[i].load, 1, 63, -1, 0);
      point(&h.k->stage[i].store, 1, 0, 1, 0);
      h.k->stage[i].exchange.between = sync ? fg_exchange_barrier() : fg_exchange_none();
    }
    if (sync)
      must_hold(h.p);
    else
      assert_true(must_fail(h.p, "before the next barrier").races > 0);
  }
}

/* Loops of threads share a barrier in the middle, but nothing orders
 * one round's stores and the next round's loads. */
static void rounds_are_not_ordered(void **state) {
  (void)state;
  hand h = by_hand("c2c f64 n=1 batch=64 place=in", FG_ROLE_THREAD, 32, 1, 2);
  h.k->ndigit = 4;
  h.k->digit[3] = h.k->digit[1];
  h.k->digit[3].role = FG_ROLE_LOOP;
  h.k->digit[3].extent = fg_num_const(2);
  h.p->buffer[0].size = h.p->buffer[1].size = 64;
  for (int i = 0; i < 2; i++) {
    fg_stage *s = &h.k->stage[i];
    point(&s->load, 1, 31, -1, 0);
    point(&s->store, 1, 0, 1, 0);
    fg_affine_add(&s->load.index.at, 3, fg_num_const(32));
    fg_affine_add(&s->store.index.at, 3, fg_num_const(32));
    s->exchange.between = fg_exchange_barrier();
    s->loop[0] = 3, s->loop[1] = 1, s->nloop = 2;
  }
  must_hold(h.p); /* rounds touch different halves */
  for (int i = 0; i < 2; i++) h.k->stage[i].load.index.at = h.k->stage[i].store.index.at;
  must_hold(h.p); /* every thread its own element */
  h.k->digit[3].step = 0;
  h.k->stage[0].load.index.at.term[0].coef.n = -1;
  h.k->stage[0].load.index.at.offset.n = 31;
  assert_true(must_fail(h.p, "before the next barrier").races > 0);
}

static void a_missing_barrier_is_a_race(void **state) {
  (void)state;
  const char *plans[] = {"stockham(8,8)", "stockham(4,4,4)", "stockham(2,4,8)"};
  for (int i = 0; i < 3; i++) {
    fg_program *p = assembled_for("c2c f32 n=64 batch=2", plans[i], &threads);
    fg_kernel *k = p->kernel[0];
    must_hold(p);
    for (int s = 0; s + 1 < k->nstage; s++) {
      fg_exchange was = k->stage[s].exchange.after;
      assert_int_equal(was.scope, FG_SCOPE_BLOCK);
      k->stage[s].exchange.after.scope = FG_SCOPE_LANE; /* orders no threads */
      assert_true(must_fail(p, "before the next barrier").races > 0);
      k->stage[s].exchange.after = was;
    }
  }
}

/* In place, each block takes what another one writes. One after the other, blocks
 * may do so; the result must be right in that order. */
static void blocks_have_no_order(void **state) {
  (void)state;
  for (int threaded = 0; threaded < 2; threaded++) {
    hand h = by_hand("c2c f64 n=1 batch=32", threaded ? FG_ROLE_THREAD : FG_ROLE_LOOP, 4, 8, 2);
    h.p->buffer[2].space = FG_SPACE_WORK;
    point(&h.k->stage[0].load, 0, 0, 1, 4);
    point(&h.k->stage[0].store, 2, 0, 1, 0); /* all blocks use the same four elements */
    point(&h.k->stage[1].load, 2, 0, 1, 0);
    point(&h.k->stage[1].store, 1, 0, 1, 4);
    if (threaded) {
      assert_true(must_fail(h.p, "which another block uses").races > 0);
    } else {
      fg_proof proof = proof_of(h.p);
      assert_true(proof.proved);
      assert_true(proof.block_conflicts > 0);
      assert_int_equal(proof.races, 0);
    }
    for (int i = 0; i < 2; i++)
      fg_affine_add(i ? &h.k->stage[1].load.index.at : &h.k->stage[0].store.index.at, 2, fg_num_const(4));
    must_hold(h.p);
    assert_int_equal(proof_of(h.p).block_conflicts, 0);
  }
}

/* Where loops may be cut, their turns are actors: the same exchange that blocks one
 * after the other may do is a race between parts. */
static void parts_have_no_order(void **state) {
  (void)state;
  for (int apart = 0; apart < 2; apart++) {
    hand h = by_hand("c2c f64 n=1 batch=32", FG_ROLE_LOOP, 4, 8, 2);
    h.p->buffer[2].space = FG_SPACE_WORK;
    point(&h.k->stage[0].load, 0, 0, 1, 4);
    point(&h.k->stage[0].store, 2, 0, 1, apart ? 4 : 0);
    point(&h.k->stage[1].load, 2, 0, 1, apart ? 4 : 0);
    point(&h.k->stage[1].store, 1, 0, 1, 4);
    must_hold(h.p);
    h.k->vectors.part = 1 + 2; /* the block digit */
    if (apart)
      must_hold(h.p);
    else
      assert_true(must_fail(h.p, "which another part uses").races > 0);
  }
}

static void parts_wait_for_each_other(void **state) {
  (void)state;
  const char *plans[] = {"stockham(8,8; parallel_split=on)", "stockham(4,4,4; parallel_split=on)",
                         "cooley-tukey(4, direct(16); parallel_split=on)"};
  const fg_mapping *maps[] = {&scalar, &eight_lanes};
  for (int i = 0; i < 6; i++) {
    fg_program *p = assembled_for("c2c f64 n=64", plans[i / 2], maps[i % 2]);
    fg_kernel *k = p->kernel[0];
    int cut = 0;
    must_hold(p);
    for (int s = 0; s + 1 < k->nstage; s++) {
      if (!k->stage[s].vectors.part || !k->stage[s + 1].vectors.part) continue;
      cut++;
      k->stage[s].exchange.after = fg_exchange_none();
      assert_true(must_fail(p, "another part uses before the next barrier").races > 0);
      k->stage[s].exchange.after = fg_exchange_barrier();
    }
    if (i % 2 == 0) assert_int_equal(cut, k->nstage - 1);
  }
}

/* In place, turns of one loop that take each other's elements. */
static void parts_of_a_stage_are_apart(void **state) {
  (void)state;
  hand h = by_hand("c2c f64 n=1 batch=8 place=in", FG_ROLE_LOOP, 8, 1, 2);
  for (int i = 0; i < 2; i++) {
    point(&h.k->stage[i].load, 1, 0, 1, 0);
    point(&h.k->stage[i].store, 1, 0, 1, 0);
    h.k->stage[i].vectors.part = 1 + 1;
  }
  must_hold(h.p);
  point(&h.k->stage[0].load, 1, 7, -1, 0);
  assert_true(must_fail(h.p, "another part uses").races > 0);
}

static void contradictions_are_refused(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f32 n=64 batch=2", "stockham(8,8)", &threads);
  fg_kernel *k = p->kernel[0];
  k->launch.blocks[0].n++;
  must_fail(p, "not as many blocks as block digits count");
  k->launch.blocks[0].n--;
  k->launch.threads = 1;
  must_fail(p, "threads do not cover digit");
  p = assembled_for("c2c f32 n=8", "direct(8)", &scalar);
  p->problem.scale = FG_SCALE_1_N;
  must_fail(p, "output 0 of transform 0 is not that of the DFT"); /* the program has no scale */
}

/* ---- counts ------------------------------------------------------------------------------- */

static int64_t conflicts_at_stride(int64_t coef, int64_t pad_every, int64_t pad_by, int64_t xor_shift,
                                   int64_t xor_mask) {
  hand h = by_hand("c2c f32 n=1 batch=32", FG_ROLE_THREAD, 32, 1, 2);
  point(&h.k->stage[0].load, 0, 0, 1, 0);
  point(&h.k->stage[0].store, 2, 0, coef, 0);
  fg_index *x = &h.k->stage[0].store.index;
  x->pad_every = pad_every, x->pad_by = pad_by, x->xor_shift = xor_shift, x->xor_mask = xor_mask;
  point(&h.k->stage[1].load, 2, 0, coef, 0);
  int16_t lookup = h.k->stage[1].load.index.lookup;
  fg_affine at = h.k->stage[1].load.index.at;
  h.k->stage[1].load.index = *x;
  h.k->stage[1].load.index.at = at;
  h.k->stage[1].load.index.lookup = lookup;
  point(&h.k->stage[1].store, 1, 0, 1, 0);
  fg_proof proof = proof_of(h.p);
  if (!proof.proved) fail_msg("%s", proof.failure);
  assert_int_equal(proof.segments, 4); /* 32 numbers of 8 bytes, in and out */
  assert_int_equal(proof.segments_ideal, 4);
  return proof.bank_conflicts;
}

/* 8-byte numbers are accessed 16 at a time: neighbours meet no conflict; a stride of 16 puts
 * all into two banks: 15 extra cycles, for two halves, on the way there and back. */
static void bank_conflicts_are_counted(void **state) {
  (void)state;
  assert_int_equal(conflicts_at_stride(1, 0, 0, 0, 0), 0);
  assert_int_equal(conflicts_at_stride(16, 0, 0, 0, 0), 2 * 2 * 15);
  assert_int_equal(conflicts_at_stride(2, 0, 0, 0, 0), 2 * 2 * 1);
  assert_int_equal(conflicts_at_stride(17, 0, 0, 0, 0), 0);
  assert_int_equal(conflicts_at_stride(16, 16, 1, 0, 0), 0);
  assert_int_equal(conflicts_at_stride(16, 0, 0, 4, 15), 0);
}

static void segments_are_counted(void **state) {
  (void)state;
  hand h = by_hand("c2c f32 n=1 batch=32:16:1", FG_ROLE_THREAD, 32, 1, 1);
  point(&h.k->stage[0].load, 0, 0, 16, 0);
  point(&h.k->stage[0].store, 1, 0, 1, 0);
  fg_proof proof = proof_of(h.p);
  assert_true(proof.proved);
  assert_int_equal(proof.segments, 32 + 2);
  assert_int_equal(proof.segments_ideal, 4);
}

/* ---- number systems ------------------------------------------------------------------------- */

/* The proof's tape says what the codelet's own evaluation says. */
static void tapes_agree_with_codelets(void **state) {
  (void)state;
  for (int n = 1; n <= 16; n++) {
    const fg_codelet *c;
    fg_codelet_key key = {.n = n, .sign = n % 2 ? 1 : -1, .twiddle = FG_TW_IN_ALL, .form = n % 3 ? FG_FORM_FMA : 0};
    assert_int_equal(fg_codelet_create(&context, &key, &c), FG_OK);
    fg_proof proof = {0};
    fg_vm *m = fg_arena_new(context.arena, fg_vm, 1);
    *m = (fg_vm){.cx = &context, .proof = &proof, .primes = 1};
    assert_int_equal(fg_field_create(&context, fg_integer_lcm(8, fg_codelet_order(c)), (uint64_t)n, &m->field[0]),
                     FG_OK);
    enum { WIDTH = 3 };
    fg_prove_value_rooms(m, (size_t)n * FG_WALK_WIDTH, (size_t)n * FG_WALK_WIDTH);
    fg_held *h = fg_prove_value_held(m, 0, (size_t)n * FG_WALK_WIDTH);
    uint64_t random = 5;
    for (int i = 0; i < 2 * n * WIDTH; i++) {
      m->in[0][i] = fg_gf_random(&random);
      m->tw[0][i] = fg_gf_random(&random);
    }
    fg_prove_value_run(m, c, WIDTH, h);
    fg_gf *in = fg_arena_new(context.arena, fg_gf, 2 * n), *tw = fg_arena_new(context.arena, fg_gf, 2 * n);
    fg_gf *out = fg_arena_new(context.arena, fg_gf, 2 * n), *work = fg_arena_new(context.arena, fg_gf, c->nnode);
    for (int i = 0; i < WIDTH; i++) {
      for (int s = 0; s < 2 * n; s++) in[s] = m->in[0][s * WIDTH + i], tw[s] = m->tw[0][s * WIDTH + i];
      fg_codelet_eval_gf(c, &m->field[0], in, tw, out, work);
      for (int s = 0; s < 2 * n; s++) assert_true(out[s] == h->re[0][s * WIDTH + i]);
    }
  }
}

/* The reference in 113 bits against plain sums over MPFR's roots. */
static void quads_transform(void **state) {
  (void)state;
  const int64_t lengths[] = {1, 2, 3, 4, 6, 8, 15, 30, 61, 64, 67, 134, 131, 201, 67 * 71};
  uint64_t random = 3;
  for (size_t t = 0; t < sizeof lengths / sizeof *lengths; t++) {
    int64_t n = lengths[t];
    int sign = t % 2 ? 1 : -1;
    fg_quadc *x = fg_arena_new(context.arena, fg_quadc, n), *y = fg_arena_new(context.arena, fg_quadc, n);
    fg_quadc *z = fg_quad_roots(&context, n);
    for (int64_t j = 0; j < n; j++)
      x[j] = (fg_quadc){(double)(fg_random(&random) >> 40), (double)(fg_random(&random) >> 40)};
    fg_quad_dft(&context, n, sign, x, y);
    fg_quad distance = 0, size = 0;
    for (int64_t k = 0; k < n && k < 100; k++) {
      fg_quadc sum = {0, 0};
      for (int64_t j = 0; j < n; j++) {
        fg_quadc w = z[j * k % n];
        if (sign < 0) w.im = -w.im;
        fg_quadc p = fg_quadc_mul(x[j], w);
        sum = (fg_quadc){sum.re + p.re, sum.im + p.im};
      }
      distance += (sum.re - y[k].re) * (sum.re - y[k].re) + (sum.im - y[k].im) * (sum.im - y[k].im);
      size += sum.re * sum.re + sum.im * sum.im;
    }
    assert_true(sqrt((double)(distance / size)) < 0x1p-104);
  }
}

/* Tables in 113 bits are those that programs get, before rounding. */
static void quads_fill_tables(void **state) {
  (void)state;
  const char *plans[][2] = {{"c2c f64 n=96", "stockham(8,12)"},
                            {"c2c f64 n=37 sign=+1", "bluestein(80,stockham(8,10))"}};
  for (int i = 0; i < 2; i++) {
    const fg_program *p = assembled_for(plans[i][0], plans[i][1], &scalar);
    for (int t = 0; t < p->ntable; t++) {
      int64_t count = p->table[t].rows * p->table[t].cols;
      double *d = fg_arena_new(context.arena, double, 2 * count);
      fg_quadc *z = fg_table_values_quad(&context, &p->table[t]);
      assert_int_equal(fg_table_fill_real(&context, p, t, d), FG_OK);
      for (int64_t k = 0; k < count; k++) {
        assert_true(fabs((double)(z[k].re - d[2 * k])) <= 0x1.00001p-53 * fabs(d[2 * k]) + 0x1p-104);
        assert_true(fabs((double)(z[k].im - d[2 * k + 1])) <= 0x1.00001p-53 * fabs(d[2 * k + 1]) + 0x1p-104);
      }
    }
  }
}

static void real_values_are_compared(void **state) {
  (void)state;
  fg_proof p = proof_of(assembled_for("c2c f64 n=105 batch=3", "stockham(3,5,7)", &eight_lanes));
  assert_true(p.value_error > 0 && p.value_error < 1e-32);
  p = proof_of(assembled_for("c2c f64 n=12 store=abs(x)*abs(x)-x*conj(x)", "stockham(3,4)", &scalar)); /* they cancel */
  assert_true(p.value_error > 0 && p.value_error < 1e-30);
}

/* ---- texts ------------------------------------------------------------------------------------ */

static const fg_isa *isa_for(const fg_mapping *map, const char *problem) {
  int bytes = map->lanes > 1 ? map->lanes * (strstr(problem, "f64") ? 8 : 4) : 0;
  for (const fg_isa *i = fg_isa_table(); i->name; i++)
    if (i->vector_bytes == bytes) return i;
  return NULL;
}

static fg_text_proof text_proof_of(const fg_program *p, const fg_isa *isa) {
  return text_proof_both(p, isa, 5, fg_problem_print(&context, &p->problem));
}

static fg_text_proof whole_text_proof_of(const fg_program *p, const fg_isa *isa) {
  fg_text_proof proof;
  fg_status status = fg_prove_text(&context, p, isa, &(fg_text_options){.seed = 5, .primes = FG_TEXT_PRIMES}, &proof);
  if (status != FG_OK) fail_msg("%s: %s", fg_status_name(status), context.diag.message);
  return proof;
}

static void right_texts_are_proved(void **state) {
  (void)state;
  const fg_mapping *maps[] = {&scalar, &eight_lanes, &threads, &blocks_of_lanes};
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    for (int m = 0; m < 4; m++) {
      const fg_program *p = assembled_for(right[i].problem, right[i].plan, maps[m]);
      fg_text_proof proof = text_proof_of(p, isa_for(maps[m], right[i].problem));
      if (!proof.proved) fail_msg("%s %s: %s", right[i].problem, right[i].plan, proof.failure);
      assert_true(proof.runs >= 2 && proof.outputs > 0);
      assert_true(proof.literal_ulp <= 0.51);
    }
}

/* A single codelet, and what vectors leave over, in vectors of one number each. */
static void single_numbers_are_pairs(void **state) {
  (void)state;
  static const char *const rows[][2] = {{"c2c f64 n=11", "direct(11)"},
                                        {"c2c f32 n=9:3:1 sign=+1", "direct(9)"},
                                        {"c2c f64 n=15 place=in", "direct(15)"},
                                        {"c2c f32 n=22", "stockham(11,2)"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fg_program *p = assembled_for(rows[i][0], rows[i][1], &eight_lanes);
    assert_int_equal(p->nfallback, 0);
    for (int s = 0; s < p->kernel[0]->nstage; s++) assert_true(p->kernel[0]->stage[s].vectors.packed);
    must_hold(p);
    fg_text_proof proof = text_proof_of(p, isa_for(&eight_lanes, rows[i][0]));
    if (!proof.proved) fail_msg("%s %s: %s", rows[i][0], rows[i][1], proof.failure);
  }
}

/* The text by parts is under the proof too. */
static void texts_of_parts_are_proved(void **state) {
  (void)state;
  static const char *const right[][2] = {
      {"c2c f64 n=64", "stockham(8,8; parallel_split=on)"},
      {"c2c f32 n=60 batch=7 place=in", "stockham(3,4,5; parallel_split=on)"},
      {"c2c f64 n=16 batch=count[1..20]", "stockham(4,4; parallel_split=on)"},
      {"c2c f32 n=5 batch=3x5", "direct(5; parallel_split=on)"},
      {"c2c f32 n=1024", "four-step(stockham(8,4),stockham(8,4); tile=8, rows=8, parallel_split=on)"},
      {"c2c f64 n=729", "four-step(stockham(9,3),stockham(3,9); parallel_split=on)"},
      {"c2c f64 n=8x12x6 batch=2", "nd(direct(8),stockham(4,3),direct(6); tile=6, rows=4, parallel_split=on)"},
      {"c2c f64 n=37 batch=2", "rader(37,stockham(6,6); parallel_split=on)"},
  };
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    for (int m = 0; m < 2; m++) {
      const fg_mapping *map = m ? &eight_lanes : &scalar;
      fg_program *p = assembled_for(right[i][0], right[i][1], map);
      must_hold(p);
      fg_text_proof proof = text_proof_of(p, isa_for(map, right[i][0]));
      if (!proof.proved) fail_msg("%s %s: %s", right[i][0], right[i][1], proof.failure);
      assert_true(proof.runs >= 4 && proof.runs % 2 == 0); /* whole and in parts */
    }
}

static void tables_filled_at_run_time_are_read_back(void **state) {
  (void)state;
  const char *plans[][2] = {
      {"c2c f64 n=64", "stockham(8,8; tables=init)"},
      {"c2c f32 n=64", "stockham(8,8; tables=init)"},
      {"c2c f64 n=23 sign=+1", "bluestein(64,stockham(8,8); tables=init)"},
      {"c2c f32 n=23", "bluestein(48,stockham(6,8))"},
      {"c2c f64 n=37", "rader(37,stockham(6,6); tables=init)"},
      {"c2c f64 n=97", "rader(97,stockham(8,12); tables=init)"}, /* an odd number of numbers of elements */
      {"c2c f32 n=37", "rader(37,stockham(6,6); tables=init)"},
      {"c2c f64 n=23 sign=+1", "rader(23,stockham(6,8); tables=init)"},
      {"c2c f32 n=131", "rader(131,cooley-tukey(10,direct(13)); tables=init)"}};
  for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
    for (int m = 0; m < 2; m++) {
      const fg_mapping *map = m ? &eight_lanes : &scalar;
      fg_text_proof proof = text_proof_of(assembled_for(plans[i][0], plans[i][1], map), isa_for(map, plans[i][0]));
      if (!proof.proved) fail_msg("%s %s: %s", plans[i][0], plans[i][1], proof.failure);
      assert_true(proof.literals > 50);
    }
}

/* The program is not what was emitted: the text computes something else. */
static void wrong_texts_are_found(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=64 batch=3", "stockham(8,8)", &eight_lanes);
  fg_text_proof proof;
  p->problem.sign = -p->problem.sign;
  proof = whole_text_proof_of(p, isa_for(&eight_lanes, "f64"));
  assert_false(proof.proved);
  assert_non_null(strstr(proof.failure, "an output that is not the DFT's"));
  p->problem.sign = -p->problem.sign;
  fg_stage *s = &p->kernel[0]->stage[1];
  s->store.index.at.offset.n++;
  proof = whole_text_proof_of(p, isa_for(&eight_lanes, "f64"));
  assert_false(proof.proved);
}

/* One literal after the other of the C text, changed in its last digits. */
static void changed_literals_are_found(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f64 n=64 batch=3", "stockham(8,8)", &scalar);
  fg_field field;
  assert_int_equal(fg_field_create(&context, fg_program_order(p), 3, &field), FG_OK);
  fg_emit_options options = {.dialect = fg_dialect_find("gf"), .entry = true, .field = &field};
  fg_emitted gf, c;
  assert_int_equal(fg_emit(&context, p, &options, &gf), FG_OK);
  options = (fg_emit_options){.dialect = fg_dialect_find("c")};
  assert_int_equal(fg_emit(&context, p, &options, &c), FG_OK);
  fg_proof_text text = {.p = p, .artifact = &gf.artifact, .field = &field, .seed = 1};
  fg_text_proof proof = {0};
  assert_int_equal(fg_proof_text_literals(&context, &text, &c.artifact, &proof), FG_OK);
  assert_string_equal(proof.failure, "");
  assert_true(proof.literals > 100);
  char *source = fg_arena_strdup(context.arena, c.artifact.source);
  c.artifact.source = source;
  int changed = 0;
  for (char *at = source; (at = strstr(at, "0.")); at++) {
    size_t digits = strspn(at + 2, "0123456789");
    if (digits < 15 || (at[-1] != ' ' && at[-1] != '-')) continue;
    char *last = at + 2 + digits - 2, was = *last;
    *last = was == '9' ? '8' : (char)(was + 1);
    proof = (fg_text_proof){0};
    assert_int_equal(fg_proof_text_literals(&context, &text, &c.artifact, &proof), FG_OK);
    if (!proof.failure[0]) fail_msg("%.20s is not missed", at);
    *last = was;
    changed++;
  }
  assert_true(changed > 40);
}

/* Passes in place, in blocks in the output's memory: each reads and writes the same numbers. */
static void passes_in_place_are_proved(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f32 n=512", "stockham(8,8,8)", &eight_lanes);
  fg_stage *s = p->kernel[0]->stage;
  assert_int_equal(s[1].load.buffer, s[1].store.buffer);
  assert_int_equal(p->buffer[s[1].load.buffer].alias, FG_BUFFER_OUT);
  must_hold(p);
  s[0].store.index.at.term[0].coef.n++; /* a row that begins in another's place */
  assert_string_not_equal(proof_of(p).failure, "");
}

/* A last radix of half a vector: the first pass's vectors run along two digits, whose rows have two strides. */
static void rows_of_two_digits_are_proved(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f32 n=512", "stockham(8,16,4; complex_vectors=split)", &eight_lanes);
  fg_stage *s = p->kernel[0]->stage;
  assert_int_equal(s[0].store.move, FG_MOVE_TRANSPOSE);
  assert_int_equal(p->buffer[s[0].store.buffer].alias, FG_BUFFER_OUT);
  assert_true(s[0].store.index.pad_every == 512 && s[0].store.index.pad_by == 8 - 512);
  must_hold(p);
  s[0].store.index.pad_by += 8; /* a row in another one's place */
  assert_string_not_equal(proof_of(p).failure, "");
}

/* Rows of an odd last radix, or one below a vector: each row's place is computed, and all passes but the first one work
 * in place where L1 holds input, output and factors, but not scratch as well. */
static void rows_apart_are_proved(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan;
    bool in_place;
  } rows[] = {{"c2c f32 n=2000", "stockham(8,10,25)", false}, /* of half a line */
              {"c2c f64 n=2000", "stockham(8,10,25)", true},
              {"c2c f64 n=1000", "stockham(8,25,5)", true},
              {"c2c f64 n=1500", "stockham(20,15,5; complex_vectors=interleaved)", true},
              {"c2c f64 n=1500", "stockham(15,20,5; complex_vectors=interleaved)", false}, /* no whole vectors */
              {"c2c f64 n=600", "stockham(8,15,5)", false},
              {"c2c f64 n=6000", "stockham(8,30,25)", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fg_program *p = assembled_for(rows[i].problem, rows[i].plan, &eight_lanes);
    const fg_stage *s = p->kernel[0]->stage;
    assert_true((s[1].load.buffer == s[1].store.buffer) == rows[i].in_place);
    assert_true((s[0].store.index.pad_every != 0) == rows[i].in_place);
    must_hold(p);
  }
}

/* Where the others cannot, or rows of the last radix are no whole vectors, the last pass still does: it reads what it
 * writes. Of four passes, a third of a vector more is worth it. */
static void the_last_pass_works_in_place(void **state) {
  (void)state;
  static const char *const texts[][2] = {{"c2c f32 n=768", "stockham(8,8,12)"}, {"c2c f32 n=384", "stockham(8,8,6)"}};
  fg_program *p = assembled_for("c2c f32 n=3840", "stockham(8,8,4,15)", &eight_lanes);
  assert_int_equal(p->kernel[0]->stage[1].load.buffer, p->kernel[0]->stage[1].store.buffer);
  for (int i = 0; i < 2; i++) {
    p = assembled_for(texts[i][0], texts[i][1], &eight_lanes);
    const fg_stage *s = p->kernel[0]->stage;
    assert_int_equal(p->buffer[s[1].load.buffer].alias, -1);
    assert_int_equal(s[1].store.buffer, s[2].load.buffer);
    assert_int_equal(p->buffer[s[2].load.buffer].alias, FG_BUFFER_OUT);
    must_hold(p);
  }
  p->kernel[0]->stage[2].store.index.at.offset.n = 8; /* the next vector, which is read later */
  assert_string_not_equal(proof_of(p).failure, "");
}

/* Blocks of one thread, side by side: each has its part of a workspace, which
 * the next may not touch; batches are cut into blocks of several. */
static void blocks_of_lanes_have_no_order(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f32 n=512 batch=32", "stockham(8,8,8)", &blocks_of_lanes);
  fg_kernel *k = p->kernel[0];
  assert_true(p->vectors.side_by_side && k->launch.threads == 1 && k->nouter >= 1);
  assert_int_equal(p->buffer[k->stage[0].store.buffer].space, FG_SPACE_WORK);
  must_hold(p);
  for (int s = 0; s < k->nstage; s++) { /* one workspace for all */
    fg_access *a[] = {&k->stage[s].load, &k->stage[s].store};
    for (int i = 0; i < 2; i++)
      for (int t = 0; t < a[i]->index.at.nterm; t++)
        if (p->buffer[a[i]->buffer].space == FG_SPACE_WORK && a[i]->index.at.term[t].digit == k->outer[0])
          a[i]->index.at.term[t].coef = fg_num_const(0);
  }
  assert_true(must_fail(p, "another block uses").races > 0);
  p = assembled_for("c2c f32 n=8 batch=count[1..5000]", "direct(8)", &blocks_of_lanes);
  assert_true(p->kernel[0]->nouter == 1 && p->kernel[0]->nstage == 2);
  must_hold(p);
  p->kernel[0]->stage[1].npred = 0; /* every block does the rest */
  assert_true(must_fail(p, "another block uses").races > 0);
  p = assembled_for("c2c f32 n=64 batch=count[1..500]", "stockham(8,8)", &blocks_of_lanes);
  must_hold(p);
  assert_int_equal(p->kernel[0]->npred, 1);
  p->kernel[0]->npred = 0; /* blocks continue beyond the batch */
  must_fail(p, "which has");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_programs_are_proved),
      cmocka_unit_test(passes_in_place_are_proved),
      cmocka_unit_test(rows_apart_are_proved),
      cmocka_unit_test(rows_of_two_digits_are_proved),
      cmocka_unit_test(the_last_pass_works_in_place),
      cmocka_unit_test(proof_says_what_was_walked),
      cmocka_unit_test(same_seed_same_proof),
      cmocka_unit_test(wrong_values_are_found),
      cmocka_unit_test(missing_outputs_are_found),
      cmocka_unit_test(a_missing_tail_is_found),
      cmocka_unit_test(addresses_out_of_bounds_are_found),
      cmocka_unit_test(bounds_follow_the_parameters),
      cmocka_unit_test(uninitialised_reads_are_found),
      cmocka_unit_test(local_memory_is_fresh_in_each_block),
      cmocka_unit_test(gaps_are_left_alone),
      cmocka_unit_test(the_input_is_left_alone),
      cmocka_unit_test(moves_must_say_what_addresses_do),
      cmocka_unit_test(lanes_load_before_they_store),
      cmocka_unit_test(lanes_must_store_to_different_places),
      cmocka_unit_test(a_barrier_in_the_middle_is_needed),
      cmocka_unit_test(rounds_are_not_ordered),
      cmocka_unit_test(a_missing_barrier_is_a_race),
      cmocka_unit_test(blocks_have_no_order),
      cmocka_unit_test(blocks_of_lanes_have_no_order),
      cmocka_unit_test(parts_have_no_order),
      cmocka_unit_test(parts_wait_for_each_other),
      cmocka_unit_test(parts_of_a_stage_are_apart),
      cmocka_unit_test(single_numbers_are_pairs),
      cmocka_unit_test(texts_of_parts_are_proved),
      cmocka_unit_test(contradictions_are_refused),
      cmocka_unit_test(bank_conflicts_are_counted),
      cmocka_unit_test(segments_are_counted),
      cmocka_unit_test(tapes_agree_with_codelets),
      cmocka_unit_test(quads_transform),
      cmocka_unit_test(quads_fill_tables),
      cmocka_unit_test(long_walks_are_shared),
      cmocka_unit_test(little_memory_is_enough),
      cmocka_unit_test(real_values_are_compared),
      cmocka_unit_test(right_texts_are_proved),
      cmocka_unit_test(tables_filled_at_run_time_are_read_back),
      cmocka_unit_test(wrong_texts_are_found),
      cmocka_unit_test(changed_literals_are_found),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}

/* The shipped cost model: integers only, so that a plan is chosen alike on every
 * machine when nothing was measured. Unit: sixteenths of a vector instruction of
 * one lane-full, roughly.
 *
 * Two pipes work side by side, arithmetic and moves; the slower one counts, half
 * of the faster one on top, and what codelets spill on top of both. Every pass costs
 * a fixed amount; bytes beyond a level of a typical cache hierarchy count more. */
#include "generator/assemble.h"
#include "generator/gcd.h"
#include "generator/log2.h"
#include "generator/program.h"

enum { CALL = 16 * 10, PASS = 16 * 4, AGAIN = 16 * 2 };

static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t elements_of(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int64_t params[FG_MAX_PARAMS];
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  return fg_stage_instances(k, s, params);
}

/* A shuffle has fewer units that can do it than an addition, a selection as many. */
enum { MOVE = 16, SHUFFLE = 32, SELECT = 16, PRODUCT = 4 * 16 };

/* Bytes of vectors that close one of three units for arithmetic. */
enum { WIDE = 64 };
enum { LEAST_VECTOR = 16 }; /* bytes: compilers make poor code of vectors of two floats */

static int odd_part(int x) {
  while (x > 0 && x % 2 == 0) x /= 2;
  return x;
}

/* What the odd part of a row takes, a vector. */
static void count_turn(int odd, int lanes, fg_move_count *m) {
  if (odd <= 1) return;
  m->shuffles += 2;
  m->selects += 2 * fg_log2(min64(odd, lanes));
}

/* A vector of numbers through an exchange of rows end to end (emit_run.c). */
static void count_line(int numbers, int lanes, fg_move_count *m) {
  int odd = odd_part(numbers);
  m->moves++;
  count_turn(odd, lanes, m);
  m->shuffles += fg_log2(min64(numbers / odd, lanes));
}

/* The same for rows apart, in groups of a power of two slots, and a slot's share. */
static void count_rows(const fg_move_form *f, int parts, fg_move_count *m) {
  int group = 1;
  while (2 * group <= f->slots && 2 * group <= f->lanes) group *= 2;
  int64_t wide = min64(group * parts, f->lanes), pieces = f->lanes / wide, groups = (f->slots + group - 1) / group;
  m->moves = pieces * groups * group;
  m->shuffles = (fg_log2(wide) + pieces - 1) * groups * group;
  m->shared_by = f->slots;
}

/* One vector of pairs. */
static void count_pairs(const fg_move_form *f, fg_move_count *m) {
  switch (f->move) {
  case FG_MOVE_TRANSPOSE: count_line(f->slots, f->lanes, m); break;
  case FG_MOVE_GATHER: m->moves = m->shuffles = f->lanes; break;
  default: m->moves = 1;
  }
}

fg_move_count fg_move_counts(const fg_move_form *f) {
  fg_move_count m = {.shared_by = 1, .times = 2, .halves = 1};
  if (f->packed && (f->layout == FG_LAYOUT_INTERLEAVED || f->layout == FG_LAYOUT_DOUBLED)) {
    m.times = f->layout == FG_LAYOUT_DOUBLED ? 2 : 1;
    count_pairs(f, &m);
    return m;
  }
  if (f->elem == FG_ELEM_REAL) { /* one part of a split one */
    fg_move_form part = *f;
    part.elem = FG_ELEM_COMPLEX;
    part.layout = FG_LAYOUT_SPLIT;
    m = fg_move_counts(&part);
    m.halves *= 2;
    return m;
  }
  int parts = f->layout == FG_LAYOUT_SPLIT ? 1 : 2;
  switch (f->move) {
  case FG_MOVE_CONTIG:
    m.moves = 1;
    m.selects = parts - 1; /* to part the numbers */
    break;
  case FG_MOVE_REVERSE:
    m.moves = m.shuffles = 1;
    m.selects = parts - 1;
    break;
  case FG_MOVE_TRANSPOSE:
    if (f->end_to_end)
      count_line(f->slots * parts, f->lanes, &m);
    else
      count_rows(f, parts, &m);
    break;
  case FG_MOVE_GATHER:
    m.moves = (parts == 1 ? 3 : 2) * f->lanes;
    m.times = 1;
    break;
  case FG_MOVE_SAME:
  case FG_MOVE_NONE: m.moves = 1; break;
  }
  return m;
}

int64_t fg_move_price(const fg_move_form *f) {
  fg_move_count m = fg_move_counts(f);
  return m.times * ((MOVE * m.moves + SHUFFLE * m.shuffles + SELECT * m.selects) / m.shared_by) / m.halves;
}

static fg_num lane_distance(const fg_stage *s, const fg_access *a) { return fg_affine_coef(&a->index.at, s->lane); }

/* A vector's worth of all slots of one access. */
static int64_t move_price(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a, int lanes) {
  int64_t price = 0;
  for (; a; a = a->rest) {
    const fg_buffer *b = &p->buffer[a->buffer];
    int slots = s->codelet ? (int)k->digit[a->reg].extent.n : 1;
    bool end_to_end = fg_num_is(lane_distance(s, a), slots);
    fg_move_form f = {a->move, b->layout, slots, lanes, end_to_end, s->packed, b->elem};
    price += slots * fg_move_price(&f);
  }
  return price;
}

/* An operation that reads three registers, in vectors as wide as a line: stores of such vectors want the same port
 * (docs/measured.md). */
enum { THIRD_READ = 4 };

/* Prices that differ between CPUs by their registers and units: measured with AVX2 on Zen 3, which has 16 registers,
 * with AVX-512 on a Xeon, and on Zen 4, whose additions have units of their own (docs/measured.md). */
typedef struct unit_prices {
  int64_t some, many;            /* spills of codelets, by the number of points beyond 16, and beyond 32 */
  int64_t many_pairs;            /* the same of pairs, beyond 32 */
  int64_t many_one, dense_one;   /* the same where such a vector is one number, of dense codelets */
  int64_t few_pairs, some_pairs; /* beyond 8, and beyond 16 */
  int64_t turned_pair;           /* whose parts change places */
  int64_t kept;                  /* a result of pairs that waits for all others, since they are turned together */
  int64_t all_pairs;             /* sixteenths of what stages of pairs take besides */
  int64_t long_pairs;            /* times what long code costs, of codelets of pairs */
  int64_t halves;                /* more of pairs that come and go in rows: moves of halves have one unit alone */
  int64_t apart;                 /* quarters of bytes that parts far apart are read and written beside their own */
  int64_t wide_rows;             /* thirty-seconds more of passes that end in rows longer than a vector has lanes */
  int64_t woven;                 /* what it saves a vector of numbers, parts side by side, that others are woven */
  int64_t busy;                  /* quarters of what shuffles of wide pairs cost, turn after turn */
  int64_t wait;                  /* for what was stored as parts of the vector that is loaded */
  int64_t across;                /* a vector of a whole line that begins within one: two lines, loaded and stored */
  bool closes;                   /* wide vectors close one of three units for arithmetic */
} unit_prices;

static const unit_prices sixteen = {.some = 3,
                                    .many = 112,
                                    .many_pairs = 42,
                                    .many_one = 7,
                                    .dense_one = 60,
                                    .few_pairs = 3,
                                    .some_pairs = 4,
                                    .turned_pair = 34,
                                    .kept = 140,
                                    .all_pairs = 15,
                                    .long_pairs = 1,
                                    .halves = 14,
                                    .apart = 4,
                                    .wide_rows = 4,
                                    .woven = 30,
                                    .busy = 5,
                                    .wait = 32,
                                    .across = 48,
                                    .closes = true};
static const unit_prices thirty_two = {.some = 0,
                                       .many = 20,
                                       .many_pairs = 8,
                                       .many_one = 4,
                                       .dense_one = 4,
                                       .few_pairs = 7,
                                       .some_pairs = 3,
                                       .turned_pair = SHUFFLE,
                                       .kept = 64,
                                       .all_pairs = 16,
                                       .long_pairs = 0,
                                       .halves = 0,
                                       .apart = 1,
                                       .busy = 5,
                                       .wait = 32,
                                       .across = 48,
                                       .closes = true};
static const unit_prices adders = {.some = 0,
                                   .many = 20,
                                   .many_pairs = 8,
                                   .many_one = 4,
                                   .dense_one = 20,
                                   .few_pairs = 7,
                                   .some_pairs = 3,
                                   .turned_pair = 28,
                                   .kept = 64,
                                   .all_pairs = 16,
                                   .long_pairs = 1,
                                   .halves = 0,
                                   .apart = 1,
                                   .busy = 4,
                                   .wait = 8,
                                   .across = 72,
                                   .closes = false};

/* Scalars aside, of whose values compilers keep most in memory anyhow; a vector of pairs may be one number. */
static const unit_prices *prices_of(const fg_program *p, bool packed) {
  if ((packed || p->lanes > 1) && p->registers <= 16) return &sixteen;
  return p->adders ? &adders : &thirty_two;
}

/* Of large primes and their powers: sums of all points, which wait until the last one is there. */
enum { DENSE = 42 }; /* operations a point */

static bool is_dense(const fg_codelet *c) {
  return c->count.add + c->count.mul + 2 * c->count.fma >= DENSE * (int64_t)(c->nin / 2);
}

/* A codelet with more values than registers spills: each value costs more.
 * A vector of pairs that is one number is half a register's worth of work to spill, of few. */
static int64_t crowd_of_pairs(const fg_codelet *c, int lanes, const unit_prices *r) {
  int64_t slots = c->nin / 2, many = max64(slots - 32, 0);
  int64_t few = r->few_pairs * max64(slots - 8, 0) + r->some_pairs * max64(slots - 16, 0);
  return lanes == 1 ? few / 2 + (is_dense(c) ? r->dense_one : r->many_one) * many : few + r->many_pairs * many;
}

/* Where turn after turn fills 32 registers: odd radices want some for constants, factors take others. */
static int64_t crowd_of_many_turns(const fg_codelet *c) {
  int64_t slots = c->nin / 2, crowd = 2 * max64(slots - 8, 0) + 3 * max64(slots - 16, 0) + 8 * max64(slots - 32, 0);
  return crowd + 6 * max64(odd_part((int)slots) - 16, 0) + (c->ntw ? 4 * max64(slots - 22, 0) : 0);
}

enum { DECODED = 1200, CACHED = 3000, LONG_CODE = 28, VERY_LONG_CODE = 80 }; /* operations; of each beyond */

/* Instructions that leave the caches for them, first the one of decoded ones. */
static int64_t code_price(int64_t operations) {
  return LONG_CODE * max64(operations - DECODED, 0) + VERY_LONG_CODE * max64(operations - CACHED, 0);
}

/* busy: vectors as wide as a line, many turns of them; they wait for the one unit for shuffles, and for stores. */
static int64_t pairs_price(const fg_codelet *c, int lanes, bool constant, bool busy, const unit_prices *r) {
  int64_t ops = c->count.add + c->count.mul + c->count.fma + c->count.neg;
  int64_t crowd = busy ? crowd_of_many_turns(c) : crowd_of_pairs(c, lanes, r);
  int64_t factors = constant ? 0 : c->ntw, turned = constant ? c->ntw / 2 : c->ntw;
  int64_t shuffles = r->turned_pair * (c->nin / 4 + turned);
  if (busy) shuffles = shuffles * r->busy / 4 + THIRD_READ * c->count.fma / 2;
  return 16 * (ops / 2 + factors + crowd) + shuffles + r->long_pairs * code_price(ops / 2);
}

static int64_t arithmetic_price(const fg_codelet *c) {
  return 16 * (c->count.add + c->count.mul + c->count.fma + c->count.neg);
}

static int64_t spill_price(const fg_program *p, const fg_codelet *c, int products) {
  const unit_prices *r = prices_of(p, false);
  int64_t slots = c->nin / 2 + max64(products - 8, 0), many = p->lanes > 1 ? r->many : 4;
  return 16 * (9 * max64(slots - 8, 0) + r->some * max64(slots - 16, 0) + many * max64(slots - 32, 0));
}

/* Of vectors, more where the number of points is no power of two: constants want registers, too. */
static int64_t constants_price(const fg_codelet *c, int lanes) {
  int slots = c->nin / 2;
  return lanes > 1 && (slots & (slots - 1)) ? 16 * 4 * max64(slots - 16, 0) : 0;
}

enum { NEAR = 4, SECOND = 8 }; /* weight of bytes in the first cache, and in the second */
enum { STAYING = 1 << 20 };    /* bytes of an array that passes stay in as if it was in the second cache */

/* Prices that differ by caches: measured with 2 MiB on a Xeon, whose third cache is large and far, with 512 KiB on Zen
 * 3, and with 1 MiB on Zen 4. */
typedef struct cache_prices {
  int64_t third;      /* weight of bytes in the third cache */
  int64_t part;       /* of the second cache that arrays have: one of so many */
  int64_t third_most; /* bytes that it holds of what neighbours leave of it */
  int64_t ways;       /* lines that a set of the first cache holds beside others; */
  int64_t crowd;      /* how many times the bytes of rows count that are more */
  int64_t gathered; /* sixteenths more of a tile's lines that share a set, for each EIGHT_WAYS of them but the first */
} cache_prices;

static const cache_prices large_second = {.third = 24, .part = 2, .third_most = 10 << 20, .ways = 12, .crowd = 1};
static const cache_prices small_second = {
    .third = 20, .part = 2, .third_most = 5 << 20, .ways = 5, .crowd = 4, .gathered = 16};

static const cache_prices near_third = {.third = 12, .part = 1, .third_most = 10 << 20, .ways = 12, .crowd = 1};

static const cache_prices *caches_of(const fg_program *p) {
  if (p->adders) return &near_third;
  return fg_small_second(p) ? &small_second : &large_second;
}

/* Bytes of everything that a call touches decide which cache it lives in. */
static int64_t byte_weight(const fg_program *p, int64_t footprint) {
  if (footprint <= 40 << 10) return NEAR;
  if (footprint <= 56 << 10) return 6;
  if (footprint <= p->second / caches_of(p)->part) return SECOND;
  if (footprint <= caches_of(p)->third_most) return caches_of(p)->third;
  if (footprint <= 32 << 20) return 32;
  return 56;
}

/* A clipped loop starts within a vector that was stored before. */
static bool straddles(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  return fg_stage_is_clipped(k, s) || elements_of(p, k, s) % lanes;
}

/* What a clipped loop stores again begins where a vector began before. */
static bool clips_at_vectors(const fg_kernel *k, const fg_stage *s) {
  int64_t row = s->store.move == FG_MOVE_TRANSPOSE ? fg_access_slots(k, &s->store) : 1;
  for (int i = 0; i < s->nloop; i++) {
    int64_t last = k->digit[s->loop[i]].last;
    if (last != INT64_MAX && last * row % fg_stage_lanes(k, s)) return false;
  }
  return true;
}

/* What passes between its stages stays in values, and twiddle factors are constants to the compiler. */
static bool stays_in_values(const fg_kernel *k) {
  if (!fg_kernel_is_joined(k)) return false;
  for (int i = 0; i < k->nstage - 1; i++)
    if (!clips_at_vectors(k, &k->stage[i])) return false;
  return true;
}

/* Vectors of pairs that come from memory as they were not stored: joins or parts
 * where the widths differ; else a wait. */
static int64_t refit_price(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  if (s == k->stage || p->buffer[s->load.buffer].space != FG_SPACE_LOCAL) return 0;
  int before = fg_stage_lanes(k, s - 1);
  int64_t joins = before < lanes ? SHUFFLE * (lanes / before - 1) : before > lanes ? SHUFFLE : 0;
  return joins + (!stays_in_values(k) && straddles(p, k, s, lanes) ? prices_of(p, true)->wait : 0);
}

/* A pass, and once more for every transform of a batch or tile around it; where all stays in values, there is one. */
static int64_t pass_price(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  if (stays_in_values(k)) return s == k->stage ? PASS : 0;
  int64_t params[FG_MAX_PARAMS], turns = 1;
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  for (int i = 0; i < k->nouter && k->nstage > 1; i++) turns *= fg_digit_extent(&k->digit[k->outer[i]], params);
  return PASS + AGAIN * (turns - 1);
}

static int vector_bytes(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  return fg_stage_lanes(k, s) * fg_precision_bytes(p->problem.compute) * (s->packed && s->codelet ? 2 : 1);
}

/* All three units for arithmetic are open: as long as no vector of the kernel is wide. */
static bool has_all_units(const fg_program *p, const fg_kernel *k) {
  for (int i = 0; i < k->nstage; i++)
    if (vector_bytes(p, k, &k->stage[i]) >= WIDE) return false;
  return true;
}

enum { FEW_TURNS = 11 << 9 }; /* bytes of a transform whose passes are a few turns each */

/* Turn after turn of vectors as wide as a line. */
static bool is_busy(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int64_t bytes = fg_problem_points(&p->problem) * 2 * fg_precision_bytes(p->problem.compute);
  return vector_bytes(p, k, s) >= WIDE && bytes > FEW_TURNS;
}

/* Of passes that stay where the first one stored, the size of that memory. */
static int64_t stays_within(const fg_program *p, const fg_kernel *k) {
  int root = fg_buffer_root(p, k->stage[0].store.buffer);
  for (int i = 1; i < k->nstage; i++)
    if (fg_buffer_root(p, k->stage[i].load.buffer) != root || fg_buffer_root(p, k->stage[i].store.buffer) != root)
      return INT64_MAX;
  return fg_buffer_bytes(&p->buffer[root]);
}

enum { FEW_PASSES = 3, ONE_ARRAY = 40 << 10, LEAST_ODD = 6 };

/* Passes in place of arrays that leave the first cache: lines are under way while there is arithmetic. Not by radices
 * of large odd parts, whose operations are fused products for the most part, and stores wait for those. */
static bool hides_in_lines(const fg_program *p, const fg_kernel *k, int slots) {
  return k->nstage <= FEW_PASSES && odd_part(slots) <= LEAST_ODD && stays_within(p, k) != INT64_MAX &&
         fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]) > ONE_ARRAY;
}

enum { TURNED_ODD = 3 }; /* odd parts of rows; of larger ones the shuffles that turn them say enough */

/* Of rows at both ends of a codelet. */
static int64_t halves_price(const fg_stage *s, int slots, const unit_prices *r) {
  bool both = s->load.move == FG_MOVE_TRANSPOSE && s->store.move == FG_MOVE_TRANSPOSE;
  return both && odd_part(slots) <= TURNED_ODD ? 2 * slots * r->halves : 0;
}

/* Shuffles share units with arithmetic, and there are few of either: they add up. */
static int64_t packed_stage_price(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  const unit_prices *r = prices_of(p, true);
  bool held = stays_in_values(k), busy = is_busy(p, k, s);
  bool doubled = s->has_twiddle && p->buffer[s->twiddle.buffer].layout == FG_LAYOUT_DOUBLED;
  int slots = s->codelet->nin / 2, factors = doubled ? s->codelet->ntw : s->codelet->ntw / 2;
  int64_t vectors = (elements_of(p, k, s) + lanes - 1) / lanes;
  int64_t shuffles = move_price(p, k, s, &s->load, lanes) + move_price(p, k, s, &s->store, lanes);
  if (s->has_twiddle) shuffles += move_price(p, k, s, &s->twiddle, lanes);
  int64_t moves = MOVE * (2 * slots + factors);
  shuffles += slots * refit_price(p, k, s, lanes) + halves_price(s, slots, r) - moves;
  int64_t each = pairs_price(s->codelet, lanes, held || doubled, busy, r) + max64(shuffles, 0) + moves / 4;
  if (s->store.move == FG_MOVE_TRANSPOSE) each += (busy ? r->kept / 2 : r->kept) * max64(slots - 16, 0);
  if (busy && hides_in_lines(p, k, slots)) each = each * 3 / 4;
  if (has_all_units(p, k)) each = each * 3 / 4;
  return pass_price(p, k, s) + vectors * (each * r->all_pairs / 16) / 2;
}

enum {
  CHAIN = 16 * 25, /* a vector stored and loaded again, and the first operations one after the other */
  LOOPS = 16 * 94, /* the least that a stage takes which is loops of scalars */
};

/* However little there is to do: a wait for what the stage before stored. */
static int64_t chain_price(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  bool first = s != k->stage && (!s->alone || s[-1].sync_end >= FG_SCOPE_BLOCK); /* of those that wait for the same */
  return first && p->buffer[s->load.buffer].space == FG_SPACE_LOCAL && !stays_in_values(k)
             ? (p->lanes > 1 ? CHAIN : LOOPS)
             : 0;
}

enum {
  UNNOTICED = 1000,
  REOPENED = 3000
}; /* arithmetic on narrow vectors behind wide ones; all that more of it costs */

/* The unit that wide vectors close opens again some 200 clocks after the last of them. */
static int64_t reopening_price(const fg_program *p, const fg_kernel *k, const fg_stage *s, int64_t arithmetic) {
  if (has_all_units(p, k) || vector_bytes(p, k, s) >= WIDE || !prices_of(p, s->packed)->closes) return 0;
  return min64(REOPENED, max64(arithmetic - UNNOTICED, 0));
}

/* Rows that leave a long codelet of wide vectors are turned among its operations (emit_early.c), where both arrays are
 * in the first cache, the next pass's factors as well. Statements: operations, loads that part numbers, steps of the
 * exchange. */
enum { LONG_TURN = 512, TURN_MOST = 32 << 10 };

static bool turns_early(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  const fg_codelet *c = s->codelet;
  int64_t statements = arithmetic_price(c) / 16 + 2 * c->nin + c->nout * fg_log2(lanes);
  int64_t bytes = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  bool whole = vector_bytes(p, k, s) >= WIDE && odd_part(c->nout / 2) == 1 && !straddles(p, k, s, lanes);
  bool first = s->load.buffer == FG_BUFFER_IN && p->buffer[FG_BUFFER_IN].elem == FG_ELEM_COMPLEX;
  return whole && first && statements >= LONG_TURN && bytes < TURN_MOST;
}

/* Rows whole pages apart that are fetched before they are stored (emit_fetch.c). */
enum { PAGE = 4096, APART_LEAST = 96 << 10, APART_MOST = 2 << 20, FEW_LINES = 8, ROW_LEAST = 16 };

static bool fetches_rows(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  int64_t bytes = 2 * fg_precision_bytes(p->problem.compute);
  int64_t all = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  fg_num apart = lane_distance(s, &s->store);
  bool rows = !p->problem.in_place && s->store.move == FG_MOVE_TRANSPOSE && lanes <= FEW_LINES &&
              s->codelet->nout / 2 >= ROW_LEAST;
  bool pages = apart.form == FG_NUM_CONST && apart.n * bytes % PAGE == 0;
  return rows && pages && s->load.buffer == FG_BUFFER_IN && k->nstage > 1 && !k->nouter &&
         vector_bytes(p, k, s) >= WIDE && all >= APART_LEAST && all <= APART_MOST;
}

/* Of a turn's numbers that the caller has in pairs, those that meet vectors in an order that shuffles within their
 * parts leave and want (map_weave.c). Where nothing has an order, exchanges choose this one anyway; where stages are
 * one function, they hide behind operations. */
static int64_t woven_slots(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int64_t slots = 0;
  bool woven = false;
  const fg_access *a;
  for (int i = 0; (a = fg_stage_access((fg_stage *)s, i)); i++) {
    const fg_buffer *b = &p->buffer[a->buffer];
    if (a->move != FG_MOVE_CONTIG && a->move != FG_MOVE_REVERSE) continue;
    woven = woven || b->woven;
    if (b->layout == FG_LAYOUT_INTERLEAVED && b->elem == FG_ELEM_COMPLEX) slots += k->digit[a->reg].extent.n;
  }
  return woven && !stays_in_values(k) ? slots : 0;
}

/* How a pass's rows leave: 0 as they came, 1 turned, 2 turned on both sides, as many values again. */
static int turned_sides(const fg_program *p, const fg_stage *s) {
  bool in = s->load.move == FG_MOVE_TRANSPOSE, out = s->store.move == FG_MOVE_TRANSPOSE;
  if (in) return out && p->buffer[s->load.buffer].elem == p->buffer[s->store.buffer].elem ? 2 : 0;
  return out;
}

/* What a codelet takes besides its operations and moves, `both`: spills, most where rows wait for each other. */
static int64_t beside_price(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes, int64_t both) {
  int turned = turned_sides(p, s);
  bool soon = turns_early(p, k, s, lanes) || fetches_rows(p, k, s, lanes);
  int64_t halves = turned == 2 ? 6 : !turned ? 2 : soon ? 3 : 4, more = 0;
  if (lanes > 1 && turned == 1 && s->codelet->nout / 2 > lanes) more += both * prices_of(p, false)->wide_rows / 32;
  more += halves * spill_price(p, s->codelet, fg_stage_products(s)) / 2 + code_price(arithmetic_price(s->codelet) / 16);
  more += (turned ? 12 : 1) * constants_price(s->codelet, lanes);
  if (fg_stage_is_clipped(k, s) && vector_bytes(p, k, s) >= WIDE) more += prices_of(p, false)->across * s->codelet->nin;
  if (is_busy(p, k, s)) more += THIRD_READ * s->codelet->count.fma;
  return more;
}

static int64_t stage_price(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int lanes = fg_stage_lanes(k, s);
  if (s->packed && s->codelet) return packed_stage_price(p, k, s, lanes);
  int64_t vectors = max64(1, elements_of(p, k, s) / lanes);
  int64_t moves = move_price(p, k, s, &s->load, lanes) + move_price(p, k, s, &s->store, lanes);
  if (s->has_twiddle) moves += move_price(p, k, s, &s->twiddle, lanes);
  if (s->has_more) moves += move_price(p, k, s, &s->more, lanes);
  int64_t arithmetic = s->codelet ? arithmetic_price(s->codelet) + PRODUCT * fg_stage_products(s) : 0;
  int64_t both = max64(moves, arithmetic) + min64(moves, arithmetic) / 2;
  if (lanes > 1 && vector_bytes(p, k, s) < LEAST_VECTOR)
    both = both * 3 / 2;
  else if (p->lanes > 1 && has_all_units(p, k))
    both = both * 3 / 4;
  if (s->codelet) both += beside_price(p, k, s, lanes, both);
  int64_t saved = vectors * woven_slots(p, k, s) * prices_of(p, false)->woven;
  int64_t work = vectors * both / 2 - saved + reopening_price(p, k, s, vectors * arithmetic / 2);
  int64_t wait = chain_price(p, k, s);
  return pass_price(p, k, s) + (p->lanes > 1 ? work + wait : max64(work, wait));
}

static bool has_threads(const fg_program *p) {
  for (int i = 0; i < p->nkernel; i++)
    if (p->kernel[i]->threads > 1) return true;
  return false;
}

/* ---- what a kernel goes over again and again ------------------------------------- */

typedef struct near {
  int64_t bytes; /* moved to and from its own memory, and from tables */
  int64_t set;   /* size of its own memory */
} near;

static void add_near(const fg_program *p, const fg_access *a, int64_t elements, near *n) {
  const fg_buffer *b = &p->buffer[a->buffer];
  if (b->space == FG_SPACE_LOCAL || b->space == FG_SPACE_TABLE)
    n->bytes += elements * (b->size ? fg_buffer_bytes(b) / b->size : 0);
}

static near near_of(const fg_program *p, const fg_kernel *k) {
  near n = {0};
  bool seen[FG_MAX_BUFFERS] = {false};
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    int64_t count = elements_of(p, k, s);
    add_near(p, &s->load, count * fg_access_slots(k, &s->load), &n);
    add_near(p, &s->store, count * fg_access_slots(k, &s->store), &n);
    if (s->has_twiddle) add_near(p, &s->twiddle, count * k->digit[s->twiddle.reg].extent.n, &n);
    if (s->has_more) add_near(p, &s->more, count * k->digit[s->more.reg].extent.n, &n);
    const fg_buffer *to = &p->buffer[s->store.buffer];
    if (to->space == FG_SPACE_LOCAL && to->alias < 0 && !seen[s->store.buffer]) n.set += fg_buffer_bytes(to);
    seen[s->store.buffer] = true;
  }
  return n;
}

/* More of a turn's rows than a set holds, `ways`, lie in the same sets. */
static bool crowds_sets(const fg_kernel *k, const fg_access *a, int64_t bytes, int64_t ways) {
  int64_t slots = k->digit[a->reg].extent.n, apart = 0;
  for (int t = 0; t < a->index.at.nterm; t++)
    if (a->index.at.term[t].digit == a->reg && a->index.at.term[t].coef.form == FG_NUM_CONST)
      apart = a->index.at.term[t].coef.n * bytes;
  return apart && slots * fg_gcd(apart, PAGE) > ways * PAGE;
}

enum { LOOKED_UP = 256 << 10 };

/* Whether passes in place save all that storing elsewhere would cost: few of them, where both arrays and as large a
 * workspace, which other plans have, are more pages than the first level of the TLB has. */
static bool saves_all(const fg_program *p, const fg_kernel *k) {
  int64_t bytes = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  return !p->problem.in_place && k->nstage <= FEW_PASSES && bytes > LOOKED_UP;
}

/* Bytes more than those that move: parts far apart meet in the cache's sets, and hold
 * two streams in place of one; so do rows far apart, in complex passes behind the first. What is written where it was
 * read is there already. */
static int64_t detours(const fg_program *p, const fg_kernel *k) {
  int64_t bytes = 0;
  int64_t apart = prices_of(p, false)->apart;
  int64_t ways = caches_of(p)->ways;
  bool complex = p->problem.kind == FG_C2C, all = saves_all(p, k);
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    const fg_access *side[] = {&s->load, &s->store};
    int64_t moved[2];
    for (int j = 0; j < 2; j++) {
      const fg_buffer *b = &p->buffer[side[j]->buffer];
      moved[j] = b->size ? elements_of(p, k, s) * fg_access_slots(k, side[j]) * (fg_buffer_bytes(b) / b->size) : 0;
      if (b->space == FG_SPACE_LOCAL && b->layout == FG_LAYOUT_SPLIT) bytes += moved[j] / 4 * apart;
      if (complex && i && b->size && crowds_sets(k, side[j], fg_buffer_bytes(b) / b->size, ways))
        bytes += moved[j] * caches_of(p)->crowd;
    }
    if (i && fg_buffer_root(p, s->load.buffer) == fg_buffer_root(p, s->store.buffer))
      bytes -= all ? moved[1] : moved[1] / 2;
  }
  return bytes;
}

/* Operations from which on the next vector's loads do not begin before this one's end. */
enum { LONG_CODELET = 300, EIGHT_WAYS = 8 };

static int64_t waited_for(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  const fg_buffer *b = &p->buffer[a->buffer];
  if (!s->codelet || arithmetic_price(s->codelet) <= 16 * LONG_CODELET) return 0;
  if (b->space != FG_SPACE_INPUT && b->space != FG_SPACE_OUTPUT) return 0;
  return elements_of(p, k, s) * fg_access_slots(k, a) * (b->size ? fg_buffer_bytes(b) / b->size : 0);
}

/* Bytes of transforms that follow each other, in the first cache each: where long codelets
 * load them, or where stages are one function store them, memory has pauses. */
static int64_t pauses(const fg_program *p, const fg_kernel *k, const near *n) {
  if (!k->nouter || k->nstage < 2 || p->nkernel > 1 || byte_weight(p, 2 * n->set) > NEAR) return 0;
  const fg_stage *last = &k->stage[k->nstage - 1];
  return waited_for(p, k, k->stage, &k->stage->load) + (stays_in_values(k) ? waited_for(p, k, last, &last->store) : 0);
}

/* Tiles of columns whose parts of rows are many lines long come and go in runs: where the second
 * cache is small, the third is near enough for what such tiles keep beyond it. */
enum { NEAR_THIRD = 4 << 20, BESIDE_SECOND = 8 };

static int64_t set_weight(const fg_program *p, const near *n) {
  int64_t weight = byte_weight(p, 2 * n->set);
  bool runs = p->problem.rank > 1 && p->lanes > 1 && fg_small_second(p) && 2 * n->set <= NEAR_THIRD;
  return runs ? min64(weight, BESIDE_SECOND) : weight;
}

/* Bytes more of lines of a tile that share a set: they are not fetched ahead, the less the more they are. */
static int64_t crowded(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  const fg_buffer *b = &p->buffer[a->buffer];
  if (b->space == FG_SPACE_LOCAL || !b->size) return 0;
  int64_t slots = fg_access_slots(k, a), each = fg_buffer_bytes(b) / b->size, beside = slots / EIGHT_WAYS - 1;
  if (beside < 1 || !crowds_sets(k, a, each, EIGHT_WAYS)) return 0;
  return elements_of(p, k, s) * slots * each / 16 * caches_of(p)->gathered * beside;
}

/* The same of a kernel that gathers columns, passes over them, and scatters rows. Of several dimensions columns come in
 * tiles wide enough that it shows in none of their radices (docs/measured.md). */
static int64_t gathers(const fg_program *p, const fg_kernel *k) {
  const fg_stage *last = &k->stage[k->nstage - 1];
  if (p->nkernel < 2 || k->nstage < 2 || !k->nouter || p->problem.kind != FG_C2C || p->problem.rank > 1) return 0;
  return crowded(p, k, k->stage, &k->stage->load) + crowded(p, k, last, &last->store);
}

/* Kernels that go from tile to tile, or from transform to transform: what they keep
 * meanwhile stays near, however large everything is. */
static int64_t bytes_price(const fg_program *p, const fg_program_cost *counts, int64_t footprint) {
  int64_t far = byte_weight(p, footprint), price = (counts->bytes + counts->local_bytes) / 32 * far;
  for (int i = 0; i < p->nkernel; i++) {
    near n = near_of(p, p->kernel[i]);
    if (far >= caches_of(p)->third) price += pauses(p, p->kernel[i], &n) / 32 * far;
    if (stays_in_values(p->kernel[i])) {
      price -= n.bytes / 32 * far;
      continue;
    }
    price += gathers(p, p->kernel[i]) / 32 * far;
    if (!p->kernel[i]->nouter) {
      int64_t within = stays_within(p, p->kernel[i]);
      int64_t level = within <= STAYING ? min64(byte_weight(p, within), SECOND) : byte_weight(p, within);
      int64_t again = level < caches_of(p)->third ? min64(far, level) : far;
      price -= n.bytes / 32 * (far - again);
      price += far > NEAR ? detours(p, p->kernel[i]) / 32 * again : 0;
      continue;
    }
    price -= n.bytes / 32 * (far - min64(far, set_weight(p, &n)));
  }
  return price;
}

int64_t fg_cost_estimate(const fg_program *p, const fg_program_cost *counts) {
  if (has_threads(p)) return fg_cost_threads(p);
  int64_t cost = CALL * p->nkernel;
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) cost += stage_price(p, p->kernel[i], &p->kernel[i]->stage[s]);
  int64_t footprint = counts->scratch_bytes + counts->table_bytes;
  footprint += fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  return cost + bytes_price(p, counts, footprint);
}

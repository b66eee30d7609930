/* What bytes take in the shipped model, by the caches that they are in: those of everything that a call touches, those
 * that a kernel goes over again and again, and those that move more than once since rows meet in a cache's sets.
 * In: a program, its counts, how much it touches. Out: a cost, in the unit of cost.c. */
#include "generator/base/gcd.h"
#include "generator/cost/cost_parts.h"

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

enum { NEAR = 4, SECOND = 8 }; /* weight of bytes in L1, and in L2 */
enum { STAYING = 1 << 20 };    /* bytes of an array that passes stay in as if it was in L2 */

/* Prices that differ by caches: measured with 2 MiB on a Xeon, whose L3 is large and far, with 512 KiB on Zen
 * 3, and with 1 MiB on Zen 4. */
typedef struct cache_costs {
  int64_t first;         /* bytes that are as near as can be: L1, and more where that hides what it lacks */
  int64_t third;         /* weight of bytes in L3 */
  int64_t part;          /* of L2 that arrays have: one of so many */
  int64_t third_most;    /* bytes that it holds of what neighbours leave of it */
  int64_t associativity; /* lines that a set of L1 holds beside others */
  int64_t crowd;         /* how many times the bytes of rows count that are more, */
  int64_t crowd_most;    /* of arrays of so many bytes: L1 would hold them otherwise */
  int64_t jam;           /* the same of rows that no set holds, of any */
  int64_t tiles;         /* weight of what four-step's kernels move, besides: lines of columns are fetched late; */
  int64_t close;         /* the same where three quarters of L2 hold all: passes there wait for little */
  int64_t gathered;  /* sixteenths more of a tile's lines that share a set, for each EIGHT_WAYS of them but the first */
  int64_t columns;   /* the same of several dimensions */
  int64_t scattered; /* eighths of what a first pass loads that are more where its rows meet in sets */
} cache_costs;

static const cache_costs large_l2 = {.first = 40 << 10,
                                     .third = 24,
                                     .part = 2,
                                     .third_most = 10 << 20,
                                     .associativity = 12,
                                     .crowd = 1,
                                     .crowd_most = INT64_MAX,
                                     .jam = 1};
static const cache_costs small_l2 = {.first = 40 << 10,
                                     .third = 20,
                                     .part = 2,
                                     .third_most = 5 << 20,
                                     .associativity = 5,
                                     .crowd = 4,
                                     .crowd_most = INT64_MAX,
                                     .jam = 4,
                                     .gathered = 16};

static const cache_costs near_third = {.first = 34 << 10,
                                       .third = 10,
                                       .part = 1,
                                       .third_most = 10 << 20,
                                       .associativity = 5,
                                       .crowd = 3,
                                       .crowd_most = 40 << 10,
                                       .jam = 8,
                                       .tiles = 4,
                                       .close = 16,
                                       .columns = 8,
                                       .scattered = 20};

static const cache_costs *caches_of(const fg_program *p) {
  if (fg_program_machine(p)->separate_fadd) return &near_third;
  return fg_small_l2(p) ? &small_l2 : &large_l2;
}

/* Bytes of everything that a call touches decide which cache it lives in. */
static int64_t byte_weight(const fg_program *p, int64_t footprint) {
  if (footprint <= caches_of(p)->first) return NEAR;
  if (footprint <= 56 << 10) return 6;
  if (footprint <= fg_l2_bytes(p) / caches_of(p)->part) return SECOND;
  if (footprint <= caches_of(p)->third_most) return caches_of(p)->third;
  if (footprint <= 32 << 20) return 32;
  return 56;
}

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
    int64_t count = fg_cost_elements(p, k, s);
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

/* More of an iteration's rows than a set holds, `ways`, lie in the same sets. */
static bool crowds_sets(const fg_kernel *k, const fg_access *a, int64_t bytes, int64_t associativity) {
  int64_t slots = k->digit[a->reg].extent.n, apart = 0;
  for (int t = 0; t < a->index.at.nterm; t++)
    if (a->index.at.term[t].digit == a->reg && a->index.at.term[t].coef.form == FG_NUM_CONST)
      apart = a->index.at.term[t].coef.n * bytes;
  return apart && slots * fg_gcd(apart, FG_COST_PAGE) > associativity * FG_COST_PAGE;
}

enum { LOOKED_UP = 256 << 10, EIGHT_WAYS = 8 };

/* Whether passes in place save all that storing elsewhere would cost: few of them, where both arrays and as large a
 * workspace, which other plans have, are more pages than the first level of the TLB has. */
static bool saves_all(const fg_program *p, const fg_kernel *k) {
  int64_t bytes = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  return !p->problem.in_place && k->nstage <= FG_COST_FEW_PASSES && bytes > LOOKED_UP;
}

enum { HALF_HELD = 6, STREAMED = 3 }; /* eighths of what sets just hold, of arrays of which half stays, and none */

static int64_t crowd_eighths(const cache_costs *r, int64_t bytes, bool jam) {
  if (jam) return 8 * r->jam;
  if (bytes <= r->crowd_most) return 8 * r->crowd;
  return bytes / 2 <= r->crowd_most ? HALF_HELD : STREAMED;
}

/* Bytes more than those that move: parts far apart meet in the cache's sets, and hold
 * two streams in place of one; so do rows far apart, in complex passes behind the first. What is written where it was
 * read is there already. */
static int64_t detours(const fg_program *p, const fg_kernel *k) {
  int64_t bytes = 0;
  int64_t apart = fg_cost_separate(p);
  int64_t associativity = caches_of(p)->associativity;
  bool complex = p->problem.kind == FG_C2C, all = saves_all(p, k);
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    const fg_access *side[] = {&s->load, &s->store};
    int64_t moved[2];
    for (int j = 0; j < 2; j++) {
      const fg_buffer *b = &p->buffer[side[j]->buffer];
      moved[j] = b->size ? fg_cost_elements(p, k, s) * fg_access_slots(k, side[j]) * (fg_buffer_bytes(b) / b->size) : 0;
      if (b->space == FG_SPACE_LOCAL && b->layout == FG_LAYOUT_SPLIT) bytes += moved[j] / 4 * apart;
      bool crowd =
          complex && b->size && crowds_sets(k, side[j], fg_buffer_bytes(b) / b->size, i ? associativity : EIGHT_WAYS);
      bool jam = crowd && crowds_sets(k, side[j], fg_buffer_bytes(b) / b->size, EIGHT_WAYS);
      if (crowd && i) bytes += moved[j] / 8 * crowd_eighths(caches_of(p), fg_buffer_bytes(b), jam);
      if (crowd && !i && !j) bytes += moved[j] / 8 * caches_of(p)->scattered;
    }
    if (i && fg_buffer_root(p, s->load.buffer) == fg_buffer_root(p, s->store.buffer))
      bytes -= all ? moved[1] : moved[1] / 2;
  }
  return bytes;
}

enum { LONG_CODELET = 300 }; /* operations from which on the next vector's loads do not begin before this one's end */

static int64_t waited_for(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  const fg_buffer *b = &p->buffer[a->buffer];
  if (!s->codelet || fg_cost_arithmetic(s->codelet) <= 16 * LONG_CODELET) return 0;
  if (b->space != FG_SPACE_INPUT && b->space != FG_SPACE_OUTPUT) return 0;
  return fg_cost_elements(p, k, s) * fg_access_slots(k, a) * (b->size ? fg_buffer_bytes(b) / b->size : 0);
}

/* Bytes of transforms that follow each other, in L1 each: where long codelets
 * load them, or where stages are one function store them, memory has pauses. */
static int64_t pauses(const fg_program *p, const fg_kernel *k, const near *n) {
  if (!k->nouter || k->nstage < 2 || p->nkernel > 1 || byte_weight(p, 2 * n->set) > NEAR) return 0;
  const fg_stage *last = &k->stage[k->nstage - 1];
  return waited_for(p, k, k->stage, &k->stage->load) +
         (fg_cost_stays_in_values(k) ? waited_for(p, k, last, &last->store) : 0);
}

/* Tiles of columns whose parts of rows are many lines long come and go in runs: where the second
 * cache is small, the third is near enough for what such tiles keep beyond it. */
enum { NEAR_THIRD = 4 << 20, BESIDE_SECOND = 8 };

static int64_t set_weight(const fg_program *p, const near *n) {
  int64_t weight = byte_weight(p, 2 * n->set);
  bool runs = p->problem.rank > 1 && p->lanes > 1 && fg_small_l2(p) && 2 * n->set <= NEAR_THIRD;
  return runs ? min64(weight, BESIDE_SECOND) : weight;
}

/* Bytes more of lines of a tile that share a set: they are not fetched ahead, the less the more they are. */
static int64_t crowded(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  const fg_buffer *b = &p->buffer[a->buffer];
  if (b->space == FG_SPACE_LOCAL || !b->size) return 0;
  int64_t slots = fg_access_slots(k, a), each = fg_buffer_bytes(b) / b->size, beside = slots / EIGHT_WAYS - 1;
  if (beside < 1 || !crowds_sets(k, a, each, EIGHT_WAYS)) return 0;
  int64_t more = p->problem.rank > 1 ? caches_of(p)->columns : caches_of(p)->gathered;
  return fg_cost_elements(p, k, s) * slots * each / 16 * more * beside;
}

/* A kernel of four-step: it gathers columns, passes over them, and scatters rows. */
static bool is_of_columns(const fg_program *p, const fg_kernel *k) {
  return p->nkernel > 1 && k->nouter && p->problem.kind == FG_C2C && p->problem.rank <= 1;
}

/* The same of four-step's kernels and those of several dimensions. With 512 KiB of L2 columns of the latter
 * come in tiles wide enough that it shows in none of their radices, with 1 MiB it does (docs/lab/cpu-memory.md). */
static int64_t gathers(const fg_program *p, const fg_kernel *k) {
  const fg_stage *last = &k->stage[k->nstage - 1];
  bool dimensions = p->problem.rank > 1 && k->nouter;
  if (k->nstage < 2 || (!is_of_columns(p, k) && !dimensions)) return 0;
  return crowded(p, k, k->stage, &k->stage->load) + crowded(p, k, last, &last->store);
}

static int64_t tiles_weight(const fg_program *p, int64_t footprint) {
  return footprint <= fg_l2_bytes(p) / 4 * 3 ? caches_of(p)->close : caches_of(p)->tiles;
}

/* Kernels that go from tile to tile, or from transform to transform: what they keep
 * meanwhile stays near, however large everything is. */
int64_t fg_cost_bytes(const fg_program *p, const fg_program_cost *counts, int64_t footprint) {
  int64_t far = byte_weight(p, footprint), cost = (counts->bytes + counts->local_bytes) / 32 * far;
  if (is_of_columns(p, p->kernel[0])) cost += counts->bytes / 32 * tiles_weight(p, footprint);
  for (int i = 0; i < p->nkernel; i++) {
    near n = near_of(p, p->kernel[i]);
    if (far >= caches_of(p)->third) cost += pauses(p, p->kernel[i], &n) / 32 * far;
    if (fg_cost_stays_in_values(p->kernel[i])) {
      cost -= n.bytes / 32 * far;
      continue;
    }
    cost += gathers(p, p->kernel[i]) / 32 * far;
    if (!p->kernel[i]->nouter) {
      int64_t within = fg_cost_stays_within(p, p->kernel[i]);
      int64_t level = within <= STAYING ? min64(byte_weight(p, within), SECOND) : byte_weight(p, within);
      int64_t again = level < caches_of(p)->third ? min64(far, level) : far;
      cost -= n.bytes / 32 * (far - again);
      cost += far > NEAR ? detours(p, p->kernel[i]) / 32 * again : 0;
      continue;
    }
    cost -= n.bytes / 32 * (far - min64(far, set_weight(p, &n)));
  }
  return cost;
}

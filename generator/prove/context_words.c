/* The functions that threads of contexts.c call: barriers of clusters, mbarriers, stores to other blocks, numbers of
 * other lanes, counters, bulk copies. In: a call of the translated text. Out: its effect on memory and on waiting
 * threads.
 *
 * The idea: an adversarial order. A thread that arrives at the cluster's barrier yields, so that others store to its
 * block between arriving and waiting. A bulk copy overwrites its destination with invalid numbers when it begins,
 * and delivers its data when a thread waits for it. The source of an outgoing copy must be unchanged when the copy
 * completes. Addresses of other blocks' memory are in bytes, as in the text. */
#include "generator/prove/contexts_parts.h"
#include "targets/machine/simt.h"
#include <stdint.h>
#include <string.h>

#define NOTHING (FG_TEXT_OUTSIDE | UINT64_C(0x6e6f6e65))
#define COMING (FG_TEXT_OUTSIDE | UINT64_C(0x636f6d65))
#define MARK (FG_TEXT_OUTSIDE | UINT64_C(0x6d62617272696572))

enum { MBARRIER = 8, MBARRIER_ROOM = 16 }; /* bytes */

static fg_context_block *own_block(fg_contexts *m) { return &m->block[m->now->slot]; }

static bool is_shared(const fg_contexts *m, const fg_gf *p, int64_t count) {
  int64_t at = p - m->local;
  return at >= 0 && at + count <= m->o.numbers;
}

/* ---- lanes ------------------------------------------------------------------------------------ */

static const fg_context_thread *lane_of(const fg_contexts *m, const fg_context_thread *t, int lane) {
  return &m->all[t->slot * m->threads + t->thread / FG_WARP * FG_WARP + lane];
}

/* All lanes of its warp have given as often as it. */
bool fg_contexts_has_warp(const fg_contexts *m, const fg_context_thread *t) {
  for (int lane = 0; lane < FG_WARP && t->thread / FG_WARP * FG_WARP + lane < m->threads; lane++)
    if (lane_of(m, t, lane)->gifts < t->until) return false;
  return true;
}

/* Two gifts are kept: a lane may give the next one before another has taken this one. */
static fg_gf from_lane(fg_gf x, long long bits) {
  fg_contexts *m = fg_contexts_running();
  fg_context_thread *t = m->now;
  int lane = t->thread % FG_WARP ^ (int)bits, kept = (int)(t->gifts % 2);
  if (bits < 1 || bits >= FG_WARP || t->thread / FG_WARP * FG_WARP + lane >= m->threads)
    fg_contexts_fail("a number of a lane that is not there");
  t->given[kept] = x, t->given_to[kept] = (int)bits, t->gifts++, m->steps++;
  fg_contexts_wait(FG_WAITS_WARP, t->gifts, NULL);
  const fg_context_thread *from = lane_of(m, t, lane);
  if (from->given_to[kept] != bits) fg_contexts_fail("lanes of a warp that give their numbers to others");
  return from->given[kept];
}

typedef struct sides {
  fg_gf at[FG_MATRIX_OPERANDS][16][16];
} sides;

/* Where each element of each lane is, by the shape's digits. */
static void find_places(fg_contexts *m, const fg_matrix_shape *s, int shape) {
  static const char axes[FG_MATRIX_OPERANDS][3] = {"mk", "kn", "mn"};
  for (int of = 0; of < FG_MATRIX_OPERANDS; of++)
    for (int lane = 0; lane < FG_WARP; lane++)
      for (int e = 0; e < fg_matrix_elements(s, (fg_matrix_operand)of); e++)
        for (int axis = 0; axis < 2; axis++)
          m->place[of][lane][e][axis] =
              (unsigned char)fg_matrix_index(s, (fg_matrix_operand)of, axes[of][axis], lane, e);
  m->placed = 1 + shape;
}

/* Sums of a warp's product, from the factors and sums of all lanes. */
static void multiply(fg_contexts *m, const fg_context_thread *t, const fg_matrix_shape *s, int kept) {
  const fg_field *f = m->o.field;
  sides x;
  for (int of = 0; of < FG_MATRIX_OPERANDS; of++)
    for (int e = 0, elements = fg_matrix_elements(s, (fg_matrix_operand)of); e < elements; e++)
      for (int lane = 0; lane < FG_WARP; lane++) {
        const unsigned char *at = m->place[of][lane][e];
        x.at[of][at[0]][at[1]] = lane_of(m, t, lane)->fragment[kept][of][e];
      }
  for (int row = 0; row < s->m; row++)
    for (int column = 0; column < s->n; column++) {
      fg_gf sum = x.at[FG_MATRIX_C][row][column];
      for (int k = 0; k < s->k; k++)
        sum = fg_gf_add(f, fg_gf_mul(f, x.at[FG_MATRIX_A][row][k], x.at[FG_MATRIX_B][k][column]), sum);
      m->product[row][column] = sum;
    }
  m->product_of = lane_of(m, t, 0), m->product_number = t->gifts;
}

static void *matrix_product(long long shape, const fg_gf *a, const fg_gf *b, const fg_gf *c) {
  fg_contexts *m = fg_contexts_running();
  fg_context_thread *t = m->now;
  const fg_matrix_shape *s = fg_matrix_find((fg_matrix)shape);
  const fg_gf *const given[] = {a, b, c};
  int kept = (int)(t->gifts % 2), elements[FG_MATRIX_OPERANDS];
  if (t->thread / FG_WARP * FG_WARP + FG_WARP > m->threads) fg_contexts_fail("a product of less than a warp");
  if (m->placed != 1 + shape) find_places(m, s, (int)shape);
  for (int of = 0; of < FG_MATRIX_OPERANDS; of++) elements[of] = fg_matrix_elements(s, (fg_matrix_operand)of);
  for (int of = 0; of < FG_MATRIX_OPERANDS; of++)
    for (int e = 0; e < elements[of]; e++) {
      t->fragment[kept][of][e] = given[of][e];
      if (given[of][e] & FG_TEXT_OUTSIDE) fg_contexts_fail("a product of what is outside of all arrays");
    }
  t->given_to[kept] = -1 - (int)shape, t->gifts++, m->steps++;
  fg_contexts_wait(FG_WAITS_WARP, t->gifts, NULL);
  for (int lane = 0; lane < FG_WARP; lane++)
    if (lane_of(m, t, lane)->given_to[kept] != t->given_to[kept]) fg_contexts_fail("lanes that compute other products");
  if (m->product_of != lane_of(m, t, 0) || m->product_number != t->gifts) multiply(m, t, s, kept);
  for (int e = 0; e < elements[FG_MATRIX_C]; e++) {
    const unsigned char *at = m->place[FG_MATRIX_C][t->thread % FG_WARP][e];
    t->sum[e] = m->product[at[0]][at[1]];
  }
  return t->sum;
}

/* ---- mbarriers ----------------------------------------------------------------------------- */

static fg_mbarrier *find(fg_contexts *m, const fg_gf *at) {
  for (int i = 0; i < FG_CONTEXT_MBARRIERS; i++)
    if (m->mbarrier[i].at == at && at) {
      for (int j = 0; j < MBARRIER / m->o.least_bytes; j++)
        if (at[j] != MARK) fg_contexts_fail("a store to an mbarrier");
      return &m->mbarrier[i];
    }
  fg_contexts_fail("an mbarrier that is not initialised");
  return NULL;
}

static fg_mbarrier *make(fg_contexts *m, const void *at, int threads) {
  fg_gf *place = m->local + ((const fg_gf *)at - m->local);
  int64_t bytes = (place - m->local) * m->o.least_bytes;
  if (!is_shared(m, place, MBARRIER_ROOM / m->o.least_bytes)) fg_contexts_fail("an mbarrier outside of shared memory");
  if (bytes % MBARRIER) fg_contexts_fail("an mbarrier at a misaligned address");
  for (int i = 0; i < FG_CONTEXT_MBARRIERS; i++) {
    fg_mbarrier *b = &m->mbarrier[i];
    if (b->at && b->at != place) continue;
    *b = (fg_mbarrier){.at = place, .threads = threads};
    for (int j = 0; j < MBARRIER / m->o.least_bytes; j++) place[j] = MARK;
    return b;
  }
  fg_contexts_fail("too many mbarriers");
  return NULL;
}

static void may_end(fg_contexts *m, fg_mbarrier *b) {
  if (b->missing || b->arrived < b->threads) return;
  b->arrived = 0, b->phases++, m->steps++;
}

static void mbarrier_expect(const void *at, long long bytes) {
  fg_contexts *m = fg_contexts_running();
  if (m->now->thread) return;
  fg_mbarrier *b = find(m, at);
  if (b->arrived == b->threads) fg_contexts_fail("an mbarrier that expects bytes twice");
  b->missing += bytes, b->arrived++;
  may_end(m, b);
}

static void mbarrier_init(const void *at, long long bytes) {
  fg_contexts *m = fg_contexts_running();
  if (m->now->thread) return;
  make(m, at, 1);
  mbarrier_expect(at, bytes);
}

/* What others have sent to the block is there: not before, lest a wait that is missing goes unseen. */
static void mbarrier_wait(const void *at, long long parity) {
  fg_contexts *m = fg_contexts_running();
  fg_mbarrier *b = find(m, at);
  fg_contexts_wait(FG_WAITS_MBARRIER, parity, b);
  if (b->received == b->phases) return;
  for (int64_t i = 0; i < m->o.numbers; i++)
    if (m->local[i] == COMING) m->local[i] = m->coming[m->local + i - m->shared];
  b->received = b->phases;
}

/* ---- clusters ------------------------------------------------------------------------------------ */

static void cluster_arrive(void) {
  fg_contexts *m = fg_contexts_running();
  if (m->now->arrived) fg_contexts_fail("a thread arrives twice at its cluster's barrier");
  m->now->arrived = true, m->now->crossed++, m->crossings++, m->steps++;
  fg_contexts_wait(FG_WAITS_CLUSTER, m->now->crossed, NULL);
}

static void cluster_wait(void) {
  fg_contexts *m = fg_contexts_running();
  if (!m->now->arrived) fg_contexts_fail("a thread waits at its cluster's barrier where it has not arrived");
  m->now->arrived = false;
}

static long long map_shared(const void *p, long long block) {
  fg_contexts *m = fg_contexts_running();
  int64_t at = (const fg_gf *)p - m->local;
  if (at < 0 || at >= m->o.numbers) fg_contexts_fail("an address outside of shared memory");
  if (block < 0 || block >= m->cluster) fg_contexts_fail("a block that its cluster does not have");
  int64_t first = m->now->slot / m->cluster * m->cluster;
  return FG_CONTEXT_ADDRESS + (FG_GUARD_LEAST + m->pitch * (first + block) + at) * m->o.least_bytes;
}

/* So many numbers at an address. */
static fg_gf *there(fg_contexts *m, long long address, int64_t count, int *slot) {
  long long bytes = address - FG_CONTEXT_ADDRESS, number = bytes / m->o.least_bytes;
  *slot = (int)(number / m->pitch);
  int64_t at = number % m->pitch - FG_GUARD_LEAST;
  bool inside = bytes >= 0 && *slot < m->together && at >= 0 && at + count <= m->o.numbers;
  if (!inside || bytes % (count * m->o.least_bytes)) fg_contexts_fail("a store to no number of another block");
  return m->shared + number;
}

static long long is_own(long long block) {
  fg_contexts *m = fg_contexts_running();
  return m->now->slot % m->cluster == block;
}

/* What the block sends to itself is there at once, and is not counted; what it sends to others comes at some time
 * before they have waited. Two numbers of so many bytes, which are as long as those that are stored there. */
static void send(long long to, const fg_gf numbers[2], long long mbarrier, long long own, int bytes) {
  fg_contexts *m = fg_contexts_running();
  int slot, of;
  fg_gf *x = there(m, to, 2, &slot);
  if (bytes != m->o.least_bytes) fg_contexts_fail("a store of longer or shorter numbers to another block");
  if (m->now->arrived || !m->now->crossed) fg_contexts_fail("a store to a block without waiting for its arrival");
  if (!m->block[slot].alive) fg_contexts_fail("a store to a block that has ended");
  fg_mbarrier *b = find(m, there(m, mbarrier, 1, &of));
  if (of != slot) fg_contexts_fail("bytes that another block's mbarrier counts");
  if (own != (slot == m->now->slot)) fg_contexts_fail("a store to another block as if it were the own one");
  memcpy(own ? x : m->coming + (x - m->shared), numbers, 2 * sizeof *x);
  if (own) return;
  x[0] = x[1] = COMING;
  b->missing -= 2 * bytes;
  may_end(m, b);
}

static void send_pair(long long to, fg_gf re, fg_gf im, long long mbarrier, long long own) {
  send(to, (fg_gf[]){re, im}, mbarrier, own, fg_contexts_running()->o.real_bytes);
}

/* Of 16 bits each. */
static void send_word(long long to, fg_gf re, fg_gf im, long long mbarrier, long long own) {
  send(to, (fg_gf[]){re, im}, mbarrier, own, 2);
}

/* ---- counters ---------------------------------------------------------------------------------------- */

static int counter_reached(const void *counter, long long count) {
  unsigned now;
  memcpy(&now, counter, sizeof now);
  return now >= (unsigned)count;
}

static void counter_wait(const void *counter, long long count) {
  fg_contexts *m = fg_contexts_running();
  while (!counter_reached(counter, count)) {
    m->now->waits = FG_WAITS_POLLING;
    fg_contexts_give_way();
  }
  m->now->waits = FG_WAITS_NOT;
}

static int counter_take(void *counter, long long by) {
  unsigned now, next;
  memcpy(&now, counter, sizeof now);
  next = now + (unsigned)by;
  memcpy(counter, &next, sizeof next);
  fg_contexts *m = fg_contexts_running();
  own_block(m)->taken = now;
  m->steps++;
  return (int)now;
}

static void counter_add(void *counter) {
  int64_t taken = own_block(fg_contexts_running())->taken;
  counter_take(counter, 1);
  own_block(fg_contexts_running())->taken = taken;
}

/* The line has no value any more. */
static void discard(void *line, int numbers) {
  fg_gf *x = line;
  for (int i = 0; i < numbers; i++) x[i] = NOTHING;
}

/* ---- bulk copies ------------------------------------------------------------------------------------------ */

static int copiers(const fg_contexts *m) { return m->threads < FG_CONTEXT_COPIERS ? m->threads : FG_CONTEXT_COPIERS; }

static void bulk_init(const void *at) {
  fg_contexts *m = fg_contexts_running();
  if (!m->now->thread) make(m, at, copiers(m));
}

static void bulk_invalidate(const void *at) {
  fg_contexts *m = fg_contexts_running();
  if (m->now->thread) return;
  fg_mbarrier *b = find(m, at);
  if (b->from || b->arrived) fg_contexts_fail("an mbarrier that ends before a copy has come");
  b->at = NULL;
}

static int opaque_zero(void) { return 0; }

/* At the same distance from a multiple of 16 bytes as the array's part. */
static void *bulk_destination(void *room, const void *array) {
  fg_contexts *m = fg_contexts_running();
  return (fg_gf *)room + (uintptr_t)array / sizeof(fg_gf) % (uintptr_t)(16 / m->o.least_bytes);
}

/* All threads have ordered what they did to shared memory before what a copy does there. */
static void must_have_fenced(fg_contexts *m) {
  if (own_block(m)->barriers > 1 && !own_block(m)->ordered) fg_contexts_fail("a copy of what is not ordered before it");
}

static void bulk_load(void *room, const void *array, long long number, long long unit, long long all, const void *at) {
  fg_contexts *m = fg_contexts_running();
  if (m->now->thread >= copiers(m)) return;
  fg_mbarrier *b = find(m, at);
  if (b->arrived == b->threads) fg_contexts_fail("a copy before the one before it has come");
  b->arrived++;
  if (m->now->thread) return;
  must_have_fenced(m);
  const fg_gf *from = (const fg_gf *)array + unit * number;
  long long left = all - unit * number;
  b->from = from, b->to = bulk_destination(room, from);
  b->count = left < unit ? left : unit, b->zeros = unit - b->count;
  if (left < 0 || unit < 0 || !is_shared(m, b->to, unit)) fg_contexts_fail("a copy beyond shared memory");
  for (int64_t i = 0; i < unit; i++) b->to[i] = NOTHING;
  b->missing = unit;
}

static void bulk_wait(const void *at, long long phase) {
  fg_contexts *m = fg_contexts_running();
  fg_mbarrier *b = find(m, at);
  while ((b->phases & 1) == phase) {
    if (b->from && b->arrived == b->threads) {
      memcpy(b->to, b->from, sizeof *b->to * (size_t)b->count);
      memset(b->to + b->count, 0, sizeof *b->to * (size_t)b->zeros);
      b->from = NULL, b->missing = 0;
      may_end(m, b);
      continue;
    }
    m->now->waits = FG_WAITS_POLLING;
    fg_contexts_give_way();
  }
  m->now->waits = FG_WAITS_NOT;
}

/* Of an array's part alone: it is read, and nothing comes of it. */
static void ask_l2(const void *part, long long count) {
  const volatile fg_gf *from = part;
  if (count < 1) fg_contexts_fail("nothing that L2 is asked for");
  (void)from[0], (void)from[count - 1];
}

static void async_fence(void) { own_block(fg_contexts_running())->fenced++; }

static void bulk_store(const void *room, void *array, long long number, long long unit, long long all) {
  fg_contexts *m = fg_contexts_running();
  fg_context_block *b = own_block(m);
  if (m->now->thread) return;
  must_have_fenced(m);
  long long left = all - unit * number;
  b->leaves = room, b->sent = (fg_gf *)array + unit * number, b->leaving = left < unit ? left : unit;
  if (left < 0 || unit < 0 || !is_shared(m, b->leaves, b->leaving)) fg_contexts_fail("a copy beyond shared memory");
  memcpy(b->sent, b->leaves, sizeof *b->sent * (size_t)b->leaving);
}

static void bulk_drain(void) {
  fg_contexts *m = fg_contexts_running();
  fg_context_block *b = own_block(m);
  if (m->now->thread || !b->leaves) return;
  if (memcmp(b->leaves, b->sent, sizeof *b->sent * (size_t)b->leaving) != 0)
    fg_contexts_fail("a store to what a copy takes away");
  b->leaves = NULL;
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

const char *fg_contexts_left(const fg_contexts *m) {
  for (int i = 0; i < m->together; i++)
    if (m->block[i].leaves) return "a copy on its way when a block ends";
  for (int i = 0; i < FG_CONTEXT_MBARRIERS; i++)
    if (m->mbarrier[i].at && m->mbarrier[i].from) return "a copy on its way when a block ends";
  for (int i = 0; i < FG_CONTEXT_MBARRIERS; i++)
    if (m->mbarrier[i].at && m->mbarrier[i].missing) return "bytes on their way when a block ends";
  return NULL;
}

/* ISO C has no conversion between pointers to functions and to objects. */
static fg_tcc_symbol named(const char *name, void (*f)(void)) {
  fg_tcc_symbol s = {.name = name};
  memcpy(&s.address, &f, sizeof f);
  return s;
}

#define WORD(name) named("fg_" #name, (void (*)(void))name)

int fg_contexts_words(fg_tcc_symbol *symbol) {
  const fg_tcc_symbol all[] = {
      WORD(from_lane),     WORD(matrix_product), WORD(cluster_arrive),  WORD(cluster_wait),  WORD(map_shared),
      WORD(is_own),        WORD(send_pair),      WORD(send_word),       WORD(mbarrier_init), WORD(mbarrier_expect),
      WORD(mbarrier_wait), WORD(counter_wait),   WORD(counter_reached), WORD(counter_add),   WORD(counter_take),
      WORD(discard),       WORD(bulk_init),      WORD(bulk_invalidate), WORD(opaque_zero),   WORD(bulk_destination),
      WORD(bulk_load),     WORD(async_fence),    WORD(bulk_store),      WORD(bulk_wait),     WORD(bulk_drain),
      WORD(ask_l2)};
  memcpy(symbol, all, sizeof all);
  return (int)(sizeof all / sizeof *all);
}

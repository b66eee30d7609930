/* Races: access sets per synchronisation epoch.
 *
 * In: every load and store, in the order of the walk. Out: the number of conflicts with another actor's access to
 * the same cell in the same epoch. The idea: for each cell it suffices to remember, for the present epoch, the one
 * writer and the one reader (or that there were several). Whatever the true order, two accesses conflict if their
 * actors differ and one of them writes, and the later of the two in the walk sees the earlier one.
 *
 * Actors are threads of a block between barriers, and, for memory that blocks share, blocks of one launch. If
 * several threads may divide a CPU's loop, each of its iterations is an actor, since they may be divided in any way.
 *
 * Blocks of a cluster store to each other's shared memory asynchronously. Such a store must follow the owner's
 * arrival at a barrier that the sender waited for, by which the owner's earlier accesses have completed; and a
 * thread that uses the cell later must have waited for the data. For each cell it suffices to remember how many
 * arrivals and how many waits for data preceded the last access. Barriers of a block order none of this, and a
 * cluster's barrier orders no threads. */
#include "generator/prove/races.h"
#include "generator/prove/pages.h"
#include "targets/machine/simt.h"

/* ---- bulk copies ------------------------------------------------------------------------- */

static bool flight_race(fg_vm *m, const fg_ram *memory, const char *what) {
  char where[128];
  m->proof->races++;
  fg_prove_where(m, where);
  return fg_prove_fail(m, "%s%s %s", where, what, m->p->buffer[memory->root].name);
}

/* The engine's use of a place of shared memory: threads must be done with it. It
 * leaves no note there: until it is waited for, all of that memory is its own. */
static bool touch_by_engine(fg_vm *m, const fg_ram *memory, const fg_touch *t, bool store) {
  if (!t || (t->writer == FG_NOBODY && (!store || t->reader == FG_NOBODY))) return true;
  return flight_race(m, memory,
                     store ? "a bulk copy stores to what threads use before the next barrier, in"
                           : "a bulk copy reads what threads store before the next barrier, in");
}

static bool touch_in_flight(fg_vm *m, const fg_ram *memory, bool store) {
  if (memory->flight == FG_FLIGHT_COMES)
    return flight_race(m, memory,
                       store ? "a thread stores to what a bulk copy may still be storing to, in"
                             : "a thread reads what a bulk copy may still be bringing, in");
  if (!memory->flight || !store) return true;
  return flight_race(m, memory, "a thread stores to what a bulk copy may still be reading, in");
}

static fg_ram *memory_of(fg_vm *m, bool last, const fg_kernel *k) {
  const fg_stage *s = &k->stage[last ? k->nstage - 1 : 0];
  return &m->memory[m->memory_of[last ? s->load.buffer : s->store.buffer]];
}

bool fg_race_bulk(fg_vm *m, fg_bulk b, int64_t block) {
  const fg_kernel *k = m->p->kernel[m->kernel];
  fg_ram *memory = memory_of(m, b == FG_BULK_LEAVE || b == FG_BULK_DRAINED, k);
  bool good = true;
  if (b == FG_BULK_FETCH || b == FG_BULK_FETCHED) m->block = (uint32_t)block;
  if (b == FG_BULK_FETCH && memory->flight) good = flight_race(m, memory, "a bulk copy meets another one in");
  if (b == FG_BULK_COME && memory->flight != FG_FLIGHT_COMES)
    good = flight_race(m, memory, "all wait for a bulk copy that was not begun, to");
  if (b == FG_BULK_LEAVE && memory->flight) good = flight_race(m, memory, "a bulk copy meets another one in");
  static const fg_flight then[] = {
      [FG_BULK_FETCHED] = FG_FLIGHT_COMES, [FG_BULK_LEAVE] = FG_FLIGHT_LEAVES, [FG_BULK_DRAINED] = FG_FLIGHT_DRAINED};
  memory->flight = then[b];
  return good;
}

/* ---- registers ----------------------------------------------------------------------------- */

/* A thread's own; of other lanes of its warp those that it is given. */
static bool touch_registers(fg_vm *m, const fg_ram *memory, int64_t place, uint32_t thread, bool store) {
  int64_t owner = place / 2 / memory->each;
  bool given = fg_exchange_is_shuffle(&m->p->kernel[m->kernel]->stage[m->stage].exchange.before);
  if (owner == thread || (!store && given && owner / FG_WARP == thread / FG_WARP)) return true;
  char where[128];
  fg_prove_where(m, where);
  m->proof->races++;
  return fg_prove_fail(m, "%sthread %u %s thread %lld's registers of %s", where, thread,
                       store ? "stores to" : "loads from", (long long)owner, m->p->buffer[memory->root].name);
}

void fg_race_sync(fg_vm *m) {
  m->epoch++;
  fg_ram_forget(&m->notes);
  for (int b = 0; b < m->p->nbuffer; b++)
    if (m->memory[b].flight == FG_FLIGHT_DRAINED) m->memory[b].flight = FG_FLIGHT_NONE;
}

bool fg_race_touch(fg_vm *m, const fg_ram *memory, int64_t place, uint32_t thread, bool store) {
  const char *verb = store ? "stores to" : "loads from";
  char where[128];
  if (memory->each) return touch_registers(m, memory, place, thread, store);
  if (!memory->mixed && place % 2) return true; /* imaginary parts are recorded with real ones */
  int64_t at = fg_touch_number(memory, place);
  fg_touch *of_thread = memory->near_thread ? fg_touch_by_thread(m, memory->near_thread, at) : NULL;
  fg_touch *of_block = memory->near_others;
  if (thread == FG_ENGINE && memory->local) return touch_by_engine(m, memory, of_thread, store);
  if (memory->flight && !touch_in_flight(m, memory, store)) return false;
  if (of_thread && fg_touch_conflicts(of_thread, thread, store)) {
    m->proof->races++;
    fg_prove_where(m, where);
    const char *who = m->threads ? "thread" : "part";
    if (!fg_prove_fail(m, "%s%s %u %s %s, which another %s uses before the next barrier", where, who, thread, verb,
                       m->p->buffer[memory->root].name, who))
      return false;
  }
  if (of_block && fg_block_conflicts(m, &of_block[at], store)) {
    m->proof->block_conflicts++;
    bool parts = m->p->kernel[m->kernel]->vectors.part > 0;
    if (!m->threads && !parts && !m->p->vectors.side_by_side) return true; /* one after the other: an order, no race */
    m->proof->races++;
    fg_prove_where(m, where);
    return fg_prove_fail(m, "%s%s %u %s %s, which another %s uses", where, parts ? "part" : "block", m->block, verb,
                         m->p->buffer[memory->root].name, parts ? "part" : "block");
  }
  return true;
}

/* ---- clusters -------------------------------------------------------------------------- */

static bool race_at(fg_vm *m, const fg_ram *memory, const char *what) {
  char where[128];
  m->proof->races++;
  fg_prove_where(m, where);
  return fg_prove_fail(m, "%sblock %d of the cluster %s %s", where, m->rank, what, m->p->buffer[memory->root].name);
}

bool fg_race_join(fg_vm *m, const fg_ram *memory, fg_page *page, int64_t place, bool store, bool by_cluster) {
  fg_cluster_use *t = &page->cluster[place % FG_PAGE];
  int owner = (int)(place / 2 / memory->part);
  bool good = true;
  if (t->sent && t->sent > m->data)
    good = race_at(m, memory,
                   store ? "stores to what may still be on its way in" : "loads what may not have come yet from");
  else if (by_cluster && m->waits == m->begun)
    good = race_at(m, memory, "stores, before its owner needs to have begun, to");
  else if (by_cluster && t->used > m->waits)
    good = race_at(m, memory, "stores, before its owner needs to be done with it, to");
  else if (!by_cluster && owner != m->rank)
    good = race_at(m, memory, store ? "stores at once to another's part of" : "loads another's part of");
  t->used = m->arrivals + 1;
  if (!by_cluster) return good;
  t->sent = m->data + 1;
  if (place % 2 == 0) m->sent++, m->received[owner]++;
  return good;
}

/* A block waits for as much as it sends: what kernels say they expect. */
static bool all_received(fg_vm *m) {
  for (int i = 0; i < m->ranks; i++)
    if (m->received[i] * m->ranks != m->sent) {
      char where[128];
      fg_prove_where(m, where);
      m->proof->races++;
      return fg_prove_fail(m, "%sblock %d of the cluster gets %lld elements and waits for %lld", where, i,
                           (long long)m->received[i], (long long)(m->sent / m->ranks));
    }
  return true;
}

/* Who arrives twice, or waits without that, leaves all others waiting. */
static bool in_iterations(fg_vm *m, fg_crossing c) {
  char where[128];
  bool arrived = m->arrivals != m->waits;
  if (c == FG_CROSSING_DATA || arrived == (c == FG_CROSSING_WAIT)) return true;
  fg_prove_where(m, where);
  m->proof->races++;
  return fg_prove_fail(m, "%sthe blocks of a cluster %s", where,
                       arrived ? "arrive at their barrier again before they have waited there"
                               : "wait at their barrier without having arrived");
}

bool fg_race_cross(fg_vm *m, fg_crossing c) {
  bool good = true;
  if (!in_iterations(m, c)) return false;
  if (c == FG_CROSSING_ARRIVE) m->arrivals++;
  if (c == FG_CROSSING_WAIT) m->waits = m->arrivals;
  if (c != FG_CROSSING_DATA) return true;
  if (!m->reals) good = all_received(m);
  m->data++;
  m->sent = 0;
  for (int i = 0; i < m->ranks; i++) m->received[i] = 0;
  return good;
}

/* Races: access sets per synchronisation epoch.
 *
 * In: every load and store, in the order of the walk. Out: how many of them
 * conflict with another actor's access to the same place in the same epoch. The
 * idea: per place it is enough to remember, for the present epoch, the one writer
 * and the one reader (or that there were many): whatever the true order, two
 * accesses conflict when their actors differ and one of them writes, and the
 * later of the two in the walk sees the earlier one.
 *
 * Actors are threads of a block between barriers, and, for memory that blocks
 * share, blocks of one launch. */
#include "generator/prove_build.h"

/* True when this access conflicts with an earlier one of another actor. */
static bool meet(fg_touch *t, uint32_t epoch, uint32_t actor, bool store) {
  if (t->epoch != epoch) *t = (fg_touch){epoch, FG_NOBODY, FG_NOBODY};
  bool conflict = t->writer != FG_NOBODY && t->writer != actor;
  if (store) {
    conflict |= t->reader != FG_NOBODY && t->reader != actor;
    t->writer = t->writer == FG_NOBODY || t->writer == actor ? actor : FG_MANY;
  } else {
    t->reader = t->reader == FG_NOBODY || t->reader == actor ? actor : FG_MANY;
  }
  return conflict;
}

bool fg_race_touch(fg_machine *m, const fg_ram *memory, fg_page *page, int64_t place, uint32_t thread, bool store) {
  const char *verb = store ? "stores to" : "loads from";
  char where[128];
  if (!memory->mixed && place % 2) return true; /* imaginary parts go with real ones */
  if (page->thread && meet(&page->thread[place % FG_PAGE], m->epoch, thread, store)) {
    m->proof->races++;
    fg_prove_where(m, where);
    if (!fg_prove_fail(m, "%sthread %u %s %s, which another thread uses before the next barrier", where, thread, verb,
                       m->p->buffer[memory->root].name))
      return false;
  }
  if (page->others && meet(&page->others[place % FG_PAGE], m->launch, m->block, store)) {
    m->proof->block_conflicts++;
    if (!m->threads) return true; /* one after the other: an order, no race */
    m->proof->races++;
    fg_prove_where(m, where);
    return fg_prove_fail(m, "%sblock %u %s %s, which another block uses", where, m->block, verb,
                         m->p->buffer[memory->root].name);
  }
  return true;
}

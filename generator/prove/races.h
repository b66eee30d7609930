/* Records of the accesses to a cell: conflicts among threads, blocks, items of a queue and bulk copies. */
#ifndef FG_PROVE_RACES_H
#define FG_PROVE_RACES_H
#include "generator/prove/vm.h"
#include <string.h>

/* True when this access conflicts with an earlier one of another actor. Asked again, it
 * says so again. */
static inline bool fg_touch_conflicts(fg_touch *t, uint32_t actor, bool store) {
  bool conflict = t->writer != FG_NOBODY && t->writer != actor;
  if (store) {
    conflict |= t->reader != FG_NOBODY && t->reader != actor;
    t->writer = t->writer == FG_NOBODY || t->writer == actor ? actor : FG_MANY;
  } else {
    t->reader = t->reader == FG_NOBODY || t->reader == actor ? actor : FG_MANY;
  }
  return conflict;
}

/* persistent.c: the same for the items of a queue: an item conflicts with those that it did not wait for. */
bool fg_prove_queue_meets(const fg_vm *m, fg_touch *t, bool store);

/* Of threads, in the present epoch. */
static inline fg_touch *fg_touch_by_thread(const fg_vm *m, fg_notes *n, int64_t at) {
  int64_t group = at / FG_GROUP;
  if (n->epoch[group] != m->epoch) {
    memset(n->at + group * FG_GROUP, 0xff, sizeof(fg_touch) * FG_GROUP);
    n->epoch[group] = m->epoch;
  }
  return &n->at[at];
}

/* shares.c: the same for blocks, where several threads ask. */
bool fg_shares_meet(const fg_vm *m, fg_touch *t, bool store);

/* The same for blocks of a launch, or items. */
static inline bool fg_block_conflicts(const fg_vm *m, fg_touch *t, bool store) {
  if (m->share) return fg_shares_meet(m, t, store);
  return m->transforms ? fg_prove_queue_meets(m, t, store) : fg_touch_conflicts(t, m->block, store);
}

/* Whether a queue has the properties that it declares, for the walk's parameters. */
bool fg_prove_queue_begin(fg_vm *m);
/* Elements of a ring buffer are stored in the part of the item's transform. False: one is not. */
bool fg_prove_queue_round(fg_vm *m, const fg_simd_group *b, const fg_moves *x);

/* Where both parts of an element are neighbours they have one touch. */
static inline int64_t fg_touch_number(const fg_ram *memory, int64_t place) {
  return memory->mixed ? place % FG_PAGE : place % FG_PAGE / 2;
}

/* Notes a load or store of one place, of the page turned to last; counts conflicts. False: the walk must end. */
bool fg_race_touch(fg_vm *m, const fg_ram *memory, int64_t place, uint32_t thread, bool store);
/* The same for places of shared memory that others of its cluster may store to. */
bool fg_race_join(fg_vm *m, const fg_ram *memory, fg_page *page, int64_t place, bool store, bool by_cluster);
/* What a bulk copy does, for number `block`. False: the walk must end. */
bool fg_race_bulk(fg_vm *m, fg_bulk b, int64_t block);
void fg_race_sync(fg_vm *m); /* a barrier of the block's threads */
/* A step of the cluster's barrier. False: the walk must end. */
bool fg_race_cross(fg_vm *m, fg_crossing c);
#endif

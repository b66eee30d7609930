/* Ways of values from block to block. In: a block. Out: one that loads what it stores, or stores what it loads.
 *
 * The idea: what one block moves is put into the sets `now`, which are empty otherwise, and blocks of the nearest
 * kernel are asked for any of it. */
#include "generator/prove/block_paths.h"

static bool is_shared(const fg_block_sample_maker *k, const fg_footprint *x) {
  return !x->table && !fg_block_sample_is_given(k, x->memory);
}

/* What a block stores, or loads, in `now` of each memory, or not any more. */
static void put(fg_block_sample_maker *k, const fg_block_at *at, bool stores, bool value) {
  const fg_footprints *x = &k->s->parts[at->kernel];
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    if (y->store != stores || !is_shared(k, y) || !fg_footprints_has(x, y, at->block)) continue;
    fg_block_sample_put(&k->now[y->memory], y, fg_block_sample_base(k, at->kernel, y, at->block), value);
  }
}

/* A block of the kernel that stores, or loads, any of it; -1: none does. */
static int64_t block_of(const fg_block_sample_maker *k, int kernel, bool stores) {
  const fg_footprints *x = &k->s->parts[kernel];
  for (int64_t b = 0; b < x->number.blocks; b++)
    for (int i = 0; i < x->npart; i++) {
      const fg_footprint *y = &x->part[i];
      if (y->store != stores || !is_shared(k, y) || !fg_footprints_has(x, y, b)) continue;
      if (fg_block_sample_any(&k->now[y->memory], y, fg_block_sample_base(k, kernel, y, b))) return b;
    }
  return -1;
}

bool fg_block_paths_step(fg_block_sample_maker *k, fg_block_at *at, bool on) {
  int64_t found = -1;
  put(k, at, on, true);
  int kernel = at->kernel + (on ? 1 : -1);
  for (; kernel >= 0 && kernel < k->p->nkernel; kernel += on ? 1 : -1) {
    found = block_of(k, kernel, !on);
    if (found >= 0) break;
  }
  put(k, at, on, false);
  if (found >= 0) *at = (fg_block_at){kernel, found};
  return found >= 0;
}

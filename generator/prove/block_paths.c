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

/* Whether the block stores any of it that it has loaded something for, or loads any. */
static bool moves_any(const fg_block_sample_maker *k, const fg_block_at *at, bool stores) {
  const fg_footprints *x = &k->s->parts[at->kernel];
  if (stores && fg_block_sample_stores_zeros(x, fg_block_classes_of(&x->classes, at->block))) return false;
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    if (y->store != stores || !is_shared(k, y) || !fg_footprints_has(x, y, at->block)) continue;
    if (fg_block_sample_any(&k->now[y->memory], y, fg_block_sample_base(k, at->kernel, y, at->block))) return true;
  }
  return false;
}

/* The kernel's first block from this one on that stores, or loads, any of it; -1: none does. */
static int64_t block_from(const fg_block_sample_maker *k, int kernel, int64_t block, bool stores) {
  for (fg_block_at at = {kernel, block}; at.block < k->s->parts[kernel].number.blocks; at.block++)
    if (moves_any(k, &at, stores)) return at.block;
  return -1;
}

bool fg_block_paths_step(fg_block_sample_maker *k, fg_block_at *at, bool on) {
  int64_t found = -1;
  put(k, at, on, true);
  int kernel = at->kernel + (on ? 1 : -1);
  for (; kernel >= 0 && kernel < k->p->nkernel; kernel += on ? 1 : -1) {
    found = block_from(k, kernel, 0, !on);
    if (found >= 0) break;
  }
  put(k, at, on, false);
  if (found >= 0) *at = (fg_block_at){kernel, found};
  return found >= 0;
}

/* By chance elements of what it stores, or loads. */
static void put_some(fg_block_sample_maker *k, const fg_block_at *at, bool stores, int some) {
  const fg_footprints *x = &k->s->parts[at->kernel];
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    if (y->store != stores || !is_shared(k, y) || !fg_footprints_has(x, y, at->block)) continue;
    int64_t base = fg_block_sample_base(k, at->kernel, y, at->block);
    uint64_t all = (uint64_t)fg_block_sample_elements(y);
    for (int64_t s = 0; s < y->nspan; s++)
      for (int64_t e = 0; e < y->span[s].count; e++)
        if (fg_random_below(all, &k->random) < (uint64_t)some)
          fg_bits_put(&k->now[y->memory], base + y->span[s].first + e, 1, true);
  }
}

int64_t fg_block_paths_around(fg_block_sample_maker *k, const fg_block_at *at, bool on, int some, fg_block_visit *visit,
                              void *self) {
  int end = on ? k->p->nkernel : -1, step = on ? 1 : -1;
  int64_t visits = 0;
  put_some(k, at, on, some);
  for (int kernel = at->kernel + step; kernel != end; kernel += step) {
    fg_block_at to = {kernel, block_from(k, kernel, 0, !on)};
    for (; to.block >= 0; to.block = block_from(k, kernel, to.block + 1, !on)) visits += visit(k, self, &to);
  }
  put(k, at, on, false);
  return visits;
}

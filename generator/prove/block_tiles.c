/* Tiles whose stages are kernels of their own (stages_cut.c). In: footprints of all kernels. Out: whether one stage may
 * run for all tiles before the next one does: whether no two tiles share an element that one of them stores to.
 *
 * The idea: elements that earlier stages of any tile move are one set, those that several tiles move another one. A
 * later stage of a tile may move elements of the first set that its own tile alone has moved. */
#include "generator/prove/block_tiles.h"

typedef struct sharing { /* of one memory */
  fg_block_sample_maker *k;
  int kernel, memory, which; /* which: FG_STAGES_BLOCK and others */
  bool stores;               /* of earlier stages stores count alone */
  fg_bits any, several, own; /* what earlier stages move: of any tile, of several, of the present one */
} sharing;

int64_t fg_block_sample_tile(const fg_block_sample_maker *k, int kernel, int which) {
  const fg_block_numbers *x = &k->s->parts[kernel].number;
  int digits = k->apart ? k->apart->tile[kernel][which].digits : 0;
  int64_t count = 1;
  for (int i = 0; digits && i < x->ndigit - digits; i++) count *= x->extent[i];
  return count;
}

static bool moves(const fg_footprint *x, int memory, bool stores) {
  return !x->table && x->memory == memory && (x->store || !stores);
}

typedef void visit(sharing *s, int64_t first, int64_t count);

/* The elements of one tile that a kernel moves. */
static void visit_tile(sharing *s, int kernel, int64_t tile, bool stores, visit *f) {
  const fg_footprints *x = &s->k->s->parts[kernel];
  int64_t count = fg_block_sample_tile(s->k, kernel, s->which);
  for (int64_t b = tile * count; b < (tile + 1) * count; b++)
    for (int i = 0; i < x->npart; i++) {
      const fg_footprint *y = &x->part[i];
      if (!moves(y, s->memory, stores) || !fg_footprints_has(x, y, b)) continue;
      int64_t base = fg_block_sample_base(s->k, kernel, y, b);
      for (int64_t j = 0; j < y->nspan; j++) f(s, base + y->span[j].first, y->span[j].count);
    }
}

static void visit_earlier(sharing *s, int64_t tile, visit *f) {
  for (int i = s->k->apart->tile[s->kernel][s->which].first; i < s->kernel; i++) visit_tile(s, i, tile, s->stores, f);
}

static void put_own(sharing *s, int64_t first, int64_t count) { fg_bits_put(&s->own, first, count, true); }
static void forget_own(sharing *s, int64_t first, int64_t count) { fg_bits_put(&s->own, first, count, false); }
static void put_any(sharing *s, int64_t first, int64_t count) { fg_bits_put(&s->any, first, count, true); }
static void put_several(sharing *s, int64_t first, int64_t count) {
  for (int64_t e = first; e < first + count; e++)
    if (fg_bits_get(&s->any, e)) fg_bits_put(&s->several, e, 1, true);
}

static int64_t tiles_of(const sharing *s) {
  return s->k->s->parts[s->kernel].number.blocks / fg_block_sample_tile(s->k, s->kernel, s->which);
}

static void collect(sharing *s) {
  for (int64_t t = 0; t < tiles_of(s); t++) {
    visit_earlier(s, t, put_several);
    visit_earlier(s, t, put_any);
  }
}

static bool tile_holds(sharing *s, int64_t tile, bool stores) {
  const fg_footprints *x = &s->k->s->parts[s->kernel];
  int64_t count = fg_block_sample_tile(s->k, s->kernel, s->which);
  for (int64_t b = tile * count; b < (tile + 1) * count; b++)
    for (int i = 0; i < x->npart; i++) {
      const fg_footprint *y = &x->part[i];
      if (!moves(y, s->memory, stores) || !fg_footprints_has(x, y, b)) continue;
      int64_t base = fg_block_sample_base(s->k, s->kernel, y, b);
      for (int64_t j = 0; j < y->nspan; j++)
        for (int64_t e = base + y->span[j].first; e < base + y->span[j].first + y->span[j].count; e++)
          if (fg_bits_get(&s->any, e) && (!fg_bits_get(&s->own, e) || fg_bits_get(&s->several, e))) return false;
    }
  return true;
}

/* Its loads beside what earlier stages store, or its stores beside all that they move. */
static bool moves_hold(fg_block_sample_maker *k, int kernel, int memory, int which, bool stores) {
  fg_arena *a = k->cx->arena;
  int64_t size = k->size[memory];
  sharing s = {.k = k, .kernel = kernel, .memory = memory, .which = which, .stores = !stores};
  s.any = fg_bits_create(a, size), s.several = fg_bits_create(a, size), s.own = fg_bits_create(a, size);
  bool holds = true;
  collect(&s);
  for (int64_t t = 0; t < tiles_of(&s) && holds; t++) {
    visit_earlier(&s, t, put_own);
    holds = tile_holds(&s, t, stores);
    visit_earlier(&s, t, forget_own);
  }
  return holds;
}

static bool earlier_moves(const fg_block_sample_maker *k, int kernel, int memory, int which, bool stores) {
  for (int i = k->apart->tile[kernel][which].first; i < kernel; i++)
    if (fg_block_sample_touches(&k->s->parts[i], memory, stores)) return true;
  return false;
}

/* Scratch with a place for each of these tiles, within which all of a tile's addresses are. */
static bool is_apart(const fg_block_sample_maker *k, int memory, int digits) {
  for (int i = 0; i < digits; i++)
    if (!k->apart->place[memory].by[i]) return false;
  return true;
}

static bool memory_holds(fg_block_sample_maker *k, int kernel, int memory, int which) {
  const fg_footprints *x = &k->s->parts[kernel];
  if (earlier_moves(k, kernel, memory, which, true) && !moves_hold(k, kernel, memory, which, false)) return false;
  return !fg_block_sample_touches(x, memory, true) || !earlier_moves(k, kernel, memory, which, false) ||
         moves_hold(k, kernel, memory, which, true);
}

bool fg_block_sample_tiles_hold(fg_block_sample_maker *k, int kernel, int *memory) {
  for (*memory = 0; *memory < k->p->nbuffer; ++*memory) {
    bool shared = k->size[*memory] && !fg_block_sample_is_given(k, *memory);
    if (!shared || !fg_block_sample_touches(&k->s->parts[kernel], *memory, false)) continue;
    for (int which = 0; which < FG_STAGES_TILES; which++) {
      int digits = k->apart->tile[kernel][which].digits;
      if (digits && !is_apart(k, *memory, digits) && !memory_holds(k, kernel, *memory, which)) return false;
    }
  }
  return true;
}

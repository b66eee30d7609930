/* See persistent_queue.h. */
#include "generator/ir/persistent_queue.h"
#include <stddef.h>

#define MOST_ITEMS (INT32_C(1) << 30) /* the proof has two more things to say of each */

int fg_queue_joined(const fg_queue *q) { return q->ring ? q->kernels : 0; }

int64_t fg_queue_period(const fg_queue *q) {
  int64_t sum = 0;
  for (int k = 0; k < q->kernels; k++) sum += q->tiles[k];
  return sum;
}

int64_t fg_queue_lag(const fg_queue *q) { return q->distance / q->tiles[0]; }

static int64_t ahead_of(const fg_queue *q, int64_t transforms) {
  int64_t all = transforms * q->tiles[0];
  return q->distance < all ? q->distance : all;
}

int64_t fg_queue_items(const fg_queue *q, int64_t transforms) {
  if (q->kernels > 2) return (transforms + (q->kernels - 1) * fg_queue_lag(q)) * fg_queue_period(q);
  return ahead_of(q, transforms) + transforms * (q->tiles[0] + q->tiles[1]);
}

/* Of three: in each period, in proportion, the tiles of a transform of each kernel. */
static fg_item item_of_period(const fg_queue *q, int64_t transforms, int64_t number) {
  int64_t rest = fg_queue_period(q), place = number % rest, transform = number / rest;
  for (int k = 0;; k++, transform -= fg_queue_lag(q)) {
    int64_t before = place * q->tiles[k] / rest;
    if ((place + 1) * q->tiles[k] / rest > before)
      return (fg_item){transform >= 0 && transform < transforms ? k : -1, transform * q->tiles[k] + before};
    place -= before, rest -= q->tiles[k];
  }
}

fg_item fg_queue_item(const fg_queue *q, int64_t transforms, int64_t number) {
  if (q->kernels > 2) return item_of_period(q, transforms, number);
  int64_t both = q->tiles[0] + q->tiles[1], iteration = number - ahead_of(q, transforms);
  if (iteration < 0) return (fg_item){0, number};
  int64_t before = iteration % both * q->tiles[1] / both, second = iteration / both * q->tiles[1] + before;
  if ((iteration % both + 1) * q->tiles[1] / both > before) return (fg_item){1, second};
  return (fg_item){number - second < transforms * q->tiles[0] ? 0 : -1, number - second};
}

fg_group fg_queue_group(const fg_queue *q, const fg_item *item) {
  int64_t tiles = q->tiles[item->kernel];
  return (fg_group){item->kernel, item->tile / tiles, q->swap ? item->tile % tiles : -1};
}

/* The items whose end a group waits for. False: none. */
static bool awaited(const fg_queue *q, fg_group *g) {
  if (!q->waits[g->kernel]) return false;
  *g = g->kernel ? (fg_group){g->kernel - 1, g->transform, -1}
                 : (fg_group){q->kernels - 1, g->transform - q->ring, q->swap ? g->tile : -1};
  return g->transform >= 0;
}

bool fg_queue_before(const fg_queue *q, fg_group first, fg_group next) {
  while (next.transform >= first.transform && awaited(q, &next))
    if (next.kernel == first.kernel && next.transform == first.transform && (next.tile < 0 || next.tile == first.tile))
      return true;
  return false;
}

/* Tiles of a kernel before the first one that need not be there when one of group g begins. */
static int64_t wanted(const fg_queue *q, fg_group g) {
  return g.tile < 0 ? (g.transform + 1) * q->tiles[g.kernel] : g.transform * q->tiles[g.kernel] + g.tile + 1;
}

static const char *wrong_numbers(const fg_queue *q) {
  bool more = q->kernels > 2;
  if (q->kernels < 2 || q->kernels > FG_QUEUE_KERNELS) return "neither two nor three kernels";
  if (q->swap && (more || q->tiles[0] != q->tiles[1])) return "tiles that take each other's places are not as many";
  if (more && (q->distance % q->tiles[0] || !fg_queue_lag(q))) return "kernels that are behind by no whole transforms";
  for (int k = 0; k < q->kernels; k++)
    if (q->waits[k] && q->waits[k] != (q->swap && k == 0 ? 1 : q->tiles[k ? k - 1 : q->kernels - 1]))
      return "a tile waits for other than all tiles of a transform";
  return NULL;
}

const char *fg_queue_wrong(const fg_queue *q, int64_t transforms) {
  const char *wrong = wrong_numbers(q);
  if (wrong) return wrong;
  int64_t items = fg_queue_items(q, transforms), come[FG_QUEUE_KERNELS] = {0};
  if (items > MOST_ITEMS) return "more items than their numbers have room for";
  for (int64_t i = 0; i < items && !wrong; i++) {
    fg_item item = fg_queue_item(q, transforms, i);
    if (item.kernel < 0) continue;
    if (item.tile != come[item.kernel]++) return "a tile that comes twice, or never";
    fg_group g = fg_queue_group(q, &item);
    if (awaited(q, &g) && come[g.kernel] < wanted(q, g))
      return "a tile waits for one that comes later: blocks may wait forever";
  }
  for (int k = 0; k < q->kernels; k++)
    if (come[k] != transforms * q->tiles[k]) return "a tile that never comes";
  return NULL;
}

/* fg_queue: a program's first two kernels as one, through a queue of their tiles.
 *
 * A tile is what a block of either kernel does. Blocks stay: each takes the next
 * item of the queue, does the tile that the item's number says, takes the next. What
 * the first kernel leaves for the second lies in a ring with room for a few
 * transforms (each the matrix of one, or a plane of one of three dimensions: whatever both
 * kernels go through alike), which L2 of a GPU can hold:
 *
 *   tile of the first kernel   waits until all tiles of the second are through with the
 *                              transform that had its place in the ring before
 *   tile of the second         waits until all tiles of the first have stored its transform
 *
 * With `swap` both kernels have as many tiles, and what is between them is a matrix of pieces, one for each tile of the
 * first and each of the second: tile i of the first takes the room that tile i of the second leaves, and waits for
 * that one alone. What was a row of the matrix is a column then, in every other turn of the ring.
 *
 * Where `begins` says so, tiles of the second begin at other places of what they store, for each of so many transforms
 * in turn one place earlier than for the one before: results begin in the middle of sectors where transforms lie one
 * number more than whole sectors apart, and tiles then have them whole. What `begin` of an index says is added to it
 * so many times as a tile begins earlier.
 *
 * A tile of the first kernel that is done says so, once, to its kernel's counter of its
 * transform; one of the second as soon as nothing is left for it to do in the ring. */
#ifndef FG_QUEUE_H
#define FG_QUEUE_H
#include "generator/problem/problem.h"

typedef struct fg_queue {
  int ring;          /* transforms; 0: there is no queue */
  int outer;         /* outer digits of either kernel that count them, the first ones */
  fg_num transforms; /* in all */
  int64_t tiles[2];  /* of a transform, in each kernel */
  int64_t distance;  /* tiles of the first kernel before the first one of the second */
  int64_t waits[2];  /* for so many to have said that they are done, see above; 0: not at all */
  bool swap;         /* see above */
  int64_t part[2];   /* if so: from tile to tile of either kernel, elements in even turns; in odd ones the other's */
  int frees;         /* stage of the second kernel behind which a tile says so: later ones are in no order */
  int deferred_wait; /* 1: tiles of the first kernel wait behind their stage last[0]; 2: and all take the next item
                behind last[] */
  int last[2];       /* if early: stage of each kernel behind which its threads meet for the last time */
  bool discard;      /* with `swap`: a tile of the second kernel drops from L2 what it has loaded, before it
                     says    so */
  int begins;        /* see above; 0: all tiles begin alike */
  bool evict_last;   /* what lies in the ring is to stay in L2 */
} fg_queue;

typedef struct fg_item { /* of the queue */
  int kernel;            /* -1: nothing to do */
  int64_t tile;          /* of all transforms */
} fg_item;

/* First `lag` tiles of the first kernel; then tiles of both in turn, in proportion; at the
 * end, those of the first are none. */
int64_t fg_queue_items(const fg_queue *q, int64_t transforms);
fg_item fg_queue_item(const fg_queue *q, int64_t transforms, int64_t number);

/* The tiles of one kernel and transform: the queue orders them all alike. With `swap`, one of them. */
typedef struct fg_group {
  int kernel;
  int64_t transform;
  int64_t tile; /* of its transform; -1: all */
} fg_group;
fg_group fg_queue_group(const fg_queue *q, const fg_item *item);
/* Whether all of `first` are over before any of `next` begins. */
bool fg_queue_before(const fg_queue *q, fg_group first, fg_group next);
/* NULL: every tile comes once, and no tile waits for a later one. Else what is wrong. */
const char *fg_queue_wrong(const fg_queue *q, int64_t transforms);
#endif

/* fg_queue: a program's first two or three kernels as one launch of persistent blocks, through a queue of their tiles.
 *
 * A tile is the work of a block of one of the kernels. Each persistent block takes the next item of the queue, runs the
 * tile of that number, and repeats. The data between the kernels is in a ring buffer with room for a few transforms
 * (each the matrix of one, or a plane of a three-dimensional one: the part that the kernels process alike), which
 * fits the L2 of a GPU:
 *
 *   tile of the first kernel   waits until all tiles of the second have finished the
 *                              transform that had its slot in the ring buffer before
 *   tile of the second         waits until all tiles of the first have stored its transform
 *
 * Of three kernels the second one stores where it has loaded, so that one ring buffer serves all:
 *
 *   tile of the first kernel   waits for all tiles of the third of the transform that had its slot before
 *   tile of the second         waits for all tiles of the first of its transform
 *   tile of the third          waits for all tiles of the second of its transform
 *
 * With `swap` both kernels have as many tiles, and the data between them is a matrix of pieces, one for each tile of
 * the first and each of the second: tile i of the first reuses the room of tile i of the second, and waits for that
 * one alone. In every other round of the ring buffer the matrix is transposed.
 *
 * With `begins` the tiles of the second kernel begin at different elements of their output, for each of so many
 * successive transforms one element earlier than for the one before: if transforms are one number more than whole
 * sectors apart, results begin inside of sectors, and this gives tiles whole sectors. A digit of role RING counts by
 * how many elements a tile begins earlier.
 *
 * When a tile is finished, it increments its kernel's counter of its transform, once; a tile of the last kernel does so
 * as soon as it no longer needs the ring buffer. */
#ifndef FG_QUEUE_H
#define FG_QUEUE_H
#include "generator/problem/problem.h"

enum { FG_QUEUE_KERNELS = 3 }; /* at most */

typedef struct fg_queue {
  int ring;                        /* transforms; 0: there is no queue */
  int kernels;                     /* the first 2 or 3 of the program */
  int outer;                       /* outer digits of any of the kernels that count them, the first ones */
  fg_num transforms;               /* in all */
  int64_t tiles[FG_QUEUE_KERNELS]; /* of a transform, in each kernel */
  int64_t distance; /* tiles of the first kernel before the first one of the second; of three: a multiple of tiles[0],
                    by which the third lags behind the second, too */
  int64_t waits[FG_QUEUE_KERNELS]; /* for so many to have said that they are done, see above; 0: not at all */
  bool swap;                       /* see above */
  int64_t part[2]; /* if so: from tile to tile of either kernel, elements in even iterations; in odd ones the other's */
  int frees;       /* stage of the last kernel behind which a tile says so: later ones are in no order */
  int deferred_wait; /* 1: tiles of the first kernel wait behind their stage last[0]; 2: and all take the next item
                behind last[] */
  int last[FG_QUEUE_KERNELS]; /* if early: stage of each kernel before its threads' last barrier */
  bool discard;               /* with `swap`: a tile of the second kernel drops from L2 what it has loaded, before it
                              says    so */
  int begins;                 /* see above; 0: all tiles begin alike */
  bool evict_last;            /* the ring's elements are to stay in L2 */
} fg_queue;

typedef struct fg_item { /* of the queue */
  int kernel;            /* -1: nothing to do */
  int64_t tile;          /* of all transforms */
} fg_item;

/* First `distance` tiles of the first kernel; then tiles of both alternately, in proportion; at the
 * end, those of the first are none. Of three kernels: in each period one transform of each, some of them none. */
int fg_queue_joined(const fg_queue *q);     /* kernels, the first ones; 0: there is no queue */
int64_t fg_queue_period(const fg_queue *q); /* tiles of a transform, of all kernels */
int64_t fg_queue_lag(const fg_queue *q);    /* of three: transforms that each kernel is behind the one before */
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
/* NULL: every tile is taken once, and no tile waits for a later one. Else what is wrong. */
const char *fg_queue_wrong(const fg_queue *q, int64_t transforms);
#endif

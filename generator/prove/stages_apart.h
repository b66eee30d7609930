/* A program of one thread as kernels of one stage each, so that large ones can be proved by a sample of their
 * blocks. */
#ifndef FG_PROVE_STAGES_APART_H
#define FG_PROVE_STAGES_APART_H
#include "generator/ir/program.h"

typedef struct fg_stages_place { /* of a tile in scratch */
  int64_t reals;                 /* of one tile; 0: it is no such scratch */
  int64_t by[FG_MAX_LOOPS], at;  /* reals for each step of the tile's digits, and at all zeros */
} fg_stages_place;

typedef struct fg_stages_tile { /* stages that were done one after the other, for each of its numbers */
  int first;                    /* the first kernel of those stages */
  int digits;                   /* so many of the first digits of their kernels number the tile; 0: there is no tile */
} fg_stages_tile;

enum { FG_STAGES_BLOCK, FG_STAGES_GROUP, FG_STAGES_TILES }; /* of a kernel's blocks; of loops that stages share */

typedef struct fg_stages_apart {
  fg_program *p;
  bool cut;      /* tiles are */
  bool *follows; /* by kernel: it may begin while other parts of the one before are not through */
  fg_stages_tile (*tile)[FG_STAGES_TILES]; /* by kernel */
  int *thread;                             /* by kernel: the first one that the same thread does without waiting */
  fg_stages_place place[FG_MAX_BUFFERS];   /* by root */
} fg_stages_apart;

/* The same operations in the same order. False: all kernels have blocks of their own, or threads. */
bool fg_prove_stages_apart(fg_context *cx, const fg_program *p, fg_stages_apart *out);
/* Of tiles, too, each with scratch of its own: the order is another one, which is the same where tiles have nothing to
 * do with each other. False: none of them can be cut. */
bool fg_prove_stages_cut(fg_context *cx, const fg_program *p, const int64_t *params, fg_stages_apart *out);

/* No thread waits before this stage of a kernel that is distributed. */
bool fg_prove_stages_follow(const fg_kernel *k, int stage);
/* Room for so many kernels of out->p, of which there are none yet. */
void fg_prove_stages_new(fg_context *cx, int kernels, fg_stages_apart *out);
#endif

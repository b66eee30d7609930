/* fg_kernel: stages over a digit index space. One representation for SIMD lanes, GPU threads and plain loops:
 * index.h defines digits and addresses, access.h accesses, stage.h stages.
 *
 * SHARED LOOPS: a stage's first `shared` loops enclose it and the stage before it, whose first loops are the same
 * digits: for each of their values one stage follows the other (map/fuse_loops.c). Such stages are a group.
 *
 * BULK COPIES: a copy engine moves a block's whole part between an array and shared memory, while threads compute.
 * Such a copy is a kernel's first stage, and another may be its last one. Blocks process several block numbers,
 * contiguous ones or, if persistent, all numbers in strides. For each number:
 *
 *   all threads wait until the first stage's copy is complete; the stages between follow; after the
 *   one before `fetch` ends with a barrier, the first stage begins for the block's next number. The
 *   last stage begins after a barrier; before the next number's stages begin, its source has been read.
 *
 * A copy between other stages begins in its place, for the present number, into the memory of the first one; a later
 * stage waits for it.
 *
 * Targets without copy engines run these stages in order, as ordinary copies. */
#ifndef FG_KERNEL_H
#define FG_KERNEL_H
#include "generator/ir/stage.h"

/* Which frame of templates/ holds it. */
typedef enum fg_shape {
  FG_SHAPE_PASS,  /* one stage, global memory to global memory */
  FG_SHAPE_BLOCK, /* several stages of one block, exchanging through its own memory */
} fg_shape;

/* CPUs: loops over blocks. */
typedef struct fg_kernel_vectors {
  int16_t part; /* 1 + an outer digit whose values may be shared out among threads, each with LOCAL memory of its own;
                 * 0: none, then stages may be cut one by one, with a wait after each */
  bool packed;  /* vectors of its stages hold both parts of their numbers */
} fg_kernel_vectors;

/* Targets that launch kernels: the blocks, and what those of GPUs do beside each other. */
typedef struct fg_kernel_launch {
  fg_num blocks[FG_MAX_LOOPS]; /* number of blocks = product of nblocks factors (the extents of BLOCK digits) */
  int nblocks;
  int threads;       /* per block; 1 on targets without threads */
  int cluster;       /* blocks per cluster; 1: none. Else the innermost outer digit is the block's number in it */
  fg_exchange offer; /* before all stages: see exchange.h */
  bool by_place; /* blocks of one place in all transforms are numbered one after the other: they read the same tables */
  int resident;  /* blocks at once on a multiprocessor that registers are to be left for; 0: not said */
  bool persistent; /* launched with as many blocks as the device holds at once, which iterate over the numbers of all */
  int fetch;       /* with bulk copies: the stage behind the last that reads what the first one copied */
  int iterations;  /* with bulk copies: numbers that a block iterates over; persistent: 0 */
  int64_t lost;    /* cycles that a block loses to conflicts of banks of its memory, as far as they were counted */
} fg_kernel_launch;

struct fg_kernel {
  const char *name; /* suffix of the symbol: "pass0" */
  fg_shape shape;
  int ndigit;
  fg_digit digit[FG_MAX_DIGITS];
  int nouter; /* kernel-wide digits (HOST, BLOCK, LOOP of a block), visible to all stages, outermost first */
  int16_t outer[FG_MAX_LOOPS];
  int npred;
  fg_pred pred[2]; /* of the outer digits: beyond them nothing is done */
  int nstage;
  fg_stage *stage;
  fg_kernel_vectors vectors;
  fg_kernel_launch launch;
};

/* Stages that follow each other tile after tile: a kernel's, or, where a kernel is several in batch-major order
 * (map/batch_major.c), those of one of these. */
typedef struct fg_section {
  const fg_stage *first, *end; /* one behind the last */
  int nouter;
  int16_t outer[2 * FG_MAX_LOOPS]; /* the digits around them, outermost first */
} fg_section;
/* The one that s, one of k's stages, is in. */
fg_section fg_kernel_section(const fg_kernel *k, const fg_stage *s);
/* Warps compute one of its stages by products of matrices. */
bool fg_kernel_has_matrix(const fg_kernel *k);
/* A digit more; from zero in steps of one. */
int16_t fg_kernel_add_digit(fg_kernel *k, const fg_digit *d);
int16_t fg_kernel_new_digit(fg_kernel *k, const char *name, fg_role role, fg_num extent);
/* Is it one of the kernel-wide digits? */
static inline bool fg_kernel_is_outer(const fg_kernel *k, int digit) {
  for (int i = 0; i < k->nouter; i++)
    if (k->outer[i] == digit) return true;
  return false;
}
/* The digit that numbers the blocks of a cluster; -1: there are no clusters. */
int16_t fg_kernel_rank(const fg_kernel *k);
/* One behind the last stage of the group that begins with stage number s: s + 1 where nothing is shared. */
int fg_kernel_group_end(const fg_kernel *k, int s);
/* Whether stages that share loops have the same ones first, in all of a group as many. */
bool fg_kernel_groups_fit(const fg_kernel *k);
/* Whether its first stage is a bulk copy, for which it waits in iterations. */
bool fg_kernel_fetches(const fg_kernel *k);
/* Its stage between others that is a bulk copy; 0: there is none. */
int fg_kernel_second_copy(const fg_kernel *k);
/* Stages so short that CPU targets write them as one function and keep scratch in values,
 * but for exchanges that turn out not to fit together (lower/scalar_replacement.c). */
bool fg_kernel_is_joined(const fg_kernel *k);
/* Whether the stage's vectors are of so many lanes, and all that moves here are vectors that begin at multiples of it.
 */
bool fg_access_is_whole(const fg_kernel *k, const fg_stage *s, const fg_access *a, int lanes);
/* Slots of an access and of what follows it. */
int64_t fg_access_slots(const fg_kernel *k, const fg_access *a);
#endif

/* Spellings of clusters: stores to the shared memory of other blocks. */
#ifndef FG_TARGETS_FORMS_CLUSTER_H
#define FG_TARGETS_FORMS_CLUSTER_H

/* Blocks that store into each other's memory. In its texts: %v names, %p pointers
 * into this block's part, %i the number of a block, %a and %b numbers. */
typedef struct fg_cluster_form {
  int most;              /* blocks of a cluster */
  const char *attribute; /* of a kernel with clusters of %i blocks */
  const char *preamble;  /* functions that the texts below call, */
  const char *sends;     /* and those of is_own, send and wait, behind them */
  const char *open;      /* statement at the kernel's start: the mbarrier at %p expects %i bytes */
  const char *expect;    /* statement after a wait: that mbarrier expects %i bytes again */
  const char *map;       /* expression of type `address`: what %p is in block %i */
  const char *address;
  const char *is_own;     /* expression of type `address`: 1 in block %i, else 0 */
  const char *bits;       /* expression of an unsigned number: bits of the number %v; joined by ^ for `wait_loads` */
  const char *wait_loads; /* statement: waits for the loads that %v was computed from */
  const char
      *fence_loads; /* the same, and compilers move nothing across it; %p: the mbarrier, behind which a word is spare */
  const char *arrive;       /* statement: other blocks may store to this one's shared memory */
  const char *cluster_wait; /* statement: waits until all blocks have arrived */
  const char *send; /* statement: the numbers %a and %b are stored to the address %p; %i: the address of the mbarrier
                     * there, which counts them unless the block is our own: then %c is 1 */
  const char
      *wait; /* statement: waits for all bytes that the mbarrier at %p expects; %i: its parity, 0 and 1 alternately */
  int mbarrier_bytes; /* of memory, behind what is stored to */
} fg_cluster_form;
#endif

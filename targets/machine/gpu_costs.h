/* What blocks and threads cost: the figures of the shipped cost model for GPUs (generator/cost/gpu.c). Unit: a
 * sixteenth of a byte to or from memory, where nothing else is said. */
#ifndef FG_MACHINE_GPU_COSTS_H
#define FG_MACHINE_GPU_COSTS_H
#include <stdint.h>

typedef struct fg_gpu_costs {
  int64_t launch;      /* a launch */
  int64_t byte;        /* a byte of memory */
  int64_t round;       /* sixteenths: a byte of what goes round in L2, mostly written back */
  int64_t large_table; /* a byte of a table that caches do not hold */
  int64_t cached;      /* bytes of a table that they do */
  int64_t local;       /* sixteen bytes of shared memory */
  int64_t lost;        /* a cycle of conflicts */
  int64_t instruction; /* ten of a thread */
  int64_t spilled;     /* instructions, for a register that a stage lacks */
  int64_t in_line;     /* an instruction behind the others of its thread, */
  int64_t looked_up;   /* an element whose place is in a table, */
  int64_t reduced;     /* instructions, for an address modulo something */
  int64_t meeting;     /* a barrier of a cluster, */
  int64_t first_loads; /* an iteration of loads from memory, */
  int64_t of_thread;   /* and a thread of the block: for each block, over those held at once */
  int64_t of_block;    /* a block to begin, whatever it does */
  int64_t rest;        /* of what is not the dearest, in sixteenths */
  int64_t gathered;    /* multiprocessors that blocks of a cluster are spread over, */
  int64_t portable;    /* not all of which take part with more blocks than that */
  int64_t full_batch;  /* transforms that fill a device, */
  int64_t full_points; /* and points of short ones */
  int64_t few_blocks;  /* blocks at once of a multiprocessor, of which compilers are told */
  int64_t crowded;     /* words of a codelet beyond which its sums take as many registers again */
} fg_gpu_costs;
extern const fg_gpu_costs fg_machine_gpu_costs; /* those of the H100, which all take: no other was measured */
#endif

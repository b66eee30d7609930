/* What blocks and threads cost: the figures of the shipped cost model for GPUs (generator/cost/gpu.c). Cycles are those
 * of a multiprocessor. */
#ifndef FG_MACHINE_GPU_COSTS_H
#define FG_MACHINE_GPU_COSTS_H
#include <stdint.h>

typedef struct fg_gpu_costs {
  /* of memory, in sixteenths of a byte */
  int64_t launch;      /* a launch */
  int64_t byte;        /* a byte of memory */
  int64_t round;       /* a byte of what goes round in L2, mostly written back */
  int64_t large_table; /* a byte of a table that caches do not hold */
  int64_t cached;      /* bytes of a table that they do */
  int64_t cycle;       /* what memory moves in a cycle, where the machine's row does not say, for each multiprocessor */
  /* percent of bytes that sectors bring besides */
  int64_t load_cut, store_cut, round_cut; /* at the ends of a block's runs */
  int64_t store_parts;                    /* where a warp stores to parts of sectors, */
  int64_t store_apart, round_apart;       /* and of segments */
  int64_t spilled_byte;                   /* sixteenths: a byte of a spilled register, mostly in caches */
  /* cycles */
  int64_t local;       /* hundredths: as many bytes of shared memory as it gives in one */
  int64_t lost;        /* hundredths: a cycle of conflicts */
  int64_t instruction; /* hundredths: an instruction of a warp */
  int64_t in_line;     /* hundredths: an instruction behind the others of its warp, */
  int64_t looked_up;   /* an element whose place is in a table, */
  int64_t barrier;     /* a barrier of a block, */
  int64_t meeting;     /* a barrier of a cluster, */
  int64_t first_loads; /* an iteration of loads from memory, */
  int64_t block;       /* and a block, whatever it does: over the blocks that are there at once */
  int64_t own_work;    /* percent of its work that a block waits for itself, */
  int64_t own_local;   /* and of what it moves through shared memory */
  /* instructions of a warp */
  int64_t double_operation; /* hundredths: an operation of doubles */
  int64_t local_move;       /* hundredths: an element to or from shared memory */
  int64_t table_place;      /* an element whose place is in a table */
  int64_t spill;            /* a word that is spilled, stored and loaded */
  /* registers of a thread */
  int64_t registers;   /* whatever it does */
  int64_t of_numbers;  /* hundredths: a number of a codelet, */
  int64_t of_held;     /* a number that waits for a barrier, */
  int64_t of_factors;  /* a factor within a codelet, */
  int64_t of_products; /* a product of factors, */
  int64_t of_twiddles; /* a twiddle factor, */
  int64_t of_crowd;    /* and a number of a prime's codelet beyond */
  int64_t crowd;       /* so many words */
  int64_t spilled;     /* words spilled for a register that a stage lacks */
  /* blocks */
  int64_t gathered;    /* multiprocessors that blocks of a cluster are spread over, */
  int64_t portable;    /* not all of which take part with more blocks than that */
  int64_t full_batch;  /* transforms that fill a device, */
  int64_t full_points; /* and points of short ones */
  int64_t few_blocks;  /* blocks at once of a multiprocessor, of which compilers are told */
} fg_gpu_costs;
extern const fg_gpu_costs fg_machine_gpu_costs; /* those of the H100, which all take */
#endif

/* Inside the model of blocks and threads: gpu.c adds up a kernel's components, gpu_memory.c counts the bytes and
 * lines of its accesses, gpu_registers.c the registers of its threads and the resident blocks of a multiprocessor,
 * gpu_bends.c its padded addresses, gpu_matrix.c what products of matrices take, gpu_few.c how long a kernel takes
 * whose blocks do not fill the device.
 */
#ifndef FG_COST_GPU_PARTS_H
#define FG_COST_GPU_PARTS_H
#include "generator/cost/cost.h"
#include "targets/machine/gpu_costs.h"

typedef struct fg_gpu_view { /* one kernel of a program, at these parameters */
  const fg_program *p;
  const fg_kernel *k;
  const fg_machine *m;
  const fg_gpu_costs *costs;
  int64_t cycle; /* sixteenths of a byte that memory moves in one, for each multiprocessor */
  int64_t params[FG_MAX_PARAMS];
} fg_gpu_view;

typedef struct fg_gpu_held { /* what a block takes of a multiprocessor */
  int64_t blocks;            /* at once, in sixteenths: those of a cluster are resident together */
  int64_t wanted, allowed;   /* registers of a thread */
  int64_t spilled;           /* words that its warps lack registers for, each counted once a stage that lacks it */
  int64_t beyond;            /* percent of them that L1 has no room for */
  int64_t crowded;           /* percent of L1 that its first loads take beyond twice as much */
  int varies;                /* 1: compilers choose its registers, more or fewer; 2: and half of them lack */
} fg_gpu_held;

typedef struct fg_gpu_sum { /* of a kernel: sixteenths of a byte, then hundredths of cycles of a block */
  int64_t memory, local, remote, work, wait;
  int64_t instructions; /* of a block's warps */
} fg_gpu_sum;

/* Bytes that a stage moves to and from memory, in sixteenths, with those that sectors bring besides; and bytes that
 * pass through shared memory and L1. */
void fg_cost_gpu_moves(const fg_gpu_view *x, const fg_stage *s, int64_t *memory, int64_t *local);
typedef struct fg_gpu_lines { /* that a block's warps touch in a stage: each access is served line by line */
  int64_t memory, remote;     /* in arrays; in the shared memory of other blocks of a cluster */
} fg_gpu_lines;
fg_gpu_lines fg_cost_gpu_lines(const fg_gpu_view *x, const fg_stage *s);
fg_gpu_held fg_cost_gpu_held(const fg_gpu_view *x);
/* Blocks of a multiprocessor to tell compilers of; 0: none. Not `sure`: where that is no dearer. */
int64_t fg_cost_gpu_few_blocks(const fg_gpu_view *x, bool *sure);
typedef struct fg_gpu_matrix { /* of a block in a stage of products of matrices */
  int64_t instructions, lines; /* of its warps; that they touch of the table */
  int64_t registers;           /* of a thread */
} fg_gpu_matrix;
fg_gpu_matrix fg_cost_gpu_matrix(const fg_gpu_view *x, const fg_stage *s);
/* Elements of an access whose padded addresses are computed one by one. */
int64_t fg_cost_gpu_bent(const fg_gpu_view *x, const fg_access *a);
/* Iterations of one thread; held: those of loops whose numbers it does not hold at the same time alone. */
int64_t fg_cost_gpu_iterations(const fg_gpu_view *x, const fg_stage *s, bool held);
int64_t fg_cost_gpu_warps(const fg_gpu_view *x, const fg_stage *s); /* of a block that work in the stage */
/* Iterations after which a thread's next loads begin: those that wait for a barrier have loaded everything before. */
int64_t fg_cost_gpu_turns(const fg_gpu_view *x, const fg_stage *s);
/* `full`, the cost of a kernel whose blocks fill the device, for as many blocks as there are. The sum is a block's;
 * `at_once`: blocks that the device holds. */
int64_t fg_cost_gpu_of_blocks(const fg_gpu_view *x, const fg_gpu_sum *sum, int64_t blocks, int64_t at_once,
                              int64_t full);
#endif

/* AMD's architectures that kernels are made for: what a multiprocessor has, and
 * how much of it a kernel leaves for others. */
#ifndef FG_HIP_ARCH_H
#define FG_HIP_ARCH_H
#include "targets/hip/code.h"

typedef struct fg_hip_arch {
  const char *name;     /* "gfx942" */
  int wave;             /* threads of a wave: 64, or 32 */
  int registers;        /* 32-bit vector registers of a SIMD unit, per lane of a wave */
  int register_granule; /* they are given in groups of so many */
  int waves;            /* a SIMD unit holds at most */
  int simds;            /* units that share the memory below, which a block's waves are spread over */
  size_t local_bytes;   /* shared by the blocks there */
  size_t block_bytes;   /* of it, one block can have */
} fg_hip_arch;

const fg_hip_arch *fg_hip_arch_table(void); /* ended by a row without a name */
/* By "gfx942", or by what drivers say: "gfx942:sramecc+:xnack-". NULL: not in the table. */
const fg_hip_arch *fg_hip_arch_find(const char *name);

typedef struct fg_hip_occupancy {
  int waves;           /* of a SIMD unit at once */
  int blocks;          /* at once over the memory's units */
  const char *limited; /* by what: "registers", "memory", "waves" */
} fg_hip_occupancy;

/* Of a kernel that is launched with this many threads and this much dynamic memory. */
fg_hip_occupancy fg_hip_occupancy_of(const fg_hip_arch *a, const fg_hip_usage *u, int threads, size_t local_bytes);
#endif

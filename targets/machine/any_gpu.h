/* Assumptions about unknown GPUs: a large one, the H200, on which the cost model was fitted. */
#ifndef FG_MACHINE_ANY_GPU_H
#define FG_MACHINE_ANY_GPU_H
#include "targets/machine/rows.h"

#define ANY_ASSUMED "assumed: as the H200, on which the cost model was fitted (docs/lab/cost-model.md)"
#define ANY_SEGMENT "assumed: a line of 128 bytes, as GPUs of NVIDIA and AMD have it"

#define ANY_GPU                                                                                                        \
  FG_IS(multiprocessors, 132, ANY_ASSUMED), FG_IS(registers, 64 << 10, ANY_ASSUMED),                                   \
      FG_IS(register_step, 8, ANY_ASSUMED), FG_IS(shared_bytes, 228 << 10, ANY_ASSUMED),                               \
      FG_IS(shared_kept_bytes, 1 << 10, ANY_ASSUMED), FG_IS(threads, 2048, ANY_ASSUMED),                               \
      FG_IS(blocks, 32, ANY_ASSUMED), FG_IS(simds, 4, ANY_ASSUMED), FG_IS(line_bytes, 128, ANY_SEGMENT),               \
      FG_IS(segment_bytes, 128, ANY_SEGMENT), FG_IS(sector_bytes, 32, ANY_SEGMENT), FG_IS(f64, 1, ANY_ASSUMED)
#endif

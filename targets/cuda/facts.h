/* The facts of a GPU, by its driver. */
#ifndef FG_CUDA_FACTS_H
#define FG_CUDA_FACTS_H
#include "targets/cuda/driver_api.h"

enum { FG_CU_ARCH_SIZE = 16 };

/* When blocks leave L1 room. On an H200 the two share 256 KiB, of which blocks may have 228. By
 * default a multiprocessor holds as many blocks as registers, threads and memory allow, and the cache gets what
 * is left: 28 KiB, too few for loads on their way, and for sectors until the next load wants their other half.
 * Kernels that take more than 196 KiB, the next size below, were up to a quarter slower so than by this part of it, as
 * long as two warps for each of four schedulers are left (docs/lab/gpu-one-pass.md). */
#define FG_CU_CARVE_MOST 86    /* percent: 196 of 228 KiB */
#define FG_CU_CARVE_PERCENT 71 /* 164 */
#define FG_CU_CARVE_WARPS 8

void fg_cu_arch(const fg_cu_api *cu, int device, char arch[FG_CU_ARCH_SIZE]); /* "sm_90" */
typedef struct fg_cu_kernel {
  fg_cu_function_ref function;
  int threads; /* of a block, at most */
  int most;    /* blocks of a launch: what the device holds at once, where they stay */
} fg_cu_kernel;

/* The launch's kernel among loaded code, ready to be launched. Out: 0, or an error's number. */
int fg_cu_find_kernel(const fg_cu_api *cu, int device, fg_cu_module_ref code, const fg_launch *l, fg_cu_kernel *k);
void fg_cu_facts(const fg_cu_api *cu, int device, fg_device_facts *facts);
#endif

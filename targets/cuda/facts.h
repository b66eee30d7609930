/* What a GPU offers, by its driver. */
#ifndef FG_CUDA_FACTS_H
#define FG_CUDA_FACTS_H
#include "targets/cuda/driver_api.h"

enum { FG_CU_ARCH_SIZE = 16 };

int fg_cu_attribute(const fg_cu_api *cu, int device, fg_cu_device_attribute what); /* 0: not known */
void fg_cu_arch(const fg_cu_api *cu, int device, char arch[FG_CU_ARCH_SIZE]);      /* "sm_90" */
typedef struct fg_cu_kernel {
  fg_cu_function_ref function;
  int most; /* blocks of a launch */
} fg_cu_kernel;

/* Fills in `most` for a launch of k->function: what the device holds at once, where blocks stay. */
int fg_cu_most_blocks(const fg_cu_api *cu, int device, const fg_launch *l, fg_cu_kernel *k);
void fg_cu_facts(const fg_cu_api *cu, int device, fg_device_facts *facts);
#endif

/* Executions as a graph of the driver: the device begins each when the one before is over, and does not wait for the
 * host to launch it (H200: .6 us from kernel to kernel, by launches 2.9 to 4). */
#ifndef FG_CUDA_GRAPH_H
#define FG_CUDA_GRAPH_H
#include "targets/cuda/clock.h"

typedef struct fg_cuda_graph {
  const fg_cu_api *cu;
  fg_cu_graph_exec_ref run;
  int64_t executions; /* 0: there is none */
} fg_cuda_graph;

/* Of `executions` of the work, captured on the clock's stream. None where the driver has no graphs, where the work
 * cannot be captured, or where it launches on another stream; an error of the work shows when it is launched. */
fg_cuda_graph fg_cuda_graph_of(const fg_cuda_clock *c, const fg_cuda_work *w, int64_t executions);
void fg_cuda_graph_destroy(fg_cuda_graph *g);

#endif

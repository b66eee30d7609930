/* See graph.h. */
#include "targets/cuda/graph.h"

enum { BY_THIS_THREAD = 1 }; /* what is forbidden while work is captured */

static int enqueue(const fg_cuda_work *w, int64_t executions) {
  char why[FG_WHY_SIZE];
  int bad = 0;
  for (int64_t i = 0; i < executions && !bad; i++) bad = w->launch(w->context, why);
  return bad;
}

/* An execution has a kernel or more; what went to another stream is not in the graph. */
static bool holds(const fg_cu_api *cu, fg_cu_graph_ref graph, int64_t executions) {
  size_t nodes = 0;
  return cu->graph_nodes(graph, NULL, &nodes) == FG_CU_SUCCESS && (int64_t)nodes >= executions;
}

fg_cuda_graph fg_cuda_graph_of(const fg_cuda_clock *c, const fg_cuda_work *w, int64_t executions) {
  const fg_cu_api *cu = c->cu;
  fg_cuda_graph g = {.cu = cu};
  fg_cu_graph_ref graph = NULL;
  if (!cu->has_graphs || cu->capture_begin(c->stream, BY_THIS_THREAD) != FG_CU_SUCCESS) return g;
  int bad = enqueue(w, executions);
  bad |= cu->capture_end(c->stream, &graph) != FG_CU_SUCCESS;
  if (!bad && graph && holds(cu, graph, executions) && cu->graph_prepare(&g.run, graph, 0) == FG_CU_SUCCESS)
    g.executions = executions;
  if (graph) cu->graph_destroy(graph);
  return g;
}

void fg_cuda_graph_destroy(fg_cuda_graph *g) {
  if (g->executions) g->cu->graph_exec_destroy(g->run);
  *g = (fg_cuda_graph){0};
}

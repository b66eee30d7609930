/* Linear networks: a graph with inputs and a list of outputs, to be applied, transposed and counted. */
#ifndef FG_CODELET_NETWORK_H
#define FG_CODELET_NETWORK_H
#include "generator/codelet/dag.h"

/* A linear network: a graph with inputs 0 .. nin-1 and a list of outputs. */
typedef struct fg_network {
  fg_dag *dag;
  int nin, nout;
  fg_edge *out;
} fg_network;

/* The network's operations once more, in d, on other inputs: in[nin] -> out[nout].
 * Adjusting the graph to new values on the way (zeros, equal values) is what the
 * constructors above do. */
void fg_network_apply(const fg_network *net, fg_dag *d, const fg_edge *in, fg_edge *out);
/* The transposed network in d: adjoint[nout] -> in_adjoint[nin]. */
void fg_network_transpose(const fg_network *net, fg_dag *d, const fg_edge *adjoint, fg_edge *in_adjoint);
/* uses[v]: how often v is an operand or output among what the outputs need; 0 elsewhere. */
uint32_t *fg_network_uses(const fg_network *net);

typedef struct fg_network_cost {
  int sums, products;
} fg_network_cost;

fg_network_cost fg_network_count(const fg_network *net);
bool fg_network_cheaper(const fg_network *a, const fg_network *b); /* in the graph's form */
#endif

/* A graph seen as a linear network. In: a network. Out: the same operations on
 * other inputs, or the transposed network, in another graph; counts.
 *
 * The idea: a linear network read backwards, with sums for forks and forks for
 * sums, computes the transposed matrix with as many products, and as many sums
 * plus inputs less outputs (Tellegen's theorem; Bordewijk 1956; used for FFT
 * programs by Frigo, PLDI 1999). */
#include "generator/codelet/network.h"

static fg_edge with_sign(fg_edge image, fg_edge e) { return e & 1 ? fg_dag_neg(image) : image; }

uint32_t *fg_network_uses(const fg_network *net) {
  const fg_dag *g = net->dag;
  uint32_t *uses = fg_arena_new(g->cx->arena, uint32_t, g->count);
  for (int i = 0; i < net->nout; i++) uses[net->out[i] >> 1]++;
  for (uint32_t v = g->count; v-- > 1;) {
    const fg_vertex *x = &g->vertex[v];
    if (!uses[v] || x->kind == FG_V_IN) continue;
    uses[x->a >> 1]++;
    if (x->kind == FG_V_SUM) uses[x->b >> 1]++;
  }
  return uses;
}

void fg_network_apply(const fg_network *net, fg_dag *d, const fg_edge *in, fg_edge *out) {
  const fg_dag *g = net->dag;
  const uint32_t *uses = fg_network_uses(net);
  fg_edge *image = fg_arena_new(d->cx->arena, fg_edge, g->count);
  for (uint32_t v = 1; v < g->count; v++) {
    const fg_vertex *x = &g->vertex[v];
    if (!uses[v]) continue;
    fg_edge a = with_sign(image[x->a >> 1], x->a);
    switch (x->kind) {
    case FG_V_ZERO: break;
    case FG_V_IN: image[v] = in[x->slot]; break;
    case FG_V_SUM: image[v] = fg_dag_add(d, a, with_sign(image[x->b >> 1], x->b)); break;
    case FG_V_SCALE: image[v] = fg_dag_scale(d, x->slot, a); break;
    case FG_V_TWIDDLE: image[v] = fg_dag_twiddle(d, x->slot, a); break;
    }
  }
  for (int i = 0; i < net->nout; i++) out[i] = with_sign(image[net->out[i] >> 1], net->out[i]);
}

static void accumulate(fg_dag *d, fg_edge *adjoint, fg_edge to, fg_edge what) {
  adjoint[to >> 1] = fg_dag_add(d, adjoint[to >> 1], with_sign(what, to));
}

void fg_network_transpose(const fg_network *net, fg_dag *d, const fg_edge *adjoint, fg_edge *in_adjoint) {
  const fg_dag *g = net->dag;
  const uint32_t *uses = fg_network_uses(net);
  fg_edge *sum = fg_arena_new(d->cx->arena, fg_edge, g->count);
  for (int i = 0; i < net->nin; i++) in_adjoint[i] = FG_ZERO;
  for (int i = 0; i < net->nout; i++) accumulate(d, sum, net->out[i], adjoint[i]);
  for (uint32_t v = g->count; v-- > 1;) {
    const fg_vertex *x = &g->vertex[v];
    if (!uses[v]) continue;
    switch (x->kind) {
    case FG_V_ZERO: break;
    case FG_V_IN: in_adjoint[x->slot] = sum[v]; break;
    case FG_V_SUM:
      accumulate(d, sum, x->a, sum[v]);
      accumulate(d, sum, x->b, sum[v]);
      break;
    case FG_V_SCALE: accumulate(d, sum, x->a, fg_dag_scale(d, x->slot, sum[v])); break;
    case FG_V_TWIDDLE: accumulate(d, sum, x->a, fg_dag_twiddle(d, x->slot, sum[v])); break;
    }
  }
}

fg_network_cost fg_network_count(const fg_network *net) {
  const uint32_t *uses = fg_network_uses(net);
  fg_network_cost cost = {0, 0};
  for (uint32_t v = 1; v < net->dag->count; v++) {
    if (!uses[v]) continue;
    fg_vertex_kind kind = net->dag->vertex[v].kind;
    cost.sums += kind == FG_V_SUM;
    cost.products += kind == FG_V_SCALE || kind == FG_V_TWIDDLE;
  }
  return cost;
}

/* Fused form: a product hides in a sum, so sums decide. */
bool fg_network_cheaper(const fg_network *a, const fg_network *b) {
  fg_network_cost x = fg_network_count(a), y = fg_network_count(b);
  int tx = x.sums + x.products, ty = y.sums + y.products;
  if (a->dag->form == FG_FORM_FMA) return x.sums != y.sums ? x.sums < y.sums : x.products < y.products;
  return tx != ty ? tx < ty : x.sums < y.sums;
}

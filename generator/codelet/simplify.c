/* Simplify. In: a network. Out: one that computes the same with fewer operations.
 *
 * The idea (Frigo, PLDI 1999): rebuild the network through the constructors, which fold constants, find equal and
 * opposite values, and take common factors out if that saves operations. Then do the same to the transposed network,
 * in which other values are equal, transpose back, and keep the result as long as it gets cheaper. */
#include "generator/codelet/simplify.h"

enum { MAX_ROUNDS = 8 };

typedef struct rewrite {
  const fg_dag *from;
  fg_dag *to;
  const uint32_t *uses;
  uint32_t *factored; /* per SCALE vertex: how many of its uses can take the factor out */
  fg_edge *image;
} rewrite;

static const fg_vertex *vertex_of(const fg_dag *d, fg_edge e) { return &d->vertex[e >> 1]; }

/* k a + k b? */
static bool common_factor(const fg_dag *d, const fg_vertex *v) {
  if (v->kind != FG_V_SUM) return false;
  const fg_vertex *a = vertex_of(d, v->a), *b = vertex_of(d, v->b);
  return a->kind == FG_V_SCALE && b->kind == FG_V_SCALE && a->slot == b->slot;
}

static void count_factored(rewrite *r) {
  r->factored = fg_arena_new(r->to->cx->arena, uint32_t, r->from->count);
  for (uint32_t v = 1; v < r->from->count; v++) {
    const fg_vertex *x = &r->from->vertex[v];
    if (!r->uses[v] || !common_factor(r->from, x)) continue;
    r->factored[x->a >> 1]++;
    r->factored[x->b >> 1]++;
  }
}

static fg_edge image_of(const rewrite *r, fg_edge e) {
  fg_edge i = r->image[e >> 1];
  return e & 1 ? fg_dag_neg(i) : i;
}

/* k a + k b as k (a + b), when neither product is needed elsewhere. */
static bool take_factor_out(const rewrite *r, const fg_vertex *x, fg_edge *out) {
  if (!common_factor(r->from, x)) return false;
  uint32_t a = x->a >> 1, b = x->b >> 1;
  if (r->factored[a] < r->uses[a] || r->factored[b] < r->uses[b]) return false;
  const fg_vertex *ka = &r->from->vertex[a], *kb = &r->from->vertex[b];
  fg_edge left = image_of(r, ka->a), right = image_of(r, kb->a);
  if (x->a & 1) left = fg_dag_neg(left);
  if (x->b & 1) right = fg_dag_neg(right);
  *out = fg_dag_scale(r->to, ka->slot, fg_dag_add(r->to, left, right));
  return true;
}

/* Is e a product by a constant that nothing else uses? */
static bool private_scale(const rewrite *r, fg_edge e) {
  return vertex_of(r->from, e)->kind == FG_V_SCALE && r->uses[e >> 1] == 1;
}

/* k (p a + q b) as (k p) a + (k q) b, when p a + q b, p a and q b are needed
 * nowhere else: one product less. */
static bool push_factor_in(const rewrite *r, const fg_vertex *x, fg_edge *out) {
  if (x->kind != FG_V_SCALE || r->uses[x->a >> 1] != 1) return false;
  const fg_vertex *sum = vertex_of(r->from, x->a);
  if (sum->kind != FG_V_SUM || common_factor(r->from, sum)) return false;
  if (!private_scale(r, sum->a) || !private_scale(r, sum->b)) return false;
  fg_edge left = fg_dag_scale(r->to, x->slot, image_of(r, sum->a));
  *out = fg_dag_add(r->to, left, fg_dag_scale(r->to, x->slot, image_of(r, sum->b)));
  return true;
}

static fg_edge rebuild_vertex(const rewrite *r, const fg_vertex *x) {
  fg_edge out;
  if (take_factor_out(r, x, &out) || push_factor_in(r, x, &out)) return out;
  switch (x->kind) {
  case FG_V_ZERO: return FG_ZERO;
  case FG_V_IN: return fg_dag_input(r->to, x->slot);
  case FG_V_SUM: return fg_dag_add(r->to, image_of(r, x->a), image_of(r, x->b));
  case FG_V_SCALE: return fg_dag_scale(r->to, x->slot, image_of(r, x->a));
  case FG_V_TWIDDLE: return fg_dag_twiddle(r->to, x->slot, image_of(r, x->a));
  }
  return FG_ZERO;
}

static fg_network rebuild(const fg_network *net) {
  rewrite r = {.from = net->dag, .to = fg_dag_sibling(net->dag), .uses = fg_network_uses(net)};
  r.image = fg_arena_new(r.to->cx->arena, fg_edge, r.from->count);
  count_factored(&r);
  for (uint32_t v = 1; v < r.from->count; v++)
    if (r.uses[v]) r.image[v] = rebuild_vertex(&r, &r.from->vertex[v]);
  fg_network out = {r.to, net->nin, net->nout, fg_arena_new(r.to->cx->arena, fg_edge, net->nout)};
  for (int i = 0; i < net->nout; i++) out.out[i] = image_of(&r, net->out[i]);
  return out;
}

/* Whether next is cheaper than best, whose place it takes then. The other is retired. */
static bool improves(fg_network *best, const fg_network *next) {
  bool cheaper = fg_network_cheaper(next, best);
  fg_dag_retire(cheaper ? best->dag : next->dag);
  if (cheaper) *best = *next;
  return cheaper;
}

/* Rebuilt until that gains nothing more. */
static fg_network settle(const fg_network *net) {
  fg_network best = rebuild(net);
  for (int i = 0; i < MAX_ROUNDS; i++) {
    fg_network next = rebuild(&best);
    if (!improves(&best, &next)) break;
  }
  return best;
}

static fg_network transposed(const fg_network *net) {
  fg_arena *arena = net->dag->cx->arena;
  fg_network t = {fg_dag_sibling(net->dag), net->nout, net->nin, fg_arena_new(arena, fg_edge, net->nin)};
  fg_edge *adjoint = fg_arena_new(arena, fg_edge, net->nout);
  for (int i = 0; i < net->nout; i++) adjoint[i] = fg_dag_input(t.dag, (uint32_t)i);
  fg_network_transpose(net, t.dag, adjoint, t.out);
  return t;
}

static fg_network settled_transpose(const fg_network *net) {
  fg_network t = transposed(net), settled = settle(&t);
  fg_dag_retire(t.dag);
  return settled;
}

fg_network fg_simplify(const fg_network *net) {
  fg_network best = settle(net);
  for (int i = 0; i < MAX_ROUNDS; i++) {
    fg_network turned = settled_transpose(&best), back = settled_transpose(&turned);
    fg_dag_retire(turned.dag);
    if (!improves(&best, &back)) break;
  }
  return best;
}

/* See walk_parts.h. In: a kernel. Out: its stages' routes, and whether digits, blocks and barriers are such as can be
 * walked: what contradicts itself is found here, before any instance is. */
#include "generator/ir/walk_parts.h"

typedef fg_walk_stage compiled;
typedef fg_walk_state walk;

static int64_t extent(const walk *w, int digit) { return fg_site_extent(&w->at, digit); }

static bool sort_digits(walk *w, compiled *c) {
  c->lane = -1;
  for (int i = 0; i < c->s->nloop; i++) {
    int16_t d = c->s->loop[i];
    const fg_digit *digit = &w->at.k->digit[d];
    switch (digit->role) {
    case FG_ROLE_LOOP: c->loop[c->nloop++] = d; break;
    case FG_ROLE_REG: c->copy[c->ncopy++] = d; break;
    case FG_ROLE_THREAD:
      if (digit->div < 1 || digit->div * extent(w, d) > w->at.k->launch.threads)
        return fg_site_contradiction(&w->at, "threads do not cover digit", digit->name);
      c->thread[c->nthread++] = d;
      break;
    case FG_ROLE_LANE:
      if (c->lane >= 0 || extent(w, d) < 1 || extent(w, d) > FG_WALK_WIDTH)
        return fg_site_contradiction(&w->at, "more lanes than a vector has:", digit->name);
      c->lane = d;
      c->lanes = (int)extent(w, d);
      break;
    default: return fg_site_contradiction(&w->at, "a stage's loop over a digit of the whole kernel:", digit->name);
    }
  }
  if (c->s->vectors.lane >= 0 && c->s->vectors.lane != c->lane)
    return fg_site_contradiction(&w->at, "the lane digit is not among the loops", NULL);
  return true;
}

static bool check_slots(walk *w, const compiled *c) {
  const fg_stage *s = c->s;
  int in = fg_route_numbers(w->at.p, &c->load), parts = fg_buffer_parts(&w->at.p->buffer[s->store.buffer]);
  int out = fg_route_numbers(w->at.p, &c->store) / parts * fg_stage_result_parts(w->at.p, s);
  if (!s->codelet) return in == out || fg_site_contradiction(&w->at, "a copy with more loads than stores", NULL);
  if (in != s->codelet->nin || out != s->codelet->nout)
    return fg_site_contradiction(&w->at, "slots that do not fit the codelet of", s->what);
  int roots = (s->factors.has_twiddle ? fg_route_numbers(w->at.p, &c->twiddle) : 0) +
              (s->factors.has_more ? fg_route_numbers(w->at.p, &c->more) : 0);
  for (int f = 0; s->factors.product && f < s->codelet->ntw / 2; f++)
    if (!fg_product_possible(&s->factors.product[f], f, (roots + 1) / 2))
      return fg_site_contradiction(&w->at, "a twiddle factor of what is not there, in", s->what);
  if (!s->factors.product && roots != s->codelet->ntw)
    return fg_site_contradiction(&w->at, "twiddle slots that do not fit the codelet of", s->what);
  return true;
}

static bool compile_stage(walk *w, int stage) {
  compiled *c = &w->stages[stage];
  *c = (compiled){.s = &w->at.k->stage[stage]};
  if (!sort_digits(w, c) || !fg_route_compile(&w->at, &c->s->load, &c->load) ||
      !fg_route_compile(&w->at, &c->s->store, &c->store))
    return false;
  if (c->s->factors.has_twiddle && !fg_route_compile(&w->at, &c->s->factors.twiddle, &c->twiddle)) return false;
  if (c->s->factors.has_more && !fg_route_compile(&w->at, &c->s->factors.more, &c->more)) return false;
  if (!check_slots(w, c)) return false;
  if (!fg_route_compile_operations(&w->at, c->s->operations.loaded, &c->load, c->loaded)) return false;
  if (!fg_route_compile_operations(&w->at, c->s->operations.stored, &c->store, c->stored)) return false;
  fg_route_add_operations(&c->load, c->s->operations.loaded, c->loaded);
  fg_route_add_operations(&c->store, c->s->operations.stored, c->stored);
  fg_scope widest = w->at.k->launch.cluster > 1 ? FG_SCOPE_CLUSTER : FG_SCOPE_BLOCK;
  if (c->s->exchange.between.scope > widest || (c->s->exchange.after.scope > widest && stage + 1 < w->at.k->nstage))
    return fg_site_contradiction(&w->at, "barriers between blocks are not walked", NULL);
  if (w->at.k->launch.cluster > 1 && c->nloop)
    for (int j = 0; j < c->nloop; j++) /* a block with fewer iterations would leave the others waiting */
      if (fg_exchange_crosses(&c->s->exchange.between) && w->at.k->digit[c->loop[j]].extent.form != FG_NUM_CONST)
        return fg_site_contradiction(
            &w->at, "a barrier of the cluster in a loop of run-time length:", w->at.k->digit[c->loop[j]].name);
  for (int j = 0; j < c->s->npred; j++) {
    c->guard[j] = fg_linear_compile(&w->at, &c->s->pred[j].value, -1);
    c->guard_bound[j] = fg_num_value(c->s->pred[j].bound, w->at.params);
  }
  return true;
}

/* At an end, or between stages, to the memory of the first one. */
static bool has_place(const walk *w, int stage) {
  const fg_kernel *k = w->at.k;
  const fg_stage *s = &k->stage[stage];
  if (stage == 0 || stage + 1 == k->nstage) return true;
  return s->exchange.after.transport != FG_TRANSPORT_ENGINE &&
         fg_buffer_root(w->at.p, s->store.buffer) == fg_buffer_root(w->at.p, k->stage[0].store.buffer);
}

/* What walk.c knows how to walk, of copies in bulk. */
bool fg_walk_check_bulk(walk *w) {
  const fg_kernel *k = w->at.k;
  bool any = false;
  for (int i = 0; i < k->nstage; i++) {
    any |= fg_stage_is_bulk(&k->stage[i]);
    if (fg_stage_is_bulk(&k->stage[i]) && (k->stage[i].codelet || !has_place(w, i) || k->nstage < 2))
      return fg_site_contradiction(&w->at, "a bulk copy that is not at an end:", k->stage[i].what);
  }
  bool first = fg_kernel_fetches(k), alone = k->nouter == 1 && k->launch.cluster < 2 && !k->npred;
  if (any && (!first || !alone || k->launch.persistent == (k->launch.iterations > 0) ||
              k->digit[k->outer[0]].role != FG_ROLE_BLOCK))
    return fg_site_contradiction(&w->at, "bulk copies of blocks that do not go through numbers", NULL);
  return !any || (k->launch.fetch > 1 && k->launch.fetch <= k->nstage) ||
         fg_site_contradiction(&w->at, "bulk copies that begin nowhere", NULL);
}

bool fg_walk_compile(walk *w) {
  if (!fg_kernel_groups_fit(w->at.k))
    return fg_site_contradiction(&w->at, "loops that stages share and do not have", NULL);
  w->stages = fg_arena_new(w->at.cx->arena, compiled, w->at.k->nstage);
  for (int i = 0; i < w->at.k->nstage; i++)
    if (!compile_stage(w, i)) return false;
  return true;
}

/* Blocks find their digits by division: the divisors must be those of the nest. */
bool fg_walk_check_blocks(walk *w) {
  const fg_kernel *k = w->at.k;
  int64_t inner = 1, blocks = 1;
  for (int i = 0; i < k->nouter; i++) {
    fg_role role = k->digit[k->outer[i]].role;
    if (role > FG_ROLE_RING && role != FG_ROLE_LOOP)
      return fg_site_contradiction(&w->at, "an outer digit that is no block's:", k->digit[k->outer[i]].name);
  }
  if (k->launch.cluster > 1 &&
      (fg_kernel_rank(k) < 0 || !fg_num_is(k->digit[fg_kernel_rank(k)].extent, k->launch.cluster) ||
       k->digit[fg_kernel_rank(k)].role != FG_ROLE_BLOCK))
    return fg_site_contradiction(&w->at, "no digit that numbers the blocks of a cluster", NULL);
  if (!fg_walk_has_threads(w->at.p) && !w->at.p->vectors.side_by_side) return true;
  for (int i = k->nouter - 1; i >= 0; i--) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role != FG_ROLE_BLOCK) continue;
    if (d->div != inner && extent(w, k->outer[i]) > 1)
      return fg_site_contradiction(&w->at, "a wrong divisor of block digit", d->name);
    inner = fg_wrap_mul(inner, extent(w, k->outer[i]));
  }
  if (k->launch.iterations > 1) inner = (inner + k->launch.iterations - 1) / k->launch.iterations;
  for (int i = 0; i < k->launch.nblocks; i++)
    blocks = fg_wrap_mul(blocks, fg_num_value(k->launch.blocks[i], w->at.params));
  if (blocks != inner) return fg_site_contradiction(&w->at, "not as many blocks as block digits count", NULL);
  return true;
}

bool fg_walk_has_threads(const fg_program *p) {
  for (int i = 0; i < p->nkernel; i++) {
    if (p->kernel[i]->launch.threads > 1) return true;
    for (int d = 0; d < p->kernel[i]->ndigit; d++)
      if (p->kernel[i]->digit[d].role == FG_ROLE_THREAD) return true;
  }
  return false;
}

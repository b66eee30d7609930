/* In: a program and values of its run-time parameters. Out: every access of
 * every instance of every stage, bundle by bundle: which digits have which values,
 * and when. What an access makes of them is its route's (route.c). */
#include "generator/route.h"

typedef struct compiled { /* a stage, compiled */
  const fg_stage *s;
  fg_route load, twiddle, more, store;
  fg_route *loaded[FG_MAX_POINTS], *stored[FG_MAX_POINTS]; /* operands; NULL: none */
  fg_line guard[FG_MAX_PREDS];
  int64_t guard_bound[FG_MAX_PREDS];
  int nloop, ncopy, nthread; /* its digits by role */
  int16_t loop[FG_MAX_LOOPS], copy[FG_MAX_LOOPS], thread[FG_MAX_LOOPS];
  int lane, lanes; /* lane -1: none */
} compiled;

typedef struct walk {
  fg_site at; /* the present kernel */
  const fg_walk_options *options;
  const fg_walker *to;
  int ik;
  int16_t cut;      /* see fg_walk_cut */
  compiled *stages; /* of the kernel */
  compiled *s;      /* the present one */
  int64_t value[FG_MAX_DIGITS];
  int phase; /* 1: load, 2: store, 3: both at once */
  int hold;
  fg_bundle bundle;
} walk;

static int64_t extent(const walk *w, int digit) { return fg_site_extent(&w->at, digit); }

static void set_digit(walk *w, int digit, int64_t counter) {
  w->value[digit] = fg_digit_value(&w->at.k->digit[digit], counter, w->at.params);
}

static void aim_instance(walk *w, int i, int32_t thread) {
  fg_bundle *b = &w->bundle;
  b->thread[i] = thread;
  b->active[i] = 1;
  compiled *c = w->s;
  for (int j = 0; j < c->s->npred; j++) b->active[i] &= fg_line_value(&c->guard[j], w->value) < c->guard_bound[j];
  fg_instance n = {w->value, b->width, i, b->active[i]};
  for (int j = 0; j < FG_MAX_POINTS; j++) {
    if ((w->phase & 1) && c->loaded[j]) fg_route_aim(c->loaded[j], &n);
    if ((w->phase & 2) && c->stored[j]) fg_route_aim(c->stored[j], &n);
  }
  if (w->phase & 1) {
    fg_route_aim(&c->load, &n);
    if (c->s->has_twiddle) fg_route_aim(&c->twiddle, &n);
    if (c->s->has_more) fg_route_aim(&c->more, &n);
  }
  if (w->phase & 2) fg_route_aim(&c->store, &n);
}

static void set_threads(walk *w, int32_t thread) {
  for (int i = 0; i < w->s->nthread; i++) {
    int digit = w->s->thread[i];
    set_digit(w, digit, thread / w->at.k->digit[digit].div % extent(w, digit));
  }
}

static bool report(walk *w) {
  fg_bundle *b = &w->bundle;
  b->value = w->value;
  b->hold = w->hold;
  fg_moves t[2] = {w->s->twiddle.moves, w->s->more.moves};
  if ((w->phase & 1) && !w->to->load(w->to->self, b, &w->s->load.moves, w->s->s->has_twiddle ? t : NULL)) return false;
  if ((w->phase & 2) && !w->to->store(w->to->self, b, &w->s->store.moves)) return false;
  if (w->phase != 3) w->hold++;
  return true;
}

/* All threads and lanes, at fixed values of the other digits. */
static bool walk_bundles(walk *w) {
  fg_bundle *b = &w->bundle;
  int threads = w->at.k->threads > 1 ? w->at.k->threads : 1;
  int lane = w->s->lane;
  b->lanes = lane >= 0;
  for (int t = 0; t < threads;) {
    b->width = b->lanes ? w->s->lanes : threads - t < FG_WARP ? threads - t : FG_WARP;
    for (int i = 0; i < b->width; i++) {
      if (b->lanes) set_digit(w, lane, i);
      if (i == 0 || !b->lanes) set_threads(w, t + (b->lanes ? 0 : i));
      aim_instance(w, i, t + (b->lanes ? 0 : i));
    }
    if (b->lanes) set_digit(w, lane, 0);
    if (!report(w)) return false;
    t += b->lanes ? 1 : b->width;
  }
  return true;
}

static bool walk_copies(walk *w, int depth) {
  if (depth == w->s->ncopy) return walk_bundles(w);
  int64_t n = extent(w, w->s->copy[depth]);
  for (int64_t i = 0; i < n; i++) {
    set_digit(w, w->s->copy[depth], i);
    if (!walk_copies(w, depth + 1)) return false;
  }
  return true;
}

/* The same for all blocks of a cluster, one after the other. */
static bool walk_ranks(walk *w) {
  int16_t rank = fg_kernel_rank(w->at.k);
  if (rank < 0) return walk_copies(w, 0);
  for (int i = 0; i < w->at.k->cluster; i++) {
    set_digit(w, rank, i);
    if (w->to->rank) w->to->rank(w->to->self, i);
    if (!walk_copies(w, 0)) return false;
  }
  return true;
}

static bool cross(walk *w, fg_crossing c) { return !w->to->cross || w->to->cross(w->to->self, c); }

/* Between loads and stores. */
static bool pass_middle(walk *w) {
  const fg_stage *s = w->s->s;
  if (s->sync_mid < FG_SCOPE_CLUSTER) {
    w->to->sync(w->to->self, s->sync_mid);
    return true;
  }
  return (s->arrive != FG_POINT_USED || cross(w, FG_CROSSING_ARRIVE)) && cross(w, FG_CROSSING_WAIT);
}

/* Whether only the ends of a digit are to be walked. */
static bool left_out(const walk *w, int digit, int64_t n) {
  int64_t ends = w->options->ends;
  return ends && n > 2 * ends && w->at.k->digit[digit].batch;
}

/* The next counter after i. */
static int64_t next(const walk *w, int digit, int64_t i, int64_t n) {
  int64_t ends = w->options->ends;
  return left_out(w, digit, n) && i + 1 == ends ? n - ends : i + 1;
}

static bool walk_loops(walk *w, int depth) {
  if (depth < w->s->nloop) {
    int d = w->s->loop[depth];
    int64_t n = extent(w, d);
    for (int64_t i = 0; i < n; i = next(w, d, i, n)) {
      set_digit(w, d, i);
      if (!walk_loops(w, depth + 1)) return false;
    }
    return true;
  }
  w->hold = 0;
  if (w->s->s->sync_mid < FG_SCOPE_BLOCK) {
    w->phase = 3;
    return walk_ranks(w);
  }
  bool early = w->s->s->sync_mid == FG_SCOPE_CLUSTER && w->s->s->arrive != FG_POINT_USED;
  if (early && !cross(w, FG_CROSSING_ARRIVE)) return false;
  w->phase = 1;
  if (!walk_ranks(w) || !pass_middle(w)) return false;
  w->phase = 2;
  w->hold = 0;
  return walk_ranks(w);
}

static bool sort_digits(walk *w, compiled *c) {
  c->lane = -1;
  for (int i = 0; i < c->s->nloop; i++) {
    int16_t d = c->s->loop[i];
    const fg_digit *digit = &w->at.k->digit[d];
    switch (digit->role) {
    case FG_ROLE_LOOP: c->loop[c->nloop++] = d; break;
    case FG_ROLE_REG: c->copy[c->ncopy++] = d; break;
    case FG_ROLE_THREAD:
      if (digit->div < 1 || digit->div * extent(w, d) > w->at.k->threads)
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
  if (c->s->lane >= 0 && c->s->lane != c->lane)
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
  int roots = (s->has_twiddle ? fg_route_numbers(w->at.p, &c->twiddle) : 0) +
              (s->has_more ? fg_route_numbers(w->at.p, &c->more) : 0);
  for (int f = 0; s->product && f < s->codelet->ntw / 2; f++)
    if (!fg_product_possible(&s->product[f], f, (roots + 1) / 2))
      return fg_site_contradiction(&w->at, "a twiddle factor of what is not there, in", s->what);
  if (!s->product && roots != s->codelet->ntw)
    return fg_site_contradiction(&w->at, "twiddle slots that do not fit the codelet of", s->what);
  return true;
}

static bool compile_stage(walk *w, int stage) {
  compiled *c = &w->stages[stage];
  *c = (compiled){.s = &w->at.k->stage[stage]};
  if (!sort_digits(w, c) || !fg_route_compile(&w->at, &c->s->load, &c->load) ||
      !fg_route_compile(&w->at, &c->s->store, &c->store))
    return false;
  if (c->s->has_twiddle && !fg_route_compile(&w->at, &c->s->twiddle, &c->twiddle)) return false;
  if (c->s->has_more && !fg_route_compile(&w->at, &c->s->more, &c->more)) return false;
  if (!check_slots(w, c)) return false;
  if (!fg_route_compile_points(&w->at, c->s->loaded, &c->load, c->loaded)) return false;
  if (!fg_route_compile_points(&w->at, c->s->stored, &c->store, c->stored)) return false;
  fg_route_add_points(&c->load, c->s->loaded, c->loaded);
  fg_route_add_points(&c->store, c->s->stored, c->stored);
  fg_scope widest = w->at.k->cluster > 1 ? FG_SCOPE_CLUSTER : FG_SCOPE_BLOCK;
  if (c->s->sync_mid > widest || (c->s->sync_end > widest && stage + 1 < w->at.k->nstage))
    return fg_site_contradiction(&w->at, "barriers between blocks are not walked", NULL);
  if (w->at.k->cluster > 1 && c->nloop)
    for (int j = 0; j < c->nloop; j++) /* a block with fewer turns would leave the others waiting */
      if (c->s->sync_mid == FG_SCOPE_CLUSTER && w->at.k->digit[c->loop[j]].extent.form != FG_NUM_CONST)
        return fg_site_contradiction(
            &w->at, "a barrier of the cluster in a loop of run-time length:", w->at.k->digit[c->loop[j]].name);
  for (int j = 0; j < c->s->npred; j++) {
    c->guard[j] = fg_line_compile(&w->at, &c->s->pred[j].value, -1);
    c->guard_bound[j] = fg_num_value(c->s->pred[j].bound, w->at.params);
  }
  return true;
}

static bool holds(const walk *w, const fg_pred *pred, int npred) {
  for (int i = 0; i < npred; i++) {
    fg_line l = fg_line_compile(&w->at, &pred[i].value, -1);
    if (fg_line_value(&l, w->value) >= fg_num_value(pred[i].bound, w->at.params)) return false;
  }
  return true;
}

static bool walk_stage(walk *w, int stage) {
  w->s = &w->stages[stage];
  w->bundle.kernel = w->ik;
  w->bundle.stage = stage;
  w->bundle.what = w->s->s;
  return walk_loops(w, 0);
}

static bool walk_end(walk *w) {
  fg_scope end = w->s->s->sync_end;
  if (end == FG_SCOPE_CLUSTER && !cross(w, FG_CROSSING_DATA)) return false;
  if (end >= FG_SCOPE_BLOCK && end != FG_SCOPE_CLUSTER) w->to->sync(w->to->self, end);
  return true;
}

/* With both halves of the cluster's barrier around it, where they stand apart. */
static bool walk_between(walk *w, int stage) {
  const fg_stage *s = &w->at.k->stage[stage];
  if (s->sync_begin == FG_SCOPE_CLUSTER && !cross(w, FG_CROSSING_WAIT)) return false;
  if (s->sync_begin == FG_SCOPE_BLOCK) w->to->sync(w->to->self, FG_SCOPE_BLOCK);
  return walk_stage(w, stage) && (!s->arrives || cross(w, FG_CROSSING_ARRIVE)) && walk_end(w);
}

static bool walk_stages(walk *w) {
  if (!holds(w, w->at.k->pred, w->at.k->npred)) return true;
  if (w->at.k->arrives && !cross(w, FG_CROSSING_ARRIVE)) return false;
  for (int i = 0; i < w->at.k->nstage; i++)
    if (!walk_between(w, i)) return false;
  return true;
}

/* ---- bulk copies ------------------------------------------------------------------------- */

static bool bulk(walk *w, fg_bulk b, int64_t block) { return !w->to->bulk || w->to->bulk(w->to->self, b, block); }

/* The first stage, for number `next`; -1: there is none. */
static bool walk_fetch(walk *w, int64_t now, int64_t next) {
  int d = w->at.k->outer[0];
  if (next < 0) return true;
  set_digit(w, d, next);
  bool good = bulk(w, FG_BULK_FETCH, next) && walk_stage(w, 0) && bulk(w, FG_BULK_FETCHED, now);
  set_digit(w, d, now);
  return good;
}

static bool walk_turn(walk *w, int64_t now, int64_t next) {
  const fg_kernel *k = w->at.k;
  bool leaves = k->stage[k->nstage - 1].bulk;
  if (!bulk(w, FG_BULK_COME, now)) return false;
  for (int i = 1; i < k->nstage; i++) {
    if (i == k->fetch && !walk_fetch(w, now, next)) return false;
    if (!walk_stage(w, i) || !walk_end(w)) return false;
  }
  if (leaves && (!bulk(w, FG_BULK_LEAVE, now) || !bulk(w, FG_BULK_GONE, now))) return false;
  w->to->sync(w->to->self, FG_SCOPE_BLOCK);
  return k->fetch < k->nstage || walk_fetch(w, now, next);
}

static bool walk_turns(walk *w) {
  int d = w->at.k->outer[0];
  int64_t n = extent(w, d), after;
  for (int64_t i = 0; i < n; i = after) {
    after = next(w, d, i, n);
    set_digit(w, d, i);
    if (!w->to->block(w->to->self, i) || (i == 0 && !walk_fetch(w, 0, 0))) return false;
    if (!walk_turn(w, i, after < n ? after : -1)) return false;
  }
  return true;
}

/* What the turns above know how to walk. */
static bool check_bulk(walk *w) {
  const fg_kernel *k = w->at.k;
  bool any = false;
  for (int i = 0; i < k->nstage; i++) {
    any |= k->stage[i].bulk;
    if (k->stage[i].bulk && (k->stage[i].codelet || (i > 0 && i + 1 < k->nstage) || k->nstage < 2))
      return fg_site_contradiction(&w->at, "a bulk copy that is not at an end:", k->stage[i].what);
  }
  bool first = fg_kernel_fetches(k), alone = k->nouter == 1 && k->cluster < 2 && !k->npred;
  if (any && (!first || !alone || k->persistent == (k->turns > 0) || k->digit[k->outer[0]].role != FG_ROLE_BLOCK))
    return fg_site_contradiction(&w->at, "bulk copies of blocks that do not go through numbers", NULL);
  return !any || (k->fetch > 1 && k->fetch <= k->nstage) ||
         fg_site_contradiction(&w->at, "bulk copies that begin nowhere", NULL);
}

/* The outer digits that a block runs through by itself. */
static bool walk_block(walk *w, int depth) {
  const fg_kernel *k = w->at.k;
  while (depth < k->nouter && k->digit[k->outer[depth]].role != FG_ROLE_LOOP) depth++;
  if (depth == k->nouter) return walk_stages(w);
  int64_t n = extent(w, k->outer[depth]);
  for (int64_t i = 0; i < n; i++) {
    set_digit(w, k->outer[depth], i);
    if (!walk_block(w, depth + 1)) return false;
  }
  return true;
}

static int64_t block_count(const walk *w) {
  int64_t n = 1;
  for (int i = 0; i < w->at.k->nouter; i++)
    if (w->at.k->digit[w->at.k->outer[i]].role == FG_ROLE_BLOCK) n = fg_wrap_mul(n, extent(w, w->at.k->outer[i]));
  return n;
}

/* Outer digits of one role after the other: hosts go around launches. Numbers of
 * blocks follow the order of the loops. */
static bool walk_outer(walk *w, int depth, fg_role role, int64_t block) {
  const fg_kernel *k = w->at.k;
  int nouter = fg_kernel_rank(k) < 0 ? k->nouter : k->nouter - 1;
  while (depth < nouter && k->digit[k->outer[depth]].role != role) depth++;
  if (depth == nouter) {
    if (role == FG_ROLE_BLOCK)
      return w->to->block(w->to->self, fg_kernel_rank(k) < 0 ? block : block * k->cluster) && walk_block(w, 0);
    if (!w->to->launch(w->to->self, w->ik, block_count(w))) return false;
    return fg_kernel_fetches(k) ? walk_turns(w) : walk_outer(w, 0, FG_ROLE_BLOCK, 0);
  }
  int d = k->outer[depth];
  int64_t n = extent(w, d), i = 0, end = n;
  if (w->options->shares > 1 && d == w->cut) {
    int64_t parts = fg_digit_parts(&k->digit[d], n), share = w->options->share;
    i = parts * share / w->options->shares;
    if (share + 1 < w->options->shares) end = parts * (share + 1) / w->options->shares;
  }
  for (; i < end; i = next(w, d, i, n)) {
    set_digit(w, d, i);
    if (!walk_outer(w, depth + 1, role, fg_wrap_add(fg_wrap_mul(block, n), i))) return false;
  }
  return true;
}

static bool compile_kernel(walk *w) {
  w->stages = fg_arena_new(w->at.cx->arena, compiled, w->at.k->nstage);
  for (int i = 0; i < w->at.k->nstage; i++)
    if (!compile_stage(w, i)) return false;
  return true;
}

/* Blocks find their digits by division: the divisors must be those of the nest. */
static bool check_blocks(walk *w) {
  const fg_kernel *k = w->at.k;
  int64_t inner = 1, blocks = 1;
  for (int i = 0; i < k->nouter; i++) {
    fg_role role = k->digit[k->outer[i]].role;
    if (role != FG_ROLE_HOST && role != FG_ROLE_BLOCK && role != FG_ROLE_LOOP)
      return fg_site_contradiction(&w->at, "an outer digit that is no block's:", k->digit[k->outer[i]].name);
  }
  if (k->cluster > 1 && (fg_kernel_rank(k) < 0 || !fg_num_is(k->digit[fg_kernel_rank(k)].extent, k->cluster) ||
                         k->digit[fg_kernel_rank(k)].role != FG_ROLE_BLOCK))
    return fg_site_contradiction(&w->at, "no digit that numbers the blocks of a cluster", NULL);
  if (!fg_walk_has_threads(w->at.p) && !w->at.p->side_by_side) return true;
  for (int i = k->nouter - 1; i >= 0; i--) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role != FG_ROLE_BLOCK || d->again) continue;
    if (d->div != inner && extent(w, k->outer[i]) > 1)
      return fg_site_contradiction(&w->at, "a wrong divisor of block digit", d->name);
    inner = fg_wrap_mul(inner, extent(w, k->outer[i]));
  }
  if (k->turns > 1) inner = (inner + k->turns - 1) / k->turns;
  for (int i = 0; i < k->nblocks; i++) blocks = fg_wrap_mul(blocks, fg_num_value(k->blocks[i], w->at.params));
  if (blocks != inner) return fg_site_contradiction(&w->at, "not as many blocks as block digits count", NULL);
  return true;
}

/* ---- queues -------------------------------------------------------------------------- */

/* Transforms between the ends of the batch are left out. */
static bool tile_left_out(const walk *w, int64_t tile) {
  int64_t ends = w->options->ends;
  for (int i = 0; i < w->at.k->nouter; i++) {
    int d = w->at.k->outer[i];
    int64_t n = extent(w, d), at = tile / w->at.k->digit[d].div % n;
    if (left_out(w, d, n) && at >= ends && at < n - ends) return true;
  }
  return false;
}

static bool walk_tile(walk *w, int64_t tile) {
  for (int i = 0; i < w->at.k->nouter; i++) {
    int d = w->at.k->outer[i];
    set_digit(w, d, tile / w->at.k->digit[d].div % extent(w, d));
  }
  return walk_block(w, 0);
}

/* One launch of the first two kernels: their tiles in the order of the queue. False: the walk is over. */
static bool walk_queue(walk *w) {
  const fg_queue *q = &w->at.p->queue;
  int64_t transforms = fg_num_value(q->transforms, w->at.params), items = fg_queue_items(q, transforms);
  compiled *stages[2];
  for (w->ik = 0; w->ik < 2; w->ik++) {
    w->at.k = w->at.p->kernel[w->ik];
    if (!check_blocks(w) || !compile_kernel(w)) return false;
    stages[w->ik] = w->stages;
  }
  if (!w->to->launch(w->to->self, 0, items)) return false;
  for (int64_t i = 0; i < items; i++) {
    fg_item item = fg_queue_item(q, transforms, i);
    if (item.kernel < 0) continue;
    w->ik = item.kernel;
    w->at.k = w->at.p->kernel[w->ik];
    w->stages = stages[w->ik];
    if (tile_left_out(w, item.tile)) continue;
    if (!w->to->item(w->to->self, i, &item) || !walk_tile(w, item.tile)) return false;
  }
  return !w->to->end || w->to->end(w->to->self);
}

bool fg_walk_has_threads(const fg_program *p) {
  for (int i = 0; i < p->nkernel; i++) {
    if (p->kernel[i]->threads > 1) return true;
    for (int d = 0; d < p->kernel[i]->ndigit; d++)
      if (p->kernel[i]->digit[d].role == FG_ROLE_THREAD) return true;
  }
  return false;
}

/* Blocks of threads are unordered: any digit of theirs will do, of launches without more than blocks. */
int16_t fg_walk_cut(const fg_program *p, const fg_kernel *k) {
  int16_t longest = -1;
  if (k->part || !fg_walk_has_threads(p)) return (int16_t)(k->part - 1);
  if (k->persistent || k->turns || p->queue.ring) return -1;
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role == FG_ROLE_HOST || d->again) return -1;
    bool fits = d->role == FG_ROLE_BLOCK && d->extent.form == FG_NUM_CONST && k->outer[i] != fg_kernel_rank(k);
    if (fits && (longest < 0 || d->extent.n > k->digit[longest].extent.n)) longest = k->outer[i];
  }
  return longest;
}

fg_status fg_walk(fg_context *cx, const fg_program *p, const fg_walk_options *options, const fg_walker *walker,
                  char why[200]) {
  walk *w = fg_arena_new(cx->arena, walk, 1);
  *w = (walk){.at = {.cx = cx, .p = p, .params = options->params, .local = options->local, .why = why},
              .options = options,
              .to = walker};
  bool on = !p->queue.ring || walk_queue(w);
  for (w->ik = p->queue.ring ? 2 : 0; on && w->ik < p->nkernel; w->ik++) {
    w->at.k = p->kernel[w->ik];
    w->cut = fg_walk_cut(p, w->at.k);
    if (!check_blocks(w) || !check_bulk(w) || !compile_kernel(w) || !walk_outer(w, 0, FG_ROLE_HOST, 0)) break;
    if (w->to->end && !w->to->end(w->to->self)) break;
  }
  return w->at.wrong ? FG_EWRONG : FG_OK;
}

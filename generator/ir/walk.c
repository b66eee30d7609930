/* In: a program and values of its run-time parameters. Out: every access of
 * every instance of every stage, SIMD group by SIMD group: which digits have which values,
 * and when. What an access makes of them is its route's (access_program.c). */
#include "generator/ir/walk_parts.h"

typedef fg_walk_stage compiled;
typedef fg_walk_state walk;

static int64_t extent(const walk *w, int digit) { return fg_site_extent(&w->at, digit); }

static void set_digit(walk *w, int digit, int64_t counter) {
  w->value[digit] = fg_digit_value(&w->at.k->digit[digit], counter, w->at.params);
}

/* Those counters of a digit that are walked; NULL: all. */
static const fg_picks *picks_of(const walk *w, int digit) {
  const fg_sample *s = w->options->sample;
  return s && !s->of[w->ik][digit].all ? &s->of[w->ik][digit] : NULL;
}

/* The counter behind i that is walked. */
static int64_t picked(const walk *w, int digit, int64_t i) {
  const fg_picks *some = picks_of(w, digit);
  return some ? fg_sample_next(some, i) : i + 1;
}

static void target_operands(const fg_operations *operations, fg_route **operand, const fg_instance *n) {
  for (int i = 0; operations && i < operations->count; i++)
    if (operand[i]) fg_route_target(operand[i], n);
}

static void target_instance(walk *w, int i, int32_t thread) {
  fg_simd_group *b = &w->simd_group;
  b->thread[i] = thread;
  b->active[i] = 1;
  compiled *c = w->s;
  for (int j = 0; j < c->s->npred; j++)
    b->active[i] &= fg_pred_value(&c->s->pred[j], fg_linear_value(&c->guard[j], w->value)) < c->guard_bound[j];
  fg_instance n = {w->value, b->width, i, b->active[i]};
  if (w->phase & 1) target_operands(c->s->operations.loaded, c->loaded, &n);
  if (w->phase & 2) target_operands(c->s->operations.stored, c->stored, &n);
  if (w->phase & 1) {
    fg_route_target(&c->load, &n);
    if (c->s->factors.has_twiddle) fg_route_target(&c->twiddle, &n);
    if (c->s->factors.has_more) fg_route_target(&c->more, &n);
  }
  if (w->phase & 2) fg_route_target(&c->store, &n);
}

static void set_threads(walk *w, int32_t thread) {
  for (int i = 0; i < w->s->nthread; i++) {
    int digit = w->s->thread[i];
    set_digit(w, digit, thread / w->at.k->digit[digit].div % extent(w, digit));
  }
}

static bool report(walk *w) {
  fg_simd_group *b = &w->simd_group;
  b->value = w->value;
  b->hold = w->hold;
  const fg_moves *t = w->s->s->factors.has_twiddle ? w->factors : NULL;
  if ((w->phase & 1) && !w->to->load(w->to->self, b, &w->s->load.moves, t)) return false;
  if ((w->phase & 2) && !w->to->store(w->to->self, b, &w->s->store.moves)) return false;
  if (w->phase != 3) w->hold++;
  return true;
}

/* All threads and lanes, at fixed values of the other digits. */
static bool walk_bundles(walk *w) {
  fg_simd_group *b = &w->simd_group;
  const fg_picks *some = picks_of(w, FG_MAX_DIGITS);
  int threads = some ? some->count : w->at.k->launch.threads > 1 ? w->at.k->launch.threads : 1;
  int lane = w->s->lane;
  b->lanes = lane >= 0;
  for (int t = 0; t < threads;) {
    b->width = b->lanes ? w->s->lanes : threads - t < FG_WARP ? threads - t : FG_WARP;
    for (int i = 0; i < b->width; i++) {
      int32_t thread = t + (b->lanes ? 0 : i);
      if (some) thread = (int32_t)some->at[thread];
      if (b->lanes) set_digit(w, lane, i);
      if (i == 0 || !b->lanes) set_threads(w, thread);
      target_instance(w, i, thread);
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
  for (int64_t i = 0; i < n; i = picked(w, w->s->copy[depth], i)) {
    set_digit(w, w->s->copy[depth], i);
    if (!walk_copies(w, depth + 1)) return false;
  }
  return true;
}

/* The same for all blocks of a cluster, one after the other. */
static bool walk_ranks(walk *w) {
  int16_t rank = fg_kernel_rank(w->at.k);
  if (rank < 0) return walk_copies(w, 0);
  for (int i = 0; i < w->at.k->launch.cluster; i++) {
    set_digit(w, rank, i);
    if (w->to->rank) w->to->rank(w->to->self, i);
    if (!walk_copies(w, 0)) return false;
  }
  return true;
}

static void sync(walk *w, fg_scope scope) {
  if (w->to->sync) w->to->sync(w->to->self, scope);
}

static bool begin_block(walk *w, int64_t block) { return !w->to->block || w->to->block(w->to->self, block); }

static bool launch(walk *w, int kernel, int64_t blocks) {
  return !w->to->launch || w->to->launch(w->to->self, kernel, blocks);
}

static bool cross(walk *w, fg_crossing c) { return !w->to->cross || w->to->cross(w->to->self, c); }

/* Between loads and stores. */
static bool pass_middle(walk *w) {
  const fg_exchange *x = &w->s->s->exchange.between;
  if (!fg_exchange_crosses(x)) {
    sync(w, x->scope);
    return true;
  }
  return (x->signal == FG_SIGNAL_ISSUED || cross(w, FG_CROSSING_ARRIVE)) && cross(w, FG_CROSSING_WAIT);
}

/* Whether only the ends of a digit are to be walked. */
static bool left_out(const walk *w, int digit, int64_t n) {
  int64_t ends = w->options->ends;
  return ends && n > 2 * ends && w->at.k->digit[digit].batch;
}

/* The next counter after i. */
static int64_t next(const walk *w, int digit, int64_t i, int64_t n) {
  int64_t ends = w->options->ends;
  return left_out(w, digit, n) && i + 1 == ends ? n - ends : picked(w, digit, i);
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
  if (!fg_exchange_waits(&w->s->s->exchange.between)) {
    w->phase = 3;
    return walk_ranks(w);
  }
  bool early = w->s->s->exchange.between.signal == FG_SIGNAL_ISSUED;
  if (early && !cross(w, FG_CROSSING_ARRIVE)) return false;
  w->phase = 1;
  if (!walk_ranks(w) || !pass_middle(w)) return false;
  w->phase = 2;
  w->hold = 0;
  return walk_ranks(w);
}

static bool holds(const walk *w, const fg_pred *pred, int npred) {
  for (int i = 0; i < npred; i++) {
    fg_linear l = fg_linear_compile(&w->at, &pred[i].value, -1);
    if (fg_pred_value(&pred[i], fg_linear_value(&l, w->value)) >= fg_num_value(pred[i].bound, w->at.params))
      return false;
  }
  return true;
}

static bool walk_stage(walk *w, int stage) {
  w->s = &w->stages[stage];
  w->factors[0] = w->s->twiddle.moves, w->factors[1] = w->s->more.moves;
  w->simd_group.kernel = w->ik;
  w->simd_group.stage = stage;
  w->simd_group.what = w->s->s;
  if (w->to->stage && !w->to->stage(w->to->self, w->ik, stage)) return false;
  return walk_loops(w, fg_stage_shared(w->at.k, w->s->s));
}

static bool walk_end(walk *w) {
  const fg_exchange *x = &w->s->s->exchange.after;
  if (fg_exchange_crosses(x)) return cross(w, FG_CROSSING_DATA);
  if (fg_exchange_waits(x)) sync(w, x->scope);
  return true;
}

/* With both halves of the cluster's barrier around it, where these are separate. */
static bool walk_between(walk *w, int stage) {
  const fg_stage *s = &w->at.k->stage[stage];
  if (fg_exchange_crosses(&s->exchange.before) && !cross(w, FG_CROSSING_WAIT)) return false;
  if (fg_exchange_is_barrier(&s->exchange.before)) sync(w, FG_SCOPE_BLOCK);
  return walk_stage(w, stage) && (!fg_exchange_crosses(&s->exchange.offer) || cross(w, FG_CROSSING_ARRIVE)) &&
         walk_end(w);
}

/* Stages first .. end - 1, for each value of the loops that they share. */
static bool walk_group(walk *w, int first, int end, int depth) {
  const fg_stage *s = &w->at.k->stage[first];
  if (depth < fg_stage_shared(w->at.k, s)) {
    int64_t n = extent(w, s->loop[depth]);
    for (int64_t i = 0; i < n; i = next(w, s->loop[depth], i, n)) {
      set_digit(w, s->loop[depth], i);
      if (!walk_group(w, first, end, depth + 1)) return false;
    }
    return true;
  }
  for (int i = first; i < end; i++)
    if (!walk_between(w, i)) return false;
  return true;
}

static bool walk_stages(walk *w) {
  if (!holds(w, w->at.k->pred, w->at.k->npred)) return true;
  if (fg_exchange_crosses(&w->at.k->launch.offer) && !cross(w, FG_CROSSING_ARRIVE)) return false;
  for (int i = 0, end; i < w->at.k->nstage; i = end) {
    end = fg_kernel_group_end(w->at.k, i);
    if (!walk_group(w, i, end, 0)) return false;
  }
  return true;
}

/* ---- bulk copies ------------------------------------------------------------------------- */

static bool bulk(walk *w, fg_bulk b, int64_t block) { return !w->to->bulk || w->to->bulk(w->to->self, b, block); }

/* A stage that brings what number `next` wants; -1: there is none. */
static bool walk_fetch(walk *w, int stage, int64_t now, int64_t next) {
  int d = w->at.k->outer[0];
  if (next < 0) return true;
  set_digit(w, d, next);
  bool good = bulk(w, FG_BULK_FETCH, next) && walk_stage(w, stage) && bulk(w, FG_BULK_FETCHED, now);
  set_digit(w, d, now);
  return good;
}

static bool walk_iteration(walk *w, int64_t now, int64_t next) {
  const fg_kernel *k = w->at.k;
  bool leaves = fg_stage_is_bulk(&k->stage[k->nstage - 1]);
  if (!bulk(w, FG_BULK_COME, now)) return false;
  for (int i = 1; i < k->nstage; i++) {
    if (i == k->launch.fetch && !walk_fetch(w, 0, now, next)) return false;
    if (fg_stage_is_bulk(&k->stage[i]) && i + 1 < k->nstage) {
      if (!walk_fetch(w, i, now, now)) return false;
      continue;
    }
    if (fg_exchange_is_engine_wait(&k->stage[i].exchange.before) && !bulk(w, FG_BULK_COME, now)) return false;
    if (!walk_stage(w, i) || !walk_end(w)) return false;
  }
  if (leaves && (!bulk(w, FG_BULK_LEAVE, now) || !bulk(w, FG_BULK_DRAINED, now))) return false;
  sync(w, FG_SCOPE_BLOCK);
  return k->launch.fetch < k->nstage || walk_fetch(w, 0, now, next);
}

static bool walk_iterations(walk *w) {
  int d = w->at.k->outer[0];
  int64_t n = extent(w, d), after;
  for (int64_t i = 0; i < n; i = after) {
    after = next(w, d, i, n);
    set_digit(w, d, i);
    if (!begin_block(w, i) || (i == 0 && !walk_fetch(w, 0, 0, 0))) return false;
    if (!walk_iteration(w, i, after < n ? after : -1)) return false;
  }
  return true;
}

/* The outer digits that a block runs through by itself. */
static bool walk_block(walk *w, int depth) {
  const fg_kernel *k = w->at.k;
  while (depth < k->nouter && k->digit[k->outer[depth]].role != FG_ROLE_LOOP) depth++;
  if (depth == k->nouter) return walk_stages(w);
  int64_t n = extent(w, k->outer[depth]);
  for (int64_t i = 0; i < n; i = picked(w, k->outer[depth], i)) {
    set_digit(w, k->outer[depth], i);
    if (!walk_block(w, depth + 1)) return false;
  }
  return true;
}

static int64_t block_count(const walk *w) {
  int64_t n = 1;
  for (int i = 0; i < w->at.k->nouter; i++)
    if (fg_digit_is_of_blocks(&w->at.k->digit[w->at.k->outer[i]])) n = fg_wrap_mul(n, extent(w, w->at.k->outer[i]));
  return n;
}

static bool is_kept(const walk *w, int64_t block) {
  return !w->options->keep || w->options->keep(w->options->kept, w->ik, block);
}

/* Outer digits of one role after the other: hosts enclose launches. Numbers of
 * blocks follow the order of the loops. */
static bool walk_outer(walk *w, int depth, fg_role role, int64_t block) {
  const fg_kernel *k = w->at.k;
  int nouter = fg_kernel_rank(k) < 0 ? k->nouter : k->nouter - 1;
  while (depth < nouter && k->digit[k->outer[depth]].role != role) depth++;
  if (depth == nouter) {
    if (role == FG_ROLE_BLOCK && !is_kept(w, block)) return true;
    if (role == FG_ROLE_BLOCK)
      return begin_block(w, fg_kernel_rank(k) < 0 ? block : block * k->launch.cluster) && walk_block(w, 0);
    if (!launch(w, w->ik, block_count(w))) return false;
    return fg_kernel_fetches(k) && !w->options->sample ? walk_iterations(w) : walk_outer(w, 0, FG_ROLE_BLOCK, 0);
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

/* One launch of a queue's kernels: their tiles in the order of the queue. False: the walk is over. */
static bool walk_queue(walk *w) {
  const fg_queue *q = &w->at.p->queue;
  int64_t transforms = fg_num_value(q->transforms, w->at.params), items = fg_queue_items(q, transforms);
  compiled *stages[FG_QUEUE_KERNELS];
  for (w->ik = 0; w->ik < q->kernels; w->ik++) {
    w->at.k = w->at.p->kernel[w->ik];
    if (!fg_walk_check_blocks(w) || !fg_walk_compile(w)) return false;
    stages[w->ik] = w->stages;
  }
  if (!launch(w, 0, items)) return false;
  for (int64_t i = 0; i < items; i++) {
    fg_item item = fg_queue_item(q, transforms, i);
    if (item.kernel < 0) continue;
    w->ik = item.kernel;
    w->at.k = w->at.p->kernel[w->ik];
    w->stages = stages[w->ik];
    if (tile_left_out(w, item.tile) || !is_kept(w, item.tile)) continue;
    if (!w->to->item(w->to->self, i, &item) || !walk_tile(w, item.tile)) return false;
  }
  return !w->to->end || w->to->end(w->to->self);
}

/* Blocks of threads are unordered: any digit of theirs will do, of launches without more than blocks. */
int16_t fg_walk_cut(const fg_program *p, const fg_kernel *k) {
  int16_t longest = -1;
  if (k->vectors.part || !fg_walk_has_threads(p)) return (int16_t)(k->vectors.part - 1);
  if (k->launch.persistent || k->launch.iterations || p->queue.ring) return -1;
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role == FG_ROLE_HOST || d->role == FG_ROLE_RING) return -1;
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
  for (w->ik = fg_queue_joined(&p->queue); on && w->ik < p->nkernel; w->ik++) {
    w->at.k = p->kernel[w->ik];
    w->cut = fg_walk_cut(p, w->at.k);
    if (!fg_walk_check_blocks(w) || !fg_walk_check_bulk(w) || !fg_walk_compile(w) || !walk_outer(w, 0, FG_ROLE_HOST, 0))
      break;
    if (w->to->end && !w->to->end(w->to->self)) break;
  }
  return w->at.wrong ? FG_EWRONG : FG_OK;
}

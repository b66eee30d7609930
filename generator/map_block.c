/* Map, block form: one kernel; a block runs one transform or a group of them.
 *
 * In: stages of plain loops. Out: their loops dealt to threads so that each has
 * about as many points in every stage; batch numbers cut into blocks and threads
 * where one transform does not fill a block; one memory for all exchanges, where
 * every stage reads everything before anything is written; padding.
 *
 * A transform that is one codelet goes through the block's memory as well: then
 * neighbouring threads move neighbouring numbers. */
#include "generator/map.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
  WARP = 32,
  BLOCK_BYTES = 8192, /* of numbers in the registers of a block: threads by precision */
  SMALL_BLOCK = 128,  /* threads: reached by groups */
  LARGE_BLOCK = 256,  /* not passed by groups */
  MOST_GROUP = 64,    /* transforms a block: as many as proofs by the ends of a batch look at */
  MOST_POINTS = 40,   /* of a thread, over its turns */
  THREAD_POINTS = 8,  /* of a thread that goes through the block's memory */
  STAGED_POINTS = 32, /* longest codelet that goes through the block's memory */
  MOST_STAGES = 256,
};

typedef struct shape {
  int64_t one;   /* threads of one transform */
  int64_t group; /* transforms of a block */
  int64_t turns; /* of each thread, over the transforms of a block */
} shape;

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t thread_limit(const fg_builder *b) {
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_THREADS);
  int64_t most = BLOCK_BYTES / (2 * fg_precision_bytes(b->program->problem.compute));
  return min64(wanted ? wanted : most, b->map->max_threads);
}

/* A stage without its batch loops: those are for groups. */
static fg_deal try_deal(const fg_kernel *k, const fg_stage *s, int64_t limit) {
  fg_stage inner = *s;
  for (int l = 0; l < inner.nloop; l++)
    if (fg_map_is_batch(k, inner.loop[l])) fg_map_drop_loop(&inner, l--);
  return fg_map_try_deal(k, &inner, limit);
}

static int16_t new_digit(fg_kernel *k, const char *name, fg_role role, int64_t extent) {
  fg_digit d = {
      .role = role, .extent = fg_num_const(extent), .start = fg_num_const(0), .step = 1, .last = INT64_MAX, .div = 1};
  snprintf(d.name, sizeof d.name, "%s", name);
  return fg_map_add_digit(k, &d);
}

static int64_t slots_of(const fg_kernel *k, const fg_stage *s) { return fg_access_slots(k, &s->load); }

/* ---- threads of one transform ------------------------------------------------------ */

/* Points times threads over all stages, idle ones included; -1: too many points
 * for a thread's registers. */
static int64_t work_of(const fg_kernel *k, int64_t threads, bool any) {
  int64_t work = 0;
  for (int i = 0; i < k->nstage; i++) {
    int64_t points = try_deal(k, &k->stage[i], threads).turns * slots_of(k, &k->stage[i]);
    if (points > MOST_POINTS && points > slots_of(k, &k->stage[i]) && !any) return -1;
    work += points * threads;
  }
  return work;
}

static int64_t threads_of_one(const fg_kernel *k, int64_t limit) {
  int64_t best = 0, least = 0;
  for (int any = 0; any < 2 && !best; any++)
    for (int i = 0; i <= k->nstage; i++) {
      int64_t t = i < k->nstage ? try_deal(k, &k->stage[i], INT64_MAX).used : limit;
      if (t > limit) t = limit;
      int64_t work = work_of(k, t, any);
      if (work < 0 || (best && (work > least || (work == least && t <= best)))) continue;
      best = t, least = work;
    }
  return best;
}

/* ---- groups of transforms ---------------------------------------------------------- */

/* The batch digit that changes fastest, when a block may take several of it: -1. */
static int16_t batch_digit(const fg_builder *b) {
  const fg_kernel *k = b->kernel;
  if (!k->nouter || b->cluster) return -1;
  int16_t d = k->outer[k->nouter - 1];
  fg_num e = k->digit[d].extent;
  bool plain = e.form == FG_NUM_CONST || (e.form == FG_NUM_PARAM && e.n == 1 && k->nouter == 1);
  return plain ? d : -1;
}

static int64_t count_of(const fg_builder *b, int16_t digit) {
  fg_num e = b->kernel->digit[digit].extent;
  return e.form == FG_NUM_CONST ? e.n : b->program->problem.param[e.param].hi;
}

/* Memory of one transform: the largest buffer when all share one. */
static int64_t memory_of_one(const fg_builder *b, bool shared) {
  const fg_program *p = b->program;
  int64_t sum = 0, most = 0;
  for (int i = 0; i < p->nbuffer; i++) {
    if (!fg_map_is_local(b, i) || p->buffer[i].alias >= 0) continue;
    int64_t bytes = fg_buffer_bytes(&p->buffer[i]);
    sum += bytes;
    if (bytes > most) most = bytes;
  }
  return shared ? most : sum;
}

/* The smallest group that fills a block of SMALL_BLOCK threads and leaves the
 * fewest lanes of its last warp idle. */
static int64_t choose_group(const fg_builder *b, int64_t one, int64_t memory) {
  int16_t d = batch_digit(b);
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_GROUP);
  if (d < 0) return 1;
  int64_t most = min64(MOST_GROUP, count_of(b, d));
  if (memory) most = min64(most, (int64_t)b->map->local_bytes / 2 / memory);
  most = min64(most, min64(wanted ? b->map->max_threads : LARGE_BLOCK, b->map->max_threads) / one);
  if (most < 1) most = 1;
  if (wanted) return min64(wanted, most);
  int64_t best = 1, filled = 0;
  for (int64_t g = 1; g <= most; g++) {
    int64_t threads = one * g, warps = (threads + WARP - 1) / WARP;
    int64_t rate = 64 * threads / (warps * WARP); /* so that small differences do not count */
    if (threads < SMALL_BLOCK) rate = rate * threads / SMALL_BLOCK;
    if (rate > filled) best = g, filled = rate;
  }
  return best;
}

/* One codelet a thread, through the block's memory: some eight points a thread,
 * and in few turns, so that blocks are not too many. False: too few transforms. */
static bool staged_shape(const fg_builder *b, shape *sh) {
  const fg_problem *q = &b->program->problem;
  int64_t n = q->dim[0].n.n, count = q->batch[0].n.n;
  if (q->batch[0].n.form != FG_NUM_CONST) count = INT64_MAX;
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_GROUP);
  int64_t memory = 2 * fg_precision_bytes(q->compute) * n * 17 / 16 + 1;
  int64_t threads = min64(SMALL_BLOCK, min64(thread_limit(b), count));
  threads = min64(threads, (int64_t)b->map->local_bytes / memory);
  if (wanted) threads = min64(threads, wanted);
  if (threads < WARP / 2) return false;
  int64_t turns = wanted ? wanted / threads : THREAD_POINTS / n;
  turns = min64(turns, min64(count / threads, (int64_t)b->map->local_bytes / (memory * threads)));
  *sh = (shape){.one = 1, .turns = turns < 1 ? 1 : turns};
  sh->group = threads * sh->turns;
  return true;
}

static void add_group_terms(fg_builder *b, fg_access *a, int16_t digit) {
  const fg_buffer *buffer = &b->program->buffer[a->buffer], *root = buffer;
  if (buffer->space != FG_SPACE_LOCAL) return;
  while (root->alias >= 0) root = &b->program->buffer[root->alias];
  int64_t size = root->size * fg_buffer_parts(root) / fg_buffer_parts(buffer);
  for (; a; a = a->rest) fg_affine_add(fg_index_base(&a->index), digit, fg_num_const(size));
}

static void add_group_loop(fg_builder *b, int16_t batch, int16_t digit) {
  fg_kernel *k = b->kernel;
  for (int i = 0; i < k->nstage; i++) {
    fg_stage *s = &k->stage[i];
    fg_map_split_terms(s, batch, digit);
    add_group_terms(b, &s->load, digit);
    add_group_terms(b, &s->store, digit);
    memmove(&s->loop[1], &s->loop[0], sizeof s->loop[0] * (size_t)s->nloop);
    s->loop[0] = digit;
    s->nloop++;
  }
}

/* The batch digit counts groups from now on; the number in the group is a digit
 * of threads, above those of one transform, and one of their turns. */
static void group_batch(fg_builder *b, const shape *sh) {
  fg_kernel *k = b->kernel;
  int16_t d = batch_digit(b);
  fg_num count = k->digit[d].extent;
  int64_t threads = sh->group / sh->turns;
  int16_t in = new_digit(k, "bi", FG_ROLE_THREAD, threads), turn = new_digit(k, "bt", FG_ROLE_LOOP, sh->turns);
  k->digit[in].div = sh->one;
  k->digit[turn].step = threads;
  k->digit[d].step = sh->group;
  k->digit[d].extent = fg_num_const((count.n + sh->group - 1) / sh->group);
  if (count.form == FG_NUM_PARAM)
    k->digit[d].extent = (fg_num){.n = 1, .form = FG_NUM_CEIL, .param = count.param, .div = sh->group};
  fg_affine number = {.offset = fg_num_const(0)};
  fg_affine_add(&number, d, fg_num_const(1));
  fg_affine_add(&number, in, fg_num_const(1));
  if (sh->turns > 1) fg_affine_add(&number, turn, fg_num_const(1));
  add_group_loop(b, d, in);
  if (sh->turns > 1) add_group_loop(b, d, turn);
  for (int i = 0; i < k->nstage; i++)
    if (count.form != FG_NUM_CONST || count.n % sh->group) fg_map_guard(&k->stage[i], &number, count);
  for (int i = 0; i < b->program->nbuffer; i++)
    if (fg_map_is_local(b, i)) b->program->buffer[i].size *= sh->group;
}

/* ---- one memory for all exchanges ---------------------------------------------------- */

/* False: fills with zeros, its loads never happen. */
static bool reads(const fg_stage *s) {
  return s->codelet || !s->load.npred || s->load.pred[0].value.nterm || !fg_num_is(s->load.pred[0].bound, 0);
}

static int16_t memory_of(const fg_program *p, int16_t buffer) {
  while (p->buffer[buffer].alias >= 0) buffer = p->buffer[buffer].alias;
  return buffer;
}

/* Whether a stage gives its store's memory new contents throughout, with those
 * that follow: several may share that work. */
static bool begins(const fg_builder *b, int stage, int16_t memory) {
  const fg_kernel *k = b->kernel;
  if (memory_of(b->program, k->stage[stage].store.buffer) != memory) return false;
  return stage == 0 || memory_of(b->program, k->stage[stage - 1].store.buffer) != memory;
}

/* Whether what `memory` holds after stage `after` is read later. */
static bool is_live(const fg_builder *b, int after, int16_t memory) {
  const fg_kernel *k = b->kernel;
  for (int i = after + 1; i < k->nstage; i++) {
    if (memory_of(b->program, k->stage[i].load.buffer) == memory && reads(&k->stage[i])) return true;
    if (begins(b, i, memory)) return false;
  }
  return false;
}

/* A stage may overwrite all other buffers: none of them is wanted any more. */
static bool may_share(const fg_builder *b) {
  const fg_program *p = b->program;
  const fg_kernel *k = b->kernel;
  for (int i = 0; i < k->nstage; i++)
    for (int16_t j = 0; j < p->nbuffer; j++)
      if (fg_map_is_local(b, j) && p->buffer[j].alias < 0 && j != memory_of(p, k->stage[i].store.buffer) &&
          is_live(b, i, j))
        return false;
  return true;
}

static void share_memory(fg_builder *b) {
  fg_program *p = b->program;
  fg_kernel *k = b->kernel;
  int16_t root = -1;
  for (int16_t i = 0; i < p->nbuffer; i++)
    if (fg_map_is_local(b, i) && p->buffer[i].alias < 0 && (root < 0 || p->buffer[i].size > p->buffer[root].size))
      root = i;
  for (int16_t i = 0; i < p->nbuffer; i++) /* what peers store to has a memory of its own: others borrow it */
    if (fg_map_is_local(b, i) && p->buffer[i].spread > 1) root = i;
  for (int16_t i = 0; i < p->nbuffer; i++) {
    if (!fg_map_is_local(b, i) || i == root) continue;
    int64_t size = p->buffer[root].size * fg_buffer_parts(&p->buffer[root]) / fg_buffer_parts(&p->buffer[i]);
    p->buffer[i].alias = root;
    if (size > p->buffer[i].size) p->buffer[i].size = size;
  }
  for (int i = 0; i < k->nstage; i++) {
    fg_stage *s = &k->stage[i];
    if (fg_map_is_local(b, s->load.buffer) && fg_map_is_local(b, s->store.buffer) && reads(s))
      s->sync_mid = FG_SCOPE_BLOCK;
  }
}

/* ---- one codelet, through the block's memory ------------------------------------------- */

static bool is_contiguous(const fg_builder *b) {
  const fg_problem *q = &b->program->problem;
  int64_t n = q->dim[0].n.n;
  if (q->kind != FG_C2C || q->batch_rank != 1 || q->split_in || q->split_out) return false;
  if (q->nload || q->nstore) return false; /* copies would have to know which element they move */
  return fg_num_is(q->dim[0].is, 1) && fg_num_is(q->dim[0].os, 1) && fg_num_is(q->batch[0].is, n) &&
         fg_num_is(q->batch[0].os, n);
}

static bool wants_staging(const fg_builder *b) {
  const fg_kernel *k = b->kernel;
  int64_t n = b->program->problem.dim[0].n.n;
  return b->nkernel == 1 && k->nstage == 1 && k->stage[0].nloop == 1 && n >= 2 && n <= STAGED_POINTS &&
         is_contiguous(b);
}

/* Element e + threads * m of the block's part, in the array or in its memory. */
static fg_access copy_access(fg_kernel *k, int16_t buffer, int16_t thread, int64_t threads, int64_t slots) {
  fg_access a = {.buffer = buffer, .index = {.lookup = -1}, .reg = new_digit(k, "m", FG_ROLE_REG, slots)};
  a.index.at.offset = fg_num_const(0);
  fg_affine_add(&a.index.at, thread, fg_num_const(1));
  fg_affine_add(&a.index.at, a.reg, fg_num_const(threads));
  return a;
}

/* A stage that moves the block's transforms between an array and its memory. */
static fg_stage copy_stage(fg_builder *b, const char *what, int16_t from, int16_t to, const shape *sh) {
  fg_kernel *k = b->kernel;
  int64_t n = b->program->problem.dim[0].n.n, threads = sh->group / sh->turns;
  int16_t batch = k->outer[0], thread = new_digit(k, "e", FG_ROLE_THREAD, threads);
  fg_stage s = {.what = what, .lane = -1, .sync_end = FG_SCOPE_BLOCK};
  s.load = copy_access(k, from, thread, threads, n * sh->turns);
  s.store = copy_access(k, to, thread, threads, n * sh->turns);
  s.loop[s.nloop++] = thread;
  fg_access *outside = fg_map_is_local(b, from) ? &s.store : &s.load;
  fg_affine_add(&outside->index.at, batch, fg_num_const(n));
  fg_num count = b->program->problem.batch[0].n;
  if (count.form != FG_NUM_CONST || count.n % sh->group)
    outside->pred[outside->npred++] = (fg_pred){.value = outside->index.at, .bound = fg_num_scaled(count, n)};
  return s;
}

static void stage_through_memory(fg_builder *b, const shape *sh) {
  fg_kernel *k = b->kernel;
  int64_t n = b->program->problem.dim[0].n.n;
  int16_t work = fg_build_scratch(b, 0).buffer;
  fg_buffer *memory = &b->program->buffer[work];
  memory->size = n * sh->group;
  fg_stage *stages = fg_arena_new(b->cx->arena, fg_stage, 3);
  stages[0] = copy_stage(b, "copy to the block's memory", FG_BUFFER_IN, work, sh);
  stages[1] = k->stage[0];
  stages[2] = copy_stage(b, "copy from the block's memory", work, FG_BUFFER_OUT, sh);
  fg_access *both[] = {&stages[1].load, &stages[1].store};
  for (int i = 0; i < 2; i++) {
    both[i]->buffer = work;
    both[i]->index.at = (fg_affine){.offset = fg_num_const(0)};
    fg_affine_add(&both[i]->index.at, both[i]->reg, fg_num_const(1));
    for (int l = 0; l < stages[1].nloop; l++) fg_affine_add(&both[i]->index.at, stages[1].loop[l], fg_num_const(n));
  }
  stages[1].npred = 0; /* rows beyond the batch hold zeros */
  stages[1].sync_end = FG_SCOPE_BLOCK;
  k->stage = stages;
  k->nstage = 3;
}

/* ---- the whole -------------------------------------------------------------------------- */

/* Threads beyond those that a stage uses stand aside. */
static void guard_threads(fg_kernel *k, fg_stage *s, int64_t used, const shape *sh) {
  if (used == sh->one) return;
  int16_t d = new_digit(k, FG_GUARD_DIGIT, FG_ROLE_THREAD, sh->one);
  fg_affine value = {.offset = fg_num_const(0)};
  fg_affine_add(&value, d, fg_num_const(1));
  s->loop[s->nloop++] = d;
  fg_map_guard(s, &value, fg_num_const(used));
}

/* Memory for the stages: shared where threads can hold what they read across a
 * barrier, or where nothing else fits. False: too little. */
static bool plan_memory(fg_builder *b, int64_t one) {
  int64_t room = (int64_t)b->map->local_bytes;
  bool possible = may_share(b), holds = work_of(b->kernel, one, false) >= 0;
  bool share = possible && (holds || memory_of_one(b, false) > room);
  if (memory_of_one(b, share) > room) return false;
  if (share) share_memory(b);
  return true;
}

/* Stores to the cluster's memory wait for its blocks, and for what they store. */
static void cross_cluster(fg_builder *b) {
  for (int i = 0; i < b->kernel->nstage; i++) {
    fg_stage *s = &b->kernel->stage[i];
    if (b->program->buffer[s->store.buffer].spread > 1) s->sync_mid = s->sync_end = FG_SCOPE_CLUSTER;
  }
}

/* Neighbouring threads get what are neighbours in global memory, else where they
 * store. */
static void order_loops(const fg_builder *b, fg_stage *s) {
  const fg_access *outside = fg_map_is_local(b, s->load.buffer) ? &s->store : &s->load;
  const fg_affine *at = &outside->index.at;
  for (int t = 0; t < at->nterm; t++)
    for (int l = 0; l < s->nloop; l++) {
      int16_t d = s->loop[l];
      if (at->term[t].digit != d || !fg_num_is(at->term[t].coef, 1) || fg_map_is_batch(b->kernel, d)) continue;
      fg_map_drop_loop(s, l);
      s->loop[s->nloop++] = d;
      return;
    }
}

fg_status fg_map_block(fg_builder *b) {
  fg_kernel *k = b->kernel;
  fg_program *p = b->program;
  shape sh = {.group = 1, .turns = 1};
  for (int i = 0; i < k->nstage; i++) order_loops(b, &k->stage[i]);
  bool staged = wants_staging(b) && staged_shape(b, &sh);
  if (k->nstage > MOST_STAGES) return FG_ENA;
  if (!staged) sh.one = threads_of_one(k, thread_limit(b));
  if (!plan_memory(b, sh.one)) return FG_ENA;
  cross_cluster(b);
  fg_map_outer_batch(b);
  if (!staged && b->nkernel == 1) sh.group = choose_group(b, sh.one, memory_of_one(b, false));
  for (int i = 0; i < k->nstage; i++) {
    /* Across a barrier, a thread holds the numbers of all its turns. */
    fg_role turns = k->stage[i].sync_mid >= FG_SCOPE_BLOCK ? FG_ROLE_REG : FG_ROLE_LOOP;
    int64_t used = fg_map_deal(k, &k->stage[i], sh.one, turns);
    guard_threads(k, &k->stage[i], used, &sh);
  }
  if (sh.group > 1) group_batch(b, &sh);
  if (staged) stage_through_memory(b, &sh);
  k->stage[k->nstage - 1].sync_end = FG_SCOPE_NONE;
  k->threads = (int)(sh.one * sh.group / sh.turns);
  k->name = b->nkernel > 1 ? fg_arena_printf(b->cx->arena, "block%d", p->nkernel) : "block";
  k->shape = k->nstage > 1 ? FG_SHAPE_BLOCK : FG_SHAPE_PASS;
  k->cluster = b->cluster ? b->cluster : 1;
  k->resident = (int)fg_plan_param_value(p->plan, FG_PARAM_RESIDENT);
  p->kernel[p->nkernel++] = k;
  fg_status status = fg_map_number_blocks(b, k);
  if (status == FG_OK && !b->cluster) fg_map_pad(b, k);
  return status;
}

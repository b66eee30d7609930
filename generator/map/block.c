/* Map, block form: one kernel, in which a block runs one transform or a group of them.
 *
 * In: stages of plain loops. Out: their loops mapped to threads so that each thread has about as many points in every
 * stage; batch digits divided into blocks and threads if one transform does not fill a block; one buffer for all
 * exchanges, in which every stage reads everything before anything is written; padding.
 *
 * A transform that is one codelet is staged in shared memory, too; others if the plan says so (staging.c). */
#include "generator/map/block.h"
#include "generator/assemble/pitch.h"
#include "generator/base/integer.h"
#include "generator/cost/cost.h"
#include "generator/ir/program_machine.h"
#include "generator/map/async_copy.h"
#include "generator/map/cluster.h"
#include "generator/map/deal.h"
#include "generator/map/digits.h"
#include "generator/map/outer.h"
#include "generator/map/rounds.h"
#include "targets/machine/limits.h"
#include "targets/machine/simt.h"
#include <string.h>

enum {
  MATRIX_COLUMNS = 8, /* transforms a product takes, at least */
  MATRIX_THREADS = 2, /* of each */
  MOST_GROUP = 64,    /* transforms a block: as many as proofs by the ends of a batch look at */
  MOST_STAGES = 256,
  MOST_PARTS = 16, /* of threads that a stage would use */
};

static int64_t thread_limit(const fg_builder *b) {
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_THREADS);
  int64_t most = limit->block_bytes / (2 * fg_precision_bytes(b->program->problem.compute));
  return fg_smaller(wanted ? wanted : most, b->map->max_threads);
}

static int64_t slots_of(const fg_kernel *k, const fg_stage *s) { return fg_access_slots(k, &s->load); }

/* Of one transform. */
static int64_t points_of(const fg_kernel *k, const fg_stage *s) {
  return fg_map_try_deal(k, s, INT64_MAX).used * slots_of(k, s);
}

/* ---- threads of one transform ------------------------------------------------------ */

/* Points times threads over all stages, idle ones included; -1: more points than a
 * thread has registers for, or than the longest codelet has anyway. */
static int64_t work_of(const fg_kernel *k, int64_t threads, bool any) {
  int64_t work = 0, most = limit->thread_points_most;
  for (int i = 0; i < k->nstage; i++)
    if (slots_of(k, &k->stage[i]) > most) most = slots_of(k, &k->stage[i]);
  for (int i = 0; i < k->nstage; i++) {
    int64_t points = fg_map_try_deal(k, &k->stage[i], threads).iterations * slots_of(k, &k->stage[i]);
    if (points > most && !any) return -1;
    work += points * threads;
  }
  return work;
}

/* Few threads that a plan asks for are all taken where stages run beside each other:
 * fewer would do one stage after the other. */
static bool takes_all(const fg_builder *b) {
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_THREADS);
  bool warp_role = false;
  for (int i = 0; i < b->kernel->nstage; i++) warp_role = warp_role || b->kernel->stage[i].warp_role;
  return warp_role && wanted && wanted < FG_WARP;
}

/* Where all threads of a block have one transform and three of seven places were idle: parts of what a stage would use,
 * if these waste less. Of 12005 points by (49,7,7,5) 343 threads, not 1024, whose registers hold no 49 numbers. */
static int64_t fewer_threads(const fg_builder *b, int64_t limit, int64_t best, int64_t least) {
  const fg_kernel *k = b->kernel;
  int64_t points = 0;
  for (int i = 0; i < k->nstage; i++) points += points_of(k, &k->stage[i]);
  if (best < limit || 4 * least < 7 * points || fg_plan_param_value(b->program->plan, FG_PARAM_THREADS)) return best;
  for (int i = 0; i < k->nstage; i++)
    for (int64_t parts = 2, t; parts <= MOST_PARTS; parts++) {
      t = (fg_map_try_deal(k, &k->stage[i], INT64_MAX).used + parts - 1) / parts;
      int64_t work = t <= limit ? work_of(k, t, false) : -1;
      if (work >= 0 && work < least) best = t, least = work;
    }
  return best;
}

static int64_t threads_of_one(const fg_builder *b, int64_t limit) {
  const fg_kernel *k = b->kernel;
  int64_t best = 0, least = 0;
  if (takes_all(b)) return limit;
  for (int any = 0; any < 2 && !best; any++)
    for (int i = 0; i <= k->nstage; i++) {
      int64_t t = i < k->nstage ? fg_map_try_deal(k, &k->stage[i], INT64_MAX).used : limit;
      if (t > limit) t = limit;
      int64_t work = work_of(k, t, any);
      if (work < 0 || (best && (work > least || (work == least && t <= best)))) continue;
      best = t, least = work;
    }
  return fewer_threads(b, limit, best, least);
}

int64_t fg_map_queue_threads(fg_builder *b) {
  int64_t most = 0;
  for (int i = 0; i < fg_map_joined(b); i++) {
    b->kernel = b->kernels[i];
    int64_t threads = threads_of_one(b, thread_limit(b));
    if (threads > most) most = threads;
  }
  return most;
}

/* ---- groups of transforms ---------------------------------------------------------- */

/* The batch digit that changes fastest, when a block may take several of it: -1. */
static int16_t batch_digit(const fg_builder *b) {
  const fg_kernel *k = b->kernel;
  int last = k->nouter - 1;
  while (last >= 0 && k->digit[k->outer[last]].turns) last--;
  if (last < 0 || b->kernel->launch.cluster) return -1;
  int16_t d = k->outer[last];
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
  int64_t sum = 0, most = 0, own = 0;
  for (int i = 0; i < p->nbuffer; i++) {
    if (!fg_map_is_local(b, i) || p->buffer[i].alias >= 0) continue;
    int64_t bytes = fg_buffer_bytes(&p->buffer[i]);
    sum += bytes;
    if (p->buffer[i].local.own)
      own += bytes;
    else if (bytes > most)
      most = bytes;
  }
  return shared ? most + own : sum;
}

/* Points that a block's threads hold one after the other, idle ones included, when
 * they share all stages of its transforms. */
static int64_t work_of_block(const fg_kernel *k, int64_t threads, int64_t group) {
  int64_t work = 0, lanes = (threads + FG_WARP - 1) / FG_WARP * FG_WARP;
  for (int i = 0; i < k->nstage; i++) {
    fg_deal one = fg_map_try_deal(k, &k->stage[i], threads);
    work += one.iterations * fg_map_iterations(group, threads / one.used) * slots_of(k, &k->stage[i]) * lanes;
  }
  return work;
}

/* Groups of neighbours a block, at most, that leave blocks for a third of the multiprocessors. */
static int64_t most_for_all(const fg_builder *b) {
  int64_t all = 1, multiprocessors = fg_program_machine(b->program)->multiprocessors;
  for (int i = 0; i < b->kernel->nouter; i++)
    all = fg_smaller(INT32_MAX, all * fg_smaller(INT32_MAX, count_of(b, b->kernel->outer[i])));
  return multiprocessors ? fg_larger(1, 3 * all / multiprocessors) : all;
}

/* The smallest group that fills a small block and leaves the
 * fewest lanes idle. */
static int64_t choose_group(const fg_builder *b, int64_t one, int64_t memory) {
  int16_t d = batch_digit(b);
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_GROUP), used = 0;
  if (d < 0) return 1;
  int64_t most = fg_smaller(MOST_GROUP, count_of(b, d));
  if (memory) most = fg_smaller(most, (int64_t)b->map->local_bytes / 2 / memory);
  if (!wanted && b->neighbours > 1) most = fg_smaller(most, most_for_all(b));
  most = fg_smaller(most, fg_smaller(wanted ? b->map->max_threads : limit->block_large, b->map->max_threads) / one);
  if (most < 1) most = 1;
  if (wanted) return fg_smaller(wanted, most);
  for (int i = 0; i < b->kernel->nstage; i++) used += points_of(b->kernel, &b->kernel->stage[i]);
  int64_t best = 1, filled = 0;
  for (int64_t g = 1; g <= most; g++) {
    int64_t rate = 64 * used * g / work_of_block(b->kernel, one * g, g); /* so that small differences do not count */
    if (one * g < limit->block_small) rate = rate * one * g / limit->block_small;
    if (rate > filled) best = g, filled = rate;
  }
  return best;
}

/* Complex numbers of a transform's longer side. */
static int64_t complex_points(const fg_builder *b) {
  const fg_problem *q = &b->program->problem;
  return fg_problem_kind_is_complex(q->kind) ? q->dim[0].n.n : q->dim[0].n.n / 2 + 1;
}

/* Transforms that warps compute by products of matrices: eight columns a product, for whole warps. */
static bool matrix_shape(const fg_builder *b, fg_map_shape *sh) {
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_GROUP);
  int64_t group = wanted ? wanted : FG_WARP, threads = fg_plan_param_value(b->program->plan, FG_PARAM_THREADS);
  int64_t bytes = 2 * fg_precision_bytes(fg_build_kept(b)) * b->program->problem.dim[0].n.n * group;
  if (!threads) threads = MATRIX_THREADS * group;
  *sh = (fg_map_shape){.one = threads / group, .group = group, .iterations = 1};
  bool whole = threads % group == 0 && threads % FG_WARP == 0 && group * FG_WARP % (threads * MATRIX_COLUMNS) == 0;
  return whole && group <= MOST_GROUP && threads <= b->map->max_threads && bytes <= (int64_t)b->map->local_bytes;
}

/* One codelet a thread, through shared memory: some eight points a thread,
 * and in few iterations, so that blocks are not too many. False: too few transforms. */
static bool staged_shape(const fg_builder *b, fg_map_shape *sh) {
  if (b->kernel->stage[0].factors.matrix) return matrix_shape(b, sh);
  const fg_problem *q = &b->program->problem;
  const fg_stage *s = &b->kernel->stage[0];
  fg_num rows = b->kernel->digit[s->loop[s->nloop - 1]].extent;
  int64_t n = sh->rows ? sh->rows : complex_points(b), count = rows.form == FG_NUM_CONST ? rows.n : INT64_MAX;
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_GROUP);
  int64_t memory = 2 * fg_precision_bytes(q->compute) * n * 17 / 16 + 1;
  int64_t threads = fg_smaller(limit->block_small, fg_smaller(thread_limit(b), count));
  threads = fg_smaller(threads, (int64_t)b->map->local_bytes / memory);
  if (wanted) threads = fg_smaller(threads, wanted);
  if (threads < FG_WARP / 2) return false;
  int64_t iterations = wanted ? wanted / threads : limit->thread_points / n;
  iterations = fg_smaller(iterations, fg_smaller(count / threads, (int64_t)b->map->local_bytes / (memory * threads)));
  sh->one = 1, sh->iterations = iterations < 1 ? 1 : iterations;
  sh->group = threads * sh->iterations;
  return true;
}

static void add_group_terms(fg_builder *b, fg_access *a, int16_t digit) {
  const fg_buffer *buffer = &b->program->buffer[a->buffer];
  if (buffer->space != FG_SPACE_LOCAL) return;
  const fg_buffer *root = &b->program->buffer[fg_buffer_root(b->program, a->buffer)];
  int64_t size = root->size * fg_buffer_parts(root) / fg_buffer_parts(buffer);
  for (; a; a = a->rest) fg_affine_add(fg_index_base(&a->index), digit, fg_num_const(size));
}

static void add_group_loop(fg_builder *b, fg_stage *s, int16_t batch, int16_t digit) {
  fg_map_split_terms(s, batch, digit);
  add_group_terms(b, &s->load, digit);
  add_group_terms(b, &s->store, digit);
  memmove(&s->loop[1], &s->loop[0], sizeof s->loop[0] * (size_t)s->nloop);
  s->loop[0] = digit;
  s->nloop++;
}

/* The batch digit counts groups from now on; what a block keeps, it keeps of all. */
static void group_batch(fg_builder *b, const fg_map_shape *sh) {
  fg_digit *d = &b->kernel->digit[sh->batch];
  d->step = sh->group;
  d->extent = fg_num_const((sh->count.n + sh->group - 1) / sh->group);
  if (sh->count.form == FG_NUM_PARAM)
    d->extent = (fg_num){.n = 1, .form = FG_NUM_CEIL, .param = sh->count.param, .div = sh->group};
  for (int i = 0; i < b->program->nbuffer; i++)
    if (fg_map_is_local(b, i)) b->program->buffer[i].size *= sh->group;
}

/* ---- one memory for all exchanges ---------------------------------------------------- */

/* False: fills with zeros, its loads never happen. */
static bool reads(const fg_stage *s) {
  return s->codelet || !s->load.npred || s->load.pred[0].value.nterm || !fg_num_is(s->load.pred[0].bound, 0);
}

/* Whether a stage gives its store's memory new contents throughout, with those
 * that follow: several may share that work. */
static bool begins(const fg_builder *b, int stage, int16_t memory) {
  const fg_kernel *k = b->kernel;
  if (fg_buffer_root(b->program, k->stage[stage].store.buffer) != memory) return false;
  return stage == 0 || fg_buffer_root(b->program, k->stage[stage - 1].store.buffer) != memory;
}

/* Whether what `memory` holds after stage `after` is read later. */
static bool is_live(const fg_builder *b, int after, int16_t memory) {
  const fg_kernel *k = b->kernel;
  for (int i = after + 1; i < k->nstage; i++) {
    if (fg_buffer_root(b->program, k->stage[i].load.buffer) == memory && reads(&k->stage[i])) return true;
    if (begins(b, i, memory)) return false;
  }
  return false;
}

/* Memory that others may have when it is over. */
static bool is_shared(const fg_builder *b, int16_t buffer) {
  return fg_map_is_local(b, buffer) && !b->program->buffer[fg_buffer_root(b->program, buffer)].local.own;
}

/* Which of it may be one: all, or what peers store to, and the rest. */
typedef enum fg_sharing { SHARE_ALL, SHARE_OWN, SHARE_SENT } fg_sharing;

static bool may_belong(const fg_builder *b, int16_t buffer, fg_sharing group) {
  bool sent = fg_buffer_is_distributed(&b->program->buffer[buffer]);
  return is_shared(b, buffer) && (group == SHARE_ALL || sent == (group == SHARE_SENT));
}

/* What peers store to cannot grow: an element's place says whose it is. */
static bool fits_exchange(const fg_builder *b) {
  const fg_program *p = b->program;
  int64_t room = 0, most = 0;
  for (int16_t i = 0; i < p->nbuffer; i++) {
    if (!is_shared(b, i) || p->buffer[i].alias >= 0) continue;
    int64_t bytes = fg_buffer_bytes(&p->buffer[i]), *larger = fg_buffer_is_distributed(&p->buffer[i]) ? &room : &most;
    if (bytes > *larger) *larger = bytes;
  }
  return !room || most <= room;
}

/* A stage that stores to the shared memory may overwrite all buffers there: none of them
 * is wanted any more. */
static bool may_share(const fg_builder *b, fg_sharing group) {
  const fg_program *p = b->program;
  const fg_kernel *k = b->kernel;
  if (group == SHARE_ALL && !fits_exchange(b)) return false;
  for (int i = 0; i < k->nstage; i++) {
    int16_t to = fg_buffer_root(p, k->stage[i].store.buffer);
    if (!may_belong(b, to, group)) continue;
    for (int16_t j = 0; j < p->nbuffer; j++)
      if (may_belong(b, j, group) && p->buffer[j].alias < 0 && j != to && is_live(b, i, j)) return false;
  }
  return true;
}

static bool same_num(fg_num a, fg_num b) { return a.form == FG_NUM_CONST && b.form == FG_NUM_CONST && a.n == b.n; }

/* A thread stores where it alone has loaded: no need to wait for others. */
static bool keeps_places(const fg_stage *s) {
  const fg_affine *from = &s->load.index.at, *to = &s->store.index.at;
  if (s->load.buffer != s->store.buffer || fg_index_is_bent(&s->load.index) || fg_index_is_bent(&s->store.index))
    return false;
  if (!same_num(from->offset, to->offset) ||
      !same_num(fg_affine_coef(from, s->load.reg), fg_affine_coef(to, s->store.reg)))
    return false;
  for (int l = 0; l < s->nloop; l++)
    if (!same_num(fg_affine_coef(from, s->loop[l]), fg_affine_coef(to, s->loop[l]))) return false;
  return true;
}

/* The largest, in numbers: of 65 reals and 33 complex ones the latter. What peers store to has a memory of its own:
 * others borrow it. */
static int16_t root_of(const fg_builder *b, fg_sharing group) {
  const fg_buffer *of = b->program->buffer;
  int16_t root = -1;
  for (int16_t i = 0; i < b->program->nbuffer; i++) {
    if (!may_belong(b, i, group) || of[i].alias >= 0) continue;
    bool sent = fg_buffer_is_distributed(&of[i]), was_sent = root >= 0 && fg_buffer_is_distributed(&of[root]);
    if (root < 0 || sent > was_sent || (sent == was_sent && fg_buffer_bytes(&of[i]) > fg_buffer_bytes(&of[root])))
      root = i;
  }
  return root;
}

static void share_memory(fg_builder *b, fg_sharing group) {
  fg_program *p = b->program;
  fg_kernel *k = b->kernel;
  int16_t root = root_of(b, group);
  if (root >= 0)
    p->buffer[root].size += p->buffer[root].size * fg_buffer_parts(&p->buffer[root]) % 2; /* whole complex numbers */
  for (int16_t i = 0; i < p->nbuffer; i++) {
    if (!may_belong(b, i, group) || i == root) continue;
    int64_t size = p->buffer[root].size * fg_buffer_parts(&p->buffer[root]) / fg_buffer_parts(&p->buffer[i]);
    p->buffer[i].alias = root;
    if (size > p->buffer[i].size && !fg_buffer_is_distributed(&p->buffer[i])) p->buffer[i].size = size;
  }
  for (int i = 0; i < k->nstage; i++) {
    fg_stage *s = &k->stage[i];
    bool same = fg_stage_is_in_place(p, s);
    bool waits = same && fg_map_is_local(b, s->load.buffer) && reads(s) && !keeps_places(s);
    if (waits && !fg_exchange_waits(&s->exchange.between)) s->exchange.between = fg_exchange_barrier();
  }
}

/* A codelet alone; sh->rows: of rows of several dimensions' last. */
static bool wants_staging(fg_builder *b, fg_map_shape *sh) {
  const fg_kernel *k = b->kernel;
  int64_t row = fg_access_slots(k, &k->stage[0].load), wanted = fg_plan_param_value(b->program->plan, FG_PARAM_GROUP);
  bool enough = !wanted || wanted >= FG_WARP / 2;
  if (enough && row >= 2 && row <= limit->staged_points && fg_map_join_rows(b)) sh->rows = row;
  if (sh->rows) return true;
  const fg_problem *q = &b->program->problem;
  int64_t n = complex_points(b);
  return q->rank == 1 && b->nkernel == 1 && k->nstage == 1 && k->stage[0].nloop == 1 && n >= 2 &&
         (n <= limit->staged_points + 1 || k->stage[0].factors.matrix) && fg_map_rows_are_packed(b);
}

/* ---- the whole -------------------------------------------------------------------------- */

/* The first thread of a stage that uses few: another warp than that of similar stages. */
static int64_t first_thread(const fg_stage *s, int64_t used, int64_t threads) {
  int64_t warps = (used + FG_WARP - 1) / FG_WARP * s->warp_role, all = threads / FG_WARP;
  return s->warp_role && warps <= all ? (all - warps) * FG_WARP : 0;
}

/* Threads beyond those that a stage uses skip it. */
static void guard_threads(fg_kernel *k, fg_stage *s, int64_t used, int64_t threads) {
  if (used == threads) return;
  int16_t d = fg_kernel_new_digit(k, FG_GUARD_DIGIT, FG_ROLE_THREAD, fg_num_const(threads));
  fg_affine value = {.offset = fg_num_const(0)}, minus = value;
  int64_t first = first_thread(s, used, threads);
  fg_affine_add(&value, d, fg_num_const(1));
  fg_affine_add(&minus, d, fg_num_const(-1));
  s->loop[s->nloop++] = d;
  fg_map_guard(s, &value, fg_num_const(first + used));
  if (first) fg_map_guard(s, &minus, fg_num_const(1 - first));
}

/* ---- copies from and to arrays -------------------------------------------------------- */

/* Of one element at a time. */
static bool is_copy(const fg_builder *b, const fg_stage *s) {
  bool outside = !fg_map_is_local(b, s->load.buffer) || !fg_map_is_local(b, s->store.buffer);
  if (fg_access_slots(b->kernel, &s->load) > 1 || fg_access_slots(b->kernel, &s->store) > 1) return false;
  return !s->codelet && !s->load.rest && !s->store.rest && !s->operations.loaded && !s->operations.stored && outside &&
         !s->few;
}

static void drop(fg_affine *a, int16_t digit, int64_t by) {
  (void)by;
  fg_affine_drop(a, digit);
}

/* A digit of iterations numbers the slots of an access, in place of the one that it had. */
static void slots_by(fg_kernel *k, fg_stage *s, fg_access *a, int16_t iteration) {
  fg_map_change_access(a, drop, a->reg, 0);
  for (int i = 0; i < s->npred; i++) a->pred[a->npred++] = s->pred[i];
  a->reg = fg_kernel_new_digit(k, "m", FG_ROLE_REG, k->digit[iteration].extent);
  fg_map_change_access(a, fg_map_rename_terms, iteration, a->reg);
  fg_map_change_access(a, fg_map_scale_terms, a->reg, k->digit[iteration].step);
}

/* All that a thread brings is on its way before the first of it is stored: its iterations, the outermost loop. */
static void unroll_copy(fg_kernel *k, fg_stage *s) {
  int16_t iteration = s->loop[0];
  if (k->digit[iteration].extent.n > limit->thread_points_most) return;
  slots_by(k, s, &s->load, iteration);
  slots_by(k, s, &s->store, iteration);
  s->npred = 0;
  fg_map_drop_loop(s, 0);
}

/* ---- stages to threads ------------------------------------------------------------------ */

/* The digit that counts the iterations of the block's transforms; the one that numbers them, where one iteration does.
 */
static int16_t rest_of(const fg_kernel *k, const fg_stage *s, int16_t number, int64_t group) {
  if (k->digit[number].extent.n == group) return number;
  for (int l = 1; l < s->nloop; l++)
    if (s->loop[l] == number) return s->loop[l - 1];
  return number;
}

/* All threads of a block share a stage's loops, those over the block's transforms
 * included: stages of few columns take several transforms at once, and neighbouring
 * threads stay in one row up to its end. */
static void deal_stage(fg_builder *b, fg_stage *s, const fg_map_shape *sh) {
  fg_kernel *k = b->kernel;
  int64_t threads = sh->one * sh->group / sh->iterations;
  /* Across a barrier, a thread holds the numbers of all its iterations. */
  fg_role iterations = fg_exchange_waits(&s->exchange.between) ? FG_ROLE_REG : FG_ROLE_LOOP;
  int16_t number = -1;
  if (sh->group > 1) {
    number = fg_kernel_new_digit(k, "g", iterations, fg_num_const(sh->group));
    add_group_loop(b, s, sh->batch, number);
  }
  bool row = is_copy(b, s) && sh->iterations == 1 && s->nloop && s->loop[s->nloop - 1] != number;
  bool turned = row && fg_map_iterate(k, s, sh->one); /* each row has its threads */
  int64_t used = fg_map_deal(k, s, threads, iterations);
  if (turned && k->digit[s->loop[0]].role != FG_ROLE_THREAD) unroll_copy(k, s);
  guard_threads(k, s, used, threads);
  if (sh->group > 1) fg_map_guard_batch(b, s, sh, number, rest_of(k, s, number, sh->group));
}

/* Memory for the stages: shared where threads can hold what they read across a
 * barrier, or where nothing else fits. False: too little. */
static bool plan_memory(fg_builder *b, int64_t one) {
  int64_t room = (int64_t)b->map->local_bytes * fg_map_rounds_of(b);
  if (fg_map_has_separate_buffers(b)) {
    for (fg_sharing group = SHARE_OWN; group <= SHARE_SENT; group++)
      if (may_share(b, group)) share_memory(b, group);
    return memory_of_one(b, false) <= room;
  }
  bool holds = work_of(b->kernel, one, false) >= 0;
  bool share = may_share(b, SHARE_ALL) && (holds || memory_of_one(b, false) > room);
  if (memory_of_one(b, share) > room) return false;
  if (share) share_memory(b, SHARE_ALL);
  return memory_of_one(b, false) <= room;
}

/* By how much a digit moves a sum; far: not known, or not at all. */
static int64_t step_of(const fg_affine *a, int16_t digit) {
  fg_num coef = fg_affine_coef(a, digit);
  if (coef.form != FG_NUM_CONST || !coef.n) return INT64_MAX;
  return coef.n < 0 ? -coef.n : coef.n;
}

/* Counts places by which tiles begin earlier. */
static bool has_shift(const fg_kernel *k, const fg_affine *a) {
  for (int t = 0; t < a->nterm; t++)
    if (k->digit[a->term[t].digit].role == FG_ROLE_RING) return true;
  return false;
}

/* How far a loop steps through an access; far: not known, not at all, or a batch. Where tiles begin earlier,
 * what is reduced is in places, all else behind it. */
static int64_t stride_of(const fg_builder *b, const fg_access *a, int16_t digit) {
  if (fg_map_is_batch(b->kernel, digit)) return INT64_MAX;
  int64_t at = step_of(&a->index.at, digit), unit = a->index.scale.n < 0 ? -a->index.scale.n : a->index.scale.n;
  if (!has_shift(b->kernel, &a->index.at) || !fg_index_is_bent(&a->index)) return at;
  if (a->index.scale.form != FG_NUM_CONST) return INT64_MAX;
  return at < INT64_MAX ? at * unit : step_of(&a->index.base, digit);
}

/* Neighbouring threads get what are neighbours in global memory, else where they
 * store: loops by their strides there, the shortest innermost. Stages in place know better. */
static void order_loops(const fg_builder *b, fg_stage *s) {
  const fg_access *outside = fg_map_is_local(b, s->load.buffer) ? &s->store : &s->load;
  bool all = !fg_map_is_local(b, outside->buffer); /* of local ones the shortest alone */
  if (!all && s->load.buffer == s->store.buffer) return;
  for (int l = 1; l < s->nloop; l++)
    for (int i = l; i > 0; i--) {
      int64_t stride = stride_of(b, outside, s->loop[i - 1]);
      if (stride >= stride_of(b, outside, s->loop[i]) || (!all && stride != 1)) break;
      int16_t d = s->loop[i];
      s->loop[i] = s->loop[i - 1], s->loop[i - 1] = d;
    }
}

fg_status fg_map_order_loops(fg_builder *b) {
  for (int i = 0; i < b->nkernel; i++) {
    b->kernel = b->kernels[i];
    for (int s = 0; s < b->kernel->nstage; s++) order_loops(b, &b->kernel->stage[s]);
  }
  return FG_OK;
}

fg_status fg_map_block(fg_builder *b) {
  fg_kernel *k = b->kernel;
  fg_program *p = b->program;
  fg_map_shape sh = {.group = 1, .iterations = 1};
  bool staged = wants_staging(b, &sh) && staged_shape(b, &sh), copies = !staged && fg_map_wants_copies(b);
  if (k->nstage > MOST_STAGES) return FG_ENA;
  if (k->stage[0].factors.matrix && !staged)
    return fg_refuse(b->cx,
                     "plan: matrix=on wants transforms one behind the other, group= of at most %d of them, and "
                     "threads= of whole warps, each for 8, 16 or 32 of them",
                     MOST_GROUP);
  if (copies) fg_map_go_through_memory(b);
  fg_status status = fg_map_bulk_begin(b, staged || copies);
  if (status != FG_OK) return status;
  bool joined = false;
  for (int i = 0; i < fg_map_joined(b) && b->queue_threads; i++) joined = joined || k == b->kernels[i];
  if (!staged) sh.one = joined ? b->queue_threads : threads_of_one(b, thread_limit(b));
  if (!plan_memory(b, sh.one)) return fg_map_bulk_too_large(b);
  fg_map_cross_cluster(b);
  fg_map_outer_batch(b);
  if (!staged && b->nkernel == 1) sh.group = choose_group(b, sh.one, memory_of_one(b, false));
  sh.batch = batch_digit(b);
  if (sh.batch >= 0) sh.count = k->digit[sh.batch].extent;
  /* A row's results are stored where another's inputs were: sides of unequal length. */
  if (staged && !sh.rows && !fg_problem_kind_is_complex(p->problem.kind))
    k->stage[0].exchange.between = fg_exchange_barrier();
  for (int i = 0; i < k->nstage; i++) deal_stage(b, &k->stage[i], &sh);
  if (sh.group > 1) group_batch(b, &sh);
  if (staged) fg_map_stage_codelet(b, &sh);
  if (copies) fg_map_add_copies(b, &sh);
  status = fg_map_bulk_end(b, &sh);
  if (!fg_stage_is_bulk(&k->stage[k->nstage - 1])) k->stage[k->nstage - 1].exchange.after = fg_exchange_none();
  k->launch.threads = (int)(sh.one * sh.group / sh.iterations);
  if (!k->launch.resident) k->launch.resident = (int)fg_plan_param_value(p->plan, FG_PARAM_RESIDENT);
  fg_map_add_kernel(b, k, "block");
  return status;
}

fg_status fg_map_leave_registers(fg_builder *b) {
  fg_kernel *k = b->kernels[0];
  bool alone = b->nkernel == 1 && b->program->kernel[0] == k;
  if (alone && !k->launch.resident && k->launch.cluster == 1) k->launch.resident = fg_cost_few_blocks(b->program, k);
  return FG_OK;
}

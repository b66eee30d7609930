/* Map: a batch in batch-major order, loop fusion around whole transforms.
 *
 * In: kernels of a CPU's program, each with the batch around its tiles. Out: one kernel with the batch around all
 * stages, where that is worth it; what the kernels left to each other is memory of one transform.
 *
 * The idea: kernel after kernel, each takes the whole batch through memory. If one transform has room near by and the
 * batch has not, one transform after the other finds what the kernel before has left. Loops over tiles, which were
 * around a kernel's stages, become loops that these stages share (kernel.h). */
#include "generator/map/batch_major.h"
#include "generator/assemble/pitch.h"
#include "generator/ir/program_machine.h"
#include "generator/map/digits.h"
#include "generator/problem/shape.h"
#include "targets/machine/limits.h"
#include <string.h>

typedef struct order {
  fg_builder *b;
  fg_kernel *all;               /* the kernel that takes the place of the others */
  int nbatch;                   /* outer digits of the batch, the first ones of each kernel */
  int64_t count;                /* transforms, of a run-time number the most */
  int64_t part[FG_MAX_BUFFERS]; /* of the workspace: elements of one transform */
} order;

/* ---- whether it may be ------------------------------------------------------------------ */

static int64_t most(const fg_program *p, fg_num extent) {
  return extent.form == FG_NUM_CONST ? extent.n : extent.n * p->problem.param[extent.param].hi;
}

static int batch_digits(const fg_kernel *k) {
  int n = 0;
  while (n < k->nouter && k->digit[k->outer[n]].batch) n++;
  return n;
}

static bool is_same_digit(const fg_digit *x, const fg_digit *y) {
  bool extent = x->extent.form == y->extent.form && x->extent.n == y->extent.n && x->extent.param == y->extent.param;
  return extent && x->step == y->step && x->last == y->last && x->role == y->role;
}

/* The batch is around everything else, the same for all. */
static bool has_batch_outside(const order *o, const fg_kernel *k) {
  const fg_kernel *first = o->b->program->kernel[0];
  if (k->npred || batch_digits(k) != o->nbatch) return false;
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->turns || d->role != FG_ROLE_BLOCK || (i >= o->nbatch && d->batch)) return false;
    if (i < o->nbatch && !is_same_digit(d, &first->digit[first->outer[i]])) return false;
  }
  for (int s = 0; s < k->nstage; s++)
    if (k->stage[s].nloop + k->nouter - o->nbatch > FG_MAX_LOOPS || k->stage[s].vectors.shared) return false;
  return !fg_kernel_is_joined(k);
}

static bool is_work(const fg_program *p, int buffer) {
  return p->buffer[fg_buffer_root(p, buffer)].space == FG_SPACE_WORK;
}

/* Each transform has a part of the workspace of its own, which is as long in all accesses. */
static bool has_part(order *o, const fg_kernel *k, const fg_access *a) {
  int64_t part = INT64_MAX;
  for (int i = 0; i < o->nbatch; i++) {
    fg_num coef = fg_affine_coef(&a->index.at, k->outer[i]), extent = k->digit[k->outer[i]].extent;
    if (fg_num_is(extent, 1)) continue;
    if (coef.form != FG_NUM_CONST || coef.n < 1) return false;
    if (coef.n < part) part = coef.n;
  }
  if (fg_index_is_bent(&a->index) || a->index.nwrap || a->index.swap.count) return false;
  bool same = !o->part[a->buffer] || o->part[a->buffer] == part;
  o->part[a->buffer] = part;
  return same && part <= o->b->program->buffer[a->buffer].size / o->count;
}

static bool has_parts(order *o, const fg_kernel *k) {
  const fg_access *a;
  for (int s = 0; s < k->nstage; s++)
    for (int n = 0; (a = fg_stage_access(&k->stage[s], n)); n++)
      if (is_work(o->b->program, a->buffer) && !has_part(o, k, a)) return false;
  return true;
}

static bool is_possible(order *o) {
  const fg_program *p = o->b->program;
  int digits = 0;
  if (p->nkernel < 2 || p->problem.summed) return false;
  o->nbatch = batch_digits(p->kernel[0]), o->count = 1;
  for (int i = 0; i < o->nbatch; i++) o->count *= most(p, p->kernel[0]->digit[p->kernel[0]->outer[i]].extent);
  for (int i = 0; i < p->nkernel; i++) {
    if (!has_batch_outside(o, p->kernel[i]) || !has_parts(o, p->kernel[i])) return false;
    digits += p->kernel[i]->ndigit;
  }
  return o->count > 1 && digits <= FG_MAX_DIGITS;
}

/* ---- whether it is worth it ---------------------------------------------------------------- */

/* Bytes that a call visits but tiles and tables; of one transform. */
static bool is_worth_it(const order *o) {
  const fg_program *p = o->b->program;
  int64_t arrays = 0;
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    bool far = b->space == FG_SPACE_INPUT || b->space == FG_SPACE_OUTPUT || b->space == FG_SPACE_WORK;
    if (far && b->alias < 0) arrays += fg_buffer_bytes(b);
  }
  return o->count >= limit->batch_major_least && arrays > fg_l2_bytes(p) &&
         arrays / o->count <= limit->batch_major_most;
}

/* ---- doing it -------------------------------------------------------------------------------- */

/* In every address, condition and loop of the stage. */
static void renumber_affine(fg_affine *a, const int16_t *number) {
  for (int t = 0; t < a->nterm; t++) a->term[t].digit = number[a->term[t].digit];
}

static void renumber_access(fg_access *a, const int16_t *number) {
  renumber_affine(&a->index.at, number);
  renumber_affine(&a->index.base, number);
  for (int i = 0; i < a->index.nwrap; i++) renumber_affine(&a->index.wrap[i].position, number);
  for (int i = 0; i < a->npred; i++) renumber_affine(&a->pred[i].value, number);
  if (a->reg >= 0) a->reg = number[a->reg];
}

static void renumber_stage(fg_stage *s, const int16_t *number) {
  fg_access *a;
  for (int n = 0; (a = fg_stage_access(s, n)); n++) renumber_access(a, number);
  for (int i = 0; i < s->npred; i++) renumber_affine(&s->pred[i].value, number);
  for (int i = 0; i < s->nloop; i++) s->loop[i] = number[s->loop[i]];
  if (s->vectors.lane >= 0) s->vectors.lane = number[s->vectors.lane];
}

/* A kernel's tiles, around each of its stages. */
static void add_tiles(const order *o, const fg_kernel *k, const int16_t *number, fg_stage *s) {
  int tiles = k->nouter - o->nbatch;
  memmove(&s->loop[tiles], &s->loop[0], sizeof s->loop[0] * (size_t)s->nloop);
  s->nloop += tiles;
  for (int i = 0; i < tiles; i++) s->loop[i] = number[k->outer[o->nbatch + i]];
}

static void forget_batch(const order *o, fg_stage *s) {
  fg_access *a;
  for (int n = 0; (a = fg_stage_access(s, n)); n++)
    for (int i = 0; i < o->nbatch && is_work(o->b->program, a->buffer); i++)
      fg_affine_drop(&a->index.at, o->all->outer[i]);
}

static void append(const order *o, int section) {
  const fg_kernel *k = o->b->program->kernel[section];
  int16_t number[FG_MAX_DIGITS];
  fg_kernel *all = o->all;
  for (int d = 0; d < k->ndigit; d++) number[d] = fg_kernel_add_digit(all, &k->digit[d]);
  for (int i = 0; i < k->nouter; i++) {
    int16_t d = number[k->outer[i]];
    if (i >= o->nbatch)
      all->digit[d].role = FG_ROLE_LOOP;
    else if (all->nouter < o->nbatch)
      all->outer[all->nouter++] = d;
    else
      number[k->outer[i]] = all->outer[i];
  }
  for (int i = 0; i < k->nstage; i++) {
    fg_stage *s = &all->stage[all->nstage++];
    *s = k->stage[i];
    renumber_stage(s, number);
    add_tiles(o, k, number, s);
    forget_batch(o, s);
    s->vectors.section = (int16_t)section;
    s->vectors.tiles = (int16_t)(k->nouter - o->nbatch);
    s->vectors.shared = i ? s->vectors.tiles : 0;
    if (i + 1 == k->nstage) s->exchange.after = fg_exchange_barrier();
  }
}

static void join(order *o) {
  fg_builder *b = o->b;
  fg_program *p = b->program;
  int stages = 0;
  for (int i = 0; i < p->nkernel; i++) stages += p->kernel[i]->nstage;
  o->all = fg_arena_new(b->cx->arena, fg_kernel, 1);
  *o->all = *p->kernel[0];
  o->all->name = "run";
  o->all->ndigit = o->all->nouter = o->all->nstage = 0;
  o->all->stage = fg_arena_new(b->cx->arena, fg_stage, stages);
  for (int i = 0; i < p->nkernel; i++) append(o, i);
  o->all->stage[stages - 1].exchange.after = fg_exchange_none();
  for (int i = 0; i < p->nbuffer; i++)
    if (o->part[i]) p->buffer[i].size = fg_build_padded(b, o->part[i]);
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].space == FG_SPACE_WORK && p->buffer[fg_buffer_root(p, i)].space != FG_SPACE_OUTPUT)
      p->buffer[i].space = FG_SPACE_LOCAL;
  p->kernel[0] = b->kernels[0] = b->kernel = o->all;
  p->nkernel = b->nkernel = 1;
}

fg_status fg_map_batch_major(fg_builder *b) {
  order o = {.b = b};
  if (is_possible(&o) && fg_plan_option(b->program->plan, FG_PARAM_BATCH_MAJOR, is_worth_it(&o))) join(&o);
  return FG_OK;
}

/* Map to blocks and threads.
 *
 * Block form: one kernel, a block runs a whole transform, stages exchange through
 * its own memory, a barrier after each. When that memory is too small: pass form,
 * a kernel for each stage, exchanging through the workspace.
 *
 * In both, a stage's loops are dealt to threads from the innermost outwards. The
 * loop that no longer fits whole is split: its low part goes to threads, its high
 * part to a loop (block form) or to blocks (pass form). */
#include "generator/map.h"
#include <stdio.h>
#include <string.h>

enum { PASS_THREADS = 128, BLOCK_THREADS = 256 };

static void guard(fg_stage *s, fg_affine value, int64_t bound) {
  s->pred[s->npred++] = (fg_pred){.value = value, .bound = fg_num_const(bound)};
}

static fg_affine sum_of(int16_t a, int16_t b) {
  fg_affine v = {.offset = fg_num_const(0)};
  fg_affine_add(&v, a, fg_num_const(1));
  if (b >= 0) fg_affine_add(&v, b, fg_num_const(1));
  return v;
}

/* Digit d of extent e is cut at `low`: value = low part + high part. */
static int16_t split_digit(fg_kernel *k, fg_stage *s, int16_t d, int64_t low) {
  int64_t extent = k->digit[d].extent.n;
  fg_digit high = k->digit[d];
  size_t length = strlen(high.name);
  if (length + 1 < sizeof high.name) memcpy(high.name + length, "h", 2);
  high.step = low;
  high.extent = fg_num_const((extent + low - 1) / low);
  k->digit[d].extent = fg_num_const(low);
  int16_t h = fg_map_add_digit(k, &high);
  fg_map_split_terms(s, d, h);
  if (extent % low) guard(s, sum_of(d, h), extent);
  return h;
}

/* Deals the loops of s to at most `limit` threads; `rest` is the role of what
 * does not fit. Returns the threads used. */
static int64_t deal_threads(fg_kernel *k, fg_stage *s, int64_t limit, fg_role rest) {
  int64_t used = 1;
  for (int i = s->nloop - 1; i >= 0; i--) {
    int16_t d = s->loop[i];
    int64_t left = limit / used;
    if (k->digit[d].extent.form != FG_NUM_CONST || left < 2) {
      k->digit[d].role = rest;
      continue;
    }
    if (k->digit[d].extent.n > left) {
      int16_t high = split_digit(k, s, d, left);
      k->digit[high].role = rest;
      memmove(&s->loop[i + 1], &s->loop[i], sizeof s->loop[0] * (size_t)(s->nloop - i));
      s->nloop++;
      s->loop[i] = high;
    }
    k->digit[d].role = FG_ROLE_THREAD;
    k->digit[d].div = used;
    used *= k->digit[d].extent.n;
  }
  return used;
}

/* Threads beyond those that a stage uses stand aside. */
static void guard_threads(fg_kernel *k, fg_stage *s, int64_t used) {
  if (used == k->threads) return;
  fg_digit t = {.name = FG_GUARD_DIGIT,
                .role = FG_ROLE_THREAD,
                .extent = fg_num_const(k->threads),
                .step = 1,
                .last = INT64_MAX,
                .div = 1};
  int16_t d = fg_map_add_digit(k, &t);
  s->loop[s->nloop++] = d;
  guard(s, sum_of(d, -1), used);
}

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t thread_limit(const fg_builder *b, int64_t preset) {
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_THREADS);
  return min64(wanted ? wanted : preset, b->map->max_threads);
}

/* ---- block form ----------------------------------------------------------------- */

static fg_status map_block(fg_builder *b) {
  fg_kernel *k = b->kernel;
  fg_program *p = b->program;
  int64_t used[256], most = 1;
  fg_map_outer_batch(b);
  for (int i = 0; i < k->nstage; i++) {
    used[i] = deal_threads(k, &k->stage[i], thread_limit(b, BLOCK_THREADS), FG_ROLE_LOOP);
    if (used[i] > most) most = used[i];
  }
  k->threads = (int)most;
  for (int i = 0; i < k->nstage; i++) guard_threads(k, &k->stage[i], used[i]);
  k->name = "block";
  k->shape = k->nstage > 1 ? FG_SHAPE_BLOCK : FG_SHAPE_PASS;
  k->cluster = 1;
  p->kernel = fg_arena_new(b->cx->arena, fg_kernel *, 1);
  p->kernel[p->nkernel++] = k;
  return fg_map_number_blocks(b, k);
}

/* ---- pass form ------------------------------------------------------------------ */

static int64_t axis_hi(const fg_builder *b, int axis) {
  fg_num e = b->axis[axis].extent;
  return e.form == FG_NUM_CONST ? e.n : e.n * b->program->problem.param[e.param].hi;
}

static void add_batch_terms(fg_builder *b, fg_kernel *k, fg_stage *s, fg_access *a) {
  fg_buffer *buffer = &b->program->buffer[a->buffer];
  if (buffer->space != FG_SPACE_LOCAL && buffer->space != FG_SPACE_WORK) return;
  int64_t batch = 1;
  for (int i = 0; i < b->naxis; i++) batch *= axis_hi(b, i);
  int64_t one = buffer->space == FG_SPACE_WORK ? buffer->size / batch : buffer->size;
  buffer->space = FG_SPACE_WORK;
  buffer->size = one * batch;
  for (int l = 0; l < s->nloop; l++) {
    if (!fg_map_is_batch(k, s->loop[l])) continue;
    int64_t coef = one;
    for (int i = fg_map_batch_axis(k, s->loop[l]) + 1; i < b->naxis; i++) coef *= axis_hi(b, i);
    fg_affine_add(&a->index.at, s->loop[l], fg_num_const(coef));
  }
}

/* A kernel of its own for stage s; its BLOCK digits become outer digits. */
static fg_kernel *pass_kernel(fg_builder *b, const fg_stage *stage, int number) {
  fg_kernel *k = fg_arena_copy(b->cx->arena, b->kernel, sizeof *k);
  fg_stage *s = k->stage = fg_arena_copy(b->cx->arena, stage, sizeof *stage);
  k->nstage = 1;
  k->name = fg_arena_printf(b->cx->arena, "pass%d", number);
  k->shape = FG_SHAPE_PASS;
  k->cluster = 1;
  add_batch_terms(b, k, s, &s->load);
  add_batch_terms(b, k, s, &s->store);
  int64_t used = deal_threads(k, s, thread_limit(b, PASS_THREADS), FG_ROLE_BLOCK);
  k->threads = (int)used;
  for (int l = 0; l < s->nloop; l++) {
    if (k->digit[s->loop[l]].role != FG_ROLE_BLOCK) continue;
    k->outer[k->nouter++] = s->loop[l];
    fg_map_drop_loop(s, l--);
  }
  s->sync_end = FG_SCOPE_NONE;
  return k;
}

static fg_status map_passes(fg_builder *b) {
  fg_program *p = b->program;
  p->kernel = fg_arena_new(b->cx->arena, fg_kernel *, b->kernel->nstage);
  for (int i = 0; i < b->kernel->nstage; i++) {
    fg_kernel *k = pass_kernel(b, &b->kernel->stage[i], i);
    p->kernel[p->nkernel++] = k;
    fg_status status = fg_map_number_blocks(b, k);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

/* Stockham's scratch buffers alternate, so that one barrier a stage is enough. */
static int64_t local_need(const fg_program *p) {
  int64_t bytes = 0;
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].space == FG_SPACE_LOCAL) bytes += fg_buffer_bytes(&p->buffer[i]);
  return bytes;
}

fg_status fg_map_threads(fg_builder *b) {
  bool fits = local_need(b->program) <= (int64_t)b->map->local_bytes && b->kernel->nstage <= 256;
  return fits && b->kernel->nstage > 1 ? map_block(b) : map_passes(b);
}

/* Bulk copies: the next group is loaded while the present one is computed (double buffering).
 *
 * In: a kernel in block form whose transforms are contiguous in both arrays. Out: the same; its first stage is a copy
 * by the block's copy engine into a buffer of its own, or, after the exchanges, into their buffer; its last stage may
 * be one, too. The idea: threads do not wait for memory as long as it keeps up, no address is computed, and only the
 * two ends of a row are partial segments. */
#include "generator/map/async_copy.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/map/digits.h"
#include "generator/problem/shape.h"
#include <stdio.h>
#include <string.h>

typedef enum bulk_mode { /* of the plan's parameter */
                         OFF,
                         APART,  /* into memory of its own */
                         SHARED, /* into that of the exchanges */
                         BOTH,   /* as APART, and out again */
} bulk_mode;

static bulk_mode bulk_mode_of(const fg_builder *b) {
  return (bulk_mode)fg_plan_param_value(b->program->plan, FG_PARAM_BULK);
}

/* ---- shared memory ------------------------------------------------------------------ */

/* The shared memory that an array, or a view of one, is staged in: its elements, of one transform. */
static int16_t staged(fg_builder *b, int16_t array, bool out) {
  fg_program *p = b->program;
  const char *name = out ? "out_tile" : "in_tile";
  int16_t whole = out ? FG_BUFFER_OUT : FG_BUFFER_IN, root = -1;
  int parts = fg_buffer_parts(&p->buffer[array]);
  int64_t size = fg_problem_span(&p->problem, 0, out) * fg_buffer_parts(&p->buffer[whole]) / parts;
  for (int16_t i = 0; i < p->nbuffer; i++) {
    if (p->buffer[i].space != FG_SPACE_LOCAL || !p->buffer[i].local.plain || p->buffer[i].name[0] != name[0]) continue;
    if (fg_buffer_parts(&p->buffer[i]) == parts) return i;
    if (root < 0) root = i;
  }
  fg_buffer like = p->buffer[array];
  snprintf(like.name, sizeof like.name, "%s%s", name, root < 0 ? "" : parts == 1 ? "_re" : "_c");
  like.space = FG_SPACE_LOCAL;
  like.size = size;
  like.alias = root;
  like.local.plain = true;
  like.local.own = like.precision != fg_build_kept(b) || (!out && bulk_mode_of(b) != SHARED);
  return fg_build_buffer(p, &like);
}

static int16_t staged_in(fg_builder *b, int16_t array) { return staged(b, array, false); }
static int16_t staged_out(fg_builder *b, int16_t array) { return staged(b, array, true); }

static void stage_through(fg_builder *b, fg_access *a, int16_t (*memory)(fg_builder *b, int16_t array)) {
  for (; a; a = a->rest) {
    a->buffer = memory(b, a->buffer);
    fg_map_drop_batch(b->kernel, fg_index_base(&a->index));
  }
}

/* ---- which kernels ------------------------------------------------------------------------- */

static const char *not_for(const fg_builder *b, bool copied) {
  const fg_kernel *k = b->kernel;
  const fg_program *p = b->program;
  bool out = false;
  if (b->map->cluster < 2) return "this target has none";
  if (b->nkernel > 1 || k->launch.cluster) return "blocks that hold whole transforms";
  if (copied) return "several passes, and no other stage that copies";
  if (!fg_map_rows_are_packed(b)) return "transforms one behind the other, untouched on their way";
  if (p->problem.in_place) return "results in another array";
  for (int i = 0; i < k->nstage; i++) {
    if (fg_buffer_root(p, k->stage[i].load.buffer) == FG_BUFFER_OUT) return "results that are not read again";
    out = out || fg_buffer_root(p, k->stage[i].store.buffer) == FG_BUFFER_OUT;
    if (out && fg_buffer_root(p, k->stage[i].load.buffer) == FG_BUFFER_IN) return "several stages";
  }
  return NULL;
}

fg_status fg_map_bulk_begin(fg_builder *b, bool copied) {
  fg_kernel *k = b->kernel;
  if (bulk_mode_of(b) == OFF) return FG_OK;
  const char *wanted = not_for(b, copied);
  if (wanted) return fg_refuse(b->cx, "plan: bulk copies want %s", wanted);
  staged_in(b, FG_BUFFER_IN); /* first: others are views of it */
  if (bulk_mode_of(b) == BOTH) staged_out(b, FG_BUFFER_OUT);
  for (int i = 0; i < k->nstage; i++) {
    if (fg_buffer_root(b->program, k->stage[i].load.buffer) == FG_BUFFER_IN)
      stage_through(b, &k->stage[i].load, staged_in);
    bool leaves = bulk_mode_of(b) == BOTH && fg_buffer_root(b->program, k->stage[i].store.buffer) == FG_BUFFER_OUT;
    if (leaves) stage_through(b, &k->stage[i].store, staged_out);
  }
  if (bulk_mode_of(b) == BOTH) k->stage[k->nstage - 1].exchange.after = fg_exchange_barrier();
  return FG_OK;
}

fg_status fg_map_bulk_too_large(fg_builder *b) {
  if (bulk_mode_of(b) == OFF) return FG_ENA;
  return fg_refuse(b->cx, "plan: bulk copies: more than the %zu bytes of shared memory", b->map->local_bytes);
}

/* ---- the copies ------------------------------------------------------------------------------ */

static void add_copies(fg_builder *b, const fg_map_shape *sh) {
  fg_kernel *k = b->kernel;
  bool both = bulk_mode_of(b) == BOTH;
  fg_stage *stages = fg_arena_new(b->cx->arena, fg_stage, k->nstage + 2);
  memcpy(stages + 1, k->stage, sizeof *stages * (size_t)k->nstage);
  stages[0] = fg_map_copy(b, true, staged_in, sh);
  stages[0].exchange.before = (fg_exchange){FG_SCOPE_BLOCK, FG_TRANSPORT_ENGINE, FG_SIGNAL_COUNT};
  if (both) stages[k->nstage + 1] = fg_map_copy(b, false, staged_out, sh);
  if (both) stages[k->nstage + 1].exchange.after = (fg_exchange){FG_SCOPE_DEVICE, FG_TRANSPORT_ENGINE, FG_SIGNAL_COUNT};
  k->stage = stages;
  k->nstage += both ? 2 : 1;
}

fg_status fg_map_bulk_end(fg_builder *b, const fg_map_shape *sh) {
  fg_kernel *k = b->kernel;
  const fg_program *p = b->program;
  int64_t bytes = FG_MAP_BULK_BYTES;
  if (bulk_mode_of(b) == OFF) return FG_OK;
  add_copies(b, sh);
  k->launch.iterations = (int)fg_plan_param_value(p->plan, FG_PARAM_PERSISTENT);
  k->launch.persistent = !k->launch.iterations;
  for (int i = 1; i < k->nstage; i++)
    if (fg_buffer_root(p, k->stage[i].load.buffer) == fg_buffer_root(p, k->stage[0].store.buffer))
      k->launch.fetch = i + 1;
  k->stage[k->launch.fetch - 1].exchange.after = fg_exchange_barrier();
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_map_is_local(b, i) && p->buffer[i].alias < 0) bytes += fg_buffer_bytes(&p->buffer[i]);
  return bytes <= (int64_t)b->map->local_bytes ? FG_OK : fg_map_bulk_too_large(b);
}

void fg_map_bulk_blocks(fg_kernel *k) {
  fg_num *blocks = &k->launch.blocks[0];
  if (k->launch.iterations < 2) return;
  if (blocks->form == FG_NUM_CONST) {
    blocks->n = (blocks->n + k->launch.iterations - 1) / k->launch.iterations;
  } else {
    int64_t div = blocks->form == FG_NUM_CEIL ? blocks->div : 1;
    *blocks = (fg_num){.n = 1, .form = FG_NUM_CEIL, .param = blocks->param, .div = div * k->launch.iterations};
  }
}

/* What is around all stages of a kernel. In: stages of plain loops, the digits of batches and tiles among them. Out:
 * kernels of the program, whose outer digits these are, and how many blocks they make. */
#include "generator/map/outer.h"
#include "generator/map/async_copy.h"
#include "generator/map/digits.h"
#include <string.h>

/* ---- batches and tiles around all stages -------------------------------------------- */

/* Groups of neighbours change fastest but for the numbers of a cluster's blocks: they begin and end within the same
 * sectors. */
static int turn_of(const fg_builder *b, int axis, int last, bool by_place) {
  const fg_kernel *k = b->kernel;
  return k->launch.cluster && axis == last ? 2 : by_place || axis == b->neighbours_axis;
}

void fg_map_outer_batch(fg_builder *b) {
  fg_kernel *k = b->kernel;
  int16_t outer[FG_MAX_AXES];
  for (int i = 0; i < FG_MAX_AXES; i++) outer[i] = -1;
  for (int i = 0; i < k->nstage; i++) {
    fg_stage *s = &k->stage[i];
    for (int l = 0; l < s->nloop; l++) {
      int16_t d = s->loop[l];
      if (!fg_map_is_batch(k, d)) continue;
      int axis = fg_map_batch_axis(k, d);
      if (outer[axis] < 0) outer[axis] = d;
      fg_map_rename_digit(s, d, outer[axis]);
      fg_map_drop_loop(s, l--);
    }
  }
  bool by_place = k->launch.by_place;
  for (int i = 0; i < FG_MAX_AXES; i++)
    by_place = by_place && (outer[i] < 0 || k->digit[outer[i]].extent.form == FG_NUM_CONST);
  int last = FG_MAX_AXES - 1;
  while (last > 0 && outer[last] < 0) last--;
  for (int turn = 0; turn < 3; turn++)
    for (int i = 0; i <= last; i++) {
      if (outer[i] < 0 || turn_of(b, i, last, by_place && k->digit[outer[i]].batch) != turn) continue;
      if (k->digit[outer[i]].turns) continue;
      k->digit[outer[i]].role = FG_ROLE_BLOCK;
      k->outer[k->nouter++] = outer[i];
    }
  for (int i = 0; i <= last; i++) /* inside of blocks */
    if (outer[i] >= 0 && k->digit[outer[i]].turns) k->outer[k->nouter++] = outer[i];
}

static bool has_block_above(const fg_kernel *k, int outer) {
  for (int i = 0; i < outer; i++)
    if (k->digit[k->outer[i]].role == FG_ROLE_BLOCK) return true;
  return false;
}

/* Launches are around blocks: in the order in which both happen. */
static void host_first(fg_kernel *k) {
  int at = 0;
  for (int i = 0; i < k->nouter; i++) {
    int16_t d = k->outer[i];
    if (k->digit[d].role != FG_ROLE_HOST) continue;
    memmove(&k->outer[at + 1], &k->outer[at], sizeof k->outer[0] * (size_t)(i - at));
    k->outer[at++] = d;
  }
}

/* BLOCK digits: the innermost changes fastest. */
static void number_blocks(const fg_builder *b, fg_kernel *k) {
  int64_t div = 1;
  for (int i = k->nouter - 1; i >= 0; i--) {
    fg_digit *d = &k->digit[k->outer[i]];
    if (d->role != FG_ROLE_BLOCK) continue;
    d->div = div;
    if (d->extent.form != FG_NUM_CONST && (b->map->threads || b->map->blocks) && i > 0 && has_block_above(k, i)) {
      d->role = FG_ROLE_HOST; /* only the outermost may be counted at run time: the host loops over this one */
      continue;
    }
    if (d->extent.form == FG_NUM_CONST) div *= d->extent.n;
    k->launch.blocks[k->launch.nblocks++] = d->extent;
  }
  host_first(k);
  fg_map_bulk_blocks(k);
}

fg_status fg_map_number_blocks(fg_builder *b) {
  for (int i = 0; i < b->program->nkernel; i++) number_blocks(b, b->program->kernel[i]);
  return FG_OK;
}

/* ---- kernels ------------------------------------------------------------------------- */

void fg_map_add_kernel(fg_builder *b, fg_kernel *k, const char *name) {
  fg_program *p = b->program;
  k->name = b->nkernel > 1 ? fg_arena_printf(b->cx->arena, "%s%d", name, p->nkernel) : name;
  if (!k->launch.cluster) k->launch.cluster = 1;
  p->kernel[p->nkernel++] = k;
}

fg_status fg_map_begin(fg_builder *b) {
  int most = 0;
  for (int i = 0; i < b->nkernel; i++) most += b->kernels[i]->nstage + 1;
  b->program->kernel = fg_arena_new(b->cx->arena, fg_kernel *, most);
  for (int i = 0; i < b->nkernel; i++)
    b->kernels[i]->stage[b->kernels[i]->nstage - 1].exchange.after = fg_exchange_none();
  return FG_OK;
}

/* One stage alone keeps its batch among its loops: any of them may become vectors. */
fg_status fg_map_batches(fg_builder *b) {
  b->alone = b->nkernel == 1 && b->kernels[0]->nstage == 1;
  for (int i = 0; i < b->nkernel; i++) {
    b->kernel = b->kernels[i];
    if (!b->alone) fg_map_outer_batch(b);
    b->kernel->launch.threads = 1;
    fg_map_add_kernel(b, b->kernel, "run");
  }
  return FG_OK;
}

fg_status fg_map_frames(fg_builder *b) {
  for (int i = 0; i < b->program->nkernel; i++) {
    fg_kernel *k = b->program->kernel[i];
    k->shape = k->nstage > 1 ? FG_SHAPE_BLOCK : FG_SHAPE_PASS;
  }
  return FG_OK;
}

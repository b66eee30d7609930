/* See routine.h. */
#include "runtime/plan/routine.h"
#include <string.h>

static size_t after(size_t *end, size_t bytes, size_t align) {
  size_t at = (*end + align - 1) / align * align;
  *end = at + bytes;
  return at;
}

static void add_places(fg_routine *r, const fg_arg_buffer *b, size_t align) {
  for (int part = 0; part < (b->split ? 2 : 1); part++) {
    fg_routine_slot *p = &r->place[r->nplace++];
    *p = (fg_routine_slot){.kind = b->kind, .part = part, .bytes = b->split ? b->bytes / 2 : b->bytes};
    if (b->kind == FG_ARG_TABLE) p->at = after(&r->tables, p->bytes, align);
    if (b->kind == FG_ARG_WORK) p->at = after(&r->workspace, p->bytes, align), r->nwork++;
    if (b->kind == FG_ARG_GIVEN) p->at = (size_t)r->ngiven++;
  }
  if (b->kind == FG_ARG_IN) r->in_bytes = b->bytes, r->split_in = b->split;
  if (b->kind == FG_ARG_OUT) r->out_bytes = b->bytes, r->split_out = b->split;
}

void fg_routine_create(fg_arena *a, const fg_package *p, size_t align, fg_routine *out) {
  const fg_artifact *from = &p->artifact;
  *out = (fg_routine){.nparam = from->nparam, .nlaunch = from->nlaunch, .flops = p->flops, .bytes = p->bytes};
  fg_launch *launch = fg_arena_copy(a, from->launch, (size_t)from->nlaunch * sizeof *launch);
  for (int i = 0; i < from->nlaunch; i++) launch[i].entry = fg_arena_strdup(a, launch[i].entry);
  out->launch = launch;
  out->plan = fg_arena_strdup(a, p->plan);
  for (int i = 0; i < from->nbuffer; i++) add_places(out, &from->buffer[i], align);
}

int64_t fg_routine_blocks(const fg_launch *l, const long long *params) {
  int64_t blocks = 1;
  for (int i = 0; i < l->nblock_factor; i++) {
    int64_t div = l->block_factor[i].div > 0 ? l->block_factor[i].div : 1, p = l->block_factor[i].param;
    blocks *= l->block_factor[i].n * (p < 0 ? 1 : (params[p] + div - 1) / div);
  }
  return blocks;
}

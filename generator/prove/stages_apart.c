/* Stages as kernels. In: a program with kernels that are one block of one thread. Out: for each of these a kernel
 * for every stage, or for every group of stages that share loops, whose blocks are the values of the loops around
 * it.
 *
 * The idea: it is the same whether a kernel runs one stage after the other, each from the first value of its loops
 * to the last, or the order of kernels and blocks does. Scratch that is private to a block of the first program is
 * shared by blocks of the second: block_addresses.c checks that no block loads what another stores there. If threads
 * divide a stage's loops, its blocks are in parts, and stages without a barrier between are marked. */
#include "generator/prove/stages_apart.h"
#include <string.h>

/* One block of one thread. */
static bool is_alone(const fg_kernel *k) {
  bool one = !k->nouter && !k->npred && !k->vectors.part && k->launch.threads <= 1 && k->launch.cluster <= 1 &&
             !k->launch.iterations;
  for (int d = 0; d < k->ndigit && one; d++)
    one = k->digit[d].role == FG_ROLE_LOOP || k->digit[d].role == FG_ROLE_LANE || k->digit[d].role == FG_ROLE_REG;
  return one && !k->launch.persistent && fg_kernel_groups_fit(k);
}

static bool touches(const fg_program *p, const fg_kernel *k, int root) {
  for (int s = 0; s < k->nstage; s++)
    for (int i = 0; i < 2; i++)
      if (fg_buffer_root(p, i ? k->stage[s].store.buffer : k->stage[s].load.buffer) == root) return true;
  return false;
}

/* Scratch of blocks is shared by all stages of those kernels alone that are taken apart. */
static bool is_possible(const fg_program *p) {
  bool any = false;
  if (p->queue.ring || p->vectors.side_by_side) return false;
  for (int i = 0; i < p->nkernel; i++) any |= is_alone(p->kernel[i]);
  for (int b = 0; b < p->nbuffer; b++) {
    bool apart = false, whole = false;
    for (int i = 0; i < p->nkernel && p->buffer[b].space == FG_SPACE_LOCAL; i++)
      *(is_alone(p->kernel[i]) ? &apart : &whole) |= touches(p, p->kernel[i], fg_buffer_root(p, b));
    if (apart && whole) return false;
  }
  return any;
}

static bool is_apart(const fg_program *p, int buffer) {
  for (int i = 0; i < p->nkernel; i++)
    if (is_alone(p->kernel[i]) && touches(p, p->kernel[i], fg_buffer_root(p, buffer))) return true;
  return false;
}

static int groups_of(const fg_kernel *k) {
  int groups = 0;
  for (int s = 0; s < k->nstage; s = fg_kernel_group_end(k, s)) groups++;
  return groups;
}

/* Loops around all stages of a group; of a stage alone all of its loops, but those of lanes and copies. */
static int loops_around(const fg_kernel *k, int first, int end) {
  const fg_stage *s = &k->stage[first];
  if (end > first + 1) return fg_stage_shared(k, s);
  int loops = 0;
  while (loops < s->nloop && k->digit[s->loop[loops]].role == FG_ROLE_LOOP) loops++;
  return loops;
}

/* Parts of a group are those of the loops around it. */
static bool has_parts_around(const fg_kernel *k, int first, int end) {
  bool around = !k->stage[first].vectors.part;
  for (int i = 0; i < loops_around(k, first, end); i++)
    around |= k->stage[first].loop[i] == k->stage[first].vectors.part - 1;
  for (int s = first; s < end; s++) around &= k->stage[s].vectors.part == k->stage[first].vectors.part;
  return around;
}

static bool are_parts_around(const fg_program *p) {
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0, end; is_alone(p->kernel[i]) && s < p->kernel[i]->nstage; s = end) {
      end = fg_kernel_group_end(p->kernel[i], s);
      if (!has_parts_around(p->kernel[i], s, end)) return false;
    }
  return true;
}

bool fg_prove_stages_follow(const fg_kernel *k, int stage) {
  bool parts = k->vectors.part > 0;
  for (int s = 0; s < k->nstage; s++) parts |= k->stage[s].vectors.part > 0;
  return parts && stage && !fg_exchange_waits(&k->stage[stage].exchange.before) &&
         !fg_exchange_waits(&k->stage[stage - 1].exchange.after);
}

static void take_loops(fg_stage *s, int loops) {
  s->nloop -= loops;
  for (int i = 0; i < s->nloop; i++) s->loop[i] = s->loop[i + loops];
  s->vectors.shared = 0;
  s->vectors.part = 0;
}

static fg_kernel *kernel_of(fg_context *cx, const fg_kernel *from, int first, int end) {
  fg_kernel *k = fg_arena_copy(cx->arena, from, sizeof *k);
  int loops = loops_around(from, first, end);
  int64_t div = 1;
  k->nstage = end - first;
  k->stage = fg_arena_copy(cx->arena, &from->stage[first], sizeof *k->stage * (size_t)k->nstage);
  k->vectors.part = k->stage[0].vectors.part;
  k->nouter = k->launch.nblocks = loops;
  for (int i = loops - 1; i >= 0; i--) {
    fg_digit *d = &k->digit[k->outer[i] = k->stage[0].loop[i]];
    d->role = FG_ROLE_BLOCK;
    d->div = div;
    if (d->extent.form == FG_NUM_CONST) div *= d->extent.n;
    k->launch.blocks[i] = d->extent;
  }
  for (int s = 0; s < k->nstage; s++) take_loops(&k->stage[s], loops);
  return k;
}

void fg_prove_stages_new(fg_context *cx, int kernels, fg_stages_apart *out) {
  out->follows = fg_arena_new(cx->arena, bool, kernels);
  out->tile = fg_arena_alloc(cx->arena, sizeof *out->tile * (size_t)kernels);
  memset(out->tile, 0, sizeof *out->tile * (size_t)kernels);
  out->thread = fg_arena_new(cx->arena, int, kernels);
  for (int i = 0; i < kernels; i++) out->thread[i] = i;
  out->p->kernel = fg_arena_new(cx->arena, fg_kernel *, kernels);
  out->p->nkernel = 0;
  out->cut = false;
  memset(out->place, 0, sizeof out->place);
}

static void make_kernels(fg_context *cx, const fg_program *p, fg_stages_apart *out) {
  int kernels = 0;
  fg_program *q = out->p;
  for (int i = 0; i < p->nkernel; i++) kernels += is_alone(p->kernel[i]) ? groups_of(p->kernel[i]) : 1;
  fg_prove_stages_new(cx, kernels, out);
  for (int i = 0; i < p->nkernel; i++) {
    fg_kernel *k = p->kernel[i];
    if (!is_alone(k)) q->kernel[q->nkernel++] = k;
    for (int s = 0, end; is_alone(k) && s < k->nstage; s = end) {
      end = fg_kernel_group_end(k, s);
      out->follows[q->nkernel] = fg_prove_stages_follow(k, s);
      q->kernel[q->nkernel++] = kernel_of(cx, k, s, end);
    }
  }
}

bool fg_prove_stages_apart(fg_context *cx, const fg_program *p, fg_stages_apart *out) {
  if (!is_possible(p) || !are_parts_around(p)) return false;
  fg_program *q = out->p = fg_arena_copy(cx->arena, p, sizeof *q);
  make_kernels(cx, p, out);
  for (int b = 0; b < q->nbuffer; b++) {
    if (q->buffer[b].space == FG_SPACE_LOCAL && is_apart(p, b)) q->buffer[b].space = FG_SPACE_WORK;
    q->buffer[b].used.first = 0;
    q->buffer[b].used.last = (int16_t)(q->nkernel - 1);
  }
  return true;
}

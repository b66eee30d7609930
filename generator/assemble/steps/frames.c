/* frames(PLAN): short-time transforms, and lapped ones of several frames.
 *
 * In: a task whose first dimension counts frames, a plan for one of them. Out: a kernel that transforms each frame;
 * where frames become a signal, others that add them. The idea: a sample of the output is loaded from all frames that
 * have it and stored once, so that no two threads write the same element, and sums have the same order everywhere.
 * Frames begin `hop` apart; block B of a signal, its samples from B hop on, has samples r + i hop of frames B - i.
 *
 * On CPUs blocks at either end, which fewer frames reach, are loops of their own, so that those between have no
 * conditions. norm multiplies by 1 over the sum of the squared windows: that of a short signal, whose middle stands for
 * all blocks between (ir/envelope.c). */
#include "generator/problem/frames.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/bank.h"
#include "generator/assemble/steps/steps.h"
#include "generator/base/integer.h"
#include "generator/ir/envelope.h"
#include "generator/problem/spectrum.h"

typedef struct overlap {
  fg_builder *b;
  fg_view frames, signal;
  int64_t count, frame, hop; /* frames, samples of each */
  int64_t first, length;     /* samples that the array has */
  int64_t reach;             /* frames that a sample is in, at most, or all */
  int16_t envelope;          /* table; 0: no norm */
} overlap;

typedef struct part { /* samples r = low .. high - 1 of blocks from .. to - 1 */
  int64_t from, to, low, high;
} part;

static int64_t sample_of(const overlap *o, const part *p) { return p->from * o->hop + p->low - o->first; }

/* Digits of a stage's own loops; -1: it has one value. */
typedef struct digits {
  int16_t block, sample, slot;
} digits;

static digits digits_of(const overlap *o, const fg_stage *s, const part *p) {
  int at = 0;
  for (int i = 0; i < o->b->naxis; i++) at += !fg_num_is(o->b->axis[i].extent, 1);
  digits d = {-1, -1, s->load.reg};
  if (p->to - p->from > 1) d.block = s->loop[at++];
  if (p->high - p->low > 1) d.sample = s->loop[at];
  return d;
}

static fg_affine sum_of(int64_t offset, int16_t block, int64_t by_block, int16_t sample, int16_t slot,
                        int64_t by_slot) {
  fg_affine a = {.offset = fg_num_const(offset)};
  if (block >= 0) fg_affine_add(&a, block, fg_num_const(by_block));
  if (sample >= 0) fg_affine_add(&a, sample, fg_num_const(1));
  if (slot >= 0) fg_affine_add(&a, slot, fg_num_const(by_slot));
  return a;
}

static void keep_below(fg_access *a, fg_affine value, int64_t bound) { fg_access_keep(a, &value, fg_num_const(bound)); }

/* Frames that are there, samples that they have, samples that the array has. */
static void guard(const overlap *o, fg_stage *s, const part *p, const digits *d, int64_t slots) {
  int64_t last = sample_of(o, &(part){p->to - 1, 0, p->high - 1, 0});
  if (p->from < slots - 1) keep_below(&s->load, sum_of(-p->from, d->block, -1, -1, d->slot, 1), 1);
  if (p->to > o->count) keep_below(&s->load, sum_of(p->from, d->block, 1, -1, d->slot, -1), o->count);
  if (p->high - 1 + (slots - 1) * o->hop >= o->frame)
    keep_below(&s->load, sum_of(p->low, -1, 0, d->sample, d->slot, o->hop), o->frame);
  if (last >= o->length) keep_below(&s->store, sum_of(sample_of(o, p), d->block, o->hop, d->sample, -1, 0), o->length);
}

/* The envelope's number of a sample: blocks between the ends have those of one. */
static fg_index envelope_index(const overlap *o, const part *p, const digits *d) {
  int64_t head = o->reach - 1;
  bool before = p->to <= head, between = p->from >= head && p->to <= o->count, behind = p->from >= o->count;
  int64_t block = between ? head : behind ? p->from - o->count + o->reach : p->from;
  fg_index x = {.lookup = -1};
  x.at = sum_of(block * o->hop + p->low, between ? -1 : d->block, o->hop, d->sample, -1, 0);
  x.base.offset = fg_num_const(0);
  if (before || between || behind) return x;
  fg_affine position = sum_of(p->from, d->block, 1, -1, -1, 0);
  x.wrap = fg_arena_new(o->b->cx->arena, fg_wrap, 2);
  x.wrap[x.nwrap++] = (fg_wrap){position, head, {0, head}, {0, -1}, fg_num_const(o->hop)};
  x.wrap[x.nwrap++] = (fg_wrap){position, o->count, {0, 1 - o->count}, {0, 1}, fg_num_const(o->hop)};
  return x;
}

static void normalize(const overlap *o, fg_stage *s, const part *p, const digits *d) {
  if (!o->envelope) return;
  fg_access weight = {.buffer = o->envelope, .reg = s->store.reg, .index = envelope_index(o, p, d)};
  s->operations.stored = fg_build_weighting(o->b, &weight);
}

static fg_status add_part(const overlap *o, const part *p) {
  int64_t slots = (o->frame - p->low + o->hop - 1) / o->hop;
  fg_view in = fg_build_shifted(&o->frames, p->from * o->frame + p->low);
  fg_view out = fg_build_shifted(&o->signal, sample_of(o, p));
  fg_stage_form form = {.what = fg_arena_printf(o->b->cx->arena, "the sum of up to %lld frames", (long long)slots),
                        .in = &in,
                        .out = &out,
                        .loop = {{"c", p->to - p->from, o->frame, o->hop, 0}, {"r", p->high - p->low, 1, 1, 0}},
                        .slots = (int)slots,
                        .out_slots = 1,
                        .load = o->hop - o->frame,
                        .store = 1,
                        .alone = p->to - p->from == 1 && p->high - p->low == 1};
  fg_codelet_key key = {.kind = FG_CODELET_SUM, .sign = 1};
  fg_status status = fg_build_key(o->b, key, slots, &form.codelet);
  if (status != FG_OK) return status;
  fg_stage *s = fg_build_stage(o->b, &form);
  digits d = digits_of(o, s, p);
  guard(o, s, p, &d, slots);
  normalize(o, s, p, &d);
  return FG_OK;
}

/* GPUs: as it is, each with a kernel of its own. CPUs: cut where conditions begin. */
static fg_status add_cut(const overlap *o, part p) {
  const int64_t cut[] = {o->reach - 1, o->count, p.to};
  int64_t whole = o->frame - (o->frame - 1) / o->hop * o->hop; /* samples that one frame more has */
  if (p.from >= p.to || p.low >= p.high) return FG_OK;
  if (o->b->map->threads) {
    fg_build_kernel(o->b);
    return add_part(o, &p);
  }
  if (p.low < whole && whole < p.high) {
    fg_status status = add_cut(o, (part){p.from, p.to, p.low, whole});
    return status == FG_OK ? add_cut(o, (part){p.from, p.to, whole, p.high}) : status;
  }
  if (sample_of(o, &(part){p.to - 1, 0, p.high - 1, 0}) >= o->length && p.to - p.from > 1) {
    fg_status status = add_cut(o, (part){p.from, p.to - 1, p.low, p.high});
    return status == FG_OK ? add_cut(o, (part){p.to - 1, p.to, p.low, p.high}) : status;
  }
  int64_t over = sample_of(o, &(part){p.to - 1, 0, p.high - 1, 0}) - (o->length - 1);
  if (over > 0) p.high -= over;
  if (p.low >= p.high) return FG_OK;
  fg_status status = FG_OK;
  for (int i = 0; i < 3 && status == FG_OK; i++) {
    part some = {p.from, fg_smaller(p.to, cut[i]), p.low, p.high};
    if (some.from >= some.to) continue;
    status = add_part(o, &some);
    p.from = some.to;
  }
  return status;
}

/* So many blocks have a sample `low` in the array. */
static int64_t end_of(const overlap *o, int64_t from, int64_t low) {
  int64_t left = o->length - sample_of(o, &(part){from, 0, low, 0});
  return left <= 0 ? from : from + (left + o->hop - 1) / o->hop;
}

static fg_status add_frames(const overlap *o) {
  int64_t block = o->first / o->hop, low = o->first % o->hop;
  int first = o->b->kernel->nstage;
  fg_status status = add_cut(o, (part){block, end_of(o, block, low), low, o->hop});
  if (status == FG_OK && low) status = add_cut(o, (part){block + 1, end_of(o, block + 1, 0), 0, low});
  if (!o->b->map->threads) fg_build_wait_once(o->b, first);
  return status;
}

/* Each of frames from .. to - 1 by a plan, in a kernel of their own. */
static fg_status transform_some(fg_builder *b, const fg_plan *plan, const fg_task *t, int64_t from, int64_t to) {
  const fg_problem *q = &b->program->problem;
  bool back = fg_problem_is_signal(q, true);
  fg_task frame = *t;
  if (from >= to) return FG_OK;
  if (b->kernel->nstage) fg_build_kernel(b);
  int axis = b->naxis;
  b->dimension = 0;
  fg_build_axis(b, "f", to - from, FG_AXIS_FRAME);
  b->dimension = 1;
  frame.in.coef[axis] = q->dim[0].is;
  frame.in.offset = fg_num_scaled(q->dim[0].is, from);
  if (!back) frame.out.coef[axis] = q->dim[0].os, frame.out.offset = fg_num_scaled(q->dim[0].os, from);
  b->beside = 0, b->begin = from;
  fg_status status = fg_build_banked(b, plan, &frame);
  b->begin = 0;
  b->naxis = axis;
  return status;
}

/* On CPUs frames that are inside of the signal are loaded in vectors: those at its ends, apart. */
static fg_status transform_all(fg_builder *b, const fg_plan *plan, const fg_task *t, const overlap *o) {
  enum { FEW = 4 };
  const fg_problem *q = &b->program->problem;
  int64_t head = (o->first + o->hop - 1) / o->hop, behind = o->length + o->first - o->frame;
  int64_t tail = behind < 0 ? 0 : fg_smaller(behind / o->hop + 1, o->count);
  bool cut = !fg_problem_is_signal(q, true) && fg_problem_centred(q) && b->map->lanes > 1 && !b->map->threads;
  if (!cut || tail - head < FEW) return transform_some(b, plan, t, 0, o->count);
  fg_status status = transform_some(b, plan, t, 0, head);
  if (status == FG_OK) status = transform_some(b, plan, t, head, tail);
  return status == FG_OK ? transform_some(b, plan, t, tail, o->count) : status;
}

fg_status fg_build_frames(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_problem *q = &b->program->problem;
  bool back = fg_problem_is_signal(q, true);
  overlap o = {.b = b,
               .signal = t->out,
               .count = q->dim[0].n.n,
               .frame = fg_problem_frame(q),
               .hop = fg_problem_hop(q),
               .first = fg_problem_signal_first(q),
               .length = fg_problem_signal_length(q)};
  o.reach = fg_smaller(o.count, (o.frame + o.hop - 1) / o.hop);
  fg_task frame = *t;
  frame.kind = fg_problem_line_kind(q, 1), frame.n = q->dim[1].n.n;
  frame.in.stride = q->dim[1].is, frame.out.stride = o.signal.stride = q->dim[1].os;
  if (back) {
    b->dimension = 0;
    fg_build_axis(b, "f", o.count, FG_AXIS_FRAME);
    frame.out = o.frames = fg_build_real_workspace(b, o.frame, true), frame.out.ends = true;
    b->naxis--;
  }
  fg_status status = transform_all(b, plan->child[0], &frame, &o);
  o.signal.ends = false;
  if (status != FG_OK || !back) return status;
  if (!b->map->threads) fg_build_kernel(b);
  fg_table envelope;
  if (fg_table_of_norm(q, &envelope)) o.envelope = fg_build_table(b, &envelope).buffer;
  return add_frames(&o);
}

/* Tiles cut into their stages. In: a program of one thread, values of its parameters. Out: a kernel for each stage,
 * whose blocks are the values of all loops around it, those of the tile first.
 *
 * The idea: a tile's stages pass numbers on in scratch that holds one tile. If every tile had scratch of its own, one
 * stage could run for all tiles before the next one does, and its blocks are so small that few of them are a sample. So
 * scratch is as long as all tiles' together, and addresses in it have the tile's place added. That tiles share no other
 * memory that a stage of theirs stores to is checked where the addresses of all blocks are (block_tiles.c). */
#include "generator/base/integer.h"
#include "generator/prove/block_sample_parts.h"
#include "generator/prove/stages_apart.h"
#include <string.h>

enum { SPARE = 4 /* times the tiles' memory that is taken, if it is much and their places are not side by side */ };
#define MUCH (INT64_C(1) << 26)    /* reals of scratch, */
#define LARGEST (INT64_C(1) << 29) /* and at most */

typedef struct shift { /* of addresses in scratch */
  int count;           /* digits that number the tile */
  int16_t digit[FG_MAX_LOOPS];
  fg_stages_place to;
} shift;

typedef struct cutter {
  fg_context *cx;
  const fg_program *p; /* as it was */
  const int64_t *params;
  fg_stages_apart *out;
  int16_t to[FG_MAX_BUFFERS];   /* of the present kernel: what its buffers have become */
  shift shifts[FG_MAX_BUFFERS]; /* by root */
  bool placed[FG_MAX_BUFFERS];  /* by root: a kernel before has it */
} cutter;

/* ---- which programs --------------------------------------------------------------------- */

static bool is_outer_possible(const fg_kernel *k) {
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if ((d->role != FG_ROLE_BLOCK && d->role != FG_ROLE_LOOP) || d->turns) return false;
  }
  return true;
}

static bool has_one_thread(const fg_kernel *k) {
  bool one = k->launch.threads <= 1 && k->launch.cluster <= 1 && k->launch.iterations <= 1 && !k->launch.persistent;
  for (int d = 0; d < k->ndigit && one; d++)
    one = k->digit[d].role != FG_ROLE_THREAD && k->digit[d].role != FG_ROLE_HOST && k->digit[d].role != FG_ROLE_RING;
  return one && is_outer_possible(k) && fg_kernel_groups_fit(k) && !fg_kernel_fetches(k);
}

static bool shares_loops(const fg_kernel *k) {
  for (int s = 0; s < k->nstage; s++)
    if (k->stage[s].vectors.shared) return true;
  return false;
}

/* Whether more can be cut than fg_prove_stages_apart does. */
static bool is_possible(const fg_program *p) {
  bool any = false;
  if (p->queue.ring || p->vectors.side_by_side) return false;
  for (int i = 0; i < p->nkernel; i++) {
    if (!has_one_thread(p->kernel[i])) return false;
    any |= p->kernel[i]->nouter || shares_loops(p->kernel[i]);
  }
  return any;
}

/* ---- tiles ------------------------------------------------------------------------------ */

typedef struct tile { /* stages of a kernel from first to before end, and what numbers the tile */
  int first, end, count;
  int16_t digit[FG_MAX_LOOPS];
} tile;

/* Of a kernel's block; no digits: there is one. */
static tile block_of(const fg_kernel *k) {
  tile t = {.end = k->nstage, .count = k->nouter};
  memcpy(t.digit, k->outer, sizeof *t.digit * (size_t)t.count);
  return t;
}

/* Of the loops that a stage shares with others, inside of blocks. False: it is alone. */
static bool find_group(const fg_kernel *k, int stage, tile *t) {
  *t = block_of(k);
  t->first = stage, t->end = fg_kernel_group_end(k, stage);
  while (t->first && k->stage[t->first].vectors.shared) t->first--;
  const fg_stage *s = &k->stage[t->first];
  int shared = fg_stage_shared(k, s);
  if (t->end - t->first < 2 || t->count + shared > FG_MAX_LOOPS) return false;
  memcpy(t->digit + t->count, s->loop, sizeof *t->digit * (size_t)shared);
  t->count += shared;
  return true;
}

static bool has(const tile *t, int digit) {
  for (int i = 0; i < t->count; i++)
    if (t->digit[i] == digit) return true;
  return false;
}

/* Loops of a stage that become blocks: all around those of lanes and copies. */
static int loops_around(const fg_kernel *k, const fg_stage *s) {
  int loops = 0;
  while (loops < s->nloop && k->digit[s->loop[loops]].role == FG_ROLE_LOOP) loops++;
  return loops;
}

/* 1 + the digit that threads share out; 0: none. */
static int part_of(const fg_kernel *k, const fg_stage *s) {
  return k->vectors.part ? k->vectors.part : s->vectors.part;
}

/* What threads share out are blocks, or groups, or any loop of a stage that is alone. */
static bool fits(const fg_kernel *k, int stage) {
  const fg_stage *s = &k->stage[stage];
  tile t;
  bool grouped = find_group(k, stage, &t);
  int part = part_of(k, s) - 1, loops = loops_around(k, s);
  bool around = part < 0 || has(&t, part);
  for (int i = 0; !grouped && i < loops; i++) around |= s->loop[i] == part;
  return around && k->nouter + loops <= FG_MAX_LOOPS && fg_stage_shared(k, s) <= loops;
}

/* ---- scratch ---------------------------------------------------------------------------- */

static int uses(const cutter *c, const fg_kernel *k, int stage, int root) {
  fg_stage s = k->stage[stage];
  const fg_access *a;
  for (int i = 0; (a = fg_stage_access(&s, i)); i++)
    if (fg_buffer_root(c->p, a->buffer) == root) return true;
  return false;
}

/* The one group whose stages use it, else the block. False: none does. */
static bool find_tile(const cutter *c, const fg_kernel *k, int root, tile *out) {
  bool any = false, one = true;
  for (int s = 0; s < k->nstage; s++) {
    tile t;
    if (!uses(c, k, s, root)) continue;
    bool grouped = find_group(k, s, &t);
    one = one && grouped && (!any || t.first == out->first);
    *out = t;
    any = true;
  }
  if (any && !one) *out = block_of(k);
  return any;
}

/* Reals of one tile in all views, and what its place is a multiple of. False: they are not in one order. */
static bool measure(const cutter *c, int root, int64_t *reals, int64_t *by) {
  const fg_buffer *r = &c->p->buffer[root];
  *reals = 0, *by = 2;
  for (int b = 0; b < c->p->nbuffer; b++) {
    const fg_buffer *x = &c->p->buffer[b];
    int64_t parts = fg_buffer_parts(x);
    if (fg_buffer_root(c->p, b) != root) continue;
    bool same = fg_buffer_is_like(x, r);
    if (x->size * parts != r->size * fg_buffer_parts(r)) return false; /* each has its own bounds */
    if (x->elem == FG_ELEM_INDEX || x->layout == FG_LAYOUT_DOUBLED) return false;
    if (!same && (x->layout == FG_LAYOUT_SPLIT || r->layout == FG_LAYOUT_SPLIT)) return false;
    *reals = x->size * parts;
    if (x->layout == FG_LAYOUT_BLOCKED) *by = (int64_t)fg_integer_lcm((uint64_t)*by, 2 * (uint64_t)x->block);
    if (x->permuted) *by = (int64_t)fg_integer_lcm((uint64_t)*by, (uint64_t)(parts * x->permuted));
  }
  return true;
}

/* The least distance of a digit's values. */
static int64_t gap_of(const fg_digit *d, int64_t extent) {
  if (extent < 2 || !fg_digit_is_clipped(d)) return d->step;
  return d->last - (extent - 2) * d->step;
}

/* A place for each tile, the innermost digit's side by side. */
static bool place(const cutter *c, const fg_kernel *k, const tile *t, int64_t reals, int64_t by, shift *out,
                  int64_t *all) {
  double tiles = 1;
  *out = (shift){.count = t->count, .to.reals = reals};
  *all = reals;
  for (int i = t->count - 1; i >= 0; i--) {
    const fg_digit *d = &k->digit[t->digit[i]];
    int64_t extent = fg_digit_extent(d, c->params), gap = gap_of(d, extent);
    if (extent < 1 || gap < 1) return false;
    int64_t first = fg_digit_value(d, 0, c->params), last = fg_digit_value(d, extent - 1, c->params);
    int64_t step = (*all + gap - 1) / gap;
    step = (step + by - 1) / by * by;
    tiles *= (double)extent;
    if ((double)step * (double)(last - first) > (double)LARGEST) return false;
    out->digit[i] = t->digit[i], out->to.by[i] = step;
    out->to.at -= step * first;
    *all += step * (last - first);
  }
  *all = (*all + by - 1) / by * by;
  return *all <= MUCH || (*all <= LARGEST && (double)*all <= SPARE * tiles * (double)(reals + by));
}

/* The kernel's own view of a buffer. Returns its number; -1: there are too many. */
static int copy_buffer(cutter *c, int b, bool fresh) {
  fg_program *q = c->out->p;
  if (!fresh) return b;
  if (q->nbuffer == FG_MAX_BUFFERS) return -1;
  q->buffer[q->nbuffer] = c->p->buffer[b];
  return q->nbuffer++;
}

static bool give_scratch(cutter *c, const fg_kernel *k, int root) {
  int64_t reals, by, all;
  tile t;
  fg_program *q = c->out->p;
  if (c->p->buffer[root].space != FG_SPACE_LOCAL || !find_tile(c, k, root, &t)) return true;
  if (!measure(c, root, &reals, &by) || !place(c, k, &t, reals, by, &c->shifts[root], &all)) return false;
  for (int b = 0; b < c->p->nbuffer; b++) {
    if (fg_buffer_root(c->p, b) != root) continue;
    int to = copy_buffer(c, b, c->placed[root]);
    if (to < 0) return false;
    c->to[b] = (int16_t)to;
  }
  for (int b = 0; b < c->p->nbuffer; b++) {
    fg_buffer *x = &q->buffer[c->to[b]];
    if (fg_buffer_root(c->p, b) != root) continue;
    x->space = FG_SPACE_WORK;
    x->alias = (int16_t)(b == root ? -1 : c->to[root]);
    x->size = all / fg_buffer_parts(x);
  }
  c->out->place[c->to[root]] = c->shifts[root].to;
  return c->placed[root] = true;
}

static bool add_term(fg_affine *a, int16_t digit, int64_t by) {
  for (int t = 0; t < a->nterm; t++) {
    if (a->term[t].digit != digit) continue;
    a->term[t].coef.n += by;
    return a->term[t].coef.form == FG_NUM_CONST;
  }
  if (a->nterm == FG_MAX_TERMS) return false;
  fg_affine_add(a, digit, fg_num_const(by));
  return true;
}

static bool move(const cutter *c, fg_access *a) {
  const shift *x = &c->shifts[fg_buffer_root(c->p, a->buffer)];
  int parts = fg_buffer_parts(&c->p->buffer[a->buffer]);
  fg_index *i = &a->index;
  fg_affine *line = fg_index_is_bent(i) ? &i->base : &i->at;
  a->buffer = c->to[a->buffer];
  if (!x->count) return true;
  if (i->pad_every || i->xor_mask || i->swap.count || line->offset.form != FG_NUM_CONST) return false;
  line->offset.n += x->to.at / parts;
  for (int d = 0; d < x->count; d++)
    if (!add_term(line, x->digit[d], x->to.by[d] / parts)) return false;
  return true;
}

/* ---- the whole -------------------------------------------------------------------------- */

static void take_loops(fg_stage *s, int loops) {
  s->nloop -= loops;
  for (int i = 0; i < s->nloop; i++) s->loop[i] = s->loop[i + loops];
  s->vectors.shared = 0;
  s->vectors.part = 0;
}

static void number_blocks(fg_kernel *k, const int64_t *params) {
  int64_t div = 1;
  k->launch.nblocks = k->nouter;
  for (int i = k->nouter - 1; i >= 0; i--) {
    fg_digit *d = &k->digit[k->outer[i]];
    d->role = FG_ROLE_BLOCK;
    d->div = div;
    div *= fg_digit_extent(d, params);
    k->launch.blocks[i] = d->extent;
  }
}

static bool cut_stage(cutter *c, const fg_kernel *from, int stage) {
  fg_arena *arena = c->cx->arena;
  fg_kernel *k = fg_arena_copy(arena, from, sizeof *k);
  fg_stage *s = k->stage = fg_arena_new(arena, fg_stage, 1);
  int loops = loops_around(from, &from->stage[stage]);
  fg_access *a;
  *s = fg_stage_twin(arena, &from->stage[stage]);
  k->nstage = 1;
  k->vectors.part = (int16_t)part_of(from, s);
  for (int i = 0; i < loops; i++) k->outer[k->nouter++] = s->loop[i];
  number_blocks(k, c->params);
  take_loops(s, loops);
  for (int i = 0; (a = fg_stage_access(s, i)); i++)
    if (!move(c, a)) return false;
  c->out->p->kernel[c->out->p->nkernel++] = k;
  return true;
}

static bool cut_kernel(cutter *c, const fg_kernel *k) {
  fg_stages_apart *out = c->out;
  for (int b = 0; b < c->p->nbuffer; b++) c->to[b] = (int16_t)b, c->shifts[b].count = 0;
  for (int b = 0; b < c->p->nbuffer; b++)
    if (fg_buffer_root(c->p, b) == b && !give_scratch(c, k, b)) return false;
  for (int s = 0; s < k->nstage; s++) {
    int number = out->p->nkernel, before = number - s;
    tile group;
    bool grouped = find_group(k, s, &group);
    out->follows[number] = fg_prove_stages_follow(k, s);
    out->tile[number][FG_STAGES_BLOCK] = (fg_stages_tile){before, k->nouter};
    if (grouped) out->tile[number][FG_STAGES_GROUP] = (fg_stages_tile){before + group.first, group.count};
    if (k->vectors.part || grouped) out->thread[number] = before + (k->vectors.part ? 0 : group.first);
    if (!fits(k, s) || !cut_stage(c, k, s)) return false;
  }
  return true;
}

bool fg_prove_stages_cut(fg_context *cx, const fg_program *p, const int64_t *params, fg_stages_apart *out) {
  if (!is_possible(p)) return false;
  int stages = 0;
  fg_program *q = out->p = fg_arena_copy(cx->arena, p, sizeof *q);
  cutter *c = fg_arena_new(cx->arena, cutter, 1);
  *c = (cutter){.cx = cx, .p = p, .params = params, .out = out};
  for (int i = 0; i < p->nkernel; i++) stages += p->kernel[i]->nstage;
  fg_prove_stages_new(cx, stages, out);
  out->cut = true;
  for (int i = 0; i < p->nkernel; i++)
    if (!cut_kernel(c, p->kernel[i])) return false;
  for (int b = 0; b < q->nbuffer; b++) {
    q->buffer[b].used.first = 0;
    q->buffer[b].used.last = (int16_t)(q->nkernel - 1);
  }
  return true;
}

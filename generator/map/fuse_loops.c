/* Map: loop fusion of two passes over a tile, with contraction of the array between them.
 *
 * In: mapped kernels of loops and lanes. Out: pairs of stages with shared loops (kernel.h); the buffer between them
 * has only the elements of one iteration.
 *
 * The idea: a pass stores all of its results before the next one begins, so that a tile larger than L1 leaves it and
 * comes back for each pass. Both passes address the buffer by digits. Digits of one are split where those of the
 * other are, until every digit of the address means the same elements on both sides. Digits that are loops on both
 * sides become shared loops: in one iteration a pass of radix r stores, and the next pass of radix s loads, r s
 * vectors. So two small radices pass through L1 as one large radix would through registers, which are too few for it.
 *
 * Not if the first pass transposes vectors to rows: an iteration would then have as many of these as vectors have
 * lanes. */
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/base/integer.h"
#include "generator/ir/program_machine.h"
#include "generator/ir/radix_digits.h"
#include "generator/map/digits.h"
#include "generator/map/map.h"
#include "targets/machine/limits.h"
#include <stdio.h>
#include <string.h>

/* The elements between two passes: larger than this part of L2, of a tile; no more bytes, of an iteration, nor
 * where L2 is large and its rows are loaded from an array (measured with 2 MiB of it on a Xeon). */
enum { WRITER, READER, SIDES };

typedef struct part { /* the same elements on both sides */
  int64_t step, extent;
  int16_t digit[SIDES];
  int64_t weight[SIDES];
  bool shared;
  int16_t own[SIDES]; /* the digit that counts it from now on; -1: the one that did, with others */
} part;

typedef struct pair {
  fg_builder *b;
  fg_kernel *k;
  fg_stage *side[SIDES]; /* the writer, and the reader behind it */
  int npart;
  part part[2 * FG_MAX_TERMS];
} pair;

static fg_access *access_of(const pair *p, int side) {
  return side == WRITER ? &p->side[side]->store : &p->side[side]->load;
}

/* ---- the address's digits ------------------------------------------------------------- */

static bool is_plain(const fg_access *a) {
  const fg_index *x = &a->index;
  if (a->rest || a->npred || fg_index_is_bent(x) || x->nwrap || x->pad_every || x->xor_mask || x->swap.count)
    return false;
  return fg_num_is(x->at.offset, 0);
}

/* -1: not an address of a mixed radix. */
static int radix_digits_of(const fg_kernel *k, const fg_access *a, fg_radix_digit *out) {
  int n = is_plain(a) ? fg_radix_digits(k, &a->index.at, out) : -1;
  for (int i = 0; i + 1 < n; i++)
    if (out[i].step * out[i].extent > out[i + 1].step) return -1;
  return n;
}

static void take(fg_radix_digit *w, int64_t extent) {
  w->step *= extent;
  w->weight *= extent;
  w->extent /= extent;
}

/* Both sides' digits, cut where either is. */
static bool find_parts(pair *p) {
  fg_radix_digit radix_digit_of[SIDES][FG_MAX_TERMS], *x = radix_digit_of[WRITER], *y = radix_digit_of[READER];
  int nx = radix_digits_of(p->k, access_of(p, WRITER), x), ny = radix_digits_of(p->k, access_of(p, READER), y);
  if (nx < 0 || ny < 0) return false;
  for (const fg_radix_digit *ex = x + nx, *ey = y + ny; x < ex && y < ey;) {
    int64_t extent = x->extent < y->extent ? x->extent : y->extent;
    if (x->step != y->step || x->extent % extent || y->extent % extent) return false;
    p->part[p->npart++] = (part){x->step, extent, {x->digit, y->digit}, {x->weight, y->weight}, false, {-1, -1}};
    take(x, extent);
    take(y, extent);
    x += x->extent == 1, y += y->extent == 1;
  }
  return x == radix_digit_of[WRITER] + nx && y == radix_digit_of[READER] + ny;
}

static bool is_loop_of(const fg_kernel *k, const fg_stage *s, int16_t digit) {
  for (int i = 0; i < s->nloop; i++)
    if (s->loop[i] == digit) return digit != s->vectors.lane && k->digit[digit].role == FG_ROLE_LOOP;
  return false;
}

/* ---- whether it may be, and is worth it ---------------------------------------------------- */

static bool touches(const fg_program *p, const fg_stage *s, int root, bool stores) {
  return fg_buffer_root(p, stores ? s->store.buffer : s->load.buffer) == root;
}

/* What the writer stores is the reader's alone, and neither is in the other's way. */
static bool is_between(const pair *x) {
  const fg_program *p = x->b->program;
  const fg_stage *w = x->side[WRITER], *r = x->side[READER];
  int root = fg_buffer_root(p, w->store.buffer);
  bool own = w->store.buffer == r->load.buffer && p->buffer[w->store.buffer].space == FG_SPACE_LOCAL;
  if (!own || touches(p, w, root, false) || touches(p, r, root, true)) return false;
  if (touches(p, r, fg_buffer_root(p, w->load.buffer), true)) return false;
  for (const fg_stage *s = r + 1; s < x->k->stage + x->k->nstage; s++) {
    if (touches(p, s, root, false)) return false;
    if (touches(p, s, root, true)) break;
  }
  return true;
}

static bool is_simple(const fg_stage *s) {
  return s->codelet && s->vectors.lane >= 0 && !s->npred && !s->exchange.between.scope && !s->vectors.shared &&
         !fg_stage_is_bulk(s) && !s->vectors.fallback;
}

/* A digit that stays a loop of vectors steps by these in memory that holds one iteration alone. */
static bool keeps_steps(const pair *p) {
  int64_t step = 1;
  for (int i = 0; i < p->npart; i++) {
    const part *x = &p->part[i];
    if (x->shared) continue;
    for (int side = 0; side < SIDES; side++)
      if (step % p->k->digit[x->digit[side]].step) return false;
    step *= x->extent;
  }
  return true;
}

/* Elements between the two in one iteration. */
static int64_t inside(const pair *p) {
  int64_t n = 1;
  for (int i = 0; i < p->npart; i++)
    if (!p->part[i].shared) n *= p->part[i].extent;
  return n;
}

static bool is_wanted(const pair *p) {
  const fg_buffer *b = &p->b->program->buffer[p->side[WRITER]->store.buffer];
  int64_t wanted = fg_plan_param_value(p->b->program->plan, FG_PARAM_FUSE_LOOPS), iteration = inside(p),
          all = iteration;
  for (int i = 0; i < p->npart; i++) all *= p->part[i].shared ? p->part[i].extent : 1;
  int64_t element = fg_buffer_bytes(b) / b->size;
  if (all == iteration || wanted == 1) return false;
  if (wanted == 2) return true;
  bool gathers = p->b->program->buffer[p->side[WRITER]->load.buffer].space != FG_SPACE_LOCAL;
  int64_t most = gathers && !fg_small_l2(p->b->program) ? limit->fused_gathered_most : limit->fused_most;
  bool far = all * element > fg_l2_bytes(p->b->program) / limit->fused_l2_part, near = iteration * element <= most;
  return far && near &&
         p->b->program->problem.rank == 1; /* rows of several dimensions are longer, and best as they are */
}

/* ---- doing it -------------------------------------------------------------------------- */

/* In every address of the stage, a part's digit replaces what the old one counted of it. */
static void replace_in(fg_affine *a, const pair *p, int side, int16_t digit) {
  fg_num coef = fg_affine_coef(a, digit);
  fg_affine_drop(a, digit);
  for (int i = 0; i < p->npart; i++) {
    const part *x = &p->part[i];
    if (x->digit[side] != digit) continue;
    int64_t unit = p->k->digit[x->own[side]].step;
    fg_affine_add(a, x->own[side], fg_num_scaled(coef, x->weight[side] * p->k->digit[digit].step / unit));
  }
}

static void replace(const pair *p, int side, int16_t digit) {
  fg_access *a;
  for (int n = 0; (a = fg_stage_access(p->side[side], n)); n++) {
    replace_in(&a->index.at, p, side, digit);
    replace_in(&a->index.base, p, side, digit);
    for (int i = 0; i < a->index.nwrap; i++) replace_in(&a->index.wrap[i].position, p, side, digit);
    for (int i = 0; i < a->npred; i++) replace_in(&a->pred[i].value, p, side, digit);
  }
}

static int64_t unit_of(const pair *p, const part *x, int side) {
  return x->weight[side] * p->k->digit[x->digit[side]].step;
}

static int16_t new_digit(const pair *p, const part *x, int side, int64_t unit) {
  fg_digit d = p->k->digit[x->digit[side]];
  d.extent = fg_num_const(x->extent);
  d.step = unit;
  return fg_kernel_add_digit(p->k, &d);
}

/* Digits of their own for the parts of loops. */
static void name_parts(pair *p) {
  for (int i = 0; i < p->npart; i++) {
    part *x = &p->part[i];
    int64_t unit = fg_gcd(unit_of(p, x, WRITER), unit_of(p, x, READER));
    if (x->shared) x->own[WRITER] = x->own[READER] = new_digit(p, x, READER, unit);
  }
  for (int i = 0; i < p->npart; i++)
    for (int side = 0; side < SIDES; side++) {
      part *x = &p->part[i];
      if (is_loop_of(p->k, p->side[side], x->digit[side]) && !x->shared)
        x->own[side] = new_digit(p, x, side, p->k->digit[x->digit[side]].step);
    }
}

/* The stage's loops: the shared ones first, in the writer's order, then what is left of its own. */
static void set_loops(const pair *p, int side, const int16_t *shared, int nshared) {
  fg_stage *s = p->side[side];
  int16_t old[FG_MAX_LOOPS];
  int nold = s->nloop;
  memcpy(old, s->loop, sizeof old);
  memcpy(s->loop, shared, sizeof *shared * (size_t)nshared);
  s->nloop = nshared;
  for (int l = 0; l < nold; l++) {
    bool cut = false;
    for (int i = p->npart - 1; i >= 0; i--) {
      const part *x = &p->part[i];
      if (x->digit[side] != old[l] || x->own[side] < 0) continue;
      cut = true;
      if (!x->shared) s->loop[s->nloop++] = x->own[side];
    }
    if (cut)
      replace(p, side, old[l]);
    else
      s->loop[s->nloop++] = old[l];
  }
}

static int shared_digits(const pair *p, int16_t *out) {
  int n = 0;
  const fg_stage *w = p->side[WRITER];
  for (int l = 0; l < w->nloop; l++)
    for (int i = p->npart - 1; i >= 0; i--)
      if (p->part[i].shared && p->part[i].digit[WRITER] == w->loop[l]) out[n++] = p->part[i].own[WRITER];
  return n;
}

/* Memory of one iteration: parts in their order, without those that are shared. */
static void place_parts(const pair *p, int side, int16_t buffer) {
  fg_access *a = access_of(p, side);
  int64_t step = 1;
  a->buffer = buffer;
  for (int i = 0; i < p->npart; i++) {
    const part *x = &p->part[i];
    int16_t digit = x->own[side] >= 0 ? x->own[side] : x->digit[side];
    bool first = x->own[side] >= 0 || x->weight[side] == 1;
    if (first) fg_affine_drop(&a->index.at, digit);
    if (x->shared) continue;
    if (first) fg_affine_add(&a->index.at, digit, fg_num_const(step / p->k->digit[digit].step));
    step *= x->extent;
  }
}

static bool is_alone(const pair *p, int16_t buffer) {
  const fg_program *q = p->b->program;
  for (int i = 0; i < q->nbuffer; i++)
    if (i != buffer && fg_buffer_root(q, i) == buffer) return false;
  for (const fg_stage *s = p->k->stage; s < p->k->stage + p->k->nstage; s++)
    if (s != p->side[WRITER] && s != p->side[READER] && fg_stage_uses(q, s, buffer)) return false;
  return q->buffer[buffer].alias < 0;
}

static int16_t memory_of(const pair *p) {
  fg_program *q = p->b->program;
  int16_t old = p->side[WRITER]->store.buffer;
  fg_buffer b = q->buffer[old];
  b.size = b.layout == FG_LAYOUT_SPLIT ? fg_build_padded(p->b, inside(p)) : inside(p);
  if (is_alone(p, old)) {
    q->buffer[old] = b;
    return old;
  }
  b.alias = -1;
  snprintf(b.name, sizeof b.name, "work%d", p->b->work_count++);
  return fg_build_buffer(q, &b);
}

static void share(pair *p) {
  int16_t shared[FG_MAX_LOOPS], buffer = memory_of(p);
  name_parts(p);
  int n = shared_digits(p, shared);
  for (int side = 0; side < SIDES; side++) set_loops(p, side, shared, n);
  for (int side = 0; side < SIDES; side++) place_parts(p, side, buffer);
  p->side[READER]->vectors.shared = (int16_t)n;
}

static bool try_pair(fg_builder *b, fg_kernel *k, int at) {
  pair p = {.b = b, .k = k, .side = {&k->stage[at], &k->stage[at + 1]}};
  bool simple = is_simple(p.side[WRITER]) && is_simple(p.side[READER]) && p.side[WRITER]->store.move == FG_MOVE_CONTIG;
  simple = simple && p.side[WRITER]->vectors.section == p.side[READER]->vectors.section;
  if (!simple || !is_between(&p) || !find_parts(&p)) return false;
  if (p.side[WRITER]->nloop + p.npart > FG_MAX_LOOPS || p.side[READER]->nloop + p.npart > FG_MAX_LOOPS) return false;
  for (int i = 0; i < p.npart; i++) {
    part *x = &p.part[i];
    x->shared = is_loop_of(k, p.side[WRITER], x->digit[WRITER]) && is_loop_of(k, p.side[READER], x->digit[READER]);
  }
  if (!is_wanted(&p) || !keeps_steps(&p)) return false;
  share(&p);
  return true;
}

/* Kernels that work tile after tile: others may be cut at loops of their stages (parallel_split.c). */
fg_status fg_map_share(fg_builder *b) {
  for (int i = 0; i < b->program->nkernel; i++) {
    fg_kernel *k = b->program->kernel[i];
    if (!k->nouter || fg_kernel_is_joined(k)) continue;
    for (int s = 0; s + 1 < k->nstage; s++) s += try_pair(b, k, s);
  }
  return FG_OK;
}

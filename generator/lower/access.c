/* Access plans: what is fixed about an access before any of its text is written. In: an access of a stage. Out: how
 * its numbers move, and whether its address can be split.
 *
 * An address is a base, which depends on the digits, plus an offset, which depends on slot and lane. With padding or
 * blocks an address is not linear; base and offset still add up if no carry runs from one into the other. To show
 * this, residues of the base are bounded by the digits' strides. */
#include "generator/lower/access.h"
#include "generator/base/integer.h"
#include "generator/base/invariant.h"
#include "generator/lower/access_range.h"
#include "generator/lower/storage.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include "targets/machine/limits.h"

/* ---- what is known of digits ------------------------------------------------- */

static bool is_const(fg_num x) { return x.form == FG_NUM_CONST; }

static int64_t fixed_value(const fg_digit *d, int64_t counter) { return fg_digit_value(d, counter, NULL); }

/* Largest value of a digit; INT64_MAX: not known. */
static int64_t largest_value(const fg_digit *d) {
  if (!is_const(d->extent) || !is_const(d->start)) return INT64_MAX;
  return fixed_value(d, d->extent.n - 1);
}

/* Greatest number that divides every value of a digit; 0: all are zero. */
static int64_t grain_of(const fg_digit *d) {
  if (!is_const(d->start)) return 1;
  if (is_const(d->extent) && d->extent.n == 1) return fg_gcd(fixed_value(d, 0), 0);
  int64_t g = fg_gcd(d->start.n, d->step);
  return fg_digit_is_clipped(d) ? fg_gcd(g, d->last) : g;
}

bool fg_access_plan_is_inner(const fg_access_plan *p, const fg_writer *w, int digit) {
  return digit == p->a->reg || (w->lanes > 1 && digit == w->stage->vectors.lane && !p->by_lane);
}

/* Bounds base % every, for the base without slot and lane; -1: may be negative
 * or is not known at all. */
int64_t fg_access_plan_residue_bound(const fg_writer *w, const fg_access_plan *p, int64_t every) {
  const fg_affine *at = &p->a->index.at;
  if (!is_const(at->offset) || at->offset.n < 0) return -1;
  int64_t grain = fg_gcd(every, at->offset.n), sum = at->offset.n % every, least = at->offset.n;
  for (int t = 0; t < at->nterm; t++) {
    const fg_term *term = &at->term[t];
    const fg_digit *d = &w->k->digit[term->digit];
    if (fg_access_plan_is_inner(p, w, term->digit)) continue;
    if (!is_const(term->coef) || !is_const(d->start) || d->start.n < 0) return -1;
    int64_t g = fg_gcd(every, term->coef.n * grain_of(d)), most = largest_value(d);
    if (term->coef.n < 0 && (g != every || most == INT64_MAX)) return -1;
    if (term->coef.n < 0) least += term->coef.n * most;
    grain = fg_gcd(grain, g);
    if (g == every) continue;
    sum = most == INT64_MAX || sum >= every ? every : sum + term->coef.n * most;
  }
  if (least < 0) return -1;
  return sum < every - grain ? sum : every - grain;
}

bool fg_access_plan_most(const fg_writer *w, const fg_access_plan *p, int64_t *out) {
  const fg_affine *at = &p->a->index.at;
  *out = at->offset.n;
  for (int t = 0; t < at->nterm; t++) {
    int64_t most = largest_value(&w->k->digit[at->term[t].digit]);
    if (!is_const(at->term[t].coef) || most == INT64_MAX) return false;
    *out += at->term[t].coef.n * most;
  }
  return is_const(at->offset);
}

bool fg_access_plan_may_be_negative(const fg_writer *w, const fg_access_plan *p, int slot, int lane) {
  const fg_affine *at = &p->a->index.at;
  int64_t least;
  if (!fg_access_plan_offset(w, p, slot, lane, &least) || !is_const(at->offset)) return true;
  least += at->offset.n;
  for (int t = 0; t < at->nterm; t++) {
    const fg_digit *d = &w->k->digit[at->term[t].digit];
    int64_t coef = at->term[t].coef.n, most = largest_value(d);
    if (fg_access_plan_is_inner(p, w, at->term[t].digit)) continue;
    if (!is_const(at->term[t].coef) || !is_const(d->start) || d->start.n < 0) return true;
    if (coef < 0 && most == INT64_MAX) return true;
    least += coef * (coef < 0 ? most : d->start.n);
  }
  return least < 0;
}

/* ---- slot and lane ------------------------------------------------------------- */

int64_t fg_access_plan_inner_value(const fg_writer *w, int digit, int counter) {
  const fg_digit *d = &w->k->digit[digit];
  fg_invariant(is_const(d->start));
  return fixed_value(d, counter);
}

bool fg_access_plan_offset(const fg_writer *w, const fg_access_plan *p, int slot, int lane, int64_t *out) {
  fg_num s = fg_affine_coef(&p->a->index.at, p->a->reg);
  *out = 0;
  if (!is_const(s)) return false;
  *out = s.n * fg_access_plan_inner_value(w, p->a->reg, slot);
  if (w->lanes == 1 || p->by_lane) return true;
  fg_num l = fg_affine_coef(&p->a->index.at, w->stage->vectors.lane);
  *out += l.n * fg_access_plan_inner_value(w, w->stage->vectors.lane, lane);
  return is_const(l);
}

/* Padding, then blocks: how the address line is bent. */
int64_t fg_access_plan_bend(const fg_access_plan *p, int64_t e) {
  if (p->a->index.pad_every) e += e / p->a->index.pad_every * p->a->index.pad_by;
  if (p->b->layout == FG_LAYOUT_BLOCKED) e += e / p->b->block * p->b->block;
  return e;
}

int64_t fg_access_plan_bend_every(const fg_access_plan *p) {
  if (p->a->index.pad_every) return p->a->index.pad_every;
  return p->b->layout == FG_LAYOUT_BLOCKED ? p->b->block : 0;
}

bool fg_access_plan_bends_twice(const fg_access_plan *p) {
  return p->a->index.pad_every && p->b->layout == FG_LAYOUT_BLOCKED;
}

/* The base is whole blocks, padded and not. */
static bool keeps_blocks(const fg_writer *w, const fg_access_plan *p) {
  const fg_index *x = &p->a->index;
  int64_t block = p->b->block;
  return fg_access_plan_residue_bound(w, p, block) == 0 && x->pad_every % block == 0 && x->pad_by % block == 0;
}

/* Bits that coef * digit can have; -1: not known. */
static int64_t term_bits(const fg_digit *d, fg_num coef) {
  int64_t most = largest_value(d);
  if (!is_const(coef) || coef.n <= 0 || most == INT64_MAX || d->start.n < 0) return -1;
  int64_t grain = coef.n * grain_of(d), bits = coef.n * most;
  for (int half = 1; half < 64; half *= 2) bits |= bits >> half;
  return grain ? bits & -(grain & -grain) : 0;
}

/* No two digits of the address have a bit in common: whatever bits change places, they do so one by one. */
static bool shares_no_bits(const fg_writer *w, const fg_affine *at) {
  int64_t seen = at->offset.n;
  if (!is_const(at->offset) || seen < 0) return false;
  for (int t = 0; t < at->nterm; t++) {
    int64_t bits = term_bits(&w->k->digit[at->term[t].digit], at->term[t].coef);
    if (bits < 0 || seen & bits) return false;
    seen |= bits;
  }
  return true;
}

/* Base and every offset may be bent apart from each other. */
static bool separates(const fg_writer *w, const fg_access_plan *p) {
  const fg_index *x = &p->a->index;
  if (x->nwrap || fg_index_is_bent(x) || x->xor_mask) return false;
  if (x->swap.count) return !fg_access_plan_bend_every(p) && shares_no_bits(w, &x->at);
  int64_t every = fg_access_plan_bend_every(p);
  if (!every) return true;
  if (fg_access_plan_bends_twice(p) && !keeps_blocks(w, p)) return false;
  int64_t residue = fg_access_plan_residue_bound(w, p, every);
  for (int s = 0; s < p->slots; s++)
    for (int l = 0; l < w->lanes; l++) {
      int64_t offset;
      if (residue < 0 || !fg_access_plan_offset(w, p, s, l, &offset) || offset < 0) return false;
      if (residue + offset % every >= every) return false;
    }
  return true;
}

/* ---- how vectors move ------------------------------------------------------------ */

/* step: 1, or -1 where the last lane is first. */
static bool lanes_adjacent(const fg_writer *w, const fg_access_plan *p, int step) {
  for (int s = 0; s < p->slots; s++) {
    int64_t first, offset;
    if (!fg_access_plan_offset(w, p, s, 0, &first)) {
      /* run-time distance of slots: lanes matter alone, on a straight line */
      fg_num l = fg_affine_coef(&p->a->index.at, w->stage->vectors.lane);
      return !fg_access_plan_bend_every(p) && fg_num_is(l, step) && w->k->digit[w->stage->vectors.lane].step == 1;
    }
    for (int l = 1; l < w->lanes; l++)
      if (!fg_access_plan_offset(w, p, s, l, &offset) ||
          fg_access_plan_bend(p, offset) != fg_access_plan_bend(p, first) + step * l)
        return false;
  }
  return true;
}

/* Lanes' rows of slots are contiguous. */
static bool is_line(const fg_writer *w, const fg_access_plan *p) {
  int64_t first, offset;
  if (p->slots > 64 || !fg_access_plan_offset(w, p, 0, 0, &first)) return false;
  for (int l = 0; l < w->lanes; l++)
    for (int s = 0; s < p->slots; s++) {
      int e = l * p->slots + s;
      if (!fg_access_plan_offset(w, p, s, l, &offset) || offset != first + e) return false;
      if (fg_access_plan_bend(p, offset) != fg_access_plan_bend(p, first + e / w->lanes * w->lanes) + e % w->lanes)
        return false;
    }
  return true;
}

/* Numbers of one part in a vector of it. */
static int numbers_of(const fg_writer *w) { return w->stage->vectors.packed ? 2 * w->lanes : w->lanes; }

/* Every lane's slots are neighbours, within blocks where there are such; the distance
 * of lanes may be known only at run time. */
static bool has_rows(const fg_writer *w, const fg_access_plan *p) {
  int numbers = numbers_of(w);
  bool blocks = p->b->layout == FG_LAYOUT_BLOCKED && p->b->block == numbers && p->slots > numbers;
  int together = blocks ? numbers : p->slots;
  if (p->slots % together) return false;
  if (!w->e->d->vector.join || p->slots > 64 || !fg_num_is(fg_affine_coef(&p->a->index.at, p->a->reg), 1)) return false;
  if (w->k->digit[p->a->reg].step != 1) return false;
  for (int l = 0; l < w->lanes && fg_access_plan_bend_every(p); l++)
    for (int s = 0; s < p->slots; s++) {
      int64_t first, offset;
      int start = s / together * together;
      if (!fg_access_plan_offset(w, p, start, l, &first) || !fg_access_plan_offset(w, p, s, l, &offset)) return false;
      if (fg_access_plan_bend(p, offset) != fg_access_plan_bend(p, first) + s - start) return false;
    }
  return true;
}

/* The move that the access claims, when its address bears it out. */
static fg_move checked_move(const fg_writer *w, fg_access_plan *p) {
  if (w->lanes == 1) return FG_MOVE_NONE;
  if (!p->direct || p->npred || !fg_is_power_of_two(w->lanes) || !fg_storage_moves_vectors(w->e, p->b))
    return FG_MOVE_GATHER;
  if (p->a->move == FG_MOVE_TRANSPOSE && p->slots > 1) {
    bool line = is_line(w, p), rows = has_rows(w, p);
    int from = fg_program_rows_from(w->e->p, p->b, !p->is_store, w->lanes);
    p->apart = !line || (rows && !fg_takes_lines(p->slots, from));
    if (line || rows) return FG_MOVE_TRANSPOSE;
  }
  p->apart = false;
  if (!p->is_store && fg_num_is(fg_affine_coef(&p->a->index.at, w->stage->vectors.lane), 0)) return FG_MOVE_SAME;
  if (lanes_adjacent(w, p, 1)) return FG_MOVE_CONTIG;
  if (lanes_adjacent(w, p, -1)) return FG_MOVE_REVERSE;
  p->apart = p->b->layout == FG_LAYOUT_INTERLEAVED && p->parts == 2 && w->e->d->vector.join;
  return FG_MOVE_GATHER;
}

bool fg_access_plan_takes(const fg_writer *w, const fg_pred *pred) {
  if (w->lanes > 1) return fg_affine_mentions(&pred->value, w->stage->vectors.lane);
  for (int i = 0; w->together && i < pred->value.nterm; i++)
    if (w->k->digit[pred->value.term[i].digit].role != FG_ROLE_THREAD) return true;
  return false;
}

bool fg_access_plan_is_global(const fg_writer *w) {
  int memory = fg_buffer_root(w->e->p, w->stage->load.buffer);
  return w->e->launched && w->lanes == 1 && w->e->p->buffer[memory].space != FG_SPACE_LOCAL;
}

int fg_access_plan_together(const fg_writer *w) {
  int each = fg_precision_bytes(w->e->precision) / 4;
  return limit->loads_together / (each > 1 ? each : 1);
}

static void take_preds(fg_writer *w, fg_access_plan *p) {
  for (int i = 0; i < p->a->npred; i++) p->pred[p->npred++] = p->a->pred[i];
  for (int i = 0; i < w->stage->npred; i++)
    if (fg_access_plan_takes(w, &w->stage->pred[i])) p->pred[p->npred++] = w->stage->pred[i];
}

/* Names of an access's continuation; operands have A .. M, and N .. Z. */
static char tag_behind(char tag) {
  if (tag >= 'A' && tag < 'A' + FG_MOST_OPERANDS) return (char)(tag + FG_MOST_OPERANDS);
  return tag == 'y' || tag == 'z' ? 'z' : tag == 'v' ? 'g' : tag == 'g' ? 'h' : 'u';
}

/* Rows of slots that padding separates by unequal distances: base and offsets together do not reach them, but each
 * lane's base. */
static void part_lanes(const fg_writer *w, fg_access_plan *p) {
  if (p->direct || !p->a->index.pad_every || w->lanes == 1 || p->a->move != FG_MOVE_TRANSPOSE || p->slots == 1) return;
  p->by_lane = true;
  p->direct = separates(w, p);
  if (checked_move(w, p) != FG_MOVE_TRANSPOSE) p->by_lane = p->direct = p->apart = false;
}

/* Whole vectors, or rows of them. */
static bool moves_permuted(const fg_writer *w, const fg_access_plan *p) {
  bool rows = p->move == FG_MOVE_TRANSPOSE && (!p->apart || p->slots % w->lanes == 0);
  return (rows ? numbers_of(w) : w->lanes) == p->b->permuted && (p->move == FG_MOVE_CONTIG || rows);
}

/* An access to this block's own part: the block's number is not in the address. */
static const fg_access *own_part(const fg_writer *w, const fg_access *a) {
  const fg_buffer *b = &w->e->p->buffer[a->buffer];
  int16_t rank = fg_kernel_rank(w->k);
  fg_access *own = fg_arena_copy(w->arena, a, sizeof *a);
  fg_affine *to = fg_index_base(&own->index), from = *to;
  to->nterm = 0;
  bool found = false;
  for (int t = 0; t < from.nterm; t++) {
    if (from.term[t].digit == rank && fg_num_is(from.term[t].coef, b->size))
      found = true;
    else
      to->term[to->nterm++] = from.term[t];
  }
  return found ? own : NULL;
}

fg_status fg_access_plan_init(fg_writer *w, fg_access_plan *p, const fg_access *a, char tag) {
  int slots = (int)w->k->digit[a->reg].extent.n;
  const fg_emitter *e = w->e;
  const fg_buffer *b = &e->p->buffer[a->buffer];
  bool is_store = tag == 'y' || tag == 'z';
  if (fg_buffer_is_distributed(b) && !is_store) a = own_part(w, a);
  if (!a) return fg_refuse(w->e->cx, "emit: a load from another block of the cluster");
  *p = (fg_access_plan){.a = a, .b = b, .tag = tag, .is_store = is_store, .slots = slots, .scale = 1};
  p->parts = fg_buffer_parts(b);
  p->memory = fg_buffer_root(e->p, a->buffer);
  if (b->layout == FG_LAYOUT_INTERLEAVED && p->parts == 2) p->scale = 2, p->im_add = 1;
  if (b->layout == FG_LAYOUT_BLOCKED) p->im_add = b->block;
  if (b->layout == FG_LAYOUT_DOUBLED) p->scale = 2, p->im_add = (int)(2 * b->size);
  take_preds(w, p);
  p->direct = separates(w, p);
  part_lanes(w, p);
  p->move = checked_move(w, p);
  if (b->permuted && !moves_permuted(w, p))
    return fg_refuse(e->cx, "emit: buffer %s: parts of vectors that have an order of their own", b->name);
  p->pair = w->lanes == 1 && p->parts == 2 && b->layout == FG_LAYOUT_INTERLEAVED && fg_storage_moves_pairs(e, b);
  fg_arena *arena = e->cx->arena;
  p->declared = fg_arena_new(arena, bool, slots * w->lanes + 1);
  p->ok_declared = fg_arena_new(arena, bool, slots * w->lanes + 1);
  p->needed = fg_arena_new(arena, bool, p->parts *slots + 1);
  p->loaded = fg_arena_new(arena, bool, slots + 1);
  if (!a->rest) return FG_OK;
  p->rest = fg_arena_new(arena, fg_access_plan, 1);
  fg_status status = fg_access_plan_init(w, p->rest, a->rest, tag_behind(tag));
  p->rest->first = p->parts * slots;
  return status;
}

int fg_access_plan_numbers(const fg_access_plan *p) {
  int numbers = 0;
  for (; p; p = p->rest) numbers += p->parts * p->slots;
  return numbers;
}

fg_access_plan *fg_access_plan_of(fg_access_plan *p, int *number) {
  for (; p->rest && *number >= p->parts * p->slots; p = p->rest) *number -= p->parts * p->slots;
  return p;
}

bool fg_access_plan_has_rows(const fg_access_plan *p) {
  for (; p; p = p->rest)
    if (p->move == FG_MOVE_TRANSPOSE) return true;
  return false;
}

int64_t fg_lower_stage_bytes(const fg_writer *w) {
  int64_t slots = fg_access_slots(w->k, &w->stage->load) + fg_access_slots(w->k, &w->stage->store);
  for (int i = w->stage->vectors.tiles; i < w->stage->nloop; i++) {
    const fg_digit *d = &w->k->digit[w->stage->loop[i]];
    if (!d->batch) slots *= d->extent.n;
  }
  return slots * 2 * fg_precision_bytes(w->e->precision);
}

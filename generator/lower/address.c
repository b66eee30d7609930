/* Addresses and predicates. In: an access plan (access.c). Out: handles of the pointers to what it accesses.
 *
 * The idea: base pointer plus constants. If base and offset of an address do not add up, every element gets its own
 * index variable. */
#include "generator/lower/address.h"
#include "generator/base/integer.h"
#include "generator/lower/access.h"
#include "generator/lower/access_range.h"
#include "generator/lower/forward_state.h"
#include "generator/lower/loops.h"
#include "generator/lower/memory.h"
#include "generator/lower/storage.h"
#include "generator/lower/value.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/spell.h"
#include "generator/text/sum.h"
#include <string.h>

/* ---- sums -------------------------------------------------------------------------- */

/* Adds coef * digit for every term; digits slot_digit and the lane count with the
 * given counters, and not at all where those are negative. */
static void add_affine(fg_writer *w, fg_sum *s, const fg_affine *a, int64_t factor, int slot_digit, int slot,
                       int lane) {
  fg_sum_add(s, a->offset, factor, NULL);
  for (int t = 0; t < a->nterm; t++) {
    int d = a->term[t].digit;
    bool is_slot = d == slot_digit, is_lane = w->lanes > 1 && d == w->stage->vectors.lane;
    if (is_slot || is_lane) {
      int counter = is_slot ? slot : lane;
      if (counter >= 0) fg_sum_add(s, a->term[t].coef, factor * fg_access_plan_inner_value(w, d, counter), NULL);
    } else if (!w->digit[d]) {
      fg_sum_add(s, a->term[t].coef, factor * w->digit_value[d], NULL);
    } else {
      w->uses.digit[d] = w->uses.digit[d] || a->term[t].coef.n * factor != 0;
      fg_sum_add(s, a->term[t].coef, factor, w->digit[d]);
    }
  }
}

static const char *affine_text(fg_writer *w, const fg_affine *a, int64_t factor, int slot_digit, int slot, int lane) {
  fg_sum s = {.e = w->e, .uses = &w->uses};
  add_affine(w, &s, a, factor, slot_digit, slot, lane);
  return fg_sum_text(&s);
}

static const char *memory_name(fg_writer *w, const fg_access_plan *p, int part) {
  w->uses.memory[p->memory] = true;
  if (p->is_store) w->uses.stored[p->memory] = true;
  if (part) w->uses.imaginary[p->memory] = true;
  const char *name = fg_memory_pointer(w->e, p->memory, part);
  bool behind = part && p->b->layout == FG_LAYOUT_SPLIT && !w->e->memory[p->memory].parts;
  return behind ? fg_coder_at(w->e->coder, name, NULL, p->b->size) : name;
}

static bool two_pointers(const fg_access_plan *p) { return p->b->layout == FG_LAYOUT_SPLIT; }

/* "y", of a lane "y3": what names of its pointer and base begin or end with. */
static const char *lane_tag(fg_writer *w, const fg_access_plan *p, int lane) {
  return p->by_lane ? fg_arena_printf(w->arena, "%c%d", p->tag, lane) : fg_arena_printf(w->arena, "%c", p->tag);
}

static const char *pointer_name(fg_writer *w, const fg_access_plan *p, int part, int lane) {
  const char *tag = lane_tag(w, p, lane);
  if (!two_pointers(p)) return fg_arena_printf(w->arena, "p%s", tag);
  return fg_arena_printf(w->arena, "p%s_%s", tag, part ? "im" : "re");
}

static void declare_pointer(fg_writer *w, fg_access_plan *p, int part, int lane, const char *base) {
  const fg_emitter *e = w->e;
  const char *space = fg_memory_space(e, p->memory);
  const char *type =
      fg_arena_printf(e->cx->arena, "%s%s%s *const", space, p->is_store ? "" : "const ", fg_storage_type(e, p->b));
  fg_coder_name(e->coder, type, pointer_name(w, p, part, lane),
                fg_coder_at(e->coder, memory_name(w, p, part), base, 0));
}

/* scale * (plain + by * times) */
static const char *bent_base(fg_coder *c, int64_t scale, const char *plain, const char *times, int64_t by) {
  const char *sum = fg_coder_index(c, FG_CODE_ADD, plain, fg_coder_index(c, FG_CODE_MUL, times, fg_coder_int(c, by)));
  return scale == 1 ? sum : fg_coder_index(c, FG_CODE_MUL, sum, fg_coder_int(c, scale));
}

/* Small where all digits of the address are. */
static const char *base_type(const fg_writer *w, const fg_access_plan *p) {
  const fg_affine *at = &p->a->index.at;
  const char *small = w->e->d->small_index_type;
  if (!small || at->offset.form != FG_NUM_CONST) return w->e->index;
  for (int t = 0; t < at->nterm; t++)
    if (at->term[t].coef.form != FG_NUM_CONST || fg_nest_digit_type(w->e, w->k, at->term[t].digit) != small)
      return w->e->index;
  return small;
}

/* name op= by */
static void step_variable(fg_writer *w, const char *name, fg_code_op op, const char *by) {
  fg_coder_set(w->e->coder, name, fg_coder_index(w->e->coder, op, name, by));
}

/* Bits in which both digits differ change in both; in other iterations, none. */
static void exchange_variable(fg_writer *w, const fg_digit_swap *x, const char *name) {
  fg_coder *c = w->e->coder;
  w->uses.digit[x->phase] = true;
  const char *low = fg_coder_index(c, FG_CODE_SHR, name, fg_coder_int(c, fg_log2(x->low))),
             *high = fg_coder_index(c, FG_CODE_SHR, name, fg_coder_int(c, fg_log2(x->high)));
  const char *taken = w->digit[x->phase];
  if (x->count > 2) taken = fg_coder_index(c, FG_CODE_MUL, taken, fg_coder_int(c, x->count - 1));
  const char *bits = fg_coder_index(c, FG_CODE_AND, fg_coder_index(c, FG_CODE_XOR, low, high), taken);
  step_variable(w, name, FG_CODE_XOR, fg_coder_index(c, FG_CODE_MUL, bits, fg_coder_int(c, x->low + x->high)));
}

/* The base with its digits as they are in the present iteration. */
static const char *exchanged_base(fg_writer *w, fg_access_plan *p) {
  const char *name = fg_arena_printf(w->arena, "b%c", p->tag);
  fg_coder *c = w->e->coder;
  fg_coder_name(c, w->e->index, name, affine_text(w, &p->a->index.at, 1, p->a->reg, -1, -1));
  exchange_variable(w, &p->a->index.swap, name);
  return p->scale == 2 ? fg_coder_index(c, FG_CODE_MUL, name, fg_coder_int(c, 2)) : name;
}

/* Of a lane's row whose padding is parted from the rest: c (a + by / every c), c the divisor of all terms. Numbers that
 * are never negative and short are divided as such, which takes two instructions. */
static const char *base_of_lane(fg_writer *w, fg_access_plan *p, int lane) {
  const fg_index *x = &p->a->index;
  int64_t common = fg_gcd(x->pad_every, x->at.offset.n), most;
  for (int t = 0; t < x->at.nterm; t++)
    if (x->at.term[t].digit != p->a->reg) common = fg_gcd(common, x->at.term[t].coef.n);
  fg_affine divided = x->at;
  divided.offset.n /= common;
  for (int t = 0; t < divided.nterm; t++) divided.term[t].coef.n /= common;
  fg_coder *c = w->e->coder;
  const char *name = fg_arena_printf(w->arena, "b%s", lane_tag(w, p, lane)), *type = base_type(w, p);
  fg_value_name(w, type, name, affine_text(w, &divided, 1, p->a->reg, -1, lane));
  bool small = fg_access_plan_most(w, p, &most) && most / common <= INT32_MAX,
       pairs = fg_access_plan_bends_twice(p) || p->scale == 2;
  const char *every = fg_coder_int(c, x->pad_every / common);
  const char *times =
      small ? fg_coder_short_quotient(c, type, name, every) : fg_coder_index(c, FG_CODE_DIV, name, every);
  const char *plain = common == 1 ? name : fg_coder_index(c, FG_CODE_MUL, name, fg_coder_int(c, common));
  return bent_base(c, pairs ? 2 : 1, plain, times, x->pad_by);
}

/* An array whose first element is not the transform's (store=crop, load=centre): the pointer stays in the array, and
 * the constant before it is one of each access. */
static int64_t before_array(const fg_access_plan *p) {
  const fg_index *x = &p->a->index;
  bool plain = !x->swap.count && !p->by_lane && !fg_access_plan_bend_every(p);
  return plain && x->at.offset.form == FG_NUM_CONST && x->at.offset.n < 0 ? x->at.offset.n : 0;
}

/* Where all residues of the base vanish, bending multiplies; else it divides. */
static const char *base_text(fg_writer *w, fg_access_plan *p, int lane) {
  if (p->a->index.swap.count) return exchanged_base(w, p);
  if (p->by_lane) return base_of_lane(w, p, lane);
  int64_t every = fg_access_plan_bend_every(p);
  fg_affine at = p->a->index.at;
  at.offset.n -= before_array(p);
  const char *flat = affine_text(w, &at, p->scale, p->a->reg, -1, -1);
  if (!every || (flat[0] == '0' && !flat[1])) return flat;
  if (fg_access_plan_residue_bound(w, p, every) == 0) {
    int64_t by = fg_access_plan_bend(p, every); /* what `every` elements become */
    fg_affine divided = p->a->index.at;
    bool whole = divided.offset.n % every == 0;
    divided.offset.n /= every;
    for (int t = 0; t < divided.nterm; t++) {
      if (fg_access_plan_is_inner(p, w, divided.term[t].digit)) continue;
      whole = whole && divided.term[t].coef.n % every == 0;
      divided.term[t].coef.n /= every;
    }
    if (whole) return affine_text(w, &divided, by * p->scale, p->a->reg, -1, -1);
  }
  const char *name = fg_arena_printf(w->arena, "b%c", p->tag);
  fg_value_name(w, base_type(w, p), name, affine_text(w, &p->a->index.at, 1, p->a->reg, -1, -1));
  bool twice = fg_access_plan_bends_twice(p); /* whole blocks, each of which takes the room of two */
  int64_t by = twice ? p->a->index.pad_by : fg_access_plan_bend(p, every) - every, scale = twice ? 2 : p->scale;
  fg_coder *c = w->e->coder;
  return bent_base(c, scale, name, fg_coder_index(c, FG_CODE_DIV, name, fg_coder_int(c, every)), by);
}

/* Whether a pointer to such parts is used: some loaded parts may be unused. */
static bool points_to(const fg_writer *w, const fg_access_plan *p, int part) {
  if (p->parts < 2) return part == 0; /* the real ones of complex numbers */
  if (w->pack || p->is_store) return true;
  for (int slot = 0; slot < p->slots; slot++)
    if (p->needed[2 * slot + part]) return true;
  return false;
}

/* A part of a result of which nothing is stored (store=crop): its pointer would be an unused variable. */
static bool is_never_stored(fg_writer *w, const fg_access_plan *p) {
  if (!p->is_store || !p->npred) return false;
  for (int slot = 0; slot < p->slots; slot++)
    for (int lane = 0; lane < w->lanes; lane++) {
      const char *ok = fg_access_plan_pred(w, p->pred, p->npred, p->a->reg, slot, lane);
      if (!ok || strcmp(ok, "0") != 0) return false;
    }
  return true;
}

void fg_access_plan_open(fg_writer *w, fg_access_plan *p) {
  if (p->open || !p->direct || fg_forward_is_held(w, p) || is_never_stored(w, p)) return;
  p->open = true;
  for (int lane = 0; lane < (p->by_lane ? w->lanes : 1); lane++) {
    const char *base = base_text(w, p, lane);
    if (!two_pointers(p) || points_to(w, p, 0)) declare_pointer(w, p, 0, lane, base);
    if (two_pointers(p) && points_to(w, p, 1)) declare_pointer(w, p, 1, lane, base);
  }
}

/* In iterations of either kind. */
static void add_exchanged(fg_writer *w, fg_sum *s, const fg_access_plan *p, int64_t offset) {
  const fg_digit_swap *x = &p->a->index.swap;
  fg_coder *c = w->e->coder;
  int64_t odd = p->scale * fg_digit_swap_value(x, offset), even = p->scale * offset;
  w->uses.digit[x->phase] = true;
  if (odd == even)
    s->constant += even;
  else
    fg_sum_add(s, fg_num_const(1), 1,
               fg_coder_choice(c, w->digit[x->phase], fg_coder_int(c, odd), fg_coder_int(c, even)));
}

/* Distance of an element from the base pointer, in numbers; constants first where
 * all is known. */
static void add_distance(fg_writer *w, fg_sum *s, const fg_access_plan *p, int slot, int lane, int64_t elements) {
  int64_t offset;
  s->constant += p->scale * before_array(p);
  if (fg_access_plan_offset(w, p, slot, lane, &offset)) {
    if (p->a->index.swap.count) {
      add_exchanged(w, s, p, offset + elements);
      return;
    }
    s->constant += p->scale * fg_access_plan_bend(p, offset + elements);
    return;
  }
  s->constant += p->scale * elements;
  fg_sum_add(s, fg_affine_coef(&p->a->index.at, p->a->reg), p->scale * fg_access_plan_inner_value(w, p->a->reg, slot),
             NULL);
  if (w->lanes > 1)
    fg_sum_add(s, fg_affine_coef(&p->a->index.at, w->stage->vectors.lane),
               p->scale * fg_access_plan_inner_value(w, w->stage->vectors.lane, lane), NULL);
}

static const char *pointer_behind(fg_writer *w, const char *pointer, const fg_sum *distance) {
  return fg_coder_at(w->e->coder, pointer, distance->value, distance->constant);
}

const char *fg_access_plan_pointer(fg_writer *w, fg_access_plan *p, const fg_component *spot) {
  fg_access_plan_open(w, p);
  fg_sum s = {.e = w->e, .uses = &w->uses};
  add_distance(w, &s, p, spot->slot, spot->lane, spot->elements);
  if (spot->part) s.constant += p->im_add;
  return pointer_behind(w, pointer_name(w, p, spot->part, spot->lane), &s);
}

bool fg_access_plan_number(const fg_writer *w, const fg_access_plan *p, const fg_component *spot, int64_t *out) {
  const fg_affine *at = &p->a->index.at;
  int64_t offset, base = at->offset.n;
  if (!p->direct || p->by_lane || p->a->index.swap.count || at->offset.form != FG_NUM_CONST ||
      !fg_access_plan_offset(w, p, spot->slot, spot->lane, &offset))
    return false;
  for (int t = 0; t < at->nterm; t++) {
    int d = at->term[t].digit;
    if (fg_access_plan_is_inner(p, w, d)) continue;
    if (at->term[t].coef.form != FG_NUM_CONST || w->digit[d]) return false;
    base += at->term[t].coef.n * w->digit_value[d];
  }
  *out = p->scale * (fg_access_plan_bend(p, base) + fg_access_plan_bend(p, offset + spot->elements));
  if (spot->part) *out += two_pointers(p) ? p->b->size : p->im_add;
  return true;
}

/* name += name / every * by */
static void widen_variable(fg_writer *w, const char *name, int64_t every, int64_t by) {
  fg_coder *c = w->e->coder;
  const char *times = fg_coder_index(c, FG_CODE_DIV, name, fg_coder_int(c, every));
  step_variable(w, name, FG_CODE_ADD, by == 1 ? times : fg_coder_index(c, FG_CODE_MUL, times, fg_coder_int(c, by)));
}

/* Where the condition fails, entry 0: the table ends where the predicate does. */
static void look_up_variable(fg_writer *w, const char *name, const char *ok, int lookup) {
  fg_coder *c = w->e->coder;
  int table = fg_buffer_root(w->e->p, lookup);
  w->uses.memory[table] = true;
  fg_coder_set(c, name, fg_coder_entry(c, fg_memory_pointer(w->e, table, 0), name, ok));
}

/* base + scale * value */
static void scale_variable(fg_writer *w, const fg_access_plan *p, int slot, int lane, const char *name) {
  const fg_index *x = &p->a->index;
  fg_sum s = {.e = w->e, .uses = &w->uses};
  fg_sum_add(&s, x->scale.n ? x->scale : fg_num_const(1), 1, name);
  add_affine(w, &s, &x->base, 1, p->a->reg, slot, lane);
  const char *text = fg_sum_text(&s);
  if (strcmp(text, name) != 0) fg_coder_set(w->e->coder, name, text);
}

/* What is left of a number by mod, and never negative. */
static const char *reduced(fg_writer *w, const char *number, int64_t mod, bool negative) {
  fg_coder *c = w->e->coder;
  const char *by = fg_coder_int(c, mod), *rest = fg_coder_index(c, FG_CODE_MOD, number, by);
  return negative ? fg_coder_index(c, FG_CODE_MOD, fg_coder_index(c, FG_CODE_ADD, rest, by), by) : rest;
}

static void bend_variable(fg_writer *w, fg_access_plan *p, int slot, int lane, const char *name) {
  const fg_index *x = &p->a->index;
  fg_coder *c = w->e->coder;
  const char *ok = fg_access_plan_condition(w, p, slot, lane);
  if (x->mod) fg_coder_set(c, name, reduced(w, name, x->mod, fg_access_plan_may_be_negative(w, p, slot, lane)));
  if (x->lookup >= 0) look_up_variable(w, name, ok, x->lookup);
  if (fg_index_is_bent(x)) scale_variable(w, p, slot, lane, name);
  if (x->pad_every) widen_variable(w, name, x->pad_every, x->pad_by);
  if (x->xor_mask) {
    const char *high = fg_coder_index(c, FG_CODE_SHR, name, fg_coder_int(c, x->xor_shift));
    step_variable(w, name, FG_CODE_XOR, fg_coder_index(c, FG_CODE_AND, high, fg_coder_int(c, x->xor_mask)));
  }
  if (x->swap.count) exchange_variable(w, &x->swap, name);
  if (p->b->layout == FG_LAYOUT_BLOCKED) widen_variable(w, name, p->b->block, p->b->block);
  if (p->scale > 1) step_variable(w, name, FG_CODE_MUL, fg_coder_int(c, p->scale));
}

/* One law of a wrap, at its position. */
static const char *law_text(fg_writer *w, const fg_wrap *x, int law, const char *position, const char *stride) {
  fg_coder *c = w->e->coder;
  const char *gain = fg_coder_int(c, x->add[law]);
  if (x->times[law]) {
    const char *times = fg_coder_index(c, FG_CODE_MUL, position, fg_coder_int(c, x->times[law]));
    gain = x->add[law] ? fg_coder_index(c, FG_CODE_ADD, times, gain) : times;
  }
  bool whole = fg_num_is(x->stride, 1) || (!x->add[law] && !x->times[law]);
  return whole ? gain : fg_coder_index(c, FG_CODE_MUL, gain, stride);
}

/* What a shifted or reflected array adds at an element of it. */
static void wrap_variable(fg_writer *w, const fg_access_plan *p, const char *name, const fg_wrap *x, int slot,
                          int lane) {
  fg_coder *c = w->e->coder;
  const char *position = affine_text(w, &x->position, 1, p->a->reg, slot, lane);
  const char *stride = fg_spell_num(w->e, &w->uses, x->stride);
  const char *first = law_text(w, x, 0, position, stride), *second = law_text(w, x, 1, position, stride);
  const char *before = fg_coder_index(c, FG_CODE_LESS, position, fg_coder_int(c, x->split));
  step_variable(w, name, FG_CODE_ADD, fg_coder_choice(c, before, first, second));
}

static const char *index_variable(fg_writer *w, fg_access_plan *p, int slot, int lane) {
  fg_arena *a = w->arena;
  const char *name =
      w->lanes > 1 ? fg_arena_printf(a, "i%c%d_%d", p->tag, slot, lane) : fg_arena_printf(a, "i%c%d", p->tag, slot);
  bool *declared = &p->declared[slot * w->lanes + lane];
  if (*declared) return name;
  *declared = true;
  fg_access_plan_condition(w, p, slot, lane); /* declared before its use */
  fg_coder_name(w->e->coder, w->e->index, name, affine_text(w, &p->a->index.at, 1, p->a->reg, slot, lane));
  for (int i = 0; i < p->a->index.nwrap; i++) wrap_variable(w, p, name, &p->a->index.wrap[i], slot, lane);
  bend_variable(w, p, slot, lane, name);
  return name;
}

const char *fg_access_plan_index(fg_writer *w, fg_access_plan *p, int slot) {
  const char *name = fg_arena_printf(w->arena, "n%c%d", p->tag, slot);
  fg_value_name(w, w->e->index, name, affine_text(w, &p->a->index.at, 1, p->a->reg, slot, 0));
  return name;
}

const char *fg_access_plan_residue(fg_writer *w, fg_access_plan *p, int slot) {
  const char *name = fg_arena_printf(w->arena, "n%c%d", p->tag, slot);
  const char *flat = affine_text(w, &p->a->index.at, 1, p->a->reg, slot, 0);
  bool negative = fg_access_plan_may_be_negative(w, p, slot, 0);
  fg_value_name(w, base_type(w, p), name, reduced(w, flat, p->a->index.mod, negative));
  return name;
}

const char *fg_access_plan_behind(fg_writer *w, const fg_access_plan *p, int slot) {
  return affine_text(w, &p->a->index.base, p->scale, p->a->reg, slot, 0);
}

static const char *direct_element(fg_writer *w, fg_access_plan *p, int slot, int lane, int part) {
  fg_access_plan_open(w, p);
  fg_sum s = {.e = w->e, .uses = &w->uses};
  add_distance(w, &s, p, slot, lane, 0);
  if (part) s.constant += p->im_add;
  return pointer_behind(w, pointer_name(w, p, part, lane), &s);
}

const char *fg_access_plan_element(fg_writer *w, fg_access_plan *p, int slot, int lane, int part) {
  fg_forward_spoil(w, p);
  if (p->direct) return direct_element(w, p, slot, lane, part);
  const char *index = index_variable(w, p, slot, lane), *memory = memory_name(w, p, part);
  return fg_coder_at(w->e->coder, memory, index, part && !two_pointers(p) ? p->im_add : 0);
}

const char *fg_access_plan_pair(fg_writer *w, fg_access_plan *p, int slot, int lane) {
  fg_forward_spoil(w, p);
  if (p->direct) return fg_access_plan_pointer(w, p, &(fg_component){.slot = slot, .lane = lane});
  return fg_coder_at(w->e->coder, memory_name(w, p, 0), index_variable(w, p, slot, lane), 0);
}

/* ---- predicates --------------------------------------------------------------------- */

/* Whatever the digits are, it holds: of copies beside products of matrices, whose last slot alone may be beyond. */
static bool always_holds(const fg_writer *w, const fg_pred *p, int slot_digit, int slot) {
  const fg_affine *a = &p->value;
  if (!w->e->launched || !fg_kernel_has_matrix(w->k) || p->mod || p->bound.form != FG_NUM_CONST ||
      a->offset.form != FG_NUM_CONST)
    return false;
  int64_t most = a->offset.n;
  for (int i = 0; i < a->nterm; i++) {
    int d = a->term[i].digit;
    const fg_digit *g = &w->k->digit[d];
    int64_t by = a->term[i].coef.n, low, high;
    if (a->term[i].coef.form != FG_NUM_CONST || (d == slot_digit && slot < 0)) return false;
    if (d == slot_digit) {
      low = high = fg_access_plan_inner_value(w, d, slot);
    } else if (!w->digit[d]) {
      low = high = w->digit_value[d];
    } else {
      if (g->extent.form != FG_NUM_CONST || g->start.form != FG_NUM_CONST) return false;
      low = fg_digit_value(g, 0, NULL), high = fg_digit_value(g, g->extent.n - 1, NULL);
    }
    most += by > 0 ? by * high : by * low;
  }
  return most < p->bound.n;
}

/* NULL: always; "0": never. */
const char *fg_access_plan_pred(fg_writer *w, const fg_pred *pred, int npred, int slot_digit, int slot, int lane) {
  fg_coder *c = w->e->coder;
  const char *all = NULL;
  for (int i = 0; i < npred; i++) {
    if (always_holds(w, &pred[i], slot_digit, slot)) continue;
    fg_sum value = {.e = w->e, .uses = &w->uses}, bound = value;
    add_affine(w, &value, &pred[i].value, 1, slot_digit, slot, lane);
    fg_sum_add(&bound, pred[i].bound, 1, NULL);
    if (fg_sum_is_constant(&value) && fg_sum_is_constant(&bound)) {
      if (fg_pred_value(&pred[i], value.constant) < bound.constant) continue;
      return "0";
    }
    const char *number = fg_sum_text(&value);
    if (pred[i].mod) number = fg_coder_index(c, FG_CODE_MOD, number, fg_coder_int(c, pred[i].mod));
    const char *less = fg_coder_index(c, FG_CODE_LESS, number, fg_sum_text(&bound));
    all = all ? fg_coder_index(c, FG_CODE_BOTH, all, less) : less;
  }
  return all;
}

static bool preds_mention(const fg_access_plan *p, int digit) {
  for (int i = 0; i < p->npred; i++)
    if (fg_affine_mentions(&p->pred[i].value, digit)) return true;
  return false;
}

const char *fg_access_plan_condition(fg_writer *w, fg_access_plan *p, int slot, int lane) {
  if (!p->npred) return NULL;
  if (!preds_mention(p, p->a->reg)) slot = 0;
  if (w->lanes == 1 || !preds_mention(p, w->stage->vectors.lane)) lane = 0;
  const char *text = fg_access_plan_pred(w, p->pred, p->npred, p->a->reg, slot, lane);
  if (!text || (text[0] == '0' && !text[1])) return text;
  fg_arena *a = w->arena;
  const char *name =
      w->lanes > 1 ? fg_arena_printf(a, "ok_%c%d_%d", p->tag, slot, lane) : fg_arena_printf(a, "ok_%c%d", p->tag, slot);
  bool *declared = &p->ok_declared[slot * w->lanes + lane];
  if (!*declared) fg_value_name(w, "int", name, text);
  *declared = true;
  return name;
}

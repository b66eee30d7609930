/* Loads and stores of one stage's values. In: access plans. Out: statements that load elements into values x0r, x0i,
 * w0r..., and store values to memory.
 *
 * Scalars move one by one. Vectors move as the access plan says (kernel.h, fg_move): contiguous elements at once;
 * with a transposition of lanes and registers if the numbers of several slots are interleaved (transpose.c); or lane
 * by lane. */
#include "generator/lower/move.h"
#include "generator/base/integer.h"
#include "generator/base/invariant.h"
#include "generator/lower/access.h"
#include "generator/lower/address.h"
#include "generator/lower/cluster.h"
#include "generator/lower/element_moves.h"
#include "generator/lower/forward.h"
#include "generator/lower/transpose.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/lower/writer.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/recorder_variables.h"
#include <string.h>

const char *fg_move_loaded_name(const fg_writer *w, const fg_access_plan *p, int number) {
  if (w->pack) return fg_arena_printf(w->arena, "%c%d", p->tag, number / 2);
  if (p->parts == 1) return fg_arena_printf(w->arena, "%c%d", p->tag, number);
  if (w->word_row) return fg_arena_printf(w->arena, "%c%d", p->tag, number / 2);
  if (p->pair) return fg_coder_part(w->e->coder, fg_arena_printf(w->arena, "%c%d", p->tag, number / 2), number % 2);
  return fg_arena_printf(w->arena, "%c%d%c", p->tag, number / 2, number % 2 ? 'i' : 'r');
}

static bool interleaved(const fg_access_plan *p) { return p->b->layout == FG_LAYOUT_INTERLEAVED && p->parts == 2; }

/* ---- runs ------------------------------------------------------------------------ */

/* All runs of a place that moves by exchanges of lanes and registers, each time
 * for all slots. */
static int runs_of(const fg_writer *w, const fg_access_plan *p, fg_run *run) {
  int parts = interleaved(p) ? 2 : 1, n = 1;
  if (fg_is_of_parts(w, p)) {
    run[0] = (fg_run){.slots = p->slots, .parts = 2, .apart = true};
    return 1;
  }
  run[0] = (fg_run){.slots = p->slots, .parts = parts};
  if (p->apart) n = fg_run_cover(w, p, parts, run);
  if (parts == p->parts) return n;
  memcpy(run + n, run, sizeof *run * (size_t)n);
  for (int i = n; i < 2 * n; i++) run[i].part = 1;
  return 2 * n;
}

static fg_run *room_for_runs(const fg_writer *w, const fg_access_plan *p) {
  return fg_arena_new(w->arena, fg_run, 2 * p->slots);
}

/* Neighbours of one slot are a run when its parts are interleaved, and so
 * is every pair of parts. */
static fg_run run_of_slot(const fg_access_plan *p, int slot) {
  return (fg_run){.first = slot, .slots = 1, .parts = 2, .apart = p->move == FG_MOVE_GATHER};
}

static bool slots_are_runs(const fg_access_plan *p) {
  bool neighbours = p->move == FG_MOVE_CONTIG || p->move == FG_MOVE_REVERSE;
  return (neighbours && interleaved(p)) || (p->move == FG_MOVE_GATHER && p->apart);
}

/* ---- order of lanes ------------------------------------------------------------- */

static int lane_at(const fg_writer *w, int position) {
  int lane = 0;
  for (int b = 0; 1 << b < w->lanes; b++)
    if (position >> b & 1) lane |= 1 << w->lane_label[b];
  return lane;
}

static int own_cost(const fg_writer *w, const fg_access_plan *p, bool to_memory) {
  fg_run one = run_of_slot(p, 0), *run = room_for_runs(w, p);
  if (slots_are_runs(p)) return p->slots * fg_run_cost(w, p, &one, to_memory);
  if (p->move != FG_MOVE_TRANSPOSE) return 0;
  int cost = 0, n = runs_of(w, p, run);
  for (int i = 0; i < n; i++) cost += fg_run_cost(w, p, &run[i], to_memory);
  return cost;
}

static int place_cost(const fg_writer *w, const fg_access_plan *p, bool to_memory) {
  int cost = 0;
  for (; p; p = p->rest) cost += own_cost(w, p, to_memory);
  return cost;
}

static int exchange_cost(const fg_writer *w) {
  int cost = place_cost(w, &w->load, false) + place_cost(w, &w->store, true);
  if (w->stage->factors.has_twiddle) cost += place_cost(w, &w->twiddle, false);
  return w->stage->factors.has_more ? cost + place_cost(w, &w->more, false) : cost;
}

/* What a place and those behind it say of the order of lanes: bits. */
enum { ANY_ORDER = 0, NATURAL_ORDER = 1, PERMUTED_ORDER = 2 };

static int order_of(const fg_access_plan *p) {
  int order = ANY_ORDER;
  for (; p; p = p->rest) {
    bool neighbours = p->move == FG_MOVE_CONTIG || p->move == FG_MOVE_REVERSE;
    if (neighbours && !interleaved(p)) order |= p->b->permuted ? PERMUTED_ORDER : NATURAL_ORDER;
  }
  return order;
}

static int order_of_stage(const fg_writer *w) {
  int order = order_of(&w->load) | order_of(&w->store);
  if (w->stage->factors.has_twiddle) order |= order_of(&w->twiddle);
  if (w->stage->factors.has_more) order |= order_of(&w->more);
  for (int i = 0; i < FG_MAX_OPERATIONS; i++) order |= order_of(w->before.operand[i]) | order_of(w->after.operand[i]);
  return order;
}

void fg_move_lane_order(const fg_writer *w, bool natural, int *label) {
  int bits = fg_log2(w->lanes), fixed = fg_precision_bytes(w->e->precision) == 4 ? 1 : 0;
  for (int i = 0; i < bits; i++) {
    bool stays = natural || i < fixed || bits <= fixed;
    label[i] = stays ? i : i == fixed ? bits - 1 : i - 1;
  }
  for (int i = bits; i < FG_NET_BITS; i++) label[i] = -1;
}

void fg_move_choose_lane_order(fg_writer *w) {
  int order = w->lanes == 1 || w->pack ? NATURAL_ORDER : order_of_stage(w);
  fg_invariant(order != (NATURAL_ORDER | PERMUTED_ORDER));
  fg_move_lane_order(w, order != PERMUTED_ORDER, w->lane_label);
  if (order != ANY_ORDER) return;
  int before = exchange_cost(w);
  fg_move_lane_order(w, false, w->lane_label);
  if (exchange_cost(w) >= before) fg_move_lane_order(w, true, w->lane_label);
}

/* ---- loads ------------------------------------------------------------------------ */

/* The number of (slot, lane), or 0 where a predicate fails. */
static const char *element_or_zero(fg_writer *w, fg_access_plan *p, int slot, int lane, int part) {
  const char *ok = fg_access_plan_condition(w, p, slot, lane);
  if (ok && !strcmp(ok, "0")) return fg_value_zero(w);
  return fg_storage_read(w, p, fg_access_plan_element(w, p, slot, lane, part), ok);
}

static const char *make_lanes(fg_writer *w, fg_access_plan *p, int slot, int part) {
  const char *item[FG_MAX_LANES];
  for (int l = 0; l < w->lanes; l++) item[l] = element_or_zero(w, p, slot, lane_at(w, l), part);
  return fg_value_make(w, w->lanes, item);
}

static const char *load_value(fg_writer *w, fg_access_plan *p, int slot, int part) {
  switch (p->move) {
  case FG_MOVE_NONE: return element_or_zero(w, p, slot, 0, part);
  case FG_MOVE_SAME:
    return fg_value_splat(w, w->lanes, fg_storage_read(w, p, fg_access_plan_element(w, p, slot, 0, part), NULL));
  case FG_MOVE_CONTIG:
    if (p->b->layout == FG_LAYOUT_DOUBLED) break;
    return fg_forward_load(w, p, &(fg_component){.slot = slot, .part = part}, w->lanes);
  default: break; /* reversed: load_part */
  }
  return make_lanes(w, p, slot, part);
}

static void load_part(fg_writer *w, fg_access_plan *p, int slot, int part) {
  int number = p->parts * slot + part;
  if (p->needed[number] && p->move == FG_MOVE_REVERSE && p->b->layout != FG_LAYOUT_DOUBLED) {
    fg_component last = {.slot = slot, .lane = w->lanes - 1, .part = part};
    const char *backward = fg_arena_printf(w->arena, "s%d", w->nshuffle++);
    fg_value_name(w, w->type, backward, fg_forward_load(w, p, &last, w->lanes));
    fg_run_reversed(w, backward, fg_move_loaded_name(w, p, number));
  } else if (p->needed[number]) {
    fg_value_name(w, w->type, fg_move_loaded_name(w, p, number), load_value(w, p, slot, part));
  }
}

void fg_move_load_all(fg_writer *w, fg_access_plan *p) {
  if (p->rest) fg_move_load_all(w, p->rest);
  if (p->move != FG_MOVE_TRANSPOSE) return;
  fg_run *run = room_for_runs(w, p);
  int n = runs_of(w, p, run);
  for (int i = 0; i < n; i++) {
    if (run[i].part && i && !run[i - 1].part) memset(p->loaded, 0, sizeof(bool) * (size_t)p->slots);
    if (run[i].slots * run[i].parts == 1)
      load_part(w, p, run[i].first, run[i].part);
    else
      fg_run_load(w, p, &run[i]);
    memset(&p->loaded[run[i].first], 1, sizeof(bool) * (size_t)run[i].slots);
  }
}

/* Element `slot` of this iteration's row, in the array of words that were loaded before. */
const char *fg_move_come(const fg_writer *w, int slot) {
  fg_coder *c = w->e->coder;
  return fg_coder_element(c, "come", fg_coder_index(c, FG_CODE_MUL, "it", fg_coder_int(c, w->load.slots)), slot);
}

static const char *pair_value(fg_writer *w, fg_access_plan *p, int slot) {
  const char *ok = fg_access_plan_condition(w, p, slot, 0);
  if (ok && !strcmp(ok, "0")) return fg_coder_pair(w->e->coder, "0", "0", NULL);
  if (w->word_row) return fg_storage_read_word(w, p, fg_access_plan_pair(w, p, slot, 0), ok);
  if (w->come_row && p == &w->load) return fg_storage_unpack(w, p, fg_move_come(w, slot));
  return fg_storage_read_pair(w, p, fg_access_plan_pair(w, p, slot, 0), ok);
}

static void load_pair(fg_writer *w, fg_access_plan *p, int slot) {
  const char *name = fg_arena_printf(w->arena, "%c%d", p->tag, slot);
  const char *type = w->word_row ? w->word_row->two : w->e->d->pair[w->e->precision];
  fg_value_name(w, type, name, pair_value(w, p, slot));
}

/* A number that two products want is a register or two operands in memory: with 16 registers gcc takes the latter,
 * and vectors of 32 bytes are loaded two a clock at most, as many as are added. A fence behind the load leaves it the
 * former. */
static bool is_loaded_once(const fg_writer *w, const fg_access_plan *p) {
  const fg_isa *isa = w->e->o->isa;
  bool few = isa && isa->registers <= 16 && w->lanes * fg_precision_bytes(w->e->precision) == 32;
  return few && w->e->d->stage_fence && w->stage->factors.has_twiddle && p == &w->load && p->move == FG_MOVE_CONTIG &&
         p->parts == 2 && !fg_forward_is_held(w, p);
}

void fg_move_load_slot(fg_writer *w, fg_access_plan *p, int slot) {
  if (p->loaded[slot]) return;
  p->loaded[slot] = true;
  if (w->pack && p->move == FG_MOVE_NONE) { /* a vector is one number */
    const char *value = fg_forward_load(w, p, &(fg_component){.slot = slot}, w->width);
    fg_value_name(w, w->type, fg_move_loaded_name(w, p, 2 * slot), value);
    return;
  }
  if (p->pair) {
    if (p->needed[2 * slot] || p->needed[2 * slot + 1]) load_pair(w, p, slot);
    return;
  }
  if (slots_are_runs(p)) {
    fg_run run = run_of_slot(p, slot);
    p->loaded[slot] = false;
    fg_run_load(w, p, &run);
    p->loaded[slot] = true;
    return;
  }
  for (int part = 0; part < p->parts; part++) load_part(w, p, slot, part);
  if (is_loaded_once(w, p)) fg_coder_act(w->e->coder, FG_CODE_KEEP, FG_KEEP_MEMORY);
}

/* ---- stores ----------------------------------------------------------------------- */

/* What a slot's part is given. */
static const char *value_of(const fg_writer *w, const fg_access_plan *p, int slot, int part) {
  return w->value[p->first + p->parts * slot + part];
}

/* Both parts, as one; held as words, both stand for it. */
static const char *pair_of(const fg_writer *w, const fg_access_plan *p, int slot) {
  const char *re = value_of(w, p, slot, 0);
  return w->hold_row || w->word_row ? re : fg_coder_pair(w->e->coder, re, value_of(w, p, slot, 1), NULL);
}

/* The number at a position of a value. */
static const char *lane_of(fg_writer *w, const char *value, int position) {
  return w->lanes == 1 ? value : fg_value_lane(w, w->lanes, value, position);
}

/* False: its predicate never holds. */
static bool store_element(fg_writer *w, fg_access_plan *p, int slot, int position) {
  int lane = lane_at(w, position);
  if (fg_access_plan_sends(w, p)) return fg_cluster_send(w, p, slot), true;
  const char *ok = fg_access_plan_condition(w, p, slot, lane);
  if (ok && !strcmp(ok, "0")) return false;
  const char *element[2];
  if (p->pair)
    element[0] = fg_access_plan_pair(w, p, slot, lane);
  else
    for (int part = 0; part < p->parts; part++) element[part] = fg_access_plan_element(w, p, slot, lane, part);
  if (ok) fg_value_if(w, ok);
  if (p->pair) fg_storage_write_pair(w, p, element[0], pair_of(w, p, slot));
  for (int part = 0; part < p->parts && !p->pair; part++)
    fg_storage_write(w, p, element[part], lane_of(w, value_of(w, p, slot, part), position));
  if (ok) fg_coder_close(w->e->coder);
  return true;
}

static void store_slot(fg_writer *w, fg_access_plan *p, int slot) {
  if (w->pack && p->move == FG_MOVE_NONE) {
    fg_forward_store(w, p, &(fg_component){.slot = slot}, w->width, w->value[slot]);
    return;
  }
  if (slots_are_runs(p)) {
    fg_run run = run_of_slot(p, slot);
    fg_run_store(w, p, &run);
    return;
  }
  for (int part = 0; part < p->parts && p->move == FG_MOVE_CONTIG; part++)
    fg_forward_store(w, p, &(fg_component){.slot = slot, .part = part}, w->lanes, value_of(w, p, slot, part));
  for (int part = 0; part < p->parts && p->move == FG_MOVE_REVERSE; part++)
    fg_forward_store(w, p, &(fg_component){.slot = slot, .lane = w->lanes - 1, .part = part}, w->lanes,
                     fg_run_reversed(w, value_of(w, p, slot, part), ""));
  if (p->move == FG_MOVE_CONTIG || p->move == FG_MOVE_REVERSE) return;
  bool any = false;
  for (int l = 0; l < w->lanes; l++) any = store_element(w, p, slot, l) || any;
  for (int part = 0; part < p->parts && !any; part++)
    fg_coder_open(w->e->coder, FG_CODE_DROP, value_of(w, p, slot, part));
}

void fg_move_store_slot(fg_writer *w, int element) {
  fg_access_plan *p = &w->store;
  for (; p->rest && element >= p->slots; p = p->rest) element -= p->slots;
  store_slot(w, p, element);
}

/* One part of a slot that has no row to be in. */
static void store_part(fg_writer *w, fg_access_plan *p, int slot, int part) {
  for (int l = 0; l < w->lanes; l++)
    fg_storage_write(w, p, fg_access_plan_element(w, p, slot, lane_at(w, l), part),
                     lane_of(w, value_of(w, p, slot, part), l));
}

static void store_all(fg_writer *w, fg_access_plan *p) {
  if (p->move != FG_MOVE_TRANSPOSE) {
    for (int s = 0; s < p->slots; s++) store_slot(w, p, s);
    return;
  }
  fg_run *run = room_for_runs(w, p);
  int n = runs_of(w, p, run);
  for (int i = 0; i < n; i++)
    if (run[i].slots * run[i].parts == 1)
      store_part(w, p, run[i].first, run[i].part);
    else
      fg_run_store(w, p, &run[i]);
}

void fg_move_store_all(fg_writer *w) {
  for (fg_access_plan *p = &w->store; p; p = p->rest) store_all(w, p);
}

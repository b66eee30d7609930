/* Loads and stores of one stage's values. In: places. Out: statements that bring
 * elements into values x0r, x0i, w0r... and values into memory.
 *
 * Scalars move one by one. Vectors move as the access says (kernel.h, fg_move):
 * neighbours at once, through an exchange of lanes and registers where numbers
 * of several slots lie between each other, or lane by lane. */
#include "generator/emit_parts.h"
#include <assert.h>
#include <string.h>

static fg_arena *arena(const fg_writer *w) { return w->e->cx->arena; }

const char *fg_loaded_name(const fg_writer *w, const fg_place *p, int real_slot) {
  if (p->pair)
    return fg_spell(w->e, 1, w->e->d->pair_part[real_slot % 2],
                    (fg_marks){.v = fg_arena_printf(arena(w), "%c%d", p->tag, real_slot / 2)});
  return fg_arena_printf(arena(w), "%c%d%c", p->tag, real_slot / 2, real_slot % 2 ? 'i' : 'r');
}

static bool interleaved(const fg_place *p) { return p->b->layout == FG_LAYOUT_INTERLEAVED; }

static int log2_of(int x) {
  int bits = 0;
  while (1 << bits < x) bits++;
  return bits;
}

/* ---- exchanges ------------------------------------------------------------------ */

/* A run in memory: real number l * reals + s of lane l, s = 0 .. reals-1. The
 * bits of that number are the labels. */
static void plan_run(const fg_writer *w, fg_net *net, int reals, bool to_memory) {
  int lane_bits = log2_of(w->lanes), reg_bits = log2_of(reals);
  int memory[2 * FG_NET_BITS], values[2 * FG_NET_BITS];
  for (int i = 0; i < lane_bits + reg_bits; i++) {
    memory[i] = i;
    values[i] = i < lane_bits ? reg_bits + w->lane_label[i] : i - lane_bits;
  }
  fg_net_plan(net, fg_precision_bytes(w->e->precision), lane_bits, reg_bits, to_memory ? values : memory,
              to_memory ? memory : values);
}

/* ---- order of lanes ------------------------------------------------------------- */

static int lane_at(const fg_writer *w, int position) {
  int lane = 0;
  for (int b = 0; 1 << b < w->lanes; b++)
    if (position >> b & 1) lane |= 1 << w->lane_label[b];
  return lane;
}

static int place_cost(const fg_writer *w, const fg_place *p, bool to_memory) {
  if (p->move != FG_MOVE_TRANSPOSE && !(p->move == FG_MOVE_CONTIG && interleaved(p))) return 0;
  int reals = (p->move == FG_MOVE_TRANSPOSE ? p->slots : 1) * (interleaved(p) ? 2 : 1);
  fg_net net;
  plan_run(w, &net, reals, to_memory);
  return net.cost * p->slots;
}

static int exchange_cost(const fg_writer *w) {
  int cost = place_cost(w, &w->load, false) + place_cost(w, &w->store, true);
  return w->stage->has_twiddle ? cost + place_cost(w, &w->twiddle, false) : cost;
}

static bool fixes_order(const fg_place *p) { return p->move == FG_MOVE_CONTIG && !interleaved(p); }

/* Deinterleaving by instructions that stay within 16 bytes leaves this order. */
static void set_order(fg_writer *w, bool natural) {
  int bits = log2_of(w->lanes), fixed = fg_precision_bytes(w->e->precision) == 4 ? 1 : 0;
  for (int i = 0; i < bits; i++) {
    bool stays = natural || i < fixed || bits <= fixed;
    w->lane_label[i] = stays ? i : i == fixed ? bits - 1 : i - 1;
  }
}

void fg_choose_lane_order(fg_writer *w) {
  set_order(w, true);
  if (w->lanes == 1 || fixes_order(&w->load) || fixes_order(&w->store)) return;
  if (w->stage->has_twiddle && fixes_order(&w->twiddle)) return;
  int natural = exchange_cost(w);
  set_order(w, false);
  if (exchange_cost(w) >= natural) set_order(w, true);
}

/* ---- runs ------------------------------------------------------------------------ */

/* Register r at the end of the net: its labels as a number, the lowest label
 * being `base`. */
static int number_of(const fg_net *net, int r, int base) {
  int number = 0;
  for (int b = 0; b < net->reg_bits; b++)
    if (r >> b & 1) number |= 1 << (net->label[b] - base);
  return number;
}

static const char *vector_at(fg_writer *w, const char *pointer) {
  return fg_spell(w->e, w->lanes, w->e->d->vload, (fg_marks){.p = pointer});
}

typedef struct run { /* of numbers that are exchanged together */
  int first, slots;  /* complex slots; first: of an element that is moved alone */
  int parts;         /* numbers of an element in the run: 2 interleaved, else 1 */
  int part;          /* parts = 1: which */
} run;

/* Vector j of the run lies at its j * lanes -th number. */
static const char *run_pointer(fg_writer *w, fg_place *p, const run *r, int j) {
  return fg_place_pointer(w, p, r->first, (int64_t)j * w->lanes / r->parts, r->part);
}

static void load_run(fg_writer *w, fg_place *p, const run *r) {
  int reals = r->slots * r->parts;
  fg_net net;
  plan_run(w, &net, reals, false);
  const char **name = fg_arena_new(arena(w), const char *, reals);
  const char **wanted = fg_arena_new(arena(w), const char *, reals);
  bool any = false;
  for (int i = 0; i < reals; i++) {
    int number = number_of(&net, i, 0), slot = 2 * r->first + (r->parts == 2 ? number : 2 * number + r->part);
    wanted[i] = p->needed[slot] ? fg_loaded_name(w, p, slot) : NULL;
    any = any || wanted[i];
  }
  if (!any) return;
  for (int j = 0; j < reals; j++) {
    bool last = net.nstep == 0; /* one number: nothing to exchange */
    name[j] = last ? wanted[j] : fg_arena_printf(arena(w), "s%d", w->nshuffle++);
    fg_write_line(w, "const %s %s = %s;", w->type, name[j], vector_at(w, run_pointer(w, p, r, j)));
  }
  fg_net_write(w, &net, name, wanted);
}

static void store_vector(fg_writer *w, const char *pointer, const char *value) {
  fg_write_line(w, "%s", fg_spell(w->e, w->lanes, w->e->d->vstore, (fg_marks){.p = pointer, .v = value}));
}

static void store_run(fg_writer *w, fg_place *p, const run *r) {
  int reals = r->slots * r->parts;
  fg_net net;
  plan_run(w, &net, reals, true);
  const char **name = fg_arena_new(arena(w), const char *, reals);
  const char **wanted = fg_arena_new(arena(w), const char *, reals);
  for (int i = 0; i < reals; i++) {
    name[i] = w->value[2 * r->first + (r->parts == 2 ? i : 2 * i + r->part)];
    wanted[i] = "";
  }
  fg_net_write(w, &net, name, wanted);
  for (int j = 0; j < reals; j++)
    for (int i = 0; i < reals; i++)
      if (number_of(&net, i, net.lane_bits) == j) store_vector(w, run_pointer(w, p, r, j), name[i]);
}

/* ---- loads ------------------------------------------------------------------------ */

/* The number of (slot, lane), or 0 where a predicate fails. */
static const char *element_or_zero(fg_writer *w, fg_place *p, int slot, int lane, int part) {
  const char *ok = fg_place_condition(w, p, slot, lane);
  if (ok && !strcmp(ok, "0")) return "0";
  const char *element = fg_place_element(w, p, slot, lane, part);
  return ok ? fg_arena_printf(arena(w), "%s ? %s : 0", ok, element) : element;
}

static const char *lane_list(fg_writer *w, fg_place *p, int slot, int part) {
  fg_strbuf s;
  fg_strbuf_init(&s, arena(w));
  for (int l = 0; l < w->lanes; l++)
    fg_strbuf_addf(&s, "%s%s", l ? ", " : "", element_or_zero(w, p, slot, lane_at(w, l), part));
  return s.text;
}

static const char *load_value(fg_writer *w, fg_place *p, int slot, int part) {
  const fg_dialect *d = w->e->d;
  switch (p->move) {
  case FG_MOVE_NONE: return element_or_zero(w, p, slot, 0, part);
  case FG_MOVE_SAME: return fg_spell(w->e, w->lanes, d->vset1, (fg_marks){.v = fg_place_element(w, p, slot, 0, part)});
  case FG_MOVE_CONTIG: return vector_at(w, fg_place_pointer(w, p, slot, 0, part));
  case FG_MOVE_TRANSPOSE:
  case FG_MOVE_GATHER: break;
  }
  return fg_spell(w->e, w->lanes, d->vmake, (fg_marks){.i = lane_list(w, p, slot, part)});
}

void fg_load_all(fg_writer *w, fg_place *p) {
  if (p->move != FG_MOVE_TRANSPOSE) return;
  if (interleaved(p)) {
    load_run(w, p, &(run){.slots = p->slots, .parts = 2});
  } else {
    load_run(w, p, &(run){.slots = p->slots, .parts = 1, .part = 0});
    load_run(w, p, &(run){.slots = p->slots, .parts = 1, .part = 1});
  }
  memset(p->loaded, 1, sizeof(bool) * (size_t)p->slots);
}

static const char *make_pair(const fg_writer *w, const char *re, const char *im) {
  return fg_spell(w->e, 1, w->e->d->pair_make, (fg_marks){.a = re, .b = im});
}

static void load_pair(fg_writer *w, fg_place *p, int slot) {
  const char *ok = fg_place_condition(w, p, slot, 0), *zero = make_pair(w, "0", "0"), *value = zero;
  if (!ok || strcmp(ok, "0") != 0) value = fg_place_pair(w, p, slot, 0);
  if (ok && value != zero) value = fg_arena_printf(arena(w), "%s ? %s : %s", ok, value, zero);
  fg_write_line(w, "const %s %c%d = %s;", w->e->d->pair[w->e->precision], p->tag, slot, value);
}

void fg_load_slot(fg_writer *w, fg_place *p, int slot) {
  if (p->loaded[slot]) return;
  p->loaded[slot] = true;
  if (p->pair) {
    if (p->needed[2 * slot] || p->needed[2 * slot + 1]) load_pair(w, p, slot);
    return;
  }
  if (p->move == FG_MOVE_CONTIG && interleaved(p)) {
    load_run(w, p, &(run){.first = slot, .slots = 1, .parts = 2});
    return;
  }
  for (int part = 0; part < 2; part++)
    if (p->needed[2 * slot + part])
      fg_write_line(w, "const %s %s = %s;", w->type, fg_loaded_name(w, p, 2 * slot + part),
                    load_value(w, p, slot, part));
}

/* ---- stores ----------------------------------------------------------------------- */

/* False: its predicate never holds. */
static bool store_element(fg_writer *w, fg_place *p, int slot, int position) {
  int lane = lane_at(w, position);
  const char *ok = fg_place_condition(w, p, slot, lane);
  if (ok && !strcmp(ok, "0")) return false;
  const char *element[2];
  if (p->pair)
    element[0] = fg_place_pair(w, p, slot, lane);
  else
    for (int part = 0; part < 2; part++) element[part] = fg_place_element(w, p, slot, lane, part);
  if (ok) {
    fg_write_line(w, "if (%s) {", ok);
    w->indent += 2;
  }
  if (p->pair) fg_write_line(w, "%s = %s;", element[0], make_pair(w, w->value[2 * slot], w->value[2 * slot + 1]));
  for (int part = 0; part < 2 && !p->pair; part++) {
    const char *value = w->value[2 * slot + part];
    if (w->lanes > 1)
      value = fg_spell(w->e, w->lanes, w->e->d->vlane,
                       (fg_marks){.v = value, .i = fg_arena_printf(arena(w), "%d", position)});
    fg_write_line(w, "%s = %s;", element[part], value);
  }
  if (ok) {
    w->indent -= 2;
    fg_write_line(w, "}");
  }
  return true;
}

static void store_contiguous(fg_writer *w, fg_place *p, int slot) {
  if (interleaved(p)) {
    store_run(w, p, &(run){.first = slot, .slots = 1, .parts = 2});
    return;
  }
  for (int part = 0; part < 2; part++)
    store_vector(w, fg_place_pointer(w, p, slot, 0, part), w->value[2 * slot + part]);
}

void fg_store_slot(fg_writer *w, int slot) {
  fg_place *p = &w->store;
  if (p->move == FG_MOVE_CONTIG) {
    store_contiguous(w, p, slot);
    return;
  }
  bool any = false;
  for (int l = 0; l < w->lanes; l++) any = store_element(w, p, slot, l) || any;
  for (int part = 0; part < 2 && !any; part++) fg_write_line(w, "(void)%s;", w->value[2 * slot + part]);
}

void fg_store_all(fg_writer *w) {
  fg_place *p = &w->store;
  if (p->move != FG_MOVE_TRANSPOSE) {
    for (int s = 0; s < p->slots; s++) fg_store_slot(w, s);
  } else if (interleaved(p)) {
    store_run(w, p, &(run){.slots = p->slots, .parts = 2});
  } else {
    store_run(w, p, &(run){.slots = p->slots, .parts = 1, .part = 0});
    store_run(w, p, &(run){.slots = p->slots, .parts = 1, .part = 1});
  }
}

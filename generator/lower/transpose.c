/* Runs: numbers of several slots that are adjacent in memory, transposed between lanes and registers. In: a run of an
 * access plan. Out: statements that load it into values x0r, x0i..., or store these, by full vectors or by rows.
 *
 * Three forms of one exchange (the numbers s = 0 .. R-1 of lane l are a row):
 *
 *   rows end to end, R = 2^a      memory is one line of l * R + s: a network moves
 *                                 index bits (shuffle_network.c)
 *   rows end to end, R = 2^a odd  the odd part by one permutation within each
 *                                 vector and a rotation across registers, lane by
 *                                 lane, in log2 steps of selection; then 2^a as
 *                                 above. Catanzaro, Keller, Garland: A
 *                                 decomposition for in-place matrix transposition
 *                                 (PPoPP 2014), with registers as columns. If
 *                                 fg_takes_lines says so; else rows one by one
 *   rows with gaps                groups of 2^a slots; their rows are narrower
 *                                 vectors, joined to full ones */
#include "generator/lower/transpose.h"
#include "generator/base/integer.h"
#include "generator/lower/access.h"
#include "generator/lower/address.h"
#include "generator/lower/forward.h"
#include "generator/lower/move.h"
#include "generator/lower/shuffle_network.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/spell.h"
#include "targets/machine/limits.h"
#include <string.h>

static const char *new_name(fg_writer *w) { return fg_arena_printf(w->arena, "s%d", w->nshuffle++); }

/* Register r at the end of a net: its labels below `most` as a number, the lowest
 * label being `base`. */
static int number_of(const fg_net *net, int r, int base, int most) {
  int number = 0;
  for (int b = 0; b < net->reg_bits; b++)
    if ((r >> b & 1) && net->label[b] >= base && net->label[b] < most) number |= 1 << (net->label[b] - base);
  return number;
}

/* Registers that something wanted at the end depends on. */
static bool is_needed(const fg_net *net, const char *const *wanted, int r) {
  int mixed = 0;
  for (int i = 0; i < net->nstep; i++) mixed |= 1 << net->step[i].reg_bit;
  for (int i = 0; i < 1 << net->reg_bits; i++)
    if (wanted[i] && ((i ^ r) & ~mixed) == 0) return true;
  return false;
}

/* Numbers of a run in the order of a row: which number of the place. */
static int number_in(const fg_access_plan *p, const fg_run *r, int number) {
  return p->parts * r->first + (r->parts == p->parts ? number : 2 * number + r->part);
}

static int reals_of(const fg_run *r) { return r->slots * r->parts; }

/* Where vectors hold pairs, the lowest bit of a position is the part's, and stays. */
static int pair_bits(const fg_writer *w) { return w->pack ? 1 : 0; }

/* Vectors that so many numbers of every lane fill. */
static int vectors_of(const fg_writer *w, int reals) { return reals >> pair_bits(w); }

/* Vectors of `wide` numbers as one of `most`, called so if that is not "". */
static const char *join(fg_writer *w, const char **name, int wide, int most, const char *called) {
  for (int lanes = 2 * wide; lanes <= most; lanes *= 2)
    for (int i = 0; i < most / lanes; i++)
      name[i] = fg_forward_join(w, lanes, name[2 * i], name[2 * i + 1], lanes == most ? called : "");
  return name[0];
}

/* ---- lines: rows end to end, powers of two ------------------------------------------ */

/* Vectors of two 16-byte parts that no instruction takes two of in any order. */
static bool takes_one(const fg_writer *w) {
  const fg_isa *isa = w->e->o->isa;
  return isa && !isa->two_sources && w->width * fg_precision_bytes(w->e->precision) == 32;
}

static fg_net_size net_size(const fg_writer *w, int reg_bits, bool to_memory) {
  int bytes = fg_precision_bytes(w->e->precision);
  bool reads = to_memory && fg_spell_is_double_pumped(w->e);
  return (fg_net_size){bytes, fg_log2(w->width), reg_bits, takes_one(w), reads};
}

/* Labels of the lane bits of a vector in memory, in that order (fg_buffer_lane_position). */
static void permute_lanes(const fg_writer *w, const fg_access_plan *p, int *memory) {
  if (!p->b->permuted) return;
  int bits = fg_log2(w->width), first = fg_log2(fg_buffer_lane_half(p->b)), last = memory[bits - 1];
  for (int i = bits - 1; i > first; i--) memory[i] = memory[i - 1];
  memory[first] = last;
}

/* Real number l * reals + s of lane l; the bits of that number are the labels.
 * label: lane bits in a vector of values. */
static void plan_line(const fg_writer *w, const fg_access_plan *p, fg_net *net, int reals, const int *label,
                      bool to_memory) {
  int width_bits = fg_log2(w->width), row_bits = fg_log2(reals), pair = pair_bits(w), n = 0;
  int memory[2 * FG_NET_BITS], values[2 * FG_NET_BITS];
  for (int i = 0; i < pair; i++) values[n++] = i;
  for (int i = 0; n < width_bits; i++) values[n++] = row_bits + label[i];
  for (int i = pair; i < row_bits; i++) values[n++] = i;
  for (int i = 0; i < n; i++) memory[i] = i;
  permute_lanes(w, p, memory);
  fg_net_size size = net_size(w, row_bits - pair, to_memory);
  fg_net_plan(net, &size, to_memory ? values : memory, to_memory ? memory : values);
}

/* Vector j of a run begins at its j * width -th number. */
static fg_component line_spot(const fg_writer *w, const fg_run *r, int j) {
  return (fg_component){.slot = r->first, .elements = (int64_t)j * w->width / r->parts, .part = r->part};
}

/* The same of a place whose last lane is first. */
static fg_component spot_in_line(const fg_writer *w, const fg_access_plan *p, const fg_run *r, int j) {
  fg_component spot = line_spot(w, r, j);
  if (p->move == FG_MOVE_REVERSE) spot.lane = w->lanes - 1;
  return spot;
}

typedef struct line { /* a part of a run, `reals` numbers a lane */
  const fg_run *run;
  int reals, vector; /* number of its first vector in the run */
  const int *label;
} line;

/* A place whose last lane is first, where the exchange may take or give it so. */
static bool is_mirrored(const fg_writer *w, const fg_access_plan *p, const fg_run *r) {
  return p->move == FG_MOVE_REVERSE && !w->pack && !r->apart && reals_of(r) == 2;
}

/* wanted[number]: names to be given, "" for any, which is then returned; NULL: not needed. */
static void load_line(fg_writer *w, fg_access_plan *p, const line *l, const char **wanted) {
  fg_net net;
  plan_line(w, p, &net, l->reals, l->label, false);
  if (is_mirrored(w, p, l->run)) net.mirror = FG_MIRROR_OUT;
  int vectors = vectors_of(w, l->reals), pair = pair_bits(w), most = pair + net.reg_bits;
  const char **name = fg_arena_new(w->arena, const char *, vectors);
  const char **end = fg_arena_new(w->arena, const char *, vectors);
  for (int i = 0; i < vectors; i++) end[i] = wanted[number_of(&net, i, pair, most)];
  for (int j = 0; j < vectors; j++) {
    if (!is_needed(&net, end, j)) continue;
    name[j] = net.nstep == 0 && *end[j] ? end[j] : new_name(w); /* one number: nothing to exchange */
    fg_component spot = spot_in_line(w, p, l->run, l->vector + j);
    const char *value = fg_forward_load(w, p, &spot, w->width);
    fg_value_name(w, w->type, name[j], value);
  }
  fg_net_write(w, &net, name, end);
  for (int i = 0; i < vectors; i++)
    if (end[i]) wanted[number_of(&net, i, pair, most)] = name[i];
}

/* Vectors of a line that are stored as one: those that a later stage loads so, and soon;
 * else it would wait until they have left for the cache one by one. */
static int stored_together(const fg_writer *w, const fg_access_plan *p, int vectors) {
  int together = 1;
  bool plain = w->e->d->vector.join && p->move != FG_MOVE_REVERSE && !p->a->stream && !fg_forward_is_tracked(w, p);
  if (!plain || fg_lower_stage_bytes(w) >= limit->halved_least) return 1;
  const fg_stage *next = fg_stage_after(w->k, w->stage);
  int wide = next && !fg_stage_is_clipped(w->k, next) ? fg_stage_lanes(w->k, next) * (next->vectors.packed ? 2 : 1) : 0;
  while (2 * together * w->width <= wide && vectors % (2 * together) == 0) together *= 2;
  return together;
}

static void store_line(fg_writer *w, fg_access_plan *p, const line *l, const char **name) {
  fg_net net;
  plan_line(w, p, &net, l->reals, l->label, true);
  if (is_mirrored(w, p, l->run)) net.mirror = FG_MIRROR_IN;
  int vectors = vectors_of(w, l->reals), most = net.lane_bits + net.reg_bits;
  int together = stored_together(w, p, vectors);
  const char **wanted = fg_arena_new(w->arena, const char *, vectors), *part[2 * FG_MAX_LANES];
  for (int i = 0; i < vectors; i++) wanted[i] = "";
  fg_net_write(w, &net, name, wanted);
  for (int j = 0; j < vectors; j++) {
    for (int i = 0; i < vectors; i++)
      if (number_of(&net, i, net.lane_bits, most) == j) part[j % together] = name[i];
    if ((j + 1) % together) continue;
    fg_component spot = spot_in_line(w, p, l->run, l->vector + j + 1 - together);
    fg_forward_store(w, p, &spot, together * w->width, join(w, part, w->width, together * w->width, ""));
  }
}

/* ---- lines: the odd part ------------------------------------------------------------- */

/* m registers, m odd, of W lanes. As values register t has row position t of lane
 * l; as lines register j has number L = j * W + p at position p, L = l * m + t.
 * For L mod W = p a lane permutation per register brings everything to its
 * position; then, at each position, j = t / W - p / W modulo m is a rotation. */
typedef struct turn {
  int m, lanes;
  int lane_inverse;      /* of m modulo W */
  int reg_inverse;       /* of W modulo m */
  const int *label;      /* lane bits of values */
  const int *line_label; /* of lines */
} turn;

static int inverse(int x, int modulus) {
  for (int i = 1; i < modulus; i++)
    if (x % modulus * i % modulus == 1) return i;
  return 0;
}

/* Where a lane is, in vectors whose lane bits have these labels. */
static int position_of(const int *label, int lane) {
  int position = 0;
  for (int b = 0; lane >> b; b++)
    for (int i = 0; i < FG_NET_BITS; i++)
      if ((lane >> b & 1) && label[i] == b) position |= 1 << i;
  return position;
}

/* index: of lanes. */
static const char *shuffle(fg_writer *w, const char *name, const char *a, const char *b, const int *index) {
  int number[2 * FG_MAX_LANES], parts = 1 << pair_bits(w);
  for (int i = 0; i < w->width; i++) number[i] = parts * index[i / parts] + i % parts;
  if (!*name) name = new_name(w);
  fg_value_name(w, w->type, name, fg_value_shuffle(w, w->width, a, b, number));
  return name;
}

const char *fg_run_reversed(fg_writer *w, const char *value, const char *called) {
  int index[FG_MAX_LANES];
  for (int i = 0; i < w->lanes; i++) index[i] = w->lanes - 1 - i;
  return shuffle(w, called, value, value, index);
}

/* A step of a rotation: at some positions registers are turned by an amount. */
typedef struct spin {
  int amount;
  bool turns[FG_MAX_LANES]; /* by lane of a line */
} spin;

typedef struct lane_order {
  int from[FG_MAX_LANES];
} lane_order;

/* Steps by which, at each position p, register i becomes what register i + by * (p / W) was: bit by
 * bit of p / W modulo m, or of p, whichever are fewer. */
static int plan_spins(const turn *t, int by, spin *out) {
  int n = 0;
  bool by_position = t->lanes < t->m;
  for (int step = 1; step < (by_position ? t->lanes : t->m); step *= 2, n++) {
    out[n].amount = by * (by_position ? step * t->reg_inverse % t->m : step);
    for (int p = 0; p < t->lanes; p++)
      out[n].turns[position_of(t->line_label, p)] = (by_position ? p : p * t->reg_inverse % t->m) & step;
  }
  return n;
}

static int turned(const turn *t, const spin *s, int i) { return ((i + s->amount) % t->m + t->m) % t->m; }

/* order: of each register's lanes before that; NULL: as they are. */
static void rotate(fg_writer *w, const turn *t, const spin *s, const lane_order *order, const char **reg) {
  const char **next = fg_arena_new(w->arena, const char *, t->m);
  for (int i = 0; i < t->m; i++) {
    int index[FG_MAX_LANES], other = turned(t, s, i);
    for (int at = 0; at < t->lanes; at++) {
      const lane_order *o = order ? &order[s->turns[at] ? other : i] : NULL;
      index[at] = (s->turns[at] ? t->lanes : 0) + (o ? o->from[at] : at);
    }
    next[i] = shuffle(w, "", reg[i], reg[other], index);
  }
  memcpy(reg, next, sizeof *reg * (size_t)t->m);
}

/* Numbers of two vectors in any order are one operation: an order of lanes and a step of a rotation together. */
static bool takes_two(const fg_writer *w) { return w->e->o->isa && w->e->o->isa->two_sources; }

/* Values to lines. */
static void turn_to_lines(fg_writer *w, const turn *t, const char **reg) {
  const char **moved = fg_arena_new(w->arena, const char *, t->m);
  lane_order *order = fg_arena_new(w->arena, lane_order, t->m);
  bool together = takes_two(w);
  for (int u = 0; u < t->m; u++) {
    int row = t->lanes * u % t->m;
    for (int p = 0; p < t->lanes; p++) {
      int lane = (p - row % t->lanes + t->lanes) % t->lanes * t->lane_inverse % t->lanes;
      order[u].from[position_of(t->line_label, p)] = position_of(t->label, lane);
    }
    moved[u] = together ? reg[row] : shuffle(w, "", reg[row], reg[row], order[u].from);
  }
  spin step[FG_NET_BITS];
  int n = plan_spins(t, +1, step);
  for (int i = 0; i < n; i++) rotate(w, t, &step[i], together && i == 0 ? order : NULL, moved);
  memcpy(reg, moved, sizeof *reg * (size_t)t->m);
}

/* Lines to values. */
static void turn_to_values(fg_writer *w, const turn *t, const char **reg, const char *const *wanted) {
  spin step[FG_NET_BITS];
  int n = plan_spins(t, -1, step), last = takes_two(w) ? n - 1 : n, index[FG_MAX_LANES];
  for (int i = 0; i < last; i++) rotate(w, t, &step[i], NULL, reg);
  for (int u = 0; u < t->m; u++) {
    int row = t->lanes * u % t->m;
    const char *other = last < n ? reg[turned(t, &step[last], u)] : reg[u];
    for (int lane = 0; lane < t->lanes; lane++) {
      int from = position_of(t->line_label, (lane * t->m + row) % t->lanes);
      index[position_of(t->label, lane)] = (last < n && step[last].turns[from] ? t->lanes : 0) + from;
    }
    if (wanted[row])
      shuffle(w, wanted[row], reg[u], other, index);
    else
      fg_coder_open(w->e->coder, FG_CODE_DROP, reg[u]);
  }
}

/* Lines may have the order of lanes that suits their network. */
static turn make_turn(const fg_writer *w, const fg_access_plan *p, int m, int reals, bool to_memory, int *line_label) {
  int other[FG_NET_BITS];
  fg_move_lane_order(w, !p->b->permuted, line_label);
  fg_move_lane_order(w, p->b->permuted, other);
  fg_net net, turned;
  plan_line(w, p, &net, reals, line_label, to_memory);
  bool may_turn = !w->pack && reals > 1; /* one number: there is no network */
  if (may_turn) plan_line(w, p, &turned, reals, other, to_memory);
  if (may_turn && turned.cost < net.cost) memcpy(line_label, other, sizeof other);
  return (turn){.m = m,
                .lanes = w->lanes,
                .lane_inverse = inverse(m, w->lanes),
                .reg_inverse = inverse(w->lanes, m),
                .label = w->lane_label,
                .line_label = line_label};
}

static void load_end_to_end(fg_writer *w, fg_access_plan *p, const fg_run *r, const char **wanted) {
  int m = fg_odd_part(reals_of(r)), reals = reals_of(r) / m, even = vectors_of(w, reals), label[FG_NET_BITS];
  if (m == 1) {
    load_line(w, p, &(line){r, reals, 0, w->lane_label}, wanted);
    return;
  }
  const char **name = fg_arena_new(w->arena, const char *, even *m); /* [number in the line][line] */
  const char **one = fg_arena_new(w->arena, const char *, even), **row = fg_arena_new(w->arena, const char *, m);
  turn t = make_turn(w, p, m, reals, false, label);
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < even; i++) one[i] = "";
    load_line(w, p, &(line){r, reals, j * even, label}, one);
    for (int i = 0; i < even; i++) name[i * m + j] = one[i];
  }
  for (int i = 0; i < even; i++) {
    for (int j = 0; j < m; j++) row[j] = wanted[j * even + i];
    turn_to_values(w, &t, &name[i * m], row);
  }
}

static void store_end_to_end(fg_writer *w, fg_access_plan *p, const fg_run *r, const char **value) {
  int m = fg_odd_part(reals_of(r)), reals = reals_of(r) / m, even = vectors_of(w, reals), label[FG_NET_BITS];
  if (m == 1) {
    store_line(w, p, &(line){r, reals, 0, w->lane_label}, value);
    return;
  }
  const char **name = fg_arena_new(w->arena, const char *, even *m);
  const char **one = fg_arena_new(w->arena, const char *, even);
  turn t = make_turn(w, p, m, reals, true, label);
  for (int i = 0; i < even; i++) {
    for (int j = 0; j < m; j++) name[i * m + j] = value[j * even + i];
    turn_to_lines(w, &t, &name[i * m]);
  }
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < even; i++) one[i] = name[i * m + j];
    store_line(w, p, &(line){r, reals, j * even, label}, one);
  }
}

/* ---- rows apart ------------------------------------------------------------------------ */

/* Labels: bits of the number in the row, then of the lane. A vector holds `wide`
 * numbers of a row, and of as many lanes as fit: those that are there in the end
 * anyway. */
typedef struct rows {
  fg_net net;
  int reg_bits, row_bits;     /* of a row; of that part of it that is in one vector */
  int start[2 * FG_NET_BITS]; /* labels of register bits in memory */
} rows;

static int row_width(const fg_writer *w, int reals) { return reals < w->width ? reals : w->width; }

static bool halves_are_stored(const fg_writer *w) {
  return w->e->d->vector.piece && w->width * fg_precision_bytes(w->e->precision) >= limit->halved_bytes;
}

/* Whole rows, by halves of vectors: the exchange needs a step less, and the upper half of a
 * register is stored without a shuffle. What other stages of a function find in values
 * stays whole, and what is stored past the caches; and vectors of AVX2, whose halves two units move
 * while stores leave one a clock. */
static bool by_halves(const fg_writer *w, const fg_access_plan *p, int reals) {
  bool whole = p->a->stream || p->move == FG_MOVE_REVERSE || fg_forward_is_tracked(w, p) || p->b->permuted;
  whole = whole || fg_is_of_parts(w, p);
  int64_t bytes = fg_lower_stage_bytes(w);
  bool soon = p->b->space == FG_SPACE_LOCAL && bytes < limit->halved_least;
  bool dear =
      w->pack && fg_spell_is_double_pumped(w->e) && p->slots >= limit->whole_slots && bytes <= limit->whole_most;
  return halves_are_stored(w) && !whole && reals >= w->width &&
         fg_plan_option(w->e->p->plan, FG_PARAM_SPLIT_STORES,
                        !takes_one(w) && !soon && !dear && bytes <= limit->halved_most);
}

/* The bit of a number in a row that bit i of its place there is. */
static int row_label(const fg_writer *w, const fg_access_plan *p, int i) {
  int vector = fg_log2(w->width);
  if (!fg_is_of_parts(w, p) || i > vector) return i;
  return i < vector ? i + 1 : 0;
}

static rows plan_rows(const fg_writer *w, const fg_access_plan *p, int reals, int wide, bool to_memory) {
  rows r = {.reg_bits = fg_log2(reals), .row_bits = fg_log2(wide)};
  int width_bits = fg_log2(w->width), pair = pair_bits(w), n = width_bits;
  int memory[2 * FG_NET_BITS], values[2 * FG_NET_BITS];
  for (int i = 0; i < width_bits; i++) {
    values[i] = i < pair ? i : r.reg_bits + w->lane_label[i - pair];
    memory[i] = i < r.row_bits ? row_label(w, p, i) : values[i];
  }
  permute_lanes(w, p, memory);
  for (int i = r.row_bits; i < r.reg_bits; i++) memory[n++] = row_label(w, p, i);
  for (int i = pair; i < r.row_bits; i++) memory[n++] = values[i];
  for (int i = pair; i < r.reg_bits; i++) values[width_bits + i - pair] = i;
  memcpy(r.start, memory + width_bits, sizeof *memory * (size_t)(n - width_bits));
  fg_net_size size = net_size(w, r.reg_bits - pair, to_memory);
  fg_net_plan(&r.net, &size, to_memory ? values : memory, to_memory ? memory : values);
  return r;
}

/* The row part in positions at, at + wide .. of register reg, which has the given
 * labels: its lane, and where in the row it starts. */
static int lane_of_part(const fg_writer *w, const rows *r, const int *label, int reg, int at) {
  int lane = 0;
  for (int b = r->row_bits; 1 << b < w->width; b++)
    if (at >> b & 1) lane |= 1 << w->lane_label[b - pair_bits(w)];
  for (int b = 0; b < r->net.reg_bits; b++)
    if ((reg >> b & 1) && label[b] >= r->reg_bits) lane |= 1 << (label[b] - r->reg_bits);
  return lane;
}

static int start_of_part(const rows *r, const int *label, int reg) {
  int start = 0;
  for (int b = 0; b < r->net.reg_bits; b++)
    if ((reg >> b & 1) && label[b] < r->reg_bits) start |= 1 << label[b];
  return start;
}

static fg_component spot_of_part(const fg_writer *w, const fg_access_plan *p, const fg_run *run, const rows *r,
                                 const int *label, int reg, int at) {
  int start = start_of_part(r, label, reg);
  return (fg_component){.slot = run->first,
                        .lane = lane_of_part(w, r, label, reg, at),
                        .elements = start / run->parts,
                        .part = fg_is_of_parts(w, p) ? start % 2 : run->part};
}

static void load_apart(fg_writer *w, fg_access_plan *p, const fg_run *run, const char **wanted) {
  int reals = reals_of(run), vectors = vectors_of(w, reals), wide = row_width(w, reals);
  rows r = plan_rows(w, p, reals, wide, false);
  const char **name = fg_arena_new(w->arena, const char *, vectors);
  const char **end = fg_arena_new(w->arena, const char *, vectors);
  for (int i = 0; i < vectors; i++) end[i] = wanted[number_of(&r.net, i, pair_bits(w), r.reg_bits)];
  w->e->lanes |= (uint64_t)wide;
  for (int i = 0; i < vectors; i++) {
    if (!is_needed(&r.net, end, i)) continue;
    const char *part[2 * FG_MAX_LANES];
    bool whole = wide == w->width && r.net.nstep == 0 && *end[i];
    for (int at = 0; at < w->width; at += wide) {
      fg_component spot = spot_of_part(w, p, run, &r, r.start, i, at);
      const char *value = fg_forward_load(w, p, &spot, wide);
      part[at / wide] = whole ? end[i] : new_name(w);
      fg_value_name(w, fg_spell_vector_type(w->e, wide), part[at / wide], value);
    }
    name[i] = join(w, part, wide, w->width, r.net.nstep == 0 ? end[i] : "");
  }
  fg_net_write(w, &r.net, name, end);
}

/* Register number i of all, so that those which differ in where in a row they start follow each other. */
static int along_rows(const rows *r, int i) {
  int reg = 0, n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < r->net.reg_bits; b++)
      if ((r->net.label[b] >= r->reg_bits) == pass) reg |= (i >> n++ & 1) << b;
  return reg;
}

static const char *part_of(fg_writer *w, const char *value, int wide, int at) {
  if (wide == w->width) return value;
  bool half = 2 * wide == w->width && halves_are_stored(w);
  return (half ? fg_value_piece : fg_value_part)(w, wide, value, at);
}

/* Parts that share a line of a cache, one behind the other. */
static void store_apart(fg_writer *w, fg_access_plan *p, const fg_run *run, const char **name) {
  bool halves = by_halves(w, p, reals_of(run));
  int reals = reals_of(run), vectors = vectors_of(w, reals), wide = row_width(w, reals) >> halves;
  rows r = plan_rows(w, p, reals, wide, true);
  const char **wanted = fg_arena_new(w->arena, const char *, vectors);
  for (int i = 0; i < vectors; i++) wanted[i] = "";
  fg_net_write(w, &r.net, name, wanted);
  w->e->lanes |= (uint64_t)wide;
  int together = reals / wide; /* parts of a row */
  for (int i = 0; i < vectors; i += together)
    for (int at = 0; at < w->width; at += wide)
      for (int j = i; j < i + together; j++) {
        int reg = along_rows(&r, j);
        fg_component spot = spot_of_part(w, p, run, &r, r.net.label, reg, at);
        fg_forward_store(w, p, &spot, wide, part_of(w, name[reg], wide, at));
      }
}

/* ---- both ---------------------------------------------------------------------------------- */

void fg_run_load(fg_writer *w, fg_access_plan *p, const fg_run *r) {
  int vectors = vectors_of(w, reals_of(r));
  const char **wanted = fg_arena_new(w->arena, const char *, vectors);
  bool any = false, backward = p->move == FG_MOVE_REVERSE && !is_mirrored(w, p, r);
  for (int i = 0; i < vectors; i++) {
    int number = w->pack ? 2 * (r->first + i) : number_in(p, r, i);
    bool needed = p->needed[number] || (w->pack && p->needed[number + 1]);
    if (needed && !p->loaded[number / p->parts]) wanted[i] = backward ? "" : fg_move_loaded_name(w, p, number);
    any = any || wanted[i];
  }
  if (any) (r->apart ? load_apart : load_end_to_end)(w, p, r, wanted);
  for (int i = 0; i < vectors && backward; i++)
    if (wanted[i]) fg_run_reversed(w, wanted[i], fg_move_loaded_name(w, p, number_in(p, r, i)));
}

void fg_run_store(fg_writer *w, fg_access_plan *p, const fg_run *r) {
  int vectors = vectors_of(w, reals_of(r));
  const char **name = fg_arena_new(w->arena, const char *, vectors);
  for (int i = 0; i < vectors; i++) name[i] = w->value[w->pack ? r->first + i : p->first + number_in(p, r, i)];
  bool backward = p->move == FG_MOVE_REVERSE && !is_mirrored(w, p, r);
  for (int i = 0; i < vectors && backward; i++) name[i] = fg_run_reversed(w, name[i], "");
  bool rows = r->apart || (fg_odd_part(reals_of(r)) == 1 && by_halves(w, p, reals_of(r)));
  (rows ? store_apart : store_end_to_end)(w, p, r, name);
}

/* The odd part costs the same in every order of lanes, and so do joins. */
int fg_run_cost(const fg_writer *w, const fg_access_plan *p, const fg_run *r, bool to_memory) {
  int reals = reals_of(r);
  bool even = fg_odd_part(reals) == 1, halves = even && to_memory && by_halves(w, p, reals);
  if (r->apart || halves)
    return plan_rows(w, p, reals, row_width(w, reals) >> halves, to_memory).net.cost * vectors_of(w, reals);
  if (!even) return 0;
  fg_net net;
  plan_line(w, p, &net, reals, w->lane_label, to_memory);
  return net.cost * vectors_of(w, reals);
}

/* In place, the next call loads what this one stores, and a load that takes of two stores waits until both have left
 * for the cache: then loads and stores have the same groups, each slot is in one, and as vectors of columns do, each
 * begins at a multiple of its size, no longer than what is stored at once. */
static bool are_alike(const fg_writer *w) { return w->e->p->problem.in_place; }

/* Parts of vectors that are loaded one by one cost more than some slots twice, where that was measured. */
static bool loads_dearly(const fg_writer *w, const fg_access_plan *p, int reals) {
  return w->e->p->vectors.one_source && !p->is_store && !are_alike(w) && reals < w->width && (w->pack || reals == 1);
}

/* Instructions, in thirds or so: shuffles, then joins and narrow moves. */
static int cost_of_rows(const fg_writer *w, const fg_access_plan *p, int reals) {
  if (loads_dearly(w, p, reals)) return 12 * w->lanes;
  if (reals == 1) return 4 * w->lanes;
  int wide = row_width(w, reals);
  return vectors_of(w, reals) * (3 * (fg_log2(wide) - pair_bits(w)) + 3 * (w->width / wide) - 1);
}

/* The cheapest groups that cover all slots, permuted ones in whole vectors; a slot may be in two of them. */
int fg_run_cover(const fg_writer *w, const fg_access_plan *p, int parts, fg_run *group) {
  bool halves = are_alike(w) && halves_are_stored(w) && !takes_one(w) && !p->b->permuted;
  int slots = p->slots, n = 0, most = halves ? w->lanes / 2 : w->lanes;
  int *cost = fg_arena_new(w->arena, int, slots + 1), *size = fg_arena_new(w->arena, int, slots + 1);
  for (int r = 1; r <= slots; r++)
    for (int g = p->b->permuted ? w->lanes : 1; g <= slots && g <= most; g *= 2) {
      if (are_alike(w) && r % g && !p->b->permuted) continue;
      int all = cost[r > g ? r - g : 0] + cost_of_rows(w, p, g * parts);
      bool larger = p->is_store || are_alike(w);
      if (!size[r] || all < cost[r] || (larger && all == cost[r])) cost[r] = all, size[r] = g;
    }
  for (int r = slots; r > 0; r -= size[r])
    group[n++] = (fg_run){.first = r > size[r] ? r - size[r] : 0, .slots = size[r], .parts = parts, .apart = true};
  return n;
}

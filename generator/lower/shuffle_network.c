/* Exchanges between lanes and registers, as networks of two-operand shuffles. In: which index bits the lanes (and
 * registers) hold, and which the lanes shall hold. Out: the fewest steps, of the cheapest shuffles, for that.
 *
 * The idea: R registers of W lanes are an array over log R + log W index bits. A shuffle of pairs of registers moves
 * one bit out of the lanes and one in, and may reorder the rest. x86 does some of these patterns cheaply (unpack,
 * shufps within 16 bytes; moves of 16-byte parts). Others need a full permutation, which is one instruction if it
 * takes numbers of two vectors in any order, and three if it takes those of one; in that case bits may leave the
 * lanes and return, which is one more step of cheap shuffles. A depth-first search over patterns finds transposes,
 * interleaving and deinterleaving alike. Transposes as bit permutations: Van Loan, Computational Frameworks for the
 * FFT (1992), section 2.2. */
#include "generator/lower/shuffle_network.h"
#include "generator/base/invariant.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include <string.h>

/* COST_READS: of a full permutation where operations that read three registers keep stores waiting. */
enum { COST_IN_PART = 2, COST_PART = 3, COST_FULL = 4, COST_READS = 6, COST_THREE = 9, FROM_PAIR = -1 };

typedef struct pattern {
  int source[FG_NET_BITS]; /* per lane bit: old lane bit, or FROM_PAIR */
  int leaving, cost;
} pattern;

typedef struct search {
  int lane_bits, reg_bits, steps;
  bool returns; /* a bit may leave the lanes and return */
  int full;     /* what a full permutation costs */
  const int *target;
  int npattern;
  pattern pattern[16];
  fg_net_step now[FG_NET_STEPS], best[FG_NET_STEPS];
  int best_cost, best_steps;
} search;

static pattern identity(int lane_bits) {
  pattern p = {0};
  for (int i = 0; i < lane_bits; i++) p.source[i] = i;
  return p;
}

static void add_pattern(search *s, pattern p, int leaving, int cost) {
  p.leaving = leaving;
  p.cost = cost;
  s->pattern[s->npattern++] = p;
}

/* Patterns that are one cheap instruction on x86. part_bits: lane bits inside
 * 16 bytes. */
static void cheap_patterns(search *s, int part_bits) {
  pattern p = identity(s->lane_bits);
  if (part_bits >= 1 && s->lane_bits >= 1) { /* unpcklo/hi: a0 b0 a1 b1 */
    int top = part_bits < s->lane_bits ? part_bits : s->lane_bits;
    p.source[0] = FROM_PAIR;
    for (int i = 1; i < top; i++) p.source[i] = i - 1;
    add_pattern(s, p, top - 1, COST_IN_PART);
  }
  if (part_bits == 2 && s->lane_bits >= 2) {
    p = identity(s->lane_bits); /* shufps: a0 a2 b0 b2 */
    p.source[0] = 1, p.source[1] = FROM_PAIR;
    add_pattern(s, p, 0, COST_IN_PART);
    p = identity(s->lane_bits); /* unpcklpd: a0 a1 b0 b1 */
    p.source[1] = FROM_PAIR;
    add_pattern(s, p, 1, COST_IN_PART);
  }
  int parts = s->lane_bits - part_bits;
  if (parts == 1 || parts == 2) { /* whole parts: A0 A1 B0 B1 */
    p = identity(s->lane_bits);
    p.source[s->lane_bits - 1] = FROM_PAIR;
    add_pattern(s, p, s->lane_bits - 1, COST_PART);
  }
  if (parts == 2) { /* A0 A2 B0 B2 */
    p = identity(s->lane_bits);
    p.source[part_bits] = part_bits + 1, p.source[part_bits + 1] = FROM_PAIR;
    add_pattern(s, p, part_bits, COST_PART);
  }
}

static int position_of(const int *label, int count, int wanted) {
  for (int i = 0; i < count; i++)
    if (label[i] == wanted) return i;
  return -1;
}

/* A full permutation that lets `leaving` go and puts all that may stay where the
 * target wants it. */
static pattern full_pattern(const search *s, const int *lane, int incoming, int leaving) {
  pattern p = {.leaving = leaving, .cost = s->full};
  bool placed[FG_NET_BITS + 1] = {false}; /* old lane bits; [lane_bits]: the incoming one */
  bool filled[FG_NET_BITS] = {false};
  for (int i = 0; i < s->lane_bits; i++) {
    int from = s->target[i] == incoming ? s->lane_bits : position_of(lane, s->lane_bits, s->target[i]);
    if (from < 0 || from == leaving) continue;
    p.source[i] = from == s->lane_bits ? FROM_PAIR : from;
    filled[i] = placed[from] = true;
  }
  for (int from = 0; from <= s->lane_bits; from++) {
    if (placed[from] || from == leaving) continue;
    int i = 0;
    while (filled[i]) i++;
    p.source[i] = from == s->lane_bits ? FROM_PAIR : from;
    filled[i] = true;
  }
  return p;
}

static void go(search *s, const int *lane, const int *reg, int depth, int cost);

static void try_pattern(search *s, const int *lane, const int *reg, int depth, int cost, int bit, const pattern *p) {
  if (!s->returns && position_of(s->target, s->lane_bits, lane[p->leaving]) >= 0) return;
  int next_lane[FG_NET_BITS], next_reg[FG_NET_BITS];
  for (int i = 0; i < s->lane_bits; i++) next_lane[i] = p->source[i] == FROM_PAIR ? reg[bit] : lane[p->source[i]];
  memcpy(next_reg, reg, sizeof next_reg);
  next_reg[bit] = lane[p->leaving];
  fg_net_step *step = &s->now[depth];
  step->reg_bit = bit;
  step->leaving = p->leaving;
  memcpy(step->source, p->source, sizeof step->source);
  go(s, next_lane, next_reg, depth + 1, cost + p->cost);
}

/* Every step brings in a bit that stays; the one that it lets go returns only where steps are left for that. */
static void go(search *s, const int *lane, const int *reg, int depth, int cost) {
  if (cost + (s->steps - depth) * COST_IN_PART >= s->best_cost) return;
  if (depth == s->steps) {
    if (memcmp(lane, s->target, sizeof *lane * (size_t)s->lane_bits)) return;
    s->best_cost = cost;
    s->best_steps = s->steps;
    memcpy(s->best, s->now, sizeof s->best);
    return;
  }
  for (int bit = 0; bit < s->reg_bits; bit++) {
    if (position_of(s->target, s->lane_bits, reg[bit]) < 0) continue;
    for (int i = 0; i < s->npattern; i++) try_pattern(s, lane, reg, depth, cost, bit, &s->pattern[i]);
    for (int leaving = 0; leaving < s->lane_bits; leaving++) {
      pattern full = full_pattern(s, lane, reg[bit], leaving);
      try_pattern(s, lane, reg, depth, cost, bit, &full);
    }
  }
}

void fg_net_plan(fg_net *net, const fg_net_size *size, const int *start, const int *target) {
  int lane_bits = size->lane_bits, reg_bits = size->reg_bits;
  fg_invariant(lane_bits <= FG_NET_BITS && reg_bits <= FG_NET_BITS);
  search s = {.lane_bits = lane_bits, .reg_bits = reg_bits, .target = target, .best_cost = 1 << 20};
  s.full = size->one_source ? COST_THREE : size->reads ? COST_READS : COST_FULL;
  for (int i = 0; i < lane_bits; i++) s.steps += position_of(start, lane_bits, target[i]) < 0;
  fg_invariant(s.steps < FG_NET_STEPS);
  cheap_patterns(&s, size->real_bytes == 4 ? 2 : 1);
  int lane[FG_NET_BITS] = {0}, reg[FG_NET_BITS] = {0};
  memcpy(lane, start, sizeof *start * (size_t)lane_bits);
  memcpy(reg, start + lane_bits, sizeof *start * (size_t)reg_bits);
  go(&s, lane, reg, 0, 0);
  s.returns = size->one_source && s.steps++ > 0;
  if (s.returns) go(&s, lane, reg, 0, 0);
  fg_invariant(s.best_cost < 1 << 20);
  *net = (fg_net){.lane_bits = lane_bits, .reg_bits = reg_bits, .nstep = s.best_steps, .cost = s.best_cost};
  memcpy(net->step, s.best, sizeof net->step);
  for (int i = 0; i < s.best_steps; i++) {
    const fg_net_step *step = &s.best[i];
    int gone = lane[step->leaving], next[FG_NET_BITS];
    for (int b = 0; b < lane_bits; b++)
      next[b] = step->source[b] == FROM_PAIR ? reg[step->reg_bit] : lane[step->source[b]];
    memcpy(lane, next, sizeof *lane * (size_t)lane_bits);
    reg[step->reg_bit] = gone;
  }
  memcpy(net->label, reg, sizeof net->label);
}

/* ---- as text ------------------------------------------------------------------------ */

/* The first step takes its lanes, or the last one gives them, the other way round. */
static void mirror(const fg_net *net, const fg_net_step *step, int *index) {
  int lanes = 1 << net->lane_bits, was[1 << FG_NET_BITS];
  memcpy(was, index, sizeof *was * (size_t)lanes);
  for (int t = 0; t < lanes; t++) {
    bool back = net->mirror == FG_MIRROR_OUT && step == &net->step[net->nstep - 1];
    index[t] = was[back ? lanes - 1 - t : t];
    if (net->mirror == FG_MIRROR_IN && step == net->step) index[t] ^= lanes - 1;
  }
}

/* The lanes that half `half` of a pair takes: numbers below W from the first, the
 * others from the second operand. */
static void lanes_of_half(const fg_net *net, const fg_net_step *step, int half, int *index) {
  int lanes = 1 << net->lane_bits;
  for (int t = 0; t < lanes; t++) {
    int from = half << step->leaving;
    for (int b = 0; b < net->lane_bits; b++) {
      if (!(t >> b & 1)) continue;
      from |= step->source[b] == FROM_PAIR ? lanes : 1 << step->source[b];
    }
    index[t] = from;
  }
  mirror(net, step, index);
}

static void write_step(fg_writer *w, const fg_net *net, const fg_net_step *step, const char **name,
                       const char *const *wanted) {
  const fg_emitter *e = w->e;
  int list[2][1 << FG_NET_BITS];
  for (int half = 0; half < 2; half++) lanes_of_half(net, step, half, list[half]);
  for (int r = 0; r < 1 << net->reg_bits; r++) {
    int bit = 1 << step->reg_bit;
    if (r & bit) continue;
    const char *a = name[r], *b = name[r | bit];
    for (int half = 0; half < 2; half++) {
      int to = half ? r | bit : r;
      if (!wanted[to]) continue;
      name[to] = *wanted[to] ? wanted[to] : fg_arena_printf(e->cx->arena, "s%d", w->nshuffle++);
      fg_value_name(w, w->type, name[to], fg_value_shuffle(w, w->width, a, b, list[half]));
    }
  }
}

void fg_net_write(fg_writer *w, const fg_net *net, const char **name, const char *const *wanted) {
  static const char any[] = "";
  const char *need[FG_NET_STEPS + 1][1 << FG_NET_BITS];
  int regs = 1 << net->reg_bits;
  memcpy(need[net->nstep], wanted, sizeof *wanted * (size_t)regs);
  for (int i = net->nstep - 1; i >= 0; i--)
    for (int r = 0; r < regs; r++) {
      int other = r ^ 1 << net->step[i].reg_bit;
      need[i][r] = need[i + 1][r] || need[i + 1][other] ? any : NULL;
    }
  for (int i = 0; i < net->nstep; i++) write_step(w, net, &net->step[i], name, need[i + 1]);
}

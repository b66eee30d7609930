/* Schedule. In: a codelet. Out: an order of its operations, with live ranges and register estimates.
 *
 * The idea: split the graph into the part near the inputs and the part near the outputs, by colouring alternately
 * from both ends until the colours meet; schedule the halves recursively, the input side first, and unconnected
 * parts one after the other. For FFTs this order is asymptotically optimal for any number of registers (Frigo, PLDI
 * 1999). It does not fix with which end it begins, nor the order of parts: some variants are tried, and the one with
 * the fewest spills is taken. */
#include "generator/codelet/schedule.h"
#include "generator/base/strbuf.h"
#include "generator/codelet/pressure.h"
#include "generator/codelet/slide.h"
#include <inttypes.h>

enum { NONE = 0, INPUT_SIDE, OUTPUT_SIDE };

/* Twiddles always hold together the two sums that they are multiplied into;
 * inputs may or may not. */
typedef struct strategy {
  bool with_inputs;
  uint8_t first_side; /* which end gets the first layer; NONE: at random */
  bool shuffle;       /* parts in random order */
} strategy;

typedef struct scheduler {
  const fg_codelet *c;
  const bool *needed;
  const strategy *how;
  uint64_t random; /* state; the same for equal codelets */
  fg_users users;
  uint32_t *part; /* the set that a node belongs to at present; sets are numbered */
  uint32_t nparts;
  uint8_t *colour;
  fg_node *stack, *rest;
  fg_node *set;   /* all that takes part */
  fg_node *order; /* the same, ordered */
  int count;
  bool *placed; /* leaves that are in the final order */
} scheduler;

static fg_node operand(const fg_dnode *x, int i) { return i == 0 ? x->a : i == 1 ? x->b : x->c; }

static bool is_arithmetic(const fg_codelet *c, fg_node v) { return fg_op_operands(c->node[v].op) > 0; }

static bool takes_register(const fg_codelet *c, fg_node v) { return c->node[v].op != FG_OP_CONST; }

static bool *needed_nodes(fg_context *cx, const fg_codelet *c) {
  bool *needed = fg_arena_new(cx->arena, bool, c->nnode ? c->nnode : 1);
  for (int i = 0; i < c->nout; i++) needed[c->out[i]] = true;
  for (fg_node v = (fg_node)c->nnode; v-- > 0;)
    for (int i = 0; needed[v] && i < fg_op_operands(c->node[v].op); i++) needed[operand(&c->node[v], i)] = true;
  return needed;
}

/* ---- bisection ---------------------------------------------------------- */

static bool operands_coloured(const scheduler *s, fg_node v, uint32_t part) {
  const fg_dnode *x = &s->c->node[v];
  for (int i = 0; i < fg_op_operands(x->op); i++) {
    fg_node o = operand(x, i);
    if (s->part[o] == part && s->colour[o] != INPUT_SIDE) return false;
  }
  return true;
}

static bool users_coloured(const scheduler *s, fg_node v, uint32_t part) {
  for (uint32_t i = s->users.first[v]; i < s->users.first[v + 1]; i++)
    if (s->part[s->users.user[i]] == part && s->colour[s->users.user[i]] != OUTPUT_SIDE) return false;
  return true;
}

static uint8_t first_side(scheduler *s) {
  if (s->how->first_side != NONE) return s->how->first_side;
  return fg_random(&s->random) & 1 ? INPUT_SIDE : OUTPUT_SIDE;
}

/* One more layer from each end in turns, until every node has a colour. */
static void colour_layers(scheduler *s, const fg_node *set, int n, uint32_t part) {
  int left = n;
  for (int i = 0; i < n; i++) s->colour[s->rest[i] = set[i]] = NONE;
  for (uint8_t side = first_side(s); left > 0; side = INPUT_SIDE + OUTPUT_SIDE - side) {
    int found = 0, kept = 0;
    for (int i = 0; i < left; i++) {
      fg_node v = s->rest[i];
      bool next = side == INPUT_SIDE ? operands_coloured(s, v, part) : users_coloured(s, v, part);
      *(next ? &s->stack[found++] : &s->rest[kept++]) = v;
    }
    for (int i = 0; i < found; i++) s->colour[s->stack[i]] = side; /* the layer at once */
    left = kept;
  }
}

/* Nodes connected with set[first], moved to the front; returns how many.
 * All of them get the set number `fresh`. */
static int take_component(scheduler *s, fg_node *set, int n, uint32_t part, uint32_t fresh) {
  int top = 0;
  s->stack[top++] = set[0];
  s->part[set[0]] = fresh;
  while (top) {
    fg_node v = s->stack[--top];
    const fg_dnode *x = &s->c->node[v];
    for (int i = 0; i < fg_op_operands(x->op); i++)
      if (s->part[operand(x, i)] == part) s->part[s->stack[top++] = operand(x, i)] = fresh;
    for (uint32_t i = s->users.first[v]; i < s->users.first[v + 1]; i++)
      if (s->part[s->users.user[i]] == part) s->part[s->stack[top++] = s->users.user[i]] = fresh;
  }
  int taken = 0;
  for (int i = 0; i < n; i++)
    if (s->part[set[i]] == fresh) taken++;
  return taken;
}

/* Stable: those with colour or set number first. */
static void divide(scheduler *s, fg_node *set, int n, uint32_t part) {
  int at = 0, rest = 0;
  for (int i = 0; i < n; i++)
    if (s->part[set[i]] == part)
      set[at++] = set[i];
    else
      s->stack[rest++] = set[i];
  for (int i = 0; i < rest; i++) set[at + i] = s->stack[i];
}

static void schedule_set(scheduler *s, fg_node *set, int n, uint32_t part);

/* The part of a set that is connected: bisected. */
static void schedule_component(scheduler *s, fg_node *set, int n, uint32_t part) {
  if (n <= 1) {
    if (n) s->order[s->count++] = set[0];
    return;
  }
  colour_layers(s, set, n, part);
  uint32_t early = s->nparts++, late = s->nparts++;
  int nearly = 0;
  for (int i = 0; i < n; i++) {
    bool first = s->colour[set[i]] == INPUT_SIDE;
    s->part[set[i]] = first ? early : late;
    nearly += first;
  }
  divide(s, set, n, early);
  schedule_set(s, set, nearly, early);
  schedule_set(s, set + nearly, n - nearly, late);
}

/* A random node's part is scheduled first. */
static void bring_forward(scheduler *s, fg_node *set, int n) {
  int at = (int)(fg_random(&s->random) % (uint64_t)n);
  fg_node first = set[0];
  set[0] = set[at];
  set[at] = first;
}

static void schedule_set(scheduler *s, fg_node *set, int n, uint32_t part) {
  while (n > 0) {
    uint32_t fresh = s->nparts++;
    if (s->how->shuffle) bring_forward(s, set, n);
    int taken = take_component(s, set, n, part, fresh);
    divide(s, set, n, fresh);
    schedule_component(s, set, taken, fresh);
    set += taken;
    n -= taken;
  }
}

/* ---- the best of some --------------------------------------------------- */

static const strategy ORDERLY[] = {
    {false, INPUT_SIDE, false},
    {false, OUTPUT_SIDE, false},
    {true, INPUT_SIDE, false},
    {true, OUTPUT_SIDE, false},
};
static const strategy RANDOM[] = {{false, NONE, true}, {true, NONE, true}}; /* where those spill */
enum {
  ORDERLY_COUNT = sizeof ORDERLY / sizeof *ORDERLY,
  EFFORT = 12000,     /* nodes scheduled in all tries: some milliseconds */
  EFFORT_FAST = 1200, /* the same with little effort, of the orderly ones */
  MAX_TRIES = 64,
};
static const uint64_t SEED = 0x7363686564756c65;

static bool takes_part(const scheduler *s, fg_node v) {
  if (!s->needed[v]) return false;
  fg_op op = s->c->node[v].op;
  return is_arithmetic(s->c, v) || op == FG_OP_TW || (s->how->with_inputs && op == FG_OP_IN);
}

/* Arithmetic in the order found, each input and twiddle right before its first user. */
static void place_leaves(scheduler *s, fg_schedule *out) {
  const fg_codelet *c = s->c;
  out->count = 0;
  for (int v = 0; v < c->nnode; v++) s->placed[v] = false;
  for (int i = 0; i < s->count; i++) {
    const fg_dnode *x = &c->node[s->order[i]];
    if (!is_arithmetic(c, s->order[i])) continue;
    for (int k = 0; k < fg_op_operands(x->op); k++) {
      fg_node o = operand(x, k);
      if (s->placed[o] || is_arithmetic(c, o) || !takes_register(c, o)) continue;
      s->placed[o] = true;
      out->order[out->count++] = o;
    }
    out->order[out->count++] = s->order[i];
  }
  for (fg_node v = 0; v < (fg_node)c->nnode; v++) /* inputs that are outputs as they are */
    if (s->needed[v] && !s->placed[v] && !is_arithmetic(c, v) && takes_register(c, v)) out->order[out->count++] = v;
}

static void try_strategy(scheduler *s, const strategy *how, fg_schedule *out) {
  int count = 0;
  s->how = how;
  s->count = 0;
  s->nparts = 2; /* set 0: takes no part; set 1: all that does */
  for (fg_node v = 0; v < (fg_node)s->c->nnode; v++) {
    s->part[v] = takes_part(s, v);
    if (s->part[v]) s->set[count++] = v;
  }
  schedule_set(s, s->set, count, 1);
  place_leaves(s, out);
}

static bool better(const fg_schedule *a, const fg_schedule *b) {
  int x = a->spills16 + a->spills32, y = b->spills16 + b->spills32;
  return x != y ? x < y : a->peak < b->peak;
}

/* As few spills as this many values alive at once can have. */
static bool ideal(const fg_schedule *s) {
  return s->spills16 <= (s->peak > 16 ? s->peak - 16 : 0) && s->spills32 <= (s->peak > 32 ? s->peak - 32 : 0);
}

static void prepare(fg_context *cx, scheduler *s, const fg_codelet *c) {
  size_t n = (size_t)c->nnode + 1;
  *s = (scheduler){.c = c, .needed = needed_nodes(cx, c), .random = SEED};
  s->users = fg_slide_users_create(cx, c, s->needed);
  s->part = fg_arena_new(cx->arena, uint32_t, n);
  s->colour = fg_arena_new(cx->arena, uint8_t, n);
  s->stack = fg_arena_new(cx->arena, fg_node, n);
  s->rest = fg_arena_new(cx->arena, fg_node, n);
  s->set = fg_arena_new(cx->arena, fg_node, n);
  s->order = fg_arena_new(cx->arena, fg_node, n);
  s->placed = fg_arena_new(cx->arena, bool, n);
}

static fg_schedule *empty_schedule(fg_context *cx, const fg_codelet *c) {
  fg_schedule *s = fg_arena_new(cx->arena, fg_schedule, 1);
  s->order = fg_arena_new(cx->arena, fg_node, c->nnode + 1);
  s->last_use = fg_arena_new(cx->arena, int, c->nnode + 1);
  return s;
}

/* Orders that are tried while none is ideal. */
static int most_tries(const fg_context *cx, const fg_codelet *c) {
  int tries = (cx->effort_fast ? EFFORT_FAST : EFFORT) / (c->nnode + 1),
      most = cx->effort_fast ? ORDERLY_COUNT : MAX_TRIES;
  return tries < most ? tries : most;
}

fg_schedule *fg_schedule_create(fg_context *cx, const fg_codelet *c) {
  scheduler s;
  prepare(cx, &s, c);
  fg_pressure *pressure = fg_pressure_create(cx, c);
  fg_slide *slide = fg_slide_create(cx, c, s.users);
  fg_schedule *best = empty_schedule(cx, c), *next = empty_schedule(cx, c);
  int most = most_tries(cx, c), least = cx->effort_fast ? 1 : ORDERLY_COUNT;
  for (int i = 0; i < least || (i < most && !ideal(best)); i++) {
    try_strategy(&s, i < ORDERLY_COUNT ? &ORDERLY[i] : &RANDOM[i % 2], next);
    fg_slide_order(slide, next);
    fg_pressure_measure(pressure, next);
    if (i > 0 && !better(next, best)) continue;
    fg_schedule *worse = best;
    best = next;
    next = worse;
  }
  return best;
}

char *fg_schedule_print(fg_context *cx, const fg_codelet *c, const fg_schedule *s) {
  fg_strbuf text = fg_strbuf_new(cx->arena);
  fg_strbuf_addf(&text, "schedule values=%d peak=%d spills16=%d spills32=%d\n", s->count, s->peak, s->spills16,
                 s->spills32);
  for (int i = 0; i < s->count; i++)
    fg_strbuf_addf(&text, "%4d v%" PRIu32 " %s last=%d\n", i, s->order[i], fg_op_name(c->node[s->order[i]].op),
                   s->last_use[s->order[i]]);
  return text.text;
}

/* Schedule. In: a codelet. Out: an order of its operations, with live ranges and
 * register estimates.
 *
 * The idea: split the graph in two, what is near the inputs and what is near the
 * outputs, colouring from both ends in turns until the colours meet; schedule
 * the halves recursively, the input side first, and parts that do not touch one
 * after the other. For FFTs this order is asymptotically optimal whatever the
 * number of registers (Frigo, PLDI 1999). A few variants are tried; the one with
 * the fewest spills is taken. */
#include "generator/schedule.h"
#include "generator/strbuf.h"
#include <inttypes.h>

typedef struct scheduler {
  const fg_codelet *c;
  uint32_t *first_user, *user; /* users of node v: user[first_user[v] .. first_user[v + 1]) */
  uint32_t *part;              /* the set that a node belongs to at present; sets are numbered */
  uint32_t nparts;
  uint8_t *colour;
  uint8_t first_side; /* which end gets the first layer */
  fg_node *stack;
  fg_node *order; /* what takes part in the sets */
  int count;
} scheduler;

enum { NONE = 0, INPUT_SIDE, OUTPUT_SIDE };

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
  for (uint32_t i = s->first_user[v]; i < s->first_user[v + 1]; i++)
    if (s->part[s->user[i]] == part && s->colour[s->user[i]] != OUTPUT_SIDE) return false;
  return true;
}

/* One more layer from each end in turns, until every node has a colour. */
static void colour_layers(const scheduler *s, const fg_node *set, int n, uint32_t part) {
  int left = n;
  for (int i = 0; i < n; i++) s->colour[set[i]] = NONE;
  for (uint8_t side = s->first_side; left > 0; side = INPUT_SIDE + OUTPUT_SIDE - side) {
    int found = 0;
    for (int i = 0; i < n; i++) {
      fg_node v = set[i];
      if (s->colour[v] != NONE) continue;
      if (side == INPUT_SIDE ? operands_coloured(s, v, part) : users_coloured(s, v, part)) s->stack[found++] = v;
    }
    for (int i = 0; i < found; i++) s->colour[s->stack[i]] = side; /* the layer at once */
    left -= found;
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
    for (uint32_t i = s->first_user[v]; i < s->first_user[v + 1]; i++)
      if (s->part[s->user[i]] == part) s->part[s->stack[top++] = s->user[i]] = fresh;
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

static void schedule_set(scheduler *s, fg_node *set, int n, uint32_t part) {
  while (n > 0) {
    uint32_t fresh = s->nparts++;
    int taken = take_component(s, set, n, part, fresh);
    divide(s, set, n, fresh);
    schedule_component(s, set, taken, fresh);
    set += taken;
    n -= taken;
  }
}

static void list_users(fg_context *cx, scheduler *s, const bool *needed) {
  const fg_codelet *c = s->c;
  s->first_user = fg_arena_new(cx->arena, uint32_t, c->nnode + 2);
  for (int v = 0; v < c->nnode; v++)
    for (int i = 0; needed[v] && i < fg_op_operands(c->node[v].op); i++) s->first_user[operand(&c->node[v], i) + 2]++;
  for (int v = 0; v < c->nnode; v++) s->first_user[v + 2] += s->first_user[v + 1];
  s->user = fg_arena_new(cx->arena, uint32_t, s->first_user[c->nnode + 1] + 1);
  for (int v = 0; v < c->nnode; v++) /* first_user[o + 1] runs from o's beginning to its end */
    for (int i = 0; needed[v] && i < fg_op_operands(c->node[v].op); i++)
      s->user[s->first_user[operand(&c->node[v], i) + 1]++] = (uint32_t)v;
}

/* ---- live ranges and registers ------------------------------------------ */

/* Arithmetic in the order found, each input and twiddle right before its first user. */
static void place_leaves(fg_context *cx, const scheduler *s, const bool *needed, fg_schedule *out) {
  const fg_codelet *c = s->c;
  bool *placed = fg_arena_new(cx->arena, bool, c->nnode ? c->nnode : 1);
  for (int i = 0; i < s->count; i++) {
    const fg_dnode *x = &c->node[s->order[i]];
    if (!is_arithmetic(c, s->order[i])) continue;
    for (int k = 0; k < fg_op_operands(x->op); k++) {
      fg_node o = operand(x, k);
      if (placed[o] || is_arithmetic(c, o) || !takes_register(c, o)) continue;
      placed[o] = true;
      out->order[out->count++] = o;
    }
    out->order[out->count++] = s->order[i];
  }
  for (fg_node v = 0; v < (fg_node)c->nnode; v++) /* inputs that are outputs as they are */
    if (needed[v] && !placed[v] && !is_arithmetic(c, v) && takes_register(c, v)) out->order[out->count++] = v;
}

/* last_use, and the largest number of values alive at once; an output that is
 * used no more leaves at once. */
static void live_ranges(fg_context *cx, const fg_codelet *c, fg_schedule *out) {
  for (int v = 0; v < c->nnode; v++) out->last_use[v] = -1;
  for (int i = 0; i < out->count; i++) {
    const fg_dnode *x = &c->node[out->order[i]];
    for (int k = 0; k < fg_op_operands(x->op); k++) out->last_use[operand(x, k)] = i;
  }
  int *ends = fg_arena_new(cx->arena, int, out->count + 1), alive = 0;
  for (int i = 0; i < out->count; i++)
    if (out->last_use[out->order[i]] >= 0) ends[out->last_use[out->order[i]]]++;
  for (int i = 0; i < out->count; i++) {
    alive -= ends[i]; /* the result may take an operand's register */
    int now = alive + 1;
    if (now > out->peak) out->peak = now;
    if (out->last_use[out->order[i]] >= 0) alive++;
  }
}

typedef struct registers {
  const fg_codelet *c;
  const fg_schedule *s;
  int count, used;
  fg_node *held;     /* values in registers */
  bool *stored;      /* has a copy in memory: inputs, twiddles, what was spilled */
  int **uses, *next; /* positions of uses, ended by INT32_MAX; the next one */
  int spills;
} registers;

static int next_use(const registers *r, fg_node v) { return r->uses[v][r->next[v]]; }

/* Removes what is needed last, if no register is left (Belady 1966). */
static void make_room(registers *r) {
  if (r->used < r->count) return;
  int worst = 0;
  for (int i = 1; i < r->used; i++)
    if (next_use(r, r->held[i]) > next_use(r, r->held[worst])) worst = i;
  fg_node v = r->held[worst];
  if (!r->stored[v] && next_use(r, v) != INT32_MAX) {
    r->stored[v] = true;
    r->spills++;
  }
  r->held[worst] = r->held[--r->used];
}

static void load(registers *r, fg_node v) {
  for (int i = 0; i < r->used; i++)
    if (r->held[i] == v) return;
  make_room(r);
  r->held[r->used++] = v;
}

static void drop_dead(registers *r) {
  int kept = 0;
  for (int i = 0; i < r->used; i++)
    if (next_use(r, r->held[i]) != INT32_MAX) r->held[kept++] = r->held[i];
  r->used = kept;
}

static void list_uses(fg_context *cx, registers *r) {
  const fg_codelet *c = r->c;
  int *count = fg_arena_new(cx->arena, int, c->nnode + 1);
  for (int i = 0; i < r->s->count; i++)
    for (int k = 0; k < fg_op_operands(c->node[r->s->order[i]].op); k++) count[operand(&c->node[r->s->order[i]], k)]++;
  r->uses = fg_arena_new(cx->arena, int *, c->nnode + 1);
  for (int v = 0; v < c->nnode; v++) {
    r->uses[v] = fg_arena_new(cx->arena, int, count[v] + 1);
    r->uses[v][count[v]] = INT32_MAX;
    count[v] = 0;
  }
  for (int i = 0; i < r->s->count; i++)
    for (int k = 0; k < fg_op_operands(c->node[r->s->order[i]].op); k++) {
      fg_node o = operand(&c->node[r->s->order[i]], k);
      r->uses[o][count[o]++] = i;
    }
}

/* Values stored because `count` registers did not hold them all; loads from
 * where a value came from, and constants as memory operands, cost none. */
static int spills(fg_context *cx, const fg_codelet *c, const fg_schedule *s, int count) {
  registers r = {.c = c, .s = s, .count = count, .held = fg_arena_new(cx->arena, fg_node, count + 1)};
  r.stored = fg_arena_new(cx->arena, bool, c->nnode + 1);
  r.next = fg_arena_new(cx->arena, int, c->nnode + 1);
  list_uses(cx, &r);
  for (int i = 0; i < s->count; i++) {
    fg_node v = s->order[i];
    const fg_dnode *x = &c->node[v];
    r.stored[v] = !fg_op_operands(x->op);
    for (int k = 0; k < fg_op_operands(x->op); k++)
      if (takes_register(c, operand(x, k))) load(&r, operand(x, k));
    for (int k = 0; k < fg_op_operands(x->op); k++) r.next[operand(x, k)]++;
    drop_dead(&r);
    load(&r, v);
    drop_dead(&r);
  }
  return r.spills;
}

/* ---- the best of a few -------------------------------------------------- */

/* Twiddles always hold together the two sums that they are multiplied into;
 * inputs may or may not: a second load is cheaper than a long life. */
static const struct strategy {
  bool with_inputs;
  uint8_t first_side;
} STRATEGIES[] = {{false, INPUT_SIDE}, {false, OUTPUT_SIDE}, {true, INPUT_SIDE}, {true, OUTPUT_SIDE}};
enum { STRATEGY_COUNT = sizeof STRATEGIES / sizeof *STRATEGIES };

static bool takes_part(const fg_codelet *c, fg_node v, const struct strategy *how) {
  return is_arithmetic(c, v) || c->node[v].op == FG_OP_TW || (how->with_inputs && c->node[v].op == FG_OP_IN);
}

static fg_schedule *try_strategy(fg_context *cx, const fg_codelet *c, const bool *needed, const struct strategy *how) {
  scheduler s = {.c = c, .nparts = 2, .first_side = how->first_side}; /* set 0: not scheduled; set 1: all */
  list_users(cx, &s, needed);
  size_t n = (size_t)c->nnode + 1;
  s.part = fg_arena_new(cx->arena, uint32_t, n);
  s.colour = fg_arena_new(cx->arena, uint8_t, n);
  s.stack = fg_arena_new(cx->arena, fg_node, n);
  s.order = fg_arena_new(cx->arena, fg_node, n);
  fg_node *set = fg_arena_new(cx->arena, fg_node, n);
  int count = 0;
  for (fg_node v = 0; v < (fg_node)c->nnode; v++)
    if (needed[v] && takes_part(c, v, how)) {
      set[count++] = v;
      s.part[v] = 1;
    }
  schedule_set(&s, set, count, 1);

  fg_schedule *out = fg_arena_new(cx->arena, fg_schedule, 1);
  out->order = fg_arena_new(cx->arena, fg_node, n);
  out->last_use = fg_arena_new(cx->arena, int, n);
  place_leaves(cx, &s, needed, out);
  live_ranges(cx, c, out);
  out->spills16 = spills(cx, c, out, 16);
  out->spills32 = spills(cx, c, out, 32);
  return out;
}

static bool better(const fg_schedule *a, const fg_schedule *b) {
  int x = a->spills16 + a->spills32, y = b->spills16 + b->spills32;
  return x != y ? x < y : a->peak < b->peak;
}

fg_schedule *fg_schedule_create(fg_context *cx, const fg_codelet *c) {
  const bool *needed = needed_nodes(cx, c);
  fg_schedule *best = NULL;
  for (int i = 0; i < STRATEGY_COUNT; i++) {
    fg_schedule *s = try_strategy(cx, c, needed, &STRATEGIES[i]);
    if (!best || better(s, best)) best = s;
  }
  return best;
}

char *fg_schedule_print(fg_context *cx, const fg_codelet *c, const fg_schedule *s) {
  fg_strbuf text;
  fg_strbuf_init(&text, cx->arena);
  fg_strbuf_addf(&text, "schedule values=%d peak=%d spills16=%d spills32=%d\n", s->count, s->peak, s->spills16,
                 s->spills32);
  for (int i = 0; i < s->count; i++)
    fg_strbuf_addf(&text, "%4d v%" PRIu32 " %s last=%d\n", i, s->order[i], fg_op_name(c->node[s->order[i]].op),
                   s->last_use[s->order[i]]);
  return text.text;
}

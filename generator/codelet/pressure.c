/* Register pressure. In: an order of a codelet's operations. Out: the last use of each value, the number of values
 * that are live at once, and the number of spills.
 *
 * The idea: the order is simulated with 16 and with 32 registers. If one is needed and none is free, the value whose
 * next use is furthest away is spilled (Belady 1966). Constants count as memory operands. A spilled input is stored
 * like any other value, because compilers merge two loads of it into one. */
#include "generator/codelet/pressure.h"
#include <string.h>

enum { MAX_REGISTERS = 32, MAX_OPERANDS = 3, NEVER = INT32_MAX };

struct fg_pressure {
  const fg_codelet *c;
  int *following; /* [MAX_OPERANDS * position + k]: the next use of operand k after that position */
  int *first;     /* per node: its first use */
  int *next;      /* per node: its next use at this point of the walk */
  int *ends;      /* per position: values used last there */
  bool *stored;   /* per node: has a copy in memory */
  bool *is_held;  /* per node: is in held */
  int registers, used, spills;
  fg_node held[MAX_REGISTERS];
};

static fg_node operand(const fg_dnode *x, int i) { return i == 0 ? x->a : i == 1 ? x->b : x->c; }

fg_pressure *fg_pressure_create(fg_context *cx, const fg_codelet *c) {
  fg_pressure *p = fg_arena_new(cx->arena, fg_pressure, 1);
  size_t n = (size_t)c->nnode + 1;
  p->c = c;
  p->following = fg_arena_new(cx->arena, int, n *MAX_OPERANDS);
  p->first = fg_arena_new(cx->arena, int, n);
  p->next = fg_arena_new(cx->arena, int, n);
  p->ends = fg_arena_new(cx->arena, int, n);
  p->stored = fg_arena_new(cx->arena, bool, n);
  p->is_held = fg_arena_new(cx->arena, bool, n);
  return p;
}

/* ---- live ranges -------------------------------------------------------- */

static void find_uses(fg_pressure *p, fg_schedule *s) {
  for (int v = 0; v < p->c->nnode; v++) {
    p->first[v] = NEVER;
    s->last_use[v] = -1;
  }
  for (int i = s->count; i-- > 0;) {
    const fg_dnode *x = &p->c->node[s->order[i]];
    int n = fg_op_operands(x->op);
    for (int k = 0; k < n; k++) p->following[MAX_OPERANDS * i + k] = p->first[operand(x, k)];
    for (int k = 0; k < n; k++) {
      p->first[operand(x, k)] = i;
      if (s->last_use[operand(x, k)] < 0) s->last_use[operand(x, k)] = i;
    }
  }
}

/* A result may take the register of an operand that ends; an output that is used
 * no more leaves at once. */
static int most_alive(fg_pressure *p, const fg_schedule *s) {
  int alive = 0, peak = 0;
  memset(p->ends, 0, sizeof *p->ends * (size_t)p->c->nnode);
  for (int i = 0; i < s->count; i++)
    if (s->last_use[s->order[i]] >= 0) p->ends[s->last_use[s->order[i]]]++;
  for (int i = 0; i < s->count; i++) {
    alive -= p->ends[i];
    if (alive + 1 > peak) peak = alive + 1;
    if (s->last_use[s->order[i]] >= 0) alive++;
  }
  return peak;
}

/* ---- registers ---------------------------------------------------------- */

static void make_room(fg_pressure *p) {
  if (p->used < p->registers) return;
  int worst = 0;
  for (int i = 1; i < p->used; i++)
    if (p->next[p->held[i]] > p->next[p->held[worst]]) worst = i;
  fg_node v = p->held[worst];
  if (!p->stored[v]) {
    p->stored[v] = true;
    p->spills++;
  }
  p->is_held[v] = false;
  p->held[worst] = p->held[--p->used];
}

static void hold(fg_pressure *p, fg_node v) {
  if (p->is_held[v] || p->c->node[v].op == FG_OP_CONST) return;
  make_room(p);
  p->is_held[v] = true;
  p->held[p->used++] = v;
}

static void drop_dead(fg_pressure *p) {
  int kept = 0;
  for (int i = 0; i < p->used; i++) {
    fg_node v = p->held[i];
    p->is_held[v] = p->next[v] != NEVER;
    if (p->is_held[v]) p->held[kept++] = v;
  }
  p->used = kept;
}

static int spills(fg_pressure *p, const fg_schedule *s, int registers) {
  p->registers = registers;
  p->used = p->spills = 0;
  memset(p->is_held, 0, sizeof *p->is_held * (size_t)p->c->nnode);
  memcpy(p->next, p->first, sizeof *p->next * (size_t)p->c->nnode);
  for (int i = 0; i < s->count; i++) {
    fg_node v = s->order[i];
    const fg_dnode *x = &p->c->node[v];
    int n = fg_op_operands(x->op);
    p->stored[v] = false;
    for (int k = 0; k < n; k++) hold(p, operand(x, k));
    bool dead = false;
    for (int k = 0; k < n; k++) dead |= (p->next[operand(x, k)] = p->following[MAX_OPERANDS * i + k]) == NEVER;
    if (dead) drop_dead(p);
    if (p->next[v] != NEVER) hold(p, v);
  }
  return p->spills;
}

void fg_pressure_measure(fg_pressure *p, fg_schedule *s) {
  find_uses(p, s);
  s->peak = most_alive(p, s);
  s->spills16 = spills(p, s, 16);
  s->spills32 = s->peak <= 32 ? 0 : spills(p, s, 32);
}

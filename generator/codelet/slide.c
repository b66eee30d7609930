/* Slide. In: an order of a codelet's operations. Out: one with lower register pressure.
 *
 * Two passes. Backward: an operation whose operands are live anyway moves to right before its first user, so that
 * its result is live for a short time; so do loads. Forward: an operation that ends the lives of two values moves up
 * as far as possible. The order is a list with labels that tell which of two nodes is earlier (Dietz and Sleator
 * 1987, the simple form). */
#include "generator/codelet/slide.h"
#include <string.h>

static const int64_t GAP = (int64_t)1 << 40; /* between neighbours' numbers */

struct fg_slide {
  const fg_codelet *c;
  fg_users users;
  uint32_t head, tail; /* ends of the list */
  uint32_t *prev, *next;
  int64_t *number;
  bool *placed;
};

static fg_node operand(const fg_dnode *x, int i) { return i == 0 ? x->a : i == 1 ? x->b : x->c; }

static bool is_leaf(const fg_slide *l, fg_node v) { return v < l->head && fg_op_operands(l->c->node[v].op) == 0; }

fg_users fg_slide_users_create(fg_context *cx, const fg_codelet *c, const bool *needed) {
  fg_users u;
  u.first = fg_arena_new(cx->arena, uint32_t, c->nnode + 2);
  for (int v = 0; v < c->nnode; v++)
    for (int i = 0; needed[v] && i < fg_op_operands(c->node[v].op); i++) u.first[operand(&c->node[v], i) + 2]++;
  for (int v = 0; v < c->nnode; v++) u.first[v + 2] += u.first[v + 1];
  u.user = fg_arena_new(cx->arena, fg_node, u.first[c->nnode + 1] + 1);
  for (int v = 0; v < c->nnode; v++) /* first[o + 1] runs from o's beginning to its end */
    for (int i = 0; needed[v] && i < fg_op_operands(c->node[v].op); i++)
      u.user[u.first[operand(&c->node[v], i) + 1]++] = (fg_node)v;
  return u;
}

fg_slide *fg_slide_create(fg_context *cx, const fg_codelet *c, fg_users users) {
  fg_slide *l = fg_arena_new(cx->arena, fg_slide, 1);
  size_t n = (size_t)c->nnode + 2;
  *l = (fg_slide){.c = c, .users = users, .head = (uint32_t)c->nnode, .tail = (uint32_t)c->nnode + 1};
  l->prev = fg_arena_new(cx->arena, uint32_t, n);
  l->next = fg_arena_new(cx->arena, uint32_t, n);
  l->number = fg_arena_new(cx->arena, int64_t, n);
  l->placed = fg_arena_new(cx->arena, bool, n);
  return l;
}

/* ---- the list ----------------------------------------------------------- */

static void clear(fg_slide *l) {
  memset(l->placed, 0, sizeof *l->placed * l->head);
  l->next[l->head] = l->tail;
  l->prev[l->tail] = l->head;
  l->number[l->head] = INT64_MIN / 2;
  l->number[l->tail] = INT64_MAX / 2;
}

static void renumber(fg_slide *l) {
  int64_t number = 0;
  for (uint32_t v = l->next[l->head]; v != l->tail; v = l->next[v]) l->number[v] = number += GAP;
}

static void insert_before(fg_slide *l, fg_node v, uint32_t at) {
  uint32_t before = l->prev[at];
  if (before != l->head && at != l->tail && l->number[at] - l->number[before] < 2) renumber(l);
  int64_t low = l->number[before], high = l->number[at];
  if (before == l->head)
    l->number[v] = at == l->tail ? 0 : high - GAP;
  else
    l->number[v] = at == l->tail ? low + GAP : low + (high - low) / 2;
  l->prev[v] = before;
  l->next[v] = at;
  l->next[before] = l->prev[at] = v;
  l->placed[v] = true;
}

static void write_order(const fg_slide *l, fg_schedule *s) {
  int count = 0;
  for (uint32_t v = l->next[l->head]; v != l->tail; v = l->next[v]) s->order[count++] = v;
}

/* ---- the passes --------------------------------------------------------- */

/* The first of v's users in the list; the tail when there is none. */
static uint32_t first_user(const fg_slide *l, fg_node v) {
  uint32_t first = l->tail;
  for (uint32_t i = l->users.first[v]; i < l->users.first[v + 1]; i++) {
    fg_node u = l->users.user[i];
    if (l->placed[u] && l->number[u] < l->number[first]) first = u;
  }
  return first;
}

/* The last of v's users in the list, not counting `but`; the head when there is none. */
static uint32_t last_user(const fg_slide *l, fg_node v, fg_node but) {
  uint32_t last = l->head;
  for (uint32_t i = l->users.first[v]; i < l->users.first[v + 1]; i++) {
    fg_node u = l->users.user[i];
    if (u != but && l->placed[u] && l->number[u] > l->number[last]) last = u;
  }
  return last;
}

static bool only_user(const fg_slide *l, fg_node v) { return l->users.first[v + 1] - l->users.first[v] == 1; }

/* Would an operand of v live longer if v waited for node `until`? A load that
 * only v uses would wait with it. */
static bool lengthens(const fg_slide *l, fg_node v, uint32_t until) {
  const fg_dnode *x = &l->c->node[v];
  for (int i = 0; i < fg_op_operands(x->op); i++) {
    fg_node o = operand(x, i);
    if (l->c->node[o].op == FG_OP_CONST || (is_leaf(l, o) && only_user(l, o))) continue;
    uint32_t last = last_user(l, o, v);
    if (last == l->head || l->number[last] < l->number[until]) return true;
  }
  return false;
}

static void backward(fg_slide *l, fg_schedule *s) {
  clear(l);
  for (int i = s->count; i-- > 0;) {
    fg_node v = s->order[i];
    uint32_t at = first_user(l, v);
    if (at == l->tail || lengthens(l, v, at))
      at = l->next[l->head]; /* stays */
    else
      while (is_leaf(l, l->prev[at])) at = l->prev[at]; /* loads stay with their user */
    insert_before(l, v, at);
  }
  write_order(l, s);
}

/* How many operands v ends, v being last of all their users. *after: the node
 * behind which v can do so. */
static int ended_operands(const fg_slide *l, fg_node v, uint32_t *after) {
  const fg_dnode *x = &l->c->node[v];
  int ended = 0;
  *after = l->head;
  for (int i = 0; i < fg_op_operands(x->op); i++) {
    fg_node o = operand(x, i);
    if (l->c->node[o].op == FG_OP_CONST) continue;
    if (l->number[o] > l->number[*after]) *after = o;
    bool last = true;
    for (uint32_t k = l->users.first[o]; k < l->users.first[o + 1]; k++)
      last = last && (l->users.user[k] == v || l->placed[l->users.user[k]]);
    if (!last) continue;
    ended++;
    uint32_t other = last_user(l, o, v);
    if (l->number[other] > l->number[*after]) *after = other;
  }
  return ended;
}

static void forward(fg_slide *l, fg_schedule *s) {
  clear(l);
  for (int i = 0; i < s->count; i++) {
    uint32_t after;
    bool moves = ended_operands(l, s->order[i], &after) >= 2 && after != l->head;
    insert_before(l, s->order[i], moves ? l->next[after] : l->tail);
  }
  write_order(l, s);
}

void fg_slide_order(fg_slide *l, fg_schedule *s) {
  backward(l, s);
  forward(l, s);
}

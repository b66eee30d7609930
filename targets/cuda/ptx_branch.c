/* Branches and loops. A branch that only stores becomes a predicate of its stores; a loop is unrolled or kept. */
#include "targets/cuda/ptx_arithmetic.h"
#include "targets/cuda/ptx_frame.h"
#include "targets/cuda/ptx_names.h"
#include "targets/cuda/ptx_token.h"
#include "targets/cuda/ptx_value.h"

enum {
  SHORT = 280, /* statements of all iterations of a loop that is unrolled without being asked: about NVRTC's limit */
  MOST_TURNS = 256,
  MOST_TOGETHER = 5, /* iterations of a loop that stays whose loads are issued together */
};

/* Stores alone: they need no branch. */
static bool only_stores(const fg_ptx *g, int open, int end) {
  for (int at = open + 1; at < end - 1; at++)
    if (fg_ptx_is(g, at, ";") || at == open + 1) {
      int first = at == open + 1 ? at : at + 1;
      if (first == end - 1) return true;
      if (!fg_ptx_is(g, first, "*") && !fg_ptx_is(g, first + 1, "[")) return false;
    }
  return true;
}

static void store_where(fg_ptx *g, fg_ptx_value condition) {
  int outer = g->guard;
  if (outer >= 0) condition = fg_ptx_both(g, (fg_ptx_value){.type = PTX_TRUTH, .reg = outer}, condition);
  g->guard = condition.reg;
  fg_ptx_walk_block(g);
  g->guard = outer;
}

static void remember(fg_ptx *g, fg_ptx_memo m) {
  g->memo = fg_ptx_grow(g, g->memo, g->nmemo, &g->room_memo, sizeof *g->memo);
  g->memo[g->nmemo++] = m;
}

static void park(fg_ptx *g, fg_ptx_memo m, int condition) {
  g->parked = fg_ptx_grow(g, g->parked, g->nparked, &g->room_parked, sizeof *g->parked);
  g->parked[g->nparked++] = (fg_ptx_parked){condition, m};
}

/* What was computed under a condition is there where it holds again. */
static void branch(fg_ptx *g, fg_ptx_value condition) {
  fg_ptx_scope s = fg_ptx_open_scope(g);
  int label = g->labels++;
  for (int i = 0; i < s.parked; i++)
    if (g->parked[i].condition == condition.reg) remember(g, g->parked[i].memo);
  int first = g->nmemo;
  fg_ptx_write(g, "@!p%d bra L%d;", condition.reg, label);
  fg_ptx_enter(g);
  fg_ptx_walk_block(g);
  fg_ptx_put_label(g, label);
  int last = g->nmemo;
  fg_ptx_close_conditional(g, s);
  for (int i = first; i < last; i++) park(g, g->memo[i], condition.reg);
}

/* if (...) return; the rest of the function is a block. */
static void leave_where(fg_ptx *g, fg_ptx_value condition) {
  g->at++;
  fg_ptx_need(g, ";");
  if (g->leave < 0) fg_ptx_refuse(g, "an early return");
  fg_ptx_write(g, "@p%d bra L%d;", condition.reg, g->leave);
  if (!g->left) fg_ptx_enter(g);
  g->left = true;
}

void fg_ptx_choose(fg_ptx *g) {
  g->at++;
  fg_ptx_need(g, "(");
  fg_ptx_value condition = fg_ptx_truth(g, fg_ptx_expression(g));
  fg_ptx_need(g, ")");
  if (fg_ptx_is(g, g->at, "return") && condition.reg >= 0) {
    leave_where(g, condition);
    return;
  }
  if (!fg_ptx_is(g, g->at, "{")) fg_ptx_refuse(g, "a condition");
  int end = fg_ptx_behind(g, g->at);
  if (condition.reg < 0 && !condition.add) {
    g->at = end;
  } else if (condition.reg < 0) {
    fg_ptx_scope s = fg_ptx_open_scope(g);
    fg_ptx_walk_block(g);
    fg_ptx_close_scope(g, s);
  } else if (only_stores(g, g->at, end)) {
    store_where(g, condition);
  } else {
    branch(g, condition);
  }
  if (fg_ptx_is(g, g->at, "else")) fg_ptx_refuse(g, "a condition");
}

typedef struct loop {
  int name, body, end;
  int64_t from, below, step;
} loop;

/* for (int i = FROM; i < BELOW; i += STEP) with numbers */
static loop read_loop(fg_ptx *g) {
  loop l;
  g->at++;
  fg_ptx_need(g, "(");
  if (fg_ptx_type_here(g) != PTX_INT) fg_ptx_refuse(g, "a loop");
  l.name = g->token[g->at++].name;
  fg_ptx_need(g, "=");
  fg_ptx_value from = fg_ptx_expression(g);
  fg_ptx_need(g, ";");
  if (g->token[g->at++].name != l.name) fg_ptx_refuse(g, "a loop");
  fg_ptx_need(g, "<");
  fg_ptx_value below = fg_ptx_expression(g), step = fg_ptx_int(1);
  fg_ptx_need(g, ";");
  bool one = fg_ptx_take(g, "++");
  if (g->token[g->at++].name != l.name) fg_ptx_refuse(g, "a loop");
  if (!one) fg_ptx_need(g, "+="), step = fg_ptx_expression(g);
  fg_ptx_need(g, ")");
  if (!fg_ptx_is(g, g->at, "{") || !fg_ptx_known(&from) || !fg_ptx_known(&below) || !fg_ptx_known(&step) ||
      step.add < 1)
    fg_ptx_refuse(g, "a loop");
  l.body = g->at, l.end = fg_ptx_behind(g, g->at);
  l.from = from.add, l.below = below.add, l.step = step.add;
  return l;
}

static void repeat(fg_ptx *g, const loop *l) {
  for (int64_t i = l->from; i < l->below; i += l->step) {
    fg_ptx_scope s = fg_ptx_open_scope(g);
    fg_ptx_bind(g, l->name, fg_ptx_int(i));
    g->at = l->body;
    fg_ptx_walk_block(g);
    fg_ptx_close_scope(g, s);
  }
}

static int64_t count_statements(const fg_ptx *g, const loop *l) {
  int64_t n = 0;
  for (int at = l->body; at < l->end; at++) n += fg_ptx_is(g, at, ";");
  return n;
}

/* A divisor of the number of iterations. */
static int64_t iterations_together(const fg_ptx *g, const loop *l, int64_t turns) {
  int64_t together = MOST_TOGETHER, each = count_statements(g, l);
  while (together > 1 && (turns % together || together * each > SHORT)) together--;
  return together;
}

static void stay(fg_ptx *g, const loop *l, int64_t together) {
  fg_ptx_scope s = fg_ptx_open_scope(g);
  int label = g->labels++;
  int64_t last = l->from + (l->below - 1 - l->from) / l->step * l->step - (together - 1) * l->step;
  fg_ptx_value i = {.type = PTX_INT, .reg = fg_ptx_register(g, 2), .index = -1, .low = l->from, .high = last};
  fg_ptx_write(g, "mov.b32 r%d, %lld;", i.reg, (long long)l->from);
  fg_ptx_put_label(g, label);
  fg_ptx_write(g, ".pragma \\\"nounroll\\\";");
  int outer = g->loop;
  fg_ptx_enter(g);
  g->loop = g->around;
  for (int64_t k = 0; k < together; k++) {
    fg_ptx_scope inner = fg_ptx_open_scope(g);
    fg_ptx_bind(g, l->name, fg_ptx_arithmetic(g, '+', i, fg_ptx_int(k * l->step)));
    g->at = l->body;
    fg_ptx_walk_block(g);
    fg_ptx_close_scope(g, inner);
  }
  g->loop = outer;
  fg_ptx_close_conditional(g, s);
  int more = fg_ptx_register(g, 0);
  fg_ptx_write(g, "add.s32 r%d, r%d, %lld;", i.reg, i.reg, (long long)(together * l->step));
  fg_ptx_write(g, "setp.lt.s32 p%d, r%d, %lld;", more, i.reg, (long long)l->below);
  fg_ptx_write(g, "@p%d bra L%d;", more, label);
}

void fg_ptx_repeated(fg_ptx *g) {
  bool wanted = g->token[g->at].kind == PTX_UNROLL;
  if (wanted) g->at++;
  if (!fg_ptx_is(g, g->at, "for")) fg_ptx_refuse(g, "a loop");
  loop l = read_loop(g);
  int64_t turns = l.below > l.from ? (l.below - l.from + l.step - 1) / l.step : 0;
  if (turns <= MOST_TURNS && (wanted || turns * count_statements(g, &l) <= SHORT || turns == 1))
    repeat(g, &l);
  else if (turns)
    stay(g, &l, iterations_together(g, &l, turns));
  g->at = l.end;
}

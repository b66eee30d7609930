/* A codelet as statements. In: a stage whose accesses are planned. Out: its constants, and the text of one iteration:
 * loads, operations in the order of the schedule, stores.
 *
 * Each load is right before its first use, each store as soon as an element is complete. */
#include "generator/lower/codelet_text.h"
#include "generator/lower/access.h"
#include "generator/lower/cluster.h"
#include "generator/lower/fence.h"
#include "generator/lower/move.h"
#include "generator/lower/operations.h"
#include "generator/lower/port_balance.h"
#include "generator/lower/prefetch.h"
#include "generator/lower/reorder.h"
#include "generator/lower/value.h"
#include "generator/lower/writer.h"
#include "generator/math/constant_value.h"
#include "generator/opt/interleave_stores.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_order.h"
#include "generator/text/recorder_variables.h"
#include "targets/number.h"
#include <math.h>
#include <string.h>

/* KP707106781, KN1_5: sign and value, as far as nine decimals show it. */
static const char *constant_name(const fg_writer *w, double value) {
  char digits[64];
  double size = fabs(value);
  fg_number_print(digits, sizeof digits, "%.9f", size);
  char *operation = strchr(digits, '.');
  *operation = '_';
  const char *start = size < 1 ? operation + 1 : digits;
  return fg_arena_printf(w->arena, "K%c%s", value < 0 ? 'N' : 'P', start);
}

static bool name_in_use(const fg_writer *w, const char *name) {
  for (int i = 0; i < w->codelet->nnode; i++)
    if (w->node[i] && !strcmp(w->node[i], name)) return true;
  return false;
}

static const char *constant_value(fg_writer *w, fg_const c, int lanes) {
  const fg_const_pool *pool = w->codelet->pool;
  if (w->e->d->field_literals) return fg_value_number(w, 0, fg_const_image(pool, w->e->o->field, c), lanes);
  mpfr_t x;
  mpfr_init2(x, w->e->precision == FG_F64 ? 53 : 24);
  fg_const_real(pool, c, x);
  double value = mpfr_get_d(x, MPFR_RNDN);
  mpfr_clear(x);
  return fg_value_number(w, value, 0, lanes);
}

void fg_lower_declare_constant(fg_writer *w, fg_node n) {
  if (n == FG_NO_NODE || w->codelet->node[n].op != FG_OP_CONST || w->node[n]) return;
  fg_const c = w->codelet->node[n].slot;
  const char *name = constant_name(w, fg_const_double(w->codelet->pool, c)), *first = name;
  for (char more = 'a'; name_in_use(w, name); more++) name = fg_arena_printf(w->arena, "%s%c", first, more);
  fg_value_name(w, w->type, name, constant_value(w, c, w->width));
  w->node[n] = name;
}

void fg_lower_declare_constants(fg_writer *w) {
  if (!w->codelet || w->pack) return;
  for (int i = 0; i < w->schedule->count; i++) {
    const fg_dnode *d = &w->codelet->node[w->schedule->order[i]];
    int operands = fg_op_operands(d->op);
    if (operands > 0) fg_lower_declare_constant(w, d->a);
    if (operands > 1) fg_lower_declare_constant(w, d->b);
    if (operands > 2) fg_lower_declare_constant(w, d->c);
  }
  for (int i = 0; i < w->codelet->nout; i++) fg_lower_declare_constant(w, w->codelet->out[i]);
}

static const char *operand(const fg_writer *w, fg_node n) { return n == FG_NO_NODE ? NULL : w->node[n]; }

static const char *write_text(fg_writer *w, const char *value) {
  const char *name = fg_arena_printf(w->arena, "t%d", w->nvalue++);
  fg_value_name(w, w->type, name, value);
  return name;
}

static const char *write_value(fg_writer *w, fg_op op, fg_marks marks) {
  op = fg_port_balance_sum(w, op, &marks);
  return write_text(w, fg_value_op(w, op, w->lanes, &marks));
}

/* Loads a root that factors are products of; its number part by part. */
static const char *root_part(fg_writer *w, int load, int part) {
  int number = 2 * (load < w->twiddle.slots ? load : load - w->twiddle.slots) + part;
  fg_access_plan *p = load < w->twiddle.slots ? &w->twiddle : fg_access_plan_of(&w->more, &number);
  fg_move_load_slot(w, p, number / 2);
  return fg_move_loaded_name(w, p, number);
}

/* a b + c or a b - c, fused where the codelet's operations are. */
static const char *multiply_add(fg_writer *w, bool minus, fg_marks m) {
  if (w->codelet->key.form == FG_FORM_FMA) return write_value(w, minus ? FG_OP_FMS : FG_OP_FMA, m);
  const char *product = write_value(w, FG_OP_MUL, m);
  return write_value(w, minus ? FG_OP_SUB : FG_OP_ADD, (fg_marks){.a = product, .b = m.c});
}

static void multiply_factors(fg_writer *w, int f, const char **a, const char **b) {
  const char *minus = write_value(w, FG_OP_MUL, (fg_marks){.a = a[1], .b = b[1]});
  w->factor[2 * f] = multiply_add(w, true, (fg_marks){.a = a[0], .b = b[0], .c = minus});
  const char *plus = write_value(w, FG_OP_MUL, (fg_marks){.a = a[0], .b = b[1]});
  w->factor[2 * f + 1] = multiply_add(w, false, (fg_marks){.a = a[1], .b = b[0], .c = plus});
}

/* Twice factor f, once. */
static const char **double_factor(fg_writer *w, int f) {
  for (int i = 2 * f; i < 2 * f + 2; i++)
    if (!w->doubled[i]) w->doubled[i] = write_value(w, FG_OP_ADD, (fg_marks){.a = w->factor[i], .b = w->factor[i]});
  return &w->doubled[2 * f];
}

/* Computes factor f, and those that it is a product of, once. */
static void make_factor(fg_writer *w, int f) {
  const fg_product *x = &w->stage->factors.product[f];
  if (w->factor[2 * f]) return;
  if (x->made) {
    make_factor(w, x->factor);
    make_factor(w, x->load);
    multiply_factors(w, f, &w->factor[2 * x->factor], x->twice ? double_factor(w, x->load) : &w->factor[2 * x->load]);
    return;
  }
  const char *b[2] = {root_part(w, x->load, 0), root_part(w, x->load, 1)};
  const char *also[2], **a = also;
  if (x->factor < 0 && !x->also) {
    w->factor[2 * f] = b[0], w->factor[2 * f + 1] = b[1];
    return;
  }
  if (x->also) also[0] = root_part(w, x->also - 1, 0), also[1] = root_part(w, x->also - 1, 1);
  if (!x->also) make_factor(w, x->factor), a = &w->factor[2 * x->factor];
  multiply_factors(w, f, a, b);
}

/* A fused operation with the factor 2, which has words of its own in the dialect. */
static bool is_twice(const fg_writer *w, const fg_dnode *d) {
  if (w->lanes > 1 || !w->e->d->twice[d->op]) return false;
  const fg_dnode *factor = &w->codelet->node[d->a];
  return factor->op == FG_OP_CONST && fg_const_double(w->codelet->pool, factor->slot) == 2;
}

static void write_operation(fg_writer *w, fg_node n) {
  const fg_dnode *d = &w->codelet->node[n];
  if (d->op == FG_OP_TW && w->stage->factors.product) {
    make_factor(w, (int)d->slot / 2);
    w->node[n] = w->factor[d->slot];
    return;
  }
  if (d->op == FG_OP_IN || d->op == FG_OP_TW) {
    int number = (int)d->slot;
    if (d->op == FG_OP_IN && w->before.operations) {
      w->node[n] = fg_lower_operation_input(w, number);
      return;
    }
    fg_access_plan *p = fg_access_plan_of(d->op == FG_OP_IN ? &w->load : &w->twiddle, &number);
    fg_move_load_slot(w, p, number / p->parts);
    w->node[n] = fg_move_loaded_name(w, p, number);
    return;
  }
  fg_marks marks = {.a = operand(w, d->a), .b = operand(w, d->b), .c = operand(w, d->c)};
  const char *value = is_twice(w, d) ? fg_value_op(w, d->op, 1, &marks) : NULL;
  if (value) fg_coder_code(w->e->coder)->instr[fg_coder_value(w->e->coder, value)].imm.i = 1;
  w->node[n] = value ? write_text(w, value) : write_value(w, d->op, marks);
}

typedef struct progress { /* which outputs are complete and stored */
  int *next, *head;       /* lists of output slots by node */
  bool *stored;           /* [elements] */
  int loads_left;
  int32_t operations, loaded; /* positions: of the first, and behind the last load */
} progress;

static progress start_progress(const fg_writer *w) {
  const fg_codelet *c = w->codelet;
  progress p = {.next = fg_arena_new(w->arena, int, c->nout + 1),
                .head = fg_arena_new(w->arena, int, c->nnode + 1),
                .stored = fg_arena_new(w->arena, bool, c->nout + 1)};
  for (int i = 0; i < c->nnode; i++) p.head[i] = -1;
  for (int slot = c->nout - 1; slot >= 0; slot--) {
    p.next[slot] = p.head[c->out[slot]];
    p.head[c->out[slot]] = slot;
  }
  for (int i = 0; i < w->schedule->count; i++) p.loads_left += c->node[w->schedule->order[i]].op == FG_OP_IN;
  return p;
}

/* In an array across the barrier: where value `slot` of this iteration of the loops is; held as words, element `slot`.
 */
const char *fg_lower_held(const fg_writer *w, int slot) {
  fg_coder *c = w->e->coder;
  int values = w->hold_row ? w->results / 2 : w->results;
  const char *row = w->hold_iterations > 1 ? fg_coder_index(c, FG_CODE_MUL, "it", fg_coder_int(c, values)) : NULL;
  return fg_coder_element(c, "hold", row, slot);
}

static void finish_slot(fg_writer *w, int slot) {
  if (!w->hold) {
    fg_lower_operations_finish(w, slot);
    fg_move_store_slot(w, slot);
    return;
  }
  int parts = w->after.parts;
  if (w->hold_row) {
    const char *word = fg_coder_pair(w->e->coder, w->result[2 * slot], w->result[2 * slot + 1], w->hold_row);
    fg_coder_put_element(w->e->coder, fg_lower_held(w, slot), word);
    return;
  }
  for (int i = parts * slot; i < parts * (slot + 1); i++)
    fg_coder_put_element(w->e->coder, fg_lower_held(w, i), w->result[i]);
}

/* All numbers of an element have values. */
static bool is_complete(const fg_writer *w, int element) {
  int parts = w->after.parts;
  return w->result[parts * element] && w->result[parts * element + parts - 1];
}

static bool may_store(const fg_writer *w, const progress *p) {
  if (w->hold) return true;
  if (fg_access_plan_has_rows(&w->store) || fg_lower_operations_gather(w)) return false;
  return p->loads_left == 0 || w->load.memory != w->store.memory;
}

static void finish_outputs(fg_writer *w, progress *p, fg_node n) {
  for (int slot = p->head[n]; slot >= 0; slot = p->next[slot]) w->result[slot] = w->node[n];
  if (!may_store(w, p)) return;
  for (int slot = p->head[n]; slot >= 0; slot = p->next[slot]) {
    int element = slot / w->after.parts;
    if (p->stored[element] || !is_complete(w, element)) continue;
    p->stored[element] = true;
    finish_slot(w, element);
  }
}

static void finish_rest(fg_writer *w, const progress *p) {
  if (!w->hold && fg_access_plan_has_rows(&w->store)) {
    int32_t stores = fg_coder_position(w->e->coder);
    for (int s = 0; s < w->after.slots; s++) fg_lower_operations_finish(w, s);
    fg_move_store_all(w);
    if (fg_reorder_interleaves(w, p->operations)) fg_interleave_stores(w->e->coder, p->operations, p->loaded, stores);
    return;
  }
  int slots = fg_access_plan_numbers(&w->store) / w->store.parts;
  bool *finished = fg_arena_new(w->arena, bool, slots + 1);
  if (fg_lower_operations_gather(w)) fg_lower_operations_finish_several(w, p->stored, finished);
  for (int s = 0; s < slots; s++) {
    if (finished[s]) fg_move_store_slot(w, s);
    if (!p->stored[s] && !finished[s]) finish_slot(w, s);
  }
}

/* Base pointers first: they read better, and cost nothing. */
static void open_places(fg_writer *w) {
  for (fg_access_plan *p = &w->load; p && !w->come_row; p = p->rest)
    if (!p->npred) fg_access_plan_open(w, p);
  if (w->stage->factors.has_twiddle && !w->twiddle.npred) fg_access_plan_open(w, &w->twiddle);
  for (fg_access_plan *p = w->stage->factors.has_more ? &w->more : NULL; p; p = p->rest)
    if (!p->npred) fg_access_plan_open(w, p);
  for (fg_access_plan *p = &w->store; p && !w->hold; p = p->rest)
    if (!fg_access_plan_sends(w, p)) fg_access_plan_open(w, p);
  fg_fence_note(w);
}

/* A thread's loads from the device's memory are all issued before the first is used. */
static void load_ahead(fg_writer *w) {
  for (fg_access_plan *p = &w->load; fg_access_plan_is_global(w) && p; p = p->rest)
    for (int s = 0; s < p->slots; s++) fg_move_load_slot(w, p, s);
}

void fg_lower_codelet(fg_writer *w) {
  const fg_codelet *c = w->codelet;
  open_places(w);
  progress p = start_progress(w);
  p.operations = fg_coder_position(w->e->coder);
  memset(w->result, 0, sizeof *w->result * (size_t)c->nout);
  if (w->hold && fg_exchange_crosses(&w->stage->exchange.between)) fg_cluster_use(w);
  fg_move_load_all(w, &w->load);
  load_ahead(w);
  if (w->stage->factors.has_twiddle) fg_move_load_all(w, &w->twiddle);
  if (w->stage->factors.has_more) fg_move_load_all(w, &w->more);
  for (int slot = 0; slot < c->nout; slot++)
    if (c->node[c->out[slot]].op == FG_OP_CONST) w->result[slot] = w->node[c->out[slot]];
  for (int i = 0; i < w->schedule->count; i++) {
    fg_node n = w->schedule->order[i];
    write_operation(w, n);
    if (c->node[n].op == FG_OP_IN) p.loads_left--, p.loaded = fg_coder_position(w->e->coder);
    finish_outputs(w, &p, n);
  }
  finish_rest(w, &p);
}

/* Elements of a copy that are loaded before the first of them is stored. */
static int copied_together(const fg_writer *w) {
  if (w->word_row) return fg_access_plan_is_global(w) ? fg_access_plan_together(w) : 1;
  return fg_access_plan_is_global(w) ? fg_access_plan_together(w) / w->after.parts : 1;
}

static void load_element(fg_writer *w, int element) {
  int parts = w->after.parts;
  for (int i = parts * element; i < parts * (element + 1); i++) {
    int number = i;
    fg_access_plan *from = fg_access_plan_of(&w->load, &number);
    fg_move_load_slot(w, from, number / from->parts);
    w->result[i] = w->before.operations ? fg_lower_operation_input(w, i) : fg_move_loaded_name(w, from, number);
  }
}

void fg_lower_copy(fg_writer *w) {
  open_places(w);
  if (w->hold && fg_exchange_crosses(&w->stage->exchange.between)) fg_cluster_use(w);
  fg_move_load_all(w, &w->load);
  int parts = w->after.parts, slots = w->results / parts;
  progress p = {.stored = fg_arena_new(w->arena, bool, slots + 1), .operations = fg_coder_position(w->e->coder)};
  bool at_once = w->hold || (!fg_access_plan_has_rows(&w->store) && w->load.memory != w->store.memory);
  for (int first = 0, step = copied_together(w); first < slots; first += step) {
    int end = first + step < slots ? first + step : slots;
    for (int s = first; s < end; s++) load_element(w, s);
    for (int s = first; s < end && at_once; s++) finish_slot(w, s), p.stored[s] = true;
  }
  p.loaded = fg_coder_position(w->e->coder);
  finish_rest(w, &p);
}

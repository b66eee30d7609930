/* Load and store operations as text: expressions on the values of a stage, between memory and codelet. In: loaded
 * values, or the codelet's results; rows of operations.def, whose postfix expressions the dialect spells. Out: a
 * statement for each operation and part that is used. */
#include "generator/lower/operations.h"
#include "generator/ir/program_machine.h"
#include "generator/lower/access.h"
#include "generator/lower/move.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/lower/writer.h"
#include "generator/reference/operation_values.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/spell.h"

/* ---- expressions --------------------------------------------------------------- */

typedef struct operands { /* of one element */
  const char *re, *im, *a, *b;
} operands;

static const char *name_value(fg_writer *w, const char *value) {
  const char *name = fg_arena_printf(w->arena, "t%d", w->nvalue++);
  fg_value_name(w, w->type, name, value);
  return name;
}

/* Non-negative; other than whole ones have names, which the proof finds. */
static const char *number_value(fg_writer *w, double x, int lanes) {
  const fg_field *f = w->e->o->field;
  double rounded = w->e->precision == FG_F32 ? (double)(float)x : x;
  return fg_value_number(w, rounded, f ? fg_operation_values_number(f, x) : 0, lanes);
}

static const char *number_name(const fg_writer *w, double x) {
  int at = 0;
  while (w->number[at] != x) at++;
  return fg_arena_printf(w->arena, "KP_number%d", at);
}

/* What is declared before the loops, where results are gathered in wider vectors. */
static const char *declared(fg_writer *w, const char *name) {
  return w->lanes > w->width ? name_value(w, fg_value_splat(w, w->lanes, name)) : name;
}

static const char *call(fg_writer *w, fg_called which, const char *a, const char *b) {
  w->e->calls |= 1u << which;
  w->e->call_lanes |= (uint64_t)w->lanes;
  return fg_coder_call(w->e->coder, which, w->lanes, a, b);
}

/* Term number `number`, of which those before it that it needs are in v, or become so. */
static const char *term_value(fg_writer *w, const fg_expression *e, int number, const char **v) {
  static const fg_op op[] = {
      [FG_TERM_NEG] = FG_OP_NEG, [FG_TERM_ADD] = FG_OP_ADD, [FG_TERM_SUB] = FG_OP_SUB, [FG_TERM_MUL] = FG_OP_MUL};
  const fg_expression_term *t = &e->term[number];
  if (v[number]) return v[number];
  if (t->op == FG_TERM_NUMBER && fg_expression_is_constant(t))
    return v[number] = declared(w, number_name(w, t->number));
  if (t->op == FG_TERM_NUMBER) {
    const char *value = number_value(w, t->number, w->lanes);
    return v[number] = w->lanes > 1 ? name_value(w, value) : value;
  }
  const char *a = term_value(w, e, t->a, v), *b = fg_expression_operands(t) == 2 ? term_value(w, e, t->b, v) : NULL;
  if (t->op == FG_TERM_CALL) return v[number] = name_value(w, call(w, t->call, a, b));
  return v[number] = name_value(w, fg_value_op(w, op[t->op], w->lanes, &(fg_marks){.a = a, .b = b}));
}

/* ---- one side of a stage -------------------------------------------------------- */

/* Of elements two by two both parts are real ones. */
static int result_of(const fg_operation_side *s, const fg_expression *e, int part) {
  return e->result[s->operations->two_by_two || e->result[1] < 0 ? 0 : part];
}

static void note_operand(fg_access_plan *p, int slot, int part) {
  int number = p->parts * slot + (p->parts == 2 ? part : 0);
  p = fg_access_plan_of(p, &number);
  p->needed[number] = true;
}

/* Notes what parts `wanted` (bits) of an element after `count` operations need of
 * operands; returns the parts of the element before them. */
static int note_needs(fg_operation_side *s, int slot, int count, int wanted) {
  const fg_operation *list = s->operations->operation;
  for (int k = count - 1; k >= 0; k--) {
    int taken[FG_MAX_OPERANDS] = {0}, before;
    bool two_by_two = s->operations->two_by_two;
    before = fg_expression_needs(list[k].value, two_by_two ? wanted > 0 : wanted, taken);
    for (int o = 0; o < list[k].value->noperand; o++)
      for (int part = 0; part < 2; part++) {
        fg_access_plan *operand = s->operand[fg_operation_bringing(list, k, o)];
        bool needs = two_by_two ? taken[o] && wanted >> part & 1 : taken[o] >> part & 1;
        if (operand && needs) note_operand(operand, slot, part);
      }
    wanted = two_by_two && before ? wanted : before;
  }
  return wanted;
}

static fg_status start_side(fg_writer *w, fg_operation_side *s, const fg_operations *operations, char *tag) {
  if (!operations) return FG_OK;
  s->operations = operations;
  for (int k = 0; k < operations->count; k++) {
    if (!operations->operation[k].has_operand) continue;
    if (*tag == 'A' + FG_MOST_OPERANDS)
      return fg_refuse(w->e->cx,
                       "emit: %s: operations of load= and store= that take more than %d arrays, windows and indices",
                       w->stage->what, (int)FG_MOST_OPERANDS);
    s->operand[k] = fg_arena_new(w->arena, fg_access_plan, 1);
    fg_status status = fg_access_plan_init(w, s->operand[k], &operations->operation[k].operand, (*tag)++);
    if (status != FG_OK) return status;
  }
  int values = 2 * operations->count * s->slots;
  s->memo = fg_arena_new(w->arena, const char *, values + 1);
  s->term = fg_arena_new(w->arena, const char **, values + 1);
  for (int i = 0; i < values; i++)
    s->term[i] = fg_arena_new(w->arena, const char *, operations->operation[i / (2 * s->slots)].value->count + 1);
  return FG_OK;
}

static const char *name_of(fg_called which) {
#define CALL(NAME, name, operands, meaning) [FG_CALL_##NAME] = name,
  static const char *const names[] = {
#include "targets/forms/calls.def"
  };
#undef CALL
  return names[which];
}

/* Functions that the dialect does not have. */
static fg_status check_calls(const fg_writer *w, const fg_operations *operations) {
  for (int k = 0; operations && k < operations->count; k++) {
    const fg_expression *e = operations->operation[k].value;
    for (int i = 0; i < e->count; i++)
      if (e->term[i].op == FG_TERM_CALL && !w->e->d->call[e->term[i].call])
        return fg_refuse(w->e->cx, "emit: %s: the dialect %s has no function %s; it has mag2",
                         operations->operation[k].row->name, w->e->d->name, name_of(e->term[i].call));
  }
  return FG_OK;
}

/* The numbers of expressions that are no whole ones, each once. */
static void find_numbers(fg_writer *w, const fg_operations *operations) {
  for (int k = 0; operations && k < operations->count; k++) {
    const fg_expression *e = operations->operation[k].value;
    for (int i = 0; i < e->count; i++) {
      int at = 0;
      while (at < w->nnumber && w->number[at] != e->term[i].number) at++;
      if (!fg_expression_is_constant(&e->term[i]) || at < w->nnumber) continue;
      if (w->nnumber % 16 == 0) w->number = fg_arena_more(w->arena, w->number, w->nnumber, w->nnumber + 16);
      w->number[w->nnumber++] = e->term[i].number;
    }
  }
}

fg_status fg_lower_operations_prepare(fg_writer *w) {
  char tag = 'A';
  w->nnumber = 0;
  find_numbers(w, w->stage->operations.loaded);
  find_numbers(w, w->stage->operations.stored);
  if (check_calls(w, w->stage->operations.loaded) != FG_OK || check_calls(w, w->stage->operations.stored) != FG_OK)
    return FG_EUSER;
  w->before = (fg_operation_side){.parts = w->load.parts, .slots = fg_access_plan_numbers(&w->load) / w->load.parts};
  w->after = (fg_operation_side){.parts = fg_stage_result_parts(w->e->p, w->stage),
                                 .slots = fg_access_plan_numbers(&w->store) / w->store.parts};
  fg_status status = start_side(w, &w->before, w->stage->operations.loaded, &tag);
  if (status == FG_OK) status = start_side(w, &w->after, w->stage->operations.stored, &tag);
  w->results = w->stage->operations.stored ? w->after.parts * w->after.slots : fg_access_plan_numbers(&w->store);
  w->result = fg_arena_new(w->arena, const char *, w->results + 1);
  w->value = w->stage->operations.stored && !w->pack ? fg_arena_new(w->arena, const char *, 2 * w->after.slots + 1)
                                                     : w->result;
  return status;
}

void fg_lower_operations_note_needed(fg_writer *w) {
  fg_access_plan *p = &w->load;
  for (int first = 0; w->before.operations && p; first += p->slots, p = p->rest)
    for (int slot = 0; slot < p->slots; slot++) {
      int wanted = 0;
      for (int part = 0; part < p->parts; part++) wanted |= p->needed[p->parts * slot + part] << part;
      wanted = note_needs(&w->before, first + slot, w->before.operations->count, wanted);
      for (int part = 0; part < p->parts; part++) p->needed[p->parts * slot + part] = wanted >> part & 1;
    }
  for (int slot = 0; w->after.operations && slot < w->after.slots; slot++)
    w->after.needs = note_needs(&w->after, slot, w->after.operations->count, w->store.parts == 2 ? 3 : 1);
}

static bool is_scaled(const fg_operations *operations) {
  for (int k = 0; operations && k < operations->count; k++)
    if (operations->operation[k].row->takes == FG_TAKES_SYMBOL) return true;
  return false;
}

/* The scale and the numbers of expressions, as values of the stage's type; declared before the loops. */
void fg_lower_operations_declare(fg_writer *w) {
  for (int i = 0; i < w->nnumber; i++)
    fg_value_name(w, w->type, number_name(w, w->number[i]), number_value(w, w->number[i], w->width));
  if (!is_scaled(w->before.operations) && !is_scaled(w->after.operations)) return;
  fg_system field = {.field = w->e->o->field}, reals = {.field = NULL};
  double value = (double)fg_operation_values_scale(&reals, &w->e->p->problem).quad.re;
  fg_gf image = field.field ? fg_operation_values_scale(&field, &w->e->p->problem).gf.re : 0;
  if (w->e->precision == FG_F32) value = (double)(float)value;
  fg_value_name(w, w->type, "KP_scale", fg_value_number(w, value, image, w->width));
}

static const char *operand_part(fg_writer *w, fg_access_plan *operand, int slot, int part) {
  int number = operand->parts * slot + (operand->parts == 2 ? part : 0);
  operand = fg_access_plan_of(operand, &number);
  fg_move_load_slot(w, operand, number / operand->parts);
  return fg_move_loaded_name(w, operand, number);
}

static const char *part_after(fg_writer *w, fg_operation_side *s, int count, int slot, int part,
                              const char *const *raw);

/* Part `part` of what operation k takes from another one, or itself. */
static const char *taken_by(fg_writer *w, fg_operation_side *s, int k, int operand, int slot, int part) {
  int from = fg_operation_bringing(s->operations->operation, k, operand);
  if (s->operations->operation[from].row->takes == FG_TAKES_SYMBOL) return declared(w, "KP_scale");
  return operand_part(w, s->operand[from], slot, part);
}

/* Both parts of a complex element have them in common. */
static const char **terms_of(const fg_operation_side *s, int k, int slot, int part) {
  return s->term[2 * (k * s->slots + slot) + (s->operations->two_by_two ? part : 0)];
}

/* What an operation's terms begin with: parts of the element, then of operands. */
static void start_terms(fg_writer *w, fg_operation_side *s, int k, int slot, int part, const char *const *raw) {
  const fg_expression *e = s->operations->operation[k].value;
  const char **v = terms_of(s, k, slot, part);
  bool two_by_two = s->operations->two_by_two;
  int taken[FG_MAX_OPERANDS] = {0};
  int element = fg_expression_needs(e, two_by_two ? 1 : 1 << part, taken);
  for (int of = 0; of < 2; of++)
    for (int i = 0; i < e->count; i++)
      if (e->term[i].op == FG_TERM_ELEMENT && e->term[i].part == of && element >> of & 1)
        v[i] = part_after(w, s, k, slot, two_by_two ? part : of, raw);
  for (int o = 0; o < e->noperand; o++)
    for (int of = 0; of < 2; of++)
      for (int i = 0; i < e->count; i++)
        if (e->term[i].op == FG_TERM_OPERAND && e->term[i].a == o && e->term[i].part == of && taken[o] >> of & 1)
          v[i] = taken_by(w, s, k, o, slot, two_by_two ? part : of);
}

/* A part of an element after the first `count` operations. raw: before them. */
static const char *part_after(fg_writer *w, fg_operation_side *s, int count, int slot, int part,
                              const char *const *raw) {
  if (count == 0) return raw[part];
  int k = count - 1, at = 2 * (k * s->slots + slot) + part;
  const fg_expression *e = s->operations->operation[k].value;
  if (s->memo[at]) return s->memo[at];
  start_terms(w, s, k, slot, part, raw);
  const char *value = term_value(w, e, result_of(s, e, part), terms_of(s, k, slot, part));
  if (e->term[result_of(s, e, part)].op == FG_TERM_NUMBER) value = name_value(w, value);
  return s->memo[at] = value;
}

const char *fg_lower_operation_input(fg_writer *w, int number) {
  int parts = w->load.parts, element = number / parts, part = number % parts;
  fg_access_plan *p = fg_access_plan_of(&w->load, &number);
  int slot = number / parts;
  fg_move_load_slot(w, p, slot);
  if (!w->before.operations) return fg_move_loaded_name(w, p, number);
  const char *raw[2] = {fg_move_loaded_name(w, p, parts * slot), fg_move_loaded_name(w, p, parts * slot + parts - 1)};
  return part_after(w, &w->before, w->before.operations->count, element, part, raw);
}

void fg_lower_operations_finish(fg_writer *w, int slot) {
  fg_operation_side *s = &w->after;
  if (!s->operations || w->pack) return;
  for (int part = 0; part < s->parts; part++)
    if (!(s->needs >> part & 1)) fg_coder_open(w->e->coder, FG_CODE_DROP, w->result[s->parts * slot + part]);
  for (int part = 0; part < w->store.parts; part++)
    w->value[w->store.parts * slot + part] =
        part_after(w, s, s->operations->count, slot, part, &w->result[s->parts * slot]);
}

/* ---- results of scalars, several at once ------------------------------------------ */

enum { GATHERED = 3, GATHERED_BYTES = 32 }; /* results, at least; of a vector of them, at most */

static bool is_slow(const fg_expression *e) {
  bool slow = false;
  for (int i = 0; i < e->count; i++) {
    fg_called f = e->term[i].call;
    slow = slow || (e->term[i].op == FG_TERM_CALL && (f == FG_CALL_LOG || f == FG_CALL_LOG10 || f == FG_CALL_EXP));
  }
  return slow;
}

/* A logarithm is some 20 operations of a vector, or as many of each scalar. */
bool fg_lower_operations_gather(const fg_writer *w) {
  const fg_operations *list = w->after.operations;
  bool scalars = !w->e->launched && w->e->o->isa && w->e->o->isa->vector_bytes && w->lanes == 1 && !w->pack;
  bool slow = false;
  if (!scalars || !list || list->two_by_two || w->hold || w->store.parts != 1) return false;
  for (int k = 0; k < list->count; k++) {
    if (list->operation[k].has_operand) return false;
    slow = slow || is_slow(list->operation[k].value);
  }
  return slow;
}

static int gathered_lanes(const fg_writer *w, int count) {
  const fg_isa *isa = w->e->o->isa;
  int real = w->e->precision == FG_F64 ? 8 : 4, lanes = isa->least_bytes / real;
  int most = (isa->vector_bytes < GATHERED_BYTES ? isa->vector_bytes : GATHERED_BYTES) / real;
  if (lanes < 2) lanes = 2;
  while (lanes < count && lanes < most) lanes *= 2;
  return lanes;
}

/* Slots of a vector; behind the last one it is repeated. */
static void finish_gathered(fg_writer *w, const int *slot, int count, int lanes) {
  fg_operation_side *s = &w->after;
  const char *item[FG_MAX_LANES], *raw[2] = {NULL, NULL}, *scalar = w->type;
  w->lanes = lanes, w->type = fg_spell_vector_type(w->e, lanes), w->e->lanes |= (uint64_t)lanes;
  for (int part = 0; part < s->parts; part++) {
    bool needed = s->needs >> part & 1;
    for (int l = 0; l < lanes; l++) item[l] = w->result[s->parts * slot[l < count ? l : count - 1] + part];
    for (int l = 0; l < count && !needed; l++) fg_coder_open(w->e->coder, FG_CODE_DROP, item[l]);
    if (needed) raw[part] = name_value(w, fg_value_make(w, lanes, item));
  }
  const char *value = part_after(w, s, s->operations->count, slot[0], 0, raw);
  w->lanes = 1, w->type = scalar;
  for (int l = 0; l < count; l++) w->value[slot[l]] = name_value(w, fg_value_lane(w, lanes, value, l));
}

void fg_lower_operations_finish_several(fg_writer *w, const bool *stored, bool *finished) {
  int slot[FG_MAX_LANES], left = 0, most = gathered_lanes(w, w->after.slots), count = 0;
  for (int s = 0; s < w->after.slots; s++) left += !stored[s];
  for (int s = 0; s < w->after.slots && left >= GATHERED; s++) {
    if (stored[s]) continue;
    slot[count++] = s, finished[s] = true;
    if (count < most && count < left) continue;
    finish_gathered(w, slot, count, gathered_lanes(w, count));
    left -= count, count = 0;
  }
}

const char *fg_lower_operations_flags(const fg_emitter *e) {
  const fg_isa *isa = e->launched ? NULL : e->o->isa;
  const char *flags = isa ? isa->flags : "", *half = "", *errors = "";
  for (int i = 0; e->d->storage && e->d->storage[i].type; i++)
    if ((e->stored[0][i] | e->stored[1][i]) > (e->d->storage[i].load ? 1 : 0) && e->d->storage[i].stored == FG_F16 &&
        isa && isa->half_flags)
      half = isa->half_flags;
  if (e->calls >> FG_CALL_SQRT & 1 && e->d->call_preamble)
    errors = "-fno-math-errno"; /* a square root is one instruction */
  const char *first = *flags && *half ? " " : "", *second = *errors && (*flags || *half) ? " " : "";
  return fg_arena_printf(e->cx->arena, "%s%s%s%s%s", flags, first, half, second, errors);
}

/* Machines that round to bf16 by an instruction have a function of their own. */
static const char *conversion_of(const fg_emitter *e, const fg_storage_row *r, bool store) {
  return store && r->rounds && fg_program_machine(e->p)->bf16 ? r->rounds : r->preamble[store];
}

/* Functions that the text calls: of dialects' rows, for the widths that occur. */
const char *fg_lower_operations_preamble(const fg_emitter *e) {
  const fg_dialect *d = e->d;
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  if (e->calls && d->call_preamble) fg_strbuf_add(&s, d->call_preamble);
  for (int c = 0; c < FG_CALL_COUNT; c++)
    if (e->calls >> c & 1 && d->call_function[c]) fg_strbuf_add(&s, d->call_function[c]);
  for (int i = 0; d->storage && d->storage[i].type; i++)
    for (int store = 0; store < 2; store++)
      if (e->stored[store][i] & 1 && d->storage[i].preamble[store])
        fg_strbuf_add(&s, fg_spell(e, 1, conversion_of(e, &d->storage[i], store), (fg_marks){0}));
  return s.text;
}

const char *fg_lower_operations_vectors(const fg_emitter *e) {
  const fg_dialect *d = e->d;
  fg_strbuf s = fg_strbuf_new(e->cx->arena);
  for (int lanes = 2; lanes <= 64; lanes *= 2) {
    uint64_t bit = (uint64_t)lanes;
    for (int c = 0; c < FG_CALL_COUNT; c++) {
      const char *const *text = d->vector.call_preamble[c], *own = e->precision == FG_F64 ? text[1] : NULL;
      if (e->calls >> c & 1 && e->call_lanes & bit && text[0])
        fg_strbuf_add(&s, fg_spell(e, lanes, own ? own : text[0], (fg_marks){0}));
    }
    for (int i = 0; d->storage && d->storage[i].type; i++) {
      const fg_storage_row *r = &d->storage[i];
      if ((e->stored[0][i] | e->stored[1][i]) & bit && r->vtypes)
        fg_strbuf_add(&s, fg_spell(e, lanes, r->vtypes, (fg_marks){0}));
      for (int store = 0; store < 2; store++)
        if (e->stored[store][i] & bit && r->vpreamble[store])
          fg_strbuf_add(&s, fg_spell(e, lanes, r->vpreamble[store], (fg_marks){0}));
    }
  }
  return s.text;
}

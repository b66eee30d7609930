/* Values: the statements and expressions of a stage, as text or as instructions. In: operations on values by handles.
 * Out: handles of results.
 *
 * As text a handle is an expression or a name, and an operation is a spelling of the dialect; as code it is a value's
 * number (code.h), and the operation is recorded. Code above this file serves both. */
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/lower/writer.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/spell.h"
#include <string.h>

static fg_arena *arena(const fg_writer *w) { return w->e->cx->arena; }

static fg_coder *coder(const fg_writer *w) { return w->e->coder; }

/* ---- names and brackets ------------------------------------------------------------ */

static void note_unit(fg_writer *w, fg_unit unit) {
  if (w->unit < unit) w->unit = unit;
}

static void note_name(fg_writer *w, const char *name) {
  if (w->nnamed == w->most_named) {
    fg_named *more = fg_arena_new(arena(w), fg_named, w->most_named = 2 * w->most_named + 64);
    for (int i = 0; i < w->nnamed; i++) more[i] = w->named[i];
    w->named = more;
  }
  w->named[w->nnamed++] = (fg_named){name, w->unit};
  w->unit = FG_UNIT_NONE;
}

void fg_value_name(fg_writer *w, const char *type, const char *name, const char *value) {
  if (!coder(w) && !strncmp(type, "vec", 3)) note_name(w, name);
  if (coder(w))
    fg_coder_bind(coder(w), name, value);
  else
    fg_lower_line(w, "const %s %s = %s;", type, name, value);
}

void fg_value_assign(fg_writer *w, const char *name, const char *value) {
  if (coder(w))
    fg_coder_bind(coder(w), name, value);
  else
    fg_lower_line(w, "%s = %s;", name, value);
}

void fg_value_drop(fg_writer *w, const char *value) {
  if (!coder(w)) fg_lower_line(w, "(void)%s;", value);
}

void fg_value_if(fg_writer *w, const char *condition) {
  if (coder(w)) {
    fg_coder_open(coder(w), FG_CODE_IF, condition);
    return;
  }
  fg_lower_line(w, "if (%s) {", condition);
  w->indent += 2;
}

void fg_value_end(fg_writer *w) {
  if (coder(w)) {
    fg_coder_close(coder(w));
    return;
  }
  w->indent -= 2;
  fg_lower_line(w, "}");
}

/* ---- numbers --------------------------------------------------------------------------- */

const char *fg_value_op(fg_writer *w, fg_op op, int lanes, const fg_marks *m) {
  static const fg_code_op code[] = {
      [FG_OP_NEG] = FG_CODE_NEGATE,       [FG_OP_ADD] = FG_CODE_SUM,       [FG_OP_SUB] = FG_CODE_DIFFERENCE,
      [FG_OP_MUL] = FG_CODE_PRODUCT,      [FG_OP_FMA] = FG_CODE_FUSED_ADD, [FG_OP_FMS] = FG_CODE_FUSED_SUB,
      [FG_OP_FNMA] = FG_CODE_FUSED_NEGADD};
  bool fused = op == FG_OP_FMA || op == FG_OP_FMS || op == FG_OP_FNMA;
  note_unit(w, fused ? FG_UNIT_FUSED : op == FG_OP_MUL ? FG_UNIT_PRODUCT : FG_UNIT_SUM);
  if (!coder(w)) return fg_spell(w->e, lanes, lanes > 1 ? w->e->d->vector.op[op] : w->e->d->op[op], *m);
  return fg_coder_real(coder(w), code[op], lanes, (const char *const[]){m->a, m->b, m->c});
}

const char *fg_value_number(fg_writer *w, double value, fg_gf image, int lanes) {
  if (coder(w)) {
    fg_instr i = {.op = FG_CODE_NUMBER, .type = FG_CODE_REAL, .lanes = (uint8_t)lanes, .a = -1, .b = -1, .c = -1};
    if (w->e->d->field_literals)
      i.imm.image = image;
    else
      i.imm.real = value;
    return fg_coder_add(coder(w), i);
  }
  const char *text = w->e->d->field_literals ? fg_arena_printf(arena(w), "0x%llxULL", (unsigned long long)image)
                                             : fg_spell_literal(w->e, value);
  return lanes > 1 ? fg_spell(w->e, lanes, w->e->d->vector.set1, (fg_marks){.v = text}) : text;
}

const char *fg_value_zero(fg_writer *w) { return coder(w) ? fg_value_number(w, 0, 0, 1) : "0"; }

const char *fg_value_splat(fg_writer *w, int lanes, const char *real) {
  if (coder(w)) return fg_coder_real(coder(w), FG_CODE_SPLAT, lanes, (const char *const[]){real, NULL, NULL});
  return fg_spell(w->e, lanes, w->e->d->vector.set1, (fg_marks){.v = real});
}

const char *fg_value_make(fg_writer *w, int lanes, const char *const *item) {
  if (coder(w)) {
    int32_t value[FG_MAX_LANES];
    for (int l = 0; l < lanes; l++) value[l] = fg_coder_value(coder(w), item[l]);
    return fg_coder_add(coder(w), (fg_instr){.op = FG_CODE_MAKE,
                                             .type = FG_CODE_REAL,
                                             .lanes = (uint8_t)lanes,
                                             .a = -1,
                                             .b = -1,
                                             .c = -1,
                                             .list = fg_coder_list(coder(w), value, lanes)});
  }
  fg_strbuf s;
  fg_strbuf_init(&s, arena(w));
  for (int l = 0; l < lanes; l++) fg_strbuf_addf(&s, "%s%s", l ? ", " : "", item[l]);
  return fg_spell(w->e, lanes, w->e->d->vector.make, (fg_marks){.i = s.text});
}

const char *fg_value_lane(fg_writer *w, int lanes, const char *vector, int lane) {
  if (coder(w))
    return fg_coder_add(coder(w), (fg_instr){.op = FG_CODE_LANE,
                                             .type = FG_CODE_REAL,
                                             .lanes = 1,
                                             .a = fg_coder_value(coder(w), vector),
                                             .b = -1,
                                             .c = -1,
                                             .imm.i = lane});
  return fg_spell(w->e, lanes, w->e->d->vector.lane,
                  (fg_marks){.v = vector, .i = fg_arena_printf(arena(w), "%d", lane)});
}

static const char *list_text(const fg_writer *w, const int *index, int count) {
  fg_strbuf s;
  fg_strbuf_init(&s, arena(w));
  for (int i = 0; i < count; i++) fg_strbuf_addf(&s, "%s%d", i ? ", " : "", index[i]);
  return s.text;
}

/* `lanes` of the lanes of a, then of b; format: as text. */
static const char *pick(fg_writer *w, int lanes, const char *format, const char *const operand[2], const int *index) {
  if (coder(w)) {
    int32_t from[FG_MAX_LANES];
    for (int l = 0; l < lanes; l++) from[l] = index[l];
    return fg_coder_add(coder(w), (fg_instr){.op = FG_CODE_SHUFFLE,
                                             .type = FG_CODE_REAL,
                                             .lanes = (uint8_t)lanes,
                                             .a = fg_coder_value(coder(w), operand[0]),
                                             .b = fg_coder_value(coder(w), operand[1]),
                                             .c = -1,
                                             .list = fg_coder_list(coder(w), from, lanes)});
  }
  return fg_spell(w->e, lanes, format, (fg_marks){.a = operand[0], .b = operand[1], .i = list_text(w, index, lanes)});
}

const char *fg_value_shuffle(fg_writer *w, int lanes, const char *a, const char *b, const int *index) {
  note_unit(w, FG_UNIT_EXCHANGE);
  return pick(w, lanes, w->e->d->vector.shuffle, (const char *const[]){a, b}, index);
}

const char *fg_value_swap(fg_writer *w, int lanes, const char *a) {
  note_unit(w, FG_UNIT_EXCHANGE);
  if (w->e->padded) return fg_spell(w->e, lanes, w->e->padded->swap, (fg_marks){.a = a});
  const fg_swap_row *row = fg_spell_swap_row(w->e, lanes);
  if (row) {
    w->e->swaps |= (uint64_t)lanes;
    return fg_spell(w->e, lanes, row->swap, (fg_marks){.a = a});
  }
  int index[2 * FG_MAX_LANES];
  for (int i = 0; i < lanes; i++) index[i] = i ^ 1;
  return fg_value_shuffle(w, lanes, a, a, index);
}

const char *fg_value_alternate(fg_writer *w, int lanes, const char *a, const char *b) {
  fg_marks both = {.a = a, .b = b};
  int index[2 * FG_MAX_LANES];
  for (int i = 0; i < lanes; i++) index[i] = i % 2 ? lanes + i : i;
  const char *less = fg_value_op(w, FG_OP_SUB, lanes, &both), *more = fg_value_op(w, FG_OP_ADD, lanes, &both);
  const char *value = w->e->padded ? fg_spell(w->e, lanes, w->e->padded->alternate, both)
                                   : fg_value_shuffle(w, lanes, less, more, index);
  w->unit = FG_UNIT_SUM; /* no exchange */
  return value;
}

const char *fg_value_join(fg_writer *w, int lanes, const char *low, const char *high) {
  note_unit(w, FG_UNIT_EXCHANGE);
  int index[2 * FG_MAX_LANES];
  for (int l = 0; l < lanes; l++) index[l] = l;
  return pick(w, lanes, w->e->d->vector.join, (const char *const[]){low, high}, index);
}

const char *fg_value_part(fg_writer *w, int lanes, const char *wide, int first) {
  note_unit(w, FG_UNIT_EXCHANGE);
  int index[FG_MAX_LANES];
  for (int l = 0; l < lanes; l++) index[l] = first + l;
  return pick(w, lanes, w->e->d->vector.part, (const char *const[]){wide, coder(w) ? wide : NULL}, index);
}

const char *fg_value_piece(fg_writer *w, int lanes, const char *wide, int first) {
  note_unit(w, FG_UNIT_EXCHANGE);
  if (coder(w)) return fg_value_part(w, lanes, wide, first);
  int index[FG_MAX_LANES];
  for (int l = 0; l < lanes; l++) index[l] = first + l;
  fg_marks marks = {.a = wide, .v = fg_arena_printf(arena(w), "%d", first), .i = list_text(w, index, lanes)};
  return fg_spell(w->e, lanes, w->e->d->vector.piece, marks);
}

/* ---- memory ------------------------------------------------------------------------------- */

const char *fg_value_at(fg_writer *w, const char *element) {
  if (!coder(w)) return element;
  return fg_coder_real(coder(w), FG_CODE_LOAD, 1, (const char *const[]){element, NULL, NULL});
}

const char *fg_value_at_if(fg_writer *w, const char *condition, const char *element) {
  if (!coder(w)) return fg_arena_printf(arena(w), "%s ? %s : 0", condition, element);
  return fg_coder_real(coder(w), FG_CODE_LOAD, 1, (const char *const[]){element, condition, NULL});
}

const char *fg_value_load(fg_writer *w, int lanes, const char *pointer) {
  note_unit(w, FG_UNIT_LOAD);
  if (coder(w)) return fg_coder_real(coder(w), FG_CODE_LOAD, lanes, (const char *const[]){pointer, NULL, NULL});
  return fg_spell(w->e, lanes, w->e->padded ? w->e->padded->load : w->e->d->vector.load, (fg_marks){.p = pointer});
}

static void record_store(fg_coder *c, fg_code_op op, int lanes, const char *const at_value[2]) {
  fg_coder_add(c, (fg_instr){.op = (uint8_t)op,
                             .lanes = (uint8_t)lanes,
                             .a = fg_coder_value(c, at_value[0]),
                             .b = fg_coder_value(c, at_value[1]),
                             .c = -1});
}

void fg_value_put(fg_writer *w, const char *element, const char *value) {
  if (coder(w))
    record_store(coder(w), FG_CODE_STORE, 1, (const char *const[]){element, value});
  else
    fg_lower_line(w, "%s = %s;", element, value);
}

void fg_value_fetch(fg_writer *w, const char *pointer, fg_prefetch_how how) {
  static const char *const word[] = {[FG_FETCH_LOAD] = "0, 3", [FG_FETCH_STORE] = "1, 3", [FG_FETCH_LATER] = "0, 2"};
  fg_coder *c = coder(w);
  if (c) {
    int32_t at = fg_coder_value(c, pointer);
    fg_coder_add(c, (fg_instr){.op = FG_CODE_FETCH, .a = at, .b = -1, .c = -1, .imm.i = how});
    return;
  }
  fg_lower_line(w, "%s", fg_spell(w->e, 1, w->e->d->fetch, (fg_marks){.p = pointer, .i = word[how]}));
}

void fg_value_store(fg_writer *w, int lanes, bool stream, const char *pointer, const char *value) {
  if (coder(w)) {
    record_store(coder(w), stream ? FG_CODE_STREAM : FG_CODE_STORE, lanes, (const char *const[]){pointer, value});
    return;
  }
  const char *form = w->e->padded ? w->e->padded->store : stream ? w->e->d->vector.stream_store : w->e->d->vector.store;
  fg_lower_line(w, "%s", fg_spell(w->e, lanes, form, (fg_marks){.p = pointer, .v = value}));
}

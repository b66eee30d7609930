/* Values: the statements and expressions of a stage as instructions. In: operations on values by handles. Out: handles
 * of results (text/recorder.h). */
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/lower/writer.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/spell.h"
#include <string.h>

static fg_coder *coder(const fg_writer *w) { return w->e->coder; }

void fg_value_name(fg_writer *w, const char *type, const char *name, const char *value) {
  fg_coder_name(coder(w), fg_arena_printf(w->arena, "const %s", type), name, value);
}

void fg_value_if(fg_writer *w, const char *condition) { fg_coder_open(coder(w), FG_CODE_IF, condition); }

/* ---- numbers --------------------------------------------------------------------------- */

const char *fg_value_op(fg_writer *w, fg_op op, int lanes, const fg_marks *m) {
  static const fg_code_op code[] = {
      [FG_OP_NEG] = FG_CODE_NEGATE,       [FG_OP_ADD] = FG_CODE_SUM,       [FG_OP_SUB] = FG_CODE_DIFFERENCE,
      [FG_OP_MUL] = FG_CODE_PRODUCT,      [FG_OP_FMA] = FG_CODE_FUSED_ADD, [FG_OP_FMS] = FG_CODE_FUSED_SUB,
      [FG_OP_FNMA] = FG_CODE_FUSED_NEGADD};
  return fg_coder_real(coder(w), code[op], lanes, (const char *const[]){m->a, m->b, m->c});
}

const char *fg_value_number(fg_writer *w, double value, fg_gf image, int lanes) {
  fg_instr i = fg_coder_instr(FG_CODE_NUMBER, FG_CODE_REAL, lanes);
  if (w->e->d->field_literals)
    i.imm.image = image;
  else
    i.imm.real = value;
  return fg_coder_add(coder(w), i);
}

const char *fg_value_zero(fg_writer *w) { return fg_coder_add(coder(w), fg_coder_instr(FG_CODE_INT, FG_CODE_REAL, 1)); }

const char *fg_value_splat(fg_writer *w, int lanes, const char *real) {
  return fg_coder_real(coder(w), FG_CODE_SPLAT, lanes, (const char *const[]){real, NULL, NULL});
}

const char *fg_value_make(fg_writer *w, int lanes, const char *const *item) {
  int32_t value[FG_MAX_LANES];
  for (int l = 0; l < lanes; l++) value[l] = fg_coder_value(coder(w), item[l]);
  fg_instr i = fg_coder_instr(FG_CODE_MAKE, FG_CODE_REAL, lanes);
  i.list = fg_coder_list(coder(w), value, lanes);
  return fg_coder_add(coder(w), i);
}

const char *fg_value_lane(fg_writer *w, int lanes, const char *vector, int lane) {
  fg_instr i = fg_coder_instr(FG_CODE_LANE, FG_CODE_REAL, 1);
  i.list = lanes, i.imm.i = lane;
  return fg_coder_add_of(coder(w), i, vector, NULL, NULL);
}

/* `lanes` of the lanes of a, then of b. */
static const char *pick(fg_writer *w, int lanes, fg_shuffle_form form, const char *const operand[2], const int *index) {
  int32_t from[FG_MAX_LANES];
  for (int l = 0; l < lanes; l++) from[l] = index[l];
  fg_instr i = fg_coder_instr(FG_CODE_SHUFFLE, FG_CODE_REAL, lanes);
  i.list = fg_coder_list(coder(w), from, lanes), i.imm.i = form;
  i.a = fg_coder_value(coder(w), operand[0]);
  i.b = operand[1] == operand[0] ? i.a : fg_coder_value(coder(w), operand[1]);
  return fg_coder_add(coder(w), i);
}

/* Neighbours that change places may be spelled as words, whose type is declared then. */
static void note_swap(fg_writer *w, int lanes, const char *a, const char *b, const int *index) {
  bool swap = !w->e->padded && !strcmp(a, b);
  for (int i = 0; i < lanes && swap; i++) swap = index[i] == (i ^ 1);
  if (swap && fg_spell_swap_row(w->e, lanes)) w->e->swaps |= (uint64_t)lanes;
}

const char *fg_value_shuffle(fg_writer *w, int lanes, const char *a, const char *b, const int *index) {
  note_swap(w, lanes, a, b, index);
  return pick(w, lanes, FG_SHUFFLE_ANY, (const char *const[]){a, b}, index);
}

const char *fg_value_swap(fg_writer *w, int lanes, const char *a) {
  int index[2 * FG_MAX_LANES];
  for (int i = 0; i < lanes; i++) index[i] = i ^ 1;
  return fg_value_shuffle(w, lanes, a, a, index);
}

const char *fg_value_alternate(fg_writer *w, int lanes, const char *a, const char *b) {
  fg_marks both = {.a = a, .b = b};
  int index[2 * FG_MAX_LANES];
  for (int i = 0; i < lanes; i++) index[i] = i % 2 ? lanes + i : i;
  const char *less = fg_value_op(w, FG_OP_SUB, lanes, &both), *more = fg_value_op(w, FG_OP_ADD, lanes, &both);
  return pick(w, lanes, FG_SHUFFLE_ALTERNATE, (const char *const[]){less, more}, index);
}

const char *fg_value_join(fg_writer *w, int lanes, const char *low, const char *high) {
  int index[2 * FG_MAX_LANES];
  for (int l = 0; l < lanes; l++) index[l] = l;
  return pick(w, lanes, FG_SHUFFLE_JOIN, (const char *const[]){low, high}, index);
}

static const char *neighbours(fg_writer *w, int lanes, fg_shuffle_form form, const char *wide, int first) {
  int index[FG_MAX_LANES];
  for (int l = 0; l < lanes; l++) index[l] = first + l;
  return pick(w, lanes, form, (const char *const[]){wide, wide}, index);
}

const char *fg_value_part(fg_writer *w, int lanes, const char *wide, int first) {
  return neighbours(w, lanes, FG_SHUFFLE_PART, wide, first);
}

const char *fg_value_piece(fg_writer *w, int lanes, const char *wide, int first) {
  return neighbours(w, lanes, FG_SHUFFLE_PIECE, wide, first);
}

/* ---- memory ------------------------------------------------------------------------------- */

const char *fg_value_at(fg_writer *w, const char *element) {
  return fg_coder_real(coder(w), FG_CODE_LOAD, 1, (const char *const[]){element, NULL, NULL});
}

const char *fg_value_at_if(fg_writer *w, const char *condition, const char *element) {
  return fg_coder_real(coder(w), FG_CODE_LOAD, 1, (const char *const[]){element, condition, NULL});
}

const char *fg_value_load(fg_writer *w, int lanes, const char *pointer) {
  return fg_coder_real(coder(w), FG_CODE_LOAD, lanes, (const char *const[]){pointer, NULL, NULL});
}

void fg_value_put(fg_writer *w, const char *element, const char *value) { fg_value_store(w, 1, false, element, value); }

void fg_value_fetch(fg_writer *w, const char *pointer, fg_prefetch_how how) {
  fg_instr i = fg_coder_instr(FG_CODE_FETCH, FG_CODE_NONE, 0);
  i.imm.i = how;
  fg_coder_add_of(coder(w), i, pointer, NULL, NULL);
}

void fg_value_store(fg_writer *w, int lanes, bool stream, const char *pointer, const char *value) {
  fg_instr i = fg_coder_instr(stream ? FG_CODE_STREAM : FG_CODE_STORE, FG_CODE_NONE, lanes);
  fg_coder_add_of(coder(w), i, pointer, value, NULL);
}

/* Products of matrices by a warp. In: fragments of values, a shape. Out: instructions; what languages need ahead of
 * them.
 *
 * The idea: the table of shapes says by digits which element a lane holds. Addresses are made of these digits here, the
 * proof gathers and deals out elements by the same ones. */
#include "generator/text/matrix.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/spell.h"

const char *fg_coder_thread(fg_coder *c) { return fg_coder_add(c, fg_coder_instr(FG_CODE_THREAD, FG_CODE_INDEX, 1)); }

const char *fg_coder_from_lane(fg_coder *c, const char *type, const char *name, const char *x, int bits) {
  fg_instr i = fg_coder_instr(FG_CODE_FROM_LANE, FG_CODE_REAL, 1);
  i.imm.i = bits;
  fg_coder_name(c, type, name, fg_coder_add_of(c, i, x, NULL, NULL));
  return name;
}

/* Digits `at` .. `at` + count - 1 of the lane's number, as digits `place` and up. */
static const char *lane_part(fg_coder *c, const char *lane, int at, int count, int place) {
  const char *x = at ? fg_coder_index(c, FG_CODE_SHR, lane, fg_coder_int(c, at)) : lane;
  if (at + count < FG_MATRIX_LANE_DIGITS) x = fg_coder_index(c, FG_CODE_AND, x, fg_coder_int(c, (1 << count) - 1));
  return place ? fg_coder_index(c, FG_CODE_MUL, x, fg_coder_int(c, 1 << place)) : x;
}

const char *fg_coder_matrix_index(fg_coder *c, const fg_matrix_shape *s, fg_matrix_operand of, char axis,
                                  const char *lane, int element) {
  fg_matrix_digit digit[FG_MATRIX_DIGITS];
  int own = fg_matrix_index(s, of, axis, 0, element);
  const char *sum = NULL;
  fg_matrix_digits(s, of, digit);
  for (int at = 0, count; at < FG_MATRIX_LANE_DIGITS; at += count) {
    for (count = 1; at + count < FG_MATRIX_LANE_DIGITS && digit[at + count].axis == digit[at].axis; count++)
      if (digit[at + count].place != digit[at].place + count) break;
    if (digit[at].axis != axis) continue;
    const char *part = lane_part(c, lane, at, count, digit[at].place);
    sum = sum ? fg_coder_index(c, FG_CODE_ADD, sum, part) : part;
  }
  if (!sum || !own) return sum ? sum : fg_coder_int(c, own);
  return fg_coder_index(c, FG_CODE_ADD, sum, fg_coder_int(c, own));
}

const char *fg_coder_fragment(fg_coder *c, const char *const *number, int count) {
  int32_t value[UINT8_MAX];
  for (int i = 0; i < count; i++) value[i] = fg_coder_value(c, number[i]);
  fg_instr i = fg_coder_instr(FG_CODE_MAKE, FG_CODE_FRAGMENT, count);
  i.list = fg_coder_list(c, value, count);
  return fg_coder_add(c, i);
}

void fg_coder_matrix_product(fg_coder *c, fg_matrix shape, const char *type, const char *name, fg_matrix_factors of) {
  int sums = fg_matrix_elements(fg_matrix_find(shape), FG_MATRIX_C);
  fg_instr i = fg_coder_instr(FG_CODE_MATRIX_PRODUCT, FG_CODE_FRAGMENT, sums);
  i.imm.i = (int64_t)shape;
  fg_coder_name(c, type, name, fg_coder_add_of(c, i, of.a, of.b, of.c));
}

/* ---- languages --------------------------------------------------------------------------- */

const char *fg_spell_matrix_refusal(fg_context *cx, const fg_dialect *d, const fg_machine *m, fg_matrix shape) {
  const char *name = fg_matrix_find(shape)->name;
  if (!d->matrix) return fg_arena_printf(cx->arena, "%s: no matrix products (%s)", d->name, name);
  if (!m->matrix) return fg_arena_printf(cx->arena, "%s: its warps do not multiply matrices (%s)", m->name, name);
  return NULL;
}

const char *fg_spell_fragment_type(const fg_emitter *e, const fg_matrix_shape *s, fg_matrix_operand of) {
  return e->d->matrix ? fg_spell(e, fg_matrix_elements(s, of), e->d->matrix->type, (fg_marks){0}) : NULL;
}

void fg_spell_matrix_preamble(const fg_emitter *e, fg_matrix shape, fg_strbuf *out) {
  const fg_matrix_shape *s = fg_matrix_find(shape);
  const fg_matrix_form *form = e->d->matrix;
  bool declared[UINT8_MAX + 1] = {false};
  for (int of = 0; of < FG_MATRIX_OPERANDS; of++) {
    int elements = fg_matrix_elements(s, (fg_matrix_operand)of);
    if (!declared[elements]) fg_strbuf_add(out, fg_spell(e, elements, form->declare, (fg_marks){0}));
    declared[elements] = true;
  }
  int length = form->function(s, NULL, 0);
  char *text = fg_arena_alloc(e->cx->arena, (size_t)length + 1);
  form->function(s, text, (size_t)length + 1);
  fg_strbuf_add(out, text);
}

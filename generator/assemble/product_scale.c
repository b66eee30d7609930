/* The scale of a convolution, with the product where numbers between passes are halves.
 *
 * In: a stage. Out: the same, whose inputs are smaller if they are the problem's, and whose results have the scale if
 * it multiplies by the spectrum. The idea: a transform back that begins with scaled numbers has no larger ones than
 * inputs times the spectrum, and sums of the transform forward stay small if its inputs do; n times as large, a half
 * does not hold them. 65536 reals, whose last radix is 16, may be 1000 in the mean, and 2^-10 keeps its digits. */
#include "generator/assemble/product_scale.h"
#include "generator/assemble/pitch.h"

bool fg_build_scales_product(const fg_builder *b) {
  const fg_problem *q = &b->program->problem;
  return fg_problem_kind_convolves(q->kind) && q->scale != FG_SCALE_NONE && fg_build_kept(b) != q->compute;
}

static bool is_given(const fg_builder *b, const fg_view *v) {
  return v && b->program->buffer[v->buffer].space == FG_SPACE_GIVEN;
}

bool fg_build_scale_product(fg_builder *b, fg_stage *stage, const fg_stage_form *form) {
  if (!fg_build_scales_product(b)) return false;
  bool convolves = form->codelet && fg_codelet_convolves(form->codelet->key.kind); /* a copy has no codelet */
  if (!convolves || !(is_given(b, form->more) || is_given(b, form->table))) return true;
  if (form->out->ends) return false; /* all of it is in registers */
  fg_operations *stored = fg_arena_new(b->cx->arena, fg_operations, 1);
  fg_expression *value = fg_arena_new(b->cx->arena, fg_expression, 1);
  const fg_operation_row *row = fg_operation_find("scale_up");
  stored->parts = fg_buffer_parts(&b->program->buffer[stage->store.buffer]);
  fg_expression_of_row(row, stored->parts == 2, value);
  stored->operation[stored->count++] = (fg_operation){.row = row, .value = value};
  stage->operations.stored = stored;
  return true;
}

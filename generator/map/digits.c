/* Digits of stages while roles are assigned. In: a stage, and a digit of its kernel. Out: the stage with a digit more,
 * or less, or another one in its place, in every address and condition. */
#include "generator/map/digits.h"
#include <string.h>

bool fg_map_is_batch(const fg_kernel *k, int16_t digit) { return k->digit[digit].div < 0; }

int fg_map_batch_axis(const fg_kernel *k, int16_t digit) { return (int)-k->digit[digit].div - 1; }

void fg_map_change_access(fg_access *a, fg_map_change *how, int16_t digit, int64_t by) {
  how(&a->index.at, digit, by);
  how(&a->index.base, digit, by);
  for (int i = 0; i < a->index.nwrap; i++) how(&a->index.wrap[i].position, digit, by);
  for (int i = 0; i < a->npred; i++) how(&a->pred[i].value, digit, by);
}

static void change_stage(fg_stage *s, fg_map_change *how, int16_t digit, int64_t by) {
  fg_access *a;
  for (int n = 0; (a = fg_stage_access(s, n)); n++) fg_map_change_access(a, how, digit, by);
}

void fg_map_rename_terms(fg_affine *a, int16_t from, int64_t to) { fg_affine_rename(a, from, (int16_t)to); }

void fg_map_rename_digit(fg_stage *s, int16_t from, int16_t to) {
  for (int i = 0; i < s->npred; i++) fg_affine_rename(&s->pred[i].value, from, to);
  change_stage(s, fg_map_rename_terms, from, to);
}

static void also_at(fg_affine *a, int16_t digit, int64_t extra) {
  fg_affine_add(a, (int16_t)extra, fg_affine_coef(a, digit));
}

void fg_map_split_terms(fg_stage *s, int16_t digit, int16_t extra) {
  for (int i = 0; i < s->npred; i++) also_at(&s->pred[i].value, digit, extra);
  change_stage(s, also_at, digit, extra);
}

void fg_map_scale_terms(fg_affine *a, int16_t digit, int64_t by) {
  for (int i = 0; i < a->nterm; i++)
    if (a->term[i].digit == digit) a->term[i].coef = fg_num_scaled(a->term[i].coef, by);
}

void fg_map_count_by_one(fg_kernel *k, fg_stage *s, int16_t digit) {
  int64_t step = k->digit[digit].step;
  for (int i = 0; i < s->npred; i++) fg_map_scale_terms(&s->pred[i].value, digit, step);
  change_stage(s, fg_map_scale_terms, digit, step);
  k->digit[digit].step = 1;
}

bool fg_map_is_local(const fg_builder *b, int buffer) {
  int at = 0;
  while (b->kernels[at] != b->kernel) at++;
  if (b->program->buffer[buffer].local.kernel) return b->program->buffer[buffer].local.kernel == at + 1;
  bool after = buffer >= b->first_buffer[at];
  bool before = at + 1 == b->nkernel || buffer < b->first_buffer[at + 1];
  return fg_buffer_is_shared(&b->program->buffer[buffer]) && after && before;
}

void fg_map_drop_loop(fg_stage *s, int position) {
  memmove(&s->loop[position], &s->loop[position + 1], sizeof s->loop[0] * (size_t)(s->nloop - position - 1));
  s->nloop--;
}

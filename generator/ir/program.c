/* Programs: their machine, facts about buffers and stages in them, orders of roots. */
#include "generator/ir/program_machine.h"
#include "generator/problem/frames.h"
#include "generator/reference/checksum.h"
#include "generator/reference/definition.h"
#include "targets/machine/limits.h"

bool fg_program_is_constant(const fg_program *p, int buffer) {
  return p->buffer[buffer].space == FG_SPACE_TABLE || p->buffer[buffer].space == FG_SPACE_GIVEN;
}

bool fg_program_had_codelet(const fg_program *p, int kernel, int stage) {
  const fg_codelet *codelet = p->kernel[kernel]->stage[stage].codelet;
  for (int k = 0; k <= kernel; k++)
    for (int s = 0; s < (k == kernel ? stage : p->kernel[k]->nstage); s++)
      if (p->kernel[k]->stage[s].codelet == codelet) return true;
  return false;
}

int fg_program_rows_from(const fg_program *p, const fg_buffer *b, bool load, int lanes) {
  if (p->vectors.one_source) return 1;
  if (load && b->space == FG_SPACE_LOCAL) return lanes;
  bool pairs = b->elem == FG_ELEM_COMPLEX && b->layout == FG_LAYOUT_INTERLEAVED;
  int slots = (int)(fg_program_line(p) / 2 / ((pairs ? 2 : 1) * fg_precision_bytes(b->precision)));
  return slots < lanes ? slots : lanes;
}

bool fg_program_fetches_rows(const fg_program *p) {
  int64_t bytes = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  return fg_small_l2(p) && !p->problem.in_place && bytes >= limit->fetched_rows;
}

bool fg_stage_sends(const fg_program *p, const fg_stage *s) {
  return fg_buffer_is_distributed(&p->buffer[s->store.buffer]);
}

int16_t fg_buffer_root(const fg_program *p, int buffer) {
  while (p->buffer[buffer].alias >= 0) buffer = p->buffer[buffer].alias;
  return (int16_t)buffer;
}

bool fg_program_goes_on(const fg_program *p, const fg_access *a) {
  if (a->rest->buffer == a->buffer) return true;
  if (a->rest->buffer < 0 || a->rest->buffer >= p->nbuffer) return false;
  const fg_buffer *from = &p->buffer[a->buffer], *to = &p->buffer[a->rest->buffer];
  if (fg_program_is_constant(p, a->buffer) && fg_program_is_constant(p, a->rest->buffer)) return from->elem == to->elem;
  return to->space == FG_SPACE_LOCAL && fg_buffer_is_like(from, to) && from->precision == to->precision;
}

static uint64_t table_order(const fg_table *t) {
  if (fg_table_is_index(t)) return 4;
  uint64_t order = fg_integer_lcm(4, (uint64_t)fg_table_root_order(t));
  return fg_table_is_sum(t) ? fg_integer_lcm(order, fg_field_dft_order(t->cols)) : order;
}

static uint64_t own_order(const fg_program *p) {
  uint64_t order = 4;
  for (int i = fg_problem_has_frames(&p->problem); i < p->problem.rank; i++)
    order = fg_integer_lcm(order, 8 * (uint64_t)p->problem.dim[i].n.n);
  for (int i = 0; i < p->ntable; i++) order = fg_integer_lcm(order, table_order(&p->table[i]));
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++)
      if (p->kernel[i]->stage[s].codelet)
        order = fg_integer_lcm(order, fg_codelet_order(p->kernel[i]->stage[s].codelet));
  return order;
}

uint64_t fg_program_order(const fg_program *p) {
  uint64_t own = own_order(p), order = fg_integer_lcm(own, fg_definition_order(&p->problem));
  bool roomy = order && order <= FG_FIELD_ALWAYS;
  return roomy || !fg_sums_possible(&p->problem) ? order : own;
}

/* An operation may make complex results real. */
int fg_stage_result_parts(const fg_program *p, const fg_stage *s) {
  return s->operations.stored ? s->operations.stored->parts : fg_buffer_parts(&p->buffer[s->store.buffer]);
}

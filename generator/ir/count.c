/* Counts of a program: operations, bytes that move, memory, as its kernels say. */
#include "generator/ir/count.h"
#include <string.h>

/* Turns of which a condition holds in one: the first, or the last; 1: it is none of these. */
static int64_t turns_for_one(const fg_kernel *k, const fg_pred *p, const int64_t *params) {
  int64_t turns = 1, least = fg_num_value(p->value.offset, params), step = INT64_MAX;
  for (int i = 0; i < p->value.nterm; i++) {
    const fg_digit *d = &k->digit[p->value.term[i].digit];
    int64_t extent = fg_digit_extent(d, params), coef = fg_num_value(p->value.term[i].coef, params);
    if (!d->turns || p->mod || extent < 1) return 1;
    turns *= extent;
    if (coef < 0) least += coef * (extent - 1), coef = -coef;
    if (extent > 1 && coef < step) step = coef;
  }
  int64_t bound = fg_num_value(p->bound, params);
  return turns > 1 && least < bound && least >= bound - step ? turns : 1;
}

int64_t fg_stage_instances(const fg_kernel *k, const fg_stage *s, const int64_t *params) {
  int64_t count = 1;
  for (int i = 0; i < k->nouter; i++)
    if (k->digit[k->outer[i]].role != FG_ROLE_RING) count *= fg_digit_extent(&k->digit[k->outer[i]], params);
  for (int i = 0; i < s->nloop; i++) {
    const fg_digit *d = &k->digit[s->loop[i]];
    bool is_guard = d->role == FG_ROLE_THREAD && strcmp(d->name, FG_GUARD_DIGIT) == 0;
    if (!is_guard) count *= fg_digit_extent(d, params);
  }
  for (int i = 0; i < s->npred; i++) count /= turns_for_one(k, &s->pred[i], params);
  return count;
}

int64_t fg_kernel_operations(const fg_kernel *k, const int64_t *params) {
  int64_t sum = 0;
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    int64_t each = fg_access_slots(k, &s->load) + fg_access_slots(k, &s->store);
    sum += fg_stage_instances(k, s, params) * (each + (s->codelet ? s->codelet->nnode : 0));
  }
  return sum;
}

static void count_access(const fg_program *p, const fg_access *a, int64_t elements, fg_program_cost *out) {
  const fg_buffer *b = &p->buffer[a->buffer];
  int64_t bytes = elements * (b->size ? fg_buffer_bytes(b) / b->size : 0);
  if (fg_buffer_is_of_lanes(b)) return;
  if (b->space == FG_SPACE_LOCAL)
    out->local_bytes += bytes;
  else
    out->bytes += bytes;
  if (b->space == FG_SPACE_TABLE) out->table_moves += bytes;
}

/* A copy whose loads never happen. */
static bool fills_zeros(const fg_stage *s) {
  const fg_pred *never = &s->load.pred[0];
  return !s->codelet && s->load.npred && !never->value.nterm && fg_num_is(never->bound, 0);
}

static void count_value(const fg_expression *e, int64_t elements, fg_program_cost *out) {
  for (int i = 0; i < e->count; i++) {
    fg_expression_op op = e->term[i].op;
    if (op == FG_TERM_ADD || op == FG_TERM_SUB || op == FG_TERM_NEG) out->add += elements;
    if (op == FG_TERM_MUL || op == FG_TERM_CALL) out->mul += elements;
  }
}

static void count_stage(const fg_program *p, const fg_kernel *k, const fg_stage *s, const int64_t *params,
                        fg_program_cost *out) {
  int64_t count = fg_stage_instances(k, s, params);
  int64_t loads = fg_access_slots(k, &s->load), stores = fg_access_slots(k, &s->store);
  if (s->factors
          .matrix) { /* sums and differences of inputs, their products with cosines and sines, and of these again */
    int64_t side = s->codelet->key.n / 2 + 1;
    out->add += count * 8 * side;
    out->fma += count * 4 * side * side;
  } else if (s->codelet) {
    out->add += count * (s->codelet->count.add + s->codelet->count.neg);
    out->mul += count * s->codelet->count.mul;
    out->fma += count * s->codelet->count.fma;
  }
  if (!fills_zeros(s)) count_access(p, &s->load, count * loads, out);
  count_access(p, &s->store, count * stores, out);
  if (s->factors.has_twiddle)
    count_access(p, &s->factors.twiddle, count * k->digit[s->factors.twiddle.reg].extent.n, out);
  if (s->factors.has_more) count_access(p, &s->factors.more, count * fg_access_slots(k, &s->factors.more), out);
  out->mul += 2 * count * fg_stage_products(s);
  out->fma += 2 * count * fg_stage_products(s);
  for (int side = 0; side < 2; side++) {
    const fg_operations *operations = side ? s->operations.stored : s->operations.loaded;
    int64_t elements = count * (side ? stores : loads);
    for (int i = 0; operations && i < operations->count; i++) {
      if (operations->operation[i].has_operand) count_access(p, &operations->operation[i].operand, elements, out);
      count_value(operations->operation[i].value, elements, out);
    }
  }
  out->passes++;
}

void fg_program_count(const fg_program *p, fg_program_cost *out) {
  int64_t params[FG_MAX_PARAMS];
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  *out = (fg_program_cost){0};
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) count_stage(p, p->kernel[i], &p->kernel[i]->stage[s], params, out);
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    int64_t bytes = b->alias < 0 ? fg_buffer_bytes(b) : 0;
    if (fg_buffer_is_of_lanes(b)) continue;
    if (b->space == FG_SPACE_LOCAL) out->local_size += bytes;
    if (b->space == FG_SPACE_LOCAL || b->space == FG_SPACE_WORK) out->scratch_bytes += bytes;
    if (b->space == FG_SPACE_TABLE) out->table_bytes += bytes;
  }
  out->flops = out->add + out->mul + 2 * out->fma;
}

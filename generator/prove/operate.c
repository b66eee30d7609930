/* Load and store operations in a walk. In: elements in rows, from memory or from the codelet. Out: the same rows
 * after the operations, in each number system. */
#include "generator/prove/operate.h"
#include "generator/prove/values.h"
#include "generator/reference/operation_values.h"

/* A codelet that takes elements for zeros does not load them, nor what they would be operated with. */
static bool is_used(const fg_prove_rows *r, int slot) {
  int number = r->parts * (r->first + slot);
  return !r->reads || r->reads[number] || r->reads[number + r->parts - 1];
}

static bool operand_in_bounds(fg_vm *m, const fg_simd_group *b, const fg_moves *x, const fg_prove_rows *r) {
  for (int k = 0; k < x->operations->count; k++)
    for (int s = 0; s < x->slots && x->operand[k]; s++)
      for (int i = 0; i < b->width; i++) {
        int buffer = x->operations->operation[k].operand.buffer;
        if (!fg_program_is_constant(m->p, buffer)) return fg_prove_stop(m, "an operand that is no constant");
        bool read = x->operand_on[k][s * b->width + i] && is_used(r, s);
        if (read && !fg_prove_in_bounds(m, buffer, x->operand[k][s * b->width + i], false)) return false;
      }
  return true;
}

/* Part `part` as a number of its own. */
static fg_any part_of(const fg_system *s, fg_any x, int part) {
  fg_any y = {0};
  if (s->field)
    y.gf.re = part ? x.gf.im : x.gf.re;
  else
    y.quad.re = part ? x.quad.im : x.quad.re;
  return y;
}

/* Part `part` of what is taken; of one real number for two elements the same. */
static void parts_of(const fg_system *s, const fg_any *taken, const int *parts, int count, int part, fg_any *out) {
  for (int o = 0; o < count; o++) out[o] = part_of(s, taken[o], part && parts[o] == 2);
}

/* Two real elements. */
static fg_any operate_both(const fg_system *s, const fg_expression *value, fg_any x, const fg_any *taken,
                           const int *parts) {
  fg_any own[FG_MAX_OPERANDS];
  parts_of(s, taken, parts, value->noperand, 0, own);
  fg_any re = fg_operation_values_apply(s, value, part_of(s, x, 0), own);
  parts_of(s, taken, parts, value->noperand, 1, own);
  fg_any im = fg_operation_values_apply(s, value, part_of(s, x, 1), own);
  if (s->field) return (fg_any){.gf = {re.gf.re, im.gf.re}};
  return (fg_any){.quad = {re.quad.re, im.quad.re}};
}

/* What operation k brings. */
static fg_any brought(const fg_vm *m, const fg_moves *x, int64_t at, int prime, const fg_system *system, int k,
                      int *parts) {
  const fg_operation *operation = &x->operations->operation[k];
  fg_any taken = {0};
  *parts = 1;
  if (operation->row->takes == FG_TAKES_SYMBOL) return fg_operation_values_scale(system, &m->p->problem);
  if (!x->operand[k]) return taken;
  *parts = fg_buffer_parts(&m->p->buffer[operation->operand.buffer]);
  if (!x->operand_on[k][at]) return taken;
  if (system->field)
    taken.gf = fg_value_constant(m, operation->operand.buffer, prime, x->operand[k][at]);
  else
    taken.quad = m->real_table[operation->operand.buffer][x->operand[k][at]];
  return taken;
}

/* One number system, one element; complex: its row afterwards has two parts. */
static void operate_one(const fg_vm *m, const fg_moves *x, int64_t at, int prime, fg_any *v, bool *complex) {
  fg_system system = {.field = prime < m->primes ? &m->field[prime] : NULL};
  const fg_operation *list = x->operations->operation;
  for (int k = 0; k < x->operations->count; k++) {
    const fg_expression *value = list[k].value;
    fg_any taken[FG_MAX_OPERANDS];
    int parts[FG_MAX_OPERANDS];
    for (int o = 0; o < value->noperand; o++)
      taken[o] = brought(m, x, at, prime, &system, fg_operation_bringing(list, k, o), &parts[o]);
    if (x->operations->two_by_two) {
      *v = operate_both(&system, value, *v, taken, parts);
      continue;
    }
    *v = fg_operation_values_apply(&system, value, *v, taken);
    *complex = *complex && value->result[1] >= 0;
  }
}

/* Elements become what the stage's operations make of them, in their rows. */
bool fg_prove_operate(fg_vm *m, const fg_simd_group *b, const fg_moves *x, const fg_prove_rows *r) {
  if (!x->operations) return true;
  if (!operand_in_bounds(m, b, x, r)) return false;
  for (int s = 0; s < x->slots; s++)
    for (int i = 0; i < b->width; i++)
      for (int prime = 0; b->active[i] && is_used(r, s) && prime < (m->reals ? 1 : m->primes); prime++) {
        int64_t e = r->first + s, re = r->parts * e * b->width + i, im = r->parts == 2 ? re + b->width : re;
        bool complex = r->parts == 2;
        fg_any v;
        if (m->reals)
          v.quad = (fg_quadc){r->real[re], r->real[im]};
        else
          v.gf = (fg_gfc){r->gf[prime][re], r->gf[prime][im]};
        operate_one(m, x, s * b->width + i, m->reals ? m->primes : prime, &v, &complex);
        if (r->parts == 2 && !complex) re = e * b->width + i, im = re;
        if (m->reals)
          r->real[im] = v.quad.im, r->real[re] = v.quad.re;
        else
          r->gf[prime][im] = v.gf.im, r->gf[prime][re] = v.gf.re;
      }
  return true;
}

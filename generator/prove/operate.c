/* Load and store operations in a walk. In: elements in rows, from memory or from the codelet. Out: the same rows
 * after the operations, in each number system. */
#include "generator/prove/operate.h"
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

/* Two real elements, that many parts of what is taken. */
static fg_any operate_both(const fg_system *s, const fg_operation_row *row, fg_any x, fg_any taken, int parts) {
  fg_any re = fg_operation_values_apply(s, row, false, part_of(s, x, 0), part_of(s, taken, 0));
  fg_any im = fg_operation_values_apply(s, row, false, part_of(s, x, 1), part_of(s, taken, parts == 2));
  if (s->field) return (fg_any){.gf = {re.gf.re, im.gf.re}};
  return (fg_any){.quad = {re.quad.re, im.quad.re}};
}

/* One number system, one element; complex: its row afterwards has two parts. */
static void operate_one(const fg_vm *m, const fg_moves *x, int64_t at, int prime, fg_any *v, bool *complex) {
  fg_system system = {.field = prime < m->primes ? &m->field[prime] : NULL};
  for (int k = 0; k < x->operations->count; k++) {
    const fg_operation *operation = &x->operations->operation[k];
    fg_any taken = {0};
    if (operation->row->takes == FG_TAKES_SYMBOL) taken = fg_operation_values_scale(&system, &m->p->problem);
    bool on = x->operand[k] && x->operand_on[k][at]; /* else zero */
    if (on && system.field) taken.gf = m->table[operation->operand.buffer][prime][x->operand[k][at]];
    if (on && !system.field) taken.quad = m->real_table[operation->operand.buffer][x->operand[k][at]];
    if (x->operations->two_by_two) {
      int parts = x->operand[k] ? fg_buffer_parts(&m->p->buffer[operation->operand.buffer]) : 1;
      *v = operate_both(&system, operation->row, *v, taken, parts);
      continue;
    }
    *v = fg_operation_values_apply(&system, operation->row, *complex, *v, taken);
    *complex = *complex && operation->row->im;
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

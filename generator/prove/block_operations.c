/* Operations of samples. In: a problem's load and store operations. Out: inputs whose operations make the sample's, and
 * what outputs are behind the transform's results.
 *
 * The idea: loads that are linear in each element are factors, of the scale, of windows, of the caller's arrays, and
 * none of them is zero: so each input is what it should be for the transform, over its factor. Stores may be anything.
 */
#include "generator/prove/block_operations.h"
#include "generator/problem/shape.h"
#include "generator/prove/block_sample.h"
#include "generator/reference/operation_values.h"

enum { TRIED = 16 /* elements, by which it is seen that loads are linear: all have one expression */ };

/* On elements by themselves, and which of them an array has. */
static bool is_single(const fg_operation_row *row) {
  return row->act == FG_ACT_VALUE || row->act == FG_ACT_STORED || row->act == FG_ACT_PAD || row->act == FG_ACT_CROP;
}

bool fg_block_operations_fit(const fg_problem *q) {
  bool fit = true;
  for (int i = 0; i < q->nload; i++) {
    const fg_operation_row *row = fg_operation_find(q->load[i].name);
    fit = fit && is_single(row) && !row->makes_real && !q->load[i].makes_real;
  }
  for (int i = 0; i < q->nstore; i++) fit = fit && is_single(fg_operation_find(q->store[i].name));
  return fit;
}

/* An element of an array among the transform's. */
static int64_t number_of(const fg_vm *m, bool output, int64_t element) {
  const fg_problem *q = &m->p->problem;
  const fg_tensor_side *side = (output ? m->sample->form.out : m->sample->form.in) + q->batch_rank;
  int64_t number = 0, apart = 1;
  for (int d = q->rank - 1; d >= 0; d--) {
    number += apart * fg_tensor_number(&side[d], element % side[d].length);
    element /= side[d].length;
    apart *= side[d].span;
  }
  return number;
}

static fg_gfc loaded(const fg_vm *m, int prime, int64_t element, fg_gfc x) {
  return fg_operation_values_one(m->loaded[prime], number_of(m, false, element), (fg_any){.gf = x}).gf;
}

static bool are_equal(fg_gfc x, fg_gfc y) { return x.re == y.re && x.im == y.im; }

/* Twice as much for twice as much, the same turned for what is turned, and nothing for nothing. */
static bool is_factor(const fg_vm *m, int prime, int64_t element, uint64_t *random) {
  const fg_field *f = &m->field[prime];
  bool real = fg_problem_is_real(&m->p->problem, false);
  fg_gfc x = {fg_gf_random(random), real ? 0 : fg_gf_random(random)}, one = {f->one, 0};
  fg_gfc factor = loaded(m, prime, element, one), y = loaded(m, prime, element, x);
  bool whole = !real || !factor.im;
  return whole && (factor.re || factor.im) && are_equal(y, fg_gfc_mul(f, factor, x)) &&
         are_equal(loaded(m, prime, element, (fg_gfc){0, 0}), (fg_gfc){0, 0});
}

bool fg_block_operations_create(fg_vm *m) {
  const fg_problem *q = &m->p->problem;
  uint64_t random = m->seed ^ 0x6f7065726174;
  int64_t inputs = fg_problem_elements(q, false);
  if (!q->nload && !q->nstore) return true;
  for (int i = 0; i < m->primes; i++) {
    fg_system *s = fg_arena_new(m->cx->arena, fg_system, 1);
    *s = (fg_system){.field = &m->field[i], .which = {0, m->params}};
    m->loaded[i] = fg_operation_values_elements(m->cx, s, q, false);
    m->stored[i] = fg_operation_values_elements(m->cx, s, q, true);
    for (int k = 0; k < TRIED; k++) {
      int64_t element = k ? (int64_t)fg_random_below((uint64_t)inputs, &random) : inputs - 1;
      if (!is_factor(m, i, element, &random)) return false;
    }
  }
  return true;
}

fg_gfc fg_block_operations_input(const fg_vm *m, int prime, int64_t element, fg_gfc x) {
  const fg_field *f = &m->field[prime];
  if (!m->loaded[prime] || (!x.re && !x.im)) return x;
  fg_gfc by = loaded(m, prime, element, (fg_gfc){f->one, 0}), conj = {by.re, fg_gf_neg(f, by.im)};
  fg_gf norm = fg_gf_add(f, fg_gf_mul(f, by.re, by.re), fg_gf_mul(f, by.im, by.im));
  fg_gf inverse = fg_gf_inv(f, norm);
  x = fg_gfc_mul(f, x, conj);
  return (fg_gfc){fg_gf_mul(f, x.re, inverse), fg_gf_mul(f, x.im, inverse)};
}

fg_gfc fg_block_operations_result(const fg_vm *m, int prime, int64_t element, fg_gfc y) {
  if (!m->stored[prime]) return y;
  return fg_operation_values_one(m->stored[prime], number_of(m, true, element), (fg_any){.gf = y}).gf;
}

/* The prime factor algorithm: n = a b with coprime a and b, without twiddle factors.
 *
 * In: a task, two plans. Out: stages: b transforms of a points, then a transforms of b points. The idea: element (b j
 * + a i) modulo n of the input is number j of transform i. The results are those of a two-dimensional transform, k of
 * a and l of b, and number (k, l) is the element that is k modulo a and l modulo b. All reordering is in addresses,
 * which are reduced modulo n.
 *
 * Good, J. Royal Statistical Society B 20 (1958); Thomas (1963). */
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/steps.h"

/* x with a x = 1 modulo n, for a without a common factor with n > 0. */
static int64_t inverse(int64_t a, int64_t n) {
  int64_t r = n, x = 0, next_r = a % n, next_x = 1;
  while (next_r) {
    int64_t q = r / next_r, t = r - q * next_r;
    r = next_r, next_r = t;
    t = x - q * next_x;
    x = next_x, next_x = t;
  }
  return ((x % n) + n) % n;
}

/* The view's elements modulo n: `step` from one to the next, `key` along the axis
 * that is pushed next. */
static fg_view reduced(const fg_builder *b, const fg_view *v, int64_t n, int64_t step, int64_t key) {
  fg_view r = *v;
  r.mod = n;
  r.step = step;
  r.key[b->naxis] = key;
  r.coef[b->naxis] = fg_num_const(0);
  return r;
}

static fg_view matrix(const fg_builder *b, const fg_view *v, int64_t stride, int64_t side) {
  fg_view m = *v;
  m.stride = fg_num_scaled(v->stride, stride);
  m.coef[b->naxis] = fg_num_scaled(v->stride, side);
  return m;
}

static fg_status build_side(fg_builder *b, const fg_plan *plan, const fg_task *task, int64_t count) {
  fg_build_inner_axis(b, count);
  fg_status status = fg_build_plan(b, plan, task);
  b->naxis--;
  return status;
}

fg_status fg_build_prime_factor(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int64_t n = t->n, a = fg_plan_length(plan->child[0]), c = fg_plan_length(plan->child[1]);
  if (t->in.mod || t->out.mod || t->in.lookup || t->out.lookup) return FG_ENA;
  int64_t unit_a = c * inverse(c, a) % n, unit_c = a * inverse(a, c) % n; /* 1 modulo a and 0 modulo c; and so on */
  fg_view work = fg_build_scratch(b, n);
  fg_task first = {.n = a, .sign = t->sign};
  first.in = reduced(b, &t->in, n, c, a);
  first.out = matrix(b, &work, c, 1);
  fg_status status = build_side(b, plan->child[0], &first, c);
  if (status != FG_OK) return status;
  fg_task second = {.n = c, .sign = t->sign};
  second.in = matrix(b, &work, 1, c);
  second.out = reduced(b, &t->out, n, unit_c, unit_a);
  return build_side(b, plan->child[1], &second, a);
}

/* Digits, addresses and predicates: their meaning, in one place. The proof, the counters and the printing of a
 * kernel all use these functions. */
#include "generator/ir/index.h"
#include "generator/base/invariant.h"

int64_t fg_digit_extent(const fg_digit *d, const int64_t *params) { return fg_num_value(d->extent, params); }

int64_t fg_digit_value(const fg_digit *d, int64_t counter, const int64_t *params) {
  int64_t moved = counter * d->step;
  return fg_num_value(d->start, params) + (moved < d->last ? moved : d->last);
}

bool fg_digit_is_clipped(const fg_digit *d) {
  return d->last != INT64_MAX && (d->extent.form != FG_NUM_CONST || (d->extent.n - 1) * d->step > d->last);
}

int64_t fg_digit_parts(const fg_digit *d, int64_t extent) { return fg_digit_is_clipped(d) ? extent - 1 : extent; }

int64_t fg_digit_part(const fg_digit *d, int64_t value) {
  return fg_digit_is_clipped(d) && value == d->last ? (d->extent.n - 2) * d->step : value;
}

int64_t fg_affine_value(const fg_affine *a, const int64_t *value, const int64_t *params) {
  int64_t sum = fg_num_value(a->offset, params);
  for (int t = 0; t < a->nterm; t++) sum += fg_num_value(a->term[t].coef, params) * value[a->term[t].digit];
  return sum;
}

int64_t fg_digit_swap_value(const fg_digit_swap *x, int64_t v) {
  int64_t differ = v < 0 ? 0 : (v / x->low ^ v / x->high) & (x->count - 1);
  return v ^ differ * (x->low + x->high);
}

int64_t fg_index_value(const fg_index *x, const int64_t *value, const int64_t *params, const int32_t *const *tables) {
  int64_t v = fg_affine_value(&x->at, value, params);
  for (int i = 0; i < x->nwrap; i++) {
    const fg_wrap *w = &x->wrap[i];
    v += fg_wrap_gain(w, fg_affine_value(&w->position, value, params)) * fg_num_value(w->stride, params);
  }
  if (x->mod) v = (v % x->mod + x->mod) % x->mod;
  if (x->lookup >= 0) v = tables[x->lookup][v];
  if (fg_index_is_bent(x))
    v = fg_affine_value(&x->base, value, params) + (x->scale.n ? fg_num_value(x->scale, params) : 1) * v;
  if (x->pad_every) v += v / x->pad_every * x->pad_by;
  if (x->xor_mask) v ^= (v >> x->xor_shift) & x->xor_mask;
  if (x->swap.count && value[x->swap.phase]) v = fg_digit_swap_value(&x->swap, v);
  return v;
}

bool fg_preds_hold(const fg_pred *pred, int npred, const int64_t *value, const int64_t *params) {
  for (int i = 0; i < npred; i++)
    if (fg_pred_value(&pred[i], fg_affine_value(&pred[i].value, value, params)) >= fg_num_value(pred[i].bound, params))
      return false;
  return true;
}

bool fg_digit_steps_by(const fg_digit *d, fg_num coef, int64_t by) {
  if (coef.form != FG_NUM_CONST && coef.form != FG_NUM_PARAM) return false;
  if (coef.n % by == 0) return true;
  bool fixed = d->start.form == FG_NUM_CONST && (d->last == INT64_MAX || coef.n * d->last % by == 0);
  return fixed && coef.n * d->start.n % by == 0 && coef.n * d->step % by == 0;
}

fg_num fg_affine_coef(const fg_affine *a, int digit) {
  for (int t = 0; t < a->nterm; t++)
    if (a->term[t].digit == digit) return a->term[t].coef;
  return fg_num_const(0);
}

void fg_affine_add(fg_affine *a, int16_t digit, fg_num coef) {
  if (fg_num_is(coef, 0)) return;
  fg_invariant(a->nterm < FG_MAX_TERMS);
  a->term[a->nterm++] = (fg_term){digit, coef};
}

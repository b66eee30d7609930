/* Digits, addresses and predicates: their meaning, in one place. Whoever walks a
 * kernel (prover, counters) or prints it computes what these functions say. */
#include "generator/kernel.h"
#include <assert.h>

int64_t fg_digit_extent(const fg_digit *d, const int64_t *params) { return fg_num_value(d->extent, params); }

int64_t fg_digit_value(const fg_digit *d, int64_t counter, const int64_t *params) {
  int64_t moved = counter * d->step;
  return fg_num_value(d->start, params) + (moved < d->last ? moved : d->last);
}

int64_t fg_affine_value(const fg_affine *a, const int64_t *value, const int64_t *params) {
  int64_t sum = fg_num_value(a->offset, params);
  for (int t = 0; t < a->nterm; t++) sum += fg_num_value(a->term[t].coef, params) * value[a->term[t].digit];
  return sum;
}

int64_t fg_index_value(const fg_index *x, const int64_t *value, const int64_t *params, const int32_t *const *tables) {
  int64_t v = fg_affine_value(&x->at, value, params);
  if (x->mod) v = (v % x->mod + x->mod) % x->mod;
  if (x->pad_every) v += v / x->pad_every * x->pad_by;
  if (x->xor_mask) v ^= (v >> x->xor_shift) & x->xor_mask;
  if (x->lookup >= 0) v = tables[x->lookup][v];
  return v;
}

bool fg_preds_hold(const fg_pred *pred, int npred, const int64_t *value, const int64_t *params) {
  for (int i = 0; i < npred; i++)
    if (fg_affine_value(&pred[i].value, value, params) >= fg_num_value(pred[i].bound, params)) return false;
  return true;
}

int fg_stage_lanes(const fg_kernel *k, const fg_stage *s) { return s->lane < 0 ? 1 : (int)k->digit[s->lane].extent.n; }

void fg_affine_add(fg_affine *a, int16_t digit, fg_num coef) {
  if (fg_num_is(coef, 0)) return;
  assert(a->nterm < FG_MAX_TERMS);
  a->term[a->nterm++] = (fg_term){digit, coef};
}

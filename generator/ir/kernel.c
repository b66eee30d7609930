/* Digits, addresses and predicates: their meaning, in one place. Whoever walks a
 * kernel (prover, counters) or prints it computes what these functions say. */
#include "generator/ir/kernel.h"
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
    bool first = fg_affine_value(&w->position, value, params) < w->n - w->by;
    v += (first ? w->by : w->by - w->n) * fg_num_value(w->stride, params);
  }
  if (x->mod) v = (v % x->mod + x->mod) % x->mod;
  if (x->lookup >= 0) v = tables[x->lookup][v];
  if (fg_index_is_bent(x))
    v = fg_affine_value(&x->base, value, params) + (x->scale.n ? fg_num_value(x->scale, params) : 1) * v;
  if (x->pad_every) v += v / x->pad_every * x->pad_by;
  if (x->xor_mask) v ^= (v >> x->xor_shift) & x->xor_mask;
  if (x->exchange.count && value[x->exchange.phase]) v = fg_digit_swap_value(&x->exchange, v);
  return v;
}

bool fg_preds_hold(const fg_pred *pred, int npred, const int64_t *value, const int64_t *params) {
  for (int i = 0; i < npred; i++)
    if (fg_pred_value(&pred[i], fg_affine_value(&pred[i].value, value, params)) >= fg_num_value(pred[i].bound, params))
      return false;
  return true;
}

int16_t fg_kernel_rank(const fg_kernel *k) { return k->cluster > 1 && k->nouter > 0 ? k->outer[k->nouter - 1] : -1; }

int fg_stage_roots(const fg_kernel *k, const fg_stage *s) {
  int64_t n = s->has_twiddle ? k->digit[s->twiddle.reg].extent.n : 0;
  return (int)(n + (s->has_more ? k->digit[s->more.reg].extent.n : 0));
}

int fg_stage_products(const fg_stage *s) {
  int n = 0;
  for (int f = 0; s->product && f < s->codelet->ntw / 2; f++) n += s->product[f].factor >= 0 || s->product[f].also;
  return n;
}

bool fg_product_possible(const fg_product *x, int f, int loaded) {
  if (x->made) return x->load >= 0 && x->load < f && x->factor >= 0 && x->factor < f && !x->also;
  bool known = x->load >= 0 && x->load < loaded && x->also >= 0 && x->also <= loaded && !x->twice;
  return known && x->factor < f && (x->factor < 0 || !x->also);
}

enum { MOST_TURNS = 4, MOST_VALUES = 64 };

int64_t fg_stage_iterations(const fg_kernel *k, const fg_stage *s) {
  int64_t iterations = 1;
  for (int i = 0; i < s->nloop; i++) {
    const fg_digit *d = &k->digit[s->loop[i]];
    if (s->loop[i] == s->lane) continue;
    if (d->role != FG_ROLE_LOOP || d->extent.form != FG_NUM_CONST || d->start.form != FG_NUM_CONST) return -1;
    if (d->extent.n < 1 || d->extent.n > MOST_TURNS) return -1;
    iterations *= d->extent.n;
  }
  return iterations <= MOST_TURNS ? iterations : -1;
}

bool fg_kernel_is_joined(const fg_kernel *k) {
  int64_t most = 0;
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    int64_t iterations = fg_stage_iterations(k, s);
    if (iterations < 0 || s->lane < 0 || s->sync_mid >= FG_SCOPE_BLOCK || s->npred || !s->codelet) return false;
    if (iterations * s->codelet->nin > most) most = iterations * s->codelet->nin;
  }
  return k->nstage > 1 && most <= MOST_VALUES;
}

int fg_stage_lanes(const fg_kernel *k, const fg_stage *s) { return s->lane < 0 ? 1 : (int)k->digit[s->lane].extent.n; }

int64_t fg_access_slots(const fg_kernel *k, const fg_access *a) {
  int64_t slots = 0;
  for (; a; a = a->rest) slots += k->digit[a->reg].extent.n;
  return slots;
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

/* Rows of slots, whole vectors each, or end to end and together whole vectors. */
static bool rows_are_whole(const fg_kernel *k, const fg_stage *s, const fg_access *a, int lanes) {
  const fg_digit *slot = &k->digit[a->reg];
  fg_num apart = fg_affine_coef(&a->index.at, s->lane);
  if (slot->step != 1 || !fg_num_is(slot->start, 0) || !fg_num_is(fg_affine_coef(&a->index.at, a->reg), 1))
    return false;
  return fg_num_is(apart, slot->extent.n) ||
         (slot->extent.n % lanes == 0 && (apart.form <= FG_NUM_PARAM) && apart.n % lanes == 0);
}

bool fg_access_is_whole(const fg_kernel *k, const fg_stage *s, const fg_access *a, int lanes) {
  const fg_index *x = &a->index;
  bool rows = a->move == FG_MOVE_TRANSPOSE, own = rows && k->digit[a->reg].extent.n % lanes == 0;
  int of = s->packed && own ? lanes / 2 : lanes; /* pairs that leave as parts */
  bool vectors = fg_stage_lanes(k, s) == of && (own || !s->packed) && !s->npred && !a->npred;
  bool padded = x->pad_every && (x->pad_every % lanes || x->pad_by % lanes); /* not vector by vector */
  bool straight = !fg_index_is_bent(x) && !x->nwrap && !padded && !x->xor_mask && !x->exchange.count && !x->begin;
  if (!vectors || !straight || x->at.offset.form > FG_NUM_PARAM || x->at.offset.n % lanes) return false;
  if (!rows && (a->move != FG_MOVE_CONTIG || !fg_num_is(fg_affine_coef(&x->at, s->lane), 1))) return false;
  if (rows && !rows_are_whole(k, s, a, lanes)) return false;
  for (int t = 0; t < x->at.nterm; t++) {
    const fg_term *term = &x->at.term[t];
    if (term->digit == s->lane || (rows && term->digit == a->reg)) continue;
    if (!fg_digit_steps_by(&k->digit[term->digit], term->coef, lanes)) return false;
  }
  return true;
}

fg_access *fg_stage_access(fg_stage *s, int number) {
  fg_access *first[] = {&s->load, &s->store, s->has_twiddle ? &s->twiddle : NULL, s->has_more ? &s->more : NULL};
  for (int i = 0; i < 4; i++)
    for (fg_access *a = first[i]; a; a = a->rest)
      if (number-- == 0) return a;
  fg_operations *const both[] = {s->loaded, s->stored};
  for (int side = 0; side < 2; side++)
    for (int i = 0; both[side] && i < both[side]->count; i++)
      for (fg_access *a = both[side]->operation[i].has_operand ? &both[side]->operation[i].operand : NULL; a;
           a = a->rest)
        if (number-- == 0) return a;
  return NULL;
}

void fg_affine_add(fg_affine *a, int16_t digit, fg_num coef) {
  if (fg_num_is(coef, 0)) return;
  fg_invariant(a->nterm < FG_MAX_TERMS);
  a->term[a->nterm++] = (fg_term){digit, coef};
}

int fg_stage_shared(const fg_kernel *k, const fg_stage *s) {
  return s->shared || s + 1 == k->stage + k->nstage ? s->shared : s[1].shared;
}

int fg_kernel_group_end(const fg_kernel *k, int s) {
  do s++;
  while (s < k->nstage && k->stage[s].shared);
  return s;
}

static bool shares_the_same(const fg_kernel *k, const fg_stage *before, const fg_stage *s) {
  if (s->shared < 0 || s->shared > s->nloop || s->shared > before->nloop) return false;
  if (before->shared && before->shared != s->shared) return false;
  for (int i = 0; i < s->shared; i++)
    if (s->loop[i] != before->loop[i] || k->digit[s->loop[i]].role != FG_ROLE_LOOP) return false;
  return true;
}

bool fg_kernel_groups_fit(const fg_kernel *k) {
  for (int i = 0; i < k->nstage; i++)
    if (k->stage[i].shared && (i == 0 || !shares_the_same(k, &k->stage[i - 1], &k->stage[i]))) return false;
  return true;
}

const fg_stage *fg_stage_after(const fg_kernel *k, const fg_stage *s) {
  for (const fg_stage *next = s + 1; next < k->stage + k->nstage; next++)
    if (next->load.buffer == s->store.buffer) return next;
  return NULL;
}

bool fg_stage_is_clipped(const fg_kernel *k, const fg_stage *s) {
  for (int i = 0; i < s->nloop; i++)
    if (k->digit[s->loop[i]].last != INT64_MAX) return true;
  return false;
}

bool fg_kernel_fetches(const fg_kernel *k) { return k->nstage > 0 && k->stage[0].bulk; }

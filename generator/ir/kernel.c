/* Kernels: groups of stages that share loops, clusters, and accesses that are whole vectors. */
#include "generator/ir/kernel.h"
#include "generator/base/invariant.h"
#include <stdio.h>

bool fg_kernel_has_matrix(const fg_kernel *k) {
  for (int s = 0; s < k->nstage; s++)
    if (k->stage[s].factors.matrix) return true;
  return false;
}

int16_t fg_kernel_add_digit(fg_kernel *k, const fg_digit *d) {
  fg_invariant(k->ndigit < FG_MAX_DIGITS);
  k->digit[k->ndigit] = *d;
  return (int16_t)k->ndigit++;
}

int16_t fg_kernel_new_digit(fg_kernel *k, const char *name, fg_role role, fg_num extent) {
  fg_digit d = {.role = role, .extent = extent, .start = fg_num_const(0), .step = 1, .last = INT64_MAX, .div = 1};
  snprintf(d.name, sizeof d.name, "%s", name);
  return fg_kernel_add_digit(k, &d);
}

int16_t fg_kernel_rank(const fg_kernel *k) {
  return k->launch.cluster > 1 && k->nouter > 0 ? k->outer[k->nouter - 1] : -1;
}

enum { MOST_VALUES = 64 };

bool fg_kernel_is_joined(const fg_kernel *k) {
  int64_t most = 0;
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    int64_t iterations = fg_stage_iterations(k, s);
    if (iterations < 0 || s->vectors.lane < 0 || fg_exchange_waits(&s->exchange.between) || s->npred || !s->codelet)
      return false;
    if (iterations * s->codelet->nin > most) most = iterations * s->codelet->nin;
  }
  return k->nstage > 1 && most <= MOST_VALUES;
}

int64_t fg_access_slots(const fg_kernel *k, const fg_access *a) {
  int64_t slots = 0;
  for (; a; a = a->rest) slots += k->digit[a->reg].extent.n;
  return slots;
}

/* Rows of slots, whole vectors each, or end to end and together whole vectors. */
static bool rows_are_whole(const fg_kernel *k, const fg_stage *s, const fg_access *a, int lanes) {
  const fg_digit *slot = &k->digit[a->reg];
  fg_num apart = fg_affine_coef(&a->index.at, s->vectors.lane);
  if (slot->step != 1 || !fg_num_is(slot->start, 0) || !fg_num_is(fg_affine_coef(&a->index.at, a->reg), 1))
    return false;
  return fg_num_is(apart, slot->extent.n) ||
         (slot->extent.n % lanes == 0 && (apart.form <= FG_NUM_PARAM) && apart.n % lanes == 0);
}

bool fg_access_is_whole(const fg_kernel *k, const fg_stage *s, const fg_access *a, int lanes) {
  const fg_index *x = &a->index;
  bool rows = a->move == FG_MOVE_TRANSPOSE, own = rows && k->digit[a->reg].extent.n % lanes == 0;
  int of = s->vectors.packed && own ? lanes / 2 : lanes; /* pairs that leave as parts */
  bool vectors = fg_stage_lanes(k, s) == of && (own || !s->vectors.packed) && !s->npred && !a->npred;
  bool padded = x->pad_every && (x->pad_every % lanes || x->pad_by % lanes); /* not vector by vector */
  bool straight = !fg_index_is_bent(x) && !x->nwrap && !padded && !x->xor_mask && !x->swap.count;
  if (!vectors || !straight || x->at.offset.form > FG_NUM_PARAM || x->at.offset.n % lanes) return false;
  if (!rows && (a->move != FG_MOVE_CONTIG || !fg_num_is(fg_affine_coef(&x->at, s->vectors.lane), 1))) return false;
  if (rows && !rows_are_whole(k, s, a, lanes)) return false;
  for (int t = 0; t < x->at.nterm; t++) {
    const fg_term *term = &x->at.term[t];
    if (term->digit == s->vectors.lane || (rows && term->digit == a->reg)) continue;
    if (!fg_digit_steps_by(&k->digit[term->digit], term->coef, lanes)) return false;
  }
  return true;
}

int fg_kernel_group_end(const fg_kernel *k, int s) {
  do s++;
  while (s < k->nstage && k->stage[s].vectors.shared);
  return s;
}

static bool shares_the_same(const fg_kernel *k, const fg_stage *before, const fg_stage *s) {
  if (s->vectors.shared < 0 || s->vectors.shared > s->nloop || s->vectors.shared > before->nloop) return false;
  if (before->vectors.shared && before->vectors.shared != s->vectors.shared) return false;
  for (int i = 0; i < s->vectors.shared; i++)
    if (s->loop[i] != before->loop[i] || k->digit[s->loop[i]].role != FG_ROLE_LOOP) return false;
  return true;
}

bool fg_kernel_groups_fit(const fg_kernel *k) {
  for (int i = 0; i < k->nstage; i++)
    if (k->stage[i].vectors.shared && (i == 0 || !shares_the_same(k, &k->stage[i - 1], &k->stage[i]))) return false;
  return true;
}

fg_section fg_kernel_section(const fg_kernel *k, const fg_stage *s) {
  fg_section x = {.first = s, .end = s + 1};
  while (x.first > k->stage && x.first[-1].vectors.section == s->vectors.section) x.first--;
  while (x.end < k->stage + k->nstage && x.end->vectors.section == s->vectors.section) x.end++;
  for (int i = 0; i < k->nouter; i++) x.outer[x.nouter++] = k->outer[i];
  for (int i = 0; i < s->vectors.tiles; i++) x.outer[x.nouter++] = s->loop[i];
  return x;
}

bool fg_kernel_fetches(const fg_kernel *k) { return k->nstage > 0 && fg_stage_is_bulk(&k->stage[0]); }

int fg_kernel_second_copy(const fg_kernel *k) {
  for (int s = 1; s + 1 < k->nstage && fg_kernel_fetches(k); s++)
    if (fg_stage_is_bulk(&k->stage[s])) return s;
  return 0;
}

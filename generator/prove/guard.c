/* See guard.h. In: a program, values of its parameters. Out: how far it would read or write beyond its arrays without
 * its conditions.
 *
 * The idea: an address is affine in digits, so its bounds are sums of the bounds of digits. If a text lacks a
 * condition, its loops run to these bounds and no further, and numbers there must be recognisable as outside. Shared
 * memory and scratch are left out, because idle threads and lanes use them, too. */
#include "generator/prove/guard.h"
#include "generator/base/integer.h"
#include "generator/ir/access_program.h"
#include "generator/ir/kernel.h"
#include "generator/ir/stage.h"
#include "generator/prove/text.h"

typedef struct ends {
  int64_t low, high;
} ends;

static void add(ends *e, int64_t coef, int64_t from, int64_t to) {
  int64_t a = fg_wrap_mul(coef, from), b = fg_wrap_mul(coef, to);
  e->low = fg_wrap_add(e->low, fg_smaller(a, b));
  e->high = fg_wrap_add(e->high, fg_larger(a, b));
}

static ends ends_of(const fg_kernel *k, const fg_affine *a, const int64_t *params) {
  int64_t offset = fg_num_value(a->offset, params);
  ends e = {offset, offset};
  for (int t = 0; t < a->nterm; t++) {
    const fg_digit *d = &k->digit[a->term[t].digit];
    int64_t last = fg_digit_value(d, fg_larger(fg_digit_extent(d, params), 1) - 1, params);
    add(&e, fg_num_value(a->term[t].coef, params), fg_digit_value(d, 0, params), last);
  }
  return e;
}

/* A law of two straight pieces is least and greatest at their ends. */
static void add_wrap(ends *e, const fg_kernel *k, const fg_wrap *w, const int64_t *params) {
  ends at = ends_of(k, &w->position, params);
  const int64_t corner[] = {at.low, at.high, w->split - 1, w->split};
  ends gain = {INT64_MAX, INT64_MIN};
  for (int i = 0; i < 4; i++) {
    if (corner[i] < at.low || corner[i] > at.high) continue;
    gain.low = fg_smaller(gain.low, fg_wrap_gain(w, corner[i]));
    gain.high = fg_larger(gain.high, fg_wrap_gain(w, corner[i]));
  }
  add(e, fg_num_value(w->stride, params), gain.low, gain.high);
}

static ends address_ends(const fg_program *p, const fg_kernel *k, const fg_index *x, const int64_t *params) {
  ends e = ends_of(k, &x->at, params);
  for (int i = 0; i < x->nwrap; i++) add_wrap(&e, k, &x->wrap[i], params);
  if (!fg_index_is_bent(x)) return e;
  ends bent = ends_of(k, &x->base, params);
  const fg_table *t = x->lookup >= 0 ? &p->table[p->buffer[x->lookup].table] : NULL;
  add(&bent, x->scale.n ? fg_num_value(x->scale, params) : 1, 0, t ? t->rows * t->cols : x->mod);
  return bent;
}

/* Reals of an array of the caller's, or of a table. 0: it is neither. */
static int64_t reals_of(const fg_program *p, int root, const int64_t *params) {
  const fg_buffer *b = &p->buffer[root];
  int64_t in = fg_proof_text_reals(&p->problem, params, false), out = fg_proof_text_reals(&p->problem, params, true);
  bool ends = b->space == FG_SPACE_INPUT || b->space == FG_SPACE_OUTPUT;
  if (ends && p->problem.in_place) return fg_larger(in, out);
  if (ends) return b->space == FG_SPACE_INPUT ? in : out;
  return b->space == FG_SPACE_GIVEN || b->space == FG_SPACE_TABLE ? b->size * fg_buffer_parts(b) : 0;
}

static int64_t reach_of(const fg_program *p, const fg_kernel *k, const fg_access *a, const int64_t *params) {
  int64_t reals = reals_of(p, fg_buffer_root(p, a->buffer), params);
  if (!reals || p->buffer[a->buffer].elem == FG_ELEM_INDEX) return 0;
  int parts = fg_buffer_parts(&p->buffer[a->buffer]);
  ends e = address_ends(p, k, &a->index, params);
  return fg_larger(fg_wrap_mul(e.low, -parts), fg_wrap_mul(e.high + 1, parts) - reals);
}

int64_t fg_guard_size(const fg_program *p, const int64_t *params) {
  int64_t reach = 0;
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) {
      const fg_access *a;
      for (int n = 0; (a = fg_stage_access(&p->kernel[i]->stage[s], n)); n++)
        reach = fg_larger(reach, reach_of(p, p->kernel[i], a, params));
    }
  return fg_smaller(reach + reach % 2 + FG_GUARD_LEAST, FG_GUARD_MOST); /* even: pairs stay aligned */
}

/* Other than their neighbours, so that nothing can be put in another's place. */
static fg_gf number_of(int64_t k) { return (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15) | FG_TEXT_OUTSIDE; }

void fg_guard_fill(fg_gf *at, int64_t count, int64_t size) {
  for (int64_t k = 1; k <= size; k++) at[-k] = number_of(-k), at[count + k - 1] = number_of(k);
}

bool fg_guard_holds(const fg_gf *at, int64_t count, int64_t size) {
  uint64_t differs = 0;
  for (int64_t k = 1; k <= size; k++) differs |= (at[-k] ^ number_of(-k)) | (at[count + k - 1] ^ number_of(k));
  return !differs;
}

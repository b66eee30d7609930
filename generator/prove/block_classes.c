/* Classes of blocks. In: a kernel, values of parameters. Out: which of its blocks do the same at other bases.
 *
 * The idea: addresses are affine in digits, and blocks differ in their digits. What a block's digits add to an
 * address that is affine is its base. What they add to a condition, `sum < bound`, decides nothing if the condition
 * holds for the least and for the greatest sum of the block's other digits, or fails for both; else the blocks of one
 * class leave the same of these sums below the bound. So full tiles are one class, and a last tile that is cut is
 * another one. What they add to a sum that is reduced or looked up is the same within a class, up to what the reduction
 * takes away. Blocks whose digits occur in anything else are not alike. */
#include "generator/prove/block_classes.h"
#include "generator/prove/block_sample.h"
#include <string.h>

enum { MOST_CONDITIONS = 96 };

typedef struct condition {
  const fg_affine *value;
  int64_t low, high;  /* of what is no block's */
  int64_t bound, mod; /* mod: 0, or all that counts is the sum modulo it */
  bool exact;         /* all of the sum counts */
  int nother;         /* digits of the block's own, the largest step first; -1: their sums are in no such order */
  struct {
    int64_t step, extent;
  } other[FG_MAX_DIGITS];
} condition;

typedef struct conditions {
  const fg_kernel *k;
  const int64_t *params;
  int count;
  condition of[MOST_CONDITIONS];
  bool too_many;
} conditions;

/* ---- numbers ---------------------------------------------------------------------------- */

/* Whether it numbers blocks; of a cluster's, the cluster. */
static bool numbers_blocks(const fg_kernel *k, int digit) {
  for (int i = 0; i < k->nouter; i++)
    if (k->outer[i] == digit) return fg_digit_is_of_blocks(&k->digit[digit]) && digit != fg_kernel_rank(k);
  return false;
}

fg_block_numbers fg_block_numbers_create(const fg_program *p, int kernel, const int64_t *params) {
  const fg_kernel *k = p->kernel[kernel];
  fg_block_numbers x = {.blocks = 1};
  bool queue = kernel < fg_queue_joined(&p->queue);
  for (int i = k->nouter - 1; i >= 0; i--) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (!numbers_blocks(k, k->outer[i])) continue;
    int64_t extent = fg_digit_extent(d, params);
    x.digit[x.ndigit] = k->outer[i];
    x.extent[x.ndigit] = extent;
    x.div[x.ndigit++] = queue ? d->div : x.blocks;
    if (d->role != FG_ROLE_RING) x.blocks *= extent;
  }
  if (queue) x.blocks = p->queue.tiles[kernel] * fg_num_value(p->queue.transforms, params);
  return x;
}

int64_t fg_block_numbers_value(const fg_block_numbers *x, const fg_kernel *k, int i, int64_t block,
                               const int64_t *params) {
  return fg_digit_value(&k->digit[x->digit[i]], block / x->div[i] % x->extent[i], params);
}

/* ---- conditions --------------------------------------------------------------------------- */

static bool follows(const fg_kernel *k, const fg_affine *a) {
  for (int t = 0; t < a->nterm; t++)
    if (numbers_blocks(k, a->term[t].digit) && (a->term[t].coef.n || a->term[t].coef.form != FG_NUM_CONST)) return true;
  return false;
}

/* A digit of the block's own, among those before it. */
static void add_other(condition *x, int64_t step, int64_t extent) {
  int at = x->nother++;
  for (; at > 0 && x->other[at - 1].step < step; at--) x->other[at] = x->other[at - 1];
  x->other[at].step = step;
  x->other[at].extent = extent;
}

/* Whether each step is as long as all that the smaller ones add up to. */
static bool are_nested(const condition *x) {
  int64_t rest = 0;
  for (int i = x->nother - 1; i >= 0; i--) {
    if (x->other[i].step < rest || x->other[i].step < 1) return false;
    rest += x->other[i].step * (x->other[i].extent - 1);
  }
  return true;
}

/* The largest sum of the block's own digits that is at most this. */
static int64_t largest_sum(const condition *x, int64_t most) {
  int64_t sum = 0;
  for (int i = 0; i < x->nother; i++) {
    int64_t times = (most - sum) / x->other[i].step;
    sum += x->other[i].step * (times < x->other[i].extent ? times : x->other[i].extent - 1);
  }
  return sum;
}

/* The range of what is no block's. */
static void add_condition(conditions *c, condition x) {
  if (!follows(c->k, x.value)) return;
  if (c->count == MOST_CONDITIONS) {
    c->too_many = true;
    return;
  }
  bool even = true; /* each digit is its counter by a step */
  x.low = x.high = fg_num_value(x.value->offset, c->params);
  for (int t = 0; t < x.value->nterm; t++) {
    const fg_digit *d = &c->k->digit[x.value->term[t].digit];
    if (numbers_blocks(c->k, x.value->term[t].digit)) continue;
    int64_t coef = fg_num_value(x.value->term[t].coef, c->params);
    int64_t a = coef * fg_digit_value(d, 0, c->params);
    int64_t b = coef * fg_digit_value(d, fg_digit_extent(d, c->params) - 1, c->params);
    x.low += a < b ? a : b;
    x.high += a < b ? b : a;
    int64_t extent = fg_digit_extent(d, c->params);
    even = even && !a && b == (extent - 1) * (coef * fg_digit_value(d, extent > 1, c->params));
    if (extent > 1) add_other(&x, b / (extent - 1), extent);
  }
  if (!even || !are_nested(&x)) x.nother = -1;
  c->of[c->count++] = x;
}

static void add_preds(conditions *c, const fg_pred *pred, int npred) {
  for (int i = 0; i < npred; i++)
    add_condition(
        c, (condition){.value = &pred[i].value, .bound = fg_num_value(pred[i].bound, c->params), .mod = pred[i].mod});
}

/* Blocks' digits shift its addresses, and are in conditions; of `own` memory, the latter alone. */
static bool add_access(conditions *c, const fg_access *a, bool own) {
  for (; a; a = a->rest) {
    const fg_index *x = &a->index;
    bool bent = fg_index_is_bent(x), base = follows(c->k, bent ? &x->base : &x->at);
    if (x->swap.count) return false;
    for (int i = 0; i < x->nwrap; i++)
      if (follows(c->k, &x->wrap[i].position)) return false;
    if (base && (own || x->pad_every || x->xor_mask)) return false;
    if (bent) add_condition(c, (condition){.value = &x->at, .mod = x->mod, .exact = !x->mod});
    add_preds(c, a->pred, a->npred);
  }
  return true;
}

static bool is_own(const fg_program *p, int buffer) {
  return p->buffer[fg_buffer_root(p, buffer)].space == FG_SPACE_LOCAL;
}

/* Of operations: the scale, conjugates, and the product with a convolution's spectrum; of a problem with operations
 * those on single elements (block_operations.c). */
static bool add_operations(conditions *c, const fg_program *p, const fg_operations *x) {
  bool any = p->problem.nload || p->problem.nstore;
  for (int i = 0; x && i < x->count; i++) {
    const fg_operation *o = &x->operation[i];
    if (!any && !o->has_operand && strncmp(o->row->name, "scale", 5) != 0 && strcmp(o->row->name, "conj") != 0)
      return false;
    if (!o->has_operand) continue;
    bool product = fg_footprints_is_spectrum(p, o->operand.buffer) && strcmp(o->row->name, "mul") == 0;
    if (!product && !(any && fg_program_is_constant(p, o->operand.buffer))) return false;
    if (!add_access(c, &o->operand, false)) return false;
  }
  return true;
}

static bool add_stage(conditions *c, const fg_program *p, const fg_stage *s) {
  if (fg_stage_is_bulk(s)) return false;
  if (!add_operations(c, p, s->operations.loaded) || !add_operations(c, p, s->operations.stored)) return false;
  add_preds(c, s->pred, s->npred);
  const fg_access *access[] = {&s->load, &s->store, s->factors.has_twiddle ? &s->factors.twiddle : NULL,
                               s->factors.has_more ? &s->factors.more : NULL};
  for (int i = 0; i < 4; i++)
    if (access[i] && !fg_buffer_is_ring(&p->buffer[access[i]->buffer]) &&
        !add_access(c, access[i], is_own(p, access[i]->buffer)))
      return false;
  return true;
}

static bool add_kernel(conditions *c, const fg_program *p, int kernel) {
  const fg_kernel *k = c->k;
  bool queue = kernel < fg_queue_joined(&p->queue);
  if (fg_kernel_fetches(k) || k->launch.iterations > 1) return false;
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role == FG_ROLE_HOST || (d->role == FG_ROLE_RING && !queue)) return false;
  }
  add_preds(c, k->pred, k->npred);
  for (int s = 0; s < k->nstage; s++)
    if (!add_stage(c, p, &k->stage[s])) return false;
  return !c->too_many;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* What a block's sum says about the condition. */
static int64_t key_of(const condition *c, int64_t sum) {
  if (c->mod) return (sum % c->mod + c->mod) % c->mod;
  if (c->exact) return sum;
  if (sum + c->high < c->bound) return INT64_MIN;
  if (sum + c->low >= c->bound) return INT64_MAX;
  return c->nother < 0 ? sum : largest_sum(c, c->bound - 1 - sum - c->low);
}

static void keys_of(const conditions *c, const fg_block_numbers *x, int64_t block, int64_t *key) {
  int64_t value[FG_MAX_DIGITS];
  for (int i = 0; i < x->ndigit; i++) value[x->digit[i]] = fg_block_numbers_value(x, c->k, i, block, c->params);
  for (int i = 0; i < c->count; i++) {
    const fg_affine *a = c->of[i].value;
    int64_t sum = 0;
    for (int t = 0; t < a->nterm; t++)
      if (numbers_blocks(c->k, a->term[t].digit))
        sum += fg_num_value(a->term[t].coef, c->params) * value[a->term[t].digit];
    key[i] = key_of(&c->of[i], sum);
  }
}

static bool classify(fg_context *cx, const conditions *c, const fg_block_numbers *x, fg_block_classes *out) {
  int64_t key[FG_MOST_CLASSES][MOST_CONDITIONS], now[MOST_CONDITIONS];
  size_t size = sizeof *now * (size_t)c->count;
  int at = 0;
  out->count = 0;
  out->of = fg_arena_new(cx->arena, uint8_t, x->blocks);
  for (int64_t b = 0; b < x->blocks; b++) {
    keys_of(c, x, b, now);
    if (!out->count || memcmp(key[at], now, size) != 0) at = 0;
    while (at < out->count && memcmp(key[at], now, size) != 0) at++;
    if (at == FG_MOST_CLASSES) return false;
    if (at == out->count) {
      memcpy(key[out->count++], now, size);
      out->first[at] = b;
    }
    out->of[b] = (uint8_t)at;
    out->last[at] = b;
    out->blocks[at]++;
  }
  return true;
}

bool fg_block_classes_create(fg_context *cx, const fg_program *p, int kernel, const int64_t *params,
                             fg_block_classes *out) {
  conditions *c = fg_arena_new(cx->arena, conditions, 1);
  fg_block_numbers x = fg_block_numbers_create(p, kernel, params);
  *c = (conditions){.k = p->kernel[kernel], .params = params};
  *out = (fg_block_classes){.count = 1, .last = {x.blocks - 1}, .blocks = {x.blocks}};
  if (!add_kernel(c, p, kernel)) return false;
  return !c->count || classify(cx, c, &x, out);
}

int64_t fg_block_classes_next(const fg_block_classes *c, int64_t blocks, int class, int64_t block) {
  for (block++; block < blocks && fg_block_classes_of(c, block) != class;) block++;
  return block;
}

/* Exact constants. In: rationals, cosines and sines of rational angles, sums,
 * products and quotients of constants. Out: handles; equal values have equal
 * handles.
 *
 * The idea: an expression is evaluated twice when it is made, to 256 bits and in
 * a prime field that the pool draws for itself. Equal numbers have equal images,
 * so the image is the key of the hash table; a hit counts when the real values
 * agree to 200 bits as well. When a new angle does not fit the field, the pool
 * draws a larger one; when there is none, the key is the rounded real value. */
#include "generator/base/integer.h"
#include "generator/base/invariant.h"
#include "generator/base/strbuf.h"
#include "generator/math/constant_value.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
  EQUAL_BITS = 200, /* agreement of real values that counts as equal */
  KEY_BITS = 40,    /* without a field: resolution of the key */
  FIRST_CAPACITY = 256,
};
/* Holds every angle of the usual codelets: 2^9 3^2 5 7 11 13. */
static const uint64_t FIRST_ORDER = 23063040;
static const uint64_t SEED = 0x636f6e7374616e74; /* the proof draws its own */

typedef enum form { RATIONAL, COS, SIN, ADD, SUB, MUL, DIV, NEG } form;

typedef struct constant {
  form form;
  int64_t num, den; /* RATIONAL: num/den, lowest terms, den > 0; COS, SIN: the angle in turns, 0 <= num < den */
  fg_const a, b;    /* operands, smaller handles; NEG: a */
  uint64_t order;   /* see fg_const_order; 0: over 62 bits */
  mpfr_t value;     /* its limbs are in the arena */
  fg_gf image;      /* in the pool's own field */
} constant;

/* Expressions that were made before, as they were written: these are not evaluated again. */
typedef struct expression {
  form form;
  int64_t num, den;
  fg_const a, b, result;
} expression;

typedef struct history {
  uint32_t count, capacity;
  expression *made;
  uint32_t mask, *slot; /* open addressing: number + 1; 0 = free */
} history;

/* Images in the field that was asked for last; the first `count` handles. */
typedef struct memo {
  uint64_t p;
  fg_gf root;
  uint32_t count, capacity;
  fg_gf *image;
} memo;

struct fg_const_pool {
  fg_context *cx;
  uint32_t count, capacity;
  constant *node;
  uint32_t mask, *slot; /* open addressing: handle + 1; 0 = free */
  bool has_field;
  fg_field field; /* the pool's own */
  mpfr_t scratch;
  history history;
  memo *memo;
};

static void value_init(fg_const_pool *pool, mpfr_t x) {
  mp_limb_t *limbs = fg_arena_alloc(pool->cx->arena, mpfr_custom_get_size(FG_CONST_BITS));
  mpfr_custom_init(limbs, FG_CONST_BITS);
  mpfr_custom_init_set(x, MPFR_ZERO_KIND, 0, FG_CONST_BITS, limbs);
}

/* ---- evaluation --------------------------------------------------------- */

static void evaluate_real(const constant *node, const constant *c, mpfr_ptr out) {
  switch (c->form) {
  case RATIONAL:
    mpfr_set_sj(out, c->num, MPFR_RNDN);
    mpfr_div_si(out, out, c->den, MPFR_RNDN);
    break;
  case COS:
    mpfr_set_sj(out, c->num, MPFR_RNDN);
    mpfr_cosu(out, out, (unsigned long)c->den, MPFR_RNDN);
    break;
  case SIN:
    mpfr_set_sj(out, c->num, MPFR_RNDN);
    mpfr_sinu(out, out, (unsigned long)c->den, MPFR_RNDN);
    break;
  case ADD: mpfr_add(out, node[c->a].value, node[c->b].value, MPFR_RNDN); break;
  case SUB: mpfr_sub(out, node[c->a].value, node[c->b].value, MPFR_RNDN); break;
  case MUL: mpfr_mul(out, node[c->a].value, node[c->b].value, MPFR_RNDN); break;
  case DIV: mpfr_div(out, node[c->a].value, node[c->b].value, MPFR_RNDN); break;
  case NEG: mpfr_neg(out, node[c->a].value, MPFR_RNDN); break;
  }
}

/* a and b: images of the operands. */
static fg_gf evaluate_image(const constant *c, const fg_field *f, fg_gf a, fg_gf b) {
  switch (c->form) {
  case RATIONAL:
    a = fg_gf_from(f, c->num);
    return c->den == 1 ? a : fg_gf_mul(f, a, fg_gf_inv(f, fg_gf_from(f, c->den)));
  case COS: return fg_gf_root(f, c->num, c->den).re;
  case SIN: return fg_gf_root(f, c->num, c->den).im;
  case ADD: return fg_gf_add(f, a, b);
  case SUB: return fg_gf_sub(f, a, b);
  case MUL: return fg_gf_mul(f, a, b);
  case DIV: return fg_gf_mul(f, a, fg_gf_inv(f, b));
  case NEG: return fg_gf_neg(f, a);
  }
  return 0;
}

static bool fits(const constant *c, const fg_field *f) { return c->order && f->order % c->order == 0; }

static uint32_t operands(const constant *c) { return c->form < ADD ? 0 : c->form == NEG ? 1 : 2; }

static fg_gf image_of(const constant *node, const constant *c, const fg_field *f) {
  uint32_t n = operands(c);
  return evaluate_image(c, f, n > 0 ? node[c->a].image : 0, n > 1 ? node[c->b].image : 0);
}

/* ---- sharing ------------------------------------------------------------ */

static uint64_t mixed(uint64_t key) { return fg_random(&key); }

/* Without a field: the real value in units of 2^-KEY_BITS. Equal values that
 * differ in their last bits may fall on either side, so neighbours are asked too. */
static uint64_t rounded_key(fg_const_pool *pool, const constant *c) {
  mpfr_mul_2si(pool->scratch, c->value, KEY_BITS, MPFR_RNDN);
  return (uint64_t)mpfr_get_sj(pool->scratch, MPFR_RNDD);
}

static uint64_t key_of(fg_const_pool *pool, const constant *c) {
  return pool->has_field ? c->image : rounded_key(pool, c);
}

static bool same(fg_const_pool *pool, const constant *c, const constant *d) {
  if (pool->has_field && c->image != d->image) return false;
  mpfr_sub(pool->scratch, c->value, d->value, MPFR_RNDN);
  if (mpfr_zero_p(pool->scratch)) return true;
  mpfr_exp_t scale = 0; /* zero may have come out as rounding noise: absolute below 1 */
  if (!mpfr_zero_p(c->value) && mpfr_get_exp(c->value) > scale) scale = mpfr_get_exp(c->value);
  return mpfr_get_exp(pool->scratch) < scale - EQUAL_BITS;
}

static void insert(fg_const_pool *pool, fg_const a) {
  uint32_t i = (uint32_t)mixed(key_of(pool, &pool->node[a])) & pool->mask;
  while (pool->slot[i]) i = (i + 1) & pool->mask;
  pool->slot[i] = a + 1;
}

/* The handle of a constant equal to c; pool->count when there is none. */
static fg_const lookup(fg_const_pool *pool, const constant *c) {
  uint64_t key = key_of(pool, c), spread = pool->has_field ? 0 : 1;
  for (uint64_t k = key - spread; k != key + spread + 1; k++)
    for (uint32_t i = (uint32_t)mixed(k) & pool->mask; pool->slot[i]; i = (i + 1) & pool->mask)
      if (same(pool, &pool->node[pool->slot[i] - 1], c)) return pool->slot[i] - 1;
  return pool->count;
}

static void rehash(fg_const_pool *pool) {
  memset(pool->slot, 0, sizeof *pool->slot * (pool->mask + 1));
  for (fg_const a = 0; a < pool->count; a++) insert(pool, a);
}

static void grow(fg_const_pool *pool) {
  uint32_t capacity = pool->capacity ? 2 * pool->capacity : FIRST_CAPACITY;
  pool->node = fg_arena_more(pool->cx->arena, pool->node, pool->count, capacity);
  pool->capacity = capacity;
  pool->mask = 4 * capacity - 1;
  pool->slot = fg_arena_new(pool->cx->arena, uint32_t, 4 * capacity);
  rehash(pool);
}

/* Draws a field that has the roots of `order` as well; all images change. */
static void widen_field(fg_const_pool *pool, uint64_t order) {
  if (!pool->has_field || (order && pool->field.order % order == 0)) return;
  fg_context quiet = {.arena = pool->cx->arena}; /* no field is no failure here */
  order = fg_integer_lcm(pool->field.order, order);
  pool->has_field = order && fg_field_create(&quiet, order, SEED, &pool->field) == FG_OK;
  if (pool->has_field)
    for (fg_const a = 0; a < pool->count; a++) pool->node[a].image = image_of(pool->node, &pool->node[a], &pool->field);
  rehash(pool);
}

/* The handle of an expression: an older one of equal value, or a new one. */
static fg_const evaluate(fg_const_pool *pool, constant c) {
  if (pool->count == pool->capacity) grow(pool);
  widen_field(pool, c.order);
  constant *fresh = &pool->node[pool->count];
  if (!mpfr_custom_get_significand(fresh->value)) value_init(pool, fresh->value); /* else: left by a hit */
  memcpy(c.value, fresh->value, sizeof c.value);
  *fresh = c;
  evaluate_real(pool->node, fresh, fresh->value);
  if (pool->has_field) fresh->image = image_of(pool->node, fresh, &pool->field);
  fg_const found = lookup(pool, fresh);
  if (found == pool->count) {
    pool->count++;
    insert(pool, found);
  }
  return found;
}

/* The index of an expression in the table, or where it would be added. */
static uint32_t place_of(const history *h, const constant *c) {
  uint64_t key = mixed((uint64_t)c->num * 8 + c->form) ^ mixed((uint64_t)c->den << 32 ^ (uint64_t)c->a << 32 ^ c->b);
  uint32_t i = (uint32_t)mixed(key) & h->mask;
  for (; h->slot[i]; i = (i + 1) & h->mask) {
    const expression *e = &h->made[h->slot[i] - 1];
    if (e->form == c->form && e->num == c->num && e->den == c->den && e->a == c->a && e->b == c->b) break;
  }
  return i;
}

static void grow_history(fg_const_pool *pool) {
  history *h = &pool->history, old = *h;
  h->capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
  h->mask = 2 * h->capacity - 1;
  h->made = fg_arena_new(pool->cx->arena, expression, h->capacity);
  h->slot = fg_arena_new(pool->cx->arena, uint32_t, h->mask + 1);
  if (old.count) memcpy(h->made, old.made, sizeof *h->made * old.count);
  for (uint32_t i = 0; i < h->count; i++) {
    const expression *e = &h->made[i];
    h->slot[place_of(h, &(constant){.form = e->form, .num = e->num, .den = e->den, .a = e->a, .b = e->b})] = i + 1;
  }
}

static fg_const intern(fg_const_pool *pool, constant c) {
  history *h = &pool->history;
  if (h->count == h->capacity) grow_history(pool);
  uint32_t i = place_of(h, &c);
  if (h->slot[i]) return h->made[h->slot[i] - 1].result;
  h->made[h->count] = (expression){c.form, c.num, c.den, c.a, c.b, evaluate(pool, c)};
  h->slot[i] = ++h->count;
  return h->made[h->count - 1].result;
}

/* ---- construction ------------------------------------------------------- */

fg_const fg_const_rational(fg_const_pool *pool, int64_t num, int64_t den) {
  fg_invariant(den != 0 && num > INT64_MIN && den > INT64_MIN);
  int64_t g = fg_gcd(num, den);
  if (den < 0) g = -g;
  return intern(pool, (constant){.form = RATIONAL, .num = num / g, .den = den / g, .order = 4});
}

static fg_const circular(fg_const_pool *pool, form form, int64_t k, int64_t n) {
  fg_invariant(n > 0);
  int64_t num = k % n;
  if (num < 0) num += n;
  int64_t g = fg_gcd(num, n);
  constant c = {.form = form, .num = num / g, .den = n / g};
  c.order = fg_integer_lcm(4, (uint64_t)c.den);
  return intern(pool, c);
}

fg_const fg_const_cos(fg_const_pool *pool, int64_t k, int64_t n) { return circular(pool, COS, k, n); }
fg_const fg_const_sin(fg_const_pool *pool, int64_t k, int64_t n) { return circular(pool, SIN, k, n); }

/* A rational again, when both are and the result fits. */
static bool fold(const constant *a, form form, const constant *b, int64_t *num, int64_t *den) {
  if (a->form != RATIONAL || b->form != RATIONAL) return false;
  int64_t left, right;
  switch (form) {
  case ADD:
  case SUB:
    if (__builtin_mul_overflow(a->num, b->den, &left) || __builtin_mul_overflow(b->num, a->den, &right)) return false;
    if (form == ADD ? __builtin_add_overflow(left, right, num) : __builtin_sub_overflow(left, right, num)) return false;
    if (__builtin_mul_overflow(a->den, b->den, den)) return false;
    break;
  case MUL:
    if (__builtin_mul_overflow(a->num, b->num, num) || __builtin_mul_overflow(a->den, b->den, den)) return false;
    break;
  case DIV:
    if (__builtin_mul_overflow(a->num, b->den, num) || __builtin_mul_overflow(a->den, b->num, den)) return false;
    break;
  default: return false;
  }
  return *num > INT64_MIN && *den > INT64_MIN;
}

static fg_const binary(fg_const_pool *pool, form form, fg_const a, fg_const b) {
  fg_invariant(a < pool->count && b < pool->count);
  const constant *x = &pool->node[a], *y = &pool->node[b];
  int64_t num, den;
  if (fold(x, form, y, &num, &den)) return fg_const_rational(pool, num, den);
  return intern(pool, (constant){.form = form, .a = a, .b = b, .order = fg_integer_lcm(x->order, y->order)});
}

fg_const fg_const_add(fg_const_pool *pool, fg_const a, fg_const b) { return binary(pool, ADD, a, b); }
fg_const fg_const_sub(fg_const_pool *pool, fg_const a, fg_const b) { return binary(pool, SUB, a, b); }
fg_const fg_const_mul(fg_const_pool *pool, fg_const a, fg_const b) { return binary(pool, MUL, a, b); }

fg_const fg_const_div(fg_const_pool *pool, fg_const a, fg_const b) {
  fg_invariant(fg_const_sign(pool, b) != 0);
  return binary(pool, DIV, a, b);
}

fg_const fg_const_neg(fg_const_pool *pool, fg_const a) {
  fg_invariant(a < pool->count);
  const constant *x = &pool->node[a];
  if (x->form == RATIONAL) return fg_const_rational(pool, -x->num, x->den);
  return intern(pool, (constant){.form = NEG, .a = a, .order = x->order});
}

fg_const_pool *fg_const_pool_create(fg_context *cx) {
  fg_const_pool *pool = fg_arena_new(cx->arena, fg_const_pool, 1);
  pool->cx = cx;
  pool->memo = fg_arena_new(cx->arena, memo, 1);
  value_init(pool, pool->scratch);
  fg_context quiet = {.arena = cx->arena};
  pool->has_field = fg_field_create(&quiet, FIRST_ORDER, SEED, &pool->field) == FG_OK;
  fg_invariant(pool->has_field);
  /* First, so that every expression of these values becomes these: a zero that
   * came out as rounding noise has sign 0. */
  static const int64_t simple[][2] = {{0, 1}, {1, 1}, {-1, 1}, {1, 2}, {-1, 2}};
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) fg_const_rational(pool, simple[i][0], simple[i][1]);
  return pool;
}

/* ---- questions ---------------------------------------------------------- */

int fg_const_count(const fg_const_pool *pool) { return (int)pool->count; }
int fg_const_sign(const fg_const_pool *pool, fg_const a) {
  int sign = mpfr_sgn(pool->node[a].value);
  return (sign > 0) - (sign < 0);
}
double fg_const_double(const fg_const_pool *pool, fg_const a) { return mpfr_get_d(pool->node[a].value, MPFR_RNDN); }
void fg_const_real(const fg_const_pool *pool, fg_const a, mpfr_t out) { mpfr_set(out, pool->node[a].value, MPFR_RNDN); }
uint64_t fg_const_order(const fg_const_pool *pool, fg_const a) { return pool->node[a].order; }

/* Evaluates handles [first, end) in order: operands precede their users. */
static void fill_images(const fg_const_pool *pool, const fg_field *f, uint32_t first, uint32_t end, fg_gf *out) {
  for (uint32_t i = first; i < end; i++) {
    const constant *c = &pool->node[i];
    uint32_t n = operands(c);
    out[i] = fits(c, f) ? evaluate_image(c, f, n > 0 ? out[c->a] : 0, n > 1 ? out[c->b] : 0) : 0;
  }
}

void fg_const_images(const fg_const_pool *pool, const fg_field *f, fg_gf *out) {
  fill_images(pool, f, 0, pool->count, out);
}

/* Room for all images. */
static void image_room(const fg_const_pool *pool) {
  memo *m = pool->memo;
  if (m->capacity >= pool->count) return;
  fg_gf *image = fg_arena_new(pool->cx->arena, fg_gf, pool->capacity);
  if (m->count) memcpy(image, m->image, sizeof *image * m->count);
  m->image = image;
  m->capacity = pool->capacity;
}

fg_gf fg_const_image(const fg_const_pool *pool, const fg_field *f, fg_const a) {
  fg_invariant(a < pool->count && fits(&pool->node[a], f));
  memo *m = pool->memo;
  if (m->p != f->p || m->root != f->root) {
    m->p = f->p;
    m->root = f->root;
    m->count = 0;
  }
  image_room(pool);
  if (m->count <= a) {
    fill_images(pool, f, m->count, a + 1, m->image);
    m->count = a + 1;
  }
  return m->image[a];
}

/* How strongly an expression binds, and how strongly a place demands it. */
typedef enum binding { BIND_SUM, BIND_PRODUCT, BIND_ATOM } binding;

static binding binding_of(const constant *c) {
  switch (c->form) {
  case RATIONAL: return c->num < 0 ? BIND_SUM : c->den != 1 ? BIND_PRODUCT : BIND_ATOM;
  case COS:
  case SIN: return BIND_ATOM;
  case MUL:
  case DIV: return BIND_PRODUCT;
  default: return BIND_SUM;
  }
}

static void print(const fg_const_pool *pool, fg_const a, binding need, fg_strbuf *out) {
  static const char *const sign[] = {[ADD] = "+", [SUB] = "-", [MUL] = "*", [DIV] = "/"};
  const constant *c = &pool->node[a];
  bool parentheses = binding_of(c) < need;
  if (parentheses) fg_strbuf_add(out, "(");
  switch (c->form) {
  case RATIONAL:
    fg_strbuf_addf(out, "%" PRId64, c->num);
    if (c->den != 1) fg_strbuf_addf(out, "/%" PRId64, c->den);
    break;
  case COS:
  case SIN: fg_strbuf_addf(out, "%s(%" PRId64 "/%" PRId64 ")", c->form == COS ? "cos" : "sin", c->num, c->den); break;
  case NEG:
    fg_strbuf_add(out, "-");
    print(pool, c->a, BIND_PRODUCT, out);
    break;
  default:
    print(pool, c->a, binding_of(c), out);
    fg_strbuf_add(out, sign[c->form]);
    print(pool, c->b, c->form == DIV ? BIND_ATOM : BIND_PRODUCT, out);
    break;
  }
  if (parentheses) fg_strbuf_add(out, ")");
}

char *fg_const_print(fg_context *cx, const fg_const_pool *pool, fg_const a) {
  fg_strbuf out = fg_strbuf_new(cx->arena);
  print(pool, a, BIND_SUM, &out);
  return out.text;
}

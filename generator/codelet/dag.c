/* The graph of a codelet under construction. In: calls of the constructors. Out:
 * vertices, shared by value (see dag.h).
 *
 * The idea: hash-consing, as in Frigo, "A Fast Fourier Transform Compiler"
 * (PLDI 1999), but keyed by what a vertex computes at random points of a prime
 * field (Schwartz 1980, Zippel 1979): two different linear forms agree there with
 * probability below 2^-60 a point. The proof uses other primes and inputs. */
#include "generator/base/invariant.h"
#include "generator/codelet/complex_edge.h"
#include "generator/math/constant_value.h"
#include <string.h>

enum { FIRST_CAPACITY = 256 };
static const uint64_t SEED = 0x73696d706c696679; /* the proof draws its own */

static uint32_t index_of(fg_edge e) { return e >> 1; }
static const fg_vertex *vertex_of(const fg_dag *d, fg_edge e) { return &d->vertex[index_of(e)]; }

/* ---- sharing ------------------------------------------------------------ */

/* The smaller of value and negative; *flipped: the negative was. */
static uint64_t canonical(const fg_dag *d, const fg_gf *value, bool *flipped) {
  fg_gf negative = fg_gf_neg(&d->field, value[0]);
  *flipped = negative < value[0];
  return *flipped ? negative : value[0];
}

static uint32_t bucket_of(const fg_dag *d, uint64_t key) { return (uint32_t)fg_random(&key) & d->mask; }

static void insert(fg_dag *d, uint32_t v) {
  bool flipped;
  uint32_t i = bucket_of(d, canonical(d, d->vertex[v].value, &flipped));
  while (d->bucket[i]) i = (i + 1) & d->mask;
  d->bucket[i] = v + 1;
}

static bool same(const fg_dag *d, const fg_gf *a, const fg_gf *b, bool negated) {
  for (int i = 0; i < FG_DAG_POINTS; i++)
    if (a[i] != (negated ? fg_gf_neg(&d->field, b[i]) : b[i])) return false;
  return true;
}

/* The edge with this value; false when there is none yet. */
static bool lookup(const fg_dag *d, const fg_gf *value, fg_edge *out) {
  bool flipped, other;
  uint64_t key = canonical(d, value, &flipped);
  for (uint32_t i = bucket_of(d, key); d->bucket[i]; i = (i + 1) & d->mask) {
    uint32_t v = d->bucket[i] - 1;
    if (canonical(d, d->vertex[v].value, &other) != key) continue;
    if (!same(d, value, d->vertex[v].value, flipped != other)) continue;
    *out = v * 2 + (flipped != other);
    if (v == 0) *out = FG_ZERO;
    return true;
  }
  return false;
}

/* Frees a graph. */
struct fg_spare {
  fg_spare *next;
  uint32_t capacity, *bucket;
  fg_vertex *vertex;
};

void fg_dag_retire(fg_dag *d) {
  fg_spare *s = fg_arena_new(d->cx->arena, fg_spare, 1);
  *s = (fg_spare){d->family->spare, d->capacity, d->bucket, d->vertex};
  d->family->spare = s;
  d->count = d->capacity = 0;
}

static bool take_spare(fg_dag *d) {
  fg_spare *s = d->family->spare;
  if (!s) return false;
  d->family->spare = s->next;
  d->capacity = s->capacity;
  d->mask = 4 * s->capacity - 1;
  d->vertex = s->vertex;
  d->bucket = memset(s->bucket, 0, sizeof *s->bucket * 4 * s->capacity);
  return true;
}

static void grow(fg_dag *d) {
  uint32_t capacity = d->capacity ? 2 * d->capacity : FIRST_CAPACITY;
  d->vertex = fg_arena_more(d->cx->arena, d->vertex, d->count, capacity);
  d->capacity = capacity;
  d->mask = 4 * capacity - 1;
  d->bucket = fg_arena_new(d->cx->arena, uint32_t, 4 * capacity);
  for (uint32_t v = 0; v < d->count; v++) insert(d, v);
}

static fg_edge intern(fg_dag *d, const fg_vertex *v) {
  fg_edge found;
  if (d->count && lookup(d, v->value, &found)) return found;
  if (d->count == d->capacity) grow(d);
  d->vertex[d->count] = *v;
  insert(d, d->count);
  return 2 * d->count++;
}

static fg_gf value_of(const fg_dag *d, fg_edge e, int point) {
  fg_gf v = vertex_of(d, e)->value[point];
  return e & 1 ? fg_gf_neg(&d->field, v) : v;
}

/* ---- construction ------------------------------------------------------- */

static fg_dag *create_empty(fg_context *cx, fg_const_pool *pool, const fg_field *field, fg_fma_form form,
                            fg_family *family) {
  fg_dag *d = fg_arena_new(cx->arena, fg_dag, 1);
  *d = (fg_dag){.cx = cx, .pool = pool, .field = *field, .form = form, .family = family};
  d->one = fg_const_rational(pool, 1, 1);
  if (!take_spare(d)) grow(d);
  intern(d, &(fg_vertex){.kind = FG_V_ZERO});
  return d;
}

fg_dag *fg_dag_create(fg_context *cx, fg_const_pool *pool, uint64_t order, fg_fma_form form) {
  fg_field field;
  fg_family *family = fg_arena_new(cx->arena, fg_family, 1);
  fg_status status = fg_field_create(cx, order, SEED, &field);
  fg_invariant(status == FG_OK); /* the orders of the sizes that codelets take are small */
  (void)status;
  return create_empty(cx, pool, &field, form, family);
}

fg_dag *fg_dag_sibling(const fg_dag *d) {
  fg_dag *sibling = create_empty(d->cx, d->pool, &d->field, d->form, d->family);
  sibling->accuracy = d->accuracy;
  return sibling;
}

/* The random value of a slot: a function of seed, class, slot and point. */
static fg_gf random_value(uint64_t class, uint32_t slot, int point) {
  uint64_t state = SEED ^ (class << 56) ^ ((uint64_t)point << 48) ^ slot;
  fg_random(&state);
  return fg_gf_random(&state);
}

fg_edge fg_dag_input(fg_dag *d, uint32_t slot) {
  fg_vertex v = {.kind = FG_V_IN, .slot = slot};
  for (int i = 0; i < FG_DAG_POINTS; i++) v.value[i] = random_value(1, slot, i);
  return intern(d, &v);
}

fg_edge fg_dag_twiddle(fg_dag *d, uint32_t slot, fg_edge a) {
  if (a == FG_ZERO) return a;
  fg_vertex v = {.kind = FG_V_TWIDDLE, .slot = slot, .a = a & ~1u};
  for (int i = 0; i < FG_DAG_POINTS; i++)
    v.value[i] = fg_gf_mul(&d->field, random_value(2, slot, i), value_of(d, v.a, i));
  return intern(d, &v) ^ (a & 1);
}

fg_edge fg_dag_scale(fg_dag *d, fg_const c, fg_edge a) {
  int sign = fg_const_sign(d->pool, c);
  if (a == FG_ZERO || sign == 0) return FG_ZERO;
  if (sign < 0) return fg_dag_neg(fg_dag_scale(d, fg_const_neg(d->pool, c), a));
  if (c == d->one) return a;
  const fg_vertex *x = vertex_of(d, a);
  if (x->kind == FG_V_SCALE) return fg_dag_scale(d, fg_const_mul(d->pool, c, x->slot), x->a) ^ (a & 1);
  fg_vertex v = {.kind = FG_V_SCALE, .slot = c, .a = a & ~1u};
  fg_gf image = fg_const_image(d->pool, &d->field, c);
  for (int i = 0; i < FG_DAG_POINTS; i++) v.value[i] = fg_gf_mul(&d->field, image, value_of(d, v.a, i));
  return intern(d, &v) ^ (a & 1);
}

/* a as signed constant times *base. */
static fg_const coefficient(fg_dag *d, fg_edge a, fg_edge *base) {
  const fg_vertex *x = vertex_of(d, a);
  fg_const c = x->kind == FG_V_SCALE ? x->slot : d->one;
  *base = x->kind == FG_V_SCALE ? x->a : a & ~1u;
  return a & 1 ? fg_const_neg(d->pool, c) : c;
}

fg_edge fg_dag_add(fg_dag *d, fg_edge a, fg_edge b) {
  if (a == FG_ZERO) return b;
  if (b == FG_ZERO) return a;
  fg_edge abase, bbase;
  fg_const ac = coefficient(d, a, &abase), bc = coefficient(d, b, &bbase);
  if (abase == bbase) return fg_dag_scale(d, fg_const_add(d->pool, ac, bc), abase);
  fg_edge flip = a & b & 1;
  fg_vertex v = {.kind = FG_V_SUM, .a = a ^ flip, .b = b ^ flip};
  for (int i = 0; i < FG_DAG_POINTS; i++) v.value[i] = fg_gf_add(&d->field, value_of(d, v.a, i), value_of(d, v.b, i));
  return intern(d, &v) ^ flip;
}

fg_edge fg_dag_sub(fg_dag *d, fg_edge a, fg_edge b) { return fg_dag_add(d, a, fg_dag_neg(b)); }

/* ---- roots of unity ----------------------------------------------------- */

struct fg_roots { /* of one order; evaluating one to 256 bits is the dearest step of building */
  int64_t n;
  fg_root *root;
  bool *known;
  fg_roots *next;
};

static fg_roots *roots_of_order(fg_dag *d, int64_t n) {
  fg_roots *r = d->family->roots;
  while (r && r->n != n) r = r->next;
  if (r) return r;
  r = fg_arena_new(d->cx->arena, fg_roots, 1);
  r->n = n;
  r->root = fg_arena_new(d->cx->arena, fg_root, n);
  r->known = fg_arena_new(d->cx->arena, bool, n);
  r->next = d->family->roots;
  return d->family->roots = r;
}

fg_root fg_dag_root(fg_dag *d, int64_t k, int64_t n) {
  fg_roots *r = roots_of_order(d, n);
  k = (k % n + n) % n;
  if (!r->known[k]) {
    r->root[k] = (fg_root){fg_const_cos(d->pool, k, n), fg_const_sin(d->pool, k, n)};
    r->known[k] = true;
  }
  return r->root[k];
}

/* ---- complex values ----------------------------------------------------- */

fg_cedge fg_dag_cadd(fg_dag *d, fg_cedge a, fg_cedge b) {
  fg_edge re = fg_dag_add(d, a.re, b.re);
  return (fg_cedge){re, fg_dag_add(d, a.im, b.im)};
}

fg_cedge fg_dag_csub(fg_dag *d, fg_cedge a, fg_cedge b) {
  fg_edge re = fg_dag_sub(d, a.re, b.re);
  return (fg_cedge){re, fg_dag_sub(d, a.im, b.im)};
}

fg_cedge fg_dag_cscale(fg_dag *d, fg_const c, fg_cedge a) {
  fg_edge re = fg_dag_scale(d, c, a.re);
  return (fg_cedge){re, fg_dag_scale(d, c, a.im)};
}

fg_cedge fg_dag_mul_i(fg_cedge a, int sign) {
  return sign > 0 ? (fg_cedge){fg_dag_neg(a.im), a.re} : (fg_cedge){a.im, fg_dag_neg(a.re)};
}

/* x * c1 + y * c2; equal factors are taken out. */
static fg_edge combine(fg_dag *d, fg_const c1, fg_edge x, fg_const c2, fg_edge y) {
  if (fg_const_sign(d->pool, c1) < 0) c1 = fg_const_neg(d->pool, c1), x = fg_dag_neg(x);
  if (fg_const_sign(d->pool, c2) < 0) c2 = fg_const_neg(d->pool, c2), y = fg_dag_neg(y);
  if (c1 == c2) return fg_dag_scale(d, c1, fg_dag_add(d, x, y));
  fg_edge left = fg_dag_scale(d, c1, x);
  return fg_dag_add(d, left, fg_dag_scale(d, c2, y));
}

fg_cedge fg_dag_mul_constant(fg_dag *d, fg_cedge a, fg_const re, fg_const im) {
  fg_edge x = combine(d, re, a.re, im, fg_dag_neg(a.im));
  return (fg_cedge){x, combine(d, re, a.im, im, a.re)};
}

fg_cedge fg_dag_mul_root(fg_dag *d, fg_cedge a, int64_t k, int64_t n) {
  fg_root w = fg_dag_root(d, k, n);
  return fg_dag_mul_constant(d, a, w.cos, w.sin);
}

fg_cedge fg_dag_mul_twiddle(fg_dag *d, fg_cedge a, uint32_t slot) {
  fg_edge re = fg_dag_twiddle(d, slot, a.re);
  re = fg_dag_sub(d, re, fg_dag_twiddle(d, slot + 1, a.im));
  fg_edge im = fg_dag_twiddle(d, slot, a.im);
  return (fg_cedge){re, fg_dag_add(d, im, fg_dag_twiddle(d, slot + 1, a.re))};
}

fg_cedge fg_dag_mul_conjugate(fg_dag *d, fg_cedge a, uint32_t slot) {
  fg_edge re = fg_dag_twiddle(d, slot, a.re);
  re = fg_dag_add(d, re, fg_dag_twiddle(d, slot + 1, a.im));
  fg_edge im = fg_dag_twiddle(d, slot, a.im);
  return (fg_cedge){re, fg_dag_sub(d, im, fg_dag_twiddle(d, slot + 1, a.re))};
}

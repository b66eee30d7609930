/* In: a problem and its run-time parameters. Out: offsets, arrays, and guards around them.
 *
 * Poison is a signalling NaN: arithmetic on it gives another NaN (a read shows in the results), and no arithmetic
 * gives exactly this one (a write shows in the poison). */
#include "generator/problem/arrays.h"
#include "generator/math/field.h"
#include "generator/problem/shape.h"
#include "targets/pages.h"
#include "tuning/measure/arrays.h"
#include "tuning/measure/numbers.h"
#include <string.h>

enum { poison32 = 0x7fa5a5a5, LARGE = 1 << 20 /* bytes that want large pages */ };

/* ---- geometry --------------------------------------------------------------- */

/* Offsets of all index tuples of some axes, last axis fastest; returns the
 * largest. */
typedef struct axes {
  const fg_dim *dim;
  int rank;
  const int64_t *params;
  const fg_problem *last_is_of; /* whose last dimension may be half as long; NULL: batch dimensions */
} axes;

static int64_t offsets(const axes *a, bool output, int64_t *out) {
  int64_t count = 1, largest = 0;
  out[0] = 0;
  for (int d = 0; d < a->rank; d++) {
    int64_t n = fg_num_value(a->dim[d].n, a->params);
    int64_t stride = fg_num_value(output ? a->dim[d].os : a->dim[d].is, a->params);
    if (a->last_is_of) n = fg_problem_length(a->last_is_of, d, output);
    for (int64_t i = count; i-- > 0;) /* from behind: in its own array */
      for (int64_t k = n; k-- > 0;) out[i * n + k] = out[i] + k * stride;
    count *= n;
    largest += (n - 1) * stride;
  }
  return largest;
}

static bool overlaps(fg_context *cx, const fg_geometry *g) {
  unsigned char *seen = fg_arena_alloc(cx->arena, (size_t)g->extent_in);
  for (int64_t t = 0; t < g->transforms; t++)
    for (int64_t k = 0; k < g->count_in; k++)
      if (seen[g->start_in[t] + g->point_in[k]]++) return true;
  return false;
}

void fg_geometry_create(fg_context *cx, const fg_problem *p, const int64_t *params, fg_geometry *out) {
  fg_geometry g = {.rank = p->rank, .points = fg_problem_points(p)};
  for (int i = 0; i < p->rank; i++) g.n[i] = p->dim[i].n.n;
  g.transforms = fg_problem_batch_count(p, params);
  g.count_in = fg_problem_elements(p, false);
  g.count_out = fg_problem_elements(p, true);
  g.real_in = fg_problem_is_real(p, false);
  g.real_out = fg_problem_is_real(p, true);
  g.point_in = fg_arena_new(cx->arena, int64_t, g.count_in);
  g.point_out = fg_arena_new(cx->arena, int64_t, g.count_out);
  g.start_in = fg_arena_new(cx->arena, int64_t, g.transforms);
  g.start_out = fg_arena_new(cx->arena, int64_t, g.transforms);
  axes dims = {p->dim, p->rank, params, p}, batch = {p->batch, p->batch_rank, params, NULL};
  g.extent_in = 1 + offsets(&dims, false, g.point_in) + offsets(&batch, false, g.start_in);
  g.extent_out = 1 + offsets(&dims, true, g.point_out) + offsets(&batch, true, g.start_out);
  g.overlap_in = overlaps(cx, &g);
  *out = g;
}

/* ---- memory ------------------------------------------------------------------ */

/* The pattern of a type, as often as it fills eight bytes. */
static uint64_t pattern_of(fg_precision type) {
  static const uint64_t pattern[FG_STORAGE_COUNT] = {
      [FG_F16] = 0x7da57da57da57da5, [FG_BF16] = 0x7fa57fa57fa57fa5, [FG_F32] = (uint64_t)poison32 << 32 | poison32,
      [FG_F64] = 0x7ff5a5a5a5a5a5a5, [FG_U8] = 0xa5a5a5a5a5a5a5a5,   [FG_I16] = 0xa5a5a5a5a5a5a5a5};
  return pattern[type];
}

static void poison(fg_precision type, void *at, size_t bytes) {
  uint64_t pattern = pattern_of(type);
  for (size_t i = 0; i < bytes; i += 8) memcpy((char *)at + i, &pattern, bytes - i < 8 ? bytes - i : 8);
}

void fg_arrays_poison(fg_precision type, void *at) { poison(type, at, (size_t)fg_precision_bytes(type)); }

/* at: a whole number of type's numbers behind the pattern's beginning. */
static bool is_poison(fg_precision type, const void *at, size_t bytes) {
  uint64_t pattern = pattern_of(type);
  for (size_t i = 0; i < bytes; i += 8)
    if (memcmp((const char *)at + i, &pattern, bytes - i < 8 ? bytes - i : 8) != 0) return false;
  return true;
}

size_t fg_arrays_separation(size_t bytes) { return 2 * FG_ARRAYS_GUARD + (bytes + 63) / 64 * 64; }

/* numbers: of the side, both parts. */
static void add_side(fg_context *cx, fg_arrays *a, fg_precision type, bool split, int64_t numbers) {
  int parts = split ? 2 : 1;
  size_t bytes = (size_t)(numbers / parts) * (size_t)fg_precision_bytes(type);
  size_t apart = fg_arrays_separation(bytes);
  size_t whole = (size_t)parts * apart, page = whole >= LARGE ? FG_LARGE_PAGE : 64;
  whole = (whole + page - 1) / page * page;
  char *base = fg_arena_alloc(cx->arena, whole + page);
  base += page - (uintptr_t)base % page;
  if (page == FG_LARGE_PAGE) fg_pages_enlarge(base, whole);
  poison(type, base, (size_t)parts * apart);
  for (int i = 0; i < parts; i++) {
    a->bytes[a->nslot] = bytes;
    a->slot[a->nslot++] = base + (size_t)i * apart + FG_ARRAYS_GUARD;
  }
}

void fg_arrays_create(fg_context *cx, const fg_problem *p, const fg_geometry *g, fg_arrays *out) {
  fg_arrays a = {.type_in = fg_problem_stored(p, false),
                 .type_out = fg_problem_stored(p, true),
                 .split_in = p->split_in,
                 .split_out = p->split_out,
                 .in_place = p->in_place};
  a.real_in = g->real_in, a.real_out = g->real_out;
  int64_t in = (g->real_in ? 1 : 2) * g->extent_in, out_numbers = (g->real_out ? 1 : 2) * g->extent_out;
  add_side(cx, &a, a.type_in, a.split_in, a.in_place && out_numbers > in ? out_numbers : in);
  if (!a.in_place) {
    add_side(cx, &a, a.type_out, a.split_out, out_numbers);
  } else {
    int n = a.nslot;
    for (int i = 0; i < n; i++) {
      a.slot[n + i] = a.slot[i];
      a.bytes[n + i] = a.bytes[i];
    }
    a.nslot = 2 * n;
  }
  *out = a;
}

static int first_output(const fg_arrays *a) { return a->split_in ? 2 : 1; }

/* Where an element has its parts: number `re` of place 0, number `im` of the first
 * or the second one; im < 0: none. */
typedef struct parts {
  int64_t re, im;
} parts;

static parts parts_of(int64_t at, bool real, bool split) {
  if (real) return (parts){at, -1};
  return split ? (parts){at, at} : (parts){2 * at, 2 * at + 1};
}

void fg_arrays_put_input(const fg_arrays *a, const fg_geometry *g, int64_t t, const double *x) {
  for (int64_t k = 0; k < g->count_in; k++) {
    parts p = parts_of(g->start_in[t] + g->point_in[k], a->real_in, a->split_in);
    fg_numbers_put(a->type_in, a->slot[0], p.re, x[2 * k]);
    if (p.im >= 0) fg_numbers_put(a->type_in, a->slot[a->split_in], p.im, x[2 * k + 1]);
  }
}

void fg_arrays_get_input(const fg_arrays *a, const fg_geometry *g, int64_t t, double *x) {
  for (int64_t k = 0; k < g->count_in; k++) {
    parts p = parts_of(g->start_in[t] + g->point_in[k], a->real_in, a->split_in);
    x[2 * k] = fg_numbers_get(a->type_in, a->slot[0], p.re);
    x[2 * k + 1] = p.im >= 0 ? fg_numbers_get(a->type_in, a->slot[a->split_in], p.im) : 0;
  }
}

void fg_arrays_get_output(const fg_arrays *a, const fg_geometry *g, int64_t t, double *y) {
  int first = first_output(a);
  for (int64_t k = 0; k < g->count_out; k++) {
    parts p = parts_of(g->start_out[t] + g->point_out[k], a->real_out, a->split_out);
    y[2 * k] = fg_numbers_get(a->type_out, a->slot[first], p.re);
    y[2 * k + 1] = p.im >= 0 ? fg_numbers_get(a->type_out, a->slot[first + a->split_out], p.im) : 0;
  }
}

void fg_arrays_fill(const fg_arrays *a, const fg_geometry *g, uint64_t seed) {
  double low, high;
  fg_numbers_range(a->type_in, &low, &high);
  double middle = (low + high) / 2, reach = (high - low) / 2;
  for (int64_t t = 0; t < g->transforms; t++)
    for (int64_t k = 0; k < g->count_in; k++) {
      parts p = parts_of(g->start_in[t] + g->point_in[k], a->real_in, a->split_in);
      fg_numbers_put(a->type_in, a->slot[0], p.re, middle + reach * ((double)(int64_t)fg_random(&seed) * 0x1p-63));
      if (p.im >= 0)
        fg_numbers_put(a->type_in, a->slot[a->split_in], p.im,
                       middle + reach * ((double)(int64_t)fg_random(&seed) * 0x1p-63));
    }
}

void fg_arrays_poison_output(const fg_arrays *a) {
  for (int i = first_output(a); !a->in_place && i < a->nslot; i++) poison(a->type_out, a->slot[i], a->bytes[i]);
}

/* ---- watching ------------------------------------------------------------------ */

unsigned char *fg_arrays_may_write(fg_context *cx, const fg_arrays *a, const fg_geometry *g) {
  int64_t numbers = 2 * (g->extent_out > g->extent_in ? g->extent_out : g->extent_in);
  unsigned char *may = fg_arena_alloc(cx->arena, (size_t)numbers);
  for (int64_t t = 0; t < g->transforms; t++) {
    for (int64_t k = 0; k < g->count_out; k++) {
      parts p = parts_of(g->start_out[t] + g->point_out[k], a->real_out, a->split_out);
      may[p.re] = 1;
      if (p.im >= 0) may[p.im] = 1;
    }
    for (int64_t k = 0; a->in_place && k < g->count_in; k++) {
      parts p = parts_of(g->start_in[t] + g->point_in[k], a->real_in, a->split_in);
      may[p.re] = 1;
      if (p.im >= 0) may[p.im] = 1;
    }
  }
  return may;
}

const char *fg_arrays_damage(const fg_arrays *a, const fg_geometry *g, const unsigned char *may_write) {
  for (int i = 0; i < a->nslot; i++) {
    const char *at = a->slot[i];
    size_t behind = FG_ARRAYS_GUARD + (a->bytes[i] + 63) / 64 * 64 - a->bytes[i];
    bool output = i >= first_output(a);
    fg_precision type = output ? a->type_out : a->type_in;
    size_t element = (size_t)fg_precision_bytes(type); /* a number */
    if (!is_poison(type, at - FG_ARRAYS_GUARD, FG_ARRAYS_GUARD))
      return output ? "it wrote before the output array" : "it wrote before the input array";
    if (!is_poison(type, at + a->bytes[i], behind))
      return output ? "it wrote behind the output array" : "it wrote behind the input array";
    int64_t count = (int64_t)(a->bytes[i] / element);
    for (int64_t k = 0; output && k < count; k++)
      if (!may_write[k] && !is_poison(type, at + (size_t)k * element, element))
        return "it wrote between the strides of the output";
  }
  (void)g;
  return NULL;
}

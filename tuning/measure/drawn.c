/* See drawn.h. */
#include "tuning/measure/drawn.h"
#include "generator/base/context.h"
#include "generator/math/field.h"
#include "generator/problem/arrays.h"
#include "generator/problem/frames.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/prove.h"
#include "tuning/measure/numbers.h"
#include "tuning/measure/reference.h"
#include "tuning/measure/verify.h"
#include <math.h>
#include <string.h>

enum { DRAWN_POINTS = 1 << 17, COSTLY_POINTS = 1 << 22 };

/* ---- addresses of elements --------------------------------------------------------- */

/* One more dimension, faster than those before: together with the one before where they are one. */
static void add_dim(fg_side *s, int first, int *count, int64_t n, int64_t stride) {
  int64_t *dim = s->dim + 2 * first, *before = dim + 2 * (*count - 1);
  if (n == 1) return;
  if (*count && before[1] == n * stride) {
    before[0] *= n, before[1] = stride;
    return;
  }
  dim[2 * *count] = n, dim[2 * *count + 1] = stride;
  ++*count;
}

static void lay_out(const fg_problem *p, bool output, const int64_t *params, fg_side *s) {
  bool real = fg_problem_is_real(p, output), split = output ? p->split_out : p->split_in;
  *s = (fg_side){.type = fg_problem_stored(p, output), .nslot = split ? 2 : 1, .per = real || split ? 1 : 2};
  s->count = fg_problem_elements(p, output);
  s->extent = fg_problem_extent(p, output, params);
  for (int d = 0; d < p->rank; d++)
    add_dim(s, 0, &s->ndim, fg_problem_length(p, d, output),
            fg_num_value(output ? p->dim[d].os : p->dim[d].is, params));
  for (int d = 0; d < p->batch_rank; d++)
    add_dim(s, s->ndim, &s->nbatch, fg_num_value(p->batch[d].n, params),
            fg_num_value(output ? p->batch[d].os : p->batch[d].is, params));
}

/* Each stride steps over all that faster ones reach: then no two elements are one. */
static bool is_apart(const fg_side *s) {
  int n = s->ndim + s->nbatch;
  for (int i = 0; i < n; i++) {
    int64_t reach = 0, stride = s->dim[2 * i + 1];
    for (int k = 0; k < n; k++)
      if (k != i && (s->dim[2 * k + 1] < stride || (s->dim[2 * k + 1] == stride && k > i)))
        reach += (s->dim[2 * k] - 1) * s->dim[2 * k + 1];
    if (reach >= stride) return false;
  }
  return true;
}

/* ---- numbers ------------------------------------------------------------------------- */

static double scale_of(const fg_problem *p) {
  double points = (double)fg_problem_points(p);
  return p->scale == FG_SCALE_1_N        ? 1 / points
         : p->scale == FG_SCALE_1_SQRT_N ? 1 / sqrt(points)
         : p->scale == FG_SCALE_VALUE    ? p->scale_value
                                         : 1;
}

/* Into the arrays' type, and back what became of them. */
static void draw_one(const fg_drawn *d, int which, double *x, uint64_t *random) {
  const fg_side *s = &d->in;
  bool real = s->per == 1 && s->nslot == 1;
  for (int64_t k = 0; k < s->count; k++)
    for (int part = 0; part < 2; part++) {
      int64_t at = (which * s->count + k) * s->per + (s->per == 2 ? part : 0);
      void *array = d->input[s->nslot == 2 ? part : 0];
      x[2 * k + part] = 0;
      if (real && part) continue;
      fg_numbers_put(s->type, array, at, (double)(int64_t)fg_random(random) * 0x1p-63);
      x[2 * k + part] = fg_numbers_get(s->type, array, at);
    }
}

/* false: the output's type has no room for a result. */
static bool keep_truth(fg_drawn *d, int which, const long double *y) {
  const fg_side *s = &d->out;
  double scale = scale_of(d->p), held, norm = 0;
  bool real = s->per == 1 && s->nslot == 1;
  for (int64_t k = 0; k < s->count; k++)
    for (int part = 0; part < (real ? 1 : 2); part++) {
      int64_t at = (which * s->count + k) * s->per + (s->per == 2 ? part : 0);
      double value = (double)(scale * y[2 * k + part]);
      fg_numbers_put(s->type, &held, 0, value);
      if (!isfinite(fg_numbers_get(s->type, &held, 0))) return false;
      d->truth[s->nslot == 2 ? part : 0][at] = value;
      norm += value * value;
    }
  d->norm[which] = norm;
  return true;
}

static void draw_factors(const fg_drawn *d, uint64_t *random) {
  int64_t numbers = 2 * d->spectrum.count * (d->spectra > 1 ? d->distinct : 1);
  for (int64_t i = 0; i < numbers; i++)
    fg_numbers_put(d->spectrum.type, d->factors, i, (double)(int64_t)fg_random(random) * 0x1p-63);
}

/* The product of a transform with its spectrum, in z. */
static void multiply(const fg_drawn *d, int which, const long double *y, long double *z) {
  int64_t n = d->spectrum.count, first = d->spectra > 1 ? which * n : 0;
  for (int64_t k = 0; k < n; k++) {
    double re = fg_numbers_get(d->spectrum.type, d->factors, 2 * (first + k));
    double im = fg_numbers_get(d->spectrum.type, d->factors, 2 * (first + k) + 1);
    if (d->p->conjugated) im = -im;
    z[2 * k] = y[2 * k] * re - y[2 * k + 1] * im;
    z[2 * k + 1] = y[2 * k] * im + y[2 * k + 1] * re;
  }
}

typedef struct references {
  fg_reference *forward, *backward; /* backward: of convolutions */
} references;

static bool create_references(const fg_problem *p, references *r) {
  int64_t n[FG_MAX_RANK];
  for (int i = 0; i < p->rank; i++) n[i] = p->dim[i].n.n;
  bool conv = fg_problem_kind_convolves(p->kind);
  fg_kind there = fg_problem_kind_inside(p->kind, false), back = fg_problem_kind_inside(p->kind, true);
  *r = (references){fg_reference_create_for(p->compute, there, p->rank, n, p->sign),
                    conv ? fg_reference_create_for(p->compute, back, p->rank, n, +1) : NULL};
  return r->forward && (r->backward || !conv);
}

/* What a transform makes of numbers that are smaller by a power of two is smaller by it, exactly. */
static bool scale_last(const fg_drawn *d, int which) {
  int64_t in = d->in.count * d->in.per, out = d->out.count * d->out.per;
  for (int slot = 0; slot < d->in.nslot; slot++)
    for (int64_t i = (which - 1) * in; i < which * in; i++)
      fg_numbers_put(d->in.type, d->input[slot], i + in, -0.5 * fg_numbers_get(d->in.type, d->input[slot], i));
  for (int slot = 0; slot < d->out.nslot; slot++)
    for (int64_t i = (which - 1) * out; i < which * out; i++) d->truth[slot][i + out] = -0.5 * d->truth[slot][i];
  d->norm[which] = 0.25 * d->norm[which - 1];
  return true;
}

static bool compute_truths(fg_context *cx, fg_drawn *d, const references *r, uint64_t *seed) {
  double *x = fg_arena_new(cx->arena, double, 2 * d->in.count);
  long double *y = fg_arena_new(cx->arena, long double, 2 * d->out.count);
  long double *z = r->backward ? fg_arena_new(cx->arena, long double, 2 * d->spectrum.count) : NULL;
  if (r->backward) draw_factors(d, seed);
  bool exact = d->in.type == FG_F32 || d->in.type == FG_F64;
  bool costly = exact && d->in.count > COSTLY_POINTS && !r->backward;
  for (int i = 0; i < d->distinct; i++) {
    if (i && costly) {
      scale_last(d, i);
      continue;
    }
    draw_one(d, i, x, seed);
    fg_reference_run(r->forward, x, y);
    if (r->backward) multiply(d, i, y, z), fg_reference_run_wide(r->backward, z, y);
    if (!keep_truth(d, i, y)) return false;
  }
  return true;
}

static fg_status compute(fg_context *cx, fg_drawn *d, uint64_t seed) {
  references r;
  bool known = create_references(d->p, &r), fits = known && compute_truths(cx, d, &r, &seed);
  fg_reference_destroy(r.forward), fg_reference_destroy(r.backward);
  if (!known) return fg_diag_set(&cx->diag, FG_ENA, "no reference of this length");
  return fits ? FG_OK : fg_diag_set(&cx->diag, FG_ENA, "results that the output's type does not hold");
}

static int choose_distinct(const fg_problem *p, int64_t transforms) {
  int64_t points = fg_problem_points(p), count = FG_DRAWN_MOST;
  while (count > 2 && count * points > DRAWN_POINTS) count = count == 7 ? 5 : count - (count == 5 ? 2 : 1);
  return (int)(transforms < count ? transforms : count);
}

bool fg_drawn_serves(const fg_problem *p) {
  bool whole = fg_numbers_unit(fg_problem_stored(p, false)) == 0 || fg_numbers_unit(fg_problem_stored(p, true)) == 0;
  bool by_channel = fg_problem_kind_convolves(p->kind) && p->spectra == FG_SPECTRA_CHANNEL;
  bool one = !fg_problem_has_frames(p) && !fg_problem_kind_is_lapped(p->kind); /* transforms, whole and apart */
  return one && !by_channel && !p->summed && !p->nload && !p->nstore && !whole;
}

/* One behind the other: which of them a transform has follows from its number, as its input does. */
static void lay_out_spectra(fg_drawn *d) {
  const fg_problem *p = d->p;
  if (!fg_problem_kind_convolves(p->kind)) return;
  int64_t n = fg_problem_spectrum_points(p);
  d->spectra = p->spectra == FG_SPECTRA_EACH ? d->transforms : 1;
  d->spectrum = (fg_side){.type = p->compute, .nslot = 1, .per = 2, .count = n, .extent = n * d->spectra};
  add_dim(&d->spectrum, 0, &d->spectrum.ndim, n, 1);
  add_dim(&d->spectrum, d->spectrum.ndim, &d->spectrum.nbatch, d->spectra, n);
}

static void make_room(fg_context *cx, fg_drawn *d) {
  size_t in = (size_t)d->distinct * (size_t)d->in.count * (size_t)d->in.per * (size_t)fg_precision_bytes(d->in.type);
  for (int i = 0; i < d->in.nslot; i++) d->input[i] = fg_arena_alloc(cx->arena, in);
  for (int i = 0; i < d->out.nslot; i++)
    d->truth[i] = fg_arena_new(cx->arena, double, d->distinct * d->out.count * d->out.per);
  d->norm = fg_arena_new(cx->arena, double, d->distinct);
  size_t factors = 2 * (size_t)d->distinct * (size_t)d->spectrum.count;
  if (d->spectra) d->factors = fg_arena_alloc(cx->arena, factors * (size_t)fg_precision_bytes(d->spectrum.type));
}

fg_status fg_drawn_create(fg_context *cx, const fg_problem *p, const int64_t *params, uint64_t seed,
                          const fg_drawn **out) {
  if (!fg_drawn_serves(p))
    return fg_diag_set(&cx->diag, FG_ENA, "operations, frames, spectra by channel, sums, or whole numbers");
  fg_drawn *d = fg_arena_new(cx->arena, fg_drawn, 1);
  int64_t *values = fg_arena_new(cx->arena, int64_t, p->nparam + 1);
  fg_settings_lowest(p, NULL, values);
  for (int i = 0; i < p->nparam && params; i++) values[i] = params[i];
  *d = (fg_drawn){.p = p, .params = values, .in_place = p->in_place};
  d->transforms = fg_problem_batch_count(p, values);
  lay_out(p, false, values, &d->in);
  lay_out(p, true, values, &d->out);
  if (!is_apart(&d->in) || !is_apart(&d->out)) return fg_diag_set(&cx->diag, FG_ENA, "elements that overlap");
  d->distinct = choose_distinct(p, d->transforms);
  lay_out_spectra(d);
  d->bound_l2 = fg_verify_bound(p);
  d->bound_max = 8 * d->bound_l2;
  d->bound_unit = fg_numbers_unit(d->out.type);
  make_room(cx, d);
  *out = d;
  return compute(cx, d, seed);
}

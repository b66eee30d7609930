/* Tensors: inputs whose transform is known in closed form, however many there are. In: a problem, which inputs are
 * not zero. Out: any input, any result, one by one.
 *
 * The idea: the transform of a product x1[n1] x2[n2] ... is the product of the transforms along each dimension. One
 * dimension of n1 split + n2 is split in two the same way: with x = a[n1] b[n2], result k is
 *
 *   A[k mod N1] * sum over n2 of b[n2] w^(n2 k),   A the transform of a, N1 = N / split,
 *
 * a short sum if few of b are not zero; so is the transform of a list of inputs. Numbers a, b, ... are random: a
 * program with other results agrees with these for few of them, as both sides are polynomials of low degree in them
 * (Schwartz 1980, Zippel 1979).
 *
 * A convolution's spectrum is such a product, too: then the result is the product of the convolutions along each
 * dimension. Of one dimension the spectrum is a list of numbers that are not zero; each term of the sum is one of
 * these times the transform of the inputs there.
 *
 * Bluestein's algorithm is a convolution by the spectrum of a chirp, of inputs times a chirp; results are times one,
 * too. Any other spectrum in place of it gives another sum, by which the program is known.
 *
 * In c2r the last dimension has half of the inputs, and results are real parts: with S[n] = sum over k of h(k) x[k]
 * w^(k n), h = 1 if k is its own mirror image and else 2, the result is the real part of the product of S and the
 * other dimensions' transforms, whatever the inputs are. */
#include "generator/prove/block_sample.h"
#include "generator/reference/operation_values.h"

struct fg_tensor {
  const fg_field *f;
  fg_tensor_form form;
  int sign;
  bool to_real;
  /* By index; of a list, by place in it. Of a cut dimension: out of the first axis, A. */
  fg_gfc *in[FG_TENSOR_AXES], *out[FG_TENSOR_AXES];
  int64_t order;         /* of the roots that a sum has; 0: there is none */
  fg_gfc *low, *high;    /* its powers 0 .. 1023, and 1024 j */
  int64_t terms;         /* of the sum */
  const int64_t *number; /* n2 of each */
  int64_t at;            /* the result that `term` is of; -1: of none */
  fg_gfc *factor;        /* b[n2] */
  fg_gfc *term, *step;   /* b[n2] w^(n2 k), and what it takes to the next one's */
  fg_tensor *by;         /* a convolution's spectrum, as inputs; NULL: there is none */
  fg_tensor *forward;    /* of one dimension, the inputs and their transform; NULL: they are here */
  const fg_table *chirp; /* results are times that of the index; NULL: they are not */
  bool from_reals;       /* r2c by Bluestein's algorithm */
  bool scaled;
  fg_gf scale; /* of results */
};

enum { LOW = 1024 };

static void draw(const fg_tensor_form *form, int axis, bool real, uint64_t *random, fg_gfc *x) {
  int64_t count = form->few[axis] ? form->few[axis] : form->length[axis];
  for (int64_t i = 0; i < count; i++) {
    fg_gfc *to = &x[form->few[axis] ? form->index[axis][i] : i];
    *to = (fg_gfc){fg_gf_random(random), real ? 0 : fg_gf_random(random)};
  }
}

static void power_tables(fg_context *cx, fg_tensor *t) {
  int64_t high = t->order / LOW + 1;
  t->low = fg_arena_new(cx->arena, fg_gfc, LOW);
  t->high = fg_arena_new(cx->arena, fg_gfc, high);
  for (int64_t i = 0; i < LOW; i++) t->low[i] = fg_gf_root(t->f, t->sign * i, t->order);
  for (int64_t i = 0; i < high; i++) t->high[i] = fg_gf_root(t->f, t->sign * i * LOW, t->order);
}

/* Whether fg_field_dft has its roots. */
static bool is_possible(const fg_field *f, int64_t n) {
  uint64_t order = fg_field_dft_order(n);
  return order && f->order % order == 0;
}

/* An axis's inputs as the transform of n points has them. */
static const fg_gfc *placed(fg_context *cx, const fg_tensor *t, int axis, int64_t n) {
  const fg_tensor_side *side = &t->form.in[axis];
  if (!side->first && t->form.length[axis] >= n) return t->in[axis];
  fg_gfc *x = fg_arena_new(cx->arena, fg_gfc, n);
  for (int64_t i = 0; i < t->form.length[axis]; i++) x[fg_tensor_number(side, i)] = t->in[axis][i];
  return x;
}

/* The last axis of c2r: S. */
static fg_status real_axis(fg_context *cx, const fg_tensor *t, int axis) {
  int64_t n = t->form.results[axis];
  fg_gfc *half = fg_arena_new(cx->arena, fg_gfc, n);
  const fg_gfc *in = placed(cx, t, axis, t->form.in[axis].span);
  for (int64_t k = 0; k < t->form.in[axis].span; k++) {
    const fg_gfc *x = &in[k];
    half[k] = k && 2 * k != n ? fg_gfc_add(t->f, *x, *x) : *x;
  }
  return fg_field_dft(cx, t->f, n, t->sign, half, t->out[axis]);
}

static bool is_listed(const fg_tensor_form *form, int axis) { return form->listed && axis == form->axes - 1; }

static void draw_list(fg_context *cx, fg_tensor *t, bool real, uint64_t *random) {
  fg_gfc *x = t->in[t->form.axes - 1] = fg_arena_new(cx->arena, fg_gfc, t->form.listed);
  for (int64_t i = 0; i < t->form.listed; i++) x[i] = (fg_gfc){fg_gf_random(random), real ? 0 : fg_gf_random(random)};
}

static void draw_axis(fg_context *cx, fg_tensor *t, int axis, bool real, uint64_t *random) {
  if (is_listed(&t->form, axis)) {
    draw_list(cx, t, real, random);
    return;
  }
  t->in[axis] = fg_arena_new(cx->arena, fg_gfc, t->form.length[axis]);
  draw(&t->form, axis, real, random, t->in[axis]);
}

static bool create_axis(fg_context *cx, fg_tensor *t, int axis, bool real, uint64_t *random) {
  const fg_tensor_form *form = &t->form;
  int64_t n = form->length[axis];
  bool halved = t->to_real && axis == form->axes - 1;
  draw_axis(cx, t, axis, real, random);
  if (is_listed(form, axis)) return true;
  if (axis < form->batch_axes) return t->out[axis] = t->in[axis], true;
  if (form->split && axis > form->batch_axes) return true;
  if (!form->split) n = form->in[axis].span;
  if (halved) n = form->results[axis];
  if (!is_possible(t->f, n)) return false;
  t->out[axis] = fg_arena_new(cx->arena, fg_gfc, n);
  if (halved) return real_axis(cx, t, axis) == FG_OK;
  const fg_gfc *in = form->split ? t->in[axis] : placed(cx, t, axis, n);
  return fg_field_dft(cx, t->f, n, t->sign, in, t->out[axis]) == FG_OK;
}

/* Numbers of a list's inputs. */
static const int64_t *numbers_of(fg_context *cx, const fg_tensor_form *form) {
  int64_t *number = fg_arena_new(cx->arena, int64_t, form->listed);
  for (int64_t i = 0; i < form->listed; i++) number[i] = fg_tensor_number(&form->in[form->axes - 1], form->list[i]);
  return number;
}

/* The sum of a cut dimension, or of a list. */
static void create_sum(fg_context *cx, fg_tensor *t) {
  const fg_tensor_form *form = &t->form;
  int axis = form->axes - 1;
  t->terms = form->listed ? form->listed : form->few[axis];
  t->number = form->listed ? numbers_of(cx, form) : form->index[axis];
  t->factor = fg_arena_new(cx->arena, fg_gfc, t->terms);
  t->term = fg_arena_new(cx->arena, fg_gfc, t->terms);
  t->step = fg_arena_new(cx->arena, fg_gfc, t->terms);
  t->at = -1;
  for (int64_t i = 0; i < t->terms; i++) {
    fg_gfc x = t->in[axis][form->listed ? i : t->number[i]];
    bool own_mirror = t->number[i] == 0 || 2 * t->number[i] == t->order;
    t->factor[i] = t->to_real && !own_mirror ? fg_gfc_add(t->f, x, x) : x;
  }
}

/* Roots that a sum has: as many as there are inputs, or results of c2r. */
static int64_t order_of(const fg_tensor_form *form, bool to_real) {
  if (form->listed) return to_real ? form->results[form->axes - 1] : form->in[form->axes - 1].span;
  return form->split ? form->length[form->batch_axes] * form->split : 0;
}

/* Of any kind but a convolution. */
static fg_tensor *transformed(fg_context *cx, fg_kind kind, int sign, const fg_tensor_form *form, const fg_field *f,
                              uint64_t *random) {
  fg_tensor *t = fg_arena_new(cx->arena, fg_tensor, 1);
  *t = (fg_tensor){.f = f, .form = *form, .sign = sign, .to_real = kind == FG_C2R};
  t->order = order_of(form, t->to_real);
  if (t->order && f->order % (uint64_t)t->order) return NULL;
  if (t->order) power_tables(cx, t);
  for (int i = 0; i < form->axes; i++)
    if (!create_axis(cx, t, i, kind == FG_R2C, random)) return NULL;
  if (t->order) create_sum(cx, t);
  return t;
}

/* ---- convolutions ------------------------------------------------------------------------- */

/* Number i of an axis of the spectrum, or its conjugate, which is what multiplies. */
static fg_gfc factor_at(const fg_tensor *t, const fg_problem *q, int axis, int64_t i) {
  fg_gfc x = t->by->in[axis][i];
  if (q->conjugated) x.im = fg_gf_neg(t->f, x.im);
  return x;
}

/* The spectrum's axis that goes with one of the inputs'; -1: none does. */
static int axis_of_spectrum(const fg_tensor *t, const fg_problem *q, int axis) {
  return axis - q->batch_rank + t->by->form.batch_axes;
}

static void convolve_batch(fg_context *cx, fg_tensor *t, const fg_problem *q, int axis, const fg_gfc *x) {
  int by = axis_of_spectrum(t, q, axis);
  int64_t n = t->form.length[axis];
  t->out[axis] = fg_arena_new(cx->arena, fg_gfc, n);
  for (int64_t i = 0; i < n; i++) t->out[axis][i] = by < 0 ? x[i] : fg_gfc_mul(t->f, x[i], factor_at(t, q, by, i));
}

/* One of several dimensions: forward, times its numbers of the spectrum, and back; of half a spectrum the real part. */
static bool convolve_axis(fg_context *cx, fg_tensor *t, const fg_problem *q, int axis) {
  int64_t n = t->form.results[axis];
  int by = axis_of_spectrum(t, q, axis);
  bool half = t->to_real && axis == t->form.axes - 1;
  fg_gfc *middle = fg_arena_new(cx->arena, fg_gfc, n);
  if (!is_possible(t->f, n)) return false;
  if (fg_field_dft(cx, t->f, n, -1, placed(cx, t, axis, n), middle) != FG_OK) return false;
  for (int64_t k = 0; k < n; k++) {
    bool twice = half && k && 2 * k != n;
    if (half && 2 * k > n) {
      middle[k] = (fg_gfc){0, 0};
      continue;
    }
    middle[k] = fg_gfc_mul(t->f, middle[k], factor_at(t, q, by, k));
    if (twice) middle[k] = fg_gfc_add(t->f, middle[k], middle[k]);
  }
  t->out[axis] = fg_arena_new(cx->arena, fg_gfc, n);
  return fg_field_dft(cx, t->f, n, +1, middle, t->out[axis]) == FG_OK;
}

static fg_gfc result_at(fg_tensor *t, int axis, int64_t k);

static fg_gfc chirp_at(const fg_tensor *t, const fg_table *chirps, int64_t j) {
  uint64_t order = 2 * (uint64_t)chirps->n, e = (uint64_t)((fg_wide)(uint64_t)j * (uint64_t)j % order);
  return fg_gf_root(t->f, chirps->sign * (int64_t)e, order);
}

/* Of the list's elements of a chirp's spectrum, which frequencies they are. */
static int64_t *frequencies(fg_context *cx, const fg_tensor_form *by) {
  const fg_table *t = by->chirps;
  int64_t *out = fg_arena_new(cx->arena, int64_t, by->listed);
  fg_bits listed = fg_bits_create(cx->arena, t->cols);
  for (int64_t i = 0; i < by->listed; i++) fg_bits_put(&listed, by->list[i], 1, true);
  for (int64_t k = 0; k < t->cols; k++) {
    int64_t at = fg_table_position(t, k);
    if (!fg_bits_get(&listed, at)) continue;
    for (int64_t i = 0; i < by->listed; i++)
      if (by->list[i] == at) out[i] = k;
  }
  return out;
}

/* Inputs of c2r stand for their conjugates, too, and that of index 0 for its real part. By any other spectrum than the
 * chirp's those conjugates are others, so a batch's numbers are real. */
static void double_inputs(fg_tensor *t) {
  const fg_tensor_form *form = &t->form;
  for (int i = 0; i < form->batch_axes; i++)
    for (int64_t j = 0; j < form->length[i]; j++) t->in[i][j].im = 0;
  for (int64_t i = 0; i < form->listed; i++) {
    fg_gfc x = t->factor[i];
    t->factor[i] = t->number[i] ? fg_gfc_add(t->f, x, x) : (fg_gfc){x.re, 0};
  }
}

/* The inputs' transform; times a chirp, as long as that one's convolution. */
static bool forward(fg_context *cx, fg_tensor *t, const fg_problem *q, uint64_t *random) {
  fg_tensor_form form = t->form;
  const fg_table *chirps = t->by->form.chirps;
  if (chirps) form.in[q->batch_rank].span = chirps->cols;
  fg_kind kind = q->kind == FG_RCONV || q->kind == FG_R2C ? FG_R2C : FG_C2C;
  t->forward = transformed(cx, kind, -1, &form, t->f, random);
  if (t->forward && q->kind == FG_C2R) double_inputs(t->forward);
  for (int64_t i = 0; t->forward && chirps && i < form.listed; i++)
    t->forward->factor[i] = fg_gfc_mul(t->f, t->forward->factor[i], chirp_at(t, chirps, t->forward->number[i]));
  return t->forward;
}

/* One dimension: the spectrum's list, each number times the transform there. */
static bool convolve_list(fg_context *cx, fg_tensor *t, const fg_problem *q, uint64_t *random) {
  const fg_tensor_form *by = &t->by->form;
  int axis = q->batch_rank;
  if (!forward(cx, t, q, random)) return false;
  for (int i = 0; i < axis; i++) convolve_batch(cx, t, q, i, t->forward->in[i]);
  t->form.axes = axis + 1;
  t->form.split = 0;
  t->form.length[axis] = t->form.results[axis];
  t->order = by->chirps ? by->chirps->cols : t->form.results[axis];
  t->form.in[axis] = (fg_tensor_side){t->order, 0, t->order};
  t->form.listed = by->listed;
  t->form.list = by->chirps ? frequencies(cx, by) : by->list;
  t->in[axis] = fg_arena_new(cx->arena, fg_gfc, by->listed);
  for (int64_t i = 0; i < by->listed; i++)
    t->in[axis][i] = fg_gfc_mul(t->f, result_at(t->forward, axis, t->form.list[i]), factor_at(t, q, by->axes - 1, i));
  t->chirp = by->chirps;
  power_tables(cx, t);
  create_sum(cx, t);
  t->to_real |= q->kind == FG_C2R;
  t->from_reals = q->kind == FG_R2C;
  return true;
}

static fg_tensor *convolved(fg_context *cx, const fg_problem *q, const fg_tensor_form *form,
                            const fg_tensor_form *spectrum, const fg_field *f, uint64_t *random) {
  fg_tensor *t = fg_arena_new(cx->arena, fg_tensor, 1);
  bool real = q->kind == FG_RCONV;
  *t = (fg_tensor){.f = f, .form = *form, .sign = +1, .to_real = real, .by = fg_arena_new(cx->arena, fg_tensor, 1)};
  *t->by = (fg_tensor){.f = f, .form = *spectrum};
  for (int i = 0; i < spectrum->axes; i++) draw_axis(cx, t->by, i, false, random);
  if (q->rank == 1) return convolve_list(cx, t, q, random) ? t : NULL;
  for (int i = 0; i < form->axes; i++) {
    draw_axis(cx, t, i, real, random);
    if (i < q->batch_rank)
      convolve_batch(cx, t, q, i, t->in[i]);
    else if (!convolve_axis(cx, t, q, i))
      return NULL;
  }
  return t;
}

fg_gfc fg_tensor_spectrum(const fg_tensor *t, int64_t element) { return fg_tensor_input(t->by, element); }

/* ---- the whole ----------------------------------------------------------------------------- */

fg_tensor *fg_tensor_create(fg_context *cx, const fg_problem *q, const fg_tensor_form *form,
                            const fg_tensor_form *spectrum, const fg_field *f, uint64_t seed) {
  uint64_t random = seed ^ 0x74656e736f72;
  fg_system system = {.field = f};
  fg_tensor *t = fg_problem_kind_convolves(q->kind) || spectrum->chirps
                     ? convolved(cx, q, form, spectrum, f, &random)
                     : transformed(cx, q->kind, q->sign, form, f, &random);
  if (!t || q->scale == FG_SCALE_NONE) return t;
  t->scaled = true;
  t->scale = fg_operation_values_scale(&system, q).gf.re;
  return t;
}

int64_t fg_tensor_index(const fg_tensor_form *form, int axis, int64_t element) {
  for (int i = 0; i < axis; i++) element %= form->in_apart[i];
  return element / form->in_apart[axis];
}

/* NULL: it is zero. */
static const fg_gfc *input_at(const fg_tensor *t, int axis, int64_t index) {
  const fg_tensor_form *form = &t->form;
  if (index >= form->length[axis]) return NULL;
  if (!is_listed(form, axis)) return &t->in[axis][index];
  int64_t low = 0, high = form->listed;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (form->list[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < form->listed && form->list[low] == index ? &t->in[axis][low] : NULL;
}

fg_gfc fg_tensor_input(const fg_tensor *t, int64_t element) {
  if (t->forward) return fg_tensor_input(t->forward, element);
  const fg_tensor_form *form = &t->form;
  const fg_gfc *y[FG_TENSOR_AXES];
  fg_gfc x = {t->f->one, 0};
  for (int i = 0; i < form->axes; i++) {
    y[i] = input_at(t, i, element / form->in_apart[i]);
    if (!y[i] || (!y[i]->re && !y[i]->im)) return (fg_gfc){0, 0};
    element %= form->in_apart[i];
  }
  for (int i = 0; i < form->axes; i++) x = i ? fg_gfc_mul(t->f, x, *y[i]) : *y[i];
  return element ? (fg_gfc){0, 0} : x;
}

static fg_gfc power(const fg_tensor *t, int64_t n2, int64_t k) {
  int64_t e = (int64_t)((fg_wide)n2 * (uint64_t)k % (uint64_t)t->order);
  return fg_gfc_mul(t->f, t->low[e % LOW], t->high[e / LOW]);
}

/* Result k of it: terms of the one before are a product away. */
static fg_gfc sum_at(fg_tensor *t, int64_t k) {
  bool follows = t->at >= 0 && k == t->at + 1;
  fg_gfc sum = {0, 0};
  for (int64_t i = 0; i < t->terms; i++) {
    if (t->at < 0) t->step[i] = power(t, t->number[i], 1);
    t->term[i] =
        follows ? fg_gfc_mul(t->f, t->term[i], t->step[i]) : fg_gfc_mul(t->f, power(t, t->number[i], k), t->factor[i]);
    sum = fg_gfc_add(t->f, sum, t->term[i]);
  }
  t->at = k;
  return sum;
}

/* Result k of an axis. */
static fg_gfc result_at(fg_tensor *t, int axis, int64_t k) {
  const fg_tensor_form *form = &t->form;
  if (is_listed(form, axis)) return t->chirp ? fg_gfc_mul(t->f, sum_at(t, k), chirp_at(t, t->chirp, k)) : sum_at(t, k);
  if (!form->split || axis < form->batch_axes) return t->out[axis][k];
  return fg_gfc_mul(t->f, sum_at(t, k), t->out[axis][k % form->length[axis]]);
}

bool fg_tensor_result(fg_tensor *t, int64_t element, fg_gfc *out) {
  const fg_tensor_form *form = &t->form;
  int axes = form->batch_axes + (form->split ? 1 : form->axes - form->batch_axes);
  fg_gfc y = {t->f->one, 0};
  for (int i = 0; i < axes; i++) {
    int64_t k = element / form->out_apart[i];
    if (k >= form->out[i].length) return false;
    y = fg_gfc_mul(t->f, y, result_at(t, i, fg_tensor_number(&form->out[i], k)));
    element %= form->out_apart[i];
  }
  if (t->to_real) y.im = 0;
  if (t->scaled) y = (fg_gfc){fg_gf_mul(t->f, y.re, t->scale), fg_gf_mul(t->f, y.im, t->scale)};
  *out = y;
  return !element;
}

bool fg_tensor_may_be_real(const fg_tensor *t, int64_t element) {
  for (int i = 0; i < t->form.batch_axes; i++) element %= t->form.out_apart[i];
  return t->chirp && t->from_reals && !element;
}

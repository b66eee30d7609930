/* Cosine and sine transforms by real and complex ones.
 *
 * In: a task of kind dct1 .. dst4, a plan for the inner transform. Out: its stages. No step divides by a small
 * number, so errors grow as those of the inner transform.
 *
 *   II     v = the inputs of even number, then those of odd number in reverse; its r2c V;
 *          outputs k and n-k are the real and the imaginary part of 2 w^k V_k, w of
 *          order 4n (Makhoul, IEEE Trans. ASSP-28, 1980)
 *   III    the inverse steps: V_k = (x_k + i x_(n-k)) w^k, c2r, the order restored
 *   IV     n even: z_j = x_(n-1-2j) + i x_(2j), times w^(4j+1) of order 8n; c2c of n/2;
 *          times -i w^(4k): the parts are outputs 2k and n-1-2k.
 *          n odd: r2c of f(8i+1), f the input's extension to 8n points, times w^k
 *   I      r2c of the input's even or odd extension to 2 (n-1) or 2 (n+1) points
 *
 * A sine transform of types II to IV is the cosine transform with alternating signs on one side and the reverse order
 * on the other. */
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/steps.h"
#include "generator/base/invariant.h"

typedef struct trig {
  fg_builder *b;
  const fg_task *t;
  const fg_plan *plan; /* of the transform inside */
  bool sine;
  int64_t n;
} trig;

static fg_status add(const trig *g, fg_stage_form *form, fg_codelet_kind kind, fg_twiddle twiddle, int n) {
  fg_codelet_key key = {.kind = kind, .sign = 1, .twiddle = twiddle};
  fg_status status = fg_build_key(g->b, key, n, &form->codelet);
  if (status == FG_OK) fg_build_stage(g->b, form);
  return status;
}

static fg_status inside(const trig *g, const fg_task *task) { return fg_build_plan(g->b, g->plan, task); }

/* ---- new orders ------------------------------------------------------------------------- */

typedef struct law { /* element first + step * counter of a view */
  const fg_view *view;
  int64_t first, step;
} law;

typedef struct order { /* numbers from the first law to the second, or back */
  law reals, to;
  int64_t gap; /* of a pair of reals that become one element of `to`; 0: one becomes one */
  int64_t count;
  bool negate, back;
} order;

static fg_status move(const trig *g, const order *o) {
  if (o->count < 1) return FG_OK;
  fg_view in = fg_build_shifted(o->reals.view, o->reals.first), out = fg_build_shifted(o->to.view, o->to.first);
  fg_stage_form form = {.what = fg_arena_printf(g->b->cx->arena, "%lld in a new order", (long long)o->count),
                        .in = &in,
                        .out = &out,
                        .loop = {{"k", o->count, o->reals.step, o->to.step, 0}},
                        .slots = o->gap ? 2 : 1,
                        .out_slots = 1,
                        .load = o->gap,
                        .store = 1,
                        .alone = o->count == 1};
  if (o->back) fg_build_transposed_stage(&form);
  if (o->negate) return add(g, &form, FG_CODELET_NEGATE, FG_TW_NONE, o->gap ? 2 : 1);
  fg_build_stage(g->b, &form);
  return FG_OK;
}

static fg_status move_all(const trig *g, const order *o, int count) {
  fg_status status = FG_OK;
  for (int i = 0; i < count && status == FG_OK; i++) status = move(g, &o[i]);
  return status;
}

/* Scratch for n reals: of pairs, if there are any. */
static fg_view scratch(const trig *g, int64_t n) {
  return n % 2 ? fg_build_real_scratch(g->b, n) : fg_build_scratch(g->b, n / 2);
}

/* ---- factors ------------------------------------------------------------------------------ */

/* Complex numbers times 2^shift w^(exponent + step * counter), w = exp(sign 2 pi i /
 * base): real parts to one law, imaginary parts to another; or turned round, complex
 * numbers made of two reals, times these. Without a view in `im` real parts alone count. */
typedef struct product {
  law complex, re, im;
  int64_t exponent, step, base;
  int sign, shift;
  int64_t count;
  bool turned;
} product;

static fg_status multiply(const trig *g, const product *p) {
  if (p->count < 1) return FG_OK;
  fg_table factors = {.fill = FG_FILL_TWIDDLE,
                      .sign = p->sign,
                      .rows = 1,
                      .cols = p->count,
                      .row0 = 1,
                      .col0 = p->exponent,
                      .col_step = p->step,
                      .order = p->base,
                      .shift = p->shift};
  fg_view table = fg_build_table(g->b, &factors), in = fg_build_shifted(p->complex.view, p->complex.first);
  fg_view out = fg_build_shifted(p->re.view, p->re.first);
  fg_side im = {.slots = 1, .first = p->im.first - p->re.first, .slot = 1, .loop = {p->im.step}};
  fg_stage_form form = {.what = fg_arena_printf(g->b->cx->arena, "%lld products", (long long)p->count),
                        .in = &in,
                        .out = &out,
                        .loop = {{"k", p->count, p->complex.step, p->re.step, 1}},
                        .slots = 1,
                        .load = 1,
                        .store = 1,
                        .table = &table,
                        .table_slots = 1,
                        .store_rest = p->im.view ? &im : NULL,
                        .alone = p->count == 1};
  if (p->turned) fg_build_transposed_stage(&form);
  fg_twiddle side = p->turned ? FG_TW_OUT_ALL : FG_TW_IN_ALL;
  return add(g, &form, p->im.view ? FG_CODELET_C2C : p->turned ? FG_CODELET_R2C : FG_CODELET_C2R, side, 1);
}

static fg_status multiply_all(const trig *g, const product *p, int count) {
  fg_status status = FG_OK;
  for (int i = 0; i < count && status == FG_OK; i++) status = multiply(g, &p[i]);
  return status;
}

/* The frequency side of types II to IV: its order is turned for sines. */
static law outer(const trig *g, const fg_view *view, int64_t first, int64_t step) {
  return g->sine ? (law){view, g->n - 1 - first, -step} : (law){view, first, step};
}

/* ---- types II and III ----------------------------------------------------------------------- */

/* Between x and v: even ones forward, odd ones backward. */
static fg_status order_by_parity(const trig *g, const fg_view *v, bool back) {
  const fg_view *x = back ? &g->t->out : &g->t->in;
  int64_t n = g->n;
  order single[] = {{{x, 0, 2}, {v, 0, 1}, 0, (n + 1) / 2, false, back},
                    {{x, 1, 2}, {v, n - 1, -1}, 0, n / 2, g->sine, back}};
  if (n % 2) return move_all(g, single, 2);
  int64_t forward = n / 4, behind = (n + 2) / 4;
  order pairs[] = {{{x, 0, 4}, {v, 0, 1}, 2, forward, false, back},
                   {{x, 2 * n - 1 - 4 * behind, -4}, {v, behind, 1}, -2, n / 2 - behind, g->sine, back}};
  fg_status status = move_all(g, pairs, 2);
  if (forward == behind || status != FG_OK) return status;
  fg_view re = fg_build_parts_view(g->b, v, 0), im = fg_build_parts_view(g->b, v, 1);
  order middle[] = {{{x, n - 2, 1}, {&re, forward, 1}, 0, 1, false, back},
                    {{x, n - 1, 1}, {&im, forward, 1}, 0, 1, g->sine, back}};
  return move_all(g, middle, 2);
}

static fg_status halves(const trig *g, const fg_view *spectrum, bool third) {
  const fg_view *x = third ? &g->t->in : &g->t->out;
  int64_t n = g->n;
  product all = {.sign = third ? -1 : 1, .step = 1, .base = 4 * n, .shift = third ? 0 : 1, .turned = third};
  product first = all, middle = all;
  all.complex = (law){spectrum, 1, 1}, all.re = outer(g, x, 1, 1), all.im = outer(g, x, n - 1, -1);
  all.exponent = 1, all.count = (n - 1) / 2;
  first.complex = (law){spectrum, 0, 1}, first.re = outer(g, x, 0, 1), first.count = 1;
  middle.complex = (law){spectrum, n / 2, 1}, middle.re = outer(g, x, n / 2, 1);
  middle.exponent = n / 2, middle.count = n % 2 == 0, middle.shift = 1;
  return multiply_all(g, (const product[]){all, first, middle}, 3);
}

static fg_status second(const trig *g) {
  fg_view v = scratch(g, g->n), spectrum = fg_build_scratch(g->b, g->n / 2 + 1);
  fg_task task = {.kind = FG_R2C, .n = g->n, .sign = 1, .in = v, .out = spectrum, .pairs = g->n % 2 == 0};
  fg_status status = order_by_parity(g, &v, false);
  if (status == FG_OK) status = inside(g, &task);
  return status == FG_OK ? halves(g, &spectrum, false) : status;
}

static fg_status third(const trig *g) {
  fg_view v = scratch(g, g->n), spectrum = fg_build_scratch(g->b, g->n / 2 + 1);
  fg_task task = {.kind = FG_C2R, .n = g->n, .sign = -1, .in = spectrum, .out = v, .pairs = g->n % 2 == 0};
  fg_status status = halves(g, &spectrum, true);
  if (status == FG_OK) status = inside(g, &task);
  return status == FG_OK ? order_by_parity(g, &v, true) : status;
}

/* ---- type IV --------------------------------------------------------------------------------- */

static fg_status fourth_even(const trig *g) {
  const fg_view *x = &g->t->in, *y = &g->t->out;
  int64_t n = g->n, half = n / 2;
  fg_view z = fg_build_scratch(g->b, half), spectrum = fg_build_scratch(g->b, half);
  law even = {x, 0, 2}, odd = {x, n - 1, -2}, low = {y, 0, 2}, high = {y, n - 1, -2};
  product in = {.complex = {&z, 0, 1}, .exponent = 1, .step = 4, .base = 8 * n, .sign = 1, .count = half}, out = in;
  in.re = g->sine ? even : odd, in.im = g->sine ? odd : even, in.turned = true;
  out.complex = (law){&spectrum, 0, 1}, out.exponent = g->sine ? 0 : 6 * n, out.shift = 1;
  out.re = g->sine ? high : low, out.im = g->sine ? low : high;
  fg_task task = {.kind = FG_C2C, .n = half, .sign = 1, .in = z, .out = spectrum};
  fg_status status = multiply(g, &in);
  if (status == FG_OK) status = inside(g, &task);
  return status == FG_OK ? multiply(g, &out) : status;
}

/* f(8i + 1), f(j) = f(-j) = -f(4n - j), f(2j + 1) = x_j: four stretches of x. */
static fg_status extended(const trig *g, const fg_view *v) {
  static const bool minus[2][4] = {{false, true, true, false}, {false, false, true, true}};
  const fg_view *x = &g->t->in;
  int64_t n = g->n;
  for (int q = 0; q < 4; q++) {
    int64_t from = q ? (2 * q * n + 7) / 8 : 0, to = q < 3 ? (2 * (q + 1) * n + 7) / 8 : n;
    const int64_t start[4] = {4 * from, 2 * n - 4 * from - 1, 4 * from - 2 * n, 4 * n - 4 * from - 1};
    order stretch = {{x, start[q], q % 2 ? -4 : 4}, {v, from, 1}, 0, to - from, minus[g->sine][q], false};
    fg_status status = move(g, &stretch);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

/* Outputs k with 2k + 1 = j or n + j, and their mirror images, are computed from element j. */
static fg_status fourth_odd(const trig *g) {
  const fg_view *y = &g->t->out;
  int64_t n = g->n, most = n / 2;
  fg_view v = scratch(g, n), spectrum = fg_build_scratch(g->b, n / 2 + 1);
  fg_task task = {.kind = FG_R2C, .n = n, .sign = 1, .in = v, .out = spectrum};
  fg_status status = extended(g, &v);
  if (status == FG_OK) status = inside(g, &task);
  if (status != FG_OK) return status;
  product odd = {.step = 2, .base = 8 * n, .sign = 1, .shift = 1}, even = odd, first = odd;
  odd.complex = (law){&spectrum, 1, 2}, odd.exponent = 1, odd.count = (most + 1) / 2;
  odd.re = outer(g, y, 0, 1), odd.im = outer(g, y, n - 1, -1);
  even.complex = (law){&spectrum, 2, 2}, even.exponent = n + 2, even.count = most / 2;
  even.re = outer(g, y, (n + 1) / 2, 1), even.im = outer(g, y, (n - 3) / 2, -1);
  first.complex = (law){&spectrum, 0, 1}, first.exponent = n, first.count = 1;
  first.re = outer(g, y, most, 1);
  return multiply_all(g, (const product[]){odd, even, first}, 3);
}

static fg_status fourth(const trig *g) { return g->n % 2 ? fourth_odd(g) : fourth_even(g); }

/* ---- type I ------------------------------------------------------------------------------------ */

static fg_status even_extension(const trig *g, const fg_view *v) {
  const fg_view *x = &g->t->in;
  int64_t n = g->n, forward = n / 2;
  order o[] = {{{x, 0, 2}, {v, 0, 1}, 1, forward, false, false},
               {{x, 2 * n - 2 - 2 * forward, -2}, {v, forward, 1}, -1, n - 1 - forward, false, false}};
  return move_all(g, o, 2);
}

static fg_status odd_extension(const trig *g, const fg_view *v) {
  const fg_view *x = &g->t->in;
  int64_t n = g->n, upward = (n - 1) / 2, centre = (n + 1) / 2, downward = centre + 1;
  fg_view re = fg_build_parts_view(g->b, v, 0), im = fg_build_parts_view(g->b, v, 1);
  order o[] = {{{x, 1, 2}, {v, 1, 1}, 1, upward, false, false},
               {{x, 2 * n + 1 - 2 * downward, -2}, {v, downward, 1}, -1, n + 1 - downward, true, false},
               {{x, 0, 1}, {&im, 0, 1}, 0, 1, false, false},
               {{x, n - 1, 1}, {n % 2 ? &im : &re, centre, 1}, 0, 1, n % 2 == 1, false}};
  fg_build_zeros(g->b, &re, 0, 1);
  fg_build_zeros(g->b, n % 2 ? &re : &im, centre, centre + 1);
  return move_all(g, o, 4);
}

static fg_status first(const trig *g) {
  int64_t n = g->n, period = g->sine ? 2 * (n + 1) : 2 * (n - 1);
  fg_view v = scratch(g, period), spectrum = fg_build_scratch(g->b, period / 2 + 1);
  fg_task task = {.kind = FG_R2C, .n = period, .sign = 1, .in = v, .out = spectrum, .pairs = true};
  fg_status status = (g->sine ? odd_extension : even_extension)(g, &v);
  if (status == FG_OK) status = inside(g, &task);
  if (status != FG_OK) return status;
  fg_view parts = fg_build_parts_view(g->b, &spectrum, g->sine);
  return move(g, &(order){{&parts, g->sine, 1}, {&g->t->out, 0, 1}, 0, n, false, false});
}

/* ---- the whole ------------------------------------------------------------------------------------ */

fg_status fg_build_trig(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  static const struct {
    fg_status (*build)(const trig *);
    bool sine;
  } of[FG_KIND_COUNT] = {
      [FG_DCT1] = {first, false}, [FG_DCT2] = {second, false}, [FG_DCT3] = {third, false}, [FG_DCT4] = {fourth, false},
      [FG_DST1] = {first, true},  [FG_DST2] = {second, true},  [FG_DST3] = {third, true},  [FG_DST4] = {fourth, true}};
  fg_invariant(of[t->kind].build);
  trig g = {.b = b, .t = t, .plan = plan->child[0], .sine = of[t->kind].sine, .n = t->n};
  return of[t->kind].build(&g);
}

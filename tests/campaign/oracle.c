/* See oracle.h. The sums are those of docs/problem.md, one dimension after the other, in long double; errors
 * are carried along: each element has a value and a bound of what a correct program may be off.
 *
 * The bound of a transform of N points, with u half a unit in the last place of what is computed with: every
 * output may be off by 8 u (log2 N + 6) g |x|, |x| the root of the sum of squares of the input (which
 * is the root mean square of the outputs), g = 2 for each dimension of a cosine or sine transform and
 * for c2r. An operation adds a few u of its value, storing half a unit of the type. */
#include "oracle.h"
#include "expression.h"
#include "numbers.h"
#include "sums.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double _Complex value;

typedef struct element {
  value v;
  long double e; /* how far off it may be */
} element;

/* ---- arrays ------------------------------------------------------------------- */

static void add_array(case_file *f, const char *name, long long count, number type, uint64_t *state) {
  named *a = &f->arrays[f->array_count++];
  snprintf(a->name, sizeof a->name, "%s", name);
  a->amount = count * number_bytes(type);
  a->content = guarded((size_t)a->amount);
  for (long long i = 0; a->content && i < count; i++) number_put_random(a->content, type, i, state);
}

static long long numbers_of(const problem *p, int side) {
  return array_elements(p, side) * (p->complex_array[side] && !p->split[side] ? 2 : 1);
}

static void add_side(const problem *p, case_file *f, int side, uint64_t *state) {
  const char *base = p->in_place ? "data" : side ? "out" : "in";
  long long count = numbers_of(p, side), other = numbers_of(p, OUT);
  char name[32];
  if (p->in_place && other > count) count = other;
  for (int part = 0; part < (p->split[side] ? 2 : 1); part++) {
    snprintf(name, sizeof name, "%s%s", base, !p->split[side] ? "" : part ? "_im" : "_re");
    add_array(f, name, count, p->stored[side], state);
  }
}

int oracle_fill(const problem *p, uint64_t seed, case_file *f) {
  uint64_t state = seed;
  *f = (case_file){0};
  add_side(p, f, IN, &state);
  if (!p->in_place) add_side(p, f, OUT, &state);
  long long samples = filter_points(p) * (p->kind == RCONV ? 1 : 2);
  if (convolves(p->kind)) add_array(f, "spectrum", 2 * spectrum_count(p), p->compute, &state);
  if (samples) add_array(f, "filter", samples * (spectrum_count(p) / spectrum_points(p)), p->compute, &state);
  for (int side = IN; side <= OUT; side++) {
    for (int i = 0; i < p->step_count[side]; i++) {
      const step *s = &p->steps[side][i];
      bool pairs = s->pairs && s->what != WINDOW;
      long long count = step_elements(p, side, s) * own_count(p, s->whose) * (pairs ? 2 : 1);
      if (s->given >= 0) add_array(f, s->name, count, p->compute, &state);
      for (int a = 0; a < s->array_count; a++)
        if (!case_array(f, s->array[a].name))
          add_array(f, s->array[a].name, expression_count(p, side, s, &s->array[a]), p->compute, &state);
    }
  }
  for (int i = 0; i < p->parameter_count; i++) {
    named *to = &f->parameters[f->parameter_count++];
    snprintf(to->name, sizeof to->name, "%s", p->parameters[i].name);
    to->amount = p->parameters[i].value;
  }
  for (int i = 0; i < f->array_count; i++) {
    if (!f->arrays[i].content) return -1;
  }
  return 0;
}

/* ---- elements ------------------------------------------------------------------ */

static void digits_of(const long long *extent, int rank, long long number, long long *digit) {
  for (int d = rank - 1; d >= 0; d--) {
    digit[d] = number % extent[d];
    number /= extent[d];
  }
}

/* The sample of a signal that frame j[0] has as its j[1]; -1: none. */
static long long sample_of(const problem *p, const long long *j) {
  const signal_frames *f = &p->frames;
  long long at = j[0] * f->hop + j[1] - f->first;
  if (f->reflect && at < 0) at = -at;
  if (f->reflect && at >= f->samples) at = 2 * (f->samples - 1) - at;
  return at < 0 || at >= f->samples ? -1 : at;
}

/* The address of element j of a transform; -1: in the zeros, or cropped. */
static long long address_of(const problem *p, int side, const long long *j, long long base) {
  bool shifted = false;
  if (p->frames.side == side) {
    long long at = sample_of(p, j);
    return at < 0 ? -1 : base + at;
  }
  for (int i = 0; i < p->step_count[side]; i++) shifted ^= p->steps[side][i].what == SHIFT;
  for (int d = 0; d < p->rank; d++) {
    long long n = p->extent[side][d], at = shifted ? (j[d] + n / 2) % n : j[d];
    at -= p->first[side][d];
    if (at < 0 || at >= p->held[side][d]) return -1;
    base += at * p->axes[d].stride[side];
  }
  return base;
}

/* The array and the number of its number. */
static const named *number_at(const problem *p, const case_file *f, int side, int part, long long address,
                              long long *i) {
  int first = side == OUT && !p->in_place ? (p->split[IN] ? 2 : 1) : 0;
  bool pairs = p->complex_array[side] && !p->split[side];
  *i = pairs ? 2 * address + part : address;
  return &f->arrays[first + (p->split[side] ? part : 0)];
}

static value operand(const problem *p, const case_file *f, int side, const step *s, const long long *j,
                     long long number) {
  if (s->given >= 0) {
    const void *array = case_array(f, s->name);
    if (s->what == WINDOW || !s->pairs) return number_get(array, p->compute, number);
    return number_get(array, p->compute, 2 * number) + number_get(array, p->compute, 2 * number + 1) * (value)I;
  }
  long double weight = 1;
  if (s->window >= 0 && s->what == WINDOW) {
    for (int d = p->frames.side >= 0; d < p->rank; d++)
      weight *= window_weight(s->window, s->parameter, j[d], is_lapped(p->kind) ? p->extent[side][d] : p->axes[d].n);
  }
  return weight;
}

static element operate(const step *s, element x, value with, long double u) {
  long double size = cabsl(x.v), e = x.e;
  switch (s->what) {
  case WINDOW:
  case MUL: return (element){x.v * with, e * cabsl(with) + 4 * u * (size * cabsl(with) + size)};
  case PLUS: return (element){x.v + with, e + 4 * u * (size + cabsl(with))};
  case CONJ: return (element){conjl(x.v), e};
  case MAG: return (element){size, e + 4 * u * size};
  case MAG2: return (element){size * size, e * (2 * size + e) + 6 * u * size * size};
  case LOGMAG: {
    long double v = 20 * log10l(size);
    if (size < 4 * e || size == 0) return (element){0, INFINITY};
    return (element){v, 20 / logl(10) * (1.5L * e / size + 4 * u) + 8 * u * fabsl(v)};
  }
  default: return x;
  }
}

typedef struct place { /* of an element */
  long long transform, number;
  const long long *digits;
} place;

static element some_steps(const problem *p, const case_file *f, int side, element x, place at, int from, int to) {
  for (int i = from; i < to; i++) {
    const step *s = &p->steps[side][i];
    if (s->what == EXPRESSION) {
      around here = {p, f, side, {x.v, x.e}, at.transform, at.digits};
      measured y = expression_value(s, &here);
      x = (element){y.v, y.e};
      continue;
    }
    long long number = step_number(p, side, s, at.digits), own = own_number(p, s->whose, at.transform);
    value with = number < 0 ? 0 : operand(p, f, side, s, at.digits, number + step_elements(p, side, s) * own);
    x = operate(s, x, with, number_unit(p->compute));
  }
  return x;
}

static element all_steps(const problem *p, const case_file *f, int side, element x, place at) {
  return some_steps(p, f, side, x, at, 0, p->step_count[side]);
}

/* ---- a transform ---------------------------------------------------------------- */

static element load(const problem *p, const case_file *f, long long base, long long transform, long long number) {
  long long j[MOST_AXES], i;
  digits_of(p->extent[IN], p->rank, number, j);
  long long address = address_of(p, IN, j, base);
  element x = {0, 0};
  if (address < 0) return all_steps(p, f, IN, x, (place){transform, number, j});
  const named *a = number_at(p, f, IN, 0, address, &i);
  x.v = number_get(a->content, p->stored[IN], i);
  if (p->complex_element[IN]) {
    a = number_at(p, f, IN, 1, address, &i);
    x.v += number_get(a->content, p->stored[IN], i) * (value)I;
  }
  x.e = p->stored[IN] == F64 && p->compute == F32 ? number_unit(F32) * cabsl(x.v) : 0;
  return all_steps(p, f, IN, x, (place){transform, number, j});
}

static long double bound_of(const problem *p, long double squares, long double errors) {
  long double gain = p->kind == C2R || p->kind >= MDCT ? 2 : 1;
  if (p->kind >= DCT1 && p->kind <= DST4) gain = ldexpl(1, p->rank);
  long double u = number_unit(p->compute), levels = log2l((long double)problem_points(p)) + 6;
  long double narrow = p->narrow ? 8 * number_unit(p->precision) : 0; /* a few roundings of all, whatever the length */
  return gain * ((8 * u * levels + narrow) * sqrtl(squares) + 4 * sqrtl(errors));
}

typedef struct judge { /* of one case */
  const problem *p;
  const case_file *before, *after;
  long double worst;
  unsigned char *touched[MOST_ARRAYS]; /* numbers that belong to an element of this side */
  char *error;
} judge;

static int judge_number(judge *g, int part, long long address, element want, const long long *k) {
  const problem *p = g->p;
  long long i;
  const named *a = number_at(p, g->after, OUT, part, address, &i);
  long double got = number_get(a->content, p->stored[OUT], i), v = part ? cimagl(want.v) : creall(want.v);
  long double off = fabsl(got - v) / (want.e + number_unit(p->stored[OUT]) * fabsl(v) + 1e-300L);
  g->touched[a - g->after->arrays][i] = 1;
  if (p->stored[OUT] == F32 || p->stored[OUT] == F64) g->worst = off > g->worst ? off : g->worst;
  if (number_allowed(got, p->stored[OUT], v, want.e)) return 0;
  int used = snprintf(g->error, 200, "output");
  for (int d = 0; d < p->rank + p->batch_rank; d++) used += snprintf(g->error + used, 20, " %lld", k[d]);
  snprintf(g->error + used, (size_t)(200 - used), "%s is %.10Lg, not %.10Lg, by more than %.3Lg",
           part ? ", imaginary," : "", got, v, want.e);
  return -1;
}

/* The spectrum from number `first` on, and how far off it may be: the caller's, or that of the caller's filter. */
static int read_spectrum(const judge *g, long long first, value *with, long double *e) {
  const problem *p = g->p;
  problem there = problem_inside(p, false);
  const void *spectrum = case_array(g->before, "spectrum"), *filter = case_array(g->before, "filter");
  long long points = spectrum_points(p), from = first / points * filter_points(p), k[MOST_AXES];
  long double squares = 0;
  *e = 0;
  for (long long m = 0; !filter && m < points; m++)
    with[m] = number_get(spectrum, p->compute, 2 * (first + m)) +
              number_get(spectrum, p->compute, 2 * (first + m) + 1) * (value)I;
  if (!filter) return 0;
  for (long long j = 0; j < problem_points(p); j++) {
    long long at = 0;
    bool inside = true;
    digits_of(p->extent[IN], p->rank, j, k);
    for (int d = 0; d < p->rank; d++) at = at * p->filter[d] + k[d], inside &= k[d] < p->filter[d];
    with[j] = 0;
    if (inside && p->kind == RCONV) with[j] = number_get(filter, p->compute, from + at);
    if (inside && p->kind != RCONV)
      with[j] = number_get(filter, p->compute, 2 * (from + at)) +
                number_get(filter, p->compute, 2 * (from + at) + 1) * (value)I;
    squares += creall(with[j] * conjl(with[j]));
  }
  *e = bound_of(&there, squares, 0);
  return sums(&there, with);
}

/* Of a transform: its loaded elements, transformed; the bound of that. */
static int transform_there(const judge *g, long long base, long long transform, value *x, long double *e) {
  const problem *p = g->p;
  problem there = problem_inside(p, false);
  long double squares = 0, errors = 0;
  for (long long i = 0; i < side_elements(p, IN); i++) {
    element in = load(p, g->before, base, transform, i);
    x[i] = in.v;
    squares += creall(in.v * conjl(in.v));
    errors += in.e * in.e;
  }
  *e = bound_of(&there, squares, errors);
  return sums(&there, x);
}

/* A transform's results times its spectrum, added to others. */
static int multiply(const judge *g, long long transform, const value *x, long double e, element *sum) {
  const problem *p = g->p;
  long double u = number_unit(p->compute), own;
  value *with = calloc((size_t)problem_points(p) + 1, sizeof *with);
  int bad = with ? read_spectrum(g, spectrum_first(p, transform), with, &own) : -1;
  for (long long m = 0; !bad && m < spectrum_points(p); m++) {
    if (p->conjugated) with[m] = conjl(with[m]);
    long double off = e * cabsl(with[m]) + own * (cabsl(x[m]) + e) + 4 * u * cabsl(x[m] * with[m]);
    sum[m].v += x[m] * with[m];
    sum[m].e += off + (p->summed ? u * (cabsl(sum[m].v) + cabsl(x[m] * with[m])) : 0);
  }
  free(with);
  return bad;
}

static long long batch_address(const problem *p, int side, long long transform) {
  long long digit[MOST_AXES], base = 0;
  digits_of(p->extent[IN] + p->rank, p->batch_rank, transform, digit);
  for (int d = 0; d < p->batch_rank; d++) base += digit[d] * p->axes[p->rank + d].stride[side];
  return base;
}

/* Of conv: the sum of all transforms that have one result, times their spectra, and back; the bound of all that. */
static int convolve(const judge *g, long long transform, value *x, long double *e) {
  const problem *p = g->p;
  problem back = problem_inside(p, true);
  long double squares = 0, errors = 0;
  element *sum = calloc((size_t)spectrum_points(p), sizeof *sum);
  int bad = sum ? 0 : -1;
  for (long long t = transform; !bad && t < batch_count(p); t += result_count(p)) {
    bad = transform_there(g, batch_address(p, IN, t), t, x, e);
    if (!bad) bad = multiply(g, t, x, *e, sum);
  }
  for (long long m = 0; !bad && m < spectrum_points(p); m++) {
    x[m] = sum[m].v;
    squares += creall(x[m] * conjl(x[m])), errors += sum[m].e * sum[m].e;
  }
  free(sum);
  *e = bound_of(&back, squares, errors);
  return bad ? bad : sums(&back, x);
}

/* Samples as sums of frames, over the sum of their squared windows. */
static int judge_signal(judge *g, const value *x, long double e, long long base, long long transform, long long *k) {
  const problem *p = g->p;
  const signal_frames *f = &p->frames;
  element *sum = calloc((size_t)f->samples, sizeof *sum);
  long double *squares = calloc((size_t)f->samples, sizeof *squares), u = number_unit(p->compute);
  int bad = sum && squares ? 0 : -1;
  for (long long i = 0; !bad && i < p->axes[0].n * f->length; i++) {
    digits_of(p->extent[OUT], p->rank, i, k);
    element out = {x[i] * p->scale, e + u * cabsl(x[i] * p->scale)};
    out = all_steps(p, g->before, OUT, out, (place){transform, i, k});
    long long at = sample_of(p, k);
    if (at < 0) continue;
    long double w = f->norm ? window_weight(f->norm->window, f->norm->parameter, k[1], f->length) : 1;
    sum[at].v += out.v, sum[at].e += out.e + 4 * u * cabsl(out.v);
    squares[at] += w * w;
  }
  k[0] = 0;
  for (long long i = 0; !bad && i < f->samples; i++) {
    long double over = f->norm ? squares[i] : 1;
    element out = {sum[i].v / over, sum[i].e / over + 8 * u * cabsl(sum[i].v) / over};
    k[1] = i;
    bad = judge_number(g, 0, base + i, out, k);
  }
  free(sum);
  free(squares);
  return bad;
}

/* Bands of each row of results. */
static int judge_bands(judge *g, const value *x, long double e, long long base, long long transform, long long *k) {
  const problem *p = g->p;
  int bad = 0, last = p->rank - 1;
  long double u = number_unit(p->compute);
  long long bins = p->extent[OUT][last], rows = side_elements(p, OUT) / bins;
  for (long long i = 0; !bad && i < rows * p->bank.bands; i++) {
    long long row = i / p->bank.bands, band = i % p->bank.bands;
    element sum = {0, 0};
    for (long long n = 0; n < bins; n++) {
      long double w = bank_weight(&p->bank, p->axes[last].n, band, n);
      if (w == 0) continue;
      digits_of(p->extent[OUT], p->rank, row * bins + n, k);
      value v = x[row * bins + n] * p->scale;
      element out = some_steps(p, g->before, OUT, (element){v, e + u * cabsl(v)}, (place){transform, row * bins + n, k},
                               0, p->bank.step);
      sum.v += out.v * w, sum.e += out.e * w + 8 * u * cabsl(out.v) * w;
      if (w < 1e-14L) sum.e += cabsl(out.v) * w; /* on a corner: nothing, but for its rounding */
    }
    sum = some_steps(p, g->before, OUT, sum, (place){transform, row * bins, k}, p->bank.step, p->step_count[OUT]);
    k[0] = row, k[last] = band;
    bad =
        judge_number(g, 0, base + (last ? row * p->axes[0].stride[OUT] : 0) + band * p->axes[last].stride[OUT], sum, k);
  }
  return bad;
}

static int judge_transform(judge *g, const long long *batch, const long long *base, long long transform) {
  const problem *p = g->p;
  long long count = side_elements(p, IN), results = side_elements(p, OUT), k[MOST_AXES];
  long long room = count > results ? count : results;
  value *x = calloc((size_t)room, sizeof *x);
  long double e = 0;
  int bad = !x                   ? -1
            : convolves(p->kind) ? convolve(g, transform, x, &e)
                                 : transform_there(g, base[IN], transform, x, &e);
  e *= fabsl(p->scale);
  memcpy(k + p->rank, batch, sizeof *k * (size_t)p->batch_rank);
  bool alone = p->frames.side != OUT && !p->bank.bands; /* each result is an element of the array */
  if (!bad && p->frames.side == OUT) bad = judge_signal(g, x, e, base[OUT], transform, k);
  if (!bad && p->bank.bands) bad = judge_bands(g, x, e, base[OUT], transform, k);
  for (long long i = 0; !bad && alone && i < results; i++) {
    digits_of(p->extent[OUT], p->rank, i, k);
    element out = {x[i] * p->scale, e + number_unit(p->compute) * cabsl(x[i] * p->scale)};
    out = all_steps(p, g->before, OUT, out, (place){transform, i, k});
    long long address = address_of(p, OUT, k, base[OUT]);
    for (int part = 0; !bad && address >= 0 && part < (p->complex_array[OUT] ? 2 : 1); part++) {
      bad = judge_number(g, part, address, out, k);
    }
  }
  free(x);
  return bad;
}

/* Numbers of the input, in place: whatever is left there is right. */
static void touch_input(judge *g, const long long *base) {
  const problem *p = g->p;
  for (long long n = 0; p->in_place && n < side_elements(p, IN); n++) {
    long long j[MOST_AXES], i;
    digits_of(p->extent[IN], p->rank, n, j);
    for (int part = 0; part < (p->complex_array[IN] ? 2 : 1); part++) {
      const named *a = number_at(p, g->after, IN, part, address_of(p, IN, j, base[IN]), &i);
      g->touched[a - g->after->arrays][i] = 1;
    }
  }
}

/* Everything but outputs is as it was. */
static int judge_rest(judge *g) {
  for (int i = 0; i < g->after->array_count; i++) {
    const named *a = &g->after->arrays[i];
    bool filter = strcmp(a->name, "filter") == 0;
    if (filter_points(g->p) && strcmp(a->name, "spectrum") == 0) continue; /* made of the filter */
    int bytes = number_bytes(filter || case_is_operand(a->name) ? g->p->compute
                                                                : g->p->stored[strncmp(a->name, "out", 3) == 0]);
    for (long long n = 0; n < a->amount / bytes; n++) {
      size_t at = (size_t)(n * bytes);
      if (g->touched[i][n] ||
          memcmp((char *)a->content + at, (char *)g->before->arrays[i].content + at, (size_t)bytes) == 0)
        continue;
      snprintf(g->error, 200, "number %lld of %s was overwritten", n, a->name);
      return -1;
    }
  }
  return 0;
}

int oracle_check(const problem *p, const case_file *before, const case_file *after, long double *worst, char *error) {
  judge g = {.p = p, .before = before, .after = after, .error = error};
  long long digit[MOST_AXES];
  int bad = 0;
  snprintf(error, 200, "no memory");
  for (int i = 0; i < after->array_count; i++) {
    g.touched[i] = calloc((size_t)after->arrays[i].amount + 1, 1);
    if (!g.touched[i]) bad = -1;
  }
  for (long long b = 0; !bad && b < result_count(p); b++) {
    long long base[2] = {batch_address(p, IN, b), batch_address(p, OUT, b)};
    digits_of(p->extent[IN] + p->rank, p->batch_rank, b, digit);
    touch_input(&g, base);
    bad = judge_transform(&g, digit, base, b);
  }
  if (!bad) bad = judge_rest(&g);
  for (int i = 0; i < after->array_count; i++) free(g.touched[i]);
  *worst = g.worst;
  return bad;
}

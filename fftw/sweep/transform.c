/* See transform.h. In: a request. Out: steps.
 *
 * The last dimension is transformed from the input to the output, the others follow in place; of a c2r the last
 * dimension is last. Where a step's results may overlap inputs of other vectors, or an input is to be preserved, all of
 * the results are stored to dense memory first. */
#include "fftw/sweep/transform.h"
#include "fftw/line/pointwise.h"
#include "fftw/line/transpose.h"
#include "fftw/sweep/parallel.h"
#include "fftw/sweep/print.h"
#include "fftw/sweep/step.h"
#include <stdlib.h>
#include <string.h>

enum { PARTS = 64 /* numbers that are transformed as parts in two arrays, at most */ };
enum { LEAST = 4, LEAST_REAL = 5 /* points of a codelet that is alone: shorter ones are over before it has begun */ };
enum { ALONE = 4096 /* bytes of results, and of scratch, of one codelet that is alone, at most */ };

struct fg_transform {
  fg_transform_runner run; /* first; a function each: none pays for the stack of another */
  fg_each each;            /* one step of short lines, one by one; here, since a pointer would be waited for */
  void (*alone)(const fg_real *in, fg_real *out, fg_real *scratch); /* one codelet is all of it; or NULL */
  fg_codelet_alone_in alone_in;                                     /* the same in place, where there is one */
  size_t in_place;        /* numbers of its input where results overwrite that, of parts in each array; or 0 */
  bool alone_works;       /* and it wants scratch, or is in place */
  fg_codelet_parts parts; /* the same of parts in two arrays; NULL: there is none, or they are one */
  int steps;
  fg_step *step;
  size_t temp; /* numbers of dense memory */
  bool in_split, out_split;
  int threads;
  fg_loan loan;
};

typedef struct builder {
  const fg_request *r;
  fg_transform *t;
  bool shared;   /* input and output are one */
  fg_dim *dense; /* dimensions, then vectors, of the dense memory: is and os alike */
  bool dense_complex;
  bool failed;
} builder;

static ptrdiff_t size(ptrdiff_t x) { return x < 0 ? -x : x; }

static bool back(const fg_request *r) { return r->rank && r->type[r->rank - 1] == FG_LINE_C2R; }

/* Elements along dimension d of one side. */
static int64_t elements(const fg_request *r, int d, bool output) {
  return fg_line_elements(r->type[d], r->dim[d].n, output);
}

/* ---- dense memory ----------------------------------------------------------------- */

static void lay_dense(builder *b, bool complex) {
  const fg_request *r = b->r;
  ptrdiff_t step = complex ? 2 : 1;
  b->dense_complex = complex;
  for (int d = r->rank - 1; d >= 0; d--) {
    int64_t n = elements(r, d, !back(r));
    b->dense[d] = (fg_dim){n, step, step};
    step *= n;
  }
  for (int i = r->vectors - 1; i >= 0; i--) {
    b->dense[r->rank + i] = (fg_dim){r->vector[i].n, step, step};
    step *= r->vector[i].n;
  }
  b->t->temp = (size_t)step;
}

/* ---- steps -------------------------------------------------------------------------- */

static ptrdiff_t stride(const builder *b, int place, int number) {
  const fg_request *r = b->r;
  const fg_dim *d = number < r->rank ? &r->dim[number] : &r->vector[number - r->rank];
  return place == FG_PLACE_TEMP ? b->dense[number].is : place == FG_PLACE_IN ? d->is : d->os;
}

static bool is_complex(const builder *b, int place) {
  return place == FG_PLACE_TEMP ? b->dense_complex : place == FG_PLACE_IN ? b->r->complex_in : b->r->complex_out;
}

static bool is_split(const builder *b, int place) {
  return place == FG_PLACE_IN ? b->t->in_split : place == FG_PLACE_OUT ? b->t->out_split : false;
}

/* Vectors of a step along dimension d (-1: of a copy, of all): every other dimension, as long as it is there. */
static void add_vectors(builder *b, fg_step *s, int d, bool output) {
  const fg_request *r = b->r;
  s->vector = malloc(sizeof *s->vector * (size_t)(r->rank + r->vectors + 1));
  if (!s->vector) {
    b->failed = true;
    return;
  }
  for (int i = 0; i < r->rank + r->vectors; i++) {
    if (i == d) continue;
    int64_t n = i < r->rank ? elements(r, i, output) : r->vector[i - r->rank].n;
    s->vector[s->vectors++] = (fg_dim){n, stride(b, s->from, i), stride(b, s->to, i)};
  }
}

static fg_step *new_step(builder *b, int from, int to) {
  fg_step *s = &b->t->step[b->t->steps++];
  *s = (fg_step){.from = from, .to = to, .shared = from == to || (b->shared && from + to == FG_PLACE_OUT)};
  s->complex_in = is_complex(b, from), s->complex_out = is_complex(b, to);
  s->split_in = is_split(b, from), s->split_out = is_split(b, to);
  return s;
}

static void add_line(builder *b, int d, int from, int to) {
  const fg_request *r = b->r;
  fg_step *s = new_step(b, from, to);
  s->dim = (fg_dim){r->dim[d].n, stride(b, from, d), stride(b, to, d)};
  add_vectors(b, s, d, !back(r));
  s->line = fg_line_get(r->type[d], r->dim[d].n);
  if (!s->line) b->failed = true;
  if (!b->failed && !fg_step_prepare(s)) b->failed = true;
}

/* The innermost of the vectors becomes the elements of a copy. */
static void add_copy(builder *b, int from, int to) {
  fg_step *s = new_step(b, from, to);
  add_vectors(b, s, -1, !back(b->r));
  s->dim = (fg_dim){.n = 1};
  if (b->failed) return;
  if (!fg_step_prepare(s)) b->failed = true;
  if (s->vectors) s->dim = s->vector[--s->vectors];
  if (!fg_step_prepare(s)) b->failed = true;
}

/* ---- whether results may overlap other inputs ------------------------------------------- */

static int by_stride(const void *a, const void *b) {
  const fg_dim *x = a, *y = b;
  return size(x->is) > size(y->is) ? 1 : size(x->is) < size(y->is) ? -1 : 0;
}

/* The memory of each vector, of both sides together, does not overlap that of others. */
static bool lie_apart(fg_dim *vector, int vectors, ptrdiff_t span) {
  qsort(vector, (size_t)vectors, sizeof *vector, by_stride);
  for (int i = 0; i < vectors; i++) {
    if (vector[i].n == 1) continue;
    if (size(vector[i].is) < span) return false;
    span += size(vector[i].is) * (ptrdiff_t)(vector[i].n - 1);
  }
  return true;
}

/* The first step, of dimension d, from the input to the output in one array. */
static bool collides(builder *b, int d) {
  const fg_request *r = b->r;
  bool same = r->complex_in == r->complex_out;
  fg_dim *vector = malloc(sizeof *vector * (size_t)(r->rank + r->vectors + 1));
  if (!vector) {
    b->failed = true;
    return true;
  }
  int vectors = 0;
  for (int i = 0; i < r->rank + r->vectors; i++)
    if (i != d) {
      fg_dim v = i < r->rank ? r->dim[i] : r->vector[i - r->rank];
      if (v.n > 1) vector[vectors++] = v;
    }
  bool equal = true;
  for (int i = 0; i < vectors; i++) equal = equal && vector[i].is == vector[i].os;
  bool still = same && (d < 0 || r->dim[d].is == r->dim[d].os || r->dim[d].n == 1);
  ptrdiff_t span = 0;
  if (d >= 0) {
    ptrdiff_t in = size(r->dim[d].is) * (ptrdiff_t)(elements(r, d, false) - 1) + (r->complex_in && !b->t->in_split) + 1;
    ptrdiff_t out =
        size(r->dim[d].os) * (ptrdiff_t)(elements(r, d, true) - 1) + (r->complex_out && !b->t->out_split) + 1;
    span = in > out ? in : out;
  }
  bool collide = !equal || (!still && !lie_apart(vector, vectors, span));
  free(vector);
  return collide;
}

/* ---- plans ---------------------------------------------------------------------------- */

static void plan_copy(builder *b) {
  if (b->shared && !collides(b, -1)) return;
  if (!b->shared) {
    add_copy(b, FG_PLACE_IN, FG_PLACE_OUT);
    return;
  }
  lay_dense(b, b->r->complex_in);
  add_copy(b, FG_PLACE_IN, FG_PLACE_TEMP);
  add_copy(b, FG_PLACE_TEMP, FG_PLACE_OUT);
}

/* A dimension that has nothing to do. */
static bool is_point(const fg_request *r, int d) { return r->dim[d].n == 1 && fg_line_type_is_complex(r->type[d]); }

static void plan_forth(builder *b) {
  int last = b->r->rank - 1, to = FG_PLACE_OUT;
  while (last > 0 && is_point(b->r, last)) last--;
  if (is_point(b->r, last) && b->r->vectors && (!b->shared || collides(b, -1))) { /* all of them: vectors are copied */
    plan_copy(b);
    return;
  }
  if (b->shared && collides(b, last)) {
    lay_dense(b, b->r->complex_out);
    to = FG_PLACE_TEMP;
  }
  add_line(b, last, FG_PLACE_IN, to);
  for (int d = last - 1; d >= 0 && !b->failed; d--)
    if (!is_point(b->r, d)) add_line(b, d, to, to);
  if (to == FG_PLACE_TEMP && !b->failed) add_copy(b, to, FG_PLACE_OUT);
}

/* Of c2r: the input is complex until the last step. */
static void plan_back(builder *b) {
  int last = b->r->rank - 1, from = FG_PLACE_IN, first = from;
  bool apart = b->shared ? collides(b, last) : last > 0 && b->r->preserve;
  if (apart) {
    lay_dense(b, true);
    first = FG_PLACE_TEMP;
  }
  for (int d = 0; d < last && !b->failed; d++) {
    add_line(b, d, from, first);
    from = first;
  }
  if (apart && last == 0 && !b->failed) add_copy(b, from, first), from = first;
  if (!b->failed) add_line(b, last, from, FG_PLACE_OUT);
}

static bool is_empty(const fg_request *r) {
  for (int i = 0; i < r->vectors; i++)
    if (r->vector[i].n == 0) return true;
  return false;
}

/* ---- running ------------------------------------------------------------------------ */

static void run_with_memory(fg_transform *t, fg_array in, fg_array out) {
  enum { NUMBERS = ALONE / sizeof(fg_real) };
  _Alignas(64) fg_real inputs[NUMBERS], scratch[NUMBERS];
  if (t->in_place) fg_copy_again(inputs, in.re, (int64_t)t->in_place); /* results would be waited for */
  t->alone(t->in_place ? inputs : in.re, out.re, scratch);
}

/* Without memory of the plan's, and without threads. */
static bool run_in_turn(const fg_transform *t, fg_array in, fg_array out) {
  bool done = true;
  for (int i = 0; i < t->steps && done; i++) {
    fg_step *s = &t->step[i];
    done = fg_step_run(s, &(fg_step_arrays){s->from == FG_PLACE_IN ? in : out, s->to == FG_PLACE_IN ? in : out, NULL});
  }
  return done;
}

static void run_steps(fg_transform *t, fg_array in, fg_array out) { run_in_turn(t, in, out); }

/* The step that scales: any may where all parts have one factor, for a transform is linear. */
static int scaling_step(const fg_transform *t, const fg_factors *by) {
  int best = t->steps - 1;
  for (int i = best - 1; i >= 0 && by && by->re == by->im; i--)
    if (fg_step_scales_well(&t->step[i]) > fg_step_scales_well(&t->step[best])) best = i;
  return best;
}

static bool run_all_scaled(fg_transform *t, fg_array in, fg_array out, const fg_factors *by) {
  fg_real *temp = fg_loan_take(&t->loan);
  bool done = temp || !t->loan.bytes;
  int scaling = scaling_step(t, by);
  fg_array place[FG_PLACES] = {in, out, {temp, temp ? temp + 1 : NULL}};
  for (int i = 0; i < t->steps && done; i++) {
    fg_step *s = &t->step[i];
    fg_step_arrays a = {place[s->from], place[s->to], i == scaling ? by : NULL};
    done = fg_parallel_step(s, &a, t->threads);
  }
  fg_loan_return(&t->loan, temp);
  return done;
}

static void run_all(fg_transform *t, fg_array in, fg_array out) { run_all_scaled(t, in, out, NULL); }

static void run_alone(fg_transform *t, fg_array in, fg_array out) { t->alone(in.re, out.re, NULL); }

static void run_alone_in(fg_transform *t, fg_array in, fg_array out) {
  _Alignas(64) fg_real scratch[ALONE / sizeof(fg_real)];
  (void)in;
  t->alone_in(out.re, scratch);
}

static void run_parts(fg_transform *t, fg_array in, fg_array out) {
  _Alignas(64) fg_real scratch[2 * PARTS];
  t->parts(in.re, in.im, out.re, out.im, scratch);
}

static void run_parts_in_place(fg_transform *t, fg_array in, fg_array out) {
  _Alignas(64) fg_real re[PARTS], im[PARTS], scratch[2 * PARTS];
  t->parts(in.re, in.im, re, im, scratch);
  fg_pointwise_store_again(out.re, re, t->in_place);
  fg_pointwise_store_again(out.im, im, t->in_place);
}

/* One step, of short lines. */
#define EACH(name, way)                                                                                                \
  static void run_each_##name(fg_transform *t, fg_array in, fg_array out) {                                            \
    fg_each_run(&t->each, way, &t->each.walk, in.re, in.im, out.re, out.im);                                           \
  }
EACH(as_they_are, FG_EACH_AS_THEY_ARE)
EACH(exchanged, FG_EACH_EXCHANGED)
EACH(half_in, FG_EACH_HALF_IN)
EACH(half_out, FG_EACH_HALF_OUT)
EACH(moved, FG_EACH_MOVED)
static const fg_transform_runner run_each[FG_EACH_WAYS] = {run_each_as_they_are, run_each_exchanged, run_each_half_in,
                                                           run_each_half_out, run_each_moved};

/* One step, of one codelet. */
static void run_step(fg_transform *t, fg_array in, fg_array out) { t->step->direct(t->step, in, out); }

/* Several of these: the first one from the input to the output, the others there; or the last one so, of c2r, and the
 * others in the input. */
static void run_direct_steps(fg_transform *t, fg_array in, fg_array out) {
  const fg_step *s = t->step, *last = s + t->steps - 1;
  for (s->direct(s, in, out), s++; s < last; s++) s->direct(s, out, out);
  s->direct(s, out, out);
}

static void run_direct_steps_back(fg_transform *t, fg_array in, fg_array out) {
  const fg_step *s = t->step, *last = s + t->steps - 1;
  for (; s < last; s++) s->direct(s, in, in);
  s->direct(s, in, out);
}

/* Of which `number` is the one from the input to the output. */
static bool are_direct(const fg_transform *t, int number) {
  for (int i = 0; i < t->steps; i++) {
    const fg_step *s = &t->step[i];
    if (!s->direct || s->from != (i > number ? FG_PLACE_OUT : FG_PLACE_IN) ||
        s->to != (i < number ? FG_PLACE_IN : FG_PLACE_OUT))
      return false;
  }
  return t->steps > 0 && t->threads <= 1;
}

static fg_transform_runner runner_of_each(fg_transform *t) {
  t->each = t->step->each;
  return run_each[t->each.way];
}

static fg_transform_runner runner_of_steps(fg_transform *t) {
  if (are_direct(t, 0)) return t->steps == 1 ? run_step : run_direct_steps;
  if (are_direct(t, t->steps - 1)) return run_direct_steps_back;
  return t->temp == 0 && t->threads <= 1 ? run_steps : run_all;
}

static void find_run(fg_transform *t) {
  bool each = t->steps == 1 && are_direct(t, 0) && t->step->form == FG_STEP_EACH;
  t->run = t->alone_in                    ? run_alone_in
           : t->alone                     ? t->alone_works ? run_with_memory : run_alone
           : each && t->step->vectors < 2 ? runner_of_each(t)
           : t->parts && !each            ? t->in_place ? run_parts_in_place : run_parts
                                          : runner_of_steps(t);
}

/* ---- creation ----------------------------------------------------------------------- */

/* What is over sooner than a loop has begun. */
static void find_alone(builder *b) {
  const fg_step *s = &b->t->step[0];
  if (b->t->steps != 1 || !s->line || !s->line->alone || s->vectors) return;
  if (s->form == FG_STEP_EACH && (b->shared || s->line->n < (s->complex_in && s->complex_out ? LEAST : LEAST_REAL)))
    return;
  if (s->split_in && s->split_out && s->line->type == FG_LINE_FORWARD && s->dim.is == 1 && s->dim.os == 1) {
    const fg_codelets *c = fg_codelets_find(s->line->n);
    b->t->parts = c && c->n <= PARTS && c->parts_scratch <= 2 * PARTS * sizeof(fg_real) ? c->parts : NULL;
    if (b->shared) b->t->in_place = (size_t)s->line->n;
  }
  if (s->split_in || s->split_out) return;
  size_t bytes =
      sizeof(fg_real) * (size_t)(fg_line_elements(s->line->type, s->line->n, true) * (s->complex_out ? 2 : 1));
  bool contiguous = s->line->n == 1 || (s->dim.is == (s->complex_in ? 2 : 1) && s->dim.os == (s->complex_out ? 2 : 1));
  if (!contiguous || bytes > ALONE || s->line->scratch > ALONE) return;
  b->t->alone = s->line->alone;
  if (s->form == FG_STEP_ROWS_INSIDE) b->t->alone_in = s->alone_in;
  if (b->shared) b->t->in_place = (size_t)fg_line_elements(s->line->type, s->line->n, false) * (s->complex_in ? 2 : 1);
  b->t->alone_works = b->shared || s->line->scratch;
}

fg_transform *fg_transform_create(const fg_request *r) {
  fg_transform *t = calloc(1, sizeof *t);
  builder b = {.r = r, .t = t, .shared = r->in.re == r->out.re};
  b.dense = malloc(sizeof *b.dense * (size_t)(r->rank + r->vectors + 1));
  if (t) t->step = calloc((size_t)r->rank + 2, sizeof *t->step);
  if (!t || !b.dense || !t->step) b.failed = true;
  if (!b.failed) {
    t->in_split = r->in.im && r->in.im - r->in.re != 1;
    t->out_split = r->out.im && r->out.im - r->out.re != 1;
    t->threads = r->threads;
    if (!is_empty(r)) (r->rank == 0 ? plan_copy : back(r) ? plan_back : plan_forth)(&b);
    t->loan.bytes = sizeof(fg_real) * t->temp;
    if (!b.failed) find_alone(&b), find_run(t);
  }
  free(b.dense);
  if (!b.failed) return t;
  fg_transform_destroy(t);
  return NULL;
}

void fg_transform_destroy(fg_transform *t) {
  if (!t) return;
  for (int i = 0; i < t->steps; i++) {
    fg_line_release(t->step[i].line), fg_line_release(t->step[i].uncopied);
    fg_loan_close(&t->step[i].loan);
    free(t->step[i].vector);
  }
  fg_loan_close(&t->loan);
  free(t->step);
  free(t);
}

bool fg_transform_run_scaled(fg_transform *t, fg_array in, fg_array out, const fg_factors *by) {
  if (!by && t->run == run_steps) return run_in_turn(t, in, out);
  if (t->run == run_all || (by && !t->alone)) return run_all_scaled(t, in, out, by);
  t->run(t, in, out);
  if (by) fg_transform_scale(t, out, by);
  return true;
}

void fg_transform_scale(const fg_transform *t, fg_array out, const fg_factors *by) {
  if (t->steps) fg_step_scale(&t->step[t->steps - 1], out, by);
}

size_t fg_transform_bytes(const fg_transform *t) {
  size_t bytes = t->loan.bytes;
  for (int i = 0; i < t->steps; i++) bytes += t->step[i].loan.bytes;
  return bytes;
}

fg_flops fg_transform_flops(const fg_transform *t) {
  fg_flops f = {0};
  for (int i = 0; i < t->steps; i++) {
    double lines = 1;
    for (int v = 0; v < t->step[i].vectors; v++) lines *= (double)t->step[i].vector[v].n;
    if (t->step[i].line) fg_flops_add(&f, &t->step[i].line->flops, lines);
  }
  return f;
}

void fg_transform_print(const fg_transform *t, void (*put)(void *to, char c), void *to) {
  for (int i = 0; i < t->steps; i++) {
    if (i) put(to, '\n');
    fg_step_print(&t->step[i], put, to);
  }
}

/* See direct.h. In: a step whose form is set. Out: a function that does all of it by one codelet. */
#include "fftw/sweep/direct.h"
#include "fftw/line/transpose.h"
#include "fftw/sweep/few.h"

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void run_rows(const fg_step *s, fg_array in, fg_array out) {
  s->rows(in.re, out.re, s->whole.count, s->whole.id, s->whole.od);
}

static void run_columns(const fg_step *s, fg_array in, fg_array out) {
  s->codelet(in.re, out.re, s->whole.is, s->whole.os, s->whole.count);
}

static void run_alone(const fg_step *s, fg_array in, fg_array out) {
  _Alignas(64) fg_real scratch[FG_STEP_SHORT / sizeof(fg_real)];
  fg_dim next = fg_step_inner(s);
  for (int64_t i = 0; i < next.n; i++) s->line->alone(in.re + i * next.is, out.re + i * next.os, scratch);
}

static void run_columns_in(const fg_step *s, fg_array in, fg_array out) {
  (void)in;
  s->columns_in(out.re, s->whole.is, s->whole.count);
}

/* Contiguous lines from copies of their inputs: one of results would wait for them. */
static void run_copies(const fg_line *l, fg_real *at, int64_t lines, ptrdiff_t next, fg_real *scratch) {
  _Alignas(64) fg_real copy[2 * FG_STEP_COPIED];
  int64_t row = 2 * l->n, most = l->rows ? FG_STEP_COPIED / l->n : 1;
  for (int64_t done = 0, now; done < lines; done += now, at += now * next) {
    now = smaller(lines - done, most);
    fg_copy_rows((fg_matrix){copy, row}, (fg_matrix){at, next}, now, row);
    if (now > 1)
      l->rows(copy, at, now, l->n, next / 2);
    else
      l->alone(copy, at, scratch);
  }
}

void fg_direct_rows_inside(const fg_step *s, fg_real *at, int64_t lines, ptrdiff_t next) {
  _Alignas(64) fg_real scratch[FG_STEP_SHORT / sizeof(fg_real)];
  if (s->rows_in)
    s->rows_in(at, lines, next / 2);
  else if (s->alone_in)
    for (int64_t i = 0; i < lines; i++) s->alone_in(at + i * next, scratch);
  else
    run_copies(s->line, at, lines, next, scratch);
}

static void run_rows_in(const fg_step *s, fg_array in, fg_array out) {
  (void)in;
  s->rows_in(out.re, s->whole.count, s->whole.id);
}

static void run_rows_inside(const fg_step *s, fg_array in, fg_array out) {
  (void)in;
  fg_direct_rows_inside(s, out.re, fg_step_inner(s).n, fg_step_inner(s).is);
}

static void run_in_place(const fg_step *s, fg_array in, fg_array out) {
  _Alignas(64) fg_real work[FG_STEP_SHORT / sizeof(fg_real)];
  int64_t n = s->whole.count, row = n * fg_step_unit(s->complex_out);
  s->codelet(in.re, work, s->whole.is, n, n);
  fg_copy_rows((fg_matrix){out.re, s->dim.os}, (fg_matrix){work, row}, s->elements_out, row);
}

static fg_array moved(fg_array a, ptrdiff_t by) { return (fg_array){a.re + by, a.im ? a.im + by : NULL}; }

#define EACH(name, way)                                                                                                \
  static void run_each_##name(const fg_step *s, fg_array in, fg_array out) {                                           \
    fg_each_run(&s->each, way, &s->each.walk, in.re, in.im, out.re, out.im);                                           \
  }
EACH(as_they_are, FG_EACH_AS_THEY_ARE)
EACH(exchanged, FG_EACH_EXCHANGED)
EACH(half_in, FG_EACH_HALF_IN)
EACH(half_out, FG_EACH_HALF_OUT)
EACH(moved, FG_EACH_MOVED)
static const fg_direct run_each[FG_EACH_WAYS] = {run_each_as_they_are, run_each_exchanged, run_each_half_in,
                                                 run_each_half_out, run_each_moved};

/* The innermost vector of each that the others make. */
static void run_innermost(const fg_step *s, int vector, fg_array in, fg_array out) {
  const fg_dim *d = &s->vector[vector];
  bool last = vector == s->vectors - 2;
  for (int64_t i = 0; i < d->n; i++) {
    fg_array x = moved(in, i * d->is), y = moved(out, i * d->os);
    if (last)
      s->innermost(s, x, y);
    else
      run_innermost(s, vector + 1, x, y);
  }
}

static void run_vectors(const fg_step *s, fg_array in, fg_array out) { run_innermost(s, 0, in, out); }

/* The innermost vector by one codelet; NULL: there is none, or it is done in parts. */
static fg_direct find_innermost(const fg_step *s) {
  fg_dim next = fg_step_inner(s);
  if (s->form == FG_STEP_EACH) return run_each[s->each.way];
  if (!s->line || !s->vectors || s->lines < next.n) return NULL;
  bool lines = s->form == FG_STEP_LINES && !s->shared && next.is % fg_step_unit(s->complex_in) == 0 &&
               next.os % fg_step_unit(s->complex_out) == 0;
  bool in_place = s->form == FG_STEP_COLUMNS_IN_PLACE && s->loan.bytes <= FG_STEP_SHORT;
  return lines && fg_few_take_alone(s)       ? run_alone
         : lines && s->line->rows            ? run_rows
         : in_place                          ? run_in_place
         : s->form == FG_STEP_COLUMNS        ? s->in_blocks ? NULL : run_columns
         : s->form == FG_STEP_COLUMNS_INSIDE ? run_columns_in
         : s->form == FG_STEP_ROWS_INSIDE    ? s->rows_in ? run_rows_in : run_rows_inside
                                             : NULL;
}

void fg_direct_find(fg_step *s) {
  fg_dim next = fg_step_inner(s);
  s->whole = (fg_whole){next.n, fg_step_elements(s->dim.is, s->complex_in), fg_step_elements(s->dim.os, s->complex_out),
                        fg_step_elements(next.is, s->complex_in), fg_step_elements(next.os, s->complex_out)};
  if (s->line) s->rows = s->line->rows;
  s->innermost = find_innermost(s);
  s->direct = s->innermost && s->vectors > 1 ? run_vectors : s->innermost;
}

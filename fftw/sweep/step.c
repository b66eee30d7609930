/* See step.h. In: arrays. Out: the line of every vector.
 *
 * Several lines of the innermost vector are taken together, in the form that the plan chose. */
#include "fftw/sweep/step.h"
#include "fftw/codelet/codelet.h"
#include "fftw/line/across.h"
#include "fftw/line/pairs.h"
#include "fftw/line/parts.h"
#include "fftw/line/pointwise.h"
#include "fftw/line/transpose.h"
#include "fftw/line/turned.h"
#include "fftw/sweep/direct.h"
#include "fftw/sweep/few.h"
#include "fftw/sweep/move.h"
#include <stdlib.h>
#include <string.h>

enum {
  TOGETHER = 128 / sizeof(fg_real),        /* complex lines: two cache lines of an element's neighbours */
  NEAR = 1 << 14,                          /* bytes of more lines, where they are short */
  AS_THEY_LIE = 1 << 14,                   /* points of lines that are taken together where none is copied, */
  ALL_LINES = 1 << 18,                     /* or where the line itself takes some together */
  ROWS = 1 << 18,                          /* bytes that rows take together at most, where there are several */
  LINE = 64 / sizeof(fg_complex),          /* and at least: what is fetched together */
  WIDE = 3 * TOGETHER,                     /* columns that pass through memory beyond L1, */
  FAR = 3 << 18,                           /* and the bytes of that memory at most */
  INSIDE = 3 << 14,                        /* bytes of columns in place and of their memory that stay in L1, */
  WHOLE = 1 << 20,                         /* where all columns have so many at most, */
  SHARING = 512,                           /* and rows are no multiple of so many bytes apart */
  COLUMNS = 1 << 13,                       /* bytes of columns on the stack, */
  ROW = 64,                                /* and of each row's elements so many */
  LOOP = 8,                                /* elements, below which a loop is as fast as a call */
  FEW_ROWS = FG_FFTW_SINGLE ? 8 : 1 << 20, /* in place: one by one, where more are copied and done together */
  ALIGNED = 64 / sizeof(fg_real), /* columns: groups of them begin where cache lines do, if the first one does */
  ALIAS = 2048                    /* bytes: rows so far apart, or multiples of it, share sets of L1 */
};

static ptrdiff_t longer(ptrdiff_t a, ptrdiff_t b) { return labs(a) > labs(b) ? labs(a) : labs(b); }

/* Farther vectors outside. */
static int by_distance(const void *a, const void *b) {
  const fg_dim *x = a, *y = b;
  ptrdiff_t by = longer(y->is, y->os) - longer(x->is, x->os);
  return by > 0 ? 1 : by < 0 ? -1 : 0;
}

/* Two dimensions that are one: the outer begins where the inner ends, on both sides. */
static void merge(fg_step *s) {
  int kept = 0;
  for (int i = 0; i < s->vectors; i++) {
    fg_dim *last = kept ? &s->vector[kept - 1] : NULL, now = s->vector[i];
    if (now.n == 1) continue;
    if (last && last->is == now.is * now.n && last->os == now.os * now.n)
      *last = (fg_dim){last->n * now.n, now.is, now.os};
    else
      s->vector[kept++] = now;
  }
  s->vectors = kept;
}

static const fg_dim alone = {.n = 1};

static fg_dim inner(const fg_step *s) { return fg_step_inner(s); }

static ptrdiff_t pitch_of(int64_t numbers) {
  int64_t bytes = (int64_t)sizeof(fg_real) * numbers, line = 64 / (int64_t)sizeof(fg_real);
  return numbers + (bytes % ALIAS ? numbers % 2 : line);
}

static int64_t numbers(const fg_step *s, bool output) {
  int64_t elements = fg_line_elements(s->line->type, s->line->n, output);
  return elements * ((output ? s->complex_out : s->complex_in) ? 2 : 1);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t groups_of(const fg_step *s) { return (inner(s).n + s->lines - 1) / s->lines; }

/* Columns that are neighbours on both sides, and at least so many. */
static bool are_columns(const fg_step *s, int64_t least) {
  int unit_in = s->complex_in ? 2 : 1, unit_out = s->complex_out ? 2 : 1;
  return inner(s).is == unit_in && inner(s).os == unit_out && !s->split_in && !s->split_out &&
         s->dim.is % unit_in == 0 && s->dim.os % unit_out == 0 && inner(s).n >= least;
}

/* One codelet on columns; NULL: there is none. */
static fg_codelet_columns columns_codelet(const fg_step *s) {
  const fg_codelets *c = fg_codelets_find(s->line->n);
  switch (c && are_columns(s, 2) ? s->line->type : FG_LINE_TYPES) {
  case FG_LINE_FORWARD: return c->columns[FG_FORWARD];
  case FG_LINE_BACKWARD: return c->columns[FG_BACKWARD];
  case FG_LINE_R2C: return c->real_columns[FG_FORWARD];
  case FG_LINE_C2R: return c->real_columns[FG_BACKWARD];
  default: return NULL;
  }
}

/* Columns in place that L1 does not hold together with their memory, in groups of which it does. */
static bool are_grouped(const fg_step *s) {
  int64_t bytes = 2 * s->line->n * (int64_t)sizeof(fg_complex);
  return s->shared && inner(s).n * bytes > INSIDE && INSIDE / bytes >= ALIGNED && fg_across_has(s->line->n);
}

/* A line that does the same without copies. False: there is no memory. */
static bool find_lying(fg_step *s) {
  fg_line_type type = s->line->type;
  int64_t n = s->line->n, count = inner(s).n;
  if (s->codelet) return true;
  if ((type == FG_LINE_R2C || type == FG_LINE_C2R || type == FG_LINE_WHOLE) && are_columns(s, 2)) {
    s->in_pairs = fg_pairs_has(n, count);
    return !s->in_pairs || fg_pairs_find(n, count, type == FG_LINE_C2R, &s->uncopied);
  }
  if (!fg_line_type_is_complex(type)) return true;
  bool back = type == FG_LINE_BACKWARD, few = fg_across_has_few(n, count) && are_columns(s, 2) && !are_grouped(s);
  if (s->split_in && s->split_out && s->dim.is == 1 && s->dim.os == 1 && fg_parts_has(n))
    s->uncopied = fg_line_get(FG_LINE_PARTS, n);
  else if (few)
    s->uncopied = fg_line_get(back ? FG_LINE_FEW_BACKWARD : FG_LINE_FEW_FORWARD, n * FG_FEW + count);
  else if (are_columns(s, FG_STEP_LANES) && fg_across_has(n))
    s->uncopied = fg_line_get(back ? FG_LINE_ACROSS_BACKWARD : FG_LINE_ACROSS_FORWARD, n);
  else
    return true;
  return s->uncopied != NULL;
}

/* The same in place, of one memory and with one stride; of reals, contiguous ones. */
static void find_inside(fg_step *s) {
  const fg_codelets *c = fg_codelets_find(s->line->n);
  fg_line_type type = s->line->type;
  bool complex = fg_line_type_is_complex(type), back = type == FG_LINE_BACKWARD || type == FG_LINE_C2R;
  if (!c || type > FG_LINE_C2R || !s->shared || s->split_in || s->split_out || inner(s).is != inner(s).os) return;
  bool lines = s->dim.is == fg_step_unit(s->complex_in) && s->dim.os == fg_step_unit(s->complex_out);
  fg_codelet_rows_in rows_in = c->rows_in[back];
  if (!rows_in && inner(s).n >= FG_TURNED_LEAST) rows_in = fg_turned_rows_in(c->n, (fg_direction)back);
  bool pair = FG_FFTW_SINGLE && inner(s).n == 2; /* half a vector */
  bool together = complex && rows_in && (inner(s).n >= FG_STEP_LANES / 2 || pair);
  bool alone = !together && (inner(s).n < FEW_ROWS || !s->line->rows);
  if (lines && alone && c->scratch <= FG_STEP_SHORT) s->alone_in = (complex ? c->alone_in : c->real_in)[back];
  if (!complex || s->dim.is != s->dim.os || inner(s).is % 2 || s->dim.is % 2) return;
  if (s->codelet)
    s->columns_in = c->columns_in[back];
  else if (lines && together)
    s->rows_in = rows_in;
  else if (lines && inner(s).n > 1 && (inner(s).n < FEW_ROWS || !s->line->rows) && s->line->n > FG_STEP_ALONE &&
           s->line->n <= FG_STEP_COPIED && c->scratch <= FG_STEP_SHORT)
    s->copies = true;
}

static fg_step_form form_of(fg_step *s, bool line_in, bool line_out) {
  bool lines = line_in && line_out, several = lines && s->line->rows;
  if (fg_few_take_each(s, s->codelet || several)) return FG_STEP_EACH;
  if (s->columns_in) return FG_STEP_COLUMNS_INSIDE;
  if (s->codelet) return s->shared ? FG_STEP_COLUMNS_IN_PLACE : FG_STEP_COLUMNS;
  if (s->in_pairs) return FG_STEP_PAIRS;
  if (s->uncopied) return s->uncopied->type == FG_LINE_PARTS ? FG_STEP_PARTS : FG_STEP_ACROSS;
  if (s->rows_in || s->alone_in || s->copies) return FG_STEP_ROWS_INSIDE;
  bool rows = s->shared && line_in && s->line->alone && inner(s).n > 1; /* many short ones are copied together */
  return lines && !rows ? FG_STEP_LINES : FG_STEP_GATHERED;
}

static bool is_few(const fg_step *s) {
  return s->uncopied->type == FG_LINE_FEW_FORWARD || s->uncopied->type == FG_LINE_FEW_BACKWARD;
}

static bool needs_memory(fg_step_form form) {
  return form != FG_STEP_EACH && form != FG_STEP_COLUMNS_INSIDE && form != FG_STEP_ROWS_INSIDE;
}

/* Of columns that pass through memory which L1 does not hold anyway, many: each row of them is in a page of its own. In
 * place, few enough that inputs are still in L1 when results are stored. */
static int64_t columns_together(const fg_step *s, int64_t usual) {
  int64_t bytes = s->line->n * (int64_t)sizeof(fg_complex), fit = smaller(INSIDE / (2 * bytes), usual);
  bool near = s->shared && inner(s).n * bytes <= WHOLE && s->dim.os * (ptrdiff_t)sizeof(fg_real) % SHARING;
  if (near && fit >= ALIGNED) return fit;
  return bytes * TOGETHER <= NEAR ? usual : larger(smaller(WIDE, FAR / bytes), usual);
}

/* Columns that L1 does not hold, and whose results begin anywhere in cache lines: stored row by row while they are
 * transformed, they would take two lines a vector. Of longer ones, rows in blocks are too short to be worth it. */
static bool are_in_blocks(const fg_step *s) {
  int64_t bytes = inner(s).n * (numbers(s, false) + numbers(s, true)) * (int64_t)sizeof(fg_real);
  bool is_short = numbers(s, true) * (int64_t)sizeof(fg_real) * ROW / 2 <= COLUMNS;
  return s->form == FG_STEP_COLUMNS && is_short && bytes > INSIDE && s->dim.os % ALIGNED;
}

/* How many lines are taken together, and the memory that they need. */
static void set_lines(fg_step *s) {
  int64_t n = s->line->n;
  s->elements_in = fg_line_elements(s->line->type, n, false),
  s->elements_out = fg_line_elements(s->line->type, n, true);
  bool line_in = !s->split_in && s->dim.is == (s->complex_in ? 2 : 1);
  bool line_out = !s->split_out && s->dim.os == (s->complex_out ? 2 : 1);
  s->form = form_of(s, line_in, line_out);
  bool dense = s->form == FG_STEP_GATHERED && line_in && line_out && inner(s).is == numbers(s, false);
  s->gathers = s->form == FG_STEP_GATHERED && (!line_in || dense);
  s->scatters = s->form == FG_STEP_GATHERED && (!line_out || line_in) && !dense;
  s->pitch_in = s->gathers ? dense ? numbers(s, false) : pitch_of(numbers(s, false)) : 0;
  bool dense_out = s->scatters && line_in && line_out && inner(s).os == numbers(s, true);
  s->pitch_out = s->scatters ? dense_out ? numbers(s, true) : pitch_of(numbers(s, true)) : 0;
  if (s->form == FG_STEP_COLUMNS_IN_PLACE) s->pitch_out = numbers(s, true);
  int64_t bytes = (numbers(s, false) + numbers(s, true)) * (int64_t)sizeof(fg_real);
  bool as_they_lie =
      s->form == FG_STEP_LINES || s->form == FG_STEP_PARTS || s->form == FG_STEP_COLUMNS || !needs_memory(s->form);
  int64_t most = as_they_lie ? (s->line->several ? ALL_LINES : AS_THEY_LIE) / n
                             : smaller(larger(TOGETHER, NEAR / bytes), larger(LINE, ROWS / bytes));
  bool few = s->form == FG_STEP_ACROSS && is_few(s);
  if (s->form == FG_STEP_ACROSS) most = columns_together(s, most);
  if (most > ALIGNED) most -= most % ALIGNED;
  bool whole = few || (s->form == FG_STEP_PAIRS && fg_pairs_are_few(inner(s).n));
  s->lines = whole ? inner(s).n : larger(1, smaller(inner(s).n, most));
  bool over = s->shared && !s->gathers && !s->scatters;
  size_t of_line = s->line->work + (over ? s->line->over : 0);
  if (s->lines > 1 && s->line->several_work > of_line) of_line = s->line->several_work;
  s->work = (size_t)(s->lines * (s->pitch_in + s->pitch_out)) + of_line;
  if (s->form == FG_STEP_PARTS) s->work = s->uncopied->work + (s->shared ? s->uncopied->over : 0);
  if (s->form == FG_STEP_PAIRS) s->work = fg_pairs_work(n, s->lines, s->uncopied);
  if (s->form == FG_STEP_ACROSS) s->work = fg_across_work(s->uncopied, s->lines);
  if (!needs_memory(s->form)) s->work = 0;
  s->in_blocks = are_in_blocks(s);
  s->loan.bytes = sizeof(fg_real) * s->work;
  bool lines = s->form == FG_STEP_LINES || s->form == FG_STEP_GATHERED;
  if (!s->vectors && s->loan.bytes <= FG_STEP_SHORT && lines) s->form = FG_STEP_ONE;
}

/* ---- one group of lines ------------------------------------------------------------- */

static fg_array moved(fg_array a, ptrdiff_t by) { return (fg_array){a.re + by, a.im ? a.im + by : NULL}; }

static void run_one_of_parts(const fg_step *s, fg_array in, fg_array out, fg_real *work) {
  bool back = s->line->type == FG_LINE_BACKWARD;
  fg_parts p;
  p.in_re = back ? in.im : in.re, p.in_im = back ? in.re : in.im;
  p.out_re = back ? out.im : out.re, p.out_im = back ? out.re : out.im;
  fg_parts_run(s->uncopied, &p, work);
}

static void run_direct_group(const fg_step *s, fg_array in, fg_array out);
static void run_one(const fg_step *s, fg_array in, fg_array out);

/* One group of lines, for whose memory the stack has room. */
static bool is_one_group(const fg_step *s) {
  bool form = s->form == FG_STEP_PARTS || s->form == FG_STEP_ACROSS || s->form == FG_STEP_PAIRS ||
              s->form == FG_STEP_GATHERED || s->form == FG_STEP_LINES || s->in_blocks;
  return form && s->vectors <= 1 && s->parts == 1 && s->loan.bytes <= FG_STEP_SHORT;
}

bool fg_step_prepare(fg_step *s) {
  qsort(s->vector, (size_t)s->vectors, sizeof *s->vector, by_distance);
  merge(s);
  s->lines = larger(1, inner(s).n);
  if (s->line) {
    s->codelet = columns_codelet(s);
    if (!find_lying(s)) return false;
    find_inside(s);
    set_lines(s);
  }
  s->parts = groups_of(s);
  for (int i = 0; i < s->vectors - 1; i++) s->parts *= s->vector[i].n;
  fg_direct_find(s);
  if (s->form == FG_STEP_ONE) s->direct = run_one;
  if (!s->direct && is_one_group(s)) s->direct = run_direct_group;
  return true;
}

/* ---- running ------------------------------------------------------------------- */

typedef struct group { /* lines that are taken together */
  const fg_step *s;
  fg_layout in, out;
  int64_t lines;
  fg_real *work;
  const fg_factors *by; /* of results, or NULL */
} group;

/* Results in their own order, in rows of copies before these are scattered. */
static void scale_results(const group *g) {
  if (g->by) fg_move_scale(&g->out, g->by, g->s->line ? g->s->elements_out : g->s->dim.n, g->lines);
}

static void scale_rows(const group *g, fg_real *rows, ptrdiff_t stride, ptrdiff_t next) {
  fg_layout l = {{rows, g->s->complex_out ? rows + 1 : NULL}, stride, next};
  if (g->by) fg_move_scale(&l, g->by, g->s->elements_out, g->lines);
}

static void move(fg_layout *l, ptrdiff_t by) {
  l->at.re += by;
  if (l->at.im) l->at.im += by;
}

static void run_lines(const group *g) {
  fg_line_run_rows(g->s->line, g->in.at.re, g->out.at.re, g->work, g->lines, g->in.next, g->out.next);
}

/* Some columns at a time by way of memory on the stack: what is far apart is written once. */
static void run_columns_in_blocks(const group *g) {
  _Alignas(64) fg_real rows[COLUMNS / sizeof(fg_real)];
  const fg_step *s = g->s;
  group part = *g;
  int64_t left = g->lines, unit = fg_step_unit(s->complex_out),
          most = smaller(ROW, COLUMNS / (s->elements_out * unit * (int64_t)sizeof(fg_real)));
  if (most > ALIGNED) most -= most % ALIGNED;
  ptrdiff_t row = larger(1, most) * unit;
  for (part.lines = smaller(left, row / unit); left > 0; left -= part.lines, part.lines = smaller(left, row / unit)) {
    s->codelet(part.in.at.re, rows, fg_step_elements(part.in.stride, s->complex_in), row / unit, part.lines);
    scale_rows(&part, rows, row, unit);
    fg_copy_rows((fg_matrix){part.out.at.re, part.out.stride}, (fg_matrix){rows, row}, s->elements_out,
                 part.lines * unit);
    move(&part.in, part.lines * part.in.next), move(&part.out, part.lines * part.out.next);
  }
}

/* Reads and writes columns without copies. */
static void run_columns(const group *g) {
  const fg_step *s = g->s;
  if (s->in_blocks)
    run_columns_in_blocks(g);
  else
    s->codelet(g->in.at.re, g->out.at.re, fg_step_elements(g->in.stride, s->complex_in),
               fg_step_elements(g->out.stride, s->complex_out), g->lines);
}

static void run_columns_in_place(const group *g) {
  const fg_step *s = g->s;
  int64_t row = g->lines * fg_step_unit(s->complex_out);
  s->codelet(g->in.at.re, g->work, fg_step_elements(g->in.stride, s->complex_in), g->lines, g->lines);
  fg_copy_rows((fg_matrix){g->out.at.re, g->out.stride}, (fg_matrix){g->work, row}, s->elements_out, row);
}

static void run_across(const group *g) {
  fg_columns c = {
      (const fg_complex *)g->in.at.re, (fg_complex *)g->out.at.re, g->in.stride / 2, g->out.stride / 2, g->lines, 1};
  bool alike = g->by && g->by->re == g->by->im;
  if (alike) c.scale = g->by->re;
  fg_across_run(g->s->uncopied, &c, g->work);
  if (!alike) scale_results(g);
}

static void run_pairs(const group *g) {
  const fg_step *s = g->s;
  bool back = s->line->type == FG_LINE_C2R;
  fg_pairs p = {s->line->n, g->lines, back ? g->out.stride : g->in.stride, back ? g->in.stride : g->out.stride,
                s->line->type == FG_LINE_WHOLE};
  if (back)
    fg_pairs_c2r(&p, s->uncopied, (const fg_complex *)g->in.at.re, g->out.at.re, g->work);
  else
    fg_pairs_r2c(&p, s->uncopied, g->in.at.re, (fg_complex *)g->out.at.re, g->work);
}

static void run_parts(const group *g) {
  for (int64_t i = 0; i < g->lines; i++)
    run_one_of_parts(g->s, moved(g->in.at, i * g->in.next), moved(g->out.at, i * g->out.next), g->work);
}

static void run_gathered(const group *g) {
  const fg_step *s = g->s;
  const fg_line *l = s->line;
  fg_real *rows_in = g->work, *rows_out = rows_in + s->lines * s->pitch_in, *rest = rows_out + s->lines * s->pitch_out;
  const fg_real *from = s->gathers ? rows_in : g->in.at.re;
  fg_real *to = s->scatters ? rows_out : g->out.at.re;
  if (s->gathers) fg_move_gather(&g->in, rows_in, s->pitch_in, s->elements_in, g->lines);
  fg_line_run_rows(l, from, to, rest, g->lines, s->gathers ? s->pitch_in : g->in.next,
                   s->scatters ? s->pitch_out : g->out.next);
  if (s->scatters)
    scale_rows(g, rows_out, fg_step_unit(s->complex_out), s->pitch_out);
  else
    scale_results(g);
  if (s->scatters) fg_move_scatter(rows_out, s->pitch_out, &g->out, s->elements_out, g->lines);
}

static void run_columns_inside(const group *g) { g->s->columns_in(g->out.at.re, g->out.stride / 2, g->lines); }

static void run_rows_inside(const group *g) { fg_direct_rows_inside(g->s, g->out.at.re, g->lines, g->out.next); }

static void run_each(const group *g) {
  const fg_step *s = g->s;
  fg_walk w = s->each.walk;
  w.count = g->lines;
  fg_each_run(&s->each, s->each.way, &w, g->in.at.re, g->in.at.im, g->out.at.re, g->out.at.im);
}

static void run_copy(const group *g) { fg_move_copy(&g->in, &g->out, g->s->dim.n, g->lines); }

static void (*const run_group[])(const group *g) = {
    [FG_STEP_COPY] = run_copy,
    [FG_STEP_ONE] = NULL, /* has no groups */
    [FG_STEP_LINES] = run_lines,
    [FG_STEP_COLUMNS] = run_columns,
    [FG_STEP_COLUMNS_IN_PLACE] = run_columns_in_place,
    [FG_STEP_ACROSS] = run_across,
    [FG_STEP_COLUMNS_INSIDE] = run_columns_inside,
    [FG_STEP_ROWS_INSIDE] = run_rows_inside,
    [FG_STEP_PARTS] = run_parts,
    [FG_STEP_PAIRS] = run_pairs,
    [FG_STEP_EACH] = run_each,
    [FG_STEP_GATHERED] = run_gathered,
};

/* Members are set one by one: a structure that is copied soon after its members were stored waits for them. */
static void run_direct_group(const fg_step *s, fg_array in, fg_array out) {
  _Alignas(64) fg_real work[FG_STEP_SHORT / sizeof(fg_real)];
  const fg_dim *next = s->vectors ? &s->vector[0] : &alone;
  group g;
  g.s = s, g.lines = next->n, g.work = work, g.by = NULL;
  g.in.stride = s->dim.is, g.in.next = next->is, g.out.stride = s->dim.os, g.out.next = next->os;
  g.in.at.re = in.re, g.in.at.im = s->complex_in ? in.im : NULL;
  g.out.at.re = out.re, g.out.at.im = s->complex_out ? out.im : NULL;
  run_group[s->form](&g);
}

static bool is_columns(const fg_step *s) {
  return s->form == FG_STEP_COLUMNS || s->form == FG_STEP_COLUMNS_IN_PLACE || s->form == FG_STEP_COLUMNS_INSIDE;
}

/* Factors are applied to results that are written already. */
static bool scales_apart(const fg_step *s) {
  return !is_columns(s) && s->form != FG_STEP_ACROSS && s->form != FG_STEP_GATHERED;
}

static void run_scaled(const group *g) {
  fg_step_form form = g->s->form;
  if (is_columns(g->s)) {
    run_columns_in_blocks(g);
    return;
  }
  run_group[form](g);
  if (scales_apart(g->s)) scale_results(g);
}

/* Where the lines begin that vectors but the innermost one have in common. */
static void offsets(const fg_step *s, int64_t rest, ptrdiff_t *in, ptrdiff_t *out) {
  *in = *out = 0;
  for (int i = s->vectors - 2; i >= 0; i--) {
    int64_t digit = rest % s->vector[i].n;
    rest /= s->vector[i].n;
    *in += digit * s->vector[i].is, *out += digit * s->vector[i].os;
  }
}

/* Members are set one by one, as above. */
static void run_with(const fg_step *s, const fg_step_arrays *a, int64_t first, int64_t end, fg_real *work) {
  group g;
  const fg_dim *next = s->vectors ? &s->vector[s->vectors - 1] : &alone;
  const fg_dim *around = s->vectors > 1 ? next - 1 : &alone; /* whose digit is counted: divisions take long */
  g.s = s, g.work = work, g.by = a->by;
  g.in.stride = s->dim.is, g.in.next = next->is, g.out.stride = s->dim.os, g.out.next = next->os;
  int64_t groups = s->parts == 1 ? 1 : groups_of(s), outer = 0, i = first;
  ptrdiff_t in = 0, out = 0;
  if (first) outer = first / groups, i = first % groups;
  int64_t digit = outer ? around->n : 0;
  for (int64_t left = end - first; left > 0; outer++, i = 0, digit++, in += around->is, out += around->os) {
    if (digit == around->n) offsets(s, outer, &in, &out), digit = outer % around->n;
    g.in.at.re = a->in.re, g.in.at.im = s->complex_in ? a->in.im : NULL;
    g.out.at.re = a->out.re, g.out.at.im = s->complex_out ? a->out.im : NULL;
    move(&g.in, in), move(&g.out, out);
    if (i) move(&g.in, i * s->lines * next->is), move(&g.out, i * s->lines * next->os);
    for (; i < groups && left > 0; i++, left--) {
      g.lines = smaller(s->lines, next->n - i * s->lines);
      if (!a->by)
        run_group[s->form](&g);
      else
        run_scaled(&g);
      move(&g.in, s->lines * next->is), move(&g.out, s->lines * next->os);
    }
  }
}

static void gather_one(const fg_step *s, fg_array in, fg_real *row) {
  int64_t n = s->elements_in;
  ptrdiff_t step = s->dim.is;
  if (!s->complex_in)
    for (int64_t j = 0; j < n; j++) row[j] = in.re[j * step];
  else if (s->split_in && step == 1 && n >= LOOP)
    fg_pointwise_interleave(in.re, in.im, row, n);
  else
    for (int64_t j = 0; j < n; j++) row[2 * j] = in.re[j * step], row[2 * j + 1] = in.im[j * step];
}

static void scatter_one(const fg_step *s, const fg_real *row, fg_array out) {
  int64_t n = s->elements_out;
  ptrdiff_t step = s->dim.os;
  if (!s->complex_out)
    for (int64_t j = 0; j < n; j++) out.re[j * step] = row[j];
  else if (s->split_out && step == 1 && n >= LOOP)
    fg_pointwise_separate(row, out.re, out.im, n);
  else
    for (int64_t j = 0; j < n; j++) out.re[j * step] = row[2 * j], out.im[j * step] = row[2 * j + 1];
}

bool fg_step_run_parts(fg_step *s, const fg_step_arrays *a, int64_t first, int64_t end) {
  fg_real *work = fg_loan_take(&s->loan);
  bool done = work || !s->loan.bytes;
  if (done) run_with(s, a, first, end, work);
  fg_loan_return(&s->loan, work);
  return done;
}

/* One line, by loops that begin at once. */
static void run_one(const fg_step *s, fg_array in, fg_array out) {
  _Alignas(64) fg_real work[FG_STEP_SHORT / sizeof(fg_real)];
  fg_real *to = s->scatters ? work + s->pitch_in : out.re;
  if (s->gathers) gather_one(s, in, work);
  fg_line_run(s->line, s->gathers ? work : in.re, to, work + s->pitch_in + s->pitch_out);
  if (s->scatters) scatter_one(s, to, out);
}

static bool run_here(const fg_step *s, const fg_step_arrays *a) {
  _Alignas(64) fg_real work[FG_STEP_SHORT / sizeof(fg_real)];
  run_with(s, a, 0, s->parts, work);
  return true;
}

static void scale_vectors(const fg_step *s, int vector, fg_layout l, const fg_factors *by) {
  if (vector >= s->vectors - 1) {
    fg_move_scale(&l, by, s->line ? s->elements_out : s->dim.n, inner(s).n);
    return;
  }
  for (int64_t i = 0; i < s->vector[vector].n; i++, move(&l, s->vector[vector].os)) scale_vectors(s, vector + 1, l, by);
}

int fg_step_scales_well(const fg_step *s) {
  bool rows = s->form == FG_STEP_LINES || s->form == FG_STEP_ONE || s->form == FG_STEP_ROWS_INSIDE;
  return rows ? 2 : s->form == FG_STEP_COPY ? 0 : 1;
}

void fg_step_scale(const fg_step *s, fg_array out, const fg_factors *by) {
  fg_layout l = {{out.re, s->complex_out ? out.im : NULL}, s->dim.os, inner(s).os};
  scale_vectors(s, 0, l, by);
}

bool fg_step_run(fg_step *s, const fg_step_arrays *a) {
  if (s->direct && !(a->by && !scales_apart(s)))
    s->direct(s, a->in, a->out);
  else if (s->loan.bytes <= FG_STEP_SHORT)
    return run_here(s, a);
  else
    return fg_step_run_parts(s, a, 0, s->parts);
  if (a->by) fg_step_scale(s, a->out, a->by);
  return true;
}

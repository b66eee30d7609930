/* See step.h. In: arrays. Out: the line of every vector.
 *
 * Several lines of the innermost vector go together: where they are no contiguous arrays, or results would lie where
 * inputs do, they are gathered to rows, or written to rows first. One codelet on columns needs no gathering: it reads
 * them as they lie. */
#include "fftw/sweep/step.h"
#include "fftw/codelet/codelet.h"
#include "fftw/sweep/move.h"
#include <stdlib.h>
#include <string.h>

enum {
  TOGETHER = 128 / sizeof(fg_real), /* complex lines: four cache lines of an element's neighbours */
  AS_THEY_LIE = 1 << 14,            /* points of lines that go together where none is copied */
  ROWS = 1 << 18,                   /* bytes that rows take together at most, where there are several */
  ALIAS = 2048                      /* bytes: rows so far apart, or multiples of it, meet in sets of the L1 */
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

static fg_dim inner(const fg_step *s) { return s->vectors ? s->vector[s->vectors - 1] : (fg_dim){.n = 1}; }

static ptrdiff_t pitch_of(int64_t numbers) {
  int64_t bytes = (int64_t)sizeof(fg_real) * numbers, line = 64 / (int64_t)sizeof(fg_real);
  return numbers + (bytes % ALIAS ? numbers % 2 : line);
}

static int64_t numbers(const fg_step *s, bool output) {
  int64_t elements = fg_line_elements(s->line->type, s->line->n, output);
  return elements * ((output ? s->complex_out : s->complex_in) ? 2 : 1);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t groups_of(const fg_step *s) { return (inner(s).n + s->lines - 1) / s->lines; }

/* How many lines go together, and the memory that they take. */
static void set_lines(fg_step *s) {
  int64_t all = inner(s).n;
  s->lines = all > 0 ? all : 1;
  if (!s->line) return;
  bool line_in = !s->split_in && s->dim.is == (s->complex_in ? 2 : 1);
  bool line_out = !s->split_out && s->dim.os == (s->complex_out ? 2 : 1) && !(s->shared && line_in);
  s->pitch_in = line_in ? 0 : pitch_of(numbers(s, false)), s->pitch_out = line_out ? 0 : pitch_of(numbers(s, true));
  int64_t bytes = (numbers(s, false) + numbers(s, true)) * (int64_t)sizeof(fg_real);
  int64_t most = line_in && line_out ? AS_THEY_LIE / s->line->n : smaller(TOGETHER, ROWS / bytes);
  s->lines = smaller(s->lines, most < 1 ? 1 : most);
  s->work = (size_t)(s->lines * (s->pitch_in + s->pitch_out)) + s->line->work;
  s->loan.bytes = sizeof(fg_real) * s->work;
}

void fg_step_prepare(fg_step *s) {
  qsort(s->vector, (size_t)s->vectors, sizeof *s->vector, by_distance);
  merge(s);
  set_lines(s);
  s->parts = groups_of(s);
  for (int i = 0; i < s->vectors - 1; i++) s->parts *= s->vector[i].n;
}
/* ---- running ------------------------------------------------------------------- */

typedef struct group { /* lines that go together */
  const fg_step *s;
  fg_layout in, out;
  int64_t lines;
  fg_real *work;
} group;

static fg_layout moved(fg_layout l, ptrdiff_t by) {
  l.at.re += by;
  if (l.at.im) l.at.im += by;
  return l;
}

/* One codelet reads columns as they lie, and writes them so, or to rows of neighbours. */
static bool run_columns(const group *g) {
  const fg_line *l = g->s->line;
  bool columns = l->alone && l->codelets && l->codelets->columns[0] && g->in.next == 2 && g->out.next == 2;
  if (!columns || !fg_layout_is_interleaved(&g->in) || !fg_layout_is_interleaved(&g->out)) return false;
  if (g->in.stride % 2 || g->out.stride % 2) return false;
  fg_codelet_columns codelet = l->codelets->columns[l->type == FG_LINE_BACKWARD];
  if (!g->s->shared) {
    codelet(g->in.at.re, g->out.at.re, g->in.stride / 2, g->out.stride / 2, g->lines);
    return true;
  }
  codelet(g->in.at.re, g->work, g->in.stride / 2, g->lines, g->lines);
  size_t row = sizeof(fg_complex) * (size_t)g->lines;
  for (int64_t k = 0; k < l->n; k++) memcpy(g->out.at.re + k * g->out.stride, g->work + 2 * k * g->lines, row);
  return true;
}

/* The same of several passes: as many columns as such a line does. */
static bool run_passes(const group *g) {
  const fg_line *l = g->s->columns;
  if (!l || g->lines != FG_LINE_COLUMNS || !fg_layout_is_interleaved(&g->in) || !fg_layout_is_interleaved(&g->out))
    return false;
  fg_complex *rows = (fg_complex *)g->work;
  fg_line_run_columns(l, (const fg_complex *)g->in.at.re, g->in.stride / 2, rows);
  for (int64_t k = 0; k < l->n; k++)
    memcpy(g->out.at.re + k * g->out.stride, rows + k * FG_LINE_COLUMNS, sizeof *rows * FG_LINE_COLUMNS);
  return true;
}

static void run_group(const group *g) {
  const fg_step *s = g->s;
  if (run_columns(g) || run_passes(g)) return;
  fg_real *rows_in = g->work, *rows_out = rows_in + s->lines * s->pitch_in, *rest = rows_out + s->lines * s->pitch_out;
  const fg_real *from = g->in.at.re;
  ptrdiff_t from_next = g->in.next, to_next = g->out.next;
  if (!fg_layout_is_line(&g->in)) {
    fg_move_gather(&g->in, rows_in, s->pitch_in, fg_line_elements(s->line->type, s->line->n, false), g->lines);
    from = rows_in, from_next = s->pitch_in;
  }
  bool apart = fg_layout_is_line(&g->out) && (!s->shared || from == rows_in);
  fg_real *to = apart ? g->out.at.re : rows_out;
  if (!apart) to_next = s->pitch_out;
  fg_line_run_rows(s->line, from, to, rest, g->lines, from_next, to_next);
  if (!apart)
    fg_move_scatter(rows_out, s->pitch_out, &g->out, fg_line_elements(s->line->type, s->line->n, true), g->lines);
}

/* Where the lines of a part begin. */
static void offsets(const fg_step *s, int64_t part, ptrdiff_t *in, ptrdiff_t *out) {
  int64_t group = part % groups_of(s) * s->lines, rest = part / groups_of(s);
  *in = group * inner(s).is, *out = group * inner(s).os;
  for (int i = s->vectors - 2; i >= 0; i--) {
    int64_t digit = rest % s->vector[i].n;
    rest /= s->vector[i].n;
    *in += digit * s->vector[i].is, *out += digit * s->vector[i].os;
  }
}

void fg_step_run(const fg_step *s, fg_array in, fg_array out, int64_t first, int64_t end, fg_real *work) {
  fg_array from = {in.re, s->complex_in ? in.im : NULL}, to = {out.re, s->complex_out ? out.im : NULL};
  for (int64_t part = first; part < end; part++) {
    ptrdiff_t in_at = 0, out_at = 0;
    int64_t left = inner(s).n;
    if (part) offsets(s, part, &in_at, &out_at), left -= part % groups_of(s) * s->lines;
    group g = {
        s, {from, s->dim.is, inner(s).is}, {to, s->dim.os, inner(s).os}, left < s->lines ? left : s->lines, work};
    g.in = moved(g.in, in_at), g.out = moved(g.out, out_at);
    if (s->line)
      run_group(&g);
    else
      fg_move_copy(&g.in, &g.out, s->dim.n, g.lines);
  }
}

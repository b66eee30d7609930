/* See move.h. In: a layout. Out: the same numbers in another. Whole lines are copied, parts are interleaved and
 * columns turned by vectors; whatever is left, number by number. */
#include "fftw/sweep/move.h"
#include "fftw/line/pointwise.h"
#include "fftw/line/transpose.h"
#include <stdlib.h>
#include <string.h>

enum { SHORT = 256 / sizeof(fg_real) /* numbers, for which a call is too long */ };

static bool lines_inside(ptrdiff_t stride, ptrdiff_t next) { return labs(next) < labs(stride); }

/* One number of each element: `to` and `from` by their strides along lines and across them. */
typedef struct walk {
  ptrdiff_t to_next, to_stride, from_next, from_stride;
  int64_t count, lines;
  bool across; /* lines are the inner loop */
} walk;

#define WALK(type)                                                                                                     \
  int64_t outer = w->across ? w->count : w->lines, inner = w->across ? w->lines : w->count;                            \
  ptrdiff_t to_outer = w->across ? w->to_stride : w->to_next, to_inner = w->across ? w->to_next : w->to_stride;        \
  ptrdiff_t from_outer = w->across ? w->from_stride : w->from_next,                                                    \
            from_inner = w->across ? w->from_next : w->from_stride;                                                    \
  for (int64_t i = 0; i < outer; i++)                                                                                  \
    for (int64_t k = 0; k < inner; k++)                                                                                \
  memcpy(to + i * to_outer + k * to_inner, from + i * from_outer + k * from_inner, sizeof(type))

static void walk_reals(const walk *w, fg_real *to, const fg_real *from) { WALK(fg_real); }

static void walk_pairs(const walk *w, fg_real *to, const fg_real *from) { WALK(fg_complex); }

/* The faster stride of `by`, whose cache lines are the larger ones to fetch, is the inner loop's. */
static void walk_all(const fg_layout *from, const fg_layout *to, const fg_layout *by, int64_t count, int64_t lines) {
  walk w = {to->next, to->stride, from->next, from->stride, count, lines, lines_inside(by->stride, by->next)};
  if (fg_layout_is_interleaved(from) && fg_layout_is_interleaved(to)) {
    walk_pairs(&w, to->at.re, from->at.re);
    return;
  }
  walk_reals(&w, to->at.re, from->at.re);
  if (from->at.im) walk_reals(&w, to->at.im, from->at.im);
}

static void copy_lines(const fg_layout *from, const fg_layout *to, int64_t count, int64_t lines) {
  int64_t numbers = count * (from->at.im ? 2 : 1);
  if (numbers < SHORT || (from->next == numbers && to->next == numbers)) {
    fg_copy_rows((fg_matrix){to->at.re, to->next}, (fg_matrix){from->at.re, from->next}, lines, numbers);
    return;
  }
  for (int64_t t = 0; t < lines; t++)
    memcpy(to->at.re + t * to->next, from->at.re + t * from->next, sizeof(fg_real) * (size_t)numbers);
}

/* Parts of a line that are contiguous, and pairs that are. */
static bool copy_parts(const fg_layout *from, const fg_layout *to, int64_t count, int64_t lines) {
  bool join = from->at.im && from->stride == 1 && fg_layout_is_interleaved(to) && to->stride == 2;
  bool part = to->at.im && to->stride == 1 && fg_layout_is_interleaved(from) && from->stride == 2;
  for (int64_t t = 0; t < lines && join; t++)
    fg_pointwise_interleave(from->at.re + t * from->next, from->at.im + t * from->next, to->at.re + t * to->next,
                            count);
  for (int64_t t = 0; t < lines && part; t++)
    fg_pointwise_separate(from->at.re + t * from->next, to->at.re + t * to->next, to->at.im + t * to->next, count);
  return join || part;
}

/* Neighbours across lines on the one side, along lines on the other. */
static bool turn(const fg_layout *from, const fg_layout *to, int64_t count, int64_t lines) {
  bool complex = from->at.im != NULL;
  if (complex && !(fg_layout_is_interleaved(from) && fg_layout_is_interleaved(to))) return false;
  ptrdiff_t unit = complex ? 2 : 1;
  if (count < 2 || lines < 2) return false;
  if (from->next == unit && to->stride == unit)
    fg_transpose((fg_matrix){to->at.re, to->next}, (fg_matrix){from->at.re, from->stride}, count, lines, complex);
  else if (from->stride == unit && to->next == unit)
    fg_transpose((fg_matrix){to->at.re, to->stride}, (fg_matrix){from->at.re, from->next}, lines, count, complex);
  else
    return false;
  return true;
}

static void copy(const fg_layout *from, const fg_layout *to, const fg_layout *by, int64_t count, int64_t lines) {
  if (fg_layout_is_line(from) && fg_layout_is_line(to))
    copy_lines(from, to, count, lines);
  else if (!copy_parts(from, to, count, lines) && !turn(from, to, count, lines))
    walk_all(from, to, by, count, lines);
}

void fg_move_copy(const fg_layout *from, const fg_layout *to, int64_t count, int64_t lines) {
  copy(from, to, from, count, lines);
}

static fg_layout rows_as_layout(fg_real *rows, ptrdiff_t pitch, bool complex) {
  return (fg_layout){{rows, complex ? rows + 1 : NULL}, complex ? 2 : 1, pitch};
}

void fg_move_gather(const fg_layout *from, fg_real *rows, ptrdiff_t pitch, int64_t count, int64_t lines) {
  fg_layout to = rows_as_layout(rows, pitch, from->at.im != NULL);
  copy(from, &to, from, count, lines);
}

void fg_move_scatter(fg_real *rows, ptrdiff_t pitch, const fg_layout *to, int64_t count, int64_t lines) {
  fg_layout from = rows_as_layout(rows, pitch, to->at.im != NULL);
  copy(&from, to, to, count, lines);
}

static void scale_reals(fg_real *at, ptrdiff_t stride, int64_t count, fg_real by) {
  if (stride == 1)
    for (int64_t j = 0; j < count; j++) at[j] *= by;
  else
    for (int64_t j = 0; j < count; j++) at[j * stride] *= by;
}

static void scale_pairs(fg_real *at, ptrdiff_t stride, int64_t count, const fg_factors *by) {
  for (int64_t j = 0; j < count; j++) at[j * stride] *= by->re, at[j * stride + 1] *= by->im;
}

void fg_move_scale(const fg_layout *l, const fg_factors *by, int64_t count, int64_t lines) {
  bool across = lines_inside(l->stride, l->next) || count == 1;
  fg_layout w = *l; /* the longer distance is the outer loop's */
  if (across && lines > 1) {
    w.stride = l->next, w.next = l->stride;
    int64_t swapped = count;
    count = lines, lines = swapped;
  }
  bool pairs = fg_layout_is_interleaved(l), contiguous = pairs && by->re == by->im && w.stride == 2;
  for (int64_t t = 0; t < lines; t++) {
    fg_real *re = w.at.re + t * w.next;
    if (contiguous)
      scale_reals(re, 1, 2 * count, by->re);
    else if (pairs)
      scale_pairs(re, w.stride, count, by);
    else
      scale_reals(re, w.stride, count, by->re);
    if (w.at.im && !pairs) scale_reals(w.at.im + t * w.next, w.stride, count, by->im);
  }
}

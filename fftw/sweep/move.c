/* See move.h. The inner loop goes along the shorter stride of the array, whose cache lines are the larger ones to
 * fetch; rows are near. */
#include "fftw/sweep/move.h"
#include <stdlib.h>
#include <string.h>

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

void fg_move_copy(const fg_layout *from, const fg_layout *to, int64_t count, int64_t lines) {
  bool pairs = fg_layout_is_interleaved(from) && fg_layout_is_interleaved(to);
  size_t whole = sizeof(fg_real) * (size_t)count * (from->at.im ? 2 : 1);
  if (fg_layout_is_line(from) && fg_layout_is_line(to)) {
    for (int64_t t = 0; t < lines; t++) memcpy(to->at.re + t * to->next, from->at.re + t * from->next, whole);
    return;
  }
  walk w = {to->next, to->stride, from->next, from->stride, count, lines, lines_inside(from->stride, from->next)};
  if (pairs) {
    walk_pairs(&w, to->at.re, from->at.re);
    return;
  }
  walk_reals(&w, to->at.re, from->at.re);
  if (from->at.im) walk_reals(&w, to->at.im, from->at.im);
}

static fg_layout rows_as_layout(fg_real *rows, ptrdiff_t pitch, bool complex) {
  return (fg_layout){{rows, complex ? rows + 1 : NULL}, complex ? 2 : 1, pitch};
}

void fg_move_gather(const fg_layout *from, fg_real *rows, ptrdiff_t pitch, int64_t count, int64_t lines) {
  fg_layout to = rows_as_layout(rows, pitch, from->at.im != NULL);
  fg_move_copy(from, &to, count, lines);
}

/* By the strides of what is written. */
void fg_move_scatter(const fg_real *rows, ptrdiff_t pitch, const fg_layout *to, int64_t count, int64_t lines) {
  bool complex = to->at.im != NULL;
  ptrdiff_t step = complex ? 2 : 1;
  walk w = {to->next, to->stride, pitch, step, count, lines, lines_inside(to->stride, to->next)};
  if (fg_layout_is_line(to)) {
    size_t whole = sizeof(fg_real) * (size_t)(count * step);
    for (int64_t t = 0; t < lines; t++) memcpy(to->at.re + t * to->next, rows + t * pitch, whole);
  } else if (fg_layout_is_interleaved(to)) {
    walk_pairs(&w, to->at.re, rows);
  } else {
    walk_reals(&w, to->at.re, rows);
    if (complex) walk_reals(&w, to->at.im, rows + 1);
  }
}

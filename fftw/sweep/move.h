/* Elements from the caller's arrays to rows, and back. */
#ifndef FG_FFTW_SWEEP_MOVE_H
#define FG_FFTW_SWEEP_MOVE_H
#include "fftw/sweep/transform.h"

typedef struct fg_layout { /* of some lines: element j of line t is at j stride + t next numbers */
  fg_array at;
  ptrdiff_t stride, next;
} fg_layout;

static inline bool fg_layout_is_interleaved(const fg_layout *l) { return l->at.im && l->at.im - l->at.re == 1; }

/* Whether each line is an array as lines have them. */
static inline bool fg_layout_is_line(const fg_layout *l) {
  return l->at.im ? fg_layout_is_interleaved(l) && l->stride == 2 : l->stride == 1;
}

/* `lines` lines of `count` elements between a layout and rows that are `pitch` numbers apart. */
void fg_move_gather(const fg_layout *from, fg_real *rows, ptrdiff_t pitch, int64_t count, int64_t lines);
void fg_move_scatter(fg_real *rows, ptrdiff_t pitch, const fg_layout *to, int64_t count, int64_t lines);
/* Times factors, in place. */
void fg_move_scale(const fg_layout *l, const fg_factors *by, int64_t count, int64_t lines);
/* Between two layouts, which share no memory. */
void fg_move_copy(const fg_layout *from, const fg_layout *to, int64_t count, int64_t lines);
#endif

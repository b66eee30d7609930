/* See turned.h. Lengths whose codelets for one transform have few whole vectors. */
#include "fftw/line/turned.h"
#include "fftw/line/transpose.h"

enum { TOGETHER = 16 /* rows */, MOST = 32 /* points */ };

/* Of 25 points; there where a line was asked for. */
static fg_codelet_columns columns25[2];

static inline void run(int64_t n, fg_direction direction, const fg_real *in, fg_real *out, ptrdiff_t count,
                       ptrdiff_t id, ptrdiff_t od) {
  fg_codelet_columns columns = __atomic_load_n(&columns25[direction], __ATOMIC_RELAXED);
  _Alignas(64) fg_real x[2 * TOGETHER * MOST], y[2 * TOGETHER * MOST];
  for (ptrdiff_t i = 0; i < count; i += TOGETHER) {
    ptrdiff_t rows = count - i < TOGETHER ? count - i : TOGETHER;
    fg_matrix from = {(fg_real *)(uintptr_t)in + 2 * i * id, 2 * id}, to = {out + 2 * i * od, 2 * od};
    fg_transpose((fg_matrix){x, 2 * TOGETHER}, from, rows, n, true);
    columns(x, y, TOGETHER, TOGETHER, rows);
    fg_transpose(to, (fg_matrix){y, 2 * TOGETHER}, n, rows, true);
  }
}

static void rows25_forward(const fg_real *in, fg_real *out, ptrdiff_t count, ptrdiff_t id, ptrdiff_t od) {
  run(25, FG_FORWARD, in, out, count, id, od);
}

static void rows25_backward(const fg_real *in, fg_real *out, ptrdiff_t count, ptrdiff_t id, ptrdiff_t od) {
  run(25, FG_BACKWARD, in, out, count, id, od);
}

static void inside25_forward(fg_real *data, ptrdiff_t count, ptrdiff_t id) {
  rows25_forward(data, data, count, id, id);
}

static void inside25_backward(fg_real *data, ptrdiff_t count, ptrdiff_t id) {
  rows25_backward(data, data, count, id, id);
}

static bool has(int64_t n, fg_direction direction) {
  if (n != 25 || !FG_FFTW_SINGLE) return false;
  __atomic_store_n(&columns25[direction], fg_codelets_find(n)->columns[direction], __ATOMIC_RELAXED);
  return true;
}

fg_codelet_rows fg_turned_rows(int64_t n, fg_direction direction) {
  if (!has(n, direction)) return NULL;
  return direction == FG_FORWARD ? rows25_forward : rows25_backward;
}

fg_codelet_rows_in fg_turned_rows_in(int64_t n, fg_direction direction) {
  if (!has(n, direction)) return NULL;
  return direction == FG_FORWARD ? inside25_forward : inside25_backward;
}

/* See pairs.h. With z = a + i b of two real columns a and b, whose transforms are A and B, Z[k] = A[k] + i B[k], and
 * A[k] = (Z[k] + conj Z[n-k]) / 2, B[k] = (Z[k] - conj Z[n-k]) / 2i (Cooley, Lewis and Welch, 1970). Rows of an odd
 * number of reals, or so far apart, are copied; a last column without a neighbour has zeros for one. */
#include "fftw/line/pairs.h"
#include "fftw/base/clones.h"
#include "fftw/codelet/codelet.h"
#include "fftw/line/method.h"
#include <string.h>

bool fg_pairs_find(int64_t n, bool back, fg_line **line) {
  const fg_codelets *c = fg_codelets_find(n);
  *line = NULL;
  if (c && c->columns[0]) return true;
  if (!fg_across_has(n)) return false;
  *line = fg_line_get(back ? FG_LINE_ACROSS_BACKWARD : FG_LINE_ACROSS_FORWARD, n);
  return *line != NULL;
}

/* Two arrays of rows, and what the line takes. */
size_t fg_pairs_work(int64_t n, int64_t count, const fg_line *line) {
  size_t pairs = (size_t)(count + 1) / 2;
  return pairs * (4 * (size_t)n + (line ? line->work : 0));
}

static void transform(const fg_pairs *p, const fg_line *line, bool back, const fg_columns *c, fg_real *work) {
  if (line)
    fg_across_run(line, c, work);
  else
    fg_codelets_find(p->n)->columns[back]((const fg_real *)c->in, (fg_real *)c->out, c->is, c->os, c->count);
}

static bool lies_in_pairs(const fg_pairs *p) { return p->real_stride % 2 == 0 && p->count % 2 == 0; }

/* Rows k and n-k of z to row k of A and B side by side. */
CLONES static void take_apart(const fg_complex *z, const fg_complex *mirror, fg_complex *out, int64_t pairs) {
  for (int64_t c = 0; c < pairs; c++) {
    fg_complex u = z[c], v = mirror[c];
    fg_real half = (fg_real)0.5;
    out[2 * c] = (fg_complex){half * (u.re + v.re), half * (u.im - v.im)};
    out[2 * c + 1] = (fg_complex){half * (u.im + v.im), half * (v.re - u.re)};
  }
}

/* And back; without a mirror both are real. */
CLONES static void join(const fg_complex *in, fg_complex *z, fg_complex *mirror, int64_t pairs) {
  for (int64_t c = 0; c < pairs; c++) {
    fg_complex a = in[2 * c], b = in[2 * c + 1];
    z[c] = (fg_complex){a.re - b.im, a.im + b.re};
    mirror[c] = (fg_complex){a.re + b.im, b.re - a.im};
  }
}

static void join_reals(const fg_complex *in, fg_complex *z, int64_t pairs) {
  for (int64_t c = 0; c < pairs; c++) z[c] = (fg_complex){in[2 * c].re, in[2 * c + 1].re};
}

void fg_pairs_r2c(const fg_pairs *p, const fg_line *line, const fg_real *in, fg_complex *out, fg_real *work) {
  int64_t pairs = (p->count + 1) / 2, whole = p->count / 2, pitch = 2 * pairs;
  fg_complex *z = (fg_complex *)work, *rows = z + p->n * pairs;
  fg_columns c = {(const fg_complex *)in, z, p->real_stride / 2, pairs, pairs, 1};
  if (!lies_in_pairs(p)) {
    fg_real *to = (fg_real *)rows;
    for (int64_t j = 0; j < p->n; j++, to += pitch) {
      if (whole < pairs) to[p->count] = 0;
      memcpy(to, in + j * p->real_stride, sizeof *to * (size_t)p->count);
    }
    c.in = rows, c.is = pairs;
  }
  transform(p, line, false, &c, (fg_real *)(rows + p->n * pairs));
  for (int64_t k = 0; 2 * k <= p->n; k++) {
    const fg_complex *u = z + k * pairs, *v = z + (k ? p->n - k : 0) * pairs;
    fg_complex *to = out + k * (p->complex_stride / 2);
    take_apart(u, v, to, whole);
    if (whole < pairs)
      to[2 * whole] =
          (fg_complex){(fg_real)0.5 * (u[whole].re + v[whole].re), (fg_real)0.5 * (u[whole].im - v[whole].im)};
  }
}

void fg_pairs_c2r(const fg_pairs *p, const fg_line *line, const fg_complex *in, fg_real *out, fg_real *work) {
  int64_t pairs = (p->count + 1) / 2, whole = p->count / 2;
  fg_complex *z = (fg_complex *)work, *rows = z + p->n * pairs;
  for (int64_t k = 0; 2 * k <= p->n; k++) {
    const fg_complex *from = in + k * (p->complex_stride / 2);
    fg_complex *u = z + k * pairs, *v = z + (p->n - k) * pairs, last = from[p->count - 1];
    bool real = k == 0 || 2 * k == p->n;
    if (real)
      join_reals(from, u, whole);
    else
      join(from, u, v, whole);
    if (whole < pairs) u[whole] = (fg_complex){last.re, real ? 0 : last.im};
    if (whole < pairs && !real) v[whole] = (fg_complex){last.re, -last.im};
  }
  bool there = lies_in_pairs(p);
  fg_columns c = {z, there ? (fg_complex *)out : rows, pairs, there ? p->real_stride / 2 : pairs, pairs, 1};
  transform(p, line, true, &c, (fg_real *)(rows + p->n * pairs));
  for (int64_t j = 0; j < p->n && !there; j++)
    memcpy(out + j * p->real_stride, rows + j * pairs, sizeof *out * (size_t)p->count);
}

/* See pairs.h. With z = a + i b of two real columns a and b, whose transforms are A and B, Z[k] = A[k] + i B[k], and
 * A[k] = (Z[k] + conj Z[n-k]) / 2, B[k] = (Z[k] - conj Z[n-k]) / 2i (Cooley, Lewis and Welch, 1970). Rows of an odd
 * number of reals, or so far apart, are copied; a last column without a neighbour has zeros for one. Two columns are
 * one complex line, whatever its length. */
#include "fftw/line/pairs.h"
#include "fftw/base/clones.h"
#include "fftw/codelet/codelet.h"
#include "fftw/line/method.h"
#include "fftw/line/transpose.h"

enum { FEW = 8 /* pairs, of which passes do all together */ };

static int64_t pairs_of(int64_t count) { return (count + 1) / 2; }

bool fg_pairs_are_few(int64_t count) { return pairs_of(count) < FEW; }

/* A last column alone among few, for which rows are copied: lines are sooner gathered. */
static bool is_odd(int64_t count) { return count % 2 && count <= 5; }

bool fg_pairs_has(int64_t n, int64_t count) {
  const fg_codelets *c = fg_codelets_find(n);
  if (is_odd(count)) return false;
  return pairs_of(count) == 1 || (c && c->columns[0]) || fg_across_has(n);
}

bool fg_pairs_find(int64_t n, int64_t count, bool back, fg_line **line) {
  const fg_codelets *c = fg_codelets_find(n);
  int64_t pairs = pairs_of(count);
  *line = NULL;
  if (pairs > 1 && c && c->columns[0]) return true;
  if (pairs == 1)
    *line = fg_line_get(back ? FG_LINE_BACKWARD : FG_LINE_FORWARD, n);
  else if (fg_pairs_are_few(count) && fg_across_has_few(n, pairs))
    *line = fg_line_get(back ? FG_LINE_FEW_BACKWARD : FG_LINE_FEW_FORWARD, n * FG_FEW + pairs);
  else
    *line = fg_line_get(back ? FG_LINE_ACROSS_BACKWARD : FG_LINE_ACROSS_FORWARD, n);
  return *line != NULL;
}

static bool is_across(const fg_line *line) {
  return line->type == FG_LINE_ACROSS_FORWARD || line->type == FG_LINE_ACROSS_BACKWARD;
}

/* Complex numbers from a row of the line's to the next: rows that its last pass reads or writes together do not share
 * sets of the cache. */
static int64_t pitch_of(const fg_line *line, int64_t pairs) {
  const fg_pass *last = line && is_across(line) ? &line->pass[line->npass - 1] : NULL;
  return pairs + (last && fg_radices_meet(last->codelets->n, last->columns * pairs));
}

/* Two arrays of rows, and what the line takes. */
size_t fg_pairs_work(int64_t n, int64_t count, const fg_line *line) {
  size_t pairs = (size_t)pairs_of(count);
  return 4 * (pairs + 1) * (size_t)n +
         (line ? fg_line_type_is_complex(line->type) ? line->work : fg_across_work(line, (int64_t)pairs) : 0);
}

static void transform(const fg_pairs *p, const fg_line *line, bool back, const fg_columns *c, fg_real *work) {
  const fg_real *in = (const fg_real *)c->in;
  if (!line)
    fg_codelets_find(p->n)->columns[back](in, (fg_real *)c->out, c->is, c->os, c->count);
  else if (fg_line_type_is_complex(line->type))
    fg_line_run(line, in, (fg_real *)c->out, work);
  else
    fg_across_run(line, c, work);
}

static bool lies_in_pairs(const fg_pairs *p) {
  return p->real_stride % 2 == 0 && p->count % 2 == 0 && (p->count > 2 || p->real_stride == 2);
}

/* Rows k and n-k of z to row k of A and B side by side. */
INLINED void take_apart(const fg_complex *z, const fg_complex *mirror, fg_complex *out, int64_t pairs) {
  for (int64_t c = 0; c < pairs; c++) {
    fg_complex u = z[c], v = mirror[c];
    fg_real half = (fg_real)0.5;
    out[2 * c] = (fg_complex){half * (u.re + v.re), half * (u.im - v.im)};
    out[2 * c + 1] = (fg_complex){half * (u.im + v.im), half * (v.re - u.re)};
  }
}

/* And rows n - k, conjugates of these. */
INLINED void conjugate(const fg_complex *row, fg_complex *out, int64_t count) {
  for (int64_t c = 0; c < count; c++) out[c] = (fg_complex){row[c].re, -row[c].im};
}

CLONES static void take_all_apart(const fg_pairs *p, const fg_complex *z, int64_t pitch, fg_complex *out) {
  int64_t pairs = pairs_of(p->count), whole = p->count / 2;
  fg_complex *end = out + p->n * (p->complex_stride / 2);
  for (int64_t k = 0; 2 * k <= p->n; k++, out += p->complex_stride / 2, end -= p->complex_stride / 2) {
    const fg_complex *u = z + k * pitch, *v = z + (k ? p->n - k : 0) * pitch;
    take_apart(u, v, out, whole);
    if (whole < pairs)
      out[2 * whole] =
          (fg_complex){(fg_real)0.5 * (u[whole].re + v[whole].re), (fg_real)0.5 * (u[whole].im - v[whole].im)};
    if (p->whole && k && 2 * k < p->n) conjugate(out, end, p->count);
  }
}

/* And back; without a mirror both are real. */
INLINED void join(const fg_complex *in, fg_complex *z, fg_complex *mirror, int64_t pairs) {
  for (int64_t c = 0; c < pairs; c++) {
    fg_complex a = in[2 * c], b = in[2 * c + 1];
    z[c] = (fg_complex){a.re - b.im, a.im + b.re};
    mirror[c] = (fg_complex){a.re + b.im, b.re - a.im};
  }
}

INLINED void join_reals(const fg_complex *in, fg_complex *z, int64_t pairs) {
  for (int64_t c = 0; c < pairs; c++) z[c] = (fg_complex){in[2 * c].re, in[2 * c + 1].re};
}

CLONES static void join_all(const fg_pairs *p, const fg_complex *in, fg_complex *z, int64_t pitch) {
  int64_t pairs = pairs_of(p->count), whole = p->count / 2;
  for (int64_t k = 0; 2 * k <= p->n; k++, in += p->complex_stride / 2) {
    fg_complex *u = z + k * pitch, *v = z + (p->n - k) * pitch, last = in[p->count - 1];
    bool real = k == 0 || 2 * k == p->n;
    if (real)
      join_reals(in, u, whole);
    else
      join(in, u, v, whole);
    if (whole < pairs) u[whole] = (fg_complex){last.re, real ? 0 : last.im};
    if (whole < pairs && !real) v[whole] = (fg_complex){last.re, -last.im};
  }
}

void fg_pairs_r2c(const fg_pairs *p, const fg_line *line, const fg_real *in, fg_complex *out, fg_real *work) {
  int64_t pairs = pairs_of(p->count), pitch = pitch_of(line, pairs), filled = 2 * pairs;
  fg_complex *z = (fg_complex *)work, *rows = z + p->n * pitch;
  fg_columns c = {(const fg_complex *)in, z, p->real_stride / 2, pitch, pairs, 1};
  if (!lies_in_pairs(p)) {
    fg_real *to = (fg_real *)rows;
    fg_copy_rows((fg_matrix){to, filled}, (fg_matrix){(fg_real *)in, p->real_stride}, p->n, p->count);
    for (int64_t j = 0; j < p->n && p->count < filled; j++) to[j * filled + p->count] = 0;
    c.in = rows, c.is = pairs;
  }
  transform(p, line, false, &c, (fg_real *)(rows + p->n * pairs));
  take_all_apart(p, z, pitch, out);
}

void fg_pairs_c2r(const fg_pairs *p, const fg_line *line, const fg_complex *in, fg_real *out, fg_real *work) {
  int64_t pairs = pairs_of(p->count), pitch = pitch_of(line, pairs);
  fg_complex *z = (fg_complex *)work, *rows = z + p->n * pitch;
  join_all(p, in, z, pitch);
  bool there = lies_in_pairs(p);
  fg_columns c = {z, there ? (fg_complex *)out : rows, pitch, there ? p->real_stride / 2 : pitch, pairs, 1};
  transform(p, line, true, &c, (fg_real *)(rows + p->n * pitch));
  if (!there) fg_copy_rows((fg_matrix){out, p->real_stride}, (fg_matrix){(fg_real *)rows, 2 * pitch}, p->n, p->count);
}

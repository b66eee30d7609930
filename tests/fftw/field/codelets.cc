/* Codelets by their definition, of the lengths and forms of radices.def and ones.def: what the generator proves of each
 * is that it is this. */
#include "field.h"
#include "fftw/codelet/codelet.h"
#include "fftw/codelet/ones.h"
#include "definition.h"
#include <vector>

/* Elements between strides, which count numbers; the imaginary part of each. */
struct side {
  const fg_real *re, *im;
  ptrdiff_t stride;
};

static fg_complex get(const side *s, int64_t j) {
  return fg_complex{s->re[j * s->stride], s->im ? s->im[j * s->stride] : fg_real(0)};
}

static void put(const side *s, int64_t k, fg_complex x) {
  *(fg_real *)(s->re + k * s->stride) = x.re;
  if (s->im) *(fg_real *)(s->im + k * s->stride) = x.im;
}

/* All of it is read before any of it is written. */
static void transform(fg_line_type type, int64_t n, side in, side out, const fg_complex *factor = NULL,
                      ptrdiff_t apart = 0) {
  std::vector<fg_complex> x(n), y(n);
  int64_t from = fg_line_elements(type, n, false), to = fg_line_elements(type, n, true);
  for (int64_t j = 0; j < from; j++) {
    x[j] = get(&in, j);
    if (factor && j) {
      fg_complex f = factor[j * apart], a = x[j];
      x[j] = fg_complex{a.re * f.re - a.im * f.im, a.re * f.im + a.im * f.re};
    }
  }
  definition_apply(type, n, x.data(), y.data());
  for (int64_t k = 0; k < to; k++) put(&out, k, y[k]);
}

static side pairs(const fg_real *at, ptrdiff_t stride) { return side{at, at + 1, 2 * stride}; }
static side reals(const fg_real *at, ptrdiff_t stride) { return side{at, NULL, stride}; }

enum { UP = FG_LINE_FORWARD, DOWN = FG_LINE_BACKWARD };
#define TYPE(direction) ((fg_line_type)((direction) ? DOWN : UP))

template <int n, int back> struct of {
  static void alone(const fg_real *in, fg_real *out, fg_real *) { transform(TYPE(back), n, pairs(in, 1), pairs(out, 1)); }
  static void real(const fg_real *in, fg_real *out, fg_real *) { real_columns(in, out, 1, 1, 1); }
  static void columns(const fg_real *in, fg_real *out, ptrdiff_t is, ptrdiff_t os, ptrdiff_t count) {
    for (ptrdiff_t b = 0; b < count; b++) transform(TYPE(back), n, pairs(in + 2 * b, is), pairs(out + 2 * b, os));
  }
  static void leaf(const fg_real *in, fg_real *out, ptrdiff_t is, ptrdiff_t count, ptrdiff_t od) {
    for (ptrdiff_t b = 0; b < count; b++) transform(TYPE(back), n, pairs(in + 2 * b, is), pairs(out + 2 * b * od, 1));
  }
  static void twiddle(fg_real *data, const fg_real *factor, ptrdiff_t is, ptrdiff_t count) {
    for (ptrdiff_t b = 0; b < count; b++)
      transform(TYPE(back), n, pairs(data + 2 * b, is), pairs(data + 2 * b, is), (const fg_complex *)factor + b, is);
  }
  static void across(const fg_real *in, fg_real *out, const fg_real *factor, ptrdiff_t is, ptrdiff_t os,
                     ptrdiff_t count) {
    for (ptrdiff_t b = 0; b < count; b++)
      transform(TYPE(back), n, pairs(in + 2 * b, is), pairs(out + 2 * b, os), (const fg_complex *)factor, 1);
  }
  static void rows(const fg_real *in, fg_real *out, ptrdiff_t count, ptrdiff_t id, ptrdiff_t od) {
    for (ptrdiff_t b = 0; b < count; b++) transform(TYPE(back), n, pairs(in + 2 * b * id, 1), pairs(out + 2 * b * od, 1));
  }
  static void columns_in(fg_real *data, ptrdiff_t is, ptrdiff_t count) { columns(data, data, is, is, count); }
  static void rows_in(fg_real *data, ptrdiff_t count, ptrdiff_t id) { rows(data, data, count, id, id); }
  static void one_real(const fg_real *in, fg_real *out, ptrdiff_t is, ptrdiff_t os) {
    if (back)
      transform(FG_LINE_C2R, n, pairs(in, is), reals(out, os));
    else
      transform(FG_LINE_R2C, n, reals(in, is), pairs(out, os));
  }
  static void alone_in(fg_real *data, fg_real *) { rows(data, data, 1, n, n); }
  static void real_in(fg_real *data, fg_real *) { one_real(data, data, 1, 1); }
  static void real_columns(const fg_real *in, fg_real *out, ptrdiff_t is, ptrdiff_t os, ptrdiff_t count) {
    for (ptrdiff_t b = 0; b < count; b++) one_real(in + (back ? 2 : 1) * b, out + (back ? 1 : 2) * b, is, os);
  }
  static void real_rows(const fg_real *in, fg_real *out, ptrdiff_t count, ptrdiff_t id, ptrdiff_t od) {
    for (ptrdiff_t b = 0; b < count; b++) one_real(in + (back ? 2 : 1) * b * id, out + (back ? 1 : 2) * b * od, 1, 1);
  }
};

template <int n> struct parts_of {
  static void parts(const fg_real *in_re, const fg_real *in_im, fg_real *out_re, fg_real *out_im, fg_real *) {
    transform(FG_LINE_FORWARD, n, side{in_re, in_im, 1}, side{out_re, out_im, 1});
  }
  static void leaf(const fg_real *in_re, const fg_real *in_im, fg_real *out_re, fg_real *out_im, ptrdiff_t is,
                   ptrdiff_t count, ptrdiff_t od) {
    for (ptrdiff_t b = 0; b < count; b++)
      transform(FG_LINE_FORWARD, n, side{in_re + b, in_im + b, is}, side{out_re + b * od, out_im + b * od, 1});
  }
  static void twiddle(fg_real *re, fg_real *im, const fg_real *factor, ptrdiff_t is, ptrdiff_t count) {
    for (ptrdiff_t b = 0; b < count; b++)
      transform(FG_LINE_FORWARD, n, side{re + b, im + b, is}, side{re + b, im + b, is}, (const fg_complex *)factor + b,
                is);
  }
};

static std::vector<fg_codelets> make_table(void) {
  std::vector<fg_codelets> table;
#define SET(has, member, name)                                                                                         \
  if (has) c.member[0] = of<size, 0>::name, c.member[1] = of<size, 1>::name;
#define CODELETS(points, adds, fmas, has_real, has_columns, has_twiddle, has_across, has_rows, has_real_rows,               \
                 has_real_columns, has_parts, has_columns_in, has_rows_in, has_parts_leaf, has_parts_twiddle,          \
                 has_alone_in, has_real_in, ...)          \
  {                                                                                                                    \
    enum { size = points };                                                                                                \
    fg_codelets c = fg_codelets();                                                                                     \
    c.n = size, c.add = adds, c.fma = fmas;                                                                               \
    SET(1, alone, alone) SET(has_real, real, real) SET(has_columns, columns, columns) SET(has_columns, leaf, leaf)     \
    SET(has_twiddle, twiddle, twiddle) SET(has_across, across, across) SET(has_rows, rows, rows)                       \
    SET(has_real_rows, real_rows, real_rows) SET(has_real_columns, real_columns, real_columns)                         \
    SET(has_columns_in, columns_in, columns_in) SET(has_rows_in, rows_in, rows_in)                                     \
    SET(has_alone_in, alone_in, alone_in) SET(has_real_in, real_in, real_in)                                           \
    if (has_parts) c.parts = parts_of<size>::parts;                                                                       \
    if (has_parts_leaf) c.parts_leaf = parts_of<size>::leaf;                                                              \
    if (has_parts_twiddle) c.parts_twiddle = parts_of<size>::twiddle;                                                     \
    table.push_back(c);                                                                                                \
  }
#include "fftw/codelet/radices.def"
  table.push_back(fg_codelets());
  return table;
}

const fg_codelets *fg_codelets_table(void) {
  static const std::vector<fg_codelets> table = make_table();
  return table.data();
}

const fg_codelets *fg_codelets_find(int64_t n) {
  for (const fg_codelets *c = fg_codelets_table(); c->n; c++)
    if (c->n == n) return c;
  return NULL;
}

/* ---- ones.h ------------------------------------------------------------------------------ */

static bool is_alone(int64_t k, int64_t n) { return k == 0 || 2 * k == n; }

static void halves(fg_one_kind kind, int64_t n, const fg_walk *w, const fg_complex *y, fg_real *re, fg_real *im) {
  for (int64_t k = 0; 2 * k <= n; k++) {
    bool alone = is_alone(k, n);
    if (kind == FG_ONE_HARTLEY) {
      re[k * w->os] = alone ? y[k].re : y[k].re - y[k].im;
      if (!alone) re[(n - k) * w->os] = y[k].re + y[k].im;
      continue;
    }
    re[k * w->os] = y[k].re;
    if (!alone) im[k * w->im_os] = y[k].im;
    if (alone && w->zeros) im[k * w->im_os] = 0;
  }
}

static const fg_line_type type_of[] = {FG_LINE_FORWARD, FG_LINE_R2C,     FG_LINE_C2R,     FG_LINE_R2C,    FG_LINE_REDFT00,
                                       FG_LINE_REDFT10, FG_LINE_REDFT01, FG_LINE_REDFT11, FG_LINE_RODFT00};

template <int kind, int n>
static void one(const fg_real *re, const fg_real *im, fg_real *out_re, fg_real *out_im, const fg_walk *w) {
  bool half = kind == FG_ONE_R2C || kind == FG_ONE_HARTLEY, sines = kind >= FG_ONE_DCT2 && kind <= FG_ONE_DCT4;
  for (int64_t i = 0; i < w->count; i++) {
    std::vector<fg_complex> x(n), y(n);
    for (int64_t j = 0; j < (kind == FG_ONE_C2R ? n / 2 + 1 : n); j++) {
      bool pair = kind == FG_ONE_COMPLEX || (kind == FG_ONE_C2R && !is_alone(j, n));
      x[j] = fg_complex{re[j * w->is], pair ? im[j * w->im_is] : fg_real(0)};
      if (sines && j % 2) x[j].re *= w->odd_in;
    }
    definition_apply(type_of[kind], n, x.data(), y.data());
    if (half) halves((fg_one_kind)kind, n, w, y.data(), out_re, out_im);
    for (int64_t k = 0; k < n && !half; k++) {
      out_re[k * w->os] = sines && k % 2 ? y[k].re * w->odd_out : y[k].re;
      if (kind == FG_ONE_COMPLEX) out_im[k * w->im_os] = y[k].im;
    }
    re += w->id, out_re += w->od, im += w->id, out_im += w->od;
  }
}

fg_one fg_ones_find(fg_one_kind kind, int64_t n) {
#define ROW(has, which, size)                                                                                          \
  if (has && n == size && kind == which) return one<which, size>;
#define ONES(size, anywhere, has_complex, has_real, has_dct1, has_dct2, has_dct3, has_dct4, has_dst1)                            \
  ROW(has_complex, FG_ONE_COMPLEX, size) ROW(has_real, FG_ONE_R2C, size) ROW(has_real, FG_ONE_C2R, size)               \
  ROW(has_real, FG_ONE_HARTLEY, size) ROW(has_dct1, FG_ONE_DCT1, size) ROW(has_dct2, FG_ONE_DCT2, size)                \
  ROW(has_dct3, FG_ONE_DCT3, size) ROW(has_dct4, FG_ONE_DCT4, size) ROW(has_dst1, FG_ONE_DST1, size)
#include "fftw/codelet/ones.def"
  return NULL;
}

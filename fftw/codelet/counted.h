/* Codelets of several transforms, `count` of them, for whatever count. In: what the build generates for a direction
 * (FG_FFTW_CODELETS_TEXT), which this file includes. Out: fg_FORMn_DIRECTION for each of radices.def.
 *
 * A codelet does whole vectors of transforms, and the rest one by one. Here the rest of the widest vectors is done by
 * the next narrower ones; and where results do not overwrite inputs, the last vector ends with the last transform and
 * does some of them twice. */
#include "fftw/codelet/codelet.h"

#ifdef FG_FFTW_CODELETS_TEXT   /* not where this file is read alone */
#include FG_FFTW_CODELETS_TEXT /* NOLINT(bugprone-suspicious-include) */

#define GLUED(a, b) a##b
#define GLUE(a, b) GLUED(a, b)
#define LEVEL() GLUE(FG_FFTW_CODELETS_NAME, _level)()
#define WIDEST GLUE(FG_FFTW_CODELETS_MACRO, _WIDEST) /* of the instruction sets that the text has */

/* Arguments of a form, and those of its transforms from number `at` on. */
#define COLUMNS_ARGS const fg_real *in, fg_real *out, ptrdiff_t is, ptrdiff_t os, ptrdiff_t count
#define COLUMNS_FROM(at, count) in + 2 * (at), out + 2 * (at), is, os, count
#define LEAF_ARGS const fg_real *in, fg_real *out, ptrdiff_t is, ptrdiff_t count, ptrdiff_t od
#define LEAF_FROM(at, count) in + 2 * (at), out + 2 * (at)*od, is, count, od
#define TWIDDLE_ARGS fg_real *data, const fg_real *factor, ptrdiff_t is, ptrdiff_t count
#define TWIDDLE_FROM(at, count) data + 2 * (at), factor + 2 * (at), is, count
#define ACROSS_ARGS const fg_real *in, fg_real *out, const fg_real *factor, ptrdiff_t is, ptrdiff_t os, ptrdiff_t count
#define ACROSS_FROM(at, count) in + 2 * (at), out + 2 * (at), factor, is, os, count
#define COLUMNS_IN_ARGS fg_real *data, ptrdiff_t is, ptrdiff_t count
#define COLUMNS_IN_FROM(at, count) data + 2 * (at), is, count
#define ROWS_ARGS const fg_real *in, fg_real *out, ptrdiff_t count, ptrdiff_t id, ptrdiff_t od
#define ROWS_FROM(at, count) in + 2 * (at)*id, out + 2 * (at)*od, count, id, od
#define DENSE2_ARGS const fg_real *in, fg_real *out, ptrdiff_t count
#define DENSE2_FROM(at, count) in + 4 * (at), out + 4 * (at), count
#define DENSE3_ARGS DENSE2_ARGS
#define DENSE3_FROM(at, count) in + 6 * (at), out + 6 * (at), count
#define ROWS_IN_ARGS fg_real *data, ptrdiff_t count, ptrdiff_t id
#define ROWS_IN_FROM(at, count) data + 2 * (at)*id, count, id
#define REAL_ROWS_ARGS ROWS_ARGS
#define REAL_ROWS_FROM(at, count) in + UNIT_IN *(at)*id, out + UNIT_OUT *(at)*od, count, id, od
#define REAL_COLUMNS_ARGS COLUMNS_ARGS
#define REAL_COLUMNS_FROM(at, count) in + UNIT_IN *(at), out + UNIT_OUT *(at), is, os, count
#define PARTS_LEAF_ARGS                                                                                                \
  const fg_real *in_re, const fg_real *in_im, fg_real *out_re, fg_real *out_im, ptrdiff_t is, ptrdiff_t count,         \
      ptrdiff_t od
#define PARTS_LEAF_FROM(at, count) in_re + (at), in_im + (at), out_re + (at)*od, out_im + (at)*od, is, count, od
#define PARTS_TWIDDLE_ARGS fg_real *re, fg_real *im, const fg_real *factor, ptrdiff_t is, ptrdiff_t count
#define PARTS_TWIDDLE_FROM(at, count) re + (at), im + (at), factor + 2 * (at), is, count

/* Whether results may overwrite inputs; whether vectors are transposed, which AMD's cores do in halves; and whether one
 * vector of transforms takes as long as two of half the length, whose loads do not wait for what rows just stored. */
enum { APART = 0, INSIDE = 1, TURNED = 2, SHORT = 4 };
#define COLUMNS_PLACE(n) ((n) <= 4 ? INSIDE | SHORT : INSIDE)
/* Of leaves, others are too short for it to count, or wait for memory. */
#define LEAF_PLACE(n) ((n) > 4 && (n) <= 16 ? TURNED : APART)
/* Bytes of vectors for a transform: pairs, or real numbers; of passes across, real and imaginary parts have vectors of
 * their own. */
enum { PAIRS = 2 * sizeof(fg_real), REALS = sizeof(fg_real) };

#if defined(FG_FFTW_AVX2) && WIDEST >= FG_FFTW_AVX2
#include "fftw/codelet/counted_x86.h"
#else /* one kind of vectors, which the CPU has */
#define WIDE(...)
#define REST(...)
#define MORE(...)
#define TAKE(FORM, FROM, name, of, place, far_in, far_out) name(FROM(0, count));
#endif

/* COUNTED_FAR: rows begin anywhere in memory, and are so many numbers apart on both sides. */
#define COUNTED(FORM, name, of, place) FUNCTIONS(FORM, name, of, place, 0, 0, , )
#define COUNTED_FAR(FORM, name, of, place, far_in, far_out) FUNCTIONS(FORM, name, of, place, far_in, far_out, , )
#define FUNCTIONS(FORM, name, of, place, far_in, far_out, before, scope)                                               \
  WIDE(FORM##_ARGS, FORM##_FROM, name, of, place)                                                                      \
  REST(FORM##_ARGS, FORM##_FROM, name, of)                                                                             \
  MORE(FORM, name)                                                                                                     \
  scope void fg_##name(FORM##_ARGS);                                                                                   \
  scope void fg_##name(FORM##_ARGS) { before TAKE(FORM, FORM##_FROM, name, of, place, far_in, far_out) }
/* Rows, without a gap between them by the codelet for that. */
#define GAPS_0(n) COUNTED(ROWS, NAMED(rows, n), PAIRS, TURNED)
#define GAPS_1(n)                                                                                                      \
  COUNTED_HERE(DENSE##n, NAMED(dense, n), PAIRS, APART)                                                                \
  COUNTED_BEHIND(                                                                                                      \
      ROWS, NAMED(rows, n), PAIRS, TURNED, if (id == n && od == n && count > 1) {                                      \
        GLUE(fg_, NAMED(dense, n))(in, out, count);                                                                    \
        return;                                                                                                        \
      })
#define COUNTED_BEHIND(FORM, name, of, place, before) FUNCTIONS(FORM, name, of, place, 0, 0, before, )
#define COUNTED_HERE(FORM, name, of, place) FUNCTIONS(FORM, name, of, place, 0, 0, , static)

#define IF_0(...)
#define IF_1(...) __VA_ARGS__
#define CODELETS(n, adds, fmas, has_real, has_columns, has_twiddle, has_across, has_rows, has_real_rows,               \
                 has_real_columns, has_parts, has_columns_in, has_rows_in, has_parts_leaf, has_parts_twiddle,          \
                 has_alone_in, has_real_in, has_dense)                                                                 \
  IF_##has_columns(COUNTED_FAR(COLUMNS, NAMED(columns, n), PAIRS, APART, 2 * is, 2 * os)                               \
                       COUNTED(LEAF, NAMED(leaf, n), PAIRS, LEAF_PLACE(n)))                                            \
      IF_##has_twiddle(COUNTED(TWIDDLE, NAMED(twiddle, n), PAIRS, INSIDE))                                             \
          IF_##has_across(COUNTED(ACROSS, NAMED(across, n), REALS, APART)) IF_##has_rows(GAPS_##has_dense(n))          \
              IF_##has_real_rows(COUNTED(REAL_ROWS, NAMED(real_rows, n), REALS, TURNED)) IF_##has_real_columns(        \
                  COUNTED_FAR(REAL_COLUMNS, NAMED(real_columns, n), REALS, APART, UNIT_IN *is, UNIT_OUT *os))          \
                  IF_##has_columns_in(                                                                                 \
                      COUNTED_FAR(COLUMNS_IN, NAMED(columns_in, n), PAIRS, COLUMNS_PLACE(n), 2 * is, 2 * is))          \
                      IF_##has_rows_in(COUNTED(ROWS_IN, NAMED(rows_in, n), PAIRS, INSIDE | TURNED))                    \
                          PARTS(n, has_parts_leaf, has_parts_twiddle)
#include "fftw/codelet/radices.def"
#endif

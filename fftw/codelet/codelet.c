/* The table of codelets: radices.def, with the names that cmake/fftw.cmake gives to what it generates. */
#include "fftw/codelet/codelet.h"

#ifdef FG_FFTW_CODELETS_FORWARD /* not where this file is read alone */
#include FG_FFTW_CODELETS_BACKWARD
#include FG_FFTW_CODELETS_FORWARD
#include FG_FFTW_CODELETS_ALONE
#endif
#pragma GCC diagnostic error "-Wincompatible-pointer-types" /* a codelet that takes something else */

/* Of a form that is alone, some lengths take scratch and some do not. */
typedef void (*without)(const fg_real *in, fg_real *out);

static inline void call_without(without codelet, const fg_real *in, fg_real *out, fg_real *scratch) {
  (void)scratch;
  codelet(in, out);
}

static inline void call_with(fg_codelet_alone codelet, const fg_real *in, fg_real *out, fg_real *scratch) {
  codelet(in, out, scratch);
}

#define CALL(name)                                                                                                     \
  static void call_##name(const fg_real *in, fg_real *out, fg_real *scratch) {                                         \
    _Generic(&name, without : call_without, fg_codelet_alone : call_with)(&name, in, out, scratch);                    \
  }
typedef void (*in_without)(fg_real *data);

static inline void call_in_without(in_without codelet, fg_real *data, fg_real *scratch) {
  (void)scratch;
  codelet(data);
}

static inline void call_in_with(fg_codelet_alone_in codelet, fg_real *data, fg_real *scratch) {
  codelet(data, scratch);
}

#define CALL_IN(name)                                                                                                  \
  static void call_##name(fg_real *data, fg_real *scratch) {                                                           \
    _Generic(&name, in_without : call_in_without, fg_codelet_alone_in : call_in_with)(&name, data, scratch);           \
  }
typedef void (*parts_without)(const fg_real *in_re, const fg_real *in_im, fg_real *out_re, fg_real *out_im);

static inline void call_parts_without(parts_without codelet, const fg_real *in_re, const fg_real *in_im,
                                      fg_real *out_re, fg_real *out_im, fg_real *scratch) {
  (void)scratch;
  codelet(in_re, in_im, out_re, out_im);
}

static inline void call_parts_with(fg_codelet_parts codelet, const fg_real *in_re, const fg_real *in_im,
                                   fg_real *out_re, fg_real *out_im, fg_real *scratch) {
  codelet(in_re, in_im, out_re, out_im, scratch);
}

#define CALL_PARTS(name)                                                                                               \
  static void call_##name(const fg_real *in_re, const fg_real *in_im, fg_real *out_re, fg_real *out_im,                \
                          fg_real *scratch) {                                                                          \
    _Generic(&name, parts_without                                                                                      \
             : call_parts_without, fg_codelet_parts                                                                    \
             : call_parts_with)(&name, in_re, in_im, out_re, out_im, scratch);                                         \
  }
#define IF_0(...)
#define IF_1(...) __VA_ARGS__
#define CALLS(form, n) CALL(form##n##_forward) CALL(form##n##_backward)
#define CALLS_IN(form, n) CALL_IN(form##n##_forward) CALL_IN(form##n##_backward)
#define CODELETS(n, adds, fmas, has_real, has_columns, has_twiddle, has_across, has_rows, has_real_rows,               \
                 has_real_columns, has_parts, has_columns_in, has_rows_in, has_parts_leaf, has_parts_twiddle,          \
                 has_alone_in, has_real_in, ...)                                                                       \
  CALLS(alone, n)                                                                                                      \
  IF_##has_real(CALLS(real, n)) IF_##has_parts(CALL_PARTS(parts##n)) IF_##has_alone_in(CALLS_IN(alone_in, n))          \
      IF_##has_real_in(CALLS_IN(real_in, n))
#include "fftw/codelet/radices.def"
#undef CODELETS

/* Those of several transforms: counted.h has their functions. */
#define DECLARE(form, name) __typeof__(*(fg_codelet_##form)NULL) fg_##name;
#define DECLARE_PAIR(type, form, n) DECLARE(type, form##n##_forward) DECLARE(type, form##n##_backward)
#define CODELETS(n, adds, fmas, has_real, has_columns, has_twiddle, has_across, has_rows, has_real_rows,               \
                 has_real_columns, has_parts, has_columns_in, has_rows_in, has_parts_leaf, has_parts_twiddle,          \
                 has_alone_in, has_real_in, ...)                                                                       \
  IF_##has_columns(DECLARE_PAIR(columns, columns, n) DECLARE_PAIR(leaf, leaf, n))                                      \
      IF_##has_twiddle(DECLARE_PAIR(twiddle, twiddle, n)) IF_##has_across(DECLARE_PAIR(across, across, n))             \
          IF_##has_rows(DECLARE_PAIR(rows, rows, n)) IF_##has_real_rows(DECLARE_PAIR(rows, real_rows, n))              \
              IF_##has_real_columns(DECLARE_PAIR(columns, real_columns, n))                                            \
                  IF_##has_columns_in(DECLARE_PAIR(columns_in, columns_in, n))                                         \
                      IF_##has_rows_in(DECLARE_PAIR(rows_in, rows_in, n))                                              \
                          IF_##has_parts_leaf(DECLARE(parts_leaf, parts_leaf##n))                                      \
                              IF_##has_parts_twiddle(DECLARE(parts_twiddle, parts_twiddle##n))
#include "fftw/codelet/radices.def"
#undef CODELETS

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define BYTES(form, n) LARGER(form##n##_FORWARD_SCRATCH_BYTES, form##n##_BACKWARD_SCRATCH_BYTES)
#define SCRATCH_0(n) BYTES(ALONE, n)
#define SCRATCH_1(n) LARGER(BYTES(ALONE, n), BYTES(REAL, n))
#define SCRATCH_IN_0(n) 0
#define SCRATCH_IN_1(n) BYTES(ALONE_IN, n)
#define PAIR(form, n)                                                                                                  \
  { form##n##_forward, form##n##_backward }
#define FORM(form, n) .form = PAIR(fg_##form, n),
#define CODELETS(n, adds, fmas, has_real, has_columns, has_twiddle, has_across, has_rows, has_real_rows,               \
                 has_real_columns, has_parts, has_columns_in, has_rows_in, has_parts_leaf, has_parts_twiddle,          \
                 has_alone_in, has_real_in, ...)                                                                       \
  {n,                                                                                                                  \
   adds,                                                                                                               \
   fmas,                                                                                                               \
   .alone = PAIR(call_alone, n),                                                                                       \
   .scratch = LARGER(SCRATCH_##has_real(n), SCRATCH_IN_##has_alone_in(n)),                                             \
   IF_##has_alone_in(.alone_in = PAIR(call_alone_in, n), ) IF_##has_real_in(.real_in = PAIR(call_real_in, n), )        \
       IF_##has_real(.real = PAIR(call_real, n), ) IF_##has_columns(FORM(columns, n) FORM(leaf, n))                    \
           IF_##has_twiddle(FORM(twiddle, n)) IF_##has_across(FORM(across, n)) IF_##has_rows(FORM(rows, n))            \
               IF_##has_real_rows(FORM(real_rows, n)) IF_##has_real_columns(FORM(real_columns, n))                     \
                   IF_##has_parts(.parts = call_parts##n, .parts_scratch = PARTS##n##_SCRATCH_BYTES, )                 \
                       IF_##has_columns_in(FORM(columns_in, n)) IF_##has_rows_in(FORM(rows_in, n))                     \
                           IF_##has_parts_leaf(.parts_leaf = fg_parts_leaf##n, )                                       \
                               IF_##has_parts_twiddle(.parts_twiddle = fg_parts_twiddle##n, )},
static const fg_codelets table[] = {
#include "fftw/codelet/radices.def"
    {0}};

const fg_codelets *fg_codelets_table(void) { return table; }

const fg_codelets *fg_codelets_find(int64_t n) {
  for (const fg_codelets *c = table; c->n; c++)
    if (c->n == n) return c;
  return NULL;
}

/* What counted.h does with several vector lengths of one CPU: the widest do whole vectors, the next narrower ones the
 * rest. In: counted.h's macros. Out: WIDE, REST, MORE and TAKE, of which it makes its functions. */
#include "fftw/codelet/codelet.h"

#ifdef FG_FFTW_CODELETS_TEXT /* not where this file is read alone */
#define LANES(bytes, of) ((ptrdiff_t)(bytes) / (of))
/* Of two or three columns of floats, or of two rows, which do not fill a vector of 32 bytes: codelets of two, the last
 * two of three once more. */
#if FG_FFTW_SINGLE
#define MORE_COLUMNS(name)                                                                                             \
  static __attribute__((noinline)) void name##_three(COLUMNS_ARGS) {                                                   \
    (void)count;                                                                                                       \
    pair_##name##_avx2(in, out, is, os);                                                                               \
    pair_##name##_avx2(in + 2, out + 2, is, os);                                                                       \
  }
#define FEW_COLUMNS(name)                                                                                              \
  if (count == 2) {                                                                                                    \
    pair_##name##_avx2(in, out, is, os);                                                                               \
    return;                                                                                                            \
  }                                                                                                                    \
  if (count == 3) {                                                                                                    \
    name##_three(in, out, is, os, count);                                                                              \
    return;                                                                                                            \
  }
#define FEW_COLUMNS_IN(name)                                                                                           \
  if (count == 2) {                                                                                                    \
    pair_##name##_avx2(data, is);                                                                                      \
    return;                                                                                                            \
  }
#define FEW_ROWS(name)                                                                                                 \
  if (count == 2) {                                                                                                    \
    pair_##name##_avx2(in, out, id, od);                                                                               \
    return;                                                                                                            \
  }
#define FEW_ROWS_IN(name)                                                                                              \
  if (count == 2) {                                                                                                    \
    pair_##name##_avx2(data, id);                                                                                      \
    return;                                                                                                            \
  }
#else
#define MORE_COLUMNS(name)
#define FEW_COLUMNS(name)
#define FEW_COLUMNS_IN(name)
#define FEW_ROWS(name)
#define FEW_ROWS_IN(name)
#endif
#define MORE(FORM, name) MORE_##FORM(name)
#define MORE_COLUMNS_IN(name)
#define MORE_LEAF(name)
#define MORE_TWIDDLE(name)
#define MORE_ACROSS(name)
#define MORE_ROWS(name)
#define MORE_DENSE2(name)
#define MORE_DENSE3(name)
#define MORE_ROWS_IN(name)
#define MORE_REAL_ROWS(name)
#define MORE_REAL_COLUMNS(name)
#define MORE_PARTS_LEAF(name)
#define MORE_PARTS_TWIDDLE(name)
#define FEW_LEAF(name)
#define FEW_TWIDDLE(name)
#define FEW_ACROSS(name)
#define FEW_DENSE2(name)
#define FEW_DENSE3(name)
#define FEW_REAL_ROWS(name)
#define FEW_REAL_COLUMNS(name)
#define FEW_PARTS_LEAF(name)
#define FEW_PARTS_TWIDDLE(name)

/* A codelet's loop over whole vectors, without what it does of the rest: a call of it is one jump. */
#define WHOLE(name, isa) name##_##isa##_run_0
/* Each function ends by one call, so that it saves no registers. */
#define REST(ARGS, FROM, name, of)                                                                                     \
  static __attribute__((noinline, unused)) void name##_rest(ARGS) {                                                    \
    enum { narrow = LANES(32, of) };                                                                                   \
    WHOLE(name, avx2)(FROM(0, count));                                                                                 \
    WHOLE(name, avx2)(FROM(count - narrow, narrow));                                                                   \
  }
#define NARROW(FORM, FROM, name, of, place)                                                                            \
  if (level >= FG_FFTW_AVX2) {                                                                                         \
    enum { narrow = LANES(32, of) };                                                                                   \
    FEW_##FORM(name);                                                                                                  \
    if (count % narrow == 0)                                                                                           \
      WHOLE(name, avx2)(FROM(0, count));                                                                               \
    else if ((place)&INSIDE || count < narrow)                                                                         \
      name##_avx2(FROM(0, count));                                                                                     \
    else                                                                                                               \
      name##_rest(FROM(0, count));                                                                                     \
    return;                                                                                                            \
  }
#if defined(FG_FFTW_AVX512) && WIDEST >= FG_FFTW_AVX512
#define WIDE(ARGS, FROM, name, of, place)                                                                              \
  static __attribute__((noinline)) void name##_wide(ARGS) {                                                            \
    enum { wide = LANES(64, of), narrow = LANES(32, of) };                                                             \
    ptrdiff_t left = count & (wide - 1), twice = -left & (narrow - 1);                                                 \
    WHOLE(name, avx512)(FROM(0, count));                                                                               \
    if ((place)&INSIDE)                                                                                                \
      name##_avx2(FROM(count - left, left));                                                                           \
    else                                                                                                               \
      WHOLE(name, avx2)(FROM(count - left - twice, left + twice));                                                     \
  }
/* Than one vector: two calls take as long as narrow ones do. */
#define IS_LITTLE_MORE(count, wide) ((count) > (wide) && (count) < 2 * (wide))
#define TAKE_WIDE(FROM, name, of, place)                                                                               \
  if (level >= FG_FFTW_AVX512 && count >= LANES(64, of) &&                                                             \
      !((place)&TURNED && IS_LITTLE_MORE(count, LANES(64, of))) && !((place)&SHORT && count == LANES(64, of))) {       \
    if (count % LANES(64, of) == 0)                                                                                    \
      WHOLE(name, avx512)(FROM(0, count));                                                                             \
    else                                                                                                               \
      name##_wide(FROM(0, count));                                                                                     \
    return;                                                                                                            \
  }
#else
#define WIDE(...)
#define TAKE_WIDE(...)
#endif
#ifdef FG_FFTW_SSE2
#define TAKE_SSE2(FROM, name)                                                                                          \
  if (level >= FG_FFTW_SSE2) {                                                                                         \
    name##_sse2(FROM(0, count));                                                                                       \
    return;                                                                                                            \
  }
#else
#define TAKE_SSE2(...)
#endif
/* The instruction set that a place takes; 0, the narrowest, until the library is loaded. */
static int level_of[4];

__attribute__((constructor)) static void find_levels(void) {
  int level = LEVEL();
  for (int place = 0; place < 4; place++) level_of[place] = level;
#if defined(FG_FFTW_AVX512) && WIDEST >= FG_FFTW_AVX512
  if (level >= FG_FFTW_AVX512 && __builtin_cpu_is("amd")) level_of[TURNED] = level_of[TURNED | INSIDE] = FG_FFTW_AVX2;
#endif
}
/* Columns whose rows begin anywhere in a cache line on both sides: narrow vectors, of which half as many lie in two
 * lines. */
static inline int narrowed(int level, ptrdiff_t in, ptrdiff_t out) {
  enum { LINE = 64, NUMBER = sizeof(fg_real) };
  return level > FG_FFTW_AVX2 && in * NUMBER % LINE && out * NUMBER % LINE ? FG_FFTW_AVX2 : level;
}
#define TAKE(FORM, FROM, name, of, place, far_in, far_out)                                                             \
  int level = narrowed(level_of[(place) & (INSIDE | TURNED)], far_in, far_out);                                        \
  TAKE_WIDE(FROM, name, of, place)                                                                                     \
  NARROW(FORM, FROM, name, of, place)                                                                                  \
  TAKE_SSE2(FROM, name)                                                                                                \
  name##_scalar(FROM(0, count));
#endif

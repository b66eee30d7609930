/* See ones.h. In: codelets of contiguous numbers that the build generates (cmake/fftw.cmake), whose text is part of
 * this file. Out: the same for any strides.
 *
 * The numbers of a transform are loaded into local arrays, which the compiler keeps in registers: their places are
 * constants, since loops over them are written out. */
#include "fftw/codelet/ones.h"
#include "fftw/base/clones.h"

#ifdef FG_FFTW_CODELETS_ONES   /* not where this file is read alone */
#include FG_FFTW_CODELETS_ONES /* NOLINT(bugprone-suspicious-include) */
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define FLAT __attribute__((flatten))
#else
#define FLAT
#endif
enum { MOST = 64 /* points */ };

#define EIGHT(DO, j, n)                                                                                                \
  DO(j, n) DO(j + 1, n) DO(j + 2, n) DO(j + 3, n) DO(j + 4, n) DO(j + 5, n) DO(j + 6, n) DO(j + 7, n)
#define UNROLLED(DO, n)                                                                                                \
  EIGHT(DO, 0, n)                                                                                                      \
  EIGHT(DO, 8, n) EIGHT(DO, 16, n) EIGHT(DO, 24, n) EIGHT(DO, 32, n) EIGHT(DO, 40, n) EIGHT(DO, 48, n) EIGHT(DO, 56, n)

#define GET(j, n)                                                                                                      \
  if (j < (n)) x[j] = re[(j)*w->is];
#define PUT(j, n)                                                                                                      \
  if (j < (n)) out_re[(j)*w->os] = y[j];
#define GET_IM(j, n)                                                                                                   \
  if (j < (n)) x_im[j] = im[(j)*w->im_is];
#define PUT_IM(j, n)                                                                                                   \
  if (j < (n)) out_im[(j)*w->im_os] = y_im[j];
/* Half of the numbers, without imaginary parts that are zero. */
#define IS_REAL(k, n) ((k) == 0 || 2 * (k) == (n))
#define GET_HALF(k, n)                                                                                                 \
  if (2 * (k) <= (n)) x[k] = re[(k)*w->is];                                                                            \
  if (2 * (k) <= (n) && !IS_REAL(k, n)) x_im[k] = im[(k)*w->im_is];
#define PUT_HALF(k, n)                                                                                                 \
  if (2 * (k) <= (n)) out_re[(k)*w->os] = y[k];                                                                        \
  if (2 * (k) <= (n) && !IS_REAL(k, n)) out_im[(k)*w->im_os] = y_im[k];
#define PUT_HARTLEY(k, n)                                                                                              \
  if (2 * (k) <= (n)) out_re[(k)*w->os] = IS_REAL(k, n) ? y[k] : y[k] - y_im[k];                                       \
  if (2 * (k) <= (n) && !IS_REAL(k, n)) out_re[((n) - (k)) * w->os] = y[k] + y_im[k];
/* Signs of sines (trigonometric ones of types II to IV). */
#define GET_SIGNED(j, n)                                                                                               \
  if (j < (n)) x[j] = (j) % 2 ? re[(j)*w->is] * w->odd_in : re[(j)*w->is];
#define PUT_SIGNED(j, n)                                                                                               \
  if (j < (n)) out_re[(j)*w->os] = (j) % 2 ? y[j] * w->odd_out : y[j];

#define PUT_R2C(k, n)                                                                                                  \
  PUT_HALF(k, n)                                                                                                       \
  if (2 * (k) <= (n) && IS_REAL(k, n) && w->zeros) out_im[(k)*w->im_os] = 0;

/* Pointers to imaginary parts that are not there count from NULL, and are not read. */
#ifdef __SANITIZE_ADDRESS__
#define MAY_BE_NULL __attribute__((no_sanitize("pointer-overflow")))
#else
#define MAY_BE_NULL
#endif

/* Those that are not for any CPU: AVX2 and fused products. */
#if defined(__x86_64__)
#define WHERE_0 __attribute__((target("avx2,fma")))
static bool has_fused_products(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
#define WHERE_0
static bool has_fused_products(void) { return true; }
#endif
#define WHERE_1 CLONES
#define ONE(where, name, gets, run, puts)                                                                              \
  MAY_BE_NULL where FLAT static void name(const fg_real *re, const fg_real *im, fg_real *out_re, fg_real *out_im,      \
                                          const fg_walk *w) {                                                          \
    (void)im, (void)out_im;                                                                                            \
    for (int64_t i = 0; i < w->count; i++) {                                                                           \
      fg_real x[MOST], x_im[MOST], y[MOST], y_im[MOST];                                                                \
      (void)x_im, (void)y_im;                                                                                          \
      gets run;                                                                                                        \
      puts re += w->id, out_re += w->od;                                                                               \
      im += w->id, out_im += w->od;                                                                                    \
    }                                                                                                                  \
  }

#define IF_0(...)
#define IF_1(...) __VA_ARGS__
#define COMPLEX(n, where)                                                                                              \
  ONE(where, one_complex_##n, UNROLLED(GET, n) UNROLLED(GET_IM, n), complex_##n(x, x_im, y, y_im),                     \
      UNROLLED(PUT, n) UNROLLED(PUT_IM, n))
#define REAL(n, where)                                                                                                 \
  ONE(where, one_r2c_##n, UNROLLED(GET, n), r2c_##n(x, y, y_im), UNROLLED(PUT_R2C, n))                                 \
  ONE(where, one_c2r_##n, UNROLLED(GET_HALF, n), c2r_##n(x, x_im, y), UNROLLED(PUT, n))                                \
  ONE(where, one_hartley_##n, UNROLLED(GET, n), r2c_##n(x, y, y_im), UNROLLED(PUT_HARTLEY, n))
#define TRIGONOMETRIC(kind, n, where)                                                                                  \
  ONE(where, one_##kind##_##n, UNROLLED(GET_SIGNED, n), kind##_##n(x, y), UNROLLED(PUT_SIGNED, n))
#define FIRST(kind, n, where) ONE(where, one_##kind##_##n, UNROLLED(GET, n), kind##_##n(x, y), UNROLLED(PUT, n))

#define ONES(n, anywhere, has_complex, has_real, has_dct1, has_dct2, has_dct3, has_dct4, has_dst1)                     \
  IF_##has_complex(COMPLEX(n, WHERE_##anywhere)) IF_##has_real(REAL(n, WHERE_##anywhere))                              \
      IF_##has_dct1(FIRST(dct1, n, WHERE_##anywhere)) IF_##has_dct2(TRIGONOMETRIC(dct2, n, WHERE_##anywhere))          \
          IF_##has_dct3(TRIGONOMETRIC(dct3, n, WHERE_##anywhere))                                                      \
              IF_##has_dct4(TRIGONOMETRIC(dct4, n, WHERE_##anywhere)) IF_##has_dst1(FIRST(dst1, n, WHERE_##anywhere))
#include "fftw/codelet/ones.def"
#undef ONES

typedef struct row {
  int n;
  bool anywhere;
  fg_one of[FG_ONE_KINDS];
} row;

#define IS(kind, name) [FG_ONE_##kind] = one_##name,
#define ONES(size, anywhere, has_complex, has_real, has_dct1, has_dct2, has_dct3, has_dct4, has_dst1)                  \
  {size,                                                                                                               \
   anywhere,                                                                                                           \
   {IF_##has_complex(IS(COMPLEX, complex_##size)) IF_##has_real(IS(R2C, r2c_##size) IS(C2R, c2r_##size)                \
                                                                    IS(HARTLEY, hartley_##size))                       \
        IF_##has_dct1(IS(DCT1, dct1_##size)) IF_##has_dct2(IS(DCT2, dct2_##size)) IF_##has_dct3(IS(DCT3, dct3_##size)) \
            IF_##has_dct4(IS(DCT4, dct4_##size)) IF_##has_dst1(IS(DST1, dst1_##size))}},
static const row table[] = {
#include "fftw/codelet/ones.def"
};

fg_one fg_ones_find(fg_one_kind kind, int64_t n) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].n == n) return table[i].anywhere || has_fused_products() ? table[i].of[kind] : NULL;
  return NULL;
}

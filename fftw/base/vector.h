/* Vectors as GCC and Clang have them. The proof of plans (tests/fftw/field) brings its own. */
#ifndef FG_FFTW_BASE_VECTOR_H
#define FG_FFTW_BASE_VECTOR_H
#include "fftw/base/real.h"

#ifndef FG_VECTOR
#if FG_FFTW_SINGLE
typedef uint32_t fg_real_bits;
#else
typedef uint64_t fg_real_bits;
#endif
#define FG_VECTOR_OF(type, name, bytes)                                                                                \
  typedef type name __attribute__((vector_size(bytes), aligned(sizeof(type)), may_alias))
#define FG_VECTOR(name, bytes) FG_VECTOR_OF(fg_real, name, bytes)
#define FG_VECTOR_BITS(name, bytes) FG_VECTOR_OF(fg_real_bits, name, bytes)
#define FG_SHUFFLE __builtin_shufflevector
/* a * b, where b is 1 and -1: by signs alone, since products have fewer ports. */
#define FG_SIGNED(vector, bits, a, b)                                                                                  \
  ((vector)((bits)(a) ^ ((bits)(b) & (fg_real_bits)1 << (8 * sizeof(fg_real_bits) - 1))))
#endif

/* Whether vectors of 64 bytes are worth their while: AVX-512's exchange elements of two vectors at once. */
#ifdef FG_HAS_WIDE /* the proof of plans takes turns */
#define FG_WIDE
#elif defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FG_HAS_WIDE (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
#define FG_WIDE __attribute__((target("avx512f,avx512vl,avx512dq,fma")))
#else
#define FG_HAS_WIDE false
#define FG_WIDE
#endif
#endif

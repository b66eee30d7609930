/* CLONES before a function: it is compiled for AVX2, too, and the loader chooses. */
#ifndef FG_FFTW_BASE_CLONES_H
#define FG_FFTW_BASE_CLONES_H

#ifdef CLONES /* the proof of plans says what it is */
#elif defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define CLONES
#endif
/* Of what a clone calls: else it may be a function of its own, for the narrowest CPU. */
#define INLINED static inline __attribute__((always_inline))
/* Before a loop of few iterations, whose arrays are to stay in registers: -O2 of GCC's keeps the loop. */
#if defined(__GNUC__) && !defined(__clang__)
#define WRITTEN_OUT _Pragma("GCC unroll 8")
#else
#define WRITTEN_OUT
#endif
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors that functions pass to each other */
#endif

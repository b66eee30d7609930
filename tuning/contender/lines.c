/* The cost of L2 lines by the order of their accesses: clocks a line, on x86 with AVX-512.
 *
 * An array is a matrix of rows, of which each iteration takes the next few lines, as passes of a transform do. Out:
 * a line of CSV for each kind of iteration, number of rows, lines of each and distance beyond a power of two. Arrays
 * are in a huge page if there are any; a clock is the time of one of a chain of additions. Least of several. Build:
 * cc -O2 -mavx512f -o lines tuning/contender/lines.c */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __AVX512F__
#include <immintrin.h>

enum { LINE = 64, REPEAT = 60, WORK = 1 << 20, APART = (4 << 20) + (1 << 16) + 2048 /* bytes */ };

typedef unsigned char byte;
typedef void pass(byte *a, byte *b, long bytes, long pad);

#define FENCE __asm__ volatile("" ::"r"(b) : "memory")
#define EACH(R, C)                                                                                                     \
  _Pragma("GCC unroll 32") for (long k = 0; k < R; k++) _Pragma("GCC unroll 4") for (long c = 0; c < C; c++)
#define ROW (i + c * LINE + k * (bytes / rows + pad))
#define RUN (i * rows + (k * lines + c) * LINE)
#define TURNS for (long i = 0; i < bytes / rows; i += LINE * lines)
#define LOAD(from) _mm512_load_si512(from)
#define STORE(to, v) _mm512_store_si512(to, v)

#define PASSES(R, C)                                                                                                   \
  static void read_##R##_##C(byte *a, byte *b, long bytes, long pad) {                                                 \
    enum { rows = R, lines = C };                                                                                      \
    __m512i sum = _mm512_setzero_si512();                                                                              \
    TURNS {                                                                                                            \
      EACH(R, C) sum = _mm512_xor_si512(sum, LOAD(a + ROW));                                                           \
      __asm__ volatile("" ::"v"(sum), "r"(b) : "memory");                                                              \
    }                                                                                                                  \
  }                                                                                                                    \
  static void write_##R##_##C(byte *a, byte *b, long bytes, long pad) {                                                \
    enum { rows = R, lines = C };                                                                                      \
    __m512i zero = _mm512_setzero_si512();                                                                             \
    (void)a;                                                                                                           \
    TURNS {                                                                                                            \
      EACH(R, C) STORE(b + ROW, zero);                                                                                 \
      FENCE;                                                                                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  static void gather_##R##_##C(byte *a, byte *b, long bytes, long pad) {                                               \
    enum { rows = R, lines = C };                                                                                      \
    TURNS {                                                                                                            \
      EACH(R, C) STORE(b + RUN, LOAD(a + ROW));                                                                        \
      FENCE;                                                                                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  static void scatter_##R##_##C(byte *a, byte *b, long bytes, long pad) {                                              \
    enum { rows = R, lines = C };                                                                                      \
    TURNS {                                                                                                            \
      EACH(R, C) STORE(b + ROW, LOAD(a + RUN));                                                                        \
      FENCE;                                                                                                           \
    }                                                                                                                  \
  }
#define IN_PLACE(R, C)                                                                                                 \
  static void place_##R##_##C(byte *a, byte *b, long bytes, long pad) {                                                \
    enum { rows = R, lines = C };                                                                                      \
    __m512i v[R][C];                                                                                                   \
    (void)a;                                                                                                           \
    TURNS {                                                                                                            \
      EACH(R, C) v[k][c] = LOAD(b + ROW);                                                                              \
      FENCE;                                                                                                           \
      EACH(R, C) STORE(b + ROW, v[k][c]);                                                                              \
    }                                                                                                                  \
  }
PASSES(4, 1)
PASSES(4, 4)
PASSES(8, 1)
PASSES(8, 2)
PASSES(16, 1)
PASSES(16, 2)
PASSES(16, 4)
IN_PLACE(4, 2)
IN_PLACE(8, 2)
IN_PLACE(16, 1)
IN_PLACE(16, 2)

static const struct {
  const char *kind;
  int rows, lines;
  pass *run;
} all[] = {
#define FOUR(R, C)                                                                                                     \
  {"read", R, C, read_##R##_##C}, {"write", R, C, write_##R##_##C}, {"gather", R, C, gather_##R##_##C}, {              \
    "scatter", R, C, scatter_##R##_##C                                                                                 \
  }
    FOUR(4, 1),
    FOUR(4, 4),
    FOUR(8, 1),
    FOUR(8, 2),
    FOUR(16, 1),
    FOUR(16, 2),
    FOUR(16, 4),
    {"in place", 4, 2, place_4_2},
    {"in place", 8, 2, place_8_2},
    {"in place", 16, 1, place_16_1},
    {"in place", 16, 2, place_16_2}};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double clock_of(void) {
  double least = 1e18;
  for (int r = 0; r < REPEAT; r++) {
    uint64_t x = 1;
    double from = now();
    for (int i = 0; i < 10000; i++) __asm__ volatile("add $1, %0\nadd $1, %0\nadd $1, %0\nadd $1, %0" : "+r"(x));
    double each = (now() - from) / 40000;
    if (each < least) least = each;
  }
  return least;
}

static double least_of(pass *run, byte *a, byte *b, long bytes, long pad) {
  double least = 1e18;
  for (int r = 0; r < REPEAT; r++) {
    long times = WORK / bytes + 1;
    run(a, b, bytes, pad);
    double from = now();
    for (long i = 0; i < times; i++) run(a, b, bytes, pad);
    double each = (now() - from) / (double)(times * bytes / LINE);
    if (each < least) least = each;
  }
  return least;
}

int main(void) {
  byte *a = aligned_alloc(2 << 20, 8 << 20);
  if (!a) return 1;
  for (long i = 0; i < 8 << 20; i++) a[i] = 1;
  double each = clock_of();
  puts("kind,rows,lines,pad_bytes,array_bytes,clocks_a_line");
  for (long bytes = 64 << 10; bytes <= 256 << 10; bytes *= 4)
    for (long pad = 0; pad <= LINE; pad += LINE)
      for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        printf("%s,%d,%d,%ld,%ld,%.2f\n", all[i].kind, all[i].rows, all[i].lines, pad, bytes,
               least_of(all[i].run, a, a + APART, bytes, pad) / each);
  free(a);
  return 0;
}
#else
int main(void) {
  fprintf(stderr, "lines: wants x86 with AVX-512, and -mavx512f\n");
  return 2;
}
#endif

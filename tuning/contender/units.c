/* The cost of loads and stores among arithmetic in vectors of 512 bits: clocks of four operations, with wide loads
 * and stores among them, on x86 with AVX-512.
 *
 * Out: a line of CSV for each kind of operations and each kind of access. Operations depend only on themselves, 24
 * registers apart, so that two ports can always take one each; a clock is half the time of an addition among others
 * (`vaddpd`, two a clock). Least of several. Build: cc -O1 -mavx512f -o units tuning/contender/units.c */
#include <stdio.h>
#include <time.h>

#ifdef __AVX512F__
enum { TIMES = 20000, REPEAT = 40, GROUPS = 6 };

static double memory[1 << 11] __attribute__((aligned(4096)));

#define ADD(r) "vaddpd %%zmm30, %%zmm31, %%zmm" #r "\n"
#define MUL(r) "vmulpd %%zmm30, %%zmm31, %%zmm" #r "\n"
#define FMA(r) "vfmadd231pd %%zmm30, %%zmm31, %%zmm" #r "\n"
#define LOAD(r, at) "vmovapd 64*(" #at ")(%0), %%zmm" #r "\n"
#define STORE(r, at) "vmovapd %%zmm" #r ", 8192+64*(" #at ")(%0)\n"
#define NONE(r, at)
#define STORE_2(r, at) STORE(r, at) STORE(31, at + 12)
#define LOAD_2(r, at) LOAD(r, at) LOAD(29, at + 12)
#define BOTH(r, at) LOAD(r, at) STORE(31, at)
#define BOTH_2(r, at) BOTH(r, at) BOTH(29, at + 12)

/* Four operations of kinds p and q, and a neighbour. */
#define GROUP(p, q, near, a, b, c, d) p(a) q(b) p(c) q(d) near(28, a)
#define BODY(p, q, near)                                                                                               \
  GROUP(p, q, near, 0, 1, 2, 3)                                                                                        \
  GROUP(p, q, near, 4, 5, 6, 7)                                                                                        \
  GROUP(p, q, near, 8, 9, 10, 11)                                                                                      \
  GROUP(p, q, near, 12, 13, 14, 15)                                                                                    \
  GROUP(p, q, near, 16, 17, 18, 19)                                                                                    \
  GROUP(p, q, near, 20, 21, 22, 23)
#define REGISTERS                                                                                                      \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",  \
      "xmm14", "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",      \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31"

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ones out of memory: what `vpxorq` clears is read by no port, and denormal numbers are slow. */
#define ONE(r) "vmovapd (%0), %%zmm" #r "\n"
#define ONES ONE(24) ONE(25) ONE(26) ONE(27) ONE(28) ONE(29) ONE(30) ONE(31)
#define KERNEL(name, p, q, near)                                                                                       \
  static void name(void) {                                                                                             \
    __asm__ volatile(ONES ::"r"(memory) : REGISTERS);                                                                  \
    for (int i = 0; i < TIMES; i++) __asm__ volatile(BODY(p, q, near)::"r"(memory) : "memory", REGISTERS);             \
  }
#define KERNELS(kind, p, q)                                                                                            \
  KERNEL(kind##_none, p, q, NONE)                                                                                      \
  KERNEL(kind##_store, p, q, STORE)                                                                                    \
  KERNEL(kind##_store_2, p, q, STORE_2)                                                                                \
  KERNEL(kind##_load, p, q, LOAD)                                                                                      \
  KERNEL(kind##_load_2, p, q, LOAD_2)                                                                                  \
  KERNEL(kind##_both, p, q, BOTH)                                                                                      \
  KERNEL(kind##_both_2, p, q, BOTH_2)

KERNELS(add, ADD, ADD)
KERNELS(mul, MUL, MUL)
KERNELS(fma, FMA, FMA)
KERNELS(mixed, FMA, ADD)

#define ROW(kind)                                                                                                      \
  {                                                                                                                    \
#kind, { kind##_none, kind##_store, kind##_store_2, kind##_load, kind##_load_2, kind##_both, kind##_both_2 }       \
  }
static const struct {
  const char *kind;
  void (*kernel[7])(void);
} row[] = {ROW(add), ROW(mul), ROW(fma), ROW(mixed)};

static double least(void (*kernel)(void)) {
  double best = 1;
  for (int i = 0; i < REPEAT; i++) {
    double begin = seconds();
    kernel();
    double t = seconds() - begin;
    if (t < best) best = t;
  }
  return best;
}

int main(void) {
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) memory[i] = 1;
  double clock = least(add_none) / (2 * GROUPS * TIMES);
  printf("four of,alone,a store,2 stores,a load,2 loads,one of each,2 of each\n");
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    printf("%s", row[i].kind);
    for (int k = 0; k < 7; k++) printf(",%.2f", least(row[i].kernel[k]) / (GROUPS * TIMES) / clock);
    printf("\n");
  }
  return 0;
}
#else
int main(void) {
  fprintf(stderr, "units: wants x86 with AVX-512, and -mavx512f\n");
  return 2;
}
#endif

/* The GPU of Apple's M1, family Apple7. A multiprocessor is a core, of four SIMD units. */
#include "targets/machine/rows.h"

#define FEATURES "Apple, Metal Feature Set Tables: Apple7"
#define APPLEGPU                                                                                                       \
  "D. Johnson, Apple G13 GPU Architecture Reference: 256 registers of 16 bits a thread; 1024 threads of a core with "  \
  "104, 384 with 256"
#define BENCHMARKS "P. Turner, metal-benchmarks: layout of an Apple7 core"
#define M1_SHEET "Apple, specifications of the MacBook Air (M1, 2020): 8 cores"
#define SHUFFLES                                                                                                       \
  "assumed: D. Johnson, Apple G13 GPU Architecture Reference, has shuffles of a SIMD-group as single instructions; "   \
  "threadgroup memory takes a store, a barrier and a load"
#define ROUNDS                                                                                                         \
  "assumed: real parts, then imaginary ones, or halves of them: numbers of 16384 points by 32 KiB; a barrier is "      \
  "sooner than a second pass over memory"
#define ASSUMED "assumed: nothing is documented"

const fg_machine fg_machine_apple7 = {.name = "apple7",
                                      .also = "m1-gpu",
                                      .title = "GPU of Apple's M1",
                                      .target = "opencl",
                                      FG_IS(clock_mhz, 1278, BENCHMARKS),
                                      FG_IS(memory_gbs, 68, "128 bits of LPDDR4X-4266"),
                                      FG_IS(line_bytes, 128, BENCHMARKS),
                                      FG_IS(l1_bytes, 8 << 10, BENCHMARKS),
                                      FG_IS(l2_bytes, 768 << 10, BENCHMARKS),
                                      FG_IS(l3_bytes, 8 << 20, BENCHMARKS),
                                      FG_IS(f16, 1, FEATURES),
                                      FG_IS(multiprocessors, 8, M1_SHEET),
                                      FG_IS(wave, 32, FEATURES),
                                      FG_IS(simds, 4, BENCHMARKS),
                                      FG_IS(registers, 52 << 10, APPLEGPU),
                                      FG_IS(thread_registers, 128, APPLEGPU),
                                      FG_IS(register_step, 4, APPLEGPU),
                                      FG_IS(shared_bytes, 60 << 10, BENCHMARKS),
                                      FG_IS(shared_block_bytes, 32 << 10, FEATURES),
                                      FG_IS(block_threads, 1024, FEATURES),
                                      FG_IS(threads, 1024, APPLEGPU),
                                      FG_IS(blocks, 32, ASSUMED),
                                      FG_IS(segment_bytes, 128, BENCHMARKS),
                                      FG_IS(sector_bytes, 32, ASSUMED),
                                      FG_IS(shuffles, 1, SHUFFLES),
                                      FG_IS(rounds, 4, ROUNDS)};

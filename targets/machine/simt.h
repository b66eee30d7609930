/* How threads are grouped on GPUs, as the proof counts it and plans are laid out: alike on all that plans were measured
 * on. A GPU whose wavefronts have 64 threads takes them as two. */
#ifndef FG_MACHINE_SIMT_H
#define FG_MACHINE_SIMT_H

enum {
  FG_WARP = 32, /* threads in lockstep: CUDA C++ Programming Guide 12.8, SIMT Architecture */
  FG_BANK_BYTES =
      4, /* of a bank of shared memory: the same, Shared Memory (32 banks); AMD, CDNA 3 ISA, LDS: 32 banks */
  FG_BANK_ROW = 128,   /* bytes of all banks side by side */
  FG_DROP_BYTES = 128, /* of a line of L2 that is discarded as a whole: PTX ISA 8.7, discard.L2 */
};

/* KiB of shared memory that a multiprocessor may set aside, in rising order, ended by 0: CUDA C++ Programming
 * Guide 12.8, compute capability 9.0, Shared Memory (0, 8, 16 and 32 as well, which no kernel of several blocks asks
 * for). */
extern const int fg_machine_shared_steps[];
#endif

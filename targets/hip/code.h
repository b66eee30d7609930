/* What is in a code object of AMD's: its kernels and what each takes, read from
 * the note that compilers leave in it. */
#ifndef FG_HIP_CODE_H
#define FG_HIP_CODE_H
#include "targets/device.h"

typedef struct fg_hip_usage { /* what a compiled kernel takes */
  char kernel[128];
  int vector_registers;             /* of a thread; accumulation registers included */
  int accumulation_registers;       /* of those */
  int scalar_registers;             /* of a wave */
  int vector_spills, scalar_spills; /* registers */
  int private_bytes;                /* stack of a thread */
  int local_bytes;                  /* LDS of a block, without what the launch adds */
  int wave;                         /* 32 or 64 */
  int most_threads;                 /* that it may be launched with */
} fg_hip_usage;

enum { FG_HIP_MOST_KERNELS = 64 };

typedef struct fg_hip_code { /* free with fg_hip_code_free */
  void *bytes;
  size_t size;
  int nusage; /* one for each kernel */
  fg_hip_usage usage[FG_HIP_MOST_KERNELS];
} fg_hip_code;

/* Fills the usage from the bytes. Nonzero and the reason: no ELF file, no note, damaged. */
int fg_hip_code_read(fg_hip_code *code, char why[FG_WHY_SIZE]);
const fg_hip_usage *fg_hip_code_usage(const fg_hip_code *code, const char *kernel); /* NULL: not there */
void fg_hip_code_free(fg_hip_code *code);
#endif

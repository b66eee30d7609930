/* The device's features that assembling and mapping need. */
#ifndef FG_ASSEMBLE_H
#define FG_ASSEMBLE_H
#include "generator/ir/program.h"
#include "targets/device.h"

typedef struct fg_mapping { /* what the target offers */
  bool threads;             /* blocks and threads with local memory; else loops and lanes */
  bool blocks;              /* loops and lanes: kernels are launched, blocks of one thread side by side */
  int lanes;                /* SIMD lanes for the problem's precision; 1: scalar */
  bool one_source;          /* permutations across 16-byte parts of vectors take numbers of one only */
  int registers;
  const fg_machine *machine; /* that it is planned for; NULL: any */
  int max_threads;
  size_t local_bytes;
  int cluster;   /* most blocks of a cluster; 1: there are none */
  bool queue;    /* blocks may stay and wait for each other */
  bool shuffles; /* lanes of a warp give each other numbers */
  bool matrix;   /* and multiply matrices */
  bool fma;
} fg_mapping;
#endif

/* Exchanges between lanes and registers, as networks of two-operand shuffles. */
#ifndef FG_LOWER_SHUFFLE_NETWORK_H
#define FG_LOWER_SHUFFLE_NETWORK_H
#include "generator/lower/writer.h"

typedef struct fg_net_step {
  int reg_bit;             /* pairs of registers differ in this bit */
  int source[FG_NET_BITS]; /* per lane bit: old lane bit, or -1: which of the pair */
  int leaving;             /* old lane bit that becomes the register bit */
} fg_net_step;

typedef enum fg_mirror { FG_MIRROR_NONE, FG_MIRROR_IN, FG_MIRROR_OUT } fg_mirror;

typedef struct fg_net { /* moves index bits between lane and register numbers */
  int lane_bits, reg_bits, nstep;
  int cost; /* of a pair of registers, over all steps */
  fg_net_step step[FG_NET_STEPS];
  int label[FG_NET_BITS]; /* per register bit, at the end */
  fg_mirror mirror;       /* the input, or the output, has its last lane first; there are steps then */
} fg_net;

typedef struct fg_net_size {
  int real_bytes, lane_bits, reg_bits;
  bool one_source; /* permutations across 16-byte parts take numbers of one vector only */
  bool reads;      /* those of two keep stores waiting */
} fg_net_size;

/* start: labels of lane bits, then of register bits; target: of lane bits. */
void fg_net_plan(fg_net *net, const fg_net_size *size, const int *start, const int *target);

/* name[reg] in and out. wanted[reg]: what the result shall be called; "": any
 * name; NULL: not wanted, gets no text. */
void fg_net_write(fg_writer *w, const fg_net *net, const char **name, const char *const *wanted);
#endif

/* The shipped cost model: the expected time of a program, to choose among candidates. */
#ifndef FG_COST_H
#define FG_COST_H
#include "generator/ir/count.h"
#include "targets/machine/gpu_costs.h"

/* From a program and its counts. */
int64_t fg_cost_estimate(const fg_program *p, const fg_program_cost *counts);
int64_t fg_cost_arithmetic(const fg_codelet *c); /* of a codelet, a vector of one part of its numbers */
int64_t fg_cost_threads(const fg_program *p);    /* its half for blocks and threads */
int64_t fg_cost_threads_by(const fg_program *p, const fg_gpu_costs *costs); /* by these figures */

typedef struct fg_kernel_times { /* of blocks and threads, in nanoseconds; all: together, with the launch */
  int64_t memory, local, remote, work, wait, all;
  int64_t wanted, allowed; /* registers of a thread */
  int64_t blocks;          /* at once on a multiprocessor */
} fg_kernel_times;
fg_kernel_times fg_cost_kernel_times(const fg_program *p, int kernel);
/* Blocks of k at once on a multiprocessor, where memory has room for few; 0: for more. */
int fg_cost_few_blocks(const fg_program *p, const fg_kernel *k);
/* Registers of a thread that no stage of k wants; below zero: those that it lacks. */
int fg_cost_spare_registers(const fg_program *p, const fg_kernel *k);
#endif

/* Counts: operations, bytes and memory of a program, as its kernels say. */
#ifndef FG_IR_COUNT_H
#define FG_IR_COUNT_H
#include "generator/ir/program.h"

typedef struct fg_program_cost { /* counted from the kernels, for one call with parameters at their lower ends */
  int64_t add, mul, fma;         /* real operations (all lanes) */
  int64_t flops;                 /* add + mul + 2 fma */
  int64_t bytes;                 /* moved between registers and buffers that are not LOCAL, tables included */
  int64_t table_moves;           /* those of tables alone */
  int64_t local_bytes;           /* moved to and from LOCAL buffers */
  int64_t scratch_bytes;         /* WORK + LOCAL memory of a CPU call */
  int64_t local_size;            /* LOCAL memory of one block */
  int64_t table_bytes;
  int64_t passes; /* stages */
  int64_t cost;   /* the shipped model's estimate: smaller is better (cost.c) */
} fg_program_cost;

void fg_program_count(const fg_program *p, fg_program_cost *out);
/* How often a stage's codelet runs in one call, lanes counted one by one. */
int64_t fg_stage_instances(const fg_kernel *k, const fg_stage *s, const int64_t *params);
/* Of one call: nodes of codelets, and elements that are loaded and stored. */
int64_t fg_kernel_operations(const fg_kernel *k, const int64_t *params);
#endif

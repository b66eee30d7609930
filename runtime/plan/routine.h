/* The part of a package that a plan for a device keeps: launches, and the locations of its arrays. */
#ifndef FG_ROUTINE_H
#define FG_ROUTINE_H
#include "runtime/store/package.h"

enum { FG_ROUTINE_SLOTS = 128, FG_ROUTINE_ARGS = 32, FG_ROUTINE_PARAMS = 64 };

typedef struct fg_routine_slot { /* an argument of kernels that is memory */
  fg_arg_kind kind;
  int part;     /* IN, OUT: 0, or 1 for the array of the imaginary parts */
  size_t bytes; /* with run-time parameters at their upper ends */
  size_t at;    /* TABLE, WORK: where it begins in the block of all tables, in the workspace; GIVEN: which of them */
} fg_routine_slot;

typedef struct fg_routine {
  int nplace, nparam, nlaunch, nwork, ngiven;
  const fg_launch *launch;
  fg_routine_slot place[FG_ROUTINE_SLOTS];
  size_t tables, workspace, in_bytes, out_bytes; /* arrays: both parts together */
  bool split_in, split_out;
  int64_t flops, bytes;
  const char *plan;
} fg_routine;

/* Copies what it keeps into the arena; `align` of tables and workspaces. */
void fg_routine_create(fg_arena *a, const fg_package *p, size_t align, fg_routine *out);
int64_t fg_routine_blocks(const fg_launch *l, const long long *params);
#endif

/* A plan for CPUs from the inside: exec.c makes it, execute.c runs it. */
#ifndef FG_EXEC_PLAN_H
#define FG_EXEC_PLAN_H
#include "runtime/load/host.h"
#include "runtime/plan/public.h"
#include <stdatomic.h>

enum {
  FG_EXEC_ALIGN = FG_PUBLIC_ALIGN,
  FG_EXEC_PLACES = 128,
  FG_EXEC_FEW = 8, /* one vector's worth of pointers */
  FG_EXEC_PARAMS = 64,
  FG_EXEC_STACK = 32 << 10,
  FG_EXEC_GIVEN = 2 * FG_MAX_POINTWISE + 1 /* arrays of the caller's, at most */
};

typedef struct fg_exec_slot { /* scratch of one execution */
  atomic_bool busy;
  void *memory;
} fg_exec_slot;

typedef struct fg_exec_cut {   /* of a batch into parts: the outermost batch dimension */
  int parts;                   /* 1: not cut */
  int64_t count;               /* of that dimension */
  fg_num is, os;               /* its strides, in elements */
  int in_bytes, out_bytes;     /* of an element in one place */
  fg_num given[FG_EXEC_GIVEN]; /* bytes from one transform's numbers to the next's in the caller's arrays */
  int param;                   /* of the kernel: how many of them */
} fg_exec_cut;

struct fftgen_plan {
  void (*direct)(const void *in, void *out); /* first: see fftgen_front. All of a call with two arrays, or NULL */
  void (*inside)(const void *in, void *out); /* likewise, in place */
  void (*entry)(void *const *places, const long long *params); /* of plain calls; NULL: none are */
  int in, out;                                                 /* places: of the first of input and output */
  bool in_place;
  bool works;               /* some places are workspace */
  void *fixed[FG_EXEC_FEW]; /* of plain calls: tables; NULL elsewhere */
  size_t scratch;
  fftgen_allocator allocator;
  fg_arena *arena; /* texts */
  fg_host_loader host;
  fg_loaded loaded;
  fg_problem problem; /* as it was asked for, with counts of 0 */
  void *kept;         /* by fftgen_plan_get */
  int scale_at;       /* number of the array that is the call's factor, from 1; 0: there is none */
  const char *text;
  int nplace;
  bool split_in, split_out;
  void *table[FG_EXEC_PLACES];          /* by place; NULL: no table */
  size_t work_at[FG_EXEC_PLACES];       /* by place: offset in the scratch + 1; 0: no workspace */
  int given_at[FG_EXEC_PLACES], ngiven; /* likewise: number of the caller's array, from 1 */
  size_t tables, in_bytes, out_bytes;
  int nslot;
  fg_exec_slot *slot;
  fg_exec_cut cut;
  int parts; /* of each of the kernel's steps; 1: not cut */
  fftgen_parallel_for parallel_for;
  void *parallel_context;
  struct fg_halves
      *halves; /* a complex kernel, and loops, in place of what is above (halves.h); NULL: it is not such a plan */
  bool full;   /* what conjugates are is filled in behind the transform (full.h) */
  struct fg_staged *staged; /* a kernel with copies around it, in place of what is above; NULL: it is not such a plan */
};

fftgen_plan *fg_exec_begin(const fftgen_options *o); /* zeros, with an allocator; NULL: there is no memory */
int fg_exec_threads(const fftgen_options *o);
fg_status fg_exec_make_slots(fftgen_plan *p, int count); /* of p->scratch; 0: one a processor */
fg_exec_slot *fg_exec_claim(const fftgen_plan *p);       /* waits for one; who has it stores false in `busy` */
#endif

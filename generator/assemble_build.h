/* Inside assemble: what the steps of a plan use to lay down stages.
 *
 * Stages are first LOGICAL: every index is a loop. map.c then gives the roles. */
#ifndef FG_ASSEMBLE_BUILD_H
#define FG_ASSEMBLE_BUILD_H
#include "generator/assemble.h"

enum { FG_MAX_AXES = 14, FG_MAX_LOGICAL = 8 };

/* An index around the transform in hand. */
typedef enum fg_axis_kind {
  FG_AXIS_BATCH, /* of the problem: the kernel's outer digit where it has several stages */
  FG_AXIS_TILE,  /* number of a tile: always the kernel's outer digit */
  FG_AXIS_INNER, /* number of a sub-transform inside: a loop of every stage */
  FG_AXIS_LANES, /* likewise, and neighbours lie side by side in scratch */
} fg_axis_kind;

typedef struct fg_axis {
  char name[8];
  fg_num extent;
  fg_axis_kind kind;
} fg_axis;

/* n numbers somewhere: element e lies at offset + e * stride + sum axis * coef. */
typedef struct fg_view {
  int16_t buffer;
  fg_num offset, stride;
  fg_num coef[FG_MAX_AXES]; /* per axis in scope */
} fg_view;

typedef struct fg_builder {
  fg_context *cx;
  const fg_mapping *map;
  fg_program *program;
  bool packed; /* CPU: vectors hold both parts of their numbers, memory is interleaved throughout */
  int nkernel;
  fg_kernel *kernels[FG_MAX_LOGICAL];   /* in logical form */
  fg_kernel *kernel;                    /* the one in hand */
  int16_t first_buffer[FG_MAX_LOGICAL]; /* LOCAL buffers from here on are the kernel's own */
  int stage_capacity;
  int naxis; /* axes in scope */
  fg_axis axis[FG_MAX_AXES];
  int work_count; /* for names */
} fg_builder;

/* A transform to lay down. */
typedef struct fg_task {
  fg_kind kind; /* what is not c2c is for direct alone */
  int64_t n;
  int sign;
  fg_view in, out;
  const fg_view *multiply; /* NULL, or table: input element e is multiplied by its element e first */
} fg_task;

fg_status fg_build_plan(fg_builder *b, const fg_plan *plan, const fg_task *task);

/* ---- for the steps -------------------------------------------------------- */
/* A new LOCAL buffer of n elements for each value of the inner axes in scope. */
fg_view fg_build_scratch(fg_builder *b, int64_t n);
/* A new WORK buffer of n elements for each transform of the batch. */
fg_view fg_build_workspace(fg_builder *b, int64_t n);
/* A table, shared with an equal one that is there already. */
fg_view fg_build_table(fg_builder *b, const fg_table *wanted);
/* What follows belongs to a kernel of its own. */
void fg_build_kernel(fg_builder *b);
/* A new stage with one digit per axis in scope, then one per entry of `loop`. */
typedef struct fg_loop {
  const char *name;
  int64_t extent;
  int64_t load, store, twiddle; /* element coefs */
} fg_loop;
typedef struct fg_stage_form {
  const char *what;
  const fg_codelet *codelet;
  const fg_view *in, *out;
  int nloop;
  fg_loop loop[3];      /* outermost first; extent 1 is dropped */
  int slots;            /* elements of the codelet's input */
  int out_slots;        /* of its output; 0: as many */
  int64_t load, store;  /* element coefs of the slot number */
  const fg_view *table; /* NULL: no twiddles */
  int table_slots;
  int64_t table_coef; /* of the twiddle slot's number */
} fg_stage_form;
fg_stage *fg_build_stage(fg_builder *b, const fg_stage_form *form);
fg_status fg_build_codelet(fg_builder *b, int64_t n, int sign, fg_twiddle twiddle, const fg_codelet **out);
fg_status fg_build_real_codelet(fg_builder *b, fg_kind kind, int64_t n, int sign, const fg_codelet **out);

/* assemble_four_step.c, assemble_nd.c: steps of plans. */
fg_status fg_build_four_step(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_nd(fg_builder *b, const fg_plan *plan, const fg_task *task);

/* map.c: digits get roles; may split kernels into passes. */
fg_status fg_map_program(fg_builder *b);
#endif

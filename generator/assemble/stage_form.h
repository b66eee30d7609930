/* fg_stage_form: the description of a stage by its step, and stages made from it (stage.c). */
#ifndef FG_ASSEMBLE_STAGE_FORM_H
#define FG_ASSEMBLE_STAGE_FORM_H
#include "generator/assemble/builder.h"

enum { FG_FORM_LOOPS = 3 };

/* A new stage with one digit per axis in scope, then one per entry of `loop`. */
typedef struct fg_loop {
  const char *name;
  int64_t extent;
  int64_t load, store, twiddle; /* element coefs */
} fg_loop;

typedef struct fg_side { /* of the slots behind the first ones, in the same view */
  int slots;
  int64_t first, slot;         /* the element of slot 0 and counters 0; coef of the slot number */
  int64_t loop[FG_FORM_LOOPS]; /* coefs */
  int pair; /* 0: none, else 1 + the axis of the batch, which counts pairs: `first` leads to a transform's partner */
  int axis; /* 0: none, else 1 + the first of the axes that move them down instead of up */
} fg_side;

typedef struct fg_stage_form {
  const char *what;
  const fg_codelet *codelet;
  const fg_view *in, *out;
  fg_loop loop[FG_FORM_LOOPS]; /* outermost first; extents of 1 and 0 are dropped */
  int slots;                   /* elements of the codelet's input */
  int out_slots;               /* of its output; 0: as many */
  int64_t load, store;         /* element coefs of the slot number */
  const fg_view *table;        /* NULL: no twiddles */
  int table_slots;
  int64_t table_coef;  /* of the twiddle slot's number */
  const fg_view *more; /* NULL, or the source of further elements */
  int more_slots;
  int64_t more_coef;
  bool more_steps;          /* loops step them as they do the table's; else they pass by them */
  int64_t more_step;        /* elements by which the first loop steps them, where it steps the table by others */
  const fg_side *more_rest; /* NULL: none */
  const fg_view *also;      /* NULL, or the source of elements behind all of these, which axes alone move */
  int also_slots;
  int64_t also_coef;
  const fg_product *product;
  const fg_side *load_rest, *store_rest; /* NULL: none */
  bool few;                              /* a handful of numbers: no vectors wanted */
  bool alone;                            /* nothing repeats but what is around: no vectors, no complaint */
} fg_stage_form;

/* The kernel's digit that counts by how many places tiles begin earlier, which a queue defines (map/persistent.c). */
int16_t fg_build_shift_digit(fg_kernel *k);
/* The transposed stage: what was loaded is stored, and the other way round. */
void fg_build_transposed_stage(fg_stage_form *form);
/* Elements from .. to - 1 become 0. */
void fg_build_zeros(fg_builder *b, const fg_view *view, int64_t from, int64_t to);
/* A codelet of n points by the plan's form. */
fg_status fg_build_key(fg_builder *b, fg_codelet_key key, int64_t n, const fg_codelet **out);
fg_stage *fg_build_stage(fg_builder *b, const fg_stage_form *form);
fg_status fg_build_codelet(fg_builder *b, int64_t n, int sign, fg_twiddle twiddle, const fg_codelet **out);
fg_codelet_kind fg_build_codelet_kind(fg_kind kind); /* of a whole transform */
fg_status fg_build_real_codelet(fg_builder *b, fg_kind kind, int64_t n, int sign, const fg_codelet **out);
/* An access, of known strides, becomes two: of its first slots, and of those behind them, which is returned. */
fg_access *fg_build_split_slots(fg_builder *b, fg_access *a, int64_t first);
/* n elements move. */
void fg_build_copy(fg_builder *b, const char *what, const fg_view *in, const fg_view *out, int64_t n);
/* Each of n elements times its element of a table. */
fg_status fg_build_pointwise(fg_builder *b, const fg_view *in, const fg_view *out, const fg_view *table, int64_t n);
#endif

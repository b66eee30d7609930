/* Axes around the present transform, and views: the location of its numbers, by their own index and those axes. */
#ifndef FG_ASSEMBLE_VIEW_H
#define FG_ASSEMBLE_VIEW_H
#include "generator/ir/program.h"

enum { FG_MAX_AXES = 14 };

/* An index around the transform in hand. */
typedef enum fg_axis_kind {
  FG_AXIS_BATCH, /* of the problem: the kernel's outer digit where it has several stages */
  FG_AXIS_FRAME, /* number of a frame: the same */
  FG_AXIS_ADDED, /* of the problem: transforms whose results are added up behind: the same, whole in every proof */
  FG_AXIS_TURN,  /* the same, which the kernel takes one after the other: a loop around all its stages */
  FG_AXIS_TILE,  /* number of a tile: always the kernel's outer digit */
  FG_AXIS_RANK,  /* number of a block in its cluster: the kernel's innermost outer digit */
  FG_AXIS_INNER, /* number of a sub-transform inside: a loop of every stage */
  FG_AXIS_LANES, /* likewise, and neighbours are side by side in scratch */
} fg_axis_kind;

typedef struct fg_axis {
  char name[8];
  fg_num extent;
  fg_axis_kind kind;
  int dimension; /* of n, along which it counts; BATCH: none */
  int64_t step;  /* 0: 1; its values, so far apart up to */
  int64_t last;  /* this one */
} fg_axis;

/* n numbers somewhere: element e is at offset + e * stride + sum axis * coef;
 * with a modulus or an index table, where that says instead of e: of
 * e * step + sum axis * key. With runs, elements are contiguous `run` by
 * `run`: only steps of 1 within a run and of whole runs can be taken. With a fold there are
 * 2 fold elements, counted as with a modulus but from 0 on: of the upper half, element
 * 2 fold - f is stored `far` behind element f, and element fold behind element 0. */
typedef struct fg_view {
  int16_t buffer;
  int16_t lookup; /* 0: none; buffers 0 and 1 are arrays */
  int64_t mod;    /* 0: none */
  int64_t step;   /* 0: 1 */
  int64_t run;    /* 0: no runs */
  int64_t apart;  /* from one run to the next, in strides */
  int64_t fold;   /* 0: none */
  int64_t far;    /* in elements of the buffer */
  bool begins;    /* with a fold: element f is stored at f + b, modulo fold, where tiles begin b places earlier */
  int64_t key[FG_MAX_AXES];
  fg_num offset, stride;
  fg_num coef[FG_MAX_AXES]; /* per axis in scope */
  bool ends;                /* the problem's input or output: its load or store operations happen here */
  int64_t multiplied; /* 0, or a transform's results so far apart, which loads multiply by those of the spectrum */
} fg_view;

typedef struct fg_builder fg_builder; /* builder.h */

bool fg_build_is_outer(const fg_axis *axis); /* a digit of the kernel, where it has several stages */
/* The view from its element number `elements` on. */
fg_view fg_build_shifted(const fg_view *v, int64_t elements);
/* Its elements `step` strides apart; the two axes to come move it by so many. */
fg_view fg_build_stepping(const fg_builder *b, const fg_view *v, int64_t step, int64_t outer, int64_t inner);
/* Neighbouring pairs of reals as complex numbers. False: they are no neighbours. */
bool fg_build_complex_view(fg_builder *b, const fg_view *reals, fg_view *out);
/* The real (part 0) or imaginary parts of complex numbers; the latter of scratch only. */
fg_view fg_build_parts_view(fg_builder *b, const fg_view *v, int part);
#endif

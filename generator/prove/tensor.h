/* Inputs that are products of one number for each axis, and their transform in closed form. */
#ifndef FG_PROVE_TENSOR_H
#define FG_PROVE_TENSOR_H
#include "generator/ir/table.h"
#include "generator/math/field.h"
#include "generator/problem/problem.h"

enum { FG_TENSOR_AXES = 2 * FG_MAX_RANK + 1, FG_TENSOR_FEW = 72 /* chosen indices of an axis, at most */ };

/* Elements of a side along an axis: number i of the array, of so many, is number i + first of the transform. */
typedef struct fg_tensor_side {
  int64_t length, first, span;
} fg_tensor_side;

/* Inputs that are products of one number for each axis, most of which are zero along some of them. Axes
 * are the batch's dimensions, then the transform's; a transform of one dimension may be cut in two,
 * n = n1 split + n2, of which the second is an axis of its own; or its inputs are zero but for a list of them. */
typedef struct fg_tensor_form {
  int axes, batch_axes;
  int64_t split;                   /* 0: no dimension is cut */
  int64_t length[FG_TENSOR_AXES];  /* of inputs */
  int64_t results[FG_TENSOR_AXES]; /* of the dimension; of a cut one: of both its axes together, with the first */
  fg_tensor_side in[FG_TENSOR_AXES], out[FG_TENSOR_AXES]; /* which of the transform's elements arrays have */
  /* Between neighbours, in elements of that side, the outer ones over all that the inner ones span; of a cut
   * dimension's results: with the first. */
  int64_t in_apart[FG_TENSOR_AXES], out_apart[FG_TENSOR_AXES];
  int64_t listed; /* of the last axis so many in `list`, rising, are not zero; 0: there is no list */
  int64_t *list;
  const fg_table *chirps;  /* of a spectrum: NULL, or the table of Bluestein's algorithm that it stands for */
  int few[FG_TENSOR_AXES]; /* indices that are not zero; 0: all are not */
  int64_t index[FG_TENSOR_AXES][FG_TENSOR_FEW];
} fg_tensor_form;

typedef struct fg_tensor fg_tensor; /* the same over one field, with its transform */
/* NULL: the field has no root of unity that this needs. spectrum: a convolution's; its axes are the last ones of the
 * batch, and the dimensions. */
fg_tensor *fg_tensor_create(fg_context *cx, const fg_problem *q, const fg_tensor_form *form,
                            const fg_tensor_form *spectrum, const fg_field *f, uint64_t seed);
fg_gfc fg_tensor_spectrum(const fg_tensor *t, int64_t element); /* of a convolution */
static inline int64_t fg_tensor_number(const fg_tensor_side *x, int64_t i) { return i + x->first; }
/* -1: the array does not have it. */
static inline int64_t fg_tensor_place(const fg_tensor_side *x, int64_t number) {
  int64_t i = number - x->first;
  return i >= 0 && i < x->length ? i : -1;
}
/* Which of an axis's neighbours the input at that address is; its length or more where there is none. */
int64_t fg_tensor_index(const fg_tensor_form *form, int axis, int64_t element);
fg_gfc fg_tensor_input(const fg_tensor *t, int64_t element); /* zero where there is none */
/* False: there is no result at that address. In increasing order they take least time. */
bool fg_tensor_result(fg_tensor *t, int64_t element, fg_gfc *out);
/* Whether a program may leave out its imaginary part: that of result 0 of r2c is zero by the chirp's spectrum alone. */
bool fg_tensor_may_be_real(const fg_tensor *t, int64_t element);
#endif

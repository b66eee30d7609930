/* Products of matrices by a warp: their shapes, and how languages spell them. */
#ifndef FG_TARGETS_FORMS_MATRIX_H
#define FG_TARGETS_FORMS_MATRIX_H
#include <stddef.h>

#define MATRIX(NAME, ...) FG_MATRIX_##NAME,
typedef enum fg_matrix {
#include "targets/forms/matrix.def"
  FG_MATRIX_COUNT
} fg_matrix;
#undef MATRIX

typedef enum fg_matrix_number { FG_MATRIX_F16, FG_MATRIX_TF32, FG_MATRIX_F32, FG_MATRIX_F64 } fg_matrix_number;
typedef enum fg_matrix_operand { FG_MATRIX_A, FG_MATRIX_B, FG_MATRIX_C, FG_MATRIX_OPERANDS } fg_matrix_operand;

typedef struct fg_matrix_shape {
  const char *name;
  int m, n, k;
  fg_matrix_number factor, sum; /* numbers of A and B; of C and D */
  const char *digits[FG_MATRIX_OPERANDS];
} fg_matrix_shape;

enum { FG_MATRIX_LANE_DIGITS = 5, FG_MATRIX_LANES = 1 << FG_MATRIX_LANE_DIGITS, FG_MATRIX_DIGITS = 12 };

typedef struct fg_matrix_digit { /* of a lane's number, then of an element's: digit `place` of `axis` */
  char axis;                     /* 'm', 'n', 'k' */
  int place;
} fg_matrix_digit;

const fg_matrix_shape *fg_matrix_find(fg_matrix shape);
int fg_matrix_digits(const fg_matrix_shape *s, fg_matrix_operand of, fg_matrix_digit out[FG_MATRIX_DIGITS]); /* count */
/* How many a lane holds. */
int fg_matrix_elements(const fg_matrix_shape *s, fg_matrix_operand of);
/* The index along an axis of an element that a lane holds. */
int fg_matrix_index(const fg_matrix_shape *s, fg_matrix_operand of, char axis, int lane, int element);
int fg_matrix_bytes(const fg_matrix_shape *s); /* of a number that is computed with */

/* Languages that have such products. %N: how many elements a fragment has. */
typedef struct fg_matrix_form {
  const char *type;    /* of a fragment */
  const char *declare; /* text that declares it */
  const char *make;    /* a fragment of the list %i */
  const char *element; /* number %i of %v */
  const char *product; /* of %a, %b and %c, by the shape %v */
  /* The text of the function that `product` calls; as snprintf does. */
  int (*function)(const fg_matrix_shape *s, char *text, size_t size);
} fg_matrix_form;
#endif

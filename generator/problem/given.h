/* The caller's arrays: those of operations, of expressions, and a convolution's spectrum. */
#ifndef FG_PROBLEM_GIVEN_H
#define FG_PROBLEM_GIVEN_H
#include "generator/problem/expression.h"

typedef struct fg_given {
  int16_t number; /* one for each array: the same wherever a side's expressions name it */
  bool output, complex;
  const char *operation;   /* "mul", "expression"; NULL: the spectrum */
  int position;            /* of the operation on its side, from 0 */
  char name[FG_NAME_SIZE]; /* an expression's: its own; else "" */
  fg_operand_of of;
  int dimension;
  fg_spectra whose;
  const fg_part *part; /* NULL, or the elements that have numbers: those of the problem's array, on whose side it is */
  int64_t each;        /* elements of one transform, or of what has them */
} fg_given;

enum { FG_MOST_GIVEN = 16 };

/* The caller's array number `index`, in the order in which calls have them. False: there are fewer. Factors of
 * load=twiddle are not among these. */
bool fg_given_at(const fg_problem *p, int index, fg_given *out);
/* Operand `operand` of operation `position`, whose expression that is. */
void fg_given_of(const fg_problem *p, bool output, int position, const fg_expression *e, int operand, fg_given *out);
/* Numbers along a dimension. */
int64_t fg_given_length(const fg_problem *p, const fg_given *g, int dimension);
/* By number; false: a spectrum's, or none. */
bool fg_given_find(const fg_problem *p, int16_t number, fg_given *out);
/* Elements of all of them; params NULL: with every parameter at its upper end. */
int64_t fg_given_extent(const fg_problem *p, const fg_given *g, const int64_t *params);
/* Whether an expression computes with the number of the transform. */
bool fg_given_numbers_transforms(const fg_problem *p);
bool fg_given_numbers_results(const fg_problem *p); /* the same in store= */
/* Whether elements are complex before operation `position`. */
bool fg_given_is_complex(const fg_problem *p, bool output, int position);
#endif

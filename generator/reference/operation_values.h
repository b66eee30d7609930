/* Load and store operations in the number systems of the proof. */
#ifndef FG_POINT_VALUES_H
#define FG_POINT_VALUES_H
#include "generator/math/field.h"
#include "generator/math/quad.h"
#include "generator/problem/expression.h"

typedef union fg_any { /* a complex number of one system */
  fg_gfc gf;
  fg_quadc quad;
} fg_any;

typedef struct fg_which { /* a transform of a batch, which may have numbers of the caller's to itself */
  int64_t transform;
  const int64_t *params;
} fg_which;

typedef struct fg_system {
  const fg_field *field; /* NULL: 113 bits */
  fg_which which;        /* whose operands loads and stores take */
} fg_system;

/* x after the expression; taken: its operands. Functions of a field are fixed ones without meaning, the same for
 * everyone. */
fg_any fg_operation_values_apply(const fg_system *s, const fg_expression *e, fg_any x, const fg_any *taken);
fg_gf fg_operation_values_call(const fg_field *f, fg_called call, fg_gf a, fg_gf b);
fg_gf fg_operation_values_number(const fg_field *f, double x);

/* Symbols: random elements of a field; reals that every precision has exactly (a
 * caller's array) or that mean what they say (scales, windows). */
fg_any fg_operation_values_scale(const fg_system *s, const fg_problem *p);
/* Of a caller's array: random numbers, of reals so many and then the same again. */
enum { FG_GIVEN_PERIOD = 1048573 };
fg_any fg_operation_values_given(const fg_system *s, int given, int64_t number, bool complex);

/* Elements of conv's spectrum from number `first` on: fg_gfc or fg_quadc, which are multiplied by them, or by their
 * conjugates. */
void fg_operation_values_spectrum(const fg_system *s, const fg_problem *p, int64_t first, int64_t count, void *x);
/* load=twiddle, which another number belongs to in each transform of the batch: on elements of transform `batch`. */
void fg_operation_values_factors(const fg_system *s, const fg_problem *p, int64_t batch, const int64_t *params,
                                 void *x);
/* The operations of one side on single elements, numbered as the transform sees them (last dimension fastest); s and p
 * must stay. */
typedef struct fg_operation_elements fg_operation_elements;
const fg_operation_elements *fg_operation_values_elements(fg_context *cx, const fg_system *s, const fg_problem *p,
                                                          bool output);
fg_any fg_operation_values_one(const fg_operation_elements *e, int64_t number, fg_any x);
/* What the transform sees of an array's elements (last dimension fastest), and
 * what the array gets of its results: fg_gfc or fg_quadc. Factors are in the array already. */
void fg_operation_values_load(fg_context *cx, const fg_system *s, const fg_problem *p, const void *array, void *to);
void fg_operation_values_store(fg_context *cx, const fg_system *s, const fg_problem *p, const void *results,
                               void *array);
#endif

/* Elements of a side by their strides: whether they are distinct, and the number of the element at an address. */
#ifndef FG_PROVE_ELEMENT_NUMBERS_H
#define FG_PROVE_ELEMENT_NUMBERS_H
#include "generator/ir/program.h"

typedef struct fg_strides { /* strides of a side's elements, the largest first; those of one element alone are left out
                             */
  int count;
  int64_t stride[2 * FG_MAX_RANK], length[2 * FG_MAX_RANK];
  int64_t weight[2 * FG_MAX_RANK];   /* of a digit, in its element's number */
  int64_t span[2 * FG_MAX_RANK + 1]; /* what this stride and the smaller ones span */
  int64_t common, inverse;           /* of the last two strides a and b: g, and 1 / (a/g) modulo b/g */
  int64_t elements;
  bool backward; /* some stride is not positive: nothing is known */
} fg_strides;

typedef enum fg_apart { /* whether no two elements share an address */
                        FG_APART,
                        FG_APART_NOT,
                        FG_APART_UNKNOWN, /* strides alone do not decide it */
} fg_apart;

fg_strides fg_strides_create(const fg_problem *q, const int64_t *params, bool output);
fg_apart fg_strides_apart(const fg_strides *x);
/* The number of the element at address e, of nest->elements; -1: there is none. Where elements
 * are apart every element has a number of its own. */
int64_t fg_strides_number(const fg_strides *x, int64_t e);
#endif

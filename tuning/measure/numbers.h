/* Numbers of arrays, of any type, as doubles and back. */
#ifndef FG_NUMBERS_H
#define FG_NUMBERS_H
#include "generator/problem/problem.h"

/* Rounded to nearest even; whole numbers are clamped to their range. */
void fg_numbers_put(fg_precision type, void *array, int64_t i, double x);
double fg_numbers_get(fg_precision type, const void *array, int64_t i);
double fg_numbers_unit(fg_precision type);                           /* of rounding, relative; 0: whole numbers */
double fg_numbers_least(fg_precision type);                          /* the smallest above 0; 0: whole numbers */
void fg_numbers_range(fg_precision type, double *low, double *high); /* of random inputs: -1 .. 1, or all whole ones */
#endif

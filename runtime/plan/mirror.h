/* The half of a spectrum of reals that r2c does not make: X[-k] = conj X[k], along all transformed axes at once. The
 * Python extension fills its arrays by it, too. */
#ifndef FG_MIRROR_H
#define FG_MIRROR_H
#include <stdbool.h>
#include <stdint.h>

enum { FG_MIRROR_AXES = 64 };

typedef struct fg_mirror_axis {
  int64_t n, stride; /* elements; bytes from one to the next */
  bool mirrored;     /* it is transformed */
  bool last;         /* the first n / 2 + 1 elements are there, and the others are not */
} fg_mirror_axis;

typedef struct fg_mirror {             /* an array of interleaved complex numbers */
  fg_mirror_axis axis[FG_MIRROR_AXES]; /* in any order */
  int count;
  int bytes; /* of a real number: 2, 4, 8 */
} fg_mirror;

/* Of rows of n complex numbers, one after the other, `step` bytes apart; reals of 4 or 8 bytes. */
void fg_mirror_rows(void *array, int64_t n, int64_t rows, int64_t step, int bytes);
void fg_mirror_fill(fg_mirror *m, void *array); /* puts longer strides outside */
#endif

/* Sweeps: what a testbed does to whole arrays. Each is a function of pointers and numbers, here for the host and as
 * text for devices, with the same arguments in the same order:
 *
 *   fill     array                          | words, pattern
 *   scatter  shape, source, array           | numbers, count, per, bytes, distinct, ndim, nbatch, constant
 *   compare  shape, truth, scale, array, sums | numbers, count, per, type, distinct, ndim, nbatch
 *   watch    array, sums                    | words, pattern
 *   copy     from, to                       | pairs of words
 *
 * words: of 8 bytes. shape: fg_side's dim. constant: `source` is one number, for all. scale: of each distinct input one
 * over the square sum of its truth, the error that a number may have, and what it may have for each unit of itself. */
#ifndef FG_SWEEPS_H
#define FG_SWEEPS_H
#include <stdint.h>

typedef enum fg_sweep {
  FG_SWEEP_FILL,
  FG_SWEEP_SCATTER,
  FG_SWEEP_COMPARE,
  FG_SWEEP_WATCH,
  FG_SWEEP_COPY,
  FG_SWEEP_COUNT
} fg_sweep;

typedef struct fg_sums {
  double error;      /* compare: square errors over square sums of truths */
  double most;       /* the largest error of a number over what is allowed */
  uint64_t bad;      /* numbers that are off by more */
  uint64_t first;    /* the first of them; all ones: none */
  uint64_t strange;  /* watch: words that are not the pattern */
  uint64_t checksum; /* of all words and their places */
} fg_sums;

typedef struct fg_sweep_row {
  const char *name;
  int nslot, nparam;
  void (*run)(void *const *slot, const int64_t *param);
} fg_sweep_row;
extern const fg_sweep_row fg_sweep_table[FG_SWEEP_COUNT];

/* Their text in CUDA C++; NULL: not of this dialect. */
const char *fg_sweep_text(const char *dialect);
#endif

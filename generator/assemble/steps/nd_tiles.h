/* Lines along one dimension of several, and tiles of them (nd_tiles.c). */
#ifndef FG_ASSEMBLE_STEPS_ND_TILES_H
#define FG_ASSEMBLE_STEPS_ND_TILES_H
#include "generator/assemble/task.h"

/* All lines along one dimension. */
typedef struct fg_lines {
  fg_task task; /* its views have no strides yet */
  const fg_plan *plan;
  int dimension;
  const fg_num *is, *os; /* strides of the views by dimension */
  bool columns;          /* complex ones of a real problem */
  int with;              /* the dimension whose neighbours share a tile; -1: there is none */
  int joined;            /* the first of those up to it whose indices are one, since their elements are dense */
  int64_t neighbours;    /* of the batch, behind them, whose numbers are one with theirs; 1: they stay an axis */
} fg_lines;

/* Whether they are transformed by two kernels, the parts of a line in blocks of their own. */
bool fg_lines_are_parted(const fg_lines *l);
/* Sets `with`, `joined` and `neighbours`. */
void fg_lines_join(const fg_builder *b, fg_lines *l);
int64_t fg_lines_length(const fg_builder *b, const fg_lines *l, int dimension);
int64_t fg_lines_count(const fg_builder *b, const fg_lines *l); /* those that tiles are cut from */
/* Columns at a time: the largest divisor of n up to `most` that fills whole
 * vectors, else one that fills some vector, else all. Rows fill vectors by
 * themselves where they are too long for so many: as many as may be, then. */
int64_t fg_lines_even_tile(int64_t n, int64_t most, int64_t lanes, bool rows);
/* The most, where the plan does not say. */
int64_t fg_lines_usual_tile(const fg_builder *b, const fg_plan *plan, bool rows, int64_t n);
/* On GPUs tiles of complex lines may be as they are said, and the last one has fewer. */
bool fg_lines_are_uneven(const fg_builder *b, const fg_lines *l);
int64_t fg_lines_tile(const fg_builder *b, const fg_lines *l, int64_t count, int64_t most, bool rows);
/* Columns that are a tile of their own, so that the others fill whole vectors. `apart`: the last one is at any rate.
 * On CPUs more than a vector's worth, where widths that divide the number of columns would leave an eighth of the
 * lanes empty, or are more than L1 holds between passes; tiles cannot overlap, since they are stored to the array that
 * they are loaded from. */
int64_t fg_lines_last_tile(const fg_builder *b, const fg_lines *l, int64_t count, bool apart);
#endif

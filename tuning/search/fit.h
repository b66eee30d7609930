/* Non-negative least squares, because times are not negative. */
#ifndef FG_FIT_H
#define FG_FIT_H

/* Minimises |A x - b| over x >= 0 (Lawson and Hanson, "Solving Least Squares
 * Problems", 1974, chapter 23). a: rows * cols, row after row. `work`: room for
 * fg_fit_room(rows, cols) numbers. */
void fg_fit_solve(const double *a, const double *b, int rows, int cols, double *work, double *x);
int fg_fit_room(int rows, int cols);
#endif

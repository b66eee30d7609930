/* See fit.h. Coordinate after coordinate, each to its best nonnegative value (Franc, Hlavac and Navara, "Sequential
 * coordinate-wise algorithm for the non-negative least squares problem", 2005). Columns are scaled to length 1, so
 * that nanoseconds a call and nanoseconds a byte are found alike. */
#include "tuning/search/fit.h"
#include <math.h>

enum { MOST_TURNS = 200000 };
static const double settled = 1e-12; /* change of a coordinate, columns scaled */

int fg_fit_room(int rows, int cols) {
  (void)rows;
  return cols * cols + 2 * cols;
}

static double dot(const double *a, const double *b, int rows, int a_col, int b_col, int cols) {
  double sum = 0;
  for (int r = 0; r < rows; r++) sum += a[r * cols + a_col] * (b ? b[r] : a[r * cols + b_col]);
  return sum;
}

/* work: gram[cols * cols], right[cols], scale[cols] */
static void normalise(const double *a, const double *b, int rows, int cols, double *work) {
  double *gram = work, *right = work + cols * cols, *scale = right + cols;
  for (int i = 0; i < cols; i++) {
    double length = sqrt(dot(a, 0, rows, i, i, cols));
    scale[i] = length > 0 ? 1 / length : 0;
  }
  for (int i = 0; i < cols; i++) {
    right[i] = dot(a, b, rows, i, 0, cols) * scale[i];
    for (int j = 0; j < cols; j++) gram[i * cols + j] = dot(a, 0, rows, i, j, cols) * scale[i] * scale[j];
  }
}

void fg_fit_solve(const double *a, const double *b, int rows, int cols, double *work, double *x) {
  const double *gram = work, *right = work + cols * cols, *scale = right + cols;
  normalise(a, b, rows, cols, work);
  for (int i = 0; i < cols; i++) x[i] = 0;
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    double most = 0;
    for (int i = 0; i < cols; i++) {
      if (!(scale[i] > 0)) continue;
      double step = right[i];
      for (int j = 0; j < cols; j++) step -= gram[i * cols + j] * x[j];
      if (x[i] + step < 0) step = -x[i];
      x[i] += step;
      most = fmax(most, fabs(step));
    }
    if (most < settled) break;
  }
  for (int i = 0; i < cols; i++) x[i] *= scale[i];
}

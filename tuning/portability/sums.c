/* See sums.h. */
#include "tuning/portability/sums.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double fg_port_metric(const double *efficiency, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    if (!(efficiency[i] > 0)) return 0;
    sum += 1 / efficiency[i];
  }
  return count ? count / sum : 0;
}

double fg_port_lost(double own_ns, double foreign_ns) { return 1 - own_ns / foreign_ns; }

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Between the two neighbours. x: sorted. */
static double quantile(const double *x, int count, double part) {
  double at = part * (count - 1);
  int below = (int)at;
  return below + 1 < count ? x[below] + (at - below) * (x[below + 1] - x[below]) : x[count - 1];
}

void fg_port_spread_of(const double *x, int count, fg_port_spread *out) {
  *out = (fg_port_spread){.count = count};
  double *sorted = count ? malloc((size_t)count * sizeof *sorted) : NULL, squares = 0;
  if (!sorted) return;
  memcpy(sorted, x, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, by_value);
  for (int i = 0; i < count; i++) out->mean += sorted[i] / count;
  for (int i = 0; i < count; i++) squares += (sorted[i] - out->mean) * (sorted[i] - out->mean);
  out->deviation = count > 1 ? sqrt(squares / (count - 1)) : 0;
  out->least = sorted[0], out->most = sorted[count - 1];
  out->low = quantile(sorted, count, 0.01);
  out->median = quantile(sorted, count, 0.5);
  out->high = quantile(sorted, count, 0.99);
  free(sorted);
}

/* The regularised incomplete gamma function P(a, x) by its series (DLMF 8.7.1); for x < a + 1. */
static double lower_gamma(double a, double x) {
  double term = 1 / a, sum = term;
  for (int k = 1; k < 100000 && term > sum * 1e-17; k++) sum += term *= x / (a + k);
  return sum * exp(a * log(x) - x - lgamma(a));
}

/* Q(a, x) = 1 - P by its continued fraction (DLMF 8.9.2), evaluated by Lentz's method. */
static double upper_gamma(double a, double x) {
  const double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
  for (int k = 1; k < 100000; k++) {
    double an = -k * (k - a);
    b += 2;
    d = an * d + b, c = b + an / c;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    c = fabs(c) < tiny ? tiny : c;
    h *= d * c;
    if (fabs(d * c - 1) < 1e-15) break;
  }
  return h * exp(a * log(x) - x - lgamma(a));
}

double fg_port_chi2_tail(double chi2, double ndf) {
  double a = ndf / 2, x = chi2 / 2;
  if (!(ndf > 0) || !(x > 0)) return 1;
  if (isinf(x)) return 0;
  return x < a + 1 ? 1 - lower_gamma(a, x) : upper_gamma(a, x);
}

void fg_port_agree(const double *a, const double *b, int64_t bins, fg_port_agreement *out) {
  double different = 0, all = 0, largest = 0;
  *out = (fg_port_agreement){.bins = bins};
  for (int64_t k = 0; k < bins; k++) {
    const double *x = a + 2 * k, *y = b + 2 * k;
    double off = hypot(x[0] - y[0], x[1] - y[1]), size = hypot(y[0], y[1]), change = hypot(x[0], x[1]) - size;
    different += off * off, all += size * size;
    largest = fmax(largest, off);
    if (size == 0 && change == 0) continue;
    out->chi2 += change * change / size;
    out->ndf++;
  }
  out->l2 = different > 0 ? sqrt(different / all) : 0;
  out->max = largest > 0 ? largest / sqrt(all / (double)bins) : 0;
  out->p = fg_port_chi2_tail(out->chi2, out->ndf);
}

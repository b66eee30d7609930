/* The numbers of a portability report, computed from times and outputs alone. */
#ifndef FG_PORT_SUMS_H
#define FG_PORT_SUMS_H
#include <stdint.h>

/* Pennycook, Sewall and Lee, "A metric for performance portability" (2016): the harmonic mean of the efficiencies on
 * all devices of a set; 0 where one of them is 0 (it does not run there), or there is none. */
double fg_port_metric(const double *efficiency, int count);
/* What a device loses that runs another's plan: the part of its own speed, 0 .. 1; below 0 it gains. */
double fg_port_lost(double own_ns, double foreign_ns);

typedef struct fg_port_spread { /* of many times */
  int count;
  double mean, deviation, least, most;
  double low, median, high; /* quantiles: one, fifty, ninety-nine in a hundred */
} fg_port_spread;
void fg_port_spread_of(const double *x, int count, fg_port_spread *out); /* count 0: all 0 */

typedef struct fg_port_agreement { /* of two outputs */
  int64_t bins;
  double l2;  /* |a - b| / |b| */
  double max; /* largest difference of a bin over the root mean square of b */
  double chi2, ndf,
      p; /* Pearson's, of magnitudes bin by bin: sum of (|a| - |b|)^2 / |b|; P(more than that by chance) */
} fg_port_agreement;
/* a, b: re, im pairs. Bins where both are 0 say nothing and do not count. */
void fg_port_agree(const double *a, const double *b, int64_t bins, fg_port_agreement *out);
/* The chi-squared distribution's tail. */
double fg_port_chi2_tail(double chi2, double ndf);
#endif

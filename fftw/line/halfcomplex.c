/* R2HC, HC2R and DHT: r2c and c2r with their numbers in other places. Halfcomplex order is r0 r1 ... r(n/2), then
 * i((n+1)/2 - 1) ... i1; the Hartley transform has the real part less the imaginary part in each place. */
#include "fftw/line/method.h"
#include "fftw/line/pointwise.h"

static bool applies(fg_line_type type, int64_t n) {
  (void)n;
  return type == FG_LINE_R2HC || type == FG_LINE_HC2R || type == FG_LINE_DHT;
}

static bool create(fg_line *l) {
  if (!fg_line_stand_on(l, 0, l->type == FG_LINE_HC2R ? FG_LINE_C2R : FG_LINE_R2C, l->n, 1)) return false;
  l->work = 2 * (size_t)(l->n / 2 + 1) + l->part[0]->work;
  if (l->type == FG_LINE_DHT) l->flops.add += (double)l->n;
  return true;
}

/* By a complex line of n points, whose results are put in their places without a copy. */
static void run_widened(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  const fg_line *complex = l->part[0]->part[0];
  fg_complex *a = (fg_complex *)work, *b = a + l->n;
  fg_pointwise_from_reals(in, a, l->n);
  fg_line_run(complex, work, (fg_real *)b, (fg_real *)(b + l->n));
  fg_pointwise_to_halfcomplex(b, out, l->n, l->type == FG_LINE_DHT);
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t n = l->n;
  fg_complex *x = (fg_complex *)work;
  fg_real *more = work + 2 * (n / 2 + 1);
  if (l->type == FG_LINE_HC2R) {
    fg_pointwise_from_halfcomplex(in, x, n);
    fg_line_run(l->part[0], work, out, more);
    return;
  }
  if (l->part[0]->method == &fg_line_odd_real) {
    run_widened(l, in, out, work);
    return;
  }
  fg_line_run(l->part[0], in, work, more);
  fg_pointwise_to_halfcomplex(x, out, n, l->type == FG_LINE_DHT);
}

const fg_line_method fg_line_halfcomplex = {"halfcomplex", applies, create, NULL, run};

/* Cosine and sine transforms of type I by a real line of the whole period: 2 (n - 1) or 2 (n + 1) points. Shorter lines
 * do it with a sum that loses accuracy as n grows; this one is as accurate as r2c. */
#include "fftw/line/method.h"

static int64_t period(fg_line_type type, int64_t n) { return type == FG_LINE_REDFT00 ? 2 * (n - 1) : 2 * (n + 1); }

static bool applies(fg_line_type type, int64_t n) {
  return (type == FG_LINE_REDFT00 && n > 1) || type == FG_LINE_RODFT00;
}

static bool create(fg_line *l) {
  int64_t p = period(l->type, l->n);
  if (!fg_line_stand_on(l, 0, FG_LINE_R2C, p, 1)) return false;
  l->work = (size_t)p + 2 * (size_t)(p / 2 + 1) + l->part[0]->work;
  return true;
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t n = l->n, p = period(l->type, n);
  fg_complex *spectrum = (fg_complex *)(work + p);
  bool sine = l->type == FG_LINE_RODFT00;
  if (sine) {
    work[0] = work[n + 1] = 0;
    for (int64_t j = 0; j < n; j++) work[j + 1] = in[j], work[p - 1 - j] = -in[j];
  } else {
    for (int64_t j = 0; j < n; j++) work[j] = work[j ? p - j : 0] = in[j];
  }
  fg_line_run(l->part[0], work, (fg_real *)spectrum, (fg_real *)(spectrum + p / 2 + 1));
  for (int64_t k = 0; k < n; k++) out[k] = sine ? -spectrum[k + 1].im : spectrum[k].re;
}

const fg_line_method fg_line_dct1 = {"dct1", applies, create, NULL, run};

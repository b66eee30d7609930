/* Cosine and sine transforms of types II and III by a real line of the same length (Makhoul, "A fast cosine transform
 * in one and two dimensions", 1980).
 *
 * With v = x0 x2 x4 ... x5 x3 x1, V its r2c and t[k] = V[k] exp(-i pi k / 2n): y[k] = 2 Re t[k], y[n-k] = -2 Im t[k].
 * Type III is the inverse. Sine transforms are cosine transforms of x[j] (-1)^j with results in reverse order, and the
 * same the other way round. */
#include "fftw/line/method.h"

static bool is_back(fg_line_type type) { return type == FG_LINE_REDFT01 || type == FG_LINE_RODFT01; }

static bool is_sine(fg_line_type type) { return type == FG_LINE_RODFT10 || type == FG_LINE_RODFT01; }

static bool applies(fg_line_type type, int64_t n) {
  (void)n;
  return type == FG_LINE_REDFT10 || type == FG_LINE_RODFT10 || is_back(type);
}

/* table[0]: 2 exp(-i pi k / 2n); back, exp(i pi k / 2n). */
static bool create(fg_line *l) {
  int64_t n = l->n, half = n / 2 + 1;
  bool back = is_back(l->type);
  if (!fg_line_stand_on(l, 0, back ? FG_LINE_C2R : FG_LINE_R2C, n, 1) || !fg_line_add_table(l, 0, half)) return false;
  fg_roots *roots = fg_roots_create(4 * n);
  if (roots) fg_roots_run(roots, 0, 1, half, back ? FG_BACKWARD : FG_FORWARD, l->table[0]);
  for (int64_t k = 0; k < half && roots && !back; k++) l->table[0][k].re *= 2, l->table[0][k].im *= 2;
  fg_roots_destroy(roots);
  l->work = (size_t)(n + n % 2) + 2 * (size_t)half + l->part[0]->work;
  l->flops.add += (double)n, l->flops.mul += 2.0 * (double)n;
  return roots != NULL;
}

/* v of x, and back; `odd` is the sign of odd elements. */
static void take_in(const fg_real *x, fg_real *v, int64_t n, fg_real odd) {
  for (int64_t j = 0; 2 * j < n; j++) v[j] = x[2 * j];
  for (int64_t j = 0; 2 * j + 1 < n; j++) v[n - 1 - j] = odd * x[2 * j + 1];
}

static void give_out(const fg_real *v, fg_real *x, int64_t n, fg_real odd) {
  for (int64_t j = 0; 2 * j < n; j++) x[2 * j] = v[j];
  for (int64_t j = 0; 2 * j + 1 < n; j++) x[2 * j + 1] = odd * v[n - 1 - j];
}

static void forth(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t n = l->n, half = n / 2 + 1;
  fg_real *v = work;
  fg_complex *spectrum = (fg_complex *)(work + n + n % 2);
  bool sine = is_sine(l->type);
  take_in(in, v, n, sine ? -1 : 1);
  fg_line_run(l->part[0], v, (fg_real *)spectrum, (fg_real *)(spectrum + half));
  fg_real *first = sine ? out + n - 1 : out; /* result k is k from here, result n - k as far from the other end */
  ptrdiff_t step = sine ? -1 : 1;
  first[0] = fg_complex_times(spectrum[0], l->table[0][0]).re;
  for (int64_t k = 1; k < half; k++) {
    fg_complex t = fg_complex_times(spectrum[k], l->table[0][k]);
    first[(n - k) * step] = -t.im;
    first[k * step] = t.re; /* last: both are one in the middle */
  }
}

static void back(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t n = l->n, half = n / 2 + 1;
  fg_real *v = work;
  fg_complex *spectrum = (fg_complex *)(work + n + n % 2);
  bool sine = is_sine(l->type);
  const fg_real *first = sine ? in + n - 1 : in;
  ptrdiff_t step = sine ? -1 : 1;
  spectrum[0] = fg_complex_times((fg_complex){first[0], 0}, l->table[0][0]);
  for (int64_t k = 1; k < half; k++)
    spectrum[k] = fg_complex_times((fg_complex){first[k * step], -first[(n - k) * step]}, l->table[0][k]);
  fg_line_run(l->part[0], (fg_real *)spectrum, v, (fg_real *)(spectrum + half));
  give_out(v, out, n, sine ? -1 : 1);
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  (is_back(l->type) ? back : forth)(l, in, out, work);
}

const fg_line_method fg_line_dct2 = {"dct2", applies, create, NULL, run};

/* References without FFTW beside those of FFTW's: every kind, lengths of small and of large primes, several dimensions.
 */
#include "tuning/measure/plain.h"
#include "tuning/measure/reference.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* after the standard headers that it needs */
#include <cmocka.h>

/* The arrays of a plain transform, of reals in rows as long as those of complex numbers where there are halves. */
static int64_t place(fg_kind kind, int64_t i, int64_t row, bool halves) {
  return kind == FG_C2C ? 2 * i : halves ? i / row * 2 * (row / 2 + 1) + i % row : i;
}

static void check(fg_kind kind, int rank, const int *length, int sign) {
  int64_t n[4], row = length[rank - 1], rows = 1, half = row / 2 + 1;
  for (int d = 0; d < rank; d++) n[d] = length[d], rows *= d < rank - 1 ? length[d] : 1;
  bool complex_in = kind == FG_C2C || kind == FG_C2R, complex_out = kind == FG_C2C || kind == FG_R2C;
  bool halves = kind == FG_R2C || kind == FG_C2R;
  int64_t inputs = rows * (kind == FG_C2R ? half : row), outputs = rows * (kind == FG_R2C ? half : row);
  double *in = calloc(2 * (size_t)(rows * row + 2 * rows), sizeof *in);
  long double *data = calloc(2 * (size_t)(rows * row + 2 * rows), sizeof *data);
  long double *truth = calloc(2 * (size_t)(rows * row + 2 * rows), sizeof *truth);
  fg_reference *r = fg_reference_create_real(kind, rank, n, sign);
  fg_plain *p = fg_plain_create(kind, rank, length, sign);
  assert_true(in && data && truth && r && p);
  for (int64_t i = 0; i < inputs; i++) {
    in[2 * i] = sin((double)(i * i + 1));
    if (complex_in && !(kind == FG_C2R && (i % half == 0 || 2 * (i % half) == row)))
      in[2 * i + 1] = cos((double)(3 * i));
    if (complex_in)
      data[2 * i] = in[2 * i], data[2 * i + 1] = in[2 * i + 1];
    else
      data[place(kind, i, row, halves)] = in[2 * i];
  }
  fg_reference_run(r, in, truth);
  fg_plain_run(p, data);
  long double error = 0, norm = 0;
  for (int64_t i = 0; i < outputs; i++) {
    const long double *y = data + (complex_out ? 2 * i : place(kind, i, row, halves));
    error += (y[0] - truth[2 * i]) * (y[0] - truth[2 * i]);
    if (complex_out) error += (y[1] - truth[2 * i + 1]) * (y[1] - truth[2 * i + 1]);
    norm += truth[2 * i] * truth[2 * i] + truth[2 * i + 1] * truth[2 * i + 1];
  }
  if (!(error <= norm * 1e-36L))
    fail_msg("kind %d, rank %d, last of %d points: %Lg", (int)kind, rank, length[rank - 1], sqrtl(error / norm));
  fg_plain_destroy(p);
  fg_reference_destroy(r);
  free(in), free(data), free(truth);
}

static void test_kinds(void **state) {
  (void)state;
  static const int lengths[] = {2, 3, 4, 7, 16, 30, 47, 53, 106, 360, 1009, 1024, 2809, 4096};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    check(FG_C2C, 1, &lengths[i], -1);
    check(FG_C2C, 1, &lengths[i], +1);
    check(FG_R2C, 1, &lengths[i], -1);
    check(FG_C2R, 1, &lengths[i], +1);
    for (int kind = FG_DCT1; kind <= FG_DCT4; kind++) check((fg_kind)kind, 1, &lengths[i], -1);
    for (int kind = FG_DST1; kind <= FG_DST4; kind++) check((fg_kind)kind, 1, &lengths[i], -1);
  }
}

static void test_dimensions(void **state) {
  (void)state;
  static const int shape[] = {5, 12, 16}, odd[] = {4, 59, 9};
  static const fg_kind kinds[] = {FG_C2C, FG_R2C, FG_C2R, FG_DCT1, FG_DCT2, FG_DST3, FG_DST4};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (int rank = 2; rank <= 3; rank++) {
      int sign = kinds[i] == FG_C2R ? 1 : -1;
      check(kinds[i], rank, shape, sign);
      check(kinds[i], rank, odd, sign);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_dimensions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

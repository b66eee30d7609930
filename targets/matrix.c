/* Which element of a matrix a lane of a warp holds (forms/matrix.def). In: a shape, an operand. Out: digits. */
#include "targets/forms/matrix.h"

#define MATRIX(NAME, name, m, n, k, factor, sum, a, b, c)                                                              \
  {name, m, n, k, FG_MATRIX_##factor, FG_MATRIX_##sum, {a, b, c}},
static const fg_matrix_shape shapes[] = {
#include "targets/forms/matrix.def"
};
#undef MATRIX

const fg_matrix_shape *fg_matrix_find(fg_matrix shape) { return &shapes[shape]; }

int fg_matrix_digits(const fg_matrix_shape *s, fg_matrix_operand of, fg_matrix_digit out[FG_MATRIX_DIGITS]) {
  int count = 0;
  for (const char *at = s->digits[of]; *at; at++)
    if (*at >= 'k' && *at <= 'n') out[count++] = (fg_matrix_digit){*at, at[1] - '0'};
  return count;
}

int fg_matrix_elements(const fg_matrix_shape *s, fg_matrix_operand of) {
  fg_matrix_digit digit[FG_MATRIX_DIGITS];
  return 1 << (fg_matrix_digits(s, of, digit) - FG_MATRIX_LANE_DIGITS);
}

int fg_matrix_index(const fg_matrix_shape *s, fg_matrix_operand of, char axis, int lane, int element) {
  fg_matrix_digit digit[FG_MATRIX_DIGITS];
  int count = fg_matrix_digits(s, of, digit), number = lane + element * FG_MATRIX_LANES, index = 0;
  for (int i = 0; i < count; i++)
    if (digit[i].axis == axis) index |= (number >> i & 1) << digit[i].place;
  return index;
}

int fg_matrix_bytes(const fg_matrix_shape *s) { return s->sum == FG_MATRIX_F64 ? 8 : 4; }

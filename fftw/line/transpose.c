/* See transpose.h. In: a matrix. Out: it, turned.
 *
 * Square blocks of 32 bytes a row are turned in registers, by halves that are exchanged; tiles of such blocks keep both
 * sides in the L1 cache. */
#include "fftw/line/transpose.h"
#include "fftw/base/clones.h"
#include <string.h>

typedef double doubles __attribute__((vector_size(32), aligned(4), may_alias));
typedef double two __attribute__((vector_size(16), aligned(4), may_alias));
typedef double one __attribute__((aligned(4), may_alias));
typedef float floats __attribute__((vector_size(32), aligned(4), may_alias));

enum { TILE = 512 /* bytes of a row */ };

/* Rows of bytes: `size` bytes are an element. */
typedef struct bytes {
  char *at;
  ptrdiff_t stride;
} bytes;

INLINED char *row(bytes b, int64_t i) { return b.at + i * b.stride; }

#define LOAD(type, i) (*(const type *)row(from, i))
#define STORE(type, i, x) (*(type *)row(to, i) = (x))
#define MIX __builtin_shufflevector

INLINED void turn16(bytes to, bytes from) {
  doubles a = LOAD(doubles, 0), b = LOAD(doubles, 1);
  STORE(doubles, 0, MIX(a, b, 0, 1, 4, 5)), STORE(doubles, 1, MIX(a, b, 2, 3, 6, 7));
}

/* Of so many columns: whole rows are loaded all the same. */
INLINED void turn8_some(bytes to, bytes from, int64_t columns) {
  doubles a = LOAD(doubles, 0), b = LOAD(doubles, 1), c = LOAD(doubles, 2), d = LOAD(doubles, 3);
  doubles even = MIX(a, b, 0, 4, 2, 6), odd = MIX(a, b, 1, 5, 3, 7);
  doubles even_too = MIX(c, d, 0, 4, 2, 6), odd_too = MIX(c, d, 1, 5, 3, 7);
  STORE(doubles, 0, MIX(even, even_too, 0, 1, 4, 5));
  if (columns > 1) STORE(doubles, 1, MIX(odd, odd_too, 0, 1, 4, 5));
  if (columns > 2) STORE(doubles, 2, MIX(even, even_too, 2, 3, 6, 7));
  if (columns > 3) STORE(doubles, 3, MIX(odd, odd_too, 2, 3, 6, 7));
}

INLINED void turn8(bytes to, bytes from) { turn8_some(to, from, 4); }

INLINED void turn4_some(bytes to, bytes from, int64_t columns) {
  floats x[8], pair[8], four[8];
  WRITTEN_OUT
  for (int i = 0; i < 8; i++) x[i] = LOAD(floats, i);
  WRITTEN_OUT
  for (int i = 0; i < 8; i += 2) {
    pair[i] = MIX(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pair[i + 1] = MIX(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  WRITTEN_OUT
  for (int i = 0; i < 8; i += 4) {
    WRITTEN_OUT
    for (int k = 0; k < 2; k++) {
      four[i + k] = MIX(pair[i + k], pair[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      four[i + k + 2] = MIX(pair[i + k], pair[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  WRITTEN_OUT
  for (int k = 0; k < 4; k++) {
    if (k < columns) STORE(floats, k, MIX(four[k], four[k + 4], 0, 1, 2, 3, 8, 9, 10, 11));
    if (k + 4 < columns) STORE(floats, k + 4, MIX(four[k], four[k + 4], 4, 5, 6, 7, 12, 13, 14, 15));
  }
}

INLINED void turn4(bytes to, bytes from) { turn4_some(to, from, 8); }

/* Half of a block: four rows of two, two rows of four. */
INLINED void turn8_narrow(bytes to, bytes from) {
  two a = LOAD(two, 0), b = LOAD(two, 1), c = LOAD(two, 2), d = LOAD(two, 3);
  STORE(doubles, 0, ((doubles){a[0], b[0], c[0], d[0]})), STORE(doubles, 1, ((doubles){a[1], b[1], c[1], d[1]}));
}

INLINED void turn8_flat(bytes to, bytes from) {
  doubles a = LOAD(doubles, 0), b = LOAD(doubles, 1);
  for (int k = 0; k < 4; k++) STORE(two, k, ((two){a[k], b[k]}));
}

INLINED void none(bytes to, bytes from) { (void)to, (void)from; }

INLINED void turn16_some(bytes to, bytes from, int64_t columns) { (void)to, (void)from, (void)columns; }

/* Rows of fewer columns than a block has, so near each other that a block's row ends within the next ones: those whose
 * blocks end within the last row. */
INLINED int64_t rows_near(bytes from, int64_t rows, int64_t columns, int64_t size) {
  int64_t spare = 32 - columns * size;
  if (from.stride <= 0 || from.stride > 32 || spare <= 0 || size == 16) return 0;
  int64_t near = rows - (spare + from.stride - 1) / from.stride;
  return near < 0 ? 0 : near / (32 / size) * (32 / size);
}

/* A tile: whole blocks, then halves of them, then what is left at two sides. */
#define TURN(name, size, half, narrow_one, flat_one)                                                                   \
  CLONES static void name##_tile(bytes to, bytes from, int64_t rows, int64_t columns) {                                \
    enum { BLOCK = 32 / size };                                                                                        \
    int64_t near = rows_near(from, rows, columns, size);                                                               \
    for (int64_t i = 0; i < near; i += BLOCK)                                                                          \
      name##_some((bytes){to.at + i * size, to.stride}, (bytes){row(from, i), from.stride}, columns);                  \
    to.at += near * size, from.at += near * from.stride, rows -= near;                                                 \
    int64_t whole_rows = rows / BLOCK * BLOCK, whole_columns = columns / BLOCK * BLOCK;                                \
    int64_t narrow = columns - whole_columns < half ? 0 : half, flat = rows - whole_rows < half ? 0 : half;            \
    for (int64_t i = 0; i < whole_rows; i += BLOCK) {                                                                  \
      for (int64_t j = 0; j < whole_columns; j += BLOCK)                                                               \
        name((bytes){row(to, j) + i * size, to.stride}, (bytes){row(from, i) + j * size, from.stride});                \
      if (narrow)                                                                                                      \
        narrow_one((bytes){row(to, whole_columns) + i * size, to.stride},                                              \
                   (bytes){row(from, i) + whole_columns * size, from.stride});                                         \
    }                                                                                                                  \
    for (int64_t j = 0; j < whole_columns && flat; j += BLOCK)                                                         \
      flat_one((bytes){row(to, j) + whole_rows * size, to.stride},                                                     \
               (bytes){row(from, whole_rows) + j * size, from.stride});                                                \
    for (int64_t i = 0; i < rows; i++)                                                                                 \
      for (int64_t j = i < whole_rows          ? whole_columns + narrow                                                \
                       : i < whole_rows + flat ? whole_columns                                                         \
                                               : 0;                                                                    \
           j < columns; j++)                                                                                           \
        memcpy(row(to, j) + i * size, row(from, i) + j * size, size);                                                  \
  }
TURN(turn16, 16, 0, none, none)
TURN(turn8, 8, 2, turn8_narrow, turn8_flat)
TURN(turn4, 4, 0, none, none)

void fg_transpose(fg_matrix to, fg_matrix from, int64_t rows, int64_t columns, bool complex) {
  ptrdiff_t size = sizeof(fg_real) * (complex ? 2 : 1), step = TILE / size;
  void (*turn)(bytes, bytes, int64_t, int64_t) = size == 16 ? turn16_tile : size == 8 ? turn8_tile : turn4_tile;
  bytes target = {(char *)to.at, to.stride * (ptrdiff_t)sizeof(fg_real)};
  bytes source = {(char *)from.at, from.stride * (ptrdiff_t)sizeof(fg_real)};
  for (int64_t i = 0; i < rows; i += step)
    for (int64_t j = 0; j < columns; j += step)
      turn((bytes){row(target, j) + i * size, target.stride}, (bytes){row(source, i) + j * size, source.stride},
           rows - i < step ? rows - i : step, columns - j < step ? columns - j : step);
}

CLONES void fg_copy_rows(fg_matrix to, fg_matrix from, int64_t rows, int64_t numbers) {
  enum { WIDE = sizeof(doubles) / sizeof(fg_real), LONG = 1024 / sizeof(fg_real) };
  if (to.stride == numbers && from.stride == numbers) numbers *= rows, rows = 1;
  if (rows == 1 && numbers >= LONG) {
    memcpy(to.at, from.at, (size_t)numbers * sizeof(fg_real));
    return;
  }
  for (int64_t i = 0; i < rows; i++) {
    fg_real *y = to.at + i * to.stride;
    const fg_real *x = from.at + i * from.stride;
    int64_t j = 0;
    for (; j + WIDE <= numbers; j += WIDE) *(doubles *)(y + j) = *(const doubles *)(x + j);
    for (; j + 2 <= numbers; j += 2) memcpy(y + j, x + j, sizeof(fg_complex));
    if (j < numbers) y[j] = x[j];
  }
}

CLONES void fg_copy_again(fg_real *to, const fg_real *from, int64_t numbers) {
  enum { WIDE = sizeof(doubles) / sizeof(fg_real), PAIR = 2 };
  int64_t j = 0;
  for (; j + WIDE <= numbers; j += WIDE) { /* volatile: else the compiler makes one load of several */
#if FG_FFTW_SINGLE
    const volatile one *x = (const volatile one *)(from + j);
    *(doubles *)(to + j) = (doubles){x[0], x[1], x[2], x[3]};
#else
    two a = *(const volatile two *)(from + j), b = *(const volatile two *)(from + j + PAIR);
    *(doubles *)(to + j) = MIX(a, b, 0, 1, 2, 3);
#endif
  }
  for (; j + PAIR <= numbers; j += PAIR) memcpy(to + j, from + j, sizeof(fg_complex));
  if (j < numbers) to[j] = from[j];
}

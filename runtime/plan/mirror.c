/* See mirror.h. Element k > n / 2 of the last dimension is the conjugate of element n - k, whose other indices are
 * mirrored, too. An index that is mirrored stays where it is at 0, so each such axis is two segments: the first
 * element, and the rest. Conjugates differ by a bit. */
#include "runtime/plan/mirror.h"
#include "fftw/base/clones.h"
#include <string.h>

typedef uint64_t pair __attribute__((vector_size(16)));
typedef uint64_t four __attribute__((vector_size(32)));

#define SIGN (UINT64_C(1) << 63)
enum { IMAGINARY = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 63 : 31 }; /* sign of the second of two floats */

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define TURNED(x) __builtin_shufflevector(x, x, 1, 0)
#define TURNED_FOUR(x) __builtin_shufflevector(x, x, 3, 2, 1, 0)
#define EXCHANGED(x) __builtin_shufflevector(x, x, 2, 3, 0, 1)
#endif
#endif
#ifndef TURNED
#define TURNED(x) ((pair){(x)[1], (x)[0]})
#define TURNED_FOUR(x) ((four){(x)[3], (x)[2], (x)[1], (x)[0]})
#define EXCHANGED(x) ((four){(x)[2], (x)[3], (x)[0], (x)[1]})
#endif

/* Neighbours, from the last one of `from` on. */
INLINED void neighbours_of_floats(char *to, const char *from, int64_t n) {
  const uint64_t bit = UINT64_C(1) << IMAGINARY;
  const pair sign = {bit, bit};
  const four signs = {bit, bit, bit, bit};
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    four x;
    memcpy(&x, from - (i + 3) * 8, sizeof x);
    x = TURNED_FOUR(x) ^ signs;
    memcpy(to + i * 8, &x, sizeof x);
  }
  for (; i + 2 <= n; i += 2) {
    pair x;
    memcpy(&x, from - (i + 1) * 8, sizeof x);
    x = TURNED(x) ^ sign;
    memcpy(to + i * 8, &x, sizeof x);
  }
  for (; i < n; i++) {
    uint64_t x;
    memcpy(&x, from - i * 8, sizeof x);
    x ^= bit;
    memcpy(to + i * 8, &x, sizeof x);
  }
}

INLINED void neighbours_of_doubles(char *to, const char *from, int64_t n) {
  const four signs = {0, SIGN, 0, SIGN};
  int64_t i = 0;
  for (; i + 2 <= n; i += 2) {
    four x;
    memcpy(&x, from - (i + 1) * 16, sizeof x);
    x = EXCHANGED(x) ^ signs;
    memcpy(to + i * 16, &x, sizeof x);
  }
  for (; i < n; i++) {
    pair x;
    memcpy(&x, from - i * 16, sizeof x);
    x ^= (pair){0, SIGN};
    memcpy(to + i * 16, &x, sizeof x);
  }
}

CLONES static void neighbours(char *to, const char *from, int64_t n, int64_t rows, int64_t step, int bytes) {
  for (int64_t i = 0; i < rows; i++, to += step, from += step)
    if (bytes == 4)
      neighbours_of_floats(to, from, n);
    else
      neighbours_of_doubles(to, from, n);
}

void fg_mirror_rows(void *array, int64_t n, int64_t rows, int64_t step, int bytes) {
  int64_t first = n / 2 + 1, element = 2 * bytes;
  neighbours((char *)array + first * element, (char *)array + (n - first) * element, n - first, rows, step, bytes);
}

static void line_of_floats(char *to, const char *from, int64_t n, int64_t to_step, int64_t from_step) {
  for (int64_t i = 0; i < n; i++) {
    uint64_t x;
    memcpy(&x, from + i * from_step, sizeof x);
    x ^= UINT64_C(1) << IMAGINARY;
    memcpy(to + i * to_step, &x, sizeof x);
  }
}

static void line_of_halves(char *to, const char *from, int64_t n, int64_t to_step, int64_t from_step) {
  for (int64_t i = 0; i < n; i++) {
    uint16_t x[2];
    memcpy(x, from + i * from_step, sizeof x);
    x[1] ^= 1 << 15;
    memcpy(to + i * to_step, x, sizeof x);
  }
}

static void line_of_doubles(char *to, const char *from, int64_t n, int64_t to_step, int64_t from_step) {
  for (int64_t i = 0; i < n; i++) {
    pair x;
    memcpy(&x, from + i * from_step, sizeof x);
    x ^= (pair){0, SIGN};
    memcpy(to + i * to_step, &x, sizeof x);
  }
}

static void fill(const fg_mirror *m, int number, char *to, const char *from);

/* `n` elements of an axis, and all of the axes behind it. */
static void walk(const fg_mirror *m, int number, char *to, const char *from, int64_t n, int64_t from_step) {
  int64_t step = m->axis[number].stride;
  if (number < m->count - 1)
    for (int64_t i = 0; i < n; i++) fill(m, number + 1, to + i * step, from + i * from_step);
  else if (m->bytes > 2 && step == 2 * m->bytes && from_step == -step)
    neighbours(to, from, n, 1, 0, m->bytes);
  else if (m->bytes == 4)
    line_of_floats(to, from, n, step, from_step);
  else if (m->bytes == 8)
    line_of_doubles(to, from, n, step, from_step);
  else
    line_of_halves(to, from, n, step, from_step);
}

/* Is the axis behind this one all that is transformed, of neighbours? */
static bool has_rows(const fg_mirror *m, int number) {
  const fg_mirror_axis *next = &m->axis[number + 1];
  return number == m->count - 2 && next->last && m->bytes > 2 && next->stride == 2 * m->bytes;
}

static void fill(const fg_mirror *m, int number, char *to, const char *from) {
  const fg_mirror_axis *a = &m->axis[number];
  if (a->last) {
    int64_t first = a->n / 2 + 1;
    walk(m, number, to + first * a->stride, from + (a->n - first) * a->stride, a->n - first, -a->stride);
  } else if (a->mirrored) {
    walk(m, number, to, from, 1, a->stride);
    walk(m, number, to + a->stride, from + (a->n - 1) * a->stride, a->n - 1, -a->stride);
  } else if (has_rows(m, number) && to == from) {
    fg_mirror_rows(to, a[1].n, a->n, a->stride, m->bytes);
  } else {
    walk(m, number, to, from, a->n, a->stride);
  }
}

static int64_t size(int64_t x) { return x < 0 ? -x : x; }

static void sort(fg_mirror *m) {
  for (int i = 1; i < m->count; i++)
    for (int k = i; k > 0 && size(m->axis[k].stride) > size(m->axis[k - 1].stride); k--) {
      fg_mirror_axis kept = m->axis[k];
      m->axis[k] = m->axis[k - 1], m->axis[k - 1] = kept;
    }
}

void fg_mirror_fill(fg_mirror *m, void *array) {
  sort(m);
  fill(m, 0, array, array);
}

/* See mirror.h. Element k > n / 2 of the last dimension is the conjugate of element n - k, whose other indices are
 * mirrored, too. An index that is mirrored stays where it is at 0, so each such axis is two segments: the first
 * element, and the rest. Conjugates differ by a bit. */
#include "runtime/plan/mirror.h"
#include <string.h>

typedef uint64_t pair __attribute__((vector_size(16)));

#define SIGN (UINT64_C(1) << 63)
enum { IMAGINARY = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 63 : 31 }; /* sign of the second of two floats */

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define TURNED(x) __builtin_shufflevector(x, x, 1, 0)
#endif
#endif
#ifndef TURNED
#define TURNED(x) ((pair){(x)[1], (x)[0]})
#endif

/* Two at a time, of neighbours; returns how many. */
static int64_t line_of_pairs(char *to, const char *from, int64_t n) {
  const pair sign = {UINT64_C(1) << IMAGINARY, UINT64_C(1) << IMAGINARY};
  int64_t i = 0;
  for (; i + 2 <= n; i += 2) {
    pair x;
    memcpy(&x, from - (i + 1) * 8, sizeof x);
    x = TURNED(x) ^ sign;
    memcpy(to + i * 8, &x, sizeof x);
  }
  return i;
}

static void line_of_floats(char *to, const char *from, int64_t n, int64_t to_step, int64_t from_step) {
  int64_t i = to_step == 8 && from_step == -8 ? line_of_pairs(to, from, n) : 0;
  for (; i < n; i++) {
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
  else if (m->bytes == 4)
    line_of_floats(to, from, n, step, from_step);
  else if (m->bytes == 8)
    line_of_doubles(to, from, n, step, from_step);
  else
    line_of_halves(to, from, n, step, from_step);
}

static void fill(const fg_mirror *m, int number, char *to, const char *from) {
  const fg_mirror_axis *a = &m->axis[number];
  if (a->last) {
    int64_t first = a->n / 2 + 1;
    walk(m, number, to + first * a->stride, from + (a->n - first) * a->stride, a->n - first, -a->stride);
  } else if (a->mirrored) {
    walk(m, number, to, from, 1, a->stride);
    walk(m, number, to + a->stride, from + (a->n - 1) * a->stride, a->n - 1, -a->stride);
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

/* Elements of a prime field in place of floating point: the text of fftw/line and fftw/sweep is compiled with this file
 * before it, as C++, and then composes plans over the field.
 *
 * An element has the size of the type that it stands for, so that plans are those of the library: primes have 61 bits
 * for double, 31 for float. */
#ifndef FG_FFTW_FIELD_NUMBER_H
#define FG_FFTW_FIELD_NUMBER_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define restrict
#define _Alignas alignas
#define _Static_assert static_assert
#define CLONES
#define FG_FFTW_REAL fg_field_number

#if FG_FFTW_SINGLE
typedef uint32_t fg_field_word;
#else
typedef uint64_t fg_field_word;
#endif

extern uint64_t fg_field_prime;

struct fg_field_number {
  fg_field_word v; /* less than the prime */

  fg_field_number() = default;
  template <class T> fg_field_number(T x) : v(of((double)x)) {}
  fg_field_number operator-() const { return made(v ? fg_field_prime - v : 0); }
  fg_field_number operator+(fg_field_number b) const { return made((uint64_t)v + b.v); }
  fg_field_number operator-(fg_field_number b) const { return made((uint64_t)v + fg_field_prime - b.v); }
  fg_field_number operator*(fg_field_number b) const {
    fg_field_number x;
    x.v = (fg_field_word)((unsigned __int128)v * b.v % fg_field_prime);
    return x;
  }
  fg_field_number operator/(fg_field_number b) const { return *this * b.inverse(); }
  fg_field_number &operator+=(fg_field_number b) { return *this = *this + b; }
  fg_field_number &operator-=(fg_field_number b) { return *this = *this - b; }
  fg_field_number &operator*=(fg_field_number b) { return *this = *this * b; }
  fg_field_number &operator/=(fg_field_number b) { return *this = *this / b; }
  bool operator==(fg_field_number b) const { return v == b.v; }
  bool operator!=(fg_field_number b) const { return v != b.v; }

  fg_field_number power(uint64_t e) const {
    fg_field_number x = 1, base = *this;
    for (; e; e >>= 1, base = base * base)
      if (e & 1) x = x * base;
    return x;
  }
  fg_field_number inverse() const { return power(fg_field_prime - 2); }

  static fg_field_number made(uint64_t sum) { /* below twice the prime */
    fg_field_number x;
    x.v = (fg_field_word)(sum < fg_field_prime ? sum : sum - fg_field_prime);
    return x;
  }

private:
  static fg_field_word of(double x) { /* a whole number, or some quarters */
    int64_t quarters = (int64_t)(4 * x), prime = (int64_t)fg_field_prime;
    if ((double)quarters != 4 * x) fprintf(stderr, "no element of the field: %g\n", x), abort();
    if (quarters % 4 == 0) return (fg_field_word)((quarters / 4 % prime + prime) % prime);
    fg_field_number y, four;
    y.v = (fg_field_word)((quarters % prime + prime) % prime), four.v = 4;
    return (y / four).v;
  }
};

static inline fg_field_number operator*(int a, fg_field_number b) { return b * a; }

/* What fftw/base/vector.h declares for the compiler's vectors. */
template <int LANES> struct fg_field_lanes {
  fg_field_number lane[LANES];
  fg_field_number &operator[](int64_t i) { return lane[i]; }
#define FG_FIELD_EACH(op)                                                                                              \
  fg_field_lanes operator op(fg_field_lanes b) const {                                                                 \
    fg_field_lanes x;                                                                                                  \
    for (int i = 0; i < LANES; i++) x.lane[i] = lane[i] op b.lane[i];                                                  \
    return x;                                                                                                          \
  }
  FG_FIELD_EACH(+)
  FG_FIELD_EACH(-)
  FG_FIELD_EACH(*)
#undef FG_FIELD_EACH
      fg_field_lanes
      operator*(fg_field_number b) const {
    fg_field_lanes x;
    for (int i = 0; i < LANES; i++) x.lane[i] = lane[i] * b;
    return x;
  }
  fg_field_lanes &operator+=(fg_field_lanes b) { return *this = *this + b; }
};
template <int LANES> fg_field_lanes<LANES> operator*(fg_field_number a, fg_field_lanes<LANES> b) { return b * a; }

template <int LANES, class... Index>
fg_field_lanes<LANES> fg_field_shuffle(fg_field_lanes<LANES> a, fg_field_lanes<LANES> b, Index... index) {
  static_assert(sizeof...(index) == LANES);
  int from[] = {index...};
  fg_field_lanes<LANES> x;
  for (int i = 0; i < LANES; i++) x.lane[i] = from[i] < LANES ? a.lane[from[i]] : b.lane[from[i] - LANES];
  return x;
}
#define FG_VECTOR(name, bytes) typedef fg_field_lanes<bytes / sizeof(fg_field_number)> name
#define FG_VECTOR_BITS FG_VECTOR
#define FG_SIGNED(vector, bits, a, b) ((a) * (b))
/* Vectors of both widths: by turns. */
static inline bool fg_field_is_wide() {
  static bool wide;
  return wide = !wide;
}
#define FG_HAS_WIDE fg_field_is_wide()
#define FG_SHUFFLE fg_field_shuffle
#endif

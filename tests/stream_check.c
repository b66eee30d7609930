/* A stream that fftgen wrote, against the sum that defines a filter. It is st.h; compiled with
 * -DREAL=float -DTOLERANCE=... and, where it is so, -DCOMPLEX -DPLANAR -DOWN. usage: stream_check SEED; prints the
 * worst error over the root of the sum of squares.
 *
 * A signal is pushed in calls of random lengths, then again in others, in place, and after a reset: each time the
 * numbers are the same, bit by bit; and they are the filter's within the tolerance. */
#include "st.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef COMPLEX
enum { Z = 2 };
#else
enum { Z = 1 };
#endif

static unsigned long long seed;

static double draw(void) { /* -1 .. 1 */
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(long long)seed / 9223372036854775808.0;
}

static size_t draw_length(size_t most) {
  double x = (draw() + 1) / 2;
  size_t n = draw() < 0 ? (size_t)(x * 5) : (size_t)(x * x * 3 * (double)(size_t)ST_BLOCK);
  return n < most ? n : most;
}

static size_t at(size_t n, size_t channel, size_t i) { /* number of a sample in the test's arrays */
#ifdef PLANAR
  return (channel * n + i) * Z;
#else
  (void)n;
  return (i * (size_t)ST_CHANNELS + channel) * Z;
#endif
}

static void push(st_state *s, const REAL *in, size_t n, size_t from, size_t count, REAL *out) {
#ifdef PLANAR
  const REAL *ins[ST_CHANNELS];
  REAL *outs[ST_CHANNELS];
  size_t c;
  for (c = 0; c < (size_t)ST_CHANNELS; c++) ins[c] = in + at(n, c, from), outs[c] = out + at(n, c, from);
  st_push(s, ins, count, outs);
#else
  st_push(s, in + at(n, 0, from), count, out + at(n, 0, from));
#endif
}

static void run(st_state *s, const REAL *in, size_t n, REAL *out) {
  size_t done = 0;
  while (done < n) {
    size_t count = draw_length(n - done);
    push(s, in, n, done, count, out);
    done += count;
  }
}

static double worst_error(const REAL *taps, const REAL *in, const REAL *out, size_t n) {
  double worst = 0, energy = 0;
  size_t c, i, j, step = n / 300 + 1;
  for (i = 0; i < (size_t)ST_TAPS * Z; i++) energy += (double)taps[i] * (double)taps[i];
  for (c = 0; c < (size_t)ST_CHANNELS; c++) {
#ifdef OWN
    const REAL *h = taps + c * (size_t)ST_TAPS * Z;
#else
    const REAL *h = taps;
#endif
    for (i = 0; i < n; i += i < 3 * (size_t)ST_BLOCK && i < 400 ? 1 : step) {
      long double re = 0, im = 0; /* of two more digits than the stream */
      for (j = 0; j < (size_t)ST_TAPS && j + (size_t)ST_LATENCY <= i; j++) {
        const REAL *x = in + at(n, c, i - (size_t)ST_LATENCY - j);
        long double xr = x[0], xi = Z == 2 ? x[Z - 1] : 0;
        long double hr = h[j * Z], hi = Z == 2 ? h[j * Z + Z - 1] : 0;
        re += xr * hr - xi * hi, im += xr * hi + xi * hr;
      }
      const REAL *y = out + at(n, c, i);
      worst = fmax(worst, (double)fabsl(y[0] - re));
      if (Z == 2) worst = fmax(worst, (double)fabsl(y[Z - 1] - im));
    }
  }
  return worst / sqrt(energy);
}

static int same(const char *what, const REAL *a, const REAL *b, size_t numbers) {
  if (!memcmp(a, b, numbers * sizeof *a)) return 1;
  printf("%s: other numbers\n", what);
  return 0;
}

int main(int argc, char **argv) {
#ifdef OWN
  const size_t filters = (size_t)ST_CHANNELS;
#else
  const size_t filters = 1;
#endif
  const size_t n = 3 * (size_t)ST_TAPS + 5 * (size_t)ST_BLOCK + 77, numbers = n * Z * (size_t)ST_CHANNELS;
  const size_t ntap = (size_t)ST_TAPS * Z * filters;
  REAL *in = (REAL *)malloc(numbers * sizeof *in), *out = (REAL *)malloc(numbers * sizeof *in);
  REAL *again = (REAL *)malloc(numbers * sizeof *in), *taps = (REAL *)malloc(ntap * sizeof *in);
  char *memory = (char *)malloc(st_size() + 8); /* of any alignment that numbers may have */
  size_t i;
  int good = 1;
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  for (i = 0; i < 10; i++) draw();
  for (i = 0; i < numbers; i++) in[i] = (REAL)draw();
  for (i = 0; i < ntap; i++) taps[i] = (REAL)draw();
  st_state *s = st_init(memory + 8);
  st_filter(s, taps);
  run(s, in, n, out);
  double error = worst_error(taps, in, out, n);
  st_reset(s);
  run(s, in, n, again);
  good = same("other calls", out, again, numbers) && good;
  st_reset(s);
  memcpy(again, in, numbers * sizeof *in);
  run(s, again, n, again);
  good = same("in place", out, again, numbers) && good;
  st_reset(s);
  push(s, in, n, 0, n, again);
  good = same("one call", out, again, numbers) && good;
  printf("%.3g\n", error);
  free(in), free(out), free(again), free(taps), free(memory);
  return !good || !(error < TOLERANCE);
}

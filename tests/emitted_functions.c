/* The largest error of an emitted file's functions, in units of the last place, and what they make of edges. In:
 * EMITTED, a file with vectors of LANES numbers of REAL. Exit status 1: an error above 2 units, or another edge. */
#include EMITTED
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define JOIN(a, b, c) a##b##c
#define NAMED(lanes, name) JOIN(vec, lanes, name)
#define F(name) NAMED(LANES, _##name)
typedef NAMED(LANES, ) vector;
typedef vector function(vector);

enum { TURNS = 50000, EDGES = 8, BITS = sizeof(REAL) == 4 ? FLT_MANT_DIG : DBL_MANT_DIG };

static const REAL endless = (REAL)INFINITY, none = (REAL)NAN;

static uint64_t draw(void) { /* Marsaglia, Xorshift RNGs (2003) */
  static uint64_t state = 88172645463325252u;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

/* Any number above 0, or one near 1. */
static REAL number(int turn) {
  REAL x = 0;
  if (turn % 2) return (REAL)(0.5 + (double)(draw() >> 12) / 4503599627370496.0);
  while (!(x > 0 && x < endless)) {
    uint64_t bits = draw() >> (sizeof(REAL) == 4 ? 33 : 1);
    memcpy(&x, &bits, sizeof x);
  }
  return x;
}

static REAL power(int turn) { /* whose e^x is a number, of normal size */
  double most = sizeof(REAL) == 4 ? 87 : 708;
  (void)turn;
  return (REAL)(((double)(draw() >> 11) / 4503599627370496.0 - 1) * most);
}

static double units(REAL got, long double want) {
  int exponent;
  frexpl(want, &exponent);
  return (double)(fabsl(got - want) / ldexpl(1, exponent - BITS));
}

static int differ(const char *name, REAL x, REAL got, REAL want) {
  if (isnan(want) ? isnan(got) : got == want) return 0;
  printf("%s(%g) = %g\n", name, (double)x, (double)got);
  return 1;
}

static int check(function *f, long double (*by)(long double), REAL (*of)(int), const char *name, const REAL *want) {
  const REAL x[EDGES] = {0, (REAL)-0.0, -1, endless, -endless, none, 1, (REAL)-1e4};
  double most = 0;
  int bad = 0;
  for (int t = 0; t < TURNS; t++) {
    vector v = {0}, y;
    for (int l = 0; l < LANES; l++) v[l] = of(t);
    y = f(v);
    for (int l = 0; l < LANES; l++) most = fmax(most, units(y[l], by(v[l])));
  }
  for (int i = 0; i < EDGES; i++) {
    vector v = f((vector){0} + x[i]);
    for (int l = 0; l < LANES; l++) bad |= i != 6 && differ(name, x[i], v[l], want[i]);
  }
  printf("%s: %.2f units\n", name, most);
  return bad || !(most <= 2);
}

static int choices(void) {
  const REAL a[] = {1, -2, none, 3, -endless}, b[] = {2, -3, 4, none, 5}, least[] = {1, -3, 4, 3, -endless};
  const REAL largest[] = {2, -2, 4, 3, 5};
  int bad = 0;
  for (int i = 0; i < 5; i++) {
    vector u = (vector){0} + a[i], v = (vector){0} + b[i], low = F(fmin)(u, v), high = F(fmax)(u, v);
    for (int l = 0; l < LANES; l++)
      bad |= differ("min", a[i], low[l], least[i]) | differ("max", a[i], high[l], largest[i]);
  }
  return bad;
}

int main(void) {
  const REAL log_of[EDGES] = {-endless, -endless, none, endless, none, none, 0, none};
  const REAL exp_of[EDGES] = {1, 1, (REAL)0.36787944117144232, endless, 0, none, 0, 0};
  const REAL root_of[EDGES] = {0, 0, none, endless, none, none, 1, none};
  const REAL abs_of[EDGES] = {0, 0, 1, endless, endless, none, 1, (REAL)1e4};
  int bad = check(F(log), logl, number, "log", log_of) | check(F(log10), log10l, number, "log10", log_of);
  bad |= check(F(exp), expl, power, "exp", exp_of) | check(F(sqrt), sqrtl, number, "sqrt", root_of);
  return bad | check(F(fabs), fabsl, power, "abs", abs_of) | choices();
}

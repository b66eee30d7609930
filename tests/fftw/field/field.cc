/* See field.h. In: orders of roots. Out: a field that has all of them, its roots, and what fftw/line/roots.h promises.
 *
 * Real and imaginary parts are elements of their own. With z a root of order n, i one of order 4, the cosine is
 * (z + 1/z) / 2 and the sine (z - 1/z) / 2i. */
#include "field.h"
#include "fftw/line/roots.h"
#include <map>
#include <vector>

uint64_t fg_field_prime = 17;
static uint64_t order = 4; /* of all roots, a multiple of 4 */
static fg_field_number generator, imaginary;
static std::map<int64_t, std::vector<fg_complex>> tables;
static int64_t last;
static const fg_complex *last_table;
static bool lacking;
enum { BITS = FG_FFTW_SINGLE ? 31 : 61 };
static const uint64_t MOST = (uint64_t)1 << (BITS - 3); /* order that has some primes */

uint64_t fg_field_random(uint64_t *state) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static fg_field_number element(uint64_t v) {
  fg_field_number x;
  x.v = (fg_field_word)(v % fg_field_prime);
  return x;
}

/* Miller and Rabin's test of fg_field_prime; bases that decide all numbers of 64 bits. */
static bool is_prime(void) {
  static const int base[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  uint64_t p = fg_field_prime, odd = p - 1, twos = 0;
  for (; odd % 2 == 0; odd /= 2) twos++;
  for (int b : base) {
    if (p % b == 0) return p == (uint64_t)b;
    fg_field_number x = element(b).power(odd);
    bool good = x.v == 1 || x.v == p - 1;
    for (uint64_t i = 1; i < twos && !good; i++) x = x * x, good = x.v == p - 1;
    if (!good) return false;
  }
  return true;
}

static uint64_t divisor(uint64_t a, uint64_t b) { return b ? divisor(b, a % b) : a; }

/* Of order `order` exactly: no power by order / q is 1, q prime. */
static bool is_root(fg_field_number w) {
  uint64_t rest = order;
  for (uint64_t q = 2; q * q <= rest; q++) {
    if (rest % q) continue;
    while (rest % q == 0) rest /= q;
    if (w.power(order / q).v == 1) return false;
  }
  return rest == 1 || w.power(order / rest).v != 1;
}

bool fg_field_draw(uint64_t *random) {
  tables.clear(), last = 0, lacking = false;
  if (order > MOST) return false;
  uint64_t least = ((uint64_t)1 << (BITS - 1)) / order, more = least;
  int tries = 0;
  do {
    if (tries++ > 100000) return false;
    fg_field_prime = order * (least + fg_field_random(random) % more) + 1;
  } while (!is_prime());
  do generator = element(fg_field_random(random)).power((fg_field_prime - 1) / order);
  while (!generator.v || !is_root(generator));
  imaginary = generator.power(order / 4);
  return true;
}

static void fill(int64_t n, std::vector<fg_complex> *table) {
  table->resize((size_t)n);
  fg_field_number z = generator.power(order / n), power = 1, back = z.inverse(), inverse = 1, half = element(2).inverse(),
                  half_i = half / imaginary;
  for (int64_t k = 0; k < n; k++, power *= z, inverse *= back)
    (*table)[k] = fg_complex{(power + inverse) * half, (power - inverse) * half_i};
}

fg_complex fg_field_root(int64_t k, int64_t n) {
  if (order % n) order = order / divisor(order, n) * n, lacking = true;
  if (lacking) return fg_complex{0, 0};
  if (last != n) { /* a map finds more slowly */
    std::vector<fg_complex> &table = tables[n];
    if (table.empty()) fill(n, &table);
    last = n, last_table = table.data();
  }
  return last_table[(k % n + n) % n];
}

bool fg_field_lacks(void) { return lacking; }

void fg_field_forget(void) { order = 4; }

/* ---- fftw/line/roots.h ---------------------------------------------------------------- */

struct fg_roots {
  int64_t order;
};

fg_roots *fg_roots_create(int64_t of) { return new fg_roots{of}; }

void fg_roots_destroy(fg_roots *r) { delete r; }

fg_complex fg_roots_value(const fg_roots *r, int64_t e, fg_direction direction) {
  return fg_field_root(direction == FG_FORWARD ? -e : e, r->order);
}

void fg_roots_run(const fg_roots *r, int64_t first, int64_t step, int64_t count, fg_direction direction,
                  fg_complex *out) {
  for (int64_t i = 0; i < count; i++) out[i] = fg_roots_value(r, first + i * step, direction);
}

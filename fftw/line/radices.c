/* Lengths as products of codelets' lengths. In: n. Out: the cheapest product, by a sum over its passes.
 *
 * A pass costs the operations of its codelets, products with factors, and the traffic of its loads and stores, all per
 * point; more where its columns do not fill vectors. The search is over divisors of n alone, and each is decided
 * once. */
#include "fftw/line/method.h"
#include <math.h>

enum { MOST_DIVISORS = 2048 };

/* Numbers of cost per point, in operations of one lane. */
static const double moved = 6;      /* loads, stores and, of passes behind the first, loads of factors */
static const double factors = 9;    /* a product of complex numbers, and shuffles */
static const double spilled = 1.25; /* codelets whose values have no room in registers */
static const double crowded = 2;    /* the same with factors */
static const double copied = 5;     /* rows that share sets of the cache, by a buffer */
enum { FULL = 4, ROOM = 16, CROWD = 32, FAR = 1 << 15 /* points that L2 holds */ };
enum { ALIAS = 4096 /* bytes */, WAYS = 8 /* rows that a set has room for */, MANY = 64 };

typedef struct choice { /* for a divisor */
  int64_t n;
  double cost;
  int radix; /* of the last pass; 0: n is the leaf */
} choice;

typedef struct search {
  bool across;   /* passes over columns side by side, which fill vectors */
  int64_t whole; /* all of n */
  int count;
  choice of[MOST_DIVISORS];
} search;

/* More than 1 where so many columns leave lanes empty. */
static double emptiness(int64_t columns) {
  int64_t whole = columns / FULL, rest = columns % FULL;
  return ((double)whole + 0.6 * (double)rest) * FULL / (double)columns;
}

static double work_of(const fg_codelets *c) { return (c->add + c->fma) / (double)c->n * (c->n > ROOM ? spilled : 1); }

bool fg_radices_meet(int64_t rows, int64_t apart) {
  return rows >= WAYS && apart * (int64_t)sizeof(fg_complex) % ALIAS == 0;
}

/* The same, and many rows half as far apart. */
static bool crowd_sets(int64_t rows, int64_t apart) {
  return fg_radices_meet(rows, apart) || (rows >= MANY && fg_radices_meet(rows, 2 * apart));
}

static double leaf_cost(const search *s, int64_t n) {
  const fg_codelets *c = fg_codelets_find(n);
  if (!c || !c->leaf[0]) return INFINITY;
  return work_of(c) + moved + (!s->across && crowd_sets(n, s->whole / n) ? copied : 0);
}

static bool has_pass(const search *s, const fg_codelets *c) {
  return s->across ? c->across[0] != NULL : c->twiddle[0] != NULL;
}

static double pass_cost(const search *s, const fg_codelets *c, int64_t columns) {
  if (s->across) return work_of(c) + factors + moved;
  double far = (double)c->n * (double)columns > FAR ? 2 * moved : moved;
  if (crowd_sets(c->n, columns)) far += copied;
  double work = c->n >= CROWD ? work_of(c) * crowded / spilled : work_of(c);
  return (work + factors * (c->n - 1) / c->n) * emptiness(columns) + far;
}

/* The same for a divisor of n, remembered. */
static double best(search *s, int64_t n) {
  for (int i = 0; i < s->count; i++)
    if (s->of[i].n == n) return s->of[i].cost;
  choice c = {.n = n, .cost = leaf_cost(s, n)};
  for (const fg_codelets *r = fg_codelets_table(); r->n; r++) {
    if (!has_pass(s, r) || n % r->n || n == r->n) continue;
    double cost = best(s, n / r->n) + pass_cost(s, r, n / r->n);
    if (cost < c.cost) c.cost = cost, c.radix = r->n;
  }
  if (s->count < MOST_DIVISORS) s->of[s->count++] = c;
  return c.cost;
}

static int radix_of(const search *s, int64_t n) {
  for (int i = 0; i < s->count; i++)
    if (s->of[i].n == n) return s->of[i].radix;
  return 0;
}

int64_t fg_radices_rest(int64_t n) {
  static const int prime[] = {2, 3, 5, 7, 11, 13};
  for (int i = 0; i < (int)(sizeof prime / sizeof *prime); i++)
    while (n % prime[i] == 0) n /= prime[i];
  return n;
}

static fg_radices choose(search *s, int64_t n) {
  fg_radices r = {.cost = best(s, n)};
  int last[FG_LINE_PASSES];
  for (int radix; (radix = radix_of(s, n)) != 0; n /= radix) last[r.count++] = radix;
  for (int i = 0; i < r.count; i++) r.radix[i] = last[r.count - 1 - i];
  r.leaf = n;
  return r;
}

/* What has no codelet is the leaf, a line of its own; the passes behind it are chosen as if a pass preceded them. */
fg_radices fg_radices_choose(int64_t n) {
  search s = {.whole = n};
  int64_t rest = fg_radices_rest(n);
  if (rest > 1) s.of[s.count++] = (choice){.n = rest, .cost = 0};
  return choose(&s, n);
}

fg_radices fg_radices_choose_across(int64_t n) {
  search s = {.across = true, .whole = n};
  return choose(&s, n);
}

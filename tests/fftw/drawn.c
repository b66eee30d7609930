/* Drawn problems, ours against a rival, processor time. In: paths of two libraries with FFTW's functions, a number of
 * problems, a seed. Out: a line of csv for each problem, then means by kind, and of the times of planning from 256
 * points on, on standard error.
 * usage: drawn [--measure] [--most=POINTS] [--only=NUMBER,...] OURS RIVAL COUNT SEED [KIND...]
 *
 * --only measures again what is suspicious: problems by their line in the csv of all kinds, the first one is 1.
 * Both plan by ESTIMATE, or by MEASURE without any wisdom; libfftgen's cache is the caller's affair.
 *
 * The two run by turns; a ratio is the median of the turns' ratios, the rival's time over ours. */
#include "rival.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t number;
enum { PAIRS = 9, PLANNED = 256 /* points from which on planning is compared */ };

static number most_points = 1 << 20; /* of a problem */
static unsigned effort = FFTW_ESTIMATE;
static const char *only; /* numbers of problems, or NULL: all */

/* ---- drawing ---------------------------------------------------------------------- */

static double uniform(uint64_t *random) { return (double)draw(random, 1 << 30) / (1 << 30); }

/* From 2 to `most`, its logarithm uniform. */
static number any(uint64_t *random, number most) {
  return (number)(exp(log(2.0) + uniform(random) * (log((double)most + 1) - log(2.0))));
}

static bool is_prime(number n) {
  for (number p = 2; p * p <= n; p++)
    if (n % p == 0) return false;
  return n > 1;
}

static number prime(uint64_t *random, number most) {
  number n = any(random, most);
  while (!is_prime(n)) n--;
  return n;
}

/* The next product of 2, 3, 5 and 7. */
static number smooth(uint64_t *random, number most) {
  for (number n = any(random, most);; n = n > 2 ? n - 1 : 2) {
    number rest = n;
    for (int p = 2; p < 8; p++)
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

static number power(uint64_t *random, number most) {
  number n = any(random, most), two = 2;
  while (2 * two <= n) two *= 2;
  return two;
}

/* Products of small primes often. */
static number mixed(uint64_t *random, number most) {
  uint64_t way = draw(random, 8);
  return way < 3 ? smooth(random, most) : way < 6 ? power(random, most) : any(random, most);
}

/* ---- kinds ------------------------------------------------------------------------ */

typedef number (*length)(uint64_t *random, number most);

static void dimensions(problem *p, uint64_t *random, int rank, length n, number most) {
  p->rank = rank;
  number left = most;
  for (int d = 0; d < rank; d++) {
    number share = d == rank - 1 ? left : (number)pow((double)left, 1.0 / (rank - d) * (0.6 + 0.8 * uniform(random)));
    p->dim[d].n = n(random, share > 2 ? share : 2);
    left /= p->dim[d].n;
  }
}

static void real_kind(problem *p, uint64_t *random) {
  for (int d = 0; d < p->rank; d++) {
    p->kind[d] = (int)draw(random, FFTW_RODFT11 + 1);
    if (p->kind[d] == FFTW_REDFT00) p->dim[d].n++; /* 2 (n - 1) is what its speed depends on */
    if (p->kind[d] == FFTW_RODFT00 && p->dim[d].n > 2) p->dim[d].n--;
  }
}

static number points(const problem *p) {
  number all = 1;
  for (int d = 0; d < p->rank; d++) all *= p->dim[d].n;
  return all;
}

static number at_most(number x) { return x < most_points ? x : most_points; }

static void several(problem *p, uint64_t *random) {
  number most = at_most(1 << 18) / points(p);
  p->vectors = 1, p->vector[0].n = any(random, most > 2 ? most : 2);
}

static void pow2(problem *p, uint64_t *random) { dimensions(p, random, 1, power, most_points); }
static void smooth1(problem *p, uint64_t *random) { dimensions(p, random, 1, smooth, most_points); }
static void any1(problem *p, uint64_t *random) { dimensions(p, random, 1, any, most_points); }
static void prime1(problem *p, uint64_t *random) { dimensions(p, random, 1, prime, at_most(1 << 17)); }
static void two(problem *p, uint64_t *random) { dimensions(p, random, 2, mixed, most_points); }
static void three(problem *p, uint64_t *random) { dimensions(p, random, 3, mixed, most_points); }
static void real1(problem *p, uint64_t *random) {
  dimensions(p, random, 1, mixed, most_points), p->kind[0] = draw(random, 2) ? R2C : C2R;
}
static void real2(problem *p, uint64_t *random) {
  dimensions(p, random, 2 + (int)draw(random, 2), mixed, most_points), p->kind[0] = draw(random, 2) ? R2C : C2R;
}
static void r2r(problem *p, uint64_t *random) {
  dimensions(p, random, 1, mixed, at_most(1 << 16)), real_kind(p, random);
}
static void r2r2(problem *p, uint64_t *random) {
  dimensions(p, random, 2, mixed, at_most(1 << 16)), real_kind(p, random);
}
static void rows(problem *p, uint64_t *random) {
  dimensions(p, random, 1, mixed, at_most(1 << 12)), several(p, random);
}
static void strided(problem *p, uint64_t *random) { rows(p, random); }
static void split(problem *p, uint64_t *random) { dimensions(p, random, 1, mixed, at_most(1 << 16)), p->split = true; }
static void real_rows(problem *p, uint64_t *random) {
  dimensions(p, random, 1, mixed, at_most(1 << 12)), several(p, random), p->kind[0] = draw(random, 2) ? R2C : C2R;
}

typedef struct kind {
  const char *name;
  void (*draw)(problem *p, uint64_t *random);
  int columns; /* of 4: vectors are neighbours */
} kind;

static const kind kinds[] = {
    {"pow2", pow2, 0},   {"smooth", smooth1, 0},
    {"any", any1, 0},    {"prime", prime1, 0},
    {"2d", two, 0},      {"3d", three, 0},
    {"real", real1, 0},  {"real-nd", real2, 0},
    {"r2r", r2r, 0},     {"r2r-2d", r2r2, 0},
    {"rows", rows, 0},   {"strided", strided, 3},
    {"split", split, 0}, {"real-rows", real_rows, 1},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Dense rows, or vectors innermost; of r2c in place, rows of reals have the room of their results. */
static void lay_out(problem *p, bool columns) {
  for (int o = 0; o < 2; o++) {
    ptrdiff_t step = 1;
    for (int i = 0; i < p->rank + p->vectors; i++) {
      int axis =
          columns ? p->rank + p->vectors - 1 - i : (p->rank - 1 - i + p->rank + p->vectors) % (p->rank + p->vectors);
      X(iodim64) *d = axis < p->rank ? &p->dim[axis] : &p->vector[axis - p->rank];
      *(o ? &d->os : &d->is) = step;
      bool padded = p->in_place && p->kind[0] < 0 && p->kind[0] != DFT && axis == p->rank - 1;
      number half = p->dim[p->rank - 1].n / 2 + 1;
      step *= padded ? (p->kind[0] == (o ? R2C : C2R) ? half : 2 * half) : problem_elements(p, axis, o);
    }
  }
}

static problem draw_problem(const kind *k, uint64_t *random) {
  problem p = {.kind = {DFT}, .flags = effort, .sign = -1};
  k->draw(&p, random);
  if (!p.split && draw(random, 2)) p.sign = 1;
  if (p.kind[0] != DFT) p.sign = -1;
  bool columns = (int)draw(random, 4) < k->columns;
  p.in_place = draw(random, 4) == 0 && !(columns && p.kind[0] != DFT);
  lay_out(&p, columns);
  return p;
}

/* ---- timing ----------------------------------------------------------------------- */

typedef struct result {
  double time[2], plan[2], ratio; /* microseconds; ours, the rival's */
} result;

static double run(const library *l, X(plan) p, int repeats) {
  double start = now();
  for (int i = 0; i < repeats; i++) library_execute(l, p);
  return (now() - start) / repeats;
}

static bool measure(library *const *l, const problem *p, result *r) {
  arrays a;
  arrays_get(&a, p);
  X(plan) plan[2];
  for (int i = 0; i < 2; i++) {
    if (effort == FFTW_MEASURE) library_forget(l[i]);
    double start = now_of_all_threads();
    plan[i] = library_plan(l[i], p, &a);
    r->plan[i] = 1e6 * (now_of_all_threads() - start);
    if (!plan[i]) return false;
  }
  int repeats = 1;
  while (run(l[1], plan[1], repeats) * repeats < 2e-4) repeats *= 2;
  double time[2][PAIRS], ratio[PAIRS];
  run(l[0], plan[0], 1);
  for (int pair = 0; pair < PAIRS; pair++) {
    for (int i = 0; i < 2; i++) time[(i + pair) % 2][pair] = run(l[(i + pair) % 2], plan[(i + pair) % 2], repeats);
    ratio[pair] = time[1][pair] / time[0][pair];
  }
  for (int i = 0; i < 2; i++) {
    qsort(time[i], PAIRS, sizeof(double), compare_doubles);
    r->time[i] = 1e6 * time[i][PAIRS / 2];
    library_destroy(l[i], plan[i]);
  }
  qsort(ratio, PAIRS, sizeof *ratio, compare_doubles);
  r->ratio = ratio[PAIRS / 2];
  arrays_free(&a);
  return true;
}

/* ---- sums ------------------------------------------------------------------------- */

typedef struct sum {
  int count, slow;
  double log, worst;
} sum;

static void add(sum *s, double ratio) {
  s->worst = s->count && s->worst < ratio ? s->worst : ratio;
  s->log += log(ratio), s->slow += ratio < 0.85, s->count++;
}

static void print(const char *name, const sum *s) {
  if (s->count)
    fprintf(stderr, "%-10s %4d  mean %.3f  worst %.2f  below .85: %d\n", name, s->count, exp(s->log / s->count),
            s->worst, s->slow);
}

static bool is_listed(int number) {
  for (const char *at = only; at && *at; at += strcspn(at, ","), at += *at == ',')
    if (atoi(at) == number) return true;
  return !only;
}

static bool wanted(const char *name, int argc, char **argv) {
  for (int i = 5; i < argc; i++)
    if (!strcmp(argv[i], name)) return true;
  return argc <= 5;
}

/* Numbers of a problem, vectors and all. */
static number size(const problem *p) {
  number all = points(p);
  for (int i = 0; i < p->vectors; i++) all *= p->vector[i].n;
  return all;
}

/* What begins with --; the rest moves up. False: there is no such option. */
static bool take_options(int *argc, char **argv) {
  for (; *argc > 1 && !strncmp(argv[1], "--", 2); --*argc, memmove(argv + 1, argv + 2, sizeof *argv * (size_t)*argc))
    if (!strcmp(argv[1], "--measure"))
      effort = FFTW_MEASURE;
    else if (!strncmp(argv[1], "--most=", 7) && atoll(argv[1] + 7) > 2)
      most_points = atoll(argv[1] + 7);
    else if (!strncmp(argv[1], "--only=", 7))
      only = argv[1] + 7;
    else
      return false;
  return true;
}

int main(int argc, char **argv) {
  if (!take_options(&argc, argv) || argc < 5)
    return fprintf(stderr,
                   "usage: drawn [--measure] [--most=POINTS] [--only=NUMBER,...] OURS RIVAL COUNT SEED [KIND...]\n"),
           2;
  library *l[2] = {library_open(argv[1]), library_open(argv[2])};
  uint64_t random = strtoull(argv[4], NULL, 0);
  sum all = {0}, planning = {0}, of[KINDS] = {{0}};
  printf("kind,problem,ours_us,rival_us,ours_plan_us,rival_plan_us,ratio\n");
  for (int i = 0; i < atoi(argv[3]); i++) {
    const kind *k = &kinds[i % KINDS];
    problem p = draw_problem(k, &random);
    result r;
    if (!wanted(k->name, argc, argv) || !is_listed(i + 1)) continue;
    if (!measure(l, &p, &r)) return fprintf(stderr, "no plan: %s\n", problem_text(&p)), 1;
    printf("%s,%s,%.4g,%.4g,%.3g,%.3g,%.3f\n", k->name, problem_text(&p), r.time[0], r.time[1], r.plan[0], r.plan[1],
           r.ratio);
    if (size(&p) >= PLANNED) add(&planning, r.plan[1] / r.plan[0]);
    add(&all, r.ratio), add(&of[i % KINDS], r.ratio);
  }
  for (int i = 0; i < KINDS; i++) print(kinds[i].name, &of[i]);
  print("all", &all), print("planning", &planning);
  return 0;
}

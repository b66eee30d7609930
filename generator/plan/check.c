/* Whether plans fit: the lengths and checks of steps, which plan/steps.def names.
 *
 * In: a plan, a problem. Out: the plan's length; yes, or a message. The one idea: a check goes down the tree with the
 * kind and the length that every node must have. */
#include "generator/base/integer.h"
#include "generator/base/text_match.h"
#include "generator/codelet/codelet.h"
#include "generator/math/field.h"
#include "generator/plan/plan.h"
#include "generator/problem/frames.h"
#include "generator/problem/spectrum.h"

static fg_status check_kind(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n);

/* ---- lengths ------------------------------------------------------------- */

/* Of the numbers; 0 when it passes the limit. */
static int64_t length_product(const fg_plan *p) {
  int64_t n = 1;
  for (int i = 0; i < p->narg; i++)
    if (__builtin_mul_overflow(n, p->arg[i], &n) || n > FG_PLAN_LIMIT) return 0;
  return n;
}

/* Of the plans' lengths. */
static int64_t length_plans(const fg_plan *p) {
  int64_t n = 1;
  for (int i = 0; i < p->nchild; i++)
    if (__builtin_mul_overflow(n, fg_plan_length(p->child[i]), &n) || n > FG_PLAN_LIMIT) return 0;
  return n;
}

/* Of a number and a plan's length. */
static int64_t length_split(const fg_plan *p) {
  int64_t n;
  return __builtin_mul_overflow(p->arg[0], fg_plan_length(p->child[0]), &n) || n > FG_PLAN_LIMIT ? 0 : n;
}

static int64_t length_any(const fg_plan *p) {
  (void)p;
  return 0;
}

int64_t fg_plan_convolution(const fg_plan *p) {
  if (p->step == FG_BLUESTEIN) return p->arg[0];
  int64_t length = fg_plan_length(p->child[0]);
  return length ? length : p->arg[0] - 1;
}

static fg_status misfit(fg_context *cx, const fg_plan *p, const char *what, const char *allowed) {
  return fg_refuse(cx, "plan %s: %s; allowed: %s", fg_plan_print(cx, p), what, allowed);
}

bool fg_plan_has_matrix(const fg_plan *p) {
  return p && p->step == FG_DIRECT && fg_plan_param_value(p, FG_PARAM_MATRIX);
}

/* A codelet of n points must exist. */
static fg_status check_radix(fg_context *cx, const fg_plan *p, int64_t n, int64_t least) {
  int most = fg_plan_has_matrix(p) ? fg_codelet_matrix_limit() : fg_codelet_limit();
  if (n >= least && n <= most) return FG_OK;
  return misfit(cx, p, fg_arena_printf(cx->arena, "%lld is no size of a codelet", (long long)n),
                fg_arena_printf(cx->arena, "%d .. %d", (int)least, most));
}

static fg_status check_product(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  (void)kind;
  int64_t least = p->step != FG_STOCKHAM || (p->narg == 1 && n == 1) ? 1 : 2;
  for (int i = 0; i < p->narg; i++) {
    fg_status st = check_radix(cx, p, p->arg[i], least);
    if (st) return st;
  }
  if (length_product(p) == n) return FG_OK;
  return misfit(cx, p, fg_arena_printf(cx->arena, "not a plan of %lld points", (long long)n),
                p->step != FG_STOCKHAM ? "the length itself" : "radices whose product is the length");
}

static fg_status check_split(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  (void)kind;
  fg_status st = check_radix(cx, p, p->arg[0], 2);
  if (st) return st;
  if (n % p->arg[0])
    return misfit(cx, p, fg_arena_printf(cx->arena, "%lld does not divide %lld", (long long)p->arg[0], (long long)n),
                  "a divisor of the length");
  return fg_plan_check(cx, p->child[0], n / p->arg[0]);
}

static fg_status check_bluestein(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  if (kind != FG_C2C && n % 2 == 0) return misfit(cx, p, "bluestein of an even number of reals", "real(R, PLAN)");
  if (n > FG_PLAN_LIMIT / 2 || p->arg[0] < 2 * n - 2)
    return misfit(cx, p, fg_arena_printf(cx->arena, "too short for %lld points", (long long)n),
                  n > FG_PLAN_LIMIT / 2 ? "up to 2^61 points"
                                        : fg_arena_printf(cx->arena, "%lld and more", (long long)(2 * n - 2)));
  return fg_plan_check(cx, p->child[0], p->arg[0]);
}

/* Its addresses are reduced modulo n: a step of its own under them has no form but
 * where it loads and stores whole elements of its views. */
static fg_status check_prime_factor(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  (void)kind;
  int64_t length[2] = {fg_plan_length(p->child[0]), fg_plan_length(p->child[1])};
  if (fg_plan_length(p) != n || n >> 31)
    return misfit(cx, p, fg_arena_printf(cx->arena, "not a plan of %lld points", (long long)n),
                  "two plans of known lengths whose product is the length, below 2^31");
  if (fg_gcd(length[0], length[1]) > 1)
    return misfit(
        cx, p,
        fg_arena_printf(cx->arena, "%lld and %lld have a common factor", (long long)length[0], (long long)length[1]),
        "lengths without");
  for (int i = 0; i < 2; i++) {
    fg_step step = p->child[i]->step;
    if (step != FG_DIRECT && step != FG_STOCKHAM && step != FG_PRIME_FACTOR)
      return misfit(cx, p, fg_arena_printf(cx->arena, "%s inside of prime-factor", fg_step_name(step)),
                    "direct, stockham and prime-factor");
    fg_status st = fg_plan_check(cx, p->child[i], length[i]);
    if (st) return st;
  }
  return FG_OK;
}

enum { MOST_INDEX_BITS = 31 };

static fg_status check_rader(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  (void)kind;
  int64_t length = fg_plan_convolution(p);
  if (p->arg[0] != n)
    return misfit(cx, p, fg_arena_printf(cx->arena, "not a plan of %lld points", (long long)n), "the length itself");
  if (n < 3 || n >> MOST_INDEX_BITS || !fg_integer_is_prime((uint64_t)n))
    return misfit(cx, p, fg_arena_printf(cx->arena, "%lld is no odd prime below 2^31", (long long)n), "such primes");
  if (length != n - 1 && length < 2 * n - 3)
    return misfit(cx, p, fg_arena_printf(cx->arena, "a convolution of %lld points", (long long)length),
                  fg_arena_printf(cx->arena, "%lld, or %lld and more", (long long)n - 1, (long long)(2 * n - 3)));
  return fg_plan_check(cx, p->child[0], length);
}

static fg_status check_pairs(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  if (p->arg[0] % 2)
    return misfit(cx, p, fg_arena_printf(cx->arena, "an odd real radix %lld", (long long)p->arg[0]), "even ones");
  return check_split(cx, p, kind, n);
}

/* Columns of reals, rows of complex numbers whose last pass stores one half of them as conjugates. */
static fg_status check_columns_of_reals(fg_context *cx, const fg_plan *p, fg_kind kind) {
  const fg_plan *columns = p->child[0], *rows = p->child[1];
  if (columns->step != FG_DIRECT && columns->step != FG_STOCKHAM)
    return misfit(cx, p, fg_arena_printf(cx->arena, "%s for columns of reals", fg_step_name(columns->step)),
                  "direct and stockham");
  bool odd = fg_plan_length(columns) % 2 && fg_plan_length(rows) % 2;
  if (rows->step != FG_STOCKHAM || rows->narg < 2 || (rows->arg[rows->narg - 1] % 2 && (kind == FG_C2R || !odd)))
    return misfit(cx, p, "rows that are not stockham's passes with an even one last, or an odd r2c",
                  "four-step(stockham(16,16), stockham(16,16))");
  return FG_OK;
}

static fg_status check_four_step(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  fg_status st = kind == FG_C2C ? FG_OK : check_columns_of_reals(cx, p, kind);
  if (st) return st;
  int64_t columns = fg_plan_length(p->child[0]);
  if (fg_plan_length(p) != n)
    return misfit(cx, p, fg_arena_printf(cx->arena, "not a plan of %lld points", (long long)n),
                  "two plans of known lengths whose product is the length");
  st = fg_plan_check(cx, p->child[0], columns);
  return st ? st : fg_plan_check(cx, p->child[1], n / columns);
}

/* The transform, and its length, that trig reduces a cosine or sine transform of n to. */
static fg_kind inner_of_trig(fg_kind kind, int64_t n, int64_t *inner) {
  *inner = n;
  switch (kind) {
  case FG_DCT1: *inner = 2 * (n - 1); return FG_R2C;
  case FG_DST1: *inner = 2 * (n + 1); return FG_R2C;
  case FG_DCT3:
  case FG_DST3: return FG_C2R;
  case FG_DCT4:
  case FG_DST4:
    if (n % 2) return FG_R2C;
    *inner = n / 2;
    return FG_C2C;
  default: return FG_R2C;
  }
}

static fg_status check_trig(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  int64_t inner;
  fg_kind of = inner_of_trig(kind, n, &inner);
  return inner < 1 ? misfit(cx, p, "too short", "direct(N)") : check_kind(cx, p->child[0], of, inner);
}

static fg_status check_fold(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  (void)kind;
  return check_kind(cx, p->child[0], FG_DCT4, n);
}

static fg_status check_convolution(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  return check_kind(cx, p->child[0], fg_problem_kind_inside(kind, true), n);
}

static fg_status check_complex_inside(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  (void)kind;
  return fg_plan_check(cx, p->child[0], n);
}

static fg_status check_dimensions(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  (void)kind, (void)n;
  return misfit(cx, p, "nd where one dimension is", "nd alone, and for problems of several dimensions");
}

static fg_status check_frames(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  (void)kind, (void)n;
  return misfit(cx, p, "frames where a transform is", "frames alone, and for problems of frames");
}

/* ---- the table ----------------------------------------------------------- */

enum { COMPLEX = 1, REAL = 2, TRIG = 4, CONV = 8, DIMENSIONS = 16, LAPPED = 32 };

static const struct row {
  unsigned serves;
  int64_t (*length)(const fg_plan *p);
  fg_status (*check)(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n);
} rows[] = {
#define STEP(ID, NAME, FORM, LEAST, MOST, LEAST_CHILD, NCHILD, SERVES, LENGTH, CHECK, BUILD, TABLES, HELP)             \
  [FG_##ID] = {SERVES, length_##LENGTH, check_##CHECK},
#include "generator/plan/steps.def"
};

int64_t fg_plan_length(const fg_plan *p) { return rows[p->step].length(p); }

int64_t fg_plan_held(const fg_plan *p) {
  int64_t most = fg_plan_length(p), parts = p->step == FG_COOLEY_TUKEY ? p->arg[0] : 1;
  for (int i = 0; i < p->nchild; i++) most = fg_larger(most, parts * fg_plan_held(p->child[i]));
  return p->step == FG_RADER ? 2 * most : most;
}

static unsigned served_by(fg_kind kind) {
  if (kind == FG_C2C) return COMPLEX;
  if (kind == FG_R2C || kind == FG_C2R) return REAL;
  if (fg_problem_kind_is_lapped(kind)) return LAPPED;
  return fg_problem_kind_convolves(kind) ? CONV : TRIG;
}

/* Forms of the steps that serve. */
static const char *steps_for(fg_context *cx, unsigned kinds) {
  const char *list = "";
  for (int i = 0; i < FG_STEP_COUNT; i++)
    if (rows[i].serves & kinds)
      list = fg_arena_printf(cx->arena, "%s%s%s", list, *list ? ", " : "", fg_step_form((fg_step)i));
  return list;
}

static fg_status check_kind(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  const struct row *row = &rows[p->step];
  unsigned kinds = served_by(kind);
  if (row->serves & (kinds | DIMENSIONS)) return row->check(cx, p, kind, n);
  return misfit(cx, p, fg_arena_printf(cx->arena, "no plan of %s", fg_problem_kind_name(kind)), steps_for(cx, kinds));
}

fg_status fg_plan_check(fg_context *cx, const fg_plan *p, int64_t n) { return check_kind(cx, p, FG_C2C, n); }

/* ---- problems ------------------------------------------------------------ */

static fg_status fits_frames(fg_context *cx, const fg_plan *p, const fg_problem *problem) {
  if (p->step != FG_FRAMES) return misfit(cx, p, "not a plan of frames", "frames(PLAN)");
  return check_kind(cx, p->child[0], fg_problem_line_kind(problem, 1), problem->dim[1].n.n);
}

/* Of a complex convolution the plan says which dimension goes forward and back at once. */
static fg_kind kind_along(const fg_plan *p, const fg_problem *problem, int i) {
  if (problem->kind == FG_CONV) return p->child[i]->step == FG_CONVOLVE ? FG_CONV : FG_C2C;
  return fg_problem_line_kind(problem, i);
}

static fg_status fits_dimensions(fg_context *cx, const fg_plan *p, const fg_problem *problem) {
  if (p->step != FG_ND || p->nchild != problem->rank)
    return misfit(cx, p, fg_arena_printf(cx->arena, "not a plan of %d dimensions", problem->rank),
                  fg_arena_printf(cx->arena, "nd with %d plans, one for each dimension", problem->rank));
  int convolve = 0;
  for (int i = 0; i < p->nchild; i++) {
    convolve += p->child[i]->step == FG_CONVOLVE;
    if (p->child[i]->step == FG_FOUR_STEP && i && fg_plan_param_value(p->child[i], FG_PARAM_CLUSTER))
      return misfit(cx, p, "four-step by clusters of another dimension than the first",
                    "there four-step of two kernels");
    fg_status st = check_kind(cx, p->child[i], kind_along(p, problem, i), problem->dim[i].n.n);
    if (st) return st;
  }
  if (problem->kind == FG_CONV && convolve != 1)
    return misfit(cx, p, fg_arena_printf(cx->arena, "%d dimensions by convolve", convolve),
                  "one dimension by convolve");
  return FG_OK;
}

/* The same operations on numbers, whatever surrounds them: what else a plan asks
 * for must not contradict that. */
static fg_status check_deterministic(fg_context *cx, const fg_plan *p) {
  if (!fg_plan_param_value(p, FG_PARAM_DETERMINISTIC)) return FG_OK;
  if (fg_plan_param_value(p, FG_PARAM_FMA) == 1) return misfit(cx, p, "deterministic, but fused", "fma=off");
  if (fg_plan_param_value(p, FG_PARAM_COMPLEX_VECTORS) >= 2)
    return misfit(cx, p, "deterministic, but interleaved vectors", "complex_vectors=split");
  return FG_OK;
}

static const char *part_param_at(int i) {
  for (int k = 0; k < FG_PARAM_COUNT; k++)
    if (fg_param_table()[k].of_parts && i-- == 0) return fg_param_table()[k].name;
  return NULL;
}

/* Of steps one alone is a codelet that warps compute. */
static fg_status check_matrix(fg_context *cx, const fg_plan *p) {
  bool without = fg_plan_param_value(p, FG_PARAM_MATRIX) && p->step != FG_DIRECT;
  return without ? misfit(cx, p, "matrix=on", "direct(N; matrix=on)") : FG_OK;
}

/* What is read of the whole plan would do nothing where only a part of it says so. */
static fg_status check_parts(fg_context *cx, const fg_plan *p) {
  for (int i = 0; i < p->nchild; i++) {
    const fg_plan *part = p->child[i];
    for (int k = 0; k < part->nparam; k++) {
      const fg_param_info *info = &fg_param_table()[part->param[k].id];
      if (!info->of_parts)
        return misfit(cx, part, fg_arena_printf(cx->arena, "%s= inside of another plan", info->name),
                      fg_arena_printf(cx->arena, "there %s, all others behind the outermost plan's last ';'",
                                      fg_words_join(cx->arena, part_param_at)));
    }
    fg_status st = check_parts(cx, part);
    if (st) return st;
  }
  return FG_OK;
}

fg_status fg_plan_fits(fg_context *cx, const fg_plan *p, const fg_problem *problem) {
  fg_status fit = check_deterministic(cx, p);
  if (!fit) fit = check_parts(cx, p);
  if (!fit) fit = check_matrix(cx, p);
  if (fit) return fit;
  if (fg_problem_has_frames(problem)) return fits_frames(cx, p, problem);
  if (problem->rank > 1) return fits_dimensions(cx, p, problem);
  return check_kind(cx, p, problem->kind, problem->dim[0].n.n);
}

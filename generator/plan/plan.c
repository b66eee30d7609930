/* Plans as text, and whether they fit.
 *
 * In: one line, step(numbers, children; key=value). Out: a tree of fg_plan; and the way back. The one idea: a table
 * with one row for each step has the counts of numbers and children. Only fg_plan_check knows what the numbers mean;
 * it goes down the tree with the length that every node must have. */
#include "generator/plan/plan.h"
#include "generator/base/gcd.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/codelet/codelet.h"
#include "generator/math/field.h"
#include "generator/problem/spectrum.h"
#include <string.h>

#define LIMIT (INT64_C(1) << 62)
enum { MAX_DEPTH = 16 };

static const struct step {
  const char *name, *form;
  int least, most; /* numbers */
  int least_child, nchild;
  const char *help;
} steps[] = {
    [FG_DIRECT] = {"direct", "direct(N)", 1, 1, 0, 0, "N points by one straight-line codelet"},
    [FG_STOCKHAM] = {"stockham", "stockham(R1,R2,...)", 1, FG_PLAN_ARGS, 0, 0,
                     "R1 R2 ... points, one pass over the data a radix"},
    [FG_COOLEY_TUKEY] = {"cooley-tukey", "cooley-tukey(R, PLAN)", 1, 1, 1, 1,
                         "R transforms by PLAN, then one pass of radix R"},
    [FG_BLUESTEIN] = {"bluestein", "bluestein(L, PLAN)", 1, 1, 1, 1,
                      "any length N by a convolution of L >= 2N-2 points"},
    [FG_RADER] = {"rader", "rader(N, PLAN)", 1, 1, 1, 1, "odd primes N by a convolution of N-1 points"},
    [FG_PRIME_FACTOR] = {"prime-factor", "prime-factor(PLAN, PLAN)", 0, 0, 2, 2,
                         "lengths without a common factor, no twiddle factors between"},
    [FG_FOUR_STEP] = {"four-step", "four-step(PLAN, PLAN)", 0, 0, 2, 2,
                      "columns by the first, rows by the second; two kernels, or clusters"},
    [FG_ND] = {"nd", "nd(PLAN, PLAN, ...)", 0, 0, 2, FG_PLAN_CHILDREN, "several dimensions, the slowest first"},
    [FG_REAL] = {"real", "real(R, PLAN)", 1, 1, 1, 1, "r2c and c2r: neighbouring reals are complex numbers"},
    [FG_TRIG] = {"trig", "trig(PLAN)", 0, 0, 1, 1, "cosine and sine transforms by a real or complex one"},
    [FG_DENSE] = {"dense", "dense(N)", 1, 1, 0, 0, "GPUs: odd N by cosines and sines, a thread for each"},
    [FG_AS_COMPLEX] = {"as-complex", "as-complex(PLAN)", 0, 0, 1, 1,
                       "GPUs, r2c: reals as complex numbers, half of whose transform is kept"},
    [FG_PAIRED] = {"paired", "paired(PLAN)", 0, 0, 1, 1,
                   "GPUs, r2c, a batch: two transforms as the parts of a complex one"},
    [FG_CONVOLVE] = {"convolve", "convolve(PLAN)", 0, 0, 1, 1,
                     "conv, rconv: a transform, times the spectrum, and back"},
    [FG_STEP_COUNT] = {NULL, NULL, 0, 0, 0, 0, NULL},
};

static const struct {
  const char *old;
  fg_step step;
} older_steps[] = {
#define ALIAS_STEP(old, STEP) {old, FG_##STEP},
#include "generator/plan/aliases.def"
};

static const char *step_at(int i) { return steps[i].name; }
const char *fg_step_name(fg_step s) { return steps[s].name; }
const char *fg_step_form(fg_step s) { return steps[s].form; }
const char *fg_step_help(fg_step s) { return steps[s].help; }

static const char *older_step_at(int i) {
  return i < (int)(sizeof older_steps / sizeof *older_steps) ? older_steps[i].old : NULL;
}

static int find_step(const char *name, size_t length) {
  int step = fg_words_find(name, length, step_at), older = fg_words_find(name, length, older_step_at);
  return step >= 0 || older < 0 ? step : (int)older_steps[older].step;
}

int fg_step_find(const char *name) { return find_step(name, strlen(name)); }

/* ---- parsing ------------------------------------------------------------- */

typedef struct parser {
  fg_context *cx;
  const char *text, *at;
} parser;

static fg_status fail(parser *ps, const char *at, const char *what, const char *allowed) {
  return fg_diag_set(&ps->cx->diag, FG_EUSER, "plan, column %d: %s; allowed: %s", (int)(at - ps->text) + 1, what,
                     allowed);
}

static char peek(parser *ps) {
  while (*ps->at == ' ' || *ps->at == '\t') ps->at++;
  return *ps->at;
}

static bool skip(parser *ps, char c) {
  if (peek(ps) != c) return false;
  ps->at++;
  return true;
}

static const char *here(parser *ps) {
  if (!peek(ps)) return "the end";
  return fg_words_quote(ps->cx->arena, ps->at, strcspn(ps->at, " \t"));
}

static fg_status expect(parser *ps, char c, const char *form) {
  if (skip(ps, c)) return FG_OK;
  return fail(ps, ps->at, fg_arena_printf(ps->cx->arena, "%s where '%c' belongs", here(ps), c), form);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static size_t name_length(parser *ps) {
  size_t n = 0;
  if (!is_letter(peek(ps))) return 0;
  while (is_letter(ps->at[n]) || is_digit(ps->at[n]) || ps->at[n] == '-' || ps->at[n] == '_') n++;
  return n;
}

static fg_status parse_integer(parser *ps, int64_t lo, int64_t hi, int64_t *out) {
  const char *what = here(ps), *start = ps->at;
  const char *allowed = fg_arena_printf(ps->cx->arena, "%lld .. %lld", (long long)lo, (long long)hi);
  int64_t value = 0;
  bool fits = is_digit(*ps->at);
  for (; is_digit(*ps->at); ps->at++)
    fits = fits && !__builtin_mul_overflow(value, 10, &value) && !__builtin_add_overflow(value, *ps->at - '0', &value);
  if (!fits || value < lo || value > hi)
    return fail(ps, start, fg_arena_printf(ps->cx->arena, "%s is no number in range", what), allowed);
  *out = value;
  return FG_OK;
}

/* The list is in the order of params.def. */
static int place_of_param(const fg_plan *p, int id) {
  int i = 0;
  while (i < p->nparam && p->param[i].id < id) i++;
  return i;
}

static void insert_param(fg_plan *p, int at, fg_plan_param fresh) {
  memmove(&p->param[at + 1], &p->param[at], (size_t)(p->nparam - at) * sizeof *p->param);
  p->param[at] = fresh;
  p->nparam++;
}

static fg_status add_param(parser *ps, const char *start, fg_plan *p, fg_plan_param fresh) {
  const char *name = fg_param_table()[fresh.id].name;
  int i = place_of_param(p, fresh.id);
  if (i < p->nparam && p->param[i].id == fresh.id)
    return fail(ps, start, fg_arena_printf(ps->cx->arena, "'%s' given twice", name), "each parameter once");
  insert_param(p, i, fresh);
  return FG_OK;
}

fg_plan *fg_plan_with(fg_context *cx, const fg_plan *p, fg_param_id id, int64_t value) {
  fg_plan *own = fg_arena_copy(cx->arena, p, sizeof *p);
  fg_plan_param param = {.id = id, .value = value};
  int i = place_of_param(own, id);
  if (i < own->nparam && own->param[i].id == (int)id)
    own->param[i] = param;
  else
    insert_param(own, i, param);
  return own;
}

/* A name, or a number. */
static fg_status parse_value(parser *ps, const fg_param_info *info, int64_t *out) {
  const char *start = (peek(ps), ps->at);
  size_t length = name_length(ps);
  if (!info->values || (!length && !info->is_option)) return parse_integer(ps, info->lo, info->hi, out);
  ps->at += length;
  if (fg_param_value_find(info, start, length, out)) return FG_OK;
  const char *word = length ? fg_words_quote(ps->cx->arena, start, length) : (ps->at = start, here(ps));
  return fail(ps, start, fg_arena_printf(ps->cx->arena, "%s is no value of %s", word, info->name),
              fg_param_value_list(ps->cx->arena, info));
}

/* What was a sum: each of its bits is a parameter now. */
static fg_status parse_bits(parser *ps, const char *start, fg_plan *p, const char *old) {
  int64_t all = 0, value;
  for (const fg_param_alias *a = fg_param_aliases(); a->old; a++)
    if (!strcmp(a->old, old)) all |= a->bit;
  fg_status st = parse_integer(ps, 0, all, &value);
  for (const fg_param_alias *a = fg_param_aliases(); a->old && !st; a++)
    if (!strcmp(a->old, old) && value & a->bit) st = add_param(ps, start, p, (fg_plan_param){a->id, a->value});
  return st;
}

static const char *param_at(int i) { return i < FG_PARAM_COUNT ? fg_param_table()[i].name : NULL; }

static fg_status parse_param(parser *ps, fg_plan *p) {
  fg_arena *a = ps->cx->arena;
  size_t length = name_length(ps);
  const char *start = ps->at, *name = fg_arena_printf(a, "%.*s", (int)length, start);
  const fg_param_alias *alias = fg_param_alias_find(name);
  fg_plan_param fresh = {.id = fg_param_find(name)};
  if (fresh.id < 0 && !alias) {
    const char *what =
        fg_arena_printf(a, "unknown parameter %s%s", length ? fg_words_quote(a, start, length) : here(ps),
                        fg_words_near(a, start, length, param_at));
    return fail(ps, start, what, fg_words_join(a, param_at));
  }
  ps->at += length;
  fg_status st = expect(ps, '=', "key=value");
  if (!st && fresh.id < 0) return parse_bits(ps, start, p, alias->old);
  if (!st) st = parse_value(ps, &fg_param_table()[fresh.id], &fresh.value);
  return st ? st : add_param(ps, start, p, fresh);
}

static fg_status parse_step(parser *ps, int depth, fg_plan **out);

static fg_status parse_item(parser *ps, int depth, fg_plan *p) {
  const struct step *s = &steps[p->step];
  const char *start = (peek(ps), ps->at);
  if (is_letter(*start)) {
    if (p->nchild == s->nchild)
      return fail(ps, start, fg_arena_printf(ps->cx->arena, "%s takes no further plan", s->name), s->form);
    return parse_step(ps, depth + 1, &p->child[p->nchild++]);
  }
  if (p->nchild || p->narg == s->most)
    return fail(ps, start, fg_arena_printf(ps->cx->arena, "%s takes no further number", s->name), s->form);
  return parse_integer(ps, 1, LIMIT, &p->arg[p->narg++]);
}

static fg_status parse_step(parser *ps, int depth, fg_plan **out) {
  fg_arena *a = ps->cx->arena;
  size_t length = name_length(ps);
  const char *start = ps->at;
  int step = find_step(start, length);
  fg_status st;
  if (step < 0) {
    const char *what = fg_arena_printf(a, "unknown step %s%s", length ? fg_words_quote(a, start, length) : here(ps),
                                       fg_words_near(a, start, length, step_at));
    return fail(ps, start, what, fg_words_join(a, step_at));
  }
  if (depth > MAX_DEPTH) return fail(ps, start, "steps nested too deeply", "16 levels");
  ps->at += length;
  fg_plan *p = fg_arena_new(a, fg_plan, 1);
  p->step = (fg_step)step;
  if ((st = expect(ps, '(', steps[step].form))) return st;
  do {
    if ((st = parse_item(ps, depth, p))) return st;
  } while (skip(ps, ','));
  for (char c = ';'; skip(ps, c); c = ',')
    if ((st = parse_param(ps, p))) return st;
  if (p->narg < steps[step].least || p->nchild < steps[step].least_child)
    return fail(ps, ps->at, fg_arena_printf(a, "%s needs more", steps[step].name), steps[step].form);
  if ((st = expect(ps, ')', steps[step].form))) return st;
  *out = p;
  return FG_OK;
}

fg_status fg_plan_parse(fg_context *cx, const char *text, fg_plan **out) {
  parser ps = {cx, text, text};
  fg_plan *p;
  fg_status st = parse_step(&ps, 1, &p);
  if (st) return st;
  if (peek(&ps)) return fail(&ps, ps.at, fg_arena_printf(cx->arena, "%s after the plan", here(&ps)), "one plan");
  *out = p;
  return FG_OK;
}

/* ---- printing ------------------------------------------------------------ */

static void print_step(fg_strbuf *s, const fg_plan *p) {
  fg_strbuf_addf(s, "%s(", steps[p->step].name);
  for (int i = 0; i < p->narg; i++) fg_strbuf_addf(s, "%s%lld", i ? "," : "", (long long)p->arg[i]);
  for (int i = 0; i < p->nchild; i++) {
    fg_strbuf_add(s, i || p->narg ? ", " : "");
    print_step(s, p->child[i]);
  }
  for (int i = 0; i < p->nparam; i++) {
    const fg_param_info *info = &fg_param_table()[p->param[i].id];
    fg_strbuf_addf(s, "%s%s=", i ? ", " : "; ", info->name);
    fg_param_value_print(s, info, p->param[i].value);
  }
  fg_strbuf_add(s, ")");
}

char *fg_plan_print(fg_context *cx, const fg_plan *p) {
  fg_strbuf s;
  fg_strbuf_init(&s, cx->arena);
  print_step(&s, p);
  return s.text;
}

/* ---- lengths ------------------------------------------------------------- */

/* Product of the numbers; 0 when it passes the limit. */
static int64_t product(const fg_plan *p) {
  int64_t n = 1;
  for (int i = 0; i < p->narg; i++)
    if (__builtin_mul_overflow(n, p->arg[i], &n) || n > LIMIT) return 0;
  return n;
}

int64_t fg_plan_length(const fg_plan *p) {
  int64_t n;
  switch (p->step) {
  case FG_DIRECT:
  case FG_DENSE:
  case FG_RADER:
  case FG_STOCKHAM: return product(p);
  case FG_REAL:
  case FG_COOLEY_TUKEY: return __builtin_mul_overflow(p->arg[0], fg_plan_length(p->child[0]), &n) || n > LIMIT ? 0 : n;
  case FG_PRIME_FACTOR:
  case FG_FOUR_STEP:
    return __builtin_mul_overflow(fg_plan_length(p->child[0]), fg_plan_length(p->child[1]), &n) || n > LIMIT ? 0 : n;
  case FG_ND:
    n = 1;
    for (int i = 0; i < p->nchild; i++)
      if (__builtin_mul_overflow(n, fg_plan_length(p->child[i]), &n) || n > LIMIT) return 0;
    return n;
  case FG_AS_COMPLEX:
  case FG_PAIRED:
  case FG_CONVOLVE: return fg_plan_length(p->child[0]);
  case FG_BLUESTEIN:
  case FG_TRIG:
  case FG_STEP_COUNT: break;
  }
  return 0;
}

int64_t fg_plan_convolution(const fg_plan *p) {
  if (p->step == FG_BLUESTEIN) return p->arg[0];
  int64_t length = fg_plan_length(p->child[0]);
  return length ? length : p->arg[0] - 1;
}

static fg_status misfit(fg_context *cx, const fg_plan *p, const char *what, const char *allowed) {
  return fg_diag_set(&cx->diag, FG_EUSER, "plan %s: %s; allowed: %s", fg_plan_print(cx, p), what, allowed);
}

/* A codelet of n points must exist. */
static fg_status check_radix(fg_context *cx, const fg_plan *p, int64_t n, int64_t least) {
  if (n >= least && n <= fg_codelet_limit()) return FG_OK;
  return misfit(cx, p, fg_arena_printf(cx->arena, "%lld is no size of a codelet", (long long)n),
                fg_arena_printf(cx->arena, "%d .. %d", (int)least, fg_codelet_limit()));
}

static fg_status check_product(fg_context *cx, const fg_plan *p, int64_t n) {
  int64_t least = p->step != FG_STOCKHAM || (p->narg == 1 && n == 1) ? 1 : 2;
  for (int i = 0; i < p->narg; i++) {
    fg_status st = check_radix(cx, p, p->arg[i], least);
    if (st) return st;
  }
  if (product(p) == n) return FG_OK;
  return misfit(cx, p, fg_arena_printf(cx->arena, "not a plan of %lld points", (long long)n),
                p->step != FG_STOCKHAM ? "the length itself" : "radices whose product is the length");
}

static fg_status check_split(fg_context *cx, const fg_plan *p, int64_t n) {
  fg_status st = check_radix(cx, p, p->arg[0], 2);
  if (st) return st;
  if (n % p->arg[0])
    return misfit(cx, p, fg_arena_printf(cx->arena, "%lld does not divide %lld", (long long)p->arg[0], (long long)n),
                  "a divisor of the length");
  return fg_plan_check(cx, p->child[0], n / p->arg[0]);
}

static fg_status check_four_step(fg_context *cx, const fg_plan *p, int64_t n) {
  int64_t columns = fg_plan_length(p->child[0]);
  if (fg_plan_length(p) != n)
    return misfit(cx, p, fg_arena_printf(cx->arena, "not a plan of %lld points", (long long)n),
                  "two plans of known lengths whose product is the length");
  fg_status st = fg_plan_check(cx, p->child[0], columns);
  return st ? st : fg_plan_check(cx, p->child[1], n / columns);
}

static fg_status check_bluestein(fg_context *cx, const fg_plan *p, int64_t n) {
  if (n > LIMIT / 2 || p->arg[0] < 2 * n - 2)
    return misfit(cx, p, fg_arena_printf(cx->arena, "too short for %lld points", (long long)n),
                  n > LIMIT / 2 ? "up to 2^61 points"
                                : fg_arena_printf(cx->arena, "%lld and more", (long long)(2 * n - 2)));
  return fg_plan_check(cx, p->child[0], p->arg[0]);
}

/* Its addresses are reduced modulo n: a step of its own under them has no form but
 * where it loads and stores whole elements of its views. */
static fg_status check_prime_factor(fg_context *cx, const fg_plan *p, int64_t n) {
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

static fg_status check_rader(fg_context *cx, const fg_plan *p, int64_t n) {
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

fg_status fg_plan_check(fg_context *cx, const fg_plan *p, int64_t n) {
  switch (p->step) {
  case FG_DIRECT:
  case FG_DENSE:
  case FG_STOCKHAM: return check_product(cx, p, n);
  case FG_COOLEY_TUKEY: return check_split(cx, p, n);
  case FG_BLUESTEIN: return check_bluestein(cx, p, n);
  case FG_RADER: return check_rader(cx, p, n);
  case FG_PRIME_FACTOR: return check_prime_factor(cx, p, n);
  case FG_FOUR_STEP: return check_four_step(cx, p, n);
  case FG_ND: return misfit(cx, p, "nd where one dimension is", "nd alone, and for problems of several dimensions");
  case FG_REAL:
  case FG_AS_COMPLEX:
  case FG_PAIRED:
  case FG_TRIG: return misfit(cx, p, "a step for reals where complex numbers are", "steps for c2c");
  case FG_CONVOLVE: return misfit(cx, p, "a convolution where a transform is", "convolve alone, for conv");
  case FG_STEP_COUNT: break;
  }
  return FG_ENA;
}

static fg_status check_pairs(fg_context *cx, const fg_plan *p, int64_t n) {
  if (p->arg[0] % 2)
    return misfit(cx, p, fg_arena_printf(cx->arena, "an odd real radix %lld", (long long)p->arg[0]), "even ones");
  return check_split(cx, p, n);
}

static fg_status check_half_bluestein(fg_context *cx, const fg_plan *p, int64_t n) {
  if (n % 2 == 0) return misfit(cx, p, "bluestein of an even number of reals", "real(R, PLAN)");
  if (n > LIMIT / 2 || p->arg[0] < 2 * n - 2)
    return misfit(cx, p, fg_arena_printf(cx->arena, "too short for %lld points", (long long)n),
                  fg_arena_printf(cx->arena, "%lld and more", (long long)(2 * n - 2)));
  return fg_plan_check(cx, p->child[0], p->arg[0]);
}

/* Columns of reals, rows of complex numbers whose last pass stores one half of them as conjugates. */
static fg_status check_real_four_step(fg_context *cx, const fg_plan *p, int64_t n) {
  const fg_plan *columns = p->child[0], *rows = p->child[1];
  if (columns->step != FG_DIRECT && columns->step != FG_STOCKHAM)
    return misfit(cx, p, fg_arena_printf(cx->arena, "%s for columns of reals", fg_step_name(columns->step)),
                  "direct and stockham");
  if (rows->step != FG_STOCKHAM || rows->narg < 2 || rows->arg[rows->narg - 1] % 2 || fg_plan_length(columns) % 2)
    return misfit(cx, p, "odd columns, or rows that are not stockham's passes with an even one last",
                  "four-step(stockham(16,16), stockham(16,16))");
  return check_four_step(cx, p, n);
}

static fg_status check_real(fg_context *cx, const fg_plan *p, int64_t n) {
  switch (p->step) {
  case FG_DIRECT:
  case FG_STOCKHAM: return check_product(cx, p, n);
  case FG_REAL: return check_pairs(cx, p, n);
  case FG_FOUR_STEP: return check_real_four_step(cx, p, n);
  case FG_BLUESTEIN: return check_half_bluestein(cx, p, n);
  case FG_AS_COMPLEX:
  case FG_PAIRED: return fg_plan_check(cx, p->child[0], n);
  default:
    return misfit(cx, p, "no plan of r2c and c2r", "direct, real, stockham, four-step, bluestein, as-complex, paired");
  }
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

static fg_status check_kind(fg_context *cx, const fg_plan *p, fg_kind kind, int64_t n) {
  if (kind == FG_C2C) return fg_plan_check(cx, p, n);
  if (kind == FG_R2C || kind == FG_C2R) return check_real(cx, p, n);
  if (fg_problem_kind_convolves(kind))
    return p->step == FG_CONVOLVE
               ? check_kind(cx, p->child[0], fg_problem_kind_inside(kind, true), n)
               : misfit(cx, p, "no plan of conv", "convolve(PLAN), with a plan of c2c, of rconv one of c2r");
  if (p->step == FG_DIRECT) return check_product(cx, p, n);
  if (p->step != FG_TRIG)
    return misfit(cx, p, fg_arena_printf(cx->arena, "no plan of %s", fg_problem_kind_name(kind)),
                  "direct(N), trig(PLAN)");
  int64_t inner;
  fg_kind of = inner_of_trig(kind, n, &inner);
  return inner < 1 ? misfit(cx, p, "too short", "direct(N)") : check_kind(cx, p->child[0], of, inner);
}

static fg_status check_dimensions(fg_context *cx, const fg_plan *p, const fg_problem *problem) {
  if (p->step != FG_ND || p->nchild != problem->rank)
    return misfit(cx, p, fg_arena_printf(cx->arena, "not a plan of %d dimensions", problem->rank),
                  fg_arena_printf(cx->arena, "nd with %d plans, one for each dimension", problem->rank));
  for (int i = 0; i < p->nchild; i++) {
    if (p->child[i]->step == FG_FOUR_STEP && (i || !fg_plan_param_value(p->child[i], FG_PARAM_CLUSTER)))
      return misfit(cx, p, "four-step inside of nd", "the other steps, and of the first dimension one by clusters");
    fg_status st = check_kind(cx, p->child[i], fg_problem_line_kind(problem, i), problem->dim[i].n.n);
    if (st) return st;
  }
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
  if (fit) return fit;
  if (problem->rank > 1) return check_dimensions(cx, p, problem);
  return check_kind(cx, p, problem->kind, problem->dim[0].n.n);
}

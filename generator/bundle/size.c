/* Sizes of code without a compiler. In: pieces as text. Out: bytes, and a choice of plans and instruction sets
 * within a limit.
 *
 * Emitted text has about one operation a statement, so statements are counted. The factors are upper bounds for gcc
 * 12 and clang 14 over 48 bundles at -O2 and -O3, within a factor of five. Plans are replaced one by one, first
 * where this saves most bytes for its cost in time; if no plan is small enough, the widest instruction set is left
 * out. */
#include "generator/base/strbuf.h"
#include "generator/bundle/parts.h"
#include "generator/problem/shape.h"
#include "generator/text/table_pool.h"
#include <string.h>

enum {
  FUNCTION_BYTES = 160,
  VECTOR_STATEMENT = 16,
  SCALAR_STATEMENT = 36, /* gcc makes vectors of them, and packs and unpacks */
  SMALL_STATEMENT = 12,  /* Thumb */
};

int64_t fg_bundler_estimate(const fg_bundler *b, const fg_piece *piece) {
  int each = b->r->embedded ? SMALL_STATEMENT : piece->lanes ? VECTOR_STATEMENT : SCALAR_STATEMENT;
  int64_t statements = 0, functions = 0;
  for (const char *c = piece->body; *c; c++) {
    statements += *c == ';';
    functions += *c == '}' && c[1] == '\n' && (c == piece->body || c[-1] == '\n');
  }
  return functions * FUNCTION_BYTES + statements * each;
}

/* "stockham(4,4,3)" for 48; NULL: a prime factor too large for a small codelet. */
static const char *small_plan(const fg_bundler *b, int64_t n) {
  static const int radix[] = {4, 2, 3, 5, 7, 11, 13};
  fg_strbuf s = fg_strbuf_new(b->cx->arena);
  int passes = 0;
  for (size_t i = 0; i < sizeof radix / sizeof *radix; i++)
    for (; n % radix[i] == 0; n /= radix[i]) fg_strbuf_addf(&s, "%s%d", passes++ ? "," : "stockham(", radix[i]);
  fg_strbuf_add(&s, ")");
  return n == 1 && passes > 1 ? s.text : NULL;
}

/* Recipes look for speed; the plan of the smallest radices is one more candidate. */
static void add_small_candidate(fg_bundler *b, fg_variant *v) {
  fg_context own = {.arena = b->cx->arena, .library = b->cx->library}; /* not applicable: no complaint */
  fg_compilation c = v->c;
  c.cx = &own;
  c.ncandidate = 0;
  c.request.plan = small_plan(b, fg_problem_points(&v->c.problem));
  if (!c.request.plan || fg_pipeline_decide(&c) != FG_OK) return;
  fg_built *all = fg_arena_new(b->cx->arena, fg_built, v->c.ncandidate + 1);
  memcpy(all, v->c.candidate, sizeof *all * (size_t)v->c.ncandidate);
  all[v->c.ncandidate++] = c.chosen;
  v->c.candidate = all;
}

/* Bytes of every candidate, once. Tables of its own count in full. */
static fg_status estimate_candidates(fg_bundler *b, int problem, int level) {
  fg_variant *v = fg_bundler_variant(b, problem, level);
  if (v->bytes) return FG_OK;
  fg_built keep = v->c.chosen;
  add_small_candidate(b, v);
  v->bytes = fg_arena_new(b->cx->arena, int64_t, v->c.ncandidate);
  for (int i = 0; i < v->c.ncandidate; i++) {
    fg_piece *piece = fg_arena_new(b->cx->arena, fg_piece, 1);
    fg_table_pool *pool = fg_table_pool_create(b->cx, b->r->name);
    fg_strbuf text = fg_strbuf_new(b->cx->arena);
    v->c.chosen = v->c.candidate[i];
    fg_status status = fg_bundler_emit(b, problem, level, pool, piece);
    if (status != FG_OK) return status;
    v->bytes[i] = fg_bundler_estimate(b, piece) + fg_table_pool_write(pool, level, 0, &text);
  }
  v->c.chosen = keep;
  return FG_OK;
}

static void choose(fg_variant *v, int candidate) {
  v->proved = v->proved && v->chosen == candidate;
  v->chosen = candidate;
  v->c.chosen = v->c.candidate[candidate];
}

static int64_t total(const fg_bundler *b, int nlevel) {
  int64_t bytes = 0;
  for (int l = 0; l < nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++) {
      const fg_variant *v = fg_bundler_variant(b, p, l);
      bytes += v->bytes[v->chosen];
    }
  return bytes;
}

/* Bytes saved for each thousandth of time lost. */
static double gain(const fg_variant *v, int candidate) {
  int64_t saved = v->bytes[v->chosen] - v->bytes[candidate];
  double before = (double)v->c.candidate[v->chosen].cost.cost, after = (double)v->c.candidate[candidate].cost.cost;
  if (saved <= 0) return 0;
  return after <= before ? (double)saved * 1e6 : (double)saved / (1000 * (after - before) / (before + 1) + 1e-3);
}

/* The best exchange; false: nothing gets smaller. */
static bool exchange(fg_bundler *b, int nlevel) {
  fg_variant *best = NULL;
  int candidate = 0;
  double most = 0;
  for (int l = 0; l < nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++) {
      fg_variant *v = fg_bundler_variant(b, p, l);
      for (int i = 0; i < v->c.ncandidate; i++)
        if (gain(v, i) > most) most = gain(v, i), best = v, candidate = i;
    }
  if (best) choose(best, candidate);
  return best != NULL;
}

fg_status fg_bundler_fit(fg_bundler *b, int64_t most, bool *reached) {
  *reached = true;
  for (int nlevel = b->r->nisa; nlevel > 0; nlevel--) {
    for (int l = 0; l < nlevel; l++)
      for (int p = 0; p < b->r->nproblem; p++) {
        fg_status status = estimate_candidates(b, p, l);
        if (status != FG_OK) return status;
        choose(fg_bundler_variant(b, p, l), 0);
      }
    while (total(b, nlevel) > most && exchange(b, nlevel)) {}
    b->nlevel = nlevel;
    if (total(b, nlevel) <= most) return FG_OK;
  }
  *reached = false;
  return FG_OK;
}

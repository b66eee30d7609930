/* Bundle: several problems in one file. In: problems, instruction sets, limits. Out: NAME.c and NAME.h.
 *
 * Each problem goes through the pipeline once for each instruction set. The results become static functions with
 * their own attributes, and a public function calls the widest that the CPU has. Levels number instruction sets from
 * the one that runs everywhere. */
#include "generator/base/text_match.h"
#include "generator/bundle/helpers.h"
#include "generator/print/names.h"
#include "generator/problem/shape.h"
#include "generator/prove/dispatch.h"
#include "generator/prove/renamed.h"
#include "generator/text/table_pool.h"
#include <string.h>

enum { LONGEST_NAME = 64 };

/* Whether a file that has `of` has functions of its own by that name: of_init, of_avx2, of_avx2_run. */
static bool is_part_of(const char *name, const char *of) {
  size_t n = strlen(of);
  if (strncmp(name, of, n) || name[n] != '_') return false;
  if (!strcmp(name + n, "_init")) return true;
  size_t word = strcspn(name + n + 1, "_");
  for (const fg_isa *i = fg_isa_table(); i->name; i++)
    if (strlen(i->name) == word && !strncmp(name + n + 1, i->name, word)) return true;
  return false;
}

/* Names of the bundle's own: NAME_isa, NAME_level, NAME_table3 and others, and the macros NAME_STATIC_... */
static bool is_own(const fg_bundler *b, const char *name) {
  size_t n = strlen(b->r->name);
  if (strncmp(name, b->r->name, n) || name[n] != '_') return false;
  const char *rest = fg_words_upper(b->cx->arena, name + n + 1);
  static const char *const own[] = {"ISA", "LEVEL", "KNOWN", "FIND_LEVEL", "NOW", "STATIC"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (!strcmp(rest, own[i])) return true;
  return !strncmp(rest, "TABLE", 5) || !strncmp(rest, "APART", 5);
}

static fg_status check_name(fg_bundler *b, const char *name) {
  if (fg_names_check(b->cx, fg_dialect_find("c"), "function", name) != FG_OK) return FG_EUSER;
  if (!is_own(b, name) && strlen(name) <= LONGEST_NAME) return FG_OK;
  return fg_refuse(
      b->cx, "bundle: function %s: allowed: at most %d letters, other names than the bundle's own, such as %s_isa",
      fg_words_quote(b->cx->arena, name, strlen(name)), LONGEST_NAME, b->r->name);
}

/* Two names that one file cannot have: equal ones, or macros of them, or parts. */
static fg_status check_pair(fg_bundler *b, int earlier, int later) {
  const char *one = b->symbol[earlier], *two = b->symbol[later];
  if (!strcmp(one, two))
    return fg_refuse(b->cx, "bundle: \"%s\" and \"%s\" would both be %s; leave one out, or name them",
                     b->r->problem[earlier], b->r->problem[later], one);
  const char *why = is_part_of(one, two) || is_part_of(two, one) ? "one has functions of its own by the other's name"
                    : !strcmp(fg_words_upper(b->cx->arena, one), fg_words_upper(b->cx->arena, two))
                        ? "their macros would have the same names"
                        : NULL;
  return why ? fg_refuse(b->cx, "bundle: functions '%s' and '%s': %s; name one otherwise", one, two, why) : FG_OK;
}

/* NAME_c2c_f32_n256_fwd, or what its user says */
static fg_status name_problem(fg_bundler *b, int problem) {
  fg_variant *v = fg_bundler_variant(b, problem, 0);
  const char *plain = fg_emit_name(b->cx, &v->c.problem) + strlen("fft");
  bool asked = problem < b->nasked;
  const char *given = asked && b->r->function ? b->r->function[problem] : NULL;
  if (given && check_name(b, given) != FG_OK) return FG_EUSER;
  b->symbol[problem] = given ? given : fg_arena_printf(b->cx->arena, "%s%s", b->r->name, plain);
  if (!asked) b->symbol[problem] = fg_arena_printf(b->cx->arena, "%s_prepare", b->symbol[b->filtered[problem]]);
  for (int i = 0; i < problem; i++)
    if (check_pair(b, i, problem) != FG_OK) return FG_EUSER;
  return FG_OK;
}

/* Behind the problems, the transforms that make the spectra of those with filters: NAME_prepare. */
static fg_status add_prepares(fg_context *cx, const fg_bundle_request *r, fg_bundler *b) {
  fg_bundle_request *all = fg_arena_copy(cx->arena, r, sizeof *r);
  const char **problem = fg_arena_new(cx->arena, const char *, 2 * r->nproblem);
  b->filtered = fg_arena_new(cx->arena, int, 2 * r->nproblem);
  b->nasked = r->nproblem;
  memcpy(problem, r->problem, sizeof *problem * (size_t)r->nproblem);
  for (int i = 0; i < r->nproblem; i++) {
    fg_problem q;
    fg_status status = fg_problem_parse(cx, r->problem[i], &q);
    if (status != FG_OK) return status;
    if (!q.filter.rank) continue;
    b->filtered[all->nproblem] = i;
    problem[all->nproblem++] = fg_problem_prepare(cx, &q);
  }
  all->problem = problem;
  b->r = all;
  return FG_OK;
}

static fg_status decide(fg_bundler *b) {
  for (int p = 0; p < b->r->nproblem; p++)
    for (int l = 0; l < b->r->nisa; l++) {
      fg_variant *v = fg_bundler_variant(b, p, l);
      fg_request request = {.problem = b->r->problem[p],
                            .target = "c",
                            .isa = b->r->isa[l]->name,
                            .machine = b->r->machine,
                            .static_tables = b->r->embedded,
                            .recipe = b->r->recipe,
                            .nrecipe = b->r->nrecipe};
      if (b->r->advise && p < b->nasked) request.advised = b->r->advise(b->cx, b->r->advise_data, p, b->r->isa[l]);
      fg_status status = fg_pipeline_parse(b->cx, &request, &v->c);
      if (status == FG_OK && l == 0) status = name_problem(b, p);
      if (status == FG_OK) status = fg_pipeline_decide(&v->c);
      if (status != FG_OK) return status;
    }
  return FG_OK;
}

/* Of the program and of its C as a source of its own, which a piece differs from in names; after a candidate that fails
 * the next one is tried, unless one was chosen by size. */
static fg_status prove(fg_variant *v) {
  fg_status status;
  do {
    status = fg_pipeline_prove(&v->c);
    if (status == FG_OK) status = fg_pipeline_emit(&v->c);
    if (status == FG_OK) status = fg_pipeline_prove_emitted(&v->c);
  } while (!v->bytes && fg_pipeline_give_way(&v->c, status));
  return status;
}

/* Proof first, where it was not made for an earlier choice. */
static fg_status emit_all(fg_bundler *b) {
  b->pool = fg_table_pool_create(b->cx, b->r->name);
  b->apart = fg_table_pool_create(b->cx, fg_arena_printf(b->cx->arena, "%s_apart", b->r->name));
  for (int l = 0; l < b->nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++) {
      fg_variant *v = fg_bundler_variant(b, p, l);
      fg_status status = v->proved ? FG_OK : prove(v);
      if (status != FG_OK) return status;
      v->proved = true;
      if ((status = fg_bundler_emit(b, p, l, fg_bundler_pool(b, l), &v->piece)) != FG_OK) return status;
    }
  return FG_OK;
}

static fg_status size_of(fg_bundler *b, fg_bundle *made) {
  if (b->r->measure) return b->r->measure(b->cx, b->r->measure_data, &made->file[0], &made->size);
  made->size = (fg_bundle_size){.flash = made->table_bytes};
  for (int l = 0; l < b->nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++)
      made->size.flash += fg_bundler_estimate(b, &fg_bundler_variant(b, p, l)->piece);
  return FG_OK;
}

/* Each piece in the file is its proved source with other names. */
static fg_status check_pieces(const fg_bundler *b, const char *whole) {
  for (int l = 0; l < b->nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++) {
      const fg_variant *v = fg_bundler_variant(b, p, l);
      const fg_artifact *a = &v->c.emitted.artifact;
      const fg_renaming r = {.proved = a->source,
                             .from = a->name,
                             .piece = v->piece.body,
                             .to = v->piece.name,
                             .macro_from = fg_words_upper(b->cx->arena, a->name),
                             .macro_to = fg_words_upper(b->cx->arena, b->r->name),
                             .attribute = v->c.isa->vector_bytes ? fg_bundler_attribute(b, l) : NULL,
                             .whole = whole};
      char failure[256];
      if (!fg_prove_renamed(b->cx, &r, failure)) return fg_diag_set(&b->cx->diag, FG_EWRONG, "%s", failure);
      if (!fg_bundler_helpers_hold(b, p, l))
        return fg_diag_set(&b->cx->diag, FG_EWRONG, "bundle: %s: functions other than those of the proved source",
                           v->piece.name);
    }
  return FG_OK;
}

/* Levels that calls choose between: the last ones may be of CPUs that have no others. */
static int levels_here(const fg_bundler *b) {
  int levels = b->nlevel;
  while (levels > 1 && fg_bundler_stands_apart(b, levels - 1)) levels--;
  return levels;
}

/* Each call reaches the piece of its own problem, on every CPU. */
static fg_status check_dispatch(const fg_bundler *b, const fg_bundle *made) {
  const fg_piece **piece = fg_arena_new(b->cx->arena, const fg_piece *, b->r->nproblem * b->nlevel);
  int64_t *points = fg_arena_new(b->cx->arena, int64_t, b->r->nproblem);
  const char **helpers = fg_arena_new(b->cx->arena, const char *, b->nlevel + 1);
  for (int l = 0; l < b->nlevel; l++) helpers[l] = b->r->isa[l]->vector_bytes ? fg_bundler_level_helpers(b, l) : "";
  for (int p = 0; p < b->r->nproblem; p++) {
    points[p] = fg_problem_points(&fg_bundler_variant(b, p, 0)->c.problem);
    for (int l = 0; l < b->nlevel; l++) piece[p * b->nlevel + l] = &fg_bundler_variant(b, p, l)->piece;
  }
  const fg_dispatch d = {.name = b->r->name,
                         .source = made->file[0].text,
                         .header = made->file[1].text,
                         .nproblem = b->r->nproblem,
                         .nlevel = b->nlevel,
                         .nhere = levels_here(b),
                         .symbol = b->symbol,
                         .points = points,
                         .isa = b->r->isa,
                         .piece = piece,
                         .helpers = helpers,
                         .work = b->r->work};
  char failure[256];
  fg_status status = fg_prove_dispatch(b->cx, &d, failure);
  if (status != FG_OK || !failure[0]) return status;
  return fg_diag_set(&b->cx->diag, FG_EINTERNAL, "internal error: %s (%d problems, %d instruction sets, the first %s)",
                     failure, d.nproblem, d.nlevel, b->r->problem[0]);
}

static fg_status make(fg_bundler *b, fg_bundle *made) {
  made->nlevel = b->nlevel;
  fg_status status = emit_all(b);
  if (status == FG_OK) status = fg_bundler_source(b, &made->file[0], &made->table_bytes);
  if (status == FG_OK) status = check_pieces(b, made->file[0].text);
  return status == FG_OK ? size_of(b, made) : status;
}

/* The estimate is brought down until the size is right: where sizes are measured,
 * the two differ, by a factor from the last attempt. */
static fg_status make_within(fg_bundler *b, fg_bundle *made) {
  enum { TRIES = 8 };
  int64_t most = b->r->most_code, allowed = 0;
  fg_status status = make(b, made);
  if (status != FG_OK || !most || made->size.flash <= most) return status;
  int64_t estimate = made->table_bytes;
  for (int l = 0; l < b->nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++) estimate += fg_bundler_estimate(b, &fg_bundler_variant(b, p, l)->piece);
  allowed = (int64_t)((double)estimate * (double)most / (double)made->size.flash);
  bool reached = true;
  for (int i = 0; i < TRIES && reached; i++) {
    if ((status = fg_bundler_fit(b, allowed, &reached)) != FG_OK || (status = make(b, made)) != FG_OK) return status;
    if (made->size.flash <= most) return FG_OK;
    allowed = (int64_t)((double)allowed * 0.97 * (double)most / (double)made->size.flash);
  }
  return fg_refuse(b->cx, "bundle: --max-code %lld: the smallest plans, for %s alone, take %s%lld bytes",
                   (long long)most, b->r->isa[0]->name, made->size.how ? "" : "about ", (long long)made->size.flash);
}

fg_status fg_bundle_create(fg_context *cx, const fg_bundle_request *request, fg_bundle *out) {
  fg_bundler *b = fg_arena_new(cx->arena, fg_bundler, 1);
  *b = (fg_bundler){.cx = cx, .nlevel = request->nisa};
  fg_status status = add_prepares(cx, request, b);
  if (status != FG_OK) return status;
  b->symbol = fg_arena_new(cx->arena, const char *, b->r->nproblem);
  b->variant = fg_arena_new(cx->arena, fg_variant, b->r->nproblem * b->r->nisa);
  fg_bundle *made = fg_arena_new(cx->arena, fg_bundle, 1);
  status = fg_names_check(cx, fg_dialect_find("c"), "bundle", request->name);
  if (status == FG_OK) status = decide(b);
  if (status == FG_OK) status = make_within(b, made);
  if (status == FG_OK) status = fg_bundler_header(b, made, &made->file[1]);
  if (status == FG_OK) status = check_dispatch(b, made);
  if (status == FG_OK) *out = *made;
  return status;
}

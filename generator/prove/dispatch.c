/* The code of a bundle that chooses between pieces. In: the bundle's two texts, its pieces. Out: whether every call
 * reaches the piece of its own problem, for every CPU.
 *
 * The idea: the source is compiled by tcc with its header before it, and a stub in place of each piece, which notes
 * that it was called and with what. CPUs are sets of features: that of each level, all, and all but one. The widest
 * level whose features a CPU has must be called, once, with each argument under its own name. */
#include "generator/prove/dispatch.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "targets/ascii.h"
#include "targets/tcc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 80, ALIGN = 64 };
#define FIRST_ARGUMENT INT64_C(0x100000) /* what arguments are in the run: this, twice this, ... */

typedef struct signature { /* names of arguments, in order */
  int count;
  const char *name[ARGUMENTS];
  bool pointer[ARGUMENTS];
} signature;

typedef struct runner {
  fg_context *cx;
  const fg_dispatch *d;
  char *failure;
  signature *call, *inner; /* of each problem, of each piece */
  bool *has_init;          /* each public symbol */
  const char *skeleton;    /* the source with stubs */
  int widest;              /* levels that are compiled */
  const fg_isa *lacks;     /* CPUs of the run */
} runner;

/* ---- what stubs note --------------------------------------------------------------------------- */

typedef struct noted {
  int calls, piece, count;
  bool init;
  int64_t argument[ARGUMENTS];
  const char *features, *without; /* of the CPU, separated by commas; one that it lacks */
} noted;

static _Thread_local noted note;

static void enter(int piece, int init) {
  note.calls++;
  note.piece = piece, note.init = init, note.count = 0;
}

static void take(long long value) {
  if (note.count < ARGUMENTS) note.argument[note.count++] = value;
}

static bool lists(const char *list, const char *word, size_t length) {
  for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
    if (strcspn(at, ",") == length && !strncmp(at, word, length)) return true;
  return false;
}

static int has_feature(const char *name) {
  return lists(note.features, name, strlen(name)) && !(note.without && !strcmp(name, note.without));
}

/* ---- signatures ----------------------------------------------------------------------------------- */

static bool fail(const runner *r, const char *what, const char *name) {
  if (!r->failure[0]) snprintf(r->failure, 256, "bundle: %s %.150s", what, name);
  return false;
}

/* Of "void NAME(" and what follows up to ")"; the last one. NULL: there is none. */
static const char *head_of(fg_context *cx, const char *text, const char *name) {
  const char *head = fg_arena_printf(cx->arena, "void %s(", name), *found = NULL;
  for (const char *at = text; (at = strstr(at, head)); at++) found = at + strlen(head);
  return found ? fg_arena_printf(cx->arena, "%.*s", (int)strcspn(found, ")"), found) : NULL;
}

static signature *signature_of(fg_context *cx, const char *arguments) {
  signature *s = fg_arena_new(cx->arena, signature, 1);
  for (const char *at = arguments; *at && s->count < ARGUMENTS;) {
    const char *end = at + strcspn(at, ","), *name = end;
    while (name > at && fg_is_word(name[-1])) name--;
    s->pointer[s->count] = memchr(at, '*', (size_t)(end - at)) != NULL;
    s->name[s->count++] = fg_arena_printf(cx->arena, "%.*s", (int)(end - name), name);
    at = end + (*end == ',');
  }
  return s;
}

/* ---- the text --------------------------------------------------------------------------------------- */

static const char *const before =
    "#undef __GNUC__\n#undef __clang__\n#undef __x86_64__\n#undef __i386__\n#undef __aarch64__\n"
    "#define __attribute__(x)\n#define __builtin_cpu_init() ((void)0)\n"
    "#define __builtin_cpu_supports fg_has_feature\n"
    "#define __atomic_load_n(p, order) (*(p) * 0)\n#define __atomic_store_n(p, v, order) (*(p) = (v))\n"
    "int fg_has_feature(const char *name);\nvoid fg_enter(int piece, int init);\nvoid fg_take(long long value);\n";

/* A function that notes its call; init: the one that fills tables. */
static bool add_stub(runner *r, int piece, bool init, fg_strbuf *s) {
  const fg_piece *p = r->d->piece[piece];
  const char *name = init ? fg_arena_printf(r->cx->arena, "%s_init", p->name) : p->name;
  const char *arguments = head_of(r->cx, p->body, name);
  if (!arguments) return fail(r, "no function", name);
  const signature *g = signature_of(r->cx, arguments);
  if (!init) r->inner[piece] = *g;
  fg_strbuf_addf(s, "static void %s(%s) {\n  fg_enter(%d, %d);\n", name, arguments, piece, init);
  for (int i = 0; i < g->count; i++) fg_strbuf_addf(s, "  fg_take((long long)%s);\n", g->name[i]);
  fg_strbuf_add(s, "}\n");
  return true;
}

/* Functions of vectors, which tcc does not have, and pieces call alone. */
static void add_without_helpers(const runner *r, const char *from, const char *to, fg_strbuf *s) {
  for (int l = 0; r->d->helpers && l < r->d->nlevel; l++) {
    const char *helpers = r->d->helpers[l], *at = *helpers ? strstr(from, helpers) : NULL;
    if (!at || at >= to) continue;
    fg_strbuf_addn(s, from, (size_t)(at - from));
    from = at + strlen(helpers);
  }
  fg_strbuf_addn(s, from, (size_t)(to - from));
}

/* Static tables are left out: nothing here reads them. */
static void add_without_tables(const char *from, const char *to, fg_strbuf *s) {
  static const char begin[] = "\nstatic const ", last[] = "\n};";
  while (from < to) {
    const char *table = strstr(from, begin);
    if (!table || table >= to) break;
    const char *line = table + 1 + strcspn(table + 1, "\n"), *end = strstr(table, last);
    bool is_array = line[-1] == '{' && end && end < to;
    fg_strbuf_addn(s, from, (size_t)((is_array ? table : line) - from));
    from = is_array ? end + strlen(last) : line;
  }
  fg_strbuf_addn(s, from, (size_t)(to - from));
}

typedef struct place {
  const char *at;
  int piece;
} place;

static int by_place(const void *a, const void *b) {
  const place *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

static bool make_skeleton(runner *r) {
  const fg_dispatch *d = r->d;
  int n = d->nproblem * d->nlevel;
  place *all = fg_arena_new(r->cx->arena, place, n);
  fg_strbuf s = fg_strbuf_new(r->cx->arena);
  for (int i = 0; i < n; i++) {
    all[i] = (place){strstr(d->source, d->piece[i]->body), i};
    if (!all[i].at) return fail(r, "no text of", d->piece[i]->name);
  }
  qsort(all, (size_t)n, sizeof *all, by_place);
  const char *at = d->source;
  for (int i = 0; i < n; i++) {
    const fg_piece *p = d->piece[all[i].piece];
    if (all[i].at < at) return fail(r, "the same text as another piece:", p->name);
    add_without_tables(at, all[i].at, &s);
    if (!add_stub(r, all[i].piece, false, &s)) return false;
    if (p->table_bytes && !add_stub(r, all[i].piece, true, &s)) return false;
    at = all[i].at + strlen(p->body);
  }
  add_without_tables(at, at + strlen(at), &s);
  fg_strbuf rest = fg_strbuf_new(r->cx->arena);
  add_without_helpers(r, s.text, s.text + s.length, &rest);
  r->skeleton = rest.text;
  return true;
}

/* Functions that call the public ones as their header declares them. */
static bool add_calls(runner *r, fg_strbuf *s) {
  const fg_dispatch *d = r->d;
  for (int p = 0; p < d->nproblem; p++) {
    const char *arguments = head_of(r->cx, d->header, d->symbol[p]);
    const char *init = fg_arena_printf(r->cx->arena, "%s_init", d->symbol[p]);
    if (!arguments) return fail(r, "the header does not declare", d->symbol[p]);
    r->call[p] = *signature_of(r->cx, arguments);
    r->has_init[p] = head_of(r->cx, d->header, init) != NULL;
    fg_strbuf_addf(s, "void fg_call_%d(void) {\n  %s(", p, d->symbol[p]);
    for (int i = 0; i < r->call[p].count; i++)
      fg_strbuf_addf(s, "%s%s%lld", i ? ", " : "", r->call[p].pointer[i] ? "(void *)" : "",
                     (long long)(FIRST_ARGUMENT * (i + 1)));
    fg_strbuf_add(s, ");\n}\n");
    if (r->has_init[p])
      fg_strbuf_addf(s, "void fg_init_%d(void) {\n  %s((void *)%lld);\n}\n", p, init, (long long)FIRST_ARGUMENT);
  }
  return true;
}

/* ---- calls ------------------------------------------------------------------------------------------- */

/* "#define NAME 123" of the header; -1: there is none. */
static int64_t macro_of(const runner *r, const char *symbol, const char *ending) {
  const char *name = fg_words_upper(r->cx->arena, fg_arena_printf(r->cx->arena, "%s%s", symbol, ending));
  const char *line = fg_arena_printf(r->cx->arena, "\n#define %s ", name), *at = strstr(r->d->header, line);
  return at ? strtoll(at + strlen(line), NULL, 10) : -1;
}

/* Scratch is behind the tables of one work, and within it. */
static bool is_in_work(const runner *r, int problem, int piece, int64_t value, bool tables) {
  const fg_piece *p = r->d->piece[piece];
  const signature *g = &r->call[problem];
  int64_t room = macro_of(r, r->d->symbol[problem], "_WORK_BYTES"), from = value;
  for (int i = 0; i < g->count; i++)
    if (!strcmp(g->name[i], "work")) from -= FIRST_ARGUMENT * (i + 1);
  if (tables) return from == 0 && p->table_bytes <= room;
  return from >= p->table_bytes && from % ALIGN == 0 && from + p->scratch_bytes <= room;
}

static bool is_argument(const runner *r, int problem, int piece, int i) {
  const signature *g = &r->call[problem];
  const char *name = r->inner[piece].name[i];
  bool tables = !strcmp(name, "tables"), scratch = !strcmp(name, "scratch");
  if (r->d->work && (tables || scratch)) return is_in_work(r, problem, piece, note.argument[i], tables);
  for (int k = 0; k < g->count; k++)
    if (!strcmp(g->name[k], name))
      return note.argument[i] == FIRST_ARGUMENT * (k + 1) && g->pointer[k] == r->inner[piece].pointer[i];
  return false;
}

static bool run(const runner *r, fg_tcc_code *code, const char *what, int problem) {
  const char *name = fg_arena_printf(r->cx->arena, "fg_%s_%d", what, problem);
  void *address = fg_tcc_find(code, name);
  void (*call)(void);
  memcpy(&call, &address, sizeof call);
  note.calls = 0;
  if (address) call();
  return address != NULL;
}

/* One public function and what prepares its tables, on the CPU that is noted. */
static bool check_call(const runner *r, fg_tcc_code *code, int problem, int level) {
  const fg_dispatch *d = r->d;
  int piece = problem * d->nlevel + level;
  const char *symbol = d->symbol[problem];
  if (!run(r, code, "call", problem) || note.calls != 1 || note.init)
    return fail(r, "not one call of a piece by", symbol);
  if (note.piece != piece) return fail(r, "another piece is called by", symbol);
  if (note.count != r->inner[piece].count) return fail(r, "another number of arguments for", d->piece[piece]->name);
  for (int i = 0; i < note.count; i++)
    if (!is_argument(r, problem, piece, i)) return fail(r, "another argument in place of", r->inner[piece].name[i]);
  bool fills = d->piece[piece]->table_bytes > 0;
  if (fills && !r->has_init[problem]) return fail(r, "nothing fills the tables of", symbol);
  if (!r->has_init[problem]) return true;
  bool same = run(r, code, "init", problem) && note.calls == fills && (!fills || (note.init && note.piece == piece));
  return (same && (!fills || note.argument[0] == FIRST_ARGUMENT)) || fail(r, "other tables are filled for", symbol);
}

static bool check_name(const runner *r, fg_tcc_code *code, int level) {
  if (r->d->nlevel == 1 && r->d->nhere == 1) return true;
  void *address = fg_tcc_find(code, fg_arena_printf(r->cx->arena, "%s_isa", r->d->name));
  const char *(*isa)(void);
  memcpy(&isa, &address, sizeof isa);
  return (address && !strcmp(isa(), r->d->isa[level]->name)) ||
         fail(r, "another instruction set is named than", r->d->isa[level]->name);
}

/* The widest level that the noted CPU has, of those that are compiled. */
static int level_here(const runner *r) {
  int level = 0;
  for (int l = 0; l < r->widest; l++) {
    bool has = true;
    for (const char *at = r->d->isa[l]->cpu_feature; *at; at += strcspn(at, ","), at += *at == ',')
      has = has && has_feature(fg_arena_printf(r->cx->arena, "%.*s", (int)strcspn(at, ","), at));
    if (has) level = l;
  }
  return level;
}

static bool check_cpu(const runner *r, fg_tcc_code *code, int level) {
  for (int p = 0; p < r->d->nproblem; p++)
    if (!check_call(r, code, p, level)) return false;
  return check_name(r, code, level);
}

/* CPUs of this kind. */
static bool check_cpus(const runner *r, fg_tcc_code *code) {
  const fg_dispatch *d = r->d;
  const char *all = "";
  for (int l = 0; l < d->nhere; l++) {
    note = (noted){.features = all = fg_arena_printf(r->cx->arena, "%s,%s", all, d->isa[l]->cpu_feature)};
    if (!check_cpu(r, code, level_here(r))) return false;
  }
  for (const char *at = all; *at; at += strcspn(at, ","), at += *at == ',') {
    note = (noted){.features = all, .without = fg_arena_printf(r->cx->arena, "%.*s", (int)strcspn(at, ","), at)};
    if (!check_cpu(r, code, level_here(r))) return false;
  }
  return true;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

typedef struct build { /* how a compiler would compile it */
  const char *defines;
  int widest; /* levels that are chosen at run time */
  int level;  /* -1: by the CPU */
  const char *calls;
} build;

typedef struct running {
  const runner *r;
  const build *b;
  fg_tcc_code *code;
  bool good;
} running;

static void run_code(void *data) {
  running *x = data;
  note = (noted){.features = ""};
  x->good = x->b->level >= 0 ? check_cpu(x->r, x->code, x->b->level) : check_cpus(x->r, x->code);
}

static fg_status check_build(runner *r, const build *b) {
  const fg_tcc_symbol symbols[] = {{"fg_has_feature", fg_tcc_address((void (*)(void))has_feature)},
                                   {"fg_enter", fg_tcc_address((void (*)(void))enter)},
                                   {"fg_take", fg_tcc_address((void (*)(void))take)},
                                   {NULL, NULL}};
  running x = {.r = r, .b = b};
  char why[FG_WHY_SIZE];
  const char *text =
      fg_arena_printf(r->cx->arena, "%s%s\n%s\n%s\n%s", before, b->defines, r->d->header, r->skeleton, b->calls);
  r->widest = b->widest;
  if (fg_tcc_compile(text, symbols, &x.code, why)) return fail(r, "it does not compile:", why), FG_OK;
  bool done = fg_arena_run(r->cx->arena, run_code, &x);
  fg_tcc_free(x.code);
  return done ? FG_OK : FG_ENOMEM;
}

static bool check_numbers(const runner *r) {
  const fg_dispatch *d = r->d;
  for (int p = 0; p < d->nproblem; p++) {
    if (macro_of(r, d->symbol[p], "_POINTS") != d->points[p])
      return fail(r, "another number of points of", d->symbol[p]);
    for (int l = 0; l < d->nlevel && !d->work; l++) {
      const fg_piece *piece = d->piece[p * d->nlevel + l];
      if (macro_of(r, d->symbol[p], "_SCRATCH_BYTES") < piece->scratch_bytes)
        return fail(r, "too little scratch for", piece->name);
      if (macro_of(r, d->symbol[p], "_TABLE_BYTES") < piece->table_bytes)
        return fail(r, "too little room for tables of", piece->name);
    }
  }
  return true;
}

fg_status fg_prove_dispatch(fg_context *cx, const fg_dispatch *d, char failure[256]) {
  runner r = {.cx = cx, .d = d, .failure = failure};
  fg_status status = FG_OK;
  failure[0] = 0;
  fg_strbuf calls = fg_strbuf_new(cx->arena);
  r.call = fg_arena_new(cx->arena, signature, d->nproblem);
  r.inner = fg_arena_new(cx->arena, signature, d->nproblem * d->nlevel);
  r.has_init = fg_arena_new(cx->arena, bool, d->nproblem);
  if (!check_numbers(&r) || !make_skeleton(&r) || !add_calls(&r, &calls)) return FG_OK;
  build plain = {"", 1, 0, calls.text},
        apart = {"#define __GNUC__ 12\n#define __aarch64__ 1\n", 1, d->nhere, calls.text};
  status = check_build(&r, &plain); /* by a compiler without vectors */
  for (int k = 1; k <= d->nhere && status == FG_OK && d->nlevel > 1 && !failure[0]; k++) {
    const char *narrow =
        k < d->nhere ? fg_arena_printf(cx->arena, "#define %s_WIDEST %d\n", fg_words_upper(cx->arena, d->name), k) : "";
    build b = {fg_arena_printf(cx->arena, "#define __GNUC__ 12\n#define __x86_64__ 1\n%s", narrow), k, -1, calls.text};
    status = check_build(&r, &b);
  }
  if (status == FG_OK && d->nhere < d->nlevel && !failure[0]) status = check_build(&r, &apart);
  return status;
}

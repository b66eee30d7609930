/* The text of a bundle. In: pieces for each problem and level. Out: the source, in which each level is under a
 * condition, and the header.
 *
 * Attributes replace compiler flags, so that one file compiles with plain flags. A level's number is known after the
 * first call; later calls load it. */
#include "generator/base/strbuf.h"
#include "generator/base/template.h"
#include "generator/base/text_match.h"
#include "generator/bundle/helpers.h"
#include "generator/problem/shape.h"
#include "generator/text/table_pool.h"
#include "targets/ascii.h"
#include <stdlib.h>
#include <string.h>

enum { TABLE_ALIGN = 64 };

static const char *upper_text(const fg_bundler *b, const char *text) { return fg_words_upper(b->cx->arena, text); }

static const fg_piece *piece_of(const fg_bundler *b, int problem, int level) {
  return &fg_bundler_variant(b, problem, level)->piece;
}

static bool has_dispatch(const fg_bundler *b) { return b->r->nisa > 1; }

/* Every CPU of its kind has it: it is taken when the source is compiled, where others are when it runs. */
static bool is_compiled_in(const fg_bundler *b, int level) { return fg_bundler_stands_apart(b, level); }

static int last_of_dispatch(const fg_bundler *b) {
  int last = b->nlevel;
  while (last > 1 && is_compiled_in(b, last - 1)) last--;
  return last;
}

/* The condition under which a level is compiled. */
static const char *guard_text(const fg_bundler *b, int level) {
  const char *upper = upper_text(b, b->r->name);
  if (!is_compiled_in(b, level)) return fg_arena_printf(b->cx->arena, "%s_WIDEST >= %d", upper, level + 1);
  return fg_arena_printf(b->cx->arena, "%s_HAS_%s", upper, upper_text(b, b->r->isa[level]->name));
}

/* ---- arguments of a public function ------------------------------------------ */

/* "const float *DSP_RESTRICT in" -> "in" */
static const char *bare_name(const char *declared) {
  const char *end = declared + strlen(declared);
  while (end > declared && (fg_is_alnum(end[-1]) || end[-1] == '_')) end--;
  return end;
}

/* A kind of argument, of the first level that has it. */
static void add_kind(const fg_bundler *b, int problem, fg_piece_arg_kind kind, fg_piece *out) {
  for (int l = 0; l < b->nlevel; l++) {
    const fg_piece *piece = piece_of(b, problem, l);
    int before = out->narg;
    for (int i = 0; i < piece->narg; i++)
      if (piece->arg[i].kind == kind) out->arg[out->narg++] = piece->arg[i];
    if (out->narg > before) return;
  }
}

static void max_bytes(int64_t *most, int64_t bytes) {
  if (bytes > *most) *most = bytes;
}

/* Bytes at the beginning of a work that tables have. */
static int64_t tables_of_work(const fg_piece *all) {
  return (all->table_bytes + TABLE_ALIGN - 1) / TABLE_ALIGN * TABLE_ALIGN;
}

/* What the caller of any level gives: scratch and tables, or one work, whether anything wants it or not. */
static fg_piece *common_piece(const fg_bundler *b, int problem) {
  fg_piece *all = fg_arena_new(b->cx->arena, fg_piece, 1);
  add_kind(b, problem, FG_PIECE_ARRAY, all);
  if (b->r->work) {
    all->arg[all->narg++] = (fg_piece_arg){.kind = FG_PIECE_SCRATCH, .declared = "void *work"};
  } else {
    add_kind(b, problem, FG_PIECE_SCRATCH, all);
    add_kind(b, problem, FG_PIECE_TABLES, all);
  }
  add_kind(b, problem, FG_PIECE_PARAM, all);
  for (int l = 0; l < b->nlevel; l++) {
    max_bytes(&all->scratch_bytes, piece_of(b, problem, l)->scratch_bytes);
    max_bytes(&all->table_bytes, piece_of(b, problem, l)->table_bytes);
  }
  return all;
}

/* plain: without a macro that headers do not have */
static const char *head_text(const fg_bundler *b, const char *name, const fg_piece *all, bool plain) {
  const char *word = fg_arena_printf(b->cx->arena, "%s_RESTRICT ", upper_text(b, b->r->name));
  fg_strbuf s = fg_strbuf_new(b->cx->arena);
  fg_strbuf_addf(&s, "void %s(", name);
  for (int i = 0; i < all->narg; i++) {
    const char *from = all->arg[i].declared, *hit = plain ? strstr(from, word) : NULL;
    if (i) fg_strbuf_add(&s, ", ");
    if (all->arg[i].kind == FG_PIECE_SCRATCH && b->r->work) from = "void *work", hit = NULL;
    if (hit) fg_strbuf_addn(&s, from, (size_t)(hit - from)), from = hit + strlen(word);
    fg_strbuf_add(&s, from);
  }
  fg_strbuf_add(&s, ")");
  return s.text;
}

/* An argument of a piece, by what the public function has: of one work, tables are the beginning, scratch the rest. */
static const char *given_text(const fg_bundler *b, const fg_piece *all, const fg_piece_arg *arg) {
  if (b->r->work && arg->kind == FG_PIECE_TABLES) return "work";
  if (!b->r->work || arg->kind != FG_PIECE_SCRATCH) return bare_name(arg->declared);
  return fg_arena_printf(b->cx->arena, "(%.*s*)(void *)((char *)work + %lld)", (int)strcspn(arg->declared, "*"),
                         arg->declared, (long long)tables_of_work(all));
}

static const char *call_text(const fg_bundler *b, const fg_piece *all, const fg_piece *piece) {
  fg_strbuf s = fg_strbuf_new(b->cx->arena);
  fg_strbuf_addf(&s, "%s(", piece->name);
  for (int i = 0; i < piece->narg; i++) fg_strbuf_addf(&s, "%s%s", i ? ", " : "", given_text(b, all, &piece->arg[i]));
  fg_strbuf_add(&s, ")");
  return s.text;
}

static bool takes(const fg_piece *piece, fg_piece_arg_kind kind) {
  for (int i = 0; i < piece->narg; i++)
    if (piece->arg[i].kind == kind) return true;
  return false;
}

/* ---- public functions ----------------------------------------------------------- */

static void set_storage(const fg_bundler *b, fg_template_values *row) {
  fg_template_set(row, "public", b->r->inside ? "" : "1");
  fg_template_set(row, "storage", b->r->inside ? "static " : "");
}

static void add_call(const fg_bundler *b, int problem, fg_template_values *v) {
  const fg_piece *all = common_piece(b, problem), *first = piece_of(b, problem, 0);
  fg_template_values *row = fg_template_add_row(v, "call");
  fg_template_list(row, "other");
  fg_template_list(row, "unused");
  fg_template_set(row, "others", b->nlevel > 1 ? "1" : "");
  set_storage(b, row);
  fg_template_set(row, "head", head_text(b, b->symbol[problem], all, false));
  fg_template_setf(row, "text", "%s", call_text(b, all, first));
  for (int l = b->nlevel - 1; l > 0; l--) {
    fg_template_values *other = fg_template_add_row(row, "other");
    fg_template_setf(other, "number", "%d", l + 1);
    fg_template_set(other, "guard", guard_text(b, l));
    fg_template_set(other, "text", call_text(b, all, piece_of(b, problem, l)));
  }
  for (int i = 0; i < all->narg; i++)
    if (!takes(first, all->arg[i].kind) && !(b->r->work && takes(first, FG_PIECE_TABLES)))
      fg_template_set(fg_template_add_row(row, "unused"), "name", bare_name(all->arg[i].declared));
}

static void add_init(const fg_bundler *b, int problem, fg_template_values *v) {
  bool any = false;
  for (int l = 0; l < b->nlevel; l++) any = any || piece_of(b, problem, l)->table_bytes;
  const char *memory = b->r->work ? "work" : "tables";
  if (!any && !b->r->work) return;
  fg_template_values *row = fg_template_add_row(v, "call");
  fg_template_list(row, "other");
  fg_template_list(row, "unused");
  fg_template_set(row, "others", b->nlevel > 1 ? "1" : "");
  set_storage(b, row);
  fg_template_setf(row, "head", "void %s_init(void *%s)", b->symbol[problem], memory);
  for (int l = b->nlevel - 1; l >= 0; l--) {
    const fg_piece *piece = piece_of(b, problem, l);
    fg_template_values *other = l ? fg_template_add_row(row, "other") : row;
    if (l) fg_template_setf(other, "number", "%d", l + 1);
    if (l) fg_template_set(other, "guard", guard_text(b, l));
    if (piece->table_bytes)
      fg_template_setf(other, "text", "%s_init(%s)", piece->name, memory);
    else
      fg_template_setf(other, "text", "(void)%s", memory);
  }
}

/* ---- the source ------------------------------------------------------------------- */

/* "-mavx2 -mtune=x -mprefer-vector-width=512" as attributes have it; clang says the
 * last one in another way. */
static const char *target_text(const fg_bundler *b, const char *flags, bool clang) {
  fg_strbuf s = fg_strbuf_new(b->cx->arena);
  for (const char *at = flags; *at;) {
    size_t length = strcspn(at, " ");
    bool skipped = clang && !strncmp(at, "-mprefer-vector-width", strlen("-mprefer-vector-width"));
    if (length > 2 && !skipped) fg_strbuf_addf(&s, "%s%.*s", s.length ? "," : "", (int)length - 2, at + 2);
    at += length;
    at += strspn(at, " ");
  }
  return s.text;
}

static void add_attributes(const fg_bundler *b, fg_template_values *v) {
  fg_template_list(v, "attribute");
  for (int l = 0; l < b->nlevel; l++) {
    const fg_isa *isa = b->r->isa[l];
    if (!isa->vector_bytes) continue;
    fg_template_values *row = fg_template_add_row(v, "attribute");
    fg_template_set(row, "name", fg_bundler_attribute(b, l));
    fg_template_set(row, "flags", *isa->flags ? "1" : "");
    fg_template_set(row, "bare", *isa->flags ? "" : "1");
    fg_template_set(row, "gcc", target_text(b, isa->flags, false));
    fg_template_set(row, "clang", target_text(b, isa->flags, true));
    fg_template_setf(row, "bits", "%d", 8 * isa->vector_bytes);
  }
}

/* "__builtin_cpu_supports("avx2") && ..." */
static const char *check_text(const fg_bundler *b, const fg_isa *isa) {
  fg_strbuf s = fg_strbuf_new(b->cx->arena);
  for (const char *at = isa->cpu_feature; *at;) {
    size_t length = strcspn(at, ",");
    fg_strbuf_addf(&s, "%s__builtin_cpu_supports(\"%.*s\")", s.length ? " && " : "", (int)length, at);
    at += length + (at[length] == ',');
  }
  return s.text;
}

static void add_dispatch(const fg_bundler *b, fg_template_values *v) {
  fg_strbuf names = fg_strbuf_new(b->cx->arena);
  fg_template_list(v, "check");
  for (int l = 0; l < b->nlevel; l++) {
    fg_strbuf_addf(&names, "%s\"%s\"", l ? ", " : "", b->r->isa[l]->name);
    if (!l || is_compiled_in(b, l)) continue;
    fg_template_values *row = fg_template_add_row(v, "check");
    fg_template_setf(row, "number", "%d", l + 1);
    fg_template_set(row, "text", check_text(b, b->r->isa[l]));
  }
  fg_template_set(v, "isas", names.text);
  int last = last_of_dispatch(b);
  fg_template_setf(v, "levels", "%d", last);
  fg_template_set(v, "apart", last < b->nlevel ? guard_text(b, last) : "");
  fg_template_setf(v, "apart_number", "%d", last + 1);
  fg_template_set(v, "level_if", last < b->nlevel ? "#elif" : "#if");
  const char *other = last < b->nlevel ? fg_arena_printf(b->cx->arena, "!(%s) && ", guard_text(b, last)) : "";
  fg_template_set(v, "found_guard",
                  fg_arena_printf(b->cx->arena, "%s%s_WIDEST >= 2", other, upper_text(b, b->r->name)));
  fg_template_set(v, "vector_guard",
                  fg_arena_printf(b->cx->arena, "%s_WIDEST >= 2%s%s", upper_text(b, b->r->name),
                                  last < b->nlevel ? " || " : "", last < b->nlevel ? guard_text(b, last) : ""));
  fg_template_set(v, "dispatch", has_dispatch(b) ? "1" : "");
}

/* Compilers without vectors get along with the first level. */
static bool is_scalar_first(const fg_bundler *b) {
  for (int p = 0; p < b->r->nproblem; p++)
    if (piece_of(b, p, 0)->lanes) return false;
  return has_dispatch(b);
}

/* What all pieces use, and the fence where one does. */
static const char *macros(const fg_bundler *b) {
  const fg_dialect *c = fg_dialect_find("c");
  const char *macro = upper_text(b, b->r->name), *fence = "";
  for (int l = 0; l < b->nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++)
      if (piece_of(b, p, l)->fences) fence = fg_spell_macros(b->cx, c, macro, c->fence_macros);
  const char *math = fg_bundler_calls(b, c->call_preamble) ? c->call_preamble : "";
  return fg_arena_printf(b->cx->arena, "%s%s%s", math, fg_spell_macros(b->cx, c, macro, c->macros), fence);
}

/* Of gcc, as strings for its pragma. */
static const char *options(const fg_bundler *b) {
  const char *apart = fg_dialect_find("c")->apart_option, *also = "";
  for (int l = 0; l < b->nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++)
      if (piece_of(b, p, l)->apart) also = fg_arena_printf(b->cx->arena, ", \"%s\"", apart);
  bool roots = fg_bundler_calls(b, "sqrt"); /* an instruction each, then */
  if (b->r->embedded) return roots ? "\"no-math-errno\"" : "";
  if (roots) also = fg_arena_printf(b->cx->arena, "%s, \"no-math-errno\"", also);
  const char *level = b->r->most_code ? "" : "\"O3\", ";
  return fg_arena_printf(b->cx->arena, "%s\"no-ivopts\", \"fp-contract=fast\"%s", level, also);
}

static int64_t add_levels(const fg_bundler *b, fg_template_values *v) {
  int64_t bytes = 0;
  for (int l = 0; l < b->nlevel; l++) {
    fg_template_values *row = fg_template_add_row(v, "level");
    fg_strbuf s = fg_strbuf_new(b->cx->arena);
    fg_template_set(row, "guard", l ? "1" : "");
    fg_template_set(row, "condition", guard_text(b, l));
    bytes += fg_table_pool_write(fg_bundler_pool(b, l), l, has_dispatch(b) ? TABLE_ALIGN : 0, &s);
    if (b->r->isa[l]->vector_bytes) fg_strbuf_add(&s, fg_bundler_level_helpers(b, l));
    for (int p = 0; p < b->r->nproblem; p++) fg_strbuf_addf(&s, "%s\n", piece_of(b, p, l)->body);
    fg_template_set(row, "text", s.text);
  }
  return bytes;
}

static void fact(fg_template_values *v, const char *text) {
  fg_template_set(fg_template_add_row(v, "fact"), "text", text);
}

static void add_facts(const fg_bundler *b, fg_template_values *v) {
  fg_arena *a = b->cx->arena;
  fg_strbuf isas = fg_strbuf_new(a);
  for (int l = 0; l < b->nlevel; l++) fg_strbuf_addf(&isas, "%s%s", l ? ", " : "", b->r->isa[l]->name);
  int n = b->r->nproblem;
  const char *transforms = n == 1 ? "one transform" : fg_arena_printf(a, "%d transforms", n);
  fg_template_set(v, "name", b->r->name);
  fg_template_set(v, "upper", upper_text(b, b->r->name));
  fg_template_setf(v, "title", "%s%s", transforms, b->r->embedded ? " for a small machine" : "");
  fg_template_list(v, "fact");
  if (b->r->command) fact(v, fg_arena_printf(a, "Made by: %s", b->r->command));
  if (!has_dispatch(b)) {
    bool math = fg_bundler_calls(b, "#include <math.h>");
    fact(v, math ? "Build: any C99 compiler, -O2; with libm, whose functions the operations of its problems are"
            : b->r->embedded ? "Build: any C99 compiler, -O2; freestanding, nothing of libm"
                             : "Build: any C99 compiler, -O2");
    return;
  }
  int last = last_of_dispatch(b);
  fact(v, fg_arena_printf(a, "Instruction sets: %s; the widest that the CPU has is taken", isas.text));
  fact(v, "Build: gcc 12 or clang 14, or later, -O2; no flags for instruction sets");
  fact(v, fg_arena_printf(a, "With -D%s_WIDEST=1 .. %d only the first of them are compiled", upper_text(b, b->r->name),
                          last));
}

fg_status fg_bundler_source(const fg_bundler *b, fg_file *out, int64_t *table_bytes) {
  fg_template_values *v = fg_template_create(b->cx);
  fg_strbuf text = fg_strbuf_new(b->cx->arena);
  add_facts(b, v);
  add_attributes(b, v);
  add_dispatch(b, v);
  fg_template_set(v, "optimize", options(b));
  fg_template_set(v, "scalar_first", is_scalar_first(b) ? "1" : "");
  const fg_dialect *c = fg_dialect_find("c");
  const char *macro = upper_text(b, b->r->name);
  fg_template_set(v, "macros", macros(b));
  fg_template_set(v, "vectors", fg_bundler_vector_types(b));
  const char *numbers = "";
  if (fg_bundler_numbers(b, &numbers) != FG_OK) return FG_EUSER;
  fg_template_set(v, "numbers", numbers);
  fg_template_set(v, "vector_macros", fg_spell_macros(b->cx, c, macro, c->vector.macros));
  *table_bytes = add_levels(b, v);
  for (int p = 0; p < b->r->nproblem; p++) {
    add_call(b, p, v);
    add_init(b, p, v);
  }
  fg_status status = fg_template_expand(b->cx, "bundle_source.tmpl", v, &text);
  while (text.length > 1 && text.text[text.length - 2] == '\n') fg_strbuf_cut(&text, text.length - 1);
  *out = (fg_file){fg_arena_printf(b->cx->arena, "%s.c", b->r->name), text.text, text.length};
  return status;
}

/* ---- the header --------------------------------------------------------------------- */

static void about(fg_template_values *row, const char *text) {
  fg_template_set(fg_template_add_row(row, "about"), "text", text);
}

static void describe(const fg_bundler *b, int problem, const fg_piece *all, fg_template_values *row) {
  fg_arena *a = b->cx->arena;
  const fg_variant *v = fg_bundler_variant(b, problem, 0);
  for (int l = 0; l < b->nlevel; l++) {
    const char *plan = fg_plan_print(b->cx, fg_bundler_variant(b, problem, l)->c.chosen.plan);
    about(row, fg_arena_printf(a, "Plan for %s: %s", b->r->isa[l]->name, plan));
  }
  if (v->c.problem.kind == FG_C2C)
    about(row, fg_arena_printf(a, "y[k] = sum over j of x[j] exp(%s 2 pi i j k / n), n = %lld, %s",
                               v->c.problem.sign < 0 ? "-" : "+", (long long)fg_problem_points(&v->c.problem),
                               v->c.problem.scale == FG_SCALE_NONE ? "not scaled" : "scaled as the problem says"));
  const char *own = fg_arena_printf(a, "%s_prepare ", v->piece.name);
  for (int i = 0; i < v->piece.nabout; i++) {
    const char *line = v->piece.about[i], *prepare = strstr(line, own);
    if (prepare)
      line = fg_arena_printf(a, "%.*s%s_prepare %s", (int)(prepare - line), line, b->symbol[problem],
                             prepare + strlen(own));
    about(row, line);
  }
  if (b->r->work)
    about(row,
          fg_arena_printf(a, "work: as %s_init left it, aligned to 64; one for each thread that calls at the same time",
                          b->symbol[problem]));
  else if (all->scratch_bytes)
    about(row, fg_arena_printf(a, "scratch: %lld bytes, aligned to 64; its contents mean nothing before and after",
                               (long long)all->scratch_bytes));
  if (all->table_bytes && !b->r->work)
    about(row, fg_arena_printf(a, "tables: as %s_init left them", b->symbol[problem]));
}

/* Most of the stack that a call takes: the public function and all that can be
 * below it, as if each called the next. 0: not known, or not bounded. */
static int64_t stack_of(const char *usage, const char *symbol) {
  size_t length = strlen(symbol);
  int64_t bytes = 0;
  for (const char *at = usage; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
    const char *tab = at + strcspn(at, "\t\n"), *name = tab;
    while (name > at && name[-1] != ':') name--;
    size_t is = (size_t)(tab - name);
    if (*tab != '\t' || is < length || memcmp(name, symbol, length) != 0) continue;
    if (is > length && strncmp(name + length, "_code", 5) != 0) continue;
    const char *kind = tab + 1 + strcspn(tab + 1, "\t\n");
    if (!strncmp(kind, "\tdynamic\n", strlen("\tdynamic\n"))) return 0;
    bytes += strtoll(tab + 1, NULL, 10);
  }
  return bytes;
}

static void add_declaration(const fg_bundler *b, const fg_bundle *made, int problem, fg_template_values *v) {
  const fg_piece *all = common_piece(b, problem);
  const fg_compilation *c = &fg_bundler_variant(b, problem, 0)->c;
  const fg_program *program = c->chosen.program;
  fg_template_values *row = fg_template_add_row(v, "call");
  int64_t ram = fg_buffer_bytes(&program->buffer[FG_BUFFER_IN]) + all->scratch_bytes;
  if (!c->problem.in_place) ram += fg_buffer_bytes(&program->buffer[FG_BUFFER_OUT]);
  fg_template_list(row, "about");
  describe(b, problem, all, row);
  fg_template_set(row, "title", fg_problem_print(b->cx, &c->problem));
  fg_template_set(row, "upper", upper_text(b, b->symbol[problem]));
  fg_template_setf(row, "points", "%lld", (long long)fg_problem_points(&c->problem));
  fg_template_setf(row, "scratch", "%lld", (long long)all->scratch_bytes);
  fg_template_setf(row, "tables", "%lld", (long long)all->table_bytes);
  fg_template_setf(row, "ram", "%lld", (long long)ram);
  int64_t stack = b->r->embedded ? stack_of(made->size.stack, b->symbol[problem]) : 0;
  fg_template_set(row, "stack", "");
  if (stack) fg_template_setf(row, "stack", "%lld", (long long)stack);
  set_storage(b, row);
  fg_template_set(row, "head", head_text(b, b->symbol[problem], all, true));
  fg_template_set(row, "init", "");
  fg_template_set(row, "work", "");
  fg_template_set(row, "parts", b->r->work ? "" : "1");
  fg_template_set(row, "tables_init", all->table_bytes && !b->r->work ? "1" : "");
  if (b->r->work)
    fg_template_setf(row, "work", "%lld", (long long)(tables_of_work(all) + (all->scratch_bytes + 63) / 64 * 64));
  if (all->table_bytes || b->r->work)
    fg_template_setf(row, "init", "void %s_init(void *%s)", b->symbol[problem], b->r->work ? "work" : "tables");
}

static void add_sizes(const fg_bundler *b, const fg_bundle *made, fg_template_values *v) {
  fg_arena *a = b->cx->arena;
  bool measured = made->size.how != NULL;
  fg_template_set(v, "embedded", b->r->embedded ? "1" : "");
  fg_template_set(v, "flash", measured ? "1" : "");
  fg_template_setf(v, "tables", "%lld", (long long)made->table_bytes);
  fg_template_setf(v, "static_ram", "%lld", (long long)(made->size.data + made->size.bss));
  if (measured) {
    fact(v, fg_arena_printf(a, "Flash: %lld bytes, %lld of them tables; static memory: %lld bytes",
                            (long long)made->size.flash, (long long)made->table_bytes,
                            (long long)(made->size.data + made->size.bss)));
    fact(v, fg_arena_printf(a, "  by %s", made->size.how));
    fg_template_setf(v, "flash", "%lld", (long long)made->size.flash);
    fg_template_setf(v, "code", "%lld", (long long)(made->size.flash - made->table_bytes));
  } else if (b->r->embedded) {
    fact(v, fg_arena_printf(a,
                            "Flash: %lld bytes of tables, and code: about %lld bytes, as the compiler likes; "
                            "--measure states it",
                            (long long)made->table_bytes, (long long)(made->size.flash - made->table_bytes)));
    fact(v, "Static memory: none");
  }
}

fg_status fg_bundler_header(const fg_bundler *b, const fg_bundle *made, fg_file *out) {
  fg_template_values *v = fg_template_create(b->cx);
  fg_strbuf text = fg_strbuf_new(b->cx->arena);
  add_facts(b, v);
  add_sizes(b, made, v);
  fg_template_set(v, "dispatch", has_dispatch(b) ? "1" : "");
  for (int p = 0; p < b->r->nproblem; p++) add_declaration(b, made, p, v);
  fg_status status = fg_template_expand(b->cx, "bundle_header.tmpl", v, &text);
  *out = (fg_file){fg_arena_printf(b->cx->arena, "%s.h", b->r->name), text.text, text.length};
  return status;
}

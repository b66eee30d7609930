/* See translate.h. In: emitted C. Out: C for libtcc, which calls fg_add, fg_sub, fg_mul, fg_neg and functions.
 *
 * The idea: the proof's own dialect (targets/gf) shows that the emitter is right, but not the C text. Some things
 * occur in the C text alone: spellings, vectors of two numbers, words, non-temporal stores, the order of lines. So
 * the delivered text itself is parsed and translated to field operations, statement by statement. Text that cannot
 * be parsed is a fault. Addresses, counters and conditions stay as they are. Not translated are functions that
 * convert numbers in memory, which belong to the dialect, and those that fill tables, which literals.c runs. */
#include "generator/prove/translate.h"
#include "generator/prove/contexts.h"
#include "generator/prove/translate_arguments.h"
#include "generator/prove/translate_constants.h"
#include "generator/prove/translate_contexts.h"
#include "generator/prove/translate_kernels.h"
#include "generator/prove/translate_token.h"
#include "targets/ascii.h"
#include <stdlib.h>
#include <string.h>

static void statement(fg_translator *t);

static void put(fg_translator *t, const char *text) { fg_strbuf_add(&t->out, text); }

static bool is_own(const fg_translator *t, const char *word, size_t length) {
  size_t own = strlen(t->c->name);
  return length >= own && !strncmp(word, t->c->name, own) && (length == own || word[own] == '_');
}

/* ---- statements ---------------------------------------------------------------------------- */

static const char scale_name[] = "KP_scale";

/* "unsigned x0 = *(const unsigned *)(p)", "unsigned hold[8]": of kernels, pairs of numbers. */
static bool may_be_pair(const fg_translator *t, fg_translate_type type) {
  return t->c->nlaunch && type.kind == FG_C_INDEX && type.to == FG_C_INDEX && type.lanes == 4;
}

static fg_translate_type declared(fg_translator *t, fg_translate_type type) {
  if (!may_be_pair(t, type) || !fg_translate_peek(t, "[")) return type;
  return (fg_translate_type){.kind = FG_C_PAIR, .lanes = 2};
}

/* "[8]" behind the name of an array: how many; NULL: it is none. */
static const char *elements(fg_translator *t) {
  if (!fg_translate_accept(t, "[")) return NULL;
  const char *count = fg_translate_convert(t, fg_translate_expression(t), (fg_translate_type){FG_C_INDEX, 0, 8});
  fg_translate_expect(t, "]");
  return count;
}

static const char *brackets(fg_translator *t, const char *count) {
  return count ? fg_arena_printf(t->cx->arena, "[%s]", count) : "";
}

/* "= {}" behind an array. */
static void begins_with_zeros(fg_translator *t, const char *array) {
  if (!fg_translate_accept(t, "= {}")) return;
  fg_strbuf_addf(&t->out, "; for (unsigned long fg_byte = 0; fg_byte < sizeof %s; fg_byte++) ((char *)%s)[fg_byte] = 0",
                 array, array);
}

/* What each thread keeps, one for each. */
static void spread(fg_translator *t, fg_translate_type type, const char *word, size_t length) {
  const char *text = fg_translate_type_text(t, type), *count = elements(t);
  fg_translate_type own = count ? (fg_translate_type){FG_C_POINTER, type.kind, type.lanes} : type;
  fg_strbuf_addf(&t->hoisted, "static %s %.*s[%d]%s;\n", text, (int)length, word, t->threads, brackets(t, count));
  const char *mine = fg_arena_printf(t->cx->arena, "%.*s[fg_thread]", (int)length, word);
  if (count)
    begins_with_zeros(t, mine);
  else if (fg_translate_accept(t, "="))
    fg_strbuf_addf(&t->out, "%s = %s", mine, fg_translate_convert(t, fg_translate_expression(t), type));
  fg_translate_declare(t, word, length, own, false);
  fg_translate_lookup(t, word, length)->each = "fg_thread";
  fg_translate_lookup(t, word, length)->count = count;
}

/* Memory that a block's threads share, whose size the launch says; or an array of it. */
static void shared_array(fg_translator *t) {
  fg_translate_type type;
  if (!fg_translate_accept_type(t, &type)) fg_translate_fail(t, "no type");
  fg_translate_skip_space(t);
  const char *word = t->at, *text = fg_translate_type_text(t, type);
  size_t length = fg_translate_word(t);
  t->at += length;
  fg_translate_expect(t, "[");
  fg_strbuf_addf(&t->out, "%s *const %.*s", text, (int)length, word);
  if (fg_translate_accept(t, "]")) {
    t->translation->shared = t->contexts ? fg_translate_context_numbers(t) : fg_translate_shared_size(t);
    fg_strbuf_addf(&t->out, " = (%s *)%s", text, t->contexts ? "fg_local" : "fg_shared");
  } else {
    fg_translate_value count = fg_translate_expression(t);
    fg_translate_expect(t, "]");
    if (!count.known || type.kind != FG_C_REAL) fg_translate_fail(t, "no array of numbers");
    fg_translate_shared_array(t, word, length, count.number);
  }
  if (fg_translate_accept(t, "__attribute__")) fg_translate_expect(t, "("), fg_translate_skip_brackets(t, '(', ')');
  fg_translate_declare(t, word, length, (fg_translate_type){FG_C_POINTER, type.kind, type.lanes}, false);
}

static void declarator(fg_translator *t, fg_translate_type type) {
  const char *word = t->at;
  size_t length = fg_translate_word(t);
  if (!length) {
    fg_translate_fail(t, "no name");
    return;
  }
  word = t->name_at = t->at, t->name_length = length;
  t->at += length;
  type = declared(t, type);
  t->is_scale = length == strlen(scale_name) && !strncmp(word, scale_name, length);
  if (fg_translate_is_live_across(t, word, length)) {
    spread(t, type, word, length);
    return;
  }
  const char *count = elements(t);
  fg_translate_type own = count ? (fg_translate_type){FG_C_POINTER, type.kind, type.lanes} : type;
  const char *text = NULL;
  t->is_scale = length == strlen(scale_name) && !strncmp(word, scale_name, length);
  if (!count && fg_translate_accept(t, "=")) {
    fg_translate_hint_constant(t, word, length);
    fg_translate_value value = fg_translate_expression(t);
    if (may_be_pair(t, type) && value.type.kind == FG_C_PAIR) own = type = value.type;
    text = fg_translate_convert(t, value, type);
    t->hinted = false;
    if (t->c->nlaunch) text = fg_translate_shared_offset(t, word, length, text);
  }
  fg_strbuf_addf(&t->out, "%s %.*s%s", fg_translate_type_text(t, type), (int)length, word, brackets(t, count));
  if (text) fg_strbuf_addf(&t->out, " = %s", text);
  if (count) begins_with_zeros(t, fg_arena_printf(t->cx->arena, "%.*s", (int)length, word));
  t->is_scale = false;
  fg_translate_declare(t, word, length, own, false);
  if (count) fg_translate_lookup(t, word, length)->count = count;
}

static bool declares(fg_translator *t) {
  fg_translate_type type;
  if (!fg_translate_accept_type(t, &type)) return false;
  do {
    declarator(t, type);
    put(t, "; ");
    if (!fg_translate_accept(t, ",")) return true;
    if (type.kind == FG_C_POINTER)
      fg_translate_expect(t, "*"), fg_translate_accept(t, "const"); /* of the next one, too */
    fg_translate_skip_space(t);
  } while (t->at < t->end);
  return true;
}

static void assigns(fg_translator *t) {
  static const char *const signs[] = {"+=", "-=", "*=", "/=", "%=", "^=", "|=", "&="};
  fg_translate_value to = fg_translate_expression(t);
  put(t, to.text);
  if (fg_translate_accept(t, "=")) {
    fg_strbuf_addf(&t->out, " = %s", fg_translate_convert(t, fg_translate_expression(t), to.type));
    return;
  }
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (fg_translate_accept(t, signs[i])) {
      if (to.type.kind != FG_C_INDEX) fg_translate_fail(t, "no whole number");
      fg_strbuf_addf(&t->out, " %s %s", signs[i], fg_translate_convert(t, fg_translate_expression(t), to.type));
      return;
    }
}

/* Its counters are declared before it. */
static void loop(fg_translator *t) {
  bool endless = t->contexts && fg_translate_peek(t, "(;;)");
  fg_translate_expect(t, "(");
  put(t, "{ ");
  t->depth++;
  if (!endless && !declares(t)) fg_translate_fail(t, "no counter");
  t->depth--;
  const char *counter = t->name_at;
  size_t length = t->name_length;
  fg_translate_expect(t, ";");
  fg_strbuf_addf(&t->out, "for (; %s; ", endless ? "" : fg_translate_expression(t).text);
  fg_translate_expect(t, ";");
  if (!endless) assigns(t);
  while (fg_translate_accept(t, ",")) put(t, ", "), assigns(t);
  fg_translate_expect(t, ")");
  put(t, ") {\n");
  if (!endless) fg_translate_loop_sample(t, counter, length);
  statement(t);
  put(t, "}}\n");
}

/* Brings memory near, or orders it: a call of these changes no number. */
static bool changes_nothing(fg_translator *t) {
  static const char *const words[] = {"__builtin_prefetch", "__asm__", "__builtin_ia32_sfence"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (fg_translate_accept(t, words[i])) {
      fg_translate_accept(t, "volatile");
      fg_translate_expect(t, "(");
      fg_translate_skip_brackets(t, '(', ')');
      fg_translate_expect(t, ";");
      return true;
    }
  return fg_translate_accept_macro(t, "_FENCE") && (fg_translate_expect(t, ";"), true);
}

static void block(fg_translator *t) {
  put(t, "{\n");
  t->depth++;
  while (t->at < t->end && !fg_translate_peek(t, "}")) statement(t);
  t->depth--;
  fg_translate_expect(t, "}");
  put(t, "}\n");
}

static bool waits(fg_translator *t) {
  const char *barrier = t->c->nlaunch ? t->dialect->barrier_block : NULL;
  if (!barrier || strncmp(t->at, barrier, strlen(barrier)) != 0) return false;
  t->at += strlen(barrier);
  fg_translate_barrier(t);
  return true;
}

/* A statement that begins with a word of the language. */
static bool worded(fg_translator *t) {
  if (fg_translate_accept(t, "else")) {
    put(t, "else ");
    statement(t);
  } else if (fg_translate_accept(t, "switch")) {
    fg_translate_expect(t, "(");
    fg_strbuf_addf(&t->out, "switch (%s) ", fg_translate_expression(t).text);
    fg_translate_expect(t, ")");
    statement(t);
  } else if (fg_translate_accept(t, "case")) {
    fg_strbuf_addf(&t->out, "case %s:\n", fg_translate_expression(t).text);
    fg_translate_expect(t, ":");
  } else if (fg_translate_accept(t, "break")) {
    put(t, "break;\n");
    fg_translate_expect(t, ";");
  } else {
    return false;
  }
  return true;
}

/* "__local float work0[1024]", "extern __shared__ double2 local[]" */
static bool is_array_of_block(fg_translator *t) {
  if (!t->c->nlaunch) return false;
  const char *form = t->dialect->local_array;
  bool sized = strchr(form, '[') && !strncmp(t->at, form, strcspn(form, " ("));
  if (!fg_translate_peek(t, "extern") && !sized) return false;
  size_t line = strcspn(t->at, ";=");
  return t->at[line] == ';' && memchr(t->at, '[', line);
}

static void statement(fg_translator *t) {
  if (fg_translate_accept(t, "{")) {
    block(t);
  } else if (fg_translate_accept(t, "for")) {
    loop(t);
  } else if (fg_translate_accept(t, "if")) {
    fg_translate_expect(t, "(");
    fg_strbuf_addf(&t->out, "if (%s) ", fg_translate_expression(t).text);
    fg_translate_expect(t, ")");
    statement(t);
  } else if (!worded(t) && !changes_nothing(t) && !waits(t) && !(t->contexts && fg_translate_context_statement(t))) {
    if (fg_translate_peek(t, "static")) put(t, "static ");
    if (is_array_of_block(t))
      shared_array(t), put(t, ";");
    else if (!declares(t))
      fg_translate_stage_call(t), assigns(t), put(t, ";");
    fg_translate_expect(t, ";");
    put(t, "\n");
  }
}

/* ---- the text's parts ------------------------------------------------------------------------- */

/* Lanes by bytes: "vector_size(2 * 8)". */
static int64_t vector_bytes(fg_translator *t, const char *end) {
  const char *size = strstr(t->at, "vector_size(");
  if (!size || size > end) return 0;
  t->at = size + strlen("vector_size(");
  fg_translate_value a = fg_translate_list_item(t);
  int64_t bytes = 0;
  char *behind;
  for (const char *s = a.text; *s; s++) {
    if (!fg_is_digit(*s)) continue;
    int64_t n = strtoll(s, &behind, 10);
    bytes = bytes ? bytes * n : n;
    s = behind - 1;
  }
  return bytes;
}

/* typedef float vec8 __attribute__((vector_size(32))); */
static void vector_type(fg_translator *t) {
  const char *end = t->at + strcspn(t->at, ";");
  bool is_long = fg_translate_peek(t, "unsigned"), is_int = fg_translate_peek(t, "int"),
       wide = fg_translate_peek(t, "double");
  int real = t->p->problem.compute == FG_F64 ? 8 : 4;
  fg_translate_type base, type = {.kind = FG_C_VECTOR};
  if (!fg_translate_accept_type(t, &base)) fg_translate_fail(t, "no type");
  fg_translate_skip_space(t);
  const char *word = t->at;
  size_t length = fg_translate_word(t);
  type.lanes = (int)(vector_bytes(t, end) / real);
  if (is_long || is_int) type.kind = FG_C_WORDS;
  if (wide && real == 4) type.kind = type.lanes ? FG_C_HALVES : FG_C_VECTOR;
  if (wide && real == 4 && !type.lanes) type.lanes = 2;
  if (type.lanes && !t->failure) fg_translate_declare(t, word, length, type, true);
  if (t->at < t->end) t->at = end + 1;
}

/* An array with a table: declared here, defined by the code that runs the translated text. */
static void table(fg_translator *t, fg_translate_type type, const char *word, size_t length) {
  fg_translate_declare(t, word, length, (fg_translate_type){FG_C_POINTER, type.kind, type.lanes}, false);
  const char *name = fg_arena_printf(t->cx->arena, "%.*s", (int)length, word);
  if (t->translation->ntable == FG_MAX_BUFFERS) fg_translate_fail(t, "too many tables");
  if (!t->failure) t->translation->table[t->translation->ntable++] = name;
  fg_strbuf_addf(&t->out, "extern %s %s[];\n", fg_translate_type_text(t, type), name);
  while (t->at < t->end && !fg_translate_peek(t, "{") && !fg_translate_peek(t, ";")) t->at++;
  if (fg_translate_accept(t, "{")) fg_translate_skip_brackets(t, '{', '}');
  fg_translate_expect(t, ";");
}

typedef struct arguments { /* of the public function, or of its parts */
  int slots, params;
  fg_strbuf text; /* taken from arrays */
} arguments;

/* number: among a kernel's; -1: of another function */
static void parameter(fg_translator *t, arguments *a, int number) {
  fg_translate_type type;
  if (!fg_translate_accept_type(t, &type)) {
    fg_translate_fail(t, "no parameter");
    return;
  }
  fg_translate_skip_space(t);
  const char *word = t->at;
  size_t length = fg_translate_word(t);
  t->at += length;
  if (number >= 0) fg_translate_argument_number(t, type.kind == FG_C_POINTER, number);
  fg_translate_declare(t, word, length, type, false);
  fg_strbuf_addf(&t->out, "%s %.*s", fg_translate_type_text(t, type), (int)length, word);
  fg_strbuf *s = &a->text;
  bool again = t->p->problem.in_place && a->slots == fg_artifact_slot(t->c, 1);
  if (again) a->slots = fg_artifact_slot(t->c, 2); /* the output's, which is the input */
  if (s->length) fg_strbuf_add(s, ", ");
  if (type.kind == FG_C_POINTER)
    fg_strbuf_addf(s, "slot[%d]", a->slots++);
  else if (type.lanes == 8)
    fg_strbuf_addf(s, "params[%d]", a->params++);
  else
    fg_strbuf_addf(s, "%.*s", (int)length, word); /* step, part, parts */
}

/* A stage's function, by all threads of a block. */
static void threads(fg_translator *t) {
  size_t head = t->out.length;
  fg_strbuf_cut(&t->hoisted, 0);
  fg_translate_open_threads(t);
  t->depth = 1;
  while (t->at < t->end && !fg_translate_peek(t, "}")) statement(t);
  t->depth = 0;
  fg_translate_expect(t, "}");
  fg_translate_close_threads(t);
  const char *body = fg_arena_strdup(t->cx->arena, t->out.text + head);
  fg_strbuf_cut(&t->out, head);
  fg_strbuf_addf(&t->out, "{\n%s%s}\n", t->hoisted.text, body);
}

static bool is_kernel(const fg_translator *t, const char *word, size_t length) {
  for (int i = 0; i < t->c->nlaunch; i++)
    if (strlen(t->c->launch[i].entry) == length && !strncmp(t->c->launch[i].entry, word, length)) return true;
  return false;
}

static void function(fg_translator *t, fg_translate_type type, const char *word, size_t length, arguments *a) {
  fg_strbuf_addf(&t->out, "%s %.*s(", fg_translate_type_text(t, type), (int)length, word);
  fg_translate_declare(t, word, length, type, false);
  bool numbered = is_kernel(t, word, length);
  t->told = !fg_translate_has_own(t);
  for (int i = 0; t->at < t->end && !fg_translate_peek(t, ")"); i++) {
    if (i) fg_translate_expect(t, ",");
    if (fg_translate_own_parameter(t)) continue;
    if (i) put(t, ", ");
    parameter(t, a, numbered ? i : -1);
  }
  fg_translate_expect(t, ")");
  if (!t->told) fg_translate_fail(t, "no argument that says which thread it is");
  if (fg_translate_accept(t, ";")) {
    put(t, ");\n");
    return;
  }
  put(t, ") ");
  fg_translate_expect(t, "{");
  fg_translate_enter_function(t, word, length);
  if (t->c->nlaunch && !t->contexts && fg_translate_is_stage(t, word, length)) {
    threads(t);
    return;
  }
  block(t);
}

static void entry(fg_translator *t, const char *suffix, const char *more, const arguments *a) {
  fg_strbuf_addf(&t->out, "void %s%s_entry(void *const *slot, const long long *params%s) {\n  %s%s(%s);\n}\n",
                 t->c->name, suffix, more, t->c->name, suffix, a->text.text);
}

static bool ends_with(const char *word, size_t length, const char *tail) {
  return length > strlen(tail) && !strncmp(word + length - strlen(tail), tail, strlen(tail));
}

static void top_level(fg_translator *t) {
  fg_translate_type type;
  if (fg_translate_accept(t, "typedef")) {
    vector_type(t);
    return;
  }
  if (fg_translate_accept(t, "extern")) {
    fg_translate_skip_space(t);
    t->at += strspn(t->at, "\"C");
    return;
  }
  if (!fg_translate_accept_type(t, &type)) {
    fg_translate_fail(t, "neither a function nor an array");
    return;
  }
  fg_translate_skip_space(t);
  const char *word = t->at;
  size_t length = fg_translate_word(t), own = strlen(t->c->name);
  t->at += length;
  if (fg_translate_accept(t, "[")) {
    table(t, type, word, length);
    return;
  }
  fg_translate_expect(t, "(");
  if (!is_own(t, word, length) || ends_with(word, length, "_init_entry")) { /* one that converts numbers, or fills */
    fg_translate_skip_brackets(t, '(', ')');
    if (!fg_translate_accept(t, ";") && fg_translate_accept(t, "{")) fg_translate_skip_brackets(t, '{', '}');
    return;
  }
  arguments a = {0};
  a.text = fg_strbuf_new(t->cx->arena);
  bool whole = length == own && !t->has_entry, part = length == own + 5 && ends_with(word, length, "_part");
  part = part && !t->has_entry;
  size_t from = t->out.length;
  function(t, type, word, length, &a);
  bool defined = t->out.text[t->out.length - 2] != ';' || t->out.length - from < 2;
  if (whole && defined) entry(t, "", "", &a);
  if (part && defined) entry(t, "_part", ", int step, int part, int parts", &a);
}

/* ---- the text before it -------------------------------------------------------------------------- */

/* Of functions with one operand and two. */
#define DECLARED_1 "(fg_real a);\n"
#define DECLARED_2 "(fg_real a, fg_real b);\n"
static const char operations[] =
    "typedef unsigned long long fg_real;\n"
    "extern fg_real fg_add(fg_real a, fg_real b);\n"
    "extern fg_real fg_sub(fg_real a, fg_real b);\n"
    "extern fg_real fg_mul(fg_real a, fg_real b);\n"
    "extern fg_real fg_neg(fg_real a);\n"
#define CALL(NAME, name, operands, meaning) "extern fg_real fg_" name DECLARED_##operands
#include "targets/forms/calls.def"
#undef CALL
    "extern void fg_begins(int stage);\n"
    "extern int fg_leaves_out(int loop, long long at);\n"
    "/* An operand outside of all arrays reports an index beyond one that the text declares. */\n"
    "static long long fg_within(long long i, long long count) {\n"
    "  if (i >= 0 && i < count) return i;\n"
    "  fg_neg(1ULL << 63);\n  return 0;\n}\n";

/* @: the type of a vector, #: its lanes. */
#define EACH(name, arguments, value)                                                                                   \
  "static @ @_" name "(" arguments ") {\n  @ r;\n  for (int i = 0; i < #; ++i) r.v[i] = " value ";\n  return r;\n}\n"
#define LANES "const fg_real *"
#define LANES_1(name) EACH(name, LANES "a", "fg_" name "(a[i])")
#define LANES_2(name) EACH(name, LANES "a, " LANES "b", "fg_" name "(a[i], b[i])")
static const char vectors[] =
    "typedef struct { fg_real v[#]; } @;\n" LANES_2("add") LANES_2("sub") LANES_2("mul") LANES_1("neg")
#define CALL(NAME, name, operands, meaning) LANES_##operands(name)
#include "targets/forms/calls.def"
#undef CALL
        EACH("all", "fg_real a", "a") EACH("or", LANES "a, " LANES "b", "a[i] | b[i]")
            EACH("turn", LANES "a, int up", "i % 2 == up ? a[i ^ 1] : 0") EACH("low", LANES "a", "i < # / 2 ? a[i] : 0")
                EACH("pick", LANES "a, int n, " LANES "b, const int *at", "at[i] < n ? a[at[i]] : b[at[i] - n]");

static void add_vector(fg_strbuf *s, int lanes) {
  for (const char *at = vectors; *at; at++)
    if (*at == '@')
      fg_strbuf_addf(s, "fg_v%d", lanes);
    else if (*at == '#')
      fg_strbuf_addf(s, "%d", lanes);
    else
      fg_strbuf_addn(s, at, 1);
}

static void add_lists(fg_strbuf *s, const fg_translate_list *l) {
  for (; l; l = l->next) {
    fg_strbuf_addf(s, "static const int fg_list%d[] = {", l->number);
    for (int i = 0; i < l->count; i++) fg_strbuf_addf(s, "%s%d", i ? ", " : "", l->at[i]);
    fg_strbuf_add(s, "};\n");
  }
}

/* Threads and blocks are counted without sign. */
static const char *numbers_of(const fg_dialect *d) {
  return d->function_form || d->arguments ? "typedef unsigned fg_number;\n" : "typedef unsigned long long fg_number;\n";
}

/* For two numbers that are loaded at once: an operand outside of all arrays reports a misaligned address. */
static const char aligned[] = "static void *fg_aligned(const void *p) {\n"
                              "  if ((unsigned long long)p & 15) fg_neg(1ULL << 63);\n"
                              "  return (void *)p;\n}\n";

void fg_translate_sections(fg_context *cx, const fg_artifact *c, fg_sections *out) {
  const char *test = strstr(c->source, "#include <math.h>\n#include <stdio.h>"), *at = c->source;
  *out = (fg_sections){.end = test ? test : c->source + strlen(c->source)};
  out->filling = out->entries = out->end;
  for (; c->needs_init && (at = strstr(at, "#include <math.h>")) && at < out->end; at++) out->filling = at;
  const char *entry = strstr(out->filling, fg_arena_printf(cx->arena, "\nvoid %s_entry(", c->name));
  if (entry && entry < out->end) out->entries = entry;
}

static void read_section(fg_translator *t, const char *from, const char *to) {
  t->at = from, t->end = to, t->spaced = NULL;
  for (fg_translate_skip_space(t); t->at < t->end; fg_translate_skip_space(t)) top_level(t);
}

fg_status fg_translate(fg_context *cx, const fg_translate_request *of, fg_translation *out) {
  fg_translator t = {.cx = cx,
                     .p = of->p,
                     .launched = of->launched,
                     .c = of->c,
                     .field = of->field,
                     .map = of->map,
                     .translation = out};
  fg_sections sections;
  fg_translate_sections(cx, of->c, &sections);
  t.has_entry = strstr(of->c->source, fg_arena_printf(cx->arena, "\nvoid %s_entry(", of->c->name)) != NULL;
  *out = (fg_translation){.filling = sections.filling};
  out->shared_bytes = fg_precision_bytes(of->p->problem.compute) / (int)fg_translate_shortest(of->p);
  for (int i = 0; i < FG_MAX_BUFFERS; i++) out->local[i] = -1;
  if (of->like) t.like = of->like->source;
  t.out = fg_strbuf_new(cx->arena);
  fg_translate_constants(&t);
  fg_translate_declare(&t, "", 0, (fg_translate_type){0}, true);
  t.hoisted = fg_strbuf_new(cx->arena);
  t.dialect = fg_dialect_find(of->c->dialect);
  t.contexts = out->contexts = of->c->nlaunch && fg_translate_needs_contexts(of->p, of->c);
  if (of->c->nlaunch) fg_translate_launched_types(&t), put(&t, numbers_of(t.dialect)), put(&t, aligned);
  if (t.contexts)
    put(&t, fg_contexts_declared), fg_translate_context_preamble(&t), fg_translate_own_memory(&t);
  else if (of->c->nlaunch)
    put(&t, "static fg_number fg_block;\nextern fg_real fg_shared[];\n"), fg_translate_own_memory(&t);
  read_section(&t, of->c->nlaunch ? fg_translate_first_kernel(of->c) : of->c->source, sections.filling);
  if (!t.failure) read_section(&t, sections.entries, sections.end);
  if (of->c->nlaunch) (t.contexts ? fg_translate_context_launches : fg_translate_launches)(&t);
  out->failure = t.failure;
  fg_strbuf whole = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&whole, operations);
  for (int lanes = 1; lanes <= 64; lanes *= 2)
    if (t.lanes & (uint64_t)lanes) add_vector(&whole, lanes);
  add_lists(&whole, t.list);
  fg_strbuf_add(&whole, t.out.text);
  out->source = whole.text;
  return FG_OK;
}

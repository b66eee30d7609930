/* Expressions of emitted C, translated to a field. In: the text. Out: the type and the text of the next expression.
 *
 * The idea: addresses and counters stay as they are; operations on numbers and vectors become calls. A literal is
 * the field element of the constant that rounds to it, or of an integer. */
#include "generator/prove/translate_arguments.h"
#include "generator/prove/translate_constants.h"
#include "generator/prove/translate_contexts.h"
#include "generator/prove/translate_kernels.h"
#include "generator/prove/translate_token.h"
#include "generator/reference/operation_values.h"
#include "targets/ascii.h"
#include "targets/number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 128 };

static const fg_translate_type index_type = {.kind = FG_C_INDEX, .lanes = 8}, real_type = {.kind = FG_C_REAL};

static fg_translate_value nothing(fg_translator *t, const char *what) {
  fg_translate_fail(t, what);
  return (fg_translate_value){.type = index_type, .text = "0"};
}

static fg_translate_value translated(fg_translate_type type, const char *text) {
  return (fg_translate_value){.type = type, .text = text};
}

static const char *image_text(fg_translator *t, fg_gf image) {
  return fg_arena_printf(t->cx->arena, "0x%llxULL", (unsigned long long)image);
}

const char *fg_translate_convert(fg_translator *t, fg_translate_value x, fg_translate_type type) {
  fg_translate_kind from = x.type.kind;
  if (type.kind == FG_C_REAL && from == FG_C_INDEX && x.known) return image_text(t, fg_gf_from(t->field, x.number));
  if (type.kind == FG_C_VECTOR && (from == FG_C_REAL || (from == FG_C_INDEX && x.known)))
    return fg_arena_printf(t->cx->arena, "%s_all(%s)", fg_translate_type_text(t, type),
                           fg_translate_convert(t, x, real_type));
  if (type.kind == FG_C_PAIR && from == FG_C_INDEX && x.known && !x.number)
    return fg_arena_printf(t->cx->arena, "((%s){{0, 0}})", fg_translate_type_text(t, type));
  if (type.kind == FG_C_POINTER && from == type.kind && (type.to == FG_C_VOID || x.known)) return x.text;
  bool same = type.kind == from && (type.lanes == x.type.lanes || from == FG_C_INDEX || from == FG_C_REAL);
  if (!same || (from == FG_C_POINTER && type.to != x.type.to)) fg_translate_fail(t, "a value of another type");
  return x.text;
}

/* ---- literals --------------------------------------------------------------------------------- */

/* A factor of the problem's is an element of its own, whatever other numbers are as large. */
static fg_translate_value scale(fg_translator *t, double x) {
  fg_system field = {.field = t->field}, reals = {.field = NULL};
  fg_quad exact = fg_operation_values_scale(&reals, &t->p->problem).quad.re;
  fg_gf image = fg_operation_values_scale(&field, &t->p->problem).gf.re;
  if (!fg_translate_is_rounded(t, exact < 0 ? -exact : exact, x)) return nothing(t, "not the exact value, rounded");
  t->translation->literals++;
  return translated(real_type, image_text(t, exact < 0 ? fg_gf_neg(t->field, image) : image));
}

static fg_translate_value real_literal(fg_translator *t, double x) {
  fg_gf image;
  if (t->is_scale) return scale(t, x);
  if (!fg_translate_image(t, x, &image)) return nothing(t, "a number that no codelet has");
  return translated(real_type, image_text(t, image));
}

static fg_translate_value literal(fg_translator *t) {
  char *end;
  size_t digits = strspn(t->at, "0123456789");
  if (!strchr(".eEf", t->at[digits])) {
    int64_t n = strtoll(t->at, &end, 0);
    const char *from = t->at;
    t->at = end + strspn(end, "uUlL");
    fg_translate_value x = translated(index_type, fg_arena_printf(t->cx->arena, "%.*s", (int)(t->at - from), from));
    x.known = true, x.number = n;
    return x;
  }
  double x = t->p->problem.compute == FG_F64 ? fg_number_read(t->at, &end) : (double)fg_number_read_float(t->at, &end);
  if (end == t->at) return nothing(t, "no number");
  const char *from = t->at;
  t->at = end + (*end == 'f');
  fg_translate_value value = real_literal(t, x);
  if (t->failure) t->failure = fg_arena_printf(t->cx->arena, "a number that no codelet has: %.20s", from);
  return value;
}

/* ---- operations ----------------------------------------------------------------------------------- */

/* Of each lane; b: NULL where the function has one operand. Numbers are read where they are: structs as arguments, and
 * lists in the calls that use them, take libtcc longer than all else. */
static const char *of_lanes(fg_translator *t, fg_translate_type type, const char *name, const char *a, const char *b) {
  return fg_arena_printf(t->cx->arena, "%s_%s(%s.v%s%s%s)", fg_translate_type_text(t, type), name, a, b ? ", " : "",
                         b ? b : "", b ? ".v" : "");
}

static fg_translate_type vector_of(fg_translate_type a, fg_translate_type b) { return a.kind == FG_C_VECTOR ? a : b; }

static fg_translate_value of_words(fg_translator *t, char op, fg_translate_value a, fg_translate_value b) {
  if (op == '|' && b.type.kind == FG_C_WORDS && b.type.lanes == a.type.lanes)
    return translated(a.type, of_lanes(t, a.type, "or", a.text, b.text));
  if (!b.known || b.number != 32 || !strchr("lr", op) || t->p->problem.compute == FG_F64)
    return nothing(t, "an operation on words");
  return translated(
      a.type, fg_arena_printf(t->cx->arena, "%s_turn(%s.v, %d)", fg_translate_type_text(t, a.type), a.text, op == 'l'));
}

/* op: a sign; l and r: shifts; E: any that compares or joins. */
static fg_translate_value operation(fg_translator *t, char op, const char *sign, fg_translate_value a,
                                    fg_translate_value b) {
  fg_arena *arena = t->cx->arena;
  fg_translate_kind x = a.type.kind, y = b.type.kind;
  const char *name = op == '+' ? "add" : op == '-' ? "sub" : op == '*' ? "mul" : *sign == '/' ? "div" : NULL;
  if (x == FG_C_WORDS) return of_words(t, op, a, b);
  if (x == FG_C_VECTOR || y == FG_C_VECTOR) {
    fg_translate_type v = vector_of(a.type, b.type);
    if (!name) return nothing(t, "an operation on vectors");
    const char *first = fg_translate_convert(t, a, v), *second = fg_translate_convert(t, b, v);
    return translated(v, of_lanes(t, v, name, first, second));
  }
  if (x == FG_C_REAL || y == FG_C_REAL) {
    if (!name) return nothing(t, "an operation on numbers");
    const char *first = fg_translate_convert(t, a, real_type), *second = fg_translate_convert(t, b, real_type);
    return translated(real_type, fg_arena_printf(arena, "fg_%s(%s, %s)", name, first, second));
  }
  bool not_null = (x == FG_C_POINTER || x == FG_C_INDEX) && (y == FG_C_POINTER || y == FG_C_INDEX);
  if (!strcmp(sign, "&&") && not_null)
    return translated(index_type, fg_arena_printf(arena, "(%s && %s)", a.text, b.text));
  bool pointers = x == FG_C_POINTER && y == FG_C_INDEX && (op == '+' || op == '-');
  if (!pointers && (x != FG_C_INDEX || y != FG_C_INDEX)) return nothing(t, "an operation on pointers");
  return translated(pointers ? a.type : index_type, fg_arena_printf(arena, "(%s %s %s)", a.text, sign, b.text));
}

static const struct {
  const char *sign;
  int level;
  char op;
} operators[] = {{"||", 1, 'E'}, {"&&", 2, 'E'}, {"==", 6, 'E'}, {"!=", 6, 'E'}, {"<=", 7, 'E'}, {">=", 7, 'E'},
                 {"<<", 8, 'l'}, {">>", 8, 'r'}, {"<", 7, 'E'},  {">", 7, 'E'},  {"|", 3, '|'},  {"^", 4, 'E'},
                 {"&", 5, 'E'},  {"+", 9, '+'},  {"-", 9, '-'},  {"*", 10, '*'}, {"/", 10, 'E'}, {"%", 10, 'E'}};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* The next operator; what assigns is none. */
static int operator_at(fg_translator *t) {
  fg_translate_skip_space(t);
  if (!*t->at || !strchr("|&=!<>^+-*/%", *t->at)) return -1;
  for (int i = 0; i < OPERATORS; i++)
    if (fg_translate_peek(t, operators[i].sign)) {
      const char *behind = t->at + strlen(operators[i].sign);
      bool assigns = *behind == '=' && (!operators[i].sign[1] || operators[i].level == 8);
      return assigns ? -1 : i;
    }
  return -1;
}

static fg_translate_value from_level(fg_translator *t, int level) {
  fg_translate_value a = fg_translate_unary(t);
  for (int i; (i = operator_at(t)) >= 0 && operators[i].level >= level;) {
    fg_translate_accept(t, operators[i].sign);
    fg_translate_value b = from_level(t, operators[i].level + 1);
    a = operation(t, operators[i].op, operators[i].sign, a, b);
  }
  return a;
}

fg_translate_value fg_translate_expression(fg_translator *t) {
  fg_translate_value c = from_level(t, 1);
  if (!fg_translate_accept(t, "?")) return c;
  fg_translate_value a = fg_translate_expression(t);
  fg_translate_expect(t, ":");
  fg_translate_value b = fg_translate_expression(t);
  bool other = a.type.kind == FG_C_INDEX || (a.type.kind == FG_C_POINTER && a.known); /* null */
  fg_translate_type type = other ? b.type : a.type;
  if (c.type.kind != FG_C_INDEX) return nothing(t, "a condition that is no whole number");
  const char *first = fg_translate_convert(t, a, type), *second = fg_translate_convert(t, b, type);
  return translated(type, fg_arena_printf(t->cx->arena, "(%s ? %s : %s)", c.text, first, second));
}

fg_translate_value fg_translate_list_item(fg_translator *t) { return fg_translate_expression(t); }

/* ---- calls ----------------------------------------------------------------------------------------------- */

/* Which of both vectors' numbers, for a list of their words: those of doubles are halves. */
static bool list_of_words(fg_translator *t, int *list, int *count) {
  for (int i = 0; i < *count; i += 2) {
    if (i + 1 == *count || list[i] % 2 || list[i + 1] != list[i] + 1)
      return fg_translate_fail(t, "numbers taken apart");
    list[i / 2] = list[i] / 2;
  }
  *count /= 2;
  return true;
}

/* The name of a list in the text: each is there once. */
static const char *name_of_list(fg_translator *t, const int *list, int count) {
  size_t bytes = sizeof *list * (size_t)count;
  const fg_translate_list *l = t->list;
  while (l && (l->count != count || memcmp(l->at, list, bytes) != 0)) l = l->next;
  if (!l) {
    fg_translate_list *new = fg_arena_new(t->cx->arena, fg_translate_list, 1);
    *new = (fg_translate_list){fg_arena_copy(t->cx->arena, list, bytes), count, t->list ? t->list->number + 1 : 0,
                               t->list};
    l = t->list = new;
  }
  return fg_arena_printf(t->cx->arena, "fg_list%d", l->number);
}

static fg_translate_value shuffle(fg_translator *t) {
  int list[MOST_ITEMS], count = 0;
  fg_translate_expect(t, "(");
  fg_translate_value a = fg_translate_list_item(t);
  fg_translate_expect(t, ",");
  fg_translate_value b = fg_translate_list_item(t);
  while (fg_translate_accept(t, ",") && count < MOST_ITEMS) {
    fg_translate_value i = fg_translate_list_item(t);
    if (!i.known) return nothing(t, "a list that is not known");
    list[count++] = (int)i.number;
  }
  fg_translate_expect(t, ")");
  bool words = a.type.kind == FG_C_WORDS, good = words || a.type.kind == FG_C_VECTOR;
  if (!good || b.type.kind != a.type.kind || b.type.lanes != a.type.lanes) return nothing(t, "an exchange of others");
  if (words && (t->p->problem.compute != FG_F64 || !list_of_words(t, list, &count)))
    return nothing(t, "an exchange of words");
  fg_translate_type type = {.kind = a.type.kind, .lanes = count};
  for (int i = 0; i < count; i++)
    if (list[i] < 0 || list[i] >= 2 * a.type.lanes) return nothing(t, "a lane that no vector has");
  return translated(type, fg_arena_printf(t->cx->arena, "%s_pick(%s.v, %d, %s.v, %s)", fg_translate_type_text(t, type),
                                          a.text, a.type.lanes, b.text, name_of_list(t, list, count)));
}

static bool begins(const char *word, size_t length, const char *with) {
  return length >= strlen(with) && !strncmp(word, with, strlen(with));
}

/* Functions of operations, as languages call them. */
typedef struct function {
  const char *word, *name;
  int operands;
} function;

static const function functions[] = {{"sqrt", "sqrt", 1}, {"log10", "log10", 1}, {"log", "log", 1},  {"exp", "exp", 1},
                                     {"fabs", "abs", 1},  {"fmin", "min", 2},    {"fmax", "max", 2}, {NULL, NULL, 0}};

/* Of "sqrtf", "vec8_sqrt", "__builtin_sqrtf", "fftgen_log10". */
static const function *function_of(const char *word, size_t length) {
  size_t from = length;
  while (from && word[from - 1] != '_') from--;
  for (const function *f = functions; f->word; f++) {
    size_t n = strlen(f->word), rest = length - from;
    if (!strncmp(word + from, f->word, n) && (rest == n || (rest == n + 1 && word[length - 1] == 'f'))) return f;
  }
  return NULL;
}

/* Of numbers or of vec8_sqrt's vectors. */
static fg_translate_value called(fg_translator *t, const function *f) {
  fg_translate_expect(t, "(");
  fg_translate_value x = fg_translate_list_item(t), y = x;
  if (f->operands == 2) fg_translate_expect(t, ","), y = fg_translate_list_item(t);
  fg_translate_expect(t, ")");
  bool vector = x.type.kind == FG_C_VECTOR || y.type.kind == FG_C_VECTOR;
  fg_translate_type type = vector ? vector_of(x.type, y.type) : real_type;
  const char *first = fg_translate_convert(t, x, type);
  const char *second = f->operands == 2 ? fg_translate_convert(t, y, type) : NULL;
  if (vector) return translated(type, of_lanes(t, type, f->name, first, second));
  return translated(
      type, fg_arena_printf(t->cx->arena, "fg_%s(%s%s%s)", f->name, first, second ? ", " : "", second ? second : ""));
}

/* Numbers of other types in memory are the field's, too: "from" and "to" change nothing. */
static fg_translate_value converted(fg_translator *t, const fg_translate_name *vector, bool stores) {
  fg_translate_expect(t, "(");
  fg_translate_value x = fg_translate_list_item(t), y = x;
  if (stores && vector) fg_translate_expect(t, ","), y = fg_translate_list_item(t);
  fg_translate_expect(t, ")");
  if (!vector) return translated(real_type, fg_translate_convert(t, x, real_type));
  if (x.type.kind != FG_C_POINTER || x.type.to != FG_C_REAL) return nothing(t, "no pointer to numbers");
  const char *type = fg_translate_type_text(t, vector->type);
  if (!stores) return translated(vector->type, fg_arena_printf(t->cx->arena, "(*(%s *)(%s))", type, x.text));
  const char *value = fg_translate_convert(t, y, vector->type);
  return translated((fg_translate_type){.kind = FG_C_VOID},
                    fg_arena_printf(t->cx->arena, "*(%s *)(%s) = %s", type, x.text, value));
}

/* vec8 of "vec8_from_f16". */
static const fg_translate_name *vector_before(fg_translator *t, const char *word, size_t length, const char *rest) {
  for (size_t i = 1; i < length; i++)
    if (begins(word + i, length - i, rest)) {
      const fg_translate_name *n = fg_translate_lookup(t, word, i);
      if (n && n->is_type && n->type.kind == FG_C_VECTOR) return n;
    }
  return NULL;
}

static fg_translate_value own_call(fg_translator *t, const char *word, size_t length) {
  fg_strbuf s = fg_strbuf_new(t->cx->arena);
  fg_strbuf_addf(&s, "%.*s(", (int)length, word);
  bool told = !fg_translate_has_own(t);
  fg_translate_expect(t, "(");
  for (int i = 0; t->at < t->end && !fg_translate_peek(t, ")"); i++) {
    if (i) fg_translate_expect(t, ",");
    if (fg_translate_own_argument(t)) {
      told = true;
      continue;
    }
    fg_strbuf_addf(&s, "%s%s", i ? ", " : "", fg_translate_list_item(t).text);
  }
  fg_translate_expect(t, ")");
  if (!told) fg_translate_fail(t, "no argument that says which thread it is");
  fg_strbuf_add(&s, ")");
  const fg_translate_name *n = fg_translate_lookup(t, word, length);
  return translated(n && !n->is_type ? n->type : (fg_translate_type){.kind = FG_C_VOID}, s.text);
}

static fg_translate_value fused(fg_translator *t) {
  const char *x[3];
  fg_translate_expect(t, "(");
  for (int i = 0; i < 3; i++) {
    if (i) fg_translate_expect(t, ",");
    x[i] = fg_translate_convert(t, fg_translate_list_item(t), real_type);
  }
  fg_translate_expect(t, ")");
  return translated(real_type, fg_arena_printf(t->cx->arena, "fg_add(fg_mul(%s, %s), %s)", x[0], x[1], x[2]));
}

static fg_translate_value call(fg_translator *t, const char *word, size_t length) {
  fg_translate_value launched;
  if (function_of(word, length)) return called(t, function_of(word, length));
  if (t->c->nlaunch && length <= 4 && begins(word, length, "fma")) return fused(t);
  if (t->contexts && fg_translate_context_call(t, word, length, &launched)) return launched;
  if (t->c->nlaunch && fg_translate_launched_call(t, word, length, &launched)) return launched;
  size_t name = strlen(t->c->name);
  if (begins(word, length, t->c->name) && (length == name || word[name] == '_')) return own_call(t, word, length);
  if (begins(word, length, "__builtin_shufflevector")) return shuffle(t);
  size_t own = t->c->nlaunch && begins(word, length, "fftgen_") ? strlen("fftgen_") : 0;
  if (begins(word + own, length - own, "from_")) return converted(t, NULL, false);
  if (begins(word + own, length - own, "to_")) return converted(t, NULL, true);
  const fg_translate_name *vector;
  if ((vector = vector_before(t, word, length, "_from_"))) return converted(t, vector, false);
  if ((vector = vector_before(t, word, length, "_to_"))) return converted(t, vector, true);
  if ((vector = vector_before(t, word, length, "_stream"))) return converted(t, vector, true);
  return nothing(t, fg_arena_printf(t->cx->arena, "an unknown function %.*s", (int)length, word));
}

/* ---- what operations are done on ------------------------------------------------------------------------------ */

static fg_translate_value compound(fg_translator *t, fg_translate_type type) {
  fg_strbuf s = fg_strbuf_new(t->cx->arena);
  fg_translate_expect(t, "{");
  if (type.kind == FG_C_HALVES) {
    fg_translate_value low = fg_translate_list_item(t);
    fg_translate_expect(t, ","), fg_translate_expect(t, "0"), fg_translate_expect(t, "}");
    if (low.type.kind != FG_C_VECTOR || 2 * low.type.lanes != type.lanes) return nothing(t, "no half of a vector");
    return translated(type, fg_arena_printf(t->cx->arena, "%s_low(%s.v)", fg_translate_type_text(t, type), low.text));
  }
  if (type.kind != FG_C_VECTOR) return nothing(t, "a list of another type");
  fg_strbuf_addf(&s, "((%s){{", fg_translate_type_text(t, type));
  int i = 0;
  do fg_strbuf_addf(&s, "%s%s", i ? ", " : "", fg_translate_convert(t, fg_translate_list_item(t), real_type));
  while (++i < MOST_ITEMS && fg_translate_accept(t, ","));
  if (i > type.lanes) return nothing(t, "more numbers than lanes");
  fg_translate_expect(t, "}");
  fg_strbuf_add(&s, "}})");
  return translated(type, s.text);
}

/* NAME_OF(vec8){...} */
static fg_translate_value compound_of(fg_translator *t) {
  fg_translate_type type;
  fg_translate_expect(t, "(");
  if (!fg_translate_accept_type(t, &type)) return nothing(t, "no type");
  fg_translate_expect(t, ")");
  return compound(t, type);
}

/* (float2)(a, b) or float2(a, b), or all alike; of a vector, whose numbers are converted */
static fg_translate_value listed(fg_translator *t, fg_translate_type type) {
  const char *item[MOST_ITEMS];
  int n = 1;
  fg_translate_expect(t, "(");
  fg_translate_value first = fg_translate_expression(t);
  if (first.type.kind == FG_C_VECTOR && first.type.lanes == type.lanes) return fg_translate_expect(t, ")"), first;
  item[0] = fg_translate_convert(t, first, real_type);
  while (n < MOST_ITEMS && fg_translate_accept(t, ","))
    item[n++] = fg_translate_convert(t, fg_translate_expression(t), real_type);
  fg_translate_expect(t, ")");
  if (n != 1 && n != type.lanes) return nothing(t, "more or fewer numbers than lanes");
  fg_strbuf s = fg_strbuf_new(t->cx->arena);
  fg_strbuf_addf(&s, "((%s){{", fg_translate_type_text(t, type));
  for (int i = 0; i < type.lanes; i++) fg_strbuf_addf(&s, "%s%s", i ? ", " : "", item[n == 1 ? 0 : i]);
  fg_strbuf_add(&s, "}})");
  return translated(type, s.text);
}

/* Of a pointer to numbers of 16 bits: to words that hold two of them; and back. */
static fg_translate_type to_pairs(fg_translator *t, fg_translate_type from, fg_translate_type to) {
  bool pairs = from.to == FG_C_REAL && to.to == FG_C_INDEX;
  if (pairs && (from.lanes != 2 || to.lanes != 4)) fg_translate_fail(t, "no pairs of numbers");
  if (from.to == FG_C_PAIR && (to.to != FG_C_REAL || to.lanes != 2)) fg_translate_fail(t, "no numbers of pairs");
  return pairs ? (fg_translate_type){FG_C_POINTER, FG_C_PAIR, 2} : to;
}

static fg_translate_value cast(fg_translator *t, fg_translate_type type) {
  if (fg_translate_peek(t, "{")) return compound(t, type);
  if (t->c->nlaunch && type.kind == FG_C_VECTOR && fg_translate_peek(t, "(")) return listed(t, type);
  fg_translate_value x = fg_translate_unary(t);
  fg_translate_kind from = x.type.kind, to = type.kind;
  bool bits = (from == FG_C_VECTOR || from == FG_C_WORDS || from == FG_C_HALVES) && x.type.lanes == type.lanes;
  if (bits && (to == FG_C_VECTOR || to == FG_C_WORDS)) return translated(type, x.text);
  if (to == FG_C_REAL) return translated(type, fg_translate_convert(t, x, type));
  bool pointers = from == FG_C_POINTER && to == FG_C_POINTER, indices = from == FG_C_INDEX && to == from;
  if (!pointers && !indices && to != FG_C_VOID) return nothing(t, "a cast");
  if (t->c->nlaunch && pointers) type = to_pairs(t, x.type, type);
  if (t->c->nlaunch && pointers && (type.to == FG_C_VECTOR || type.to == FG_C_PAIR))
    return translated(type,
                      fg_arena_printf(t->cx->arena, "((%s)fg_aligned(%s))", fg_translate_type_text(t, type), x.text));
  return translated(type, fg_arena_printf(t->cx->arena, "((%s)%s)", fg_translate_type_text(t, type), x.text));
}

/* A number of a block or a thread, or of all blocks, as the dialect spells it. */
static bool is_number_of(fg_translator *t, fg_translate_value *out) {
  const fg_function_form *form = t->dialect->function_form;
  const fg_bulk_form *bulk = t->contexts ? t->dialect->bulk : NULL;
  const fg_queue_form *queue = t->contexts ? t->dialect->queue : NULL;
  const char *const words[] = {t->dialect->thread_id, form ? form->given_block : t->dialect->block_id,
                               bulk ? bulk->given : NULL, queue ? queue->thread : NULL};
  static const char *const names[] = {"(fg_number)fg_thread", "(fg_number)fg_block", "(fg_number)fg_blocks",
                                      "(fg_number)fg_thread"};
  for (int i = 0; i < 4; i++) {
    size_t length = words[i] ? strlen(words[i]) : 0;
    if (!length || strncmp(t->at, words[i], length) != 0) continue;
    if (i == 0 && !t->threads && !t->contexts) return *out = nothing(t, "a thread's number outside of stages"), true;
    t->at += length;
    return *out = translated(index_type, names[i]), true;
  }
  return false;
}

static fg_translate_value primary(fg_translator *t) {
  fg_translate_skip_space(t);
  if (fg_is_digit(*t->at) || (*t->at == '.' && fg_is_digit(t->at[1]))) return literal(t);
  if (fg_translate_accept(t, "(")) {
    fg_translate_type type;
    if (fg_translate_accept_type(t, &type)) {
      fg_translate_expect(t, ")");
      return cast(t, type);
    }
    fg_translate_value x = fg_translate_expression(t);
    fg_translate_expect(t, ")");
    x.text = fg_arena_printf(t->cx->arena, "(%s)", x.text);
    return x;
  }
  fg_translate_value number;
  if (t->c->nlaunch && is_number_of(t, &number)) return number;
  if (t->contexts && fg_translate_accept(t, "nullptr"))
    return (fg_translate_value){{FG_C_POINTER, FG_C_VOID, 0}, "0", true, 0, NULL};
  if (t->contexts && fg_translate_accept(t, "false")) return translated(index_type, "0");
  if (t->contexts && fg_translate_accept(t, "true")) return translated(index_type, "1");
  const char *word = t->at;
  size_t length = fg_translate_word(t);
  if (!length) return nothing(t, "no value");
  t->at += length;
  if (length > 3 && !strncmp(word + length - 3, "_OF", 3)) return compound_of(t);
  const fg_translate_name *n = fg_translate_lookup(t, word, length);
  if (fg_translate_peek(t, "("))
    return n && n->is_type && n->type.kind == FG_C_VECTOR && t->c->nlaunch ? listed(t, n->type) : call(t, word, length);
  if (n && n->is_type && n->type.kind == FG_C_VECTOR && fg_translate_peek(t, "{")) return compound(t, n->type);
  if (!n || n->is_type) return nothing(t, fg_arena_printf(t->cx->arena, "an unknown name %.*s", (int)length, word));
  const char *text = fg_arena_printf(t->cx->arena, "%.*s", (int)length, word);
  if (n->each) text = fg_arena_printf(t->cx->arena, "%s[%s]", text, n->each);
  return (fg_translate_value){.type = n->type, .text = text, .count = n->count};
}

/* x.y of a short vector, or x.sa. */
static fg_translate_value member(fg_translator *t, fg_translate_value x) {
  static const char names[] = "xyzw", digits[] = "0123456789abcdef";
  size_t length = fg_translate_word(t);
  const char *at = length == 1 ? strchr(names, *t->at) : NULL, *number = NULL;
  if (length == 2 && *t->at == 's') number = strchr(digits, t->at[1]);
  int lane = at ? (int)(at - names) : number ? (int)(number - digits) : x.type.lanes;
  bool all = t->contexts && length == 1 && *t->at == 'v'; /* of a fragment, whose numbers are an array */
  if (x.type.kind != FG_C_VECTOR || (!all && lane >= x.type.lanes)) return nothing(t, "a lane that no vector has");
  t->at += length;
  if (all) return x;
  return translated(real_type, fg_arena_printf(t->cx->arena, "%s.v[%d]", x.text, lane));
}

static fg_translate_value postfix(fg_translator *t) {
  fg_translate_value x = primary(t);
  while (t->c->nlaunch && fg_translate_accept(t, ".")) x = member(t, x);
  while (fg_translate_accept(t, "[")) {
    fg_translate_value i = fg_translate_expression(t);
    fg_translate_expect(t, "]");
    if (i.type.kind != FG_C_INDEX) return nothing(t, "no number of an element");
    if (x.type.kind == FG_C_VECTOR) {
      if (!i.known || i.number < 0 || i.number >= x.type.lanes) return nothing(t, "a lane that no vector has");
      x = translated(real_type, fg_arena_printf(t->cx->arena, "%s.v[%s]", x.text, i.text));
    } else if (x.type.kind == FG_C_POINTER) {
      if (x.count) i.text = fg_arena_printf(t->cx->arena, "fg_within(%s, %s)", i.text, x.count);
      x = translated((fg_translate_type){.kind = x.type.to, .lanes = x.type.lanes},
                     fg_arena_printf(t->cx->arena, "%s[%s]", x.text, i.text));
    } else {
      return nothing(t, "an element of no array");
    }
  }
  return x;
}

fg_translate_value fg_translate_unary(fg_translator *t) {
  fg_arena *arena = t->cx->arena;
  if (fg_translate_accept(t, "++")) {
    fg_translate_value x = fg_translate_unary(t);
    return translated(x.type, fg_arena_printf(arena, "++%s", fg_translate_convert(t, x, index_type)));
  }
  if (fg_translate_accept(t, "-")) {
    fg_translate_value x = fg_translate_unary(t);
    if (x.type.kind == FG_C_VECTOR) return translated(x.type, of_lanes(t, x.type, "neg", x.text, NULL));
    if (x.type.kind == FG_C_REAL) return translated(x.type, fg_arena_printf(arena, "fg_neg(%s)", x.text));
    x.text = fg_arena_printf(arena, "(-%s)", fg_translate_convert(t, x, index_type));
    x.number = -x.number;
    return x;
  }
  if (fg_translate_accept(t, "!")) {
    fg_translate_value x = fg_translate_unary(t);
    return translated(index_type, fg_arena_printf(arena, "!%s", fg_translate_convert(t, x, index_type)));
  }
  if (fg_translate_accept(t, "~")) {
    fg_translate_value x = fg_translate_unary(t);
    return translated(index_type, fg_arena_printf(arena, "~%s", fg_translate_convert(t, x, index_type)));
  }
  if (fg_translate_accept(t, "*")) {
    fg_translate_value x = fg_translate_unary(t);
    if (x.type.kind != FG_C_POINTER) return nothing(t, "no pointer");
    return translated((fg_translate_type){.kind = x.type.to, .lanes = x.type.lanes},
                      fg_arena_printf(arena, "(*%s)", x.text));
  }
  if (fg_translate_peek(t, "&") && !fg_translate_peek(t, "&&")) {
    fg_translate_accept(t, "&");
    fg_translate_value x = fg_translate_unary(t);
    if (x.type.kind == FG_C_POINTER) return nothing(t, "a pointer to pointers");
    return translated((fg_translate_type){FG_C_POINTER, x.type.kind, x.type.lanes},
                      fg_arena_printf(arena, "(&%s)", x.text));
  }
  return postfix(t);
}

/* Expressions of CUDA text, from the loosest operation to the tightest. Out: values. */
#include "targets/cuda/ptx_arithmetic.h"
#include "targets/cuda/ptx_frame.h"
#include "targets/cuda/ptx_memory.h"
#include "targets/cuda/ptx_names.h"
#include "targets/cuda/ptx_token.h"
#include "targets/cuda/ptx_value.h"
#include "targets/number.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- types --------------------------------------------------------------------- */

static const struct type_word {
  const char *word;
  uint8_t type;
} type_words[] = {{"int", PTX_INT},         {"unsigned", PTX_INT}, {"long", PTX_WIDE},     {"short", PTX_SHORT},
                  {"char", PTX_BYTE},       {"float", PTX_FLOAT},  {"double", PTX_DOUBLE}, {"float2", PTX_FLOAT2},
                  {"double2", PTX_DOUBLE2}, {"void", PTX_VOID},    {"bool", PTX_TRUTH},    {"const", PTX_VOID}};

static const struct type_word *word_here(const fg_ptx *g, int at) {
  for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
    if (fg_ptx_is(g, at, type_words[i].word)) return &type_words[i];
  return NULL;
}

bool fg_ptx_starts_type(const fg_ptx *g, int at) { return g->token[at].kind == PTX_NAME && word_here(g, at); }

uint8_t fg_ptx_type_here(fg_ptx *g) {
  const struct type_word *w;
  uint8_t type = PTX_VOID;
  bool has_sign = true;
  while (g->token[g->at].kind == PTX_NAME && (w = word_here(g, g->at))) {
    if (w->type != PTX_VOID && (type == PTX_VOID || type == PTX_INT))
      type = w->type; /* unsigned short, unsigned long */
    has_sign = has_sign && !fg_ptx_is(g, g->at, "unsigned");
    g->at++;
  }
  return type == PTX_SHORT && has_sign ? PTX_SIGNED : type;
}

/* ---- the tightest ----------------------------------------------------------------- */

static fg_ptx_value ternary(fg_ptx *g);
static fg_ptx_value unary(fg_ptx *g);

static fg_ptx_value special(fg_ptx *g, const char *name, int64_t high) {
  for (int i = 0; i < g->nmemo; i++)
    if (!strcmp(g->memo[i].op, name))
      return (fg_ptx_value){.type = PTX_INT, .reg = g->memo[i].reg, .index = -1, .high = high};
  fg_ptx_value x = {.type = PTX_INT, .reg = fg_ptx_register(g, 2), .index = -1, .high = high};
  fg_ptx_memo m = {.reg = x.reg};
  fg_ptx_write(g, "mov.u32 r%d, %%%%%s;", x.reg, name);
  snprintf(m.op, sizeof m.op, "%s", name);
  g->memo = fg_ptx_grow(g, g->memo, g->nmemo, &g->room_memo, sizeof *g->memo);
  g->memo[g->nmemo++] = m;
  return x;
}

static fg_ptx_value hardware(fg_ptx *g) {
  static const struct {
    const char *word, *name;
  } all[] = {{"threadIdx", "tid.x"}, {"blockIdx", "ctaid.x"}, {"blockDim", "ntid.x"}, {"gridDim", "nctaid.x"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (!fg_ptx_take(g, all[i].word)) continue;
    fg_ptx_need(g, ".");
    fg_ptx_need(g, "x");
    if (i == 2) return fg_ptx_int(g->threads);
    return special(g, all[i].name, i ? INT32_MAX : g->threads - 1);
  }
  return (fg_ptx_value){.type = PTX_VOID};
}

/* float2{a, b} */
static fg_ptx_value pair(fg_ptx *g, uint8_t type) {
  uint8_t part = type == PTX_DOUBLE2 ? PTX_DOUBLE : PTX_FLOAT;
  fg_ptx_value r = {.type = type, .reg = -1, .index = -1};
  fg_ptx_need(g, "{");
  for (int i = 0; i < 2; i++) {
    if (i) fg_ptx_need(g, ",");
    fg_ptx_value x = fg_ptx_convert(g, fg_ptx_expression(g), part);
    if (x.product) x = fg_ptx_settle(g, x);
    *(i ? &r.b : &r.a) = x.a;
  }
  fg_ptx_need(g, "}");
  return r;
}

static fg_ptx_value fused(fg_ptx *g) {
  fg_ptx_value x[3];
  g->at++;
  fg_ptx_need(g, "(");
  for (int i = 0; i < 3; i++) {
    if (i) fg_ptx_need(g, ",");
    x[i] = fg_ptx_expression(g);
    if (x[i].product) x[i] = fg_ptx_settle(g, x[i]);
  }
  fg_ptx_need(g, ")");
  if (x[0].type != x[1].type || x[0].type != x[2].type || (x[0].type != PTX_FLOAT && x[0].type != PTX_DOUBLE))
    fg_ptx_refuse(g, "fma");
  return fg_ptx_fused(g, x);
}

/* e^x = 2^n e^r, n the integer next to x / log 2 and from -126 to 126, as a saturated u = x / (252 log 2) + 1/2 says;
 * beyond it r is large, and its power itself is endless or 0. Within 2 units of the last place, as the compiler's. */
#define EXPONENTIAL                                                                                                    \
  "{ .reg .f32 u, n, r; .reg .b32 p; fma.rn.sat.f32 u, %1, 0f3BBB989E, 0f3F000000; "                                   \
  "fma.rn.f32 n, u, 0f437C0000, 0f4B400001; add.f32 r, n, 0fCB40007F; neg.f32 r, r; "                                  \
  "fma.rn.f32 u, %1, 0f3FB8AA3B, r; fma.rn.f32 u, %1, 0f32A57060, u; mov.b32 p, n; "                                   \
  "shl.b32 p, p, 23; mov.b32 n, p; ex2.approx.ftz.f32 u, u; mul.f32 %0, u, n; }"

/* Functions that are one instruction each, or a line of them for operands %0 and %1. */
static const struct function {
  const char *word, *op;
  uint8_t type;
  int operands;
} functions[] = {{"fabsf", "abs.f32", PTX_FLOAT, 1},     {"fabs", "abs.f64", PTX_DOUBLE, 1},
                 {"fminf", "min.f32", PTX_FLOAT, 2},     {"fmin", "min.f64", PTX_DOUBLE, 2},
                 {"fmaxf", "max.f32", PTX_FLOAT, 2},     {"fmax", "max.f64", PTX_DOUBLE, 2},
                 {"sqrt", "sqrt.rn.f64", PTX_DOUBLE, 1}, {"expf", EXPONENTIAL, PTX_FLOAT, 1}};

static const struct function *function_here(const fg_ptx *g) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (fg_ptx_is(g, g->at, functions[i].word)) return &functions[i];
  return NULL;
}

static fg_ptx_value called(fg_ptx *g, const struct function *f) {
  fg_ptx_value x[2];
  g->at++;
  fg_ptx_need(g, "(");
  for (int i = 0; i < f->operands; i++) {
    if (i) fg_ptx_need(g, ",");
    x[i] = fg_ptx_expression(g);
    if (x[i].type != f->type) fg_ptx_refuse(g, "a function");
  }
  fg_ptx_need(g, ")");
  return fg_ptx_operated(g, f->op, x, f->operands);
}

static fg_ptx_value as_bits(fg_ptx *g) {
  char text[32];
  bool f64 = fg_ptx_take(g, "__double2hiint");
  if (!f64) fg_ptx_need(g, "__float_as_uint");
  fg_ptx_need(g, "(");
  fg_ptx_value x = fg_ptx_settle(g, fg_ptx_expression(g));
  fg_ptx_need(g, ")");
  fg_ptx_value r = {.type = PTX_INT, .reg = fg_ptx_register(g, 2), .index = -1, .low = INT32_MIN, .high = INT32_MAX};
  if (x.type != (f64 ? PTX_DOUBLE : PTX_FLOAT)) fg_ptx_refuse(g, "bits");
  fg_ptx_operand_text(text, x.type, x.a);
  if (f64)
    fg_ptx_write(g, "{ .reg .b32 low; mov.b64 {low, r%d}, %s; }", r.reg, text);
  else
    fg_ptx_write(g, "mov.b32 r%d, %s;", r.reg, text);
  return r;
}

/* A pointer to shared memory as the number that instructions take. */
static fg_ptx_value as_shared(fg_ptx *g) {
  g->at++;
  fg_ptx_need(g, "(");
  fg_ptx_value p = fg_ptx_settle(g, fg_ptx_expression(g));
  fg_ptx_need(g, ")");
  if (p.type != PTX_POINTER || !p.shared) fg_ptx_refuse(g, "an address of shared memory");
  return (fg_ptx_value){.type = PTX_INT, .reg = p.reg, .index = -1, .add = p.add, .low = 0, .high = INT32_MAX};
}

/* Within it loads are where the condition holds; 0 elsewhere. */
static void load_where(fg_ptx *g, fg_ptx_value condition) {
  bool known = condition.reg < 0;
  if (known && !condition.add) fg_ptx_refuse(g, "a condition that never holds");
  if (g->guard >= 0 && !known)
    condition = fg_ptx_both(g, (fg_ptx_value){.type = PTX_TRUTH, .reg = g->guard}, condition);
  if (!known) g->guard = condition.reg;
}

/* fftgen_load_where(pointer, condition) */
static fg_ptx_value guarded(fg_ptx *g) {
  int outer = g->guard;
  g->at++;
  fg_ptx_need(g, "(");
  fg_ptx_value p = fg_ptx_expression(g);
  fg_ptx_need(g, ",");
  load_where(g, fg_ptx_truth(g, fg_ptx_expression(g)));
  fg_ptx_need(g, ")");
  fg_ptx_value x = fg_ptx_load(g, p);
  g->guard = outer;
  return x;
}

static fg_ptx_value number(fg_ptx *g) {
  const fg_ptx_token *t = &g->token[g->at++];
  if (t->kind == PTX_REAL) {
    bool single = t->text[t->length - 1] == 'f';
    return fg_ptx_real(single ? PTX_FLOAT : PTX_DOUBLE,
                       single ? (double)fg_number_read_float(t->text, NULL) : fg_number_read(t->text, NULL));
  }
  return fg_ptx_int(strtoll(t->text, NULL, 0));
}

static fg_ptx_value named(fg_ptx *g) {
  const fg_ptx_token *t = &g->token[g->at];
  if (fg_ptx_is(g, g->at + 1, "(")) {
    if (fg_ptx_is(g, g->at, "fmaf") || fg_ptx_is(g, g->at, "fma")) return fused(g);
    if (function_here(g)) return called(g, function_here(g));
    if (fg_ptx_is(g, g->at, "__float_as_uint") || fg_ptx_is(g, g->at, "__double2hiint")) return as_bits(g);
    if (fg_ptx_is(g, g->at, "__cvta_generic_to_shared")) return as_shared(g);
    if (fg_ptx_is(g, g->at, "fftgen_load_where")) return guarded(g);
    return fg_ptx_call(g);
  }
  fg_ptx_value x = hardware(g);
  if (x.type != PTX_VOID) return x;
  g->at++;
  return fg_ptx_value_of(g, t->name);
}

static fg_ptx_value primary(fg_ptx *g) {
  const fg_ptx_token *t = &g->token[g->at];
  if (t->kind == PTX_INTEGER || t->kind == PTX_REAL) return number(g);
  if (fg_ptx_starts_type(g, g->at)) return pair(g, fg_ptx_type_here(g));
  if (t->kind == PTX_NAME) return named(g);
  fg_ptx_need(g, "(");
  fg_ptx_value x = fg_ptx_expression(g);
  fg_ptx_need(g, ")");
  return x;
}

static fg_ptx_value part_of(fg_ptx *g, fg_ptx_value x) {
  bool second = fg_ptx_is(g, g->at, "y");
  if (!second && !fg_ptx_is(g, g->at, "x")) fg_ptx_refuse(g, "a part");
  g->at++;
  if (x.type != PTX_FLOAT2 && x.type != PTX_DOUBLE2) fg_ptx_refuse(g, "a part");
  x.type = x.type == PTX_FLOAT2 ? PTX_FLOAT : PTX_DOUBLE;
  if (second) x.a = x.b;
  return x;
}

static fg_ptx_value element_of(fg_ptx *g, fg_ptx_value x) {
  fg_ptx_value i = fg_ptx_expression(g);
  fg_ptx_need(g, "]");
  if (x.type == PTX_POINTER) return fg_ptx_load(g, fg_ptx_arithmetic(g, '+', x, i));
  if (x.type != PTX_ARRAY || !fg_ptx_known(&i) || i.add < 0 || i.add >= x.add) fg_ptx_refuse(g, "an array's element");
  fg_ptx_value e = g->element[x.index + i.add];
  if (e.unset) fg_ptx_refuse(g, "an element without a value");
  return e;
}

static fg_ptx_value postfix(fg_ptx *g) {
  fg_ptx_value x = primary(g);
  for (;;) {
    if (fg_ptx_take(g, "["))
      x = element_of(g, x);
    else if (fg_ptx_take(g, "."))
      x = part_of(g, x);
    else
      return x;
  }
}

static fg_ptx_value cast(fg_ptx *g) {
  g->at++;
  uint8_t type = fg_ptx_type_here(g);
  bool pointer = fg_ptx_take_stars(g);
  fg_ptx_need(g, ")");
  fg_ptx_value x = unary(g);
  if (!pointer) return fg_ptx_convert(g, x, type);
  if (x.type != PTX_POINTER) fg_ptx_refuse(g, "a pointer");
  if (x.index >= 0 && x.target != type) x = fg_ptx_settle(g, x); /* it counts elements of another size */
  x.target = type;
  return x;
}

static fg_ptx_value unary(fg_ptx *g) {
  if (fg_ptx_take(g, "-")) return fg_ptx_negative(g, unary(g));
  if (fg_ptx_take(g, "*")) return fg_ptx_load(g, unary(g));
  if (fg_ptx_is(g, g->at, "(") && fg_ptx_starts_type(g, g->at + 1)) return cast(g);
  return postfix(g);
}

/* ---- the others -------------------------------------------------------------------- */

static fg_ptx_value products(fg_ptx *g) {
  fg_ptx_value x = unary(g);
  for (;;) {
    char op = *g->token[g->at].text;
    bool one = g->token[g->at].kind == PTX_MARK && g->token[g->at].length == 1;
    if (!one || (op != '*' && op != '/' && op != '%')) return x;
    g->at++;
    x = fg_ptx_arithmetic(g, op, x, unary(g));
  }
}

static fg_ptx_value sums(fg_ptx *g) {
  fg_ptx_value x = products(g);
  for (;;) {
    char op = *g->token[g->at].text;
    bool one = g->token[g->at].kind == PTX_MARK && g->token[g->at].length == 1;
    if (!one || (op != '+' && op != '-')) return x;
    g->at++;
    x = fg_ptx_arithmetic(g, op, x, products(g));
  }
}

static fg_ptx_value shifts(fg_ptx *g) {
  fg_ptx_value x = sums(g);
  for (;;) {
    if (fg_ptx_take(g, "<<"))
      x = fg_ptx_arithmetic(g, '<', x, sums(g));
    else if (fg_ptx_take(g, ">>"))
      x = fg_ptx_arithmetic(g, '>', x, sums(g));
    else
      return x;
  }
}

static fg_ptx_value comparisons(fg_ptx *g) {
  fg_ptx_value x = shifts(g);
  return fg_ptx_take(g, "<") ? fg_ptx_less(g, x, shifts(g)) : x;
}

static fg_ptx_value of_bits(fg_ptx *g) {
  fg_ptx_value x = comparisons(g);
  while (fg_ptx_is(g, g->at, "^") || fg_ptx_is(g, g->at, "|") || fg_ptx_is(g, g->at, "&")) {
    char op = *g->token[g->at++].text;
    x = fg_ptx_arithmetic(g, op, x, comparisons(g));
  }
  return x;
}

static fg_ptx_value truths(fg_ptx *g) {
  fg_ptx_value x = of_bits(g);
  while (fg_ptx_take(g, "&&")) x = fg_ptx_both(g, x, of_bits(g));
  return x;
}

static bool is_zero(const fg_ptx_value *x) {
  if (x->type == PTX_FLOAT2 || x->type == PTX_DOUBLE2)
    return x->a.reg < 0 && x->b.reg < 0 && x->a.number == 0 && x->b.number == 0;
  return x->type == PTX_INT ? fg_ptx_known(x) && !x->add : !x->product && x->a.reg < 0 && x->a.number == 0;
}

/* Loads where a condition holds, 0 elsewhere: nothing else is chosen between. */
static fg_ptx_value ternary(fg_ptx *g) {
  fg_ptx_value condition = truths(g);
  if (!fg_ptx_take(g, "?")) return condition;
  int outer = g->guard;
  condition = fg_ptx_truth(g, condition);
  load_where(g, condition);
  g->loaded = false;
  fg_ptx_value x = ternary(g);
  bool loaded = g->loaded;
  g->guard = outer;
  fg_ptx_need(g, ":");
  fg_ptx_value zero = ternary(g);
  if (!is_zero(&zero) || (condition.reg >= 0 && !loaded)) fg_ptx_refuse(g, "a choice");
  return x;
}

fg_ptx_value fg_ptx_expression(fg_ptx *g) { return ternary(g); }

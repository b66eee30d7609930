/* See ptx.h. In: CUDA text as fftgen emits it, a small part of the language. Out: PTX.
 *
 * Statements are translated in order. Unknown text is refused, with the word at which the translation stopped. */
#include "targets/cuda/ptx_arithmetic.h"
#include "targets/cuda/ptx_frame.h"
#include "targets/cuda/ptx_memory.h"
#include "targets/cuda/ptx_names.h"
#include "targets/cuda/ptx_token.h"
#include "targets/cuda/ptx_value.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  /* Clusters with fewer threads at once on a multiprocessor, or of more blocks, are up to a tenth slower in the order
   * that results from this: they are NVRTC's. */
  LEAST_THREADS = 1280,
  MOST_CLUSTER = 4,
  MOST_CALLS = 8,
  MOST_PARAMETERS = 32
};

/* ---- blocks ----------------------------------------------------------------------- */

static void statement(fg_ptx *g);

static void statements(fg_ptx *g, int end) {
  while (g->at < end && !g->has_result) statement(g);
}

void fg_ptx_walk_block(fg_ptx *g) {
  int end = fg_ptx_behind(g, g->at) - 1;
  g->at++;
  statements(g, end);
  g->at = end + 1;
}

/* ---- declarations ------------------------------------------------------------------- */

static void declare_array(fg_ptx *g, int name, uint8_t type) {
  fg_ptx_value size = fg_ptx_expression(g);
  fg_ptx_need(g, "]");
  if (!fg_ptx_known(&size) || size.add < 1 || size.add > 4096) fg_ptx_refuse(g, "an array");
  int first = g->nelement;
  for (int64_t i = 0; i < size.add; i++) {
    g->element = fg_ptx_grow(g, g->element, g->nelement, &g->room_element, sizeof *g->element);
    g->element[g->nelement++] = (fg_ptx_value){.type = type, .unset = true};
  }
  fg_ptx_bind(g, name, (fg_ptx_value){.type = PTX_ARRAY, .target = type, .index = first, .add = size.add});
}

static void declare(fg_ptx *g) {
  uint8_t type = fg_ptx_type_here(g);
  do {
    bool pointer = fg_ptx_take_stars(g);
    int name = g->token[g->at++].name;
    if (fg_ptx_take(g, "[")) {
      declare_array(g, name, type);
    } else if (fg_ptx_take(g, "=")) {
      fg_ptx_value x = fg_ptx_expression(g);
      if (pointer && x.type != PTX_POINTER) fg_ptx_refuse(g, "a pointer");
      if (!pointer && x.type != PTX_TRUTH) x = fg_ptx_convert(g, x, type);
      fg_ptx_bind(g, name, fg_ptx_kept(g, x));
    } else {
      fg_ptx_bind(g, name, (fg_ptx_value){.type = type, .unset = true});
    }
  } while (fg_ptx_take(g, ","));
  fg_ptx_need(g, ";");
}

/* extern __shared__ double2 name[]; */
static void declare_shared(fg_ptx *g) {
  g->at += 2;
  uint8_t type = fg_ptx_type_here(g);
  int name = g->token[g->at++].name, reg = fg_ptx_register(g, 2);
  fg_ptx_need(g, "[");
  fg_ptx_need(g, "]");
  fg_ptx_need(g, ";");
  fg_ptx_write(g, "mov.u32 r%d, %%%d;", reg, g->given);
  g->shared = name;
  fg_ptx_bind(g, name, (fg_ptx_value){.type = PTX_POINTER, .target = type, .shared = true, .reg = reg, .index = -1});
}

/* ---- functions ---------------------------------------------------------------------------- */

typedef struct parameter {
  int name;
  uint8_t type, target;
  bool only_read;
} parameter;

static int read_parameters(fg_ptx *g, const fg_ptx_function *f, parameter *p) {
  int n = 0;
  g->at = f->params;
  while (!fg_ptx_is(g, g->at, ")")) {
    if (n == MOST_PARAMETERS || !fg_ptx_starts_type(g, g->at)) fg_ptx_refuse(g, "a parameter");
    bool only_read = fg_ptx_is(g, g->at, "const");
    uint8_t type = fg_ptx_type_here(g);
    bool pointer = fg_ptx_take_stars(g), restricted = fg_ptx_is(g, g->at - 1, "__restrict__");
    p[n++] = (parameter){g->token[g->at++].name, pointer ? PTX_POINTER : type, type, only_read && restricted};
    fg_ptx_take(g, ",");
  }
  return n;
}

static bool fits(fg_ptx *g, const fg_ptx_function *f, const fg_ptx_value *x, int n, parameter *p) {
  int at = g->at;
  bool ok = !f->kernel && read_parameters(g, f, p) == n;
  for (int i = 0; i < n && ok; i++) {
    bool integers = (p[i].type == PTX_INT || p[i].type == PTX_WIDE) && (x[i].type == PTX_INT || x[i].type == PTX_WIDE);
    ok = p[i].type == x[i].type || integers;
  }
  g->at = at;
  return ok;
}

static int read_arguments(fg_ptx *g, fg_ptx_value *x) {
  int n = 0;
  fg_ptx_need(g, "(");
  while (!fg_ptx_take(g, ")")) {
    if (n == MOST_PARAMETERS) fg_ptx_refuse(g, "arguments");
    x[n] = fg_ptx_expression(g);
    if (x[n].product) x[n] = fg_ptx_settle(g, x[n]);
    n++;
    fg_ptx_take(g, ",");
  }
  return n;
}

/* In place. Another function's early return, and its result, are its own. */
static fg_ptx_value walk_function(fg_ptx *g, const fg_ptx_function *f) {
  int leave = g->leave;
  bool left = g->left;
  fg_ptx_scope s = fg_ptx_open_scope(g);
  g->leave = g->labels++, g->left = false;
  g->result = (fg_ptx_value){.type = PTX_VOID};
  g->at = f->body;
  statements(g, f->end);
  fg_ptx_value result = g->result;
  if (g->left) {
    if (g->has_result) fg_ptx_refuse(g, "an early return");
    fg_ptx_put_label(g, g->leave);
    fg_ptx_close_conditional(g, s);
  }
  g->leave = leave, g->left = left, g->has_result = false;
  return result;
}

fg_ptx_value fg_ptx_call(fg_ptx *g) {
  fg_ptx_value x[MOST_PARAMETERS];
  parameter p[MOST_PARAMETERS];
  int name = g->token[g->at].name, at = g->at++, n = read_arguments(g, x), behind = g->at;
  for (int i = 0; i < g->nfunction; i++) {
    const fg_ptx_function *f = &g->function[i];
    if (f->name != name || !fits(g, f, x, n, p)) continue;
    if (++g->calls > MOST_CALLS) break;
    fg_ptx_scope s = fg_ptx_open_scope(g);
    for (int k = 0; k < n; k++) {
      fg_ptx_value given = p[k].type == PTX_POINTER ? x[k] : fg_ptx_convert(g, x[k], p[k].type);
      if (p[k].type == PTX_POINTER && p[k].target != PTX_VOID && p[k].target != x[k].target)
        fg_ptx_refuse(g, "a pointer");
      fg_ptx_bind(g, p[k].name, fg_ptx_kept(g, given));
    }
    fg_ptx_value result = walk_function(g, f);
    fg_ptx_close_scope(g, s);
    g->calls--;
    g->at = behind;
    return result;
  }
  g->at = at;
  fg_ptx_refuse(g, "a call");
}

/* ---- statements ------------------------------------------------------------------------------ */

static void give_back(fg_ptx *g) {
  g->at++;
  if (g->left) fg_ptx_refuse(g, "a result under a condition");
  g->result = fg_ptx_kept(g, fg_ptx_expression(g));
  g->has_result = true;
  fg_ptx_need(g, ";");
}

/* *(T *)(p) = x; the cast and what follows are a pointer. */
static void store_through(fg_ptx *g) {
  g->at++;
  fg_ptx_need(g, "(");
  uint8_t type = fg_ptx_type_here(g);
  fg_ptx_take_stars(g);
  fg_ptx_need(g, ")");
  bool bracket = fg_ptx_take(g, "(");
  fg_ptx_value p = bracket ? fg_ptx_expression(g) : fg_ptx_value_of(g, g->token[g->at++].name);
  if (bracket) fg_ptx_need(g, ")");
  fg_ptx_need(g, "=");
  if (p.type != PTX_POINTER) fg_ptx_refuse(g, "a store");
  if (p.index >= 0) p = fg_ptx_settle(g, p);
  p.target = type;
  fg_ptx_value x = fg_ptx_expression(g);
  if (x.product) x = fg_ptx_settle(g, x);
  fg_ptx_store(g, p, x);
  fg_ptx_need(g, ";");
}

static void store_element(fg_ptx *g) {
  int name = g->token[g->at].name;
  fg_ptx_value to = fg_ptx_value_of(g, name);
  g->at += 2;
  fg_ptx_value i = fg_ptx_expression(g);
  fg_ptx_need(g, "]");
  fg_ptx_need(g, "=");
  fg_ptx_value x = fg_ptx_expression(g);
  if (to.type == PTX_ARRAY && g->since[name].declared < g->loop) fg_ptx_refuse(g, "an assignment");
  if (to.type == PTX_ARRAY)
    fg_ptx_assign_element(g, to, i, x);
  else
    fg_ptx_store(g, fg_ptx_arithmetic(g, '+', to, i), x);
  fg_ptx_need(g, ";");
}

/* x = y; x += y; x *= y; */
static void change(fg_ptx *g) {
  int name = g->token[g->at++].name;
  const fg_ptx_token *t = &g->token[g->at++];
  bool plain = t->length == 1 && *t->text == '=';
  if (!plain && (t->length != 2 || t->text[1] != '=')) fg_ptx_refuse(g, "a statement");
  fg_ptx_value x = fg_ptx_expression(g);
  if (!plain) x = fg_ptx_arithmetic(g, *t->text, fg_ptx_value_of(g, name), x);
  fg_ptx_assign(g, name, x);
  fg_ptx_need(g, ";");
}

static void count_up(fg_ptx *g) {
  g->at++;
  int name = g->token[g->at++].name;
  fg_ptx_assign(g, name, fg_ptx_arithmetic(g, '+', fg_ptx_value_of(g, name), fg_ptx_int(1)));
  fg_ptx_need(g, ";");
}

static void barrier(fg_ptx *g) {
  if (g->guard >= 0) fg_ptx_refuse(g, "a barrier of some threads");
  g->at++;
  fg_ptx_need(g, "(");
  fg_ptx_need(g, ")");
  fg_ptx_need(g, ";");
  fg_ptx_write(g, "bar.sync 0;");
}

static const struct form {
  const char *word; /* that it begins with */
  void (*walk)(fg_ptx *g);
} forms[] = {{"for", fg_ptx_repeated}, {"if", fg_ptx_choose},      {"extern", declare_shared}, {"asm", fg_ptx_assemble},
             {"return", give_back},    {"__syncthreads", barrier}, {"++", count_up},           {"*", store_through}};

static void call(fg_ptx *g) {
  fg_ptx_call(g);
  fg_ptx_need(g, ";");
}

static void statement(fg_ptx *g) {
  void (*walk)(fg_ptx * g) = NULL;
  for (size_t i = 0; i < sizeof forms / sizeof *forms && !walk; i++)
    if (fg_ptx_is(g, g->at, forms[i].word)) walk = forms[i].walk;
  if (g->token[g->at].kind == PTX_UNROLL) walk = fg_ptx_repeated;
  if (!walk && fg_ptx_starts_type(g, g->at)) walk = declare;
  if (!walk && g->token[g->at].kind != PTX_NAME) fg_ptx_refuse(g, "a statement");
  if (!walk) walk = fg_ptx_is(g, g->at + 1, "[") ? store_element : fg_ptx_is(g, g->at + 1, "(") ? call : change;
  walk(g);
}

/* ---- kernels ----------------------------------------------------------------------------------- */

static void put_name(fg_ptx *g, int name) {
  int i = 0;
  while (g->token[i].name != name) i++;
  fg_ptx_put(g, "%.*s", g->token[i].length, g->token[i].text);
}

/* What the block of assembly is given: %0, %1, ... */
static void take_parameters(fg_ptx *g, const parameter *p, int n) {
  for (int i = 0; i < n; i++) {
    bool wide = p[i].type == PTX_POINTER || p[i].type == PTX_WIDE;
    if (!wide && p[i].type != PTX_INT) fg_ptx_refuse(g, "a parameter");
    fg_ptx_value x = {.type = p[i].type, .target = p[i].target, .only_read = p[i].only_read, .index = -1};
    x.reg = fg_ptx_register(g, wide ? 3 : 2);
    x.low = wide ? INT64_MIN / 4 : INT32_MIN, x.high = wide ? INT64_MAX / 4 : INT32_MAX;
    if (p[i].type == PTX_POINTER)
      fg_ptx_write(g, "cvta.to.global.u64 q%d, %%%d;", x.reg, i);
    else
      fg_ptx_write(g, "mov.b%d %c%d, %%%d;", wide ? 64 : 32, wide ? 'q' : 'r', x.reg, i);
    fg_ptx_bind(g, p[i].name, x);
  }
}

static void give_parameters(fg_ptx *g, const parameter *p, int n) {
  fg_ptx_put(g, "      \"}\" ::");
  for (int i = 0; i < n; i++) {
    fg_ptx_put(g, "%s\"%c\"(", i ? ", " : "", p[i].type == PTX_INT ? 'r' : 'l');
    put_name(g, p[i].name);
    fg_ptx_put(g, ")");
  }
  if (g->shared >= 0) {
    fg_ptx_put(g, "%s\"r\"((unsigned)__cvta_generic_to_shared(", n ? ", " : "");
    put_name(g, g->shared);
    fg_ptx_put(g, "))");
  }
  fg_ptx_put(g, " : \"memory\");\n}\n");
}

/* The kernel's head as it was, and its body; registers are declared before they are used, and counted behind. */
static void write_kernel(fg_ptx *g, const fg_ptx_function *f) {
  static const char *const types[PTX_CLASSES] = {"pred", "b16", "b32", "b64", "f32", "f64"};
  enum { ROOM = 48 };
  parameter p[MOST_PARAMETERS];
  int n = read_parameters(g, f, p);
  fg_ptx_scope s = fg_ptx_open_scope(g);
  if (f->threads < 1 || f->threads > PTX_MOST_THREADS) fg_ptx_refuse(g, "a kernel's threads");
  if (f->cluster > MOST_CLUSTER || (f->cluster && f->threads * f->resident < LEAST_THREADS))
    fg_ptx_refuse(g, "a cluster with few threads at once");
  memset(g->next, 0, sizeof g->next);
  g->nmemo = g->nelement = g->nparked = 0;
  g->guard = g->leave = g->shared = -1;
  g->given = n;
  g->threads = f->threads;
  const char *head = g->token[f->head].text, *behind = g->token[f->body].text;
  fg_ptx_put_text(g, head, (size_t)(behind - head));
  fg_ptx_put(g, "\n  %s\n  asm volatile(\"{\\n\"\n", "extern __shared__ double2 fftgen_local[];");
  size_t declarations = g->length;
  for (int c = 0; c < PTX_CLASSES; c++) fg_ptx_put(g, "%*s\n", ROOM, "");
  take_parameters(g, p, n);
  g->at = f->body;
  statements(g, f->end);
  give_parameters(g, p, n);
  for (int c = 0; c < PTX_CLASSES; c++) {
    char line[ROOM + 1];
    int length = snprintf(line, sizeof line, "      \".reg .%s %c<%d>;\\n\"", types[c], "phrqfd"[c], g -> next[c] + 1);
    memcpy(g->out + declarations + (size_t)c * (ROOM + 1), line, (size_t)length);
  }
  fg_ptx_close_scope(g, s);
}

static void translate(fg_ptx *g, const char *source) {
  fg_ptx_read(g, source);
  g->bound = calloc((size_t)g->nname + 1, sizeof *g->bound);
  g->since = calloc((size_t)g->nname + 1, sizeof *g->since);
  if (!g->bound || !g->since) fg_ptx_refuse(g, "out of memory");
  fg_ptx_put(g, "/* Bodies of kernels as assembly. */\n");
  int kernels = 0;
  for (int i = 0; i < g->nfunction; i++) {
    kernels += g->function[i].kernel;
    if (g->function[i].kernel) write_kernel(g, &g->function[i]);
  }
  if (!kernels) fg_ptx_refuse(g, "no kernel");
}

char *fg_ptx_translate(const char *source, char why[FG_WHY_SIZE]) {
  fg_ptx *g = calloc(1, sizeof *g);
  if (!g) return snprintf(why, FG_WHY_SIZE, "out of memory"), NULL;
  g->why = why;
  char *text = NULL;
  if (!setjmp(g->refuse)) {
    translate(g, source);
    text = g->out;
  } else {
    free(g->out);
  }
  free(g->token);
  free(g->function);
  free(g->bound);
  free(g->since);
  free(g->undo);
  free(g->memo);
  free(g->parked);
  free(g->element);
  free(g);
  return text;
}

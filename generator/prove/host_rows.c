/* Rows of the program that launches kernels. In: its text, the artifact that was proved. Out: whether it allocates,
 * launches and passes what the artifact says.
 *
 * The idea: the program is the same for all kernels but for rows of numbers, between texts that are known: one for
 * each argument slot, one for each launch, and the products that give the numbers of blocks. Rows are read word by
 * word. Products are evaluated at the ends of the parameters' ranges and at random values between. */
#include "generator/math/field.h"
#include "generator/print/host_program.h"
#include "generator/prove/launching.h"
#include "targets/ascii.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64, SETTINGS = 24 };

typedef struct reader {
  fg_context *cx;
  const fg_problem *q;
  const fg_artifact *a;
  const char *text;
  char *failure;
} reader;

typedef struct row { /* words between commas and braces */
  int count;
  const char *word[MOST_WORDS];
} row;

static bool fail(const reader *r, const char *what, const char *name) {
  snprintf(r->failure, 256, "host program: %s %.100s", what, name);
  return false;
}

const fg_file *fg_prove_file_of(const fg_emitted *e, const char *ending) {
  for (int i = 0; i < e->nfile && e->artifact.nlaunch; i++) {
    size_t length = strlen(e->file[i].name), tail = strlen(ending);
    if (length > tail && !strcmp(e->file[i].name + length - tail, ending)) return &e->file[i];
  }
  return NULL;
}

const fg_file *fg_prove_host_file(const fg_emitted *e) {
  return fg_prove_file_of(e, fg_emit_host_ending(fg_dialect_find(e->artifact.dialect)));
}

/* From `begin` on to the end of its line; parentheses stay in a word. NULL: there is no such line. */
static const char *read_row(const reader *r, const char *at, const char *begin, row *out) {
  const char *end, *from;
  int depth = 0;
  out->count = 0;
  if (!at || strncmp(at, begin, strlen(begin)) != 0) return NULL;
  at += strlen(begin), end = at + strcspn(at, "\n");
  for (from = at; at < end && out->count < MOST_WORDS && strncmp(at, "/*", 2) != 0; at++) {
    depth += (*at == '(') - (*at == ')');
    if (depth || !strchr("{},;", *at)) continue;
    while (*from == ' ') from++;
    if (at > from) out->word[out->count++] = fg_arena_printf(r->cx->arena, "%.*s", (int)(at - from), from);
    from = at + 1;
  }
  return *end ? end + 1 : end;
}

static bool is_number(const row *w, int i, int64_t value) {
  char *end;
  return i < w->count && strtoll(w->word[i], &end, 10) == value && !*end && end > w->word[i];
}

static bool is_word(const row *w, int i, const char *text) { return i < w->count && !strcmp(w->word[i], text); }

/* The line behind the one that `title` begins, or ends. */
static const char *behind(const reader *r, const char *title) {
  const char *at = strstr(r->text, title);
  return at ? strchr(at, '\n') + 1 : NULL;
}

/* ---- argument slots ------------------------------------------------------------------------ */

/* The driver's program: kind, part, bytes, offset of a table. OpenCL's: kind, bytes, offset, whose memory it is. */
static bool is_slot(const reader *r, const row *w, const fg_arg_buffer *b, int slot, int part) {
  static const char *const kinds[] = {[FG_ARG_IN] = "IN",
                                      [FG_ARG_OUT] = "OUT",
                                      [FG_ARG_WORK] = "WORK",
                                      [FG_ARG_TABLE] = "TABLE",
                                      [FG_ARG_GIVEN] = "IN"};
  int64_t bytes = (int64_t)(b->split ? b->bytes / 2 : b->bytes);
  bool calls = strstr(r->text, "int memory;") != NULL, table = b->kind == FG_ARG_TABLE;
  bool shared = b->kind == FG_ARG_OUT && r->q->in_place;
  if (w->count != 4 || !is_word(w, 0, kinds[b->kind]) || !is_number(w, calls ? 1 : 2, bytes)) return false;
  if (!calls) return is_number(w, 1, part); /* host.c reads where tables are */
  return is_number(w, 3, shared ? part : slot) && (table || is_number(w, 2, part * bytes));
}

static bool check_slots(const reader *r) {
  const char *at = behind(r, "} slots[] = {\n");
  int given = r->q->split_in ? 2 : 1;
  for (int i = 0, slot = 0; i < r->a->nbuffer; i++) {
    const fg_arg_buffer *b = &r->a->buffer[i];
    for (int part = 0; part < (b->split ? 2 : 1); part++, slot++) {
      row w;
      at = read_row(r, at, "  {", &w);
      if (!at || !is_slot(r, &w, b, slot, b->kind == FG_ARG_GIVEN ? given++ : part))
        return fail(r, "another slot in place of", b->name);
    }
  }
  return (at && !strncmp(at, "};\n", 3)) || fail(r, "another number of", "slots");
}

/* ---- numbers of blocks ---------------------------------------------------------------------- */

typedef struct product { /* of numbers and parameters, as C */
  const char *at;
  const int64_t *params;
  int nparam;
  bool wrong;
} product;

static int64_t sum_of(product *p);

static bool takes(product *p, const char *text) {
  while (*p->at == ' ') p->at++;
  bool is = !strncmp(p->at, text, strlen(text));
  if (is) p->at += strlen(text);
  return is;
}

static int64_t atom(product *p) {
  char *end;
  while (takes(p, "(size_t)")) {}
  if (takes(p, "(")) {
    int64_t x = sum_of(p);
    p->wrong = !takes(p, ")") || p->wrong;
    return x;
  }
  bool param = takes(p, "parameters[");
  p->wrong = p->wrong || !fg_is_digit(*p->at);
  int64_t x = strtoll(p->at, &end, 10);
  p->at = end;
  if (!param) return x;
  p->wrong = !takes(p, "]") || x < 0 || x >= p->nparam || p->wrong;
  return p->wrong ? 0 : p->params[x];
}

static int64_t product_of(product *p) {
  int64_t x = atom(p);
  while (!p->wrong) {
    if (takes(p, "*")) {
      x *= atom(p);
    } else if (takes(p, "/")) {
      int64_t by = atom(p);
      p->wrong = p->wrong || by <= 0;
      x = p->wrong ? 0 : x / by;
    } else {
      break;
    }
  }
  return x;
}

static int64_t sum_of(product *p) {
  int64_t x = product_of(p);
  while (!p->wrong && takes(p, "+")) x += product_of(p);
  return x;
}

/* The ends of the ranges, then random values. */
static void set_params(const fg_problem *q, int setting, uint64_t *random, int64_t *params) {
  for (int i = 0; i < q->nparam; i++) {
    const fg_param *p = &q->param[i];
    uint64_t range = (uint64_t)(p->hi - p->lo) + 1;
    params[i] = setting == 0 ? p->lo : setting == 1 ? p->hi : p->lo + (int64_t)fg_random_below(range, random);
  }
}

static bool are_blocks(const reader *r, const char *text, const fg_launch *l) {
  int64_t params[FG_MAX_PARAMS];
  uint64_t random = 1;
  for (int i = 0; i < (r->q->nparam ? SETTINGS : 1); i++) {
    set_params(r->q, i, &random, params);
    product p = {text, params, r->q->nparam, false};
    int64_t blocks = sum_of(&p);
    if (p.wrong || *p.at || blocks != fg_launch_blocks(l, params)) return false;
  }
  return true;
}

/* ---- launches ---------------------------------------------------------------------------------- */

static bool are_arguments(const row *w, int from, const fg_launch *l) {
  for (int i = 0; i < l->narg; i++)
    if (!is_number(w, from + i, l->arg[i].is_param ? -1 - l->arg[i].index : l->arg[i].index)) return false;
  return true;
}

static bool is_kernel(const reader *r, const row *w, const fg_launch *l) {
  const char *form = fg_dialect_find(r->a->dialect)->host_kernel, *at = form ? strstr(form, "%v") : NULL;
  if (!at) return is_word(w, 0, fg_arena_printf(r->cx->arena, "\"%s\"", l->entry));
  return is_word(w, 0, fg_arena_printf(r->cx->arena, "%.*s%s%s", (int)(at - form), form, l->entry, at + 2));
}

/* {"k", threads, cluster, bytes, count, {arguments}, carveout, persistent}, the last two where the struct has them */
static bool is_driver_launch(const reader *r, const row *w, const fg_launch *l) {
  int at = 5 + l->narg;
  bool carveout = strstr(r->text, "  int carveout;") != NULL, persistent = strstr(r->text, "  int persistent;") != NULL;
  if (w->count != at + carveout + persistent || !is_kernel(r, w, l)) return false;
  if (carveout && !is_number(w, at++, fg_launch_carveout(l))) return false;
  if (persistent ? !is_number(w, at, l->persistent) : l->persistent) return false;
  return is_number(w, 1, l->threads) && is_number(w, 2, l->cluster) && is_number(w, 3, (int64_t)l->local_bytes) &&
         is_number(w, 4, l->narg) && are_arguments(w, 5, l);
}

static bool check_driver(const reader *r) {
  const char *at = behind(r, "} launches[] = {\n"), *blocks = behind(r, "  (void)parameters;\n");
  for (int i = 0; i < r->a->nlaunch; i++) {
    const fg_launch *l = &r->a->launch[i];
    row w, b;
    at = read_row(r, at, "  {", &w);
    if (!at || !is_driver_launch(r, &w, l)) return fail(r, "another launch of", l->entry);
    blocks = read_row(r, blocks, "  *at++ = ", &b);
    if (!blocks || b.count != 1 || !are_blocks(r, b.word[0], l))
      return fail(r, "another number of blocks of", l->entry);
  }
  bool ends = at && blocks && !strncmp(at, "};\n", 3) && !strncmp(blocks, "}\n", 2);
  return ends || fail(r, "another number of", "launches");
}

/* launch(d, memory, "k", blocks, threads, (const int[]){arguments}, count); */
static bool is_call(const reader *r, const row *w, const fg_launch *l) {
  return w->count == 5 + l->narg && is_kernel(r, w, l) && is_number(w, 2, l->threads) &&
         is_word(w, 3, "(const int[])") && are_arguments(w, 4, l) && is_number(w, 4 + l->narg, l->narg);
}

/* The words of a call, without the parenthesis that closes it. */
static const char *read_call(const reader *r, const char *at, row *w) {
  static const char begin[] = "  launch(d, memory, ", tail[] = ");\n";
  const char *end = at && !strncmp(at, begin, strlen(begin)) ? strstr(at, tail) : NULL;
  if (!end) return NULL;
  const char *inner = fg_arena_printf(r->cx->arena, "%.*s,", (int)(end - at), at);
  return read_row(r, inner, begin, w) ? end + strlen(tail) : NULL;
}

static bool check_calls(const reader *r) {
  const char *at = behind(r, "static void run_kernels(");
  for (int i = 0; i < r->a->nlaunch; i++) {
    const fg_launch *l = &r->a->launch[i];
    row w;
    at = read_call(r, at, &w);
    if (!at || !is_call(r, &w, l)) return fail(r, "another launch of", l->entry);
    if (!are_blocks(r, w.word[1], l)) return fail(r, "another number of blocks of", l->entry);
  }
  return (at && !strncmp(at, "  check(\"clFinish\"", 18)) || fail(r, "another number of", "launches");
}

bool fg_prove_host_rows(fg_context *cx, const fg_program *p, const fg_emitted *e, char failure[256]) {
  const fg_file *file = fg_prove_host_file(e);
  failure[0] = 0;
  if (!file) return true;
  reader r = {cx, &p->problem, &e->artifact, file->text, failure};
  bool calls = strstr(r.text, "static void run_kernels(") != NULL;
  return check_slots(&r) && (calls ? check_calls(&r) : check_driver(&r));
}

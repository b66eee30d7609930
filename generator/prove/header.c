/* The header of a C source. In: both texts, and the artifact. Out: whether the header declares what the source
 * defines, and its macros are the artifact's numbers.
 *
 * The idea: callers read the header alone. They allocate what its macros say, and pass the arguments of its
 * declarations. */
#include "generator/print/emit.h"
#include "generator/problem/shape.h"
#include "generator/prove/prove.h"
#include "targets/ascii.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A declaration, a space behind each word and no other, without words that say that arrays do not overlap. */
static char *squeezed(fg_context *cx, const char *text, size_t length) {
  static const char tail[] = "RESTRICT";
  char *out = fg_arena_alloc(cx->arena, 2 * length + 1);
  size_t n = 0;
  for (size_t i = 0, end; i < length; i = end) {
    end = i + 1;
    if (fg_is_space(text[i])) continue;
    while (fg_is_word(text[i]) && end < length && fg_is_word(text[end])) end++;
    size_t own = end - i, rest = strlen(tail);
    if (own >= rest && !strncmp(text + end - rest, tail, rest)) continue;
    memcpy(out + n, text + i, own);
    n += own;
    if (fg_is_word(text[i])) out[n++] = ' ';
  }
  out[n] = 0;
  return out;
}

/* The function that a line which begins with "void " declares or defines. */
static const char *next_function(fg_context *cx, const char **at) {
  while ((*at = strstr(*at, "\nvoid "))) {
    const char *from = ++*at, *end = strpbrk(from, ";{");
    if (end) return squeezed(cx, from, (size_t)(end - from));
  }
  return NULL;
}

static bool is_defined(fg_context *cx, const char *source, const char *function) {
  const char *at = source;
  for (const char *f; (f = next_function(cx, &at));)
    if (!strcmp(f, function)) return true;
  return false;
}

/* NAME and its suffix, if that is wanted. */
static bool declares(fg_context *cx, const char *header, const char *name, const char *suffix, bool wanted) {
  const char *at = header, *head = fg_arena_printf(cx->arena, "void %s%s (", name, suffix);
  for (const char *f; wanted && (f = next_function(cx, &at));)
    if (!strncmp(f, head, strlen(head))) return true;
  return !wanted;
}

static size_t bytes_of(const fg_artifact *a, fg_arg_kind kind) {
  size_t bytes = 0;
  for (int i = 0; i < a->nbuffer; i++)
    if (a->buffer[i].kind == kind) bytes += a->buffer[i].bytes;
  return bytes;
}

/* "#define K_SCRATCH_BYTES 8000" */
static bool macro_is(const char *header, const char *name, size_t value, bool wanted) {
  for (const char *at = header; (at = strstr(at, "\n#define ")); at++) {
    const char *line = at + strlen("\n#define "), *space = line + strcspn(line, " \n"), *tail = space - strlen(name);
    if (tail > line && !strncmp(tail, name, strlen(name))) return strtoull(space, NULL, 10) == value;
  }
  return !wanted;
}

/* Comments become spaces. NULL: one does not end. */
static char *without_comments(fg_context *cx, const char *text) {
  char *out = fg_arena_strdup(cx->arena, text);
  for (char *at = out; (at = strstr(at, "/*"));) {
    char *end = strstr(at + 2, "*/");
    if (!end) return NULL;
    for (; at < end + 2; at++)
      if (*at != '\n') *at = ' ';
  }
  return out;
}

typedef struct brackets {
  int conditions, braces; /* open */
} brackets;

/* One line of the preprocessor, one declaration, or a bracket around them. False: it is something else. */
static bool passes_one(const char **at, brackets *b) {
  static const char outer[] = "extern \"C\" {";
  const char *end = *at + strcspn(*at, "\n");
  if (!strncmp(*at, "#if", 3)) b->conditions++;
  if (!strncmp(*at, "#endif", 6)) b->conditions--;
  if (!strncmp(*at, outer, strlen(outer))) b->braces++;
  if (**at == '}') b->braces--, end = *at + 1;
  bool known = **at == '#' || **at == '}' || !strncmp(*at, outer, strlen(outer));
  if (!known && !strncmp(*at, "void ", 5)) known = (end = strpbrk(*at, ";{#")) && *end++ == ';';
  if (known) *at = end;
  return known;
}

/* Nothing but what compilers take. */
static bool is_well_formed(const char *text) {
  brackets b = {0, 0};
  for (const char *at = text; *(at += strspn(at, " \n"));)
    if (!passes_one(&at, &b) || b.conditions < 0 || b.braces < 0) return false;
  return b.conditions == 0 && b.braces == 0;
}

bool fg_prove_header_agrees(fg_context *cx, const fg_problem *q, const fg_emitted *e, char failure[256]) {
  const char *header = without_comments(cx, e->file[1].text), *at = header, *wrong = NULL;
  const fg_artifact *a = &e->artifact;
  int functions = 0;
  if (!header || !is_well_formed(header)) return snprintf(failure, 256, "text: the header is no C"), false;
  for (const char *f; !wrong && (f = next_function(cx, &at)); functions++)
    if (!is_defined(cx, a->source, f)) wrong = "declares what the source does not define";
  bool all = declares(cx, header, a->name, "", true) && declares(cx, header, a->name, "_init", a->needs_init) &&
             declares(cx, header, a->name, "_part", a->nstep > 0);
  if (!wrong && (!functions || !all)) wrong = "does not declare all";
  if (!macro_is(header, "_POINTS", (size_t)fg_problem_points(q), true)) wrong = "says another number of points";
  if (!macro_is(header, "_SCRATCH_BYTES", bytes_of(a, FG_ARG_WORK), true)) wrong = "says another size of scratch";
  if (!macro_is(header, "_TABLE_BYTES", bytes_of(a, FG_ARG_TABLE), true)) wrong = "says another size of tables";
  if (!macro_is(header, "_STEPS", (size_t)a->nstep, a->nstep)) wrong = "says another number of steps";
  if (!macro_is(header, "_PART_BYTES", a->part_bytes, a->nstep)) wrong = "says another size of parts";
  if (wrong) snprintf(failure, 256, "text: the header %s", wrong);
  return !wrong;
}

/* The program that launches kernels, beside their source. In: its text, the artifact. Out: whether its tables hold
 * what the kernels' proof assumes, at the offsets that it uses.
 *
 * The idea: the functions that fill its tables are separate C code, between two markers. They are run, and each
 * entry is compared with its definition, as for C sources. The rows of argument slots must have sizes and offsets of
 * the same tables. */
#include "generator/prove/launching.h"
#include "generator/prove/literals.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char filling_begins[] = "/* Fills the tables; call it once";

static bool fail(fg_text_proof *out, const char *what, const char *name) {
  snprintf(out->failure, sizeof out->failure, "host program: %s %.100s", what, name);
  out->proved = false;
  return false;
}

/* NAME_init and the text before it. NULL: there is none. */
static const char *filling_of(fg_context *cx, const fg_artifact *a, const char *text) {
  const char *begin = strstr(text, filling_begins);
  const char *init = fg_arena_printf(cx->arena, "\nvoid %s_init(void *tables) {\n", a->name);
  const char *at = begin ? strstr(begin, init) : NULL, *end = at ? strstr(at, "\n}\n") : NULL;
  return end ? fg_arena_printf(cx->arena, "%.*s", (int)(end + 3 - begin), begin) : NULL;
}

/* "{TABLE, ..., BYTES, OFFSET, ...}, \/\* NAME \*\/", where the filling has NAME's entries. */
static bool is_row_right(fg_context *cx, const char *text, const fg_arg_buffer *b, int64_t offset) {
  const char *name = fg_arena_printf(cx->arena, "}, /* %s */", b->name), *end = strstr(text, name), *row = end;
  const char *numbers = fg_arena_printf(cx->arena, ", %zu, %lld", b->bytes, (long long)offset);
  if (!end) return false;
  while (row > text && *row != '\n') row--;
  const char *at = strstr(row, numbers);
  return at && at < end && strchr(",}", at[strlen(numbers)]);
}

typedef struct host {
  const fg_program *p;
  const fg_artifact *a;
  const char *text, *filling;
  int64_t bytes; /* of all tables */
} host;

/* Bytes that it allocates for all tables, as one of its languages says it. */
static int64_t room_of(const char *text) {
  static const char *const words[] = {"TABLE_BYTES = ", "char *tables = allocate("};
  for (int i = 0; i < 2; i++) {
    const char *at = strstr(text, words[i]);
    if (at) return strtoll(at + strlen(words[i]), NULL, 10);
  }
  return 0;
}

/* The rows of tables, and whether there is room for all of them. */
static bool check_rows(fg_context *cx, host *h, fg_text_proof *out) {
  const fg_artifact *a = h->a;
  int64_t real = fg_precision_bytes(h->p->problem.compute);
  const char *at = h->filling;
  for (int i = 0; i < a->nbuffer; i++) {
    if (a->buffer[i].kind != FG_ARG_TABLE) continue;
    at = strstr(at, "table = (");
    const char *sum = at ? strstr(at, "tables + ") : NULL;
    if (!sum) return fail(out, "no entries for table", a->buffer[i].name);
    at = sum;
    int64_t offset = strtoll(sum + 9, NULL, 10) * real;
    if (!is_row_right(cx, h->text, &a->buffer[i], offset))
      return fail(out, "another place, or size, of table", a->buffer[i].name);
    h->bytes = offset + (int64_t)a->buffer[i].bytes;
  }
  return room_of(h->text) >= h->bytes || fail(out, "too little room for", "tables");
}

fg_status fg_prove_host(fg_context *cx, const fg_program *p, const fg_emitted *e, fg_text_proof *out) {
  const fg_file *file = fg_prove_host_file(e);
  bool any = false;
  for (int i = 0; i < e->artifact.nbuffer; i++) any = any || e->artifact.buffer[i].kind == FG_ARG_TABLE;
  if (!file || !any) return FG_OK;
  host h = {.p = p, .a = &e->artifact, .text = file->text, .filling = filling_of(cx, &e->artifact, file->text)};
  if (!h.filling) return fail(out, "no function that fills tables:", file->name), FG_OK;
  int64_t room = room_of(h.text); /* some tables are computed behind all of them */
  if (!check_rows(cx, &h, out) || room > FG_LARGEST_FILL) return FG_OK;
  fg_proof_text text = {.p = p, .artifact = h.a, .one_prime = true, .seed = (uint64_t)room};
  fg_status status = fg_proof_text_filling(cx, &text, h.a, h.filling, (size_t)room, out);
  out->proved = out->proved && !out->failure[0];
  return status;
}

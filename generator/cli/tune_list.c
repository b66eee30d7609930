/* See tune_list.h. */
#include "generator/cli/tune_list.h"
#include "generator/base/files.h"
#include <string.h>

/* A mistake in a text is found before anything is measured. line 0: an argument. */
static fg_status add_text(fg_context *cx, fg_cli_tune_problems *to, const char *text, const char *file, int line) {
  fg_context own = {.arena = cx->arena};
  fg_problem p;
  fg_status status = fg_problem_parse(&own, text, &p);
  to->text[to->count++] = text;
  if (status == FG_OK) return FG_OK;
  const char *where = line ? fg_arena_printf(cx->arena, "%s, line %d: ", file, line) : "";
  return fg_diag_set(&cx->diag, status, "%s%s", where, own.diag.message);
}

/* Without what stands behind a # at its beginning or behind a blank, and without blanks at its ends. */
static char *bare(char *line) {
  line += strspn(line, " \t");
  for (char *at = strchr(line, '#'); at; at = strchr(at + 1, '#'))
    if (at == line || strchr(" \t", at[-1])) {
      *at = 0;
      break;
    }
  size_t length = strlen(line);
  while (length && strchr(" \t\r", line[length - 1])) line[--length] = 0;
  return line;
}

fg_status fg_cli_tune_list(fg_context *cx, const fg_choice *choice, const char *file, fg_cli_tune_problems *out) {
  char *text = NULL;
  size_t bytes = 0, room = (size_t)choice->nproblem + 1;
  if (file) {
    fg_status status = fg_files_read(cx, file, &text, &bytes);
    if (status != FG_OK) return status;
  }
  fg_status status = FG_OK;
  for (size_t i = 0; i < bytes; i++) room += text[i] == '\n' || i == 0;
  *out = (fg_cli_tune_problems){.text = fg_arena_new(cx->arena, const char *, room)};
  for (int i = 0; i < choice->nproblem && status == FG_OK; i++) status = add_text(cx, out, choice->problem[i], NULL, 0);
  int number = 1;
  for (char *at = text, *end; at && *at && status == FG_OK; at = end, number++) {
    end = at + strcspn(at, "\n");
    if (*end) *end++ = 0;
    at = bare(at);
    if (*at) status = add_text(cx, out, at, file, number);
  }
  if (status != FG_OK) return status;
  return out->count ? FG_OK : fg_refuse(cx, "%s: no problem in it", file);
}

/* The tables of load and store operations and of windows: operations.def, windows.def. */
#include "generator/problem/operations.h"
#include "targets/number.h"
#include <string.h>

enum { KEPT, REALS };
#define POINT(NAME, SIDES, ACT, TAKES, GIVES, VALUE, HELP)                                                             \
  {#NAME, FG_SIDES_##SIDES, FG_ACT_##ACT, FG_TAKES_##TAKES, (GIVES) == REALS, VALUE, HELP},
static const fg_operation_row points[] = {
#include "generator/problem/operations.def"
    {0}};
#undef POINT

#define WINDOW(NAME, FORM, ...) {#NAME, FG_WINDOW_##FORM, {__VA_ARGS__}, NULL, 0, 0},
#define SHAPED(NAME, FORM, PARAMETER, LOWEST, HIGHEST) {#NAME, FG_WINDOW_##FORM, {0}, PARAMETER, LOWEST, HIGHEST},
static const fg_window_row windows[] = {
#include "generator/problem/windows.def"
    {0}};
#undef WINDOW
#undef SHAPED

const fg_operation_row *fg_operation_table(void) { return points; }
const fg_window_row *fg_window_table(void) { return windows; }

const fg_window_row *fg_window_numbers(void) {
  static const fg_window_row numbers = {"numbers", FG_WINDOW_NUMBERS, {0}, NULL, 0, 0};
  return &numbers;
}

const fg_window_row *fg_window_bank(void) {
  static const fg_window_row bank = {"mel", FG_WINDOW_BANK, {0}, NULL, 0, 0};
  return &bank;
}

const fg_operation_row *fg_operation_find(const char *name) {
  for (const fg_operation_row *r = points; r->name; r++) /* proofs ask for each element */
    if (*r->name == *name && !strcmp(r->name, name)) return r;
  return NULL;
}

const char *fg_operation_says(fg_arena *a, const fg_operation_row *row) {
  const fg_operation_row *first = row;
  const char *part = row->help;
  while (first > points && !*first[-1].help) first--;
  for (const fg_operation_row *r = row; !*part; r++) part = r->help;
  for (; first < row && strchr(part, ';'); first++) part = strchr(part, ';') + 2;
  return fg_arena_printf(a, "%.*s", (int)strcspn(part, ";"), part);
}

const fg_window_row *fg_window_find(const char *name) {
  for (const fg_window_row *r = windows; r->name; r++)
    if (!strcmp(r->name, name)) return r;
  return NULL;
}

/* The shortest of the numbers that read back as the same. */
const char *fg_window_text(fg_arena *a, fg_window w) {
  const char *text = "";
  if (!w.row->parameter || !*w.row->parameter) return w.row->name;
  for (int digits = 1; digits <= 17; digits++) {
    text = fg_arena_printf(a, "%.*g", digits, w.parameter);
    if (fg_number_read(text, NULL) == w.parameter) break;
  }
  return fg_arena_printf(a, "%s(%s)", w.row->name, text);
}

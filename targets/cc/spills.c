/* Spills read back. In: assembly, as text. Out: how many instructions store a vector
 * register to the stack, and how many read one from there.
 *
 * The idea: emitted code has no arrays of its own, so that whatever vectors meet at
 * the stack pointer or at the frame pointer was spilled there. AT&T's order has the
 * destination last: a place on the stack behind the last register is a store. */
#include "targets/cc/spills.h"
#include <stdbool.h>
#include <string.h>

enum { LINE = 256 };

static void count_x86(const char *line, fg_spills *s) {
  const char *stack = strstr(line, "(%rsp");
  if (!stack) stack = strstr(line, "(%rbp");
  const char *vector = strstr(line, "mm");
  if (!stack || !vector || vector - line < 2 || vector[-2] != '%' || !strchr("xyz", vector[-1])) return;
  if (strstr(stack, "mm"))
    s->loads++;
  else
    s->stores++;
}

/* What functions keep for their callers are d registers: not counted. */
static void count_arm(const char *line, fg_spills *s) {
  const char *op = line + strspn(line, " \t"), *operand = op + strcspn(op, " \t");
  operand += strspn(operand, " \t");
  bool stack = strstr(operand, "[sp") || strstr(operand, "[x29");
  if (!stack || *operand != 'q') return;
  if (!strncmp(op, "st", 2)) s->stores++;
  if (!strncmp(op, "ld", 2)) s->loads++;
}

fg_spills fg_spills_count(const char *assembly) {
  fg_spills s = {0, 0};
  for (const char *at = assembly; *at;) {
    char line[LINE];
    size_t length = strcspn(at, "\n"), kept = length < LINE - 1 ? length : LINE - 1;
    memcpy(line, at, kept);
    line[kept] = 0;
    count_x86(line, &s);
    count_arm(line, &s);
    at += length + (at[length] == '\n');
  }
  return s;
}

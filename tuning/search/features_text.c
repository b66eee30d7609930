/* Operations of a small kernel, counted in its text. Its stages are one function without loops
 * (lower/scalar_replacement.c). They exchange joins and parts of vectors, which depend on how one stage's vectors
 * match those of the next, and only the text shows that. In: emitted C. Out: counts of one run of that function. */
#include "tuning/search/features.h"
#include <string.h>

static bool has(const char *line, size_t bytes, const char *what) {
  return memmem(line, bytes, what, strlen(what)) != NULL;
}

static bool begins(const char *line, const char *what) { return !strncmp(line, what, strlen(what)); }

static int count_of(const char *line, size_t bytes, const char *what) {
  int count = 0;
  for (const char *at = line, *end = line + bytes; (at = memmem(at, (size_t)(end - at), what, strlen(what))); at++)
    count++;
  return count;
}

/* One statement: a store, or "const TYPE NAME = VALUE;". Constants (KP..., J) are
 * not computed there. */
static void count_line(const char *line, size_t bytes, fg_features *f) {
  f->count[FG_FEATURE_SHUFFLE] += count_of(line, bytes, "__builtin_shufflevector(");
  f->count[FG_FEATURE_LOAD] += count_of(line, bytes, "*(const vec");
  if (begins(line, "*(vec")) f->count[FG_FEATURE_STORE]++;
  if (!begins(line, "const vec") || has(line, bytes, "_at *)") || has(line, bytes, "){")) return;
  if (has(line, bytes, " * "))
    f->count[FG_FEATURE_FMA]++;
  else if (has(line, bytes, " + ") || has(line, bytes, " - ") || has(line, bytes, "= -"))
    f->count[FG_FEATURE_ADD]++;
}

bool fg_features_count_text(const char *source, fg_features *out) {
  static const char mark[] = " stages as one, what passes between them in values */\n";
  const char *at = strstr(source, mark), *end = at ? strstr(at, "\n}\n") : NULL;
  if (!end) return false;
  *out = (fg_features){{0}};
  while (at < end) {
    const char *stop = strchr(at, '\n');
    at += strspn(at, " ");
    if (at < stop) count_line(at, (size_t)(stop - at), out);
    at = stop + 1;
  }
  return true;
}

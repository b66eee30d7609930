/* See pack.h. A line that is damaged counts as absent; a file whose hash does not
 * fit is not loaded. */
#include "runtime/pack.h"
#include "runtime/hash.h"
#include "runtime/line.h"
#include "runtime/store.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_INDEX = 1 << 26, MOST_OBJECT = 1 << 28 };

typedef struct search {
  fg_context *cx;
  const char *folder;
  const fg_pack_key *key;
  const char *file, *sum; /* the best line's */
  const char *why;
} search;

static void look_at(search *s, const char *text, size_t bytes) {
  fg_line line;
  if (fg_line_read(s->cx->arena, text, bytes, &line) || fg_line_number(&line, "fftgen", 0) != 1) return;
  const char *problem = fg_line_text(&line, "problem"), *plan = fg_line_text(&line, "plan");
  const char *features = fg_line_text(&line, "features"), *file = fg_line_text(&line, "file");
  const char *sum = fg_line_text(&line, "sum"), *target = fg_line_text(&line, "target");
  if (!problem || !plan || !features || !file || !sum || strchr(file, '/')) return;
  if (strcmp(target ? target : "c", s->key->target) || strcmp(problem, s->key->problem) ||
      (s->key->plan && strcmp(plan, s->key->plan)))
    return;
  const char *refusal = s->key->refuse(s->key->context, features);
  if (refusal) {
    s->why = refusal;
    return;
  }
  s->file = file;
  s->sum = sum;
}

static fg_status check_sum(search *s, const char *path) {
  char sum[FG_HASH_TEXT];
  fg_context own = {.arena = s->cx->arena};
  fg_status status = fg_store_sum(&own, path, MOST_OBJECT, sum);
  if (status == FG_OK && !strcmp(sum, s->sum)) return FG_OK;
  s->why = status == FG_OK ? "its file is damaged" : "its file is missing";
  return FG_ENA;
}

fg_status fg_pack_find(fg_context *cx, const char *folder, const fg_pack_key *key, const char **path,
                       const char **why) {
  search s = {.cx = cx, .folder = folder ? folder : getenv("FFTGEN_PACK"), .key = key};
  char *text = NULL;
  size_t bytes = 0;
  fg_context own = {.arena = cx->arena};
  fg_status status = FG_ENA;
  s.why = "none given";
  if (s.folder && *s.folder) {
    const char *index = fg_arena_printf(cx->arena, "%s/" FG_PACK_INDEX, s.folder);
    s.why = "nothing for this problem in it";
    status = fg_store_read(&own, index, MOST_INDEX, &text, &bytes);
    if (status != FG_OK) s.why = status == FG_ENA ? "no " FG_PACK_INDEX " in it" : own.diag.message;
  }
  for (const char *at = text, *end; status == FG_OK && at < text + bytes; at = end + 1) {
    end = at + strcspn(at, "\n");
    look_at(&s, at, (size_t)(end - at));
  }
  *why = fg_arena_strdup(cx->arena, s.why);
  if (!s.file) return FG_ENA;
  *path = fg_arena_printf(cx->arena, "%s/%s", s.folder, s.file);
  status = check_sum(&s, *path);
  *why = s.why;
  return status;
}

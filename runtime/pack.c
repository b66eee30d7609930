/* See pack.h. A line that is damaged counts as absent; a file whose hash does not
 * fit is not loaded. */
#include "runtime/pack.h"
#include "runtime/fingerprint.h"
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
  const char *sum = fg_line_text(&line, "sum");
  if (!problem || !plan || !features || !file || !sum || strchr(file, '/')) return;
  if (strcmp(problem, s->key->problem) || (s->key->plan && strcmp(plan, s->key->plan))) return;
  if (!fg_fingerprint_has(features)) {
    s->why = "this CPU lacks features that its kernels need";
    return;
  }
  s->file = file;
  s->sum = sum;
}

static fg_status check_sum(search *s, const char *path) {
  char *data, sum[FG_HASH_TEXT];
  size_t bytes;
  fg_context own = {.arena = s->cx->arena};
  fg_status status = fg_store_read(&own, path, MOST_OBJECT, &data, &bytes);
  if (status == FG_OK) fg_hash_text(fg_hash_add(fg_hash_begin(), data, bytes), sum);
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

/* See pack.h. An index with a wrong hash is refused, and so is a file with a wrong hash. */
#include "runtime/store/pack.h"
#include "runtime/store/archive.h"
#include "runtime/store/hash.h"
#include "runtime/store/line.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include "targets/env.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_INDEX = 1 << 26, MOST_OBJECT = 1 << 28 };

typedef struct search {
  fg_context *cx;
  const char *pack;
  bool in_archive;
  const fg_pack_key *key;
  const char *file, *sum; /* the best line's */
  const char *why;
} search;

static const char seal_head[] = "{\"fftgen_pack\":1,\"check\":\"", seal_tail[] = "\"}\n";
enum { SEAL = sizeof seal_head - 1 + FG_HASH_TEXT - 1 + sizeof seal_tail - 1 };

static void write_seal(const char *text, size_t bytes, char seal[SEAL + 1]) {
  char sum[FG_HASH_TEXT];
  fg_hash_text(fg_hash_add(fg_hash_begin(), text, bytes), sum);
  snprintf(seal, SEAL + 1, "%s%s%s", seal_head, sum, seal_tail);
}

void fg_pack_seal(fg_strbuf *index) {
  char seal[SEAL + 1];
  write_seal(index->text, index->length, seal);
  fg_strbuf_add(index, seal);
}

static bool is_sealed(const char *text, size_t bytes) {
  char seal[SEAL + 1];
  if (bytes < SEAL) return false;
  write_seal(text, bytes - SEAL, seal);
  return !memcmp(text + bytes - SEAL, seal, SEAL);
}

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

/* What has the right sum is what is loaded: by the same descriptor. */
static fg_status take_from_folder(search *s, fg_pack_file *out) {
  char sum[FG_HASH_TEXT];
  fg_context own = {.arena = s->cx->arena};
  out->path = fg_arena_printf(s->cx->arena, "%s/%s", s->pack, s->file);
  fg_status status = fg_store_open(&own, out->path, &out->fd);
  s->why = status == FG_ESYS ? fg_arena_strdup(s->cx->arena, own.diag.message) : "its file is missing";
  if (status != FG_OK) return FG_ENA;
  status = fg_store_sum_open(&own, out->fd, out->path, MOST_OBJECT, sum);
  if (status == FG_OK && !strcmp(sum, s->sum)) return FG_OK;
  close(out->fd);
  out->fd = -1;
  s->why = "its file is damaged";
  return FG_ENA;
}

static fg_status take_from_archive(search *s, fg_pack_file *out) {
  char *data, sum[FG_HASH_TEXT];
  fg_context own = {.arena = s->cx->arena};
  if (fg_archive_read(&own, s->pack, s->file, MOST_OBJECT, &data, &out->bytes) != FG_OK) {
    s->why = "its file is missing";
    return FG_ENA;
  }
  fg_hash_text(fg_hash_add(fg_hash_begin(), data, out->bytes), sum);
  out->data = data;
  if (!strcmp(sum, s->sum)) return FG_OK;
  s->why = "its file is damaged";
  return FG_ENA;
}

static fg_status read_index(search *s, char **text, size_t *bytes) {
  fg_context own = {.arena = s->cx->arena};
  s->why = "none given";
  if (!s->pack || !*s->pack) return FG_ENA;
  const char *index = fg_arena_printf(s->cx->arena, "%s/" FG_PACK_INDEX, s->pack);
  fg_status status = s->in_archive ? fg_archive_read(&own, s->pack, FG_PACK_INDEX, MOST_INDEX, text, bytes)
                                   : fg_store_read(&own, index, MOST_INDEX, text, bytes);
  s->why = status == FG_OK    ? "nothing for this problem in it"
           : status == FG_ENA ? "no " FG_PACK_INDEX " in it"
                              : fg_arena_strdup(s->cx->arena, own.diag.message);
  if (status != FG_OK || is_sealed(*text, *bytes)) return status;
  s->why = "its " FG_PACK_INDEX " is damaged, cut off or of an older fftgen; fftgen pack makes it anew";
  return FG_ENA;
}

fg_status fg_pack_find(fg_context *cx, const char *pack, const fg_pack_key *key, fg_pack_file *out, const char **why) {
  search s = {.cx = cx, .pack = pack ? pack : fg_env("FFTGEN_PACK"), .key = key};
  char *text = NULL;
  size_t bytes = 0;
  s.in_archive = s.pack && fg_archive_is(s.pack);
  *out = (fg_pack_file){.fd = -1};
  fg_status status = read_index(&s, &text, &bytes);
  for (const char *at = text, *end; status == FG_OK && at < text + bytes; at = end + 1) {
    end = at + strcspn(at, "\n");
    look_at(&s, at, (size_t)(end - at));
  }
  status = FG_ENA;
  if (s.file && s.in_archive) status = take_from_archive(&s, out);
  if (s.file && !s.in_archive) status = take_from_folder(&s, out);
  *why = s.why;
  return status;
}

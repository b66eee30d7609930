/* The index of a pack, read again before the pack is handed out. In: a folder with its files and its index. Out:
 * whether a search for each line's kernel finds it.
 *
 * The idea: libfftgen's own reader looks up every line by its target, problem, plan and features. What it finds must be
 * that line's file, with the hash that the line says, and a package must be of that problem and plan. Of two lines with
 * one key, it would find the other file. */
#include "runtime/store/line.h"
#include "runtime/store/pack.h"
#include "runtime/store/package.h"
#include "runtime/store/read.h"
#include "tuning/search/packing.h"
#include <string.h>
#include <unistd.h>

enum { MOST_PACKAGE = 1 << 28 };

typedef struct entry {
  const char *target, *problem, *plan, *features, *file;
} entry;

static const char *refuse_others(const void *context, const char *features) {
  return strcmp(context, features) ? "other features" : NULL;
}

static fg_status fail(fg_context *cx, const entry *e, const char *what) {
  return fg_diag_set(&cx->diag, FG_EINTERNAL,
                     "internal error: " FG_PACK_INDEX ": %s; problem \"%s\", plan %s, target %s", what,
                     e->problem ? e->problem : "", e->plan ? e->plan : "", e->target);
}

static fg_status check_package(fg_context *cx, const entry *e, const fg_pack_file *file) {
  fg_package p;
  char *bytes;
  size_t size;
  fg_status status = fg_store_read_open(cx, file->fd, file->path, MOST_PACKAGE, &bytes, &size);
  if (status != FG_OK) return status;
  const char *wrong = fg_package_read(cx, bytes, size, &p);
  if (wrong) return fail(cx, e, wrong);
  bool same = !strcmp(p.problem, e->problem) && !strcmp(p.plan, e->plan) && !strcmp(p.artifact.dialect, e->target);
  return same ? FG_OK : fail(cx, e, "a line leads to the package of another problem");
}

static fg_status check_entry(fg_context *cx, const char *folder, const entry *e) {
  if (!e->problem || !e->plan || !e->features || !e->file) return fail(cx, e, "a line says too little");
  const fg_pack_key key = {e->target, e->problem, e->plan, refuse_others, e->features};
  const char *path = fg_arena_printf(cx->arena, "%s/%s", folder, e->file), *why = "";
  fg_pack_file found;
  if (fg_pack_find(cx, folder, &key, &found, &why) != FG_OK) return fail(cx, e, why);
  fg_status status = FG_OK;
  if (strcmp(found.path, path) != 0)
    status = fail(cx, e, "two lines have one key");
  else if (strcmp(e->target, "c") != 0)
    status = check_package(cx, e, &found);
  close(found.fd);
  return status;
}

fg_status fg_packing_check_index(fg_context *cx, const char *folder, const fg_strbuf *index) {
  fg_line line;
  for (const char *at = index->text, *end; *at; at = end + 1) {
    entry e = {.target = "c"};
    end = at + strcspn(at, "\n");
    if (fg_line_read(cx->arena, at, (size_t)(end - at), &line)) return fail(cx, &e, "a line is no JSON");
    if (fg_line_number(&line, "fftgen_pack", 0) == 1 && !end[1]) return FG_OK; /* the seal */
    if (fg_line_text(&line, "target")) e.target = fg_line_text(&line, "target");
    e.problem = fg_line_text(&line, "problem"), e.plan = fg_line_text(&line, "plan");
    e.features = fg_line_text(&line, "features"), e.file = fg_line_text(&line, "file");
    fg_status status = check_entry(cx, folder, &e);
    if (status != FG_OK) return status;
  }
  return fail(cx, &(entry){.target = "c"}, "it has no seal");
}

/* See wisdom_file.h. In: lines to add or to remove. Out: the file, replaced atomically, so that a reader sees the
 * old one or the new one. */
#include "runtime/store/wisdom_file.h"
#include "generator/base/strbuf.h"
#include "runtime/store/store.h"
#include <string.h>

fg_status fg_wisdom_write(fg_context *cx, const char *path, const fg_wisdom *w) {
  size_t bytes = 0;
  for (int i = 0; i < w->count; i++) bytes += w->line[i].bytes + 1;
  char *text = fg_arena_alloc(cx->arena, bytes + 1), *to = text;
  for (int i = 0; i < w->count; i++) {
    memcpy(to, w->line[i].text, w->line[i].bytes);
    to += w->line[i].bytes;
    *to++ = '\n';
  }
  return fg_store_replace(cx, path, text, bytes);
}

static fg_status make_folder_of(fg_context *cx, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash || slash == path) return FG_OK;
  return fg_store_make_folder(cx, fg_arena_printf(cx->arena, "%.*s", (int)(slash - path), path));
}

typedef struct change { /* of a file, under its lock */
  const char *path;
  const fg_wisdom *more;      /* lines to add; NULL: none */
  const fg_wisdom_entry *out; /* lines of this device (and problem, if it is not NULL) are removed; NULL: none */
  fg_wisdom_warn warn;
} change;

static void leave_out(fg_wisdom *w, const fg_wisdom_entry *key) {
  int kept = 0;
  for (int i = 0; i < w->count; i++) {
    const fg_wisdom_entry *e = &w->line[i].entry;
    bool goes = w->line[i].kind == FG_WISDOM_GOOD && !strcmp(e->device, key->device) &&
                (!key->problem || !strcmp(e->problem, key->problem));
    if (!goes) w->line[kept++] = w->line[i];
  }
  w->count = kept;
}

/* With the lock held: a jump out of here would leave it locked. */
static fg_status change_locked(fg_context *cx, const change *c) {
  fg_wisdom w;
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  fg_status status = fg_wisdom_load(cx, c->path, c->warn, &w);
  if (status != FG_OK) return status;
  if (c->more) fg_wisdom_join(cx, &w, c->more);
  if (c->out) leave_out(&w, c->out);
  fg_wisdom_reduce(cx, &w, true);
  return fg_wisdom_write(cx, c->path, &w);
}

static fg_status change_file(fg_context *cx, const change *c) {
  fg_status status = make_folder_of(cx, c->path);
  if (status != FG_OK) return status;
  int lock = fg_store_lock(c->path);
  if (lock < 0 && c->warn.call)
    c->warn.call(c->warn.context, "wisdom cannot be locked: another process may write over it");
  status = change_locked(cx, c);
  fg_store_unlock(lock);
  return status;
}

fg_status fg_wisdom_merge(fg_context *cx, const char *path, const fg_wisdom *more, fg_wisdom_warn warn) {
  return change_file(cx, &(change){.path = path, .more = more, .warn = warn});
}

fg_status fg_wisdom_forget(fg_context *cx, const char *path, const fg_wisdom_entry *key, fg_wisdom_warn warn) {
  return change_file(cx, &(change){.path = path, .out = key, .warn = warn});
}

typedef struct addition {
  const char *path;
  const fg_wisdom_entry *entry;
  int count;
  fg_wisdom_warn warn;
} addition;

static fg_status add(fg_context *cx, const addition *a) {
  fg_wisdom more;
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  fg_strbuf text = fg_strbuf_new(cx->arena);
  for (int i = 0; i < a->count; i++) fg_strbuf_add(&text, fg_wisdom_print(cx, &a->entry[i]));
  fg_wisdom_parse(cx, "new entries", text.text, text.length, a->warn, &more);
  return fg_wisdom_merge(cx, a->path, &more, a->warn);
}

fg_status fg_wisdom_add(fg_context *cx, const char *path, const fg_wisdom_entry *entry, int count,
                        fg_wisdom_warn warn) {
  fg_context own = {.arena = fg_arena_create()};
  if (!own.arena) return FG_ENOMEM;
  fg_status status = add(&own, &(addition){path, entry, count, warn});
  if (status != FG_OK && own.diag.message[0]) fg_diag_set(&cx->diag, status, "%s", own.diag.message);
  fg_arena_destroy(own.arena);
  return status;
}

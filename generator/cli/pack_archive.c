/* See pack_archive.h. Members are in the order of their names, without times, so that the same kernels give the same
 * bytes. */
#include "generator/cli/pack_archive.h"
#include "generator/base/strbuf.h"
#include "runtime/store/archive.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include "targets/folder.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MEMBER = 1 << 28 };

bool fg_cli_pack_is_archive(const char *name) {
  size_t length = strlen(name);
  return length > 4 && !strcmp(name + length - 4, ".tar");
}

fg_status fg_cli_pack_archive_begin(fg_context *cx, const char *name, const char **folder) {
  char path[4096];
  const char *slash = strrchr(name, '/');
  const char *home = slash ? fg_arena_printf(cx->arena, "%.*s/", (int)(slash - name), name) : ".";
  if (access(home, W_OK) != 0)
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot write into its folder: %s", name, strerror(errno));
  if (!fg_folder_make(path, sizeof path))
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: no folder can be made: %s", fg_folder_root(), strerror(errno));
  *folder = fg_arena_strdup(cx->arena, path);
  return FG_OK;
}

static int is_member(const struct dirent *e) { return e->d_name[0] != '.'; }

static void add_zeros(fg_strbuf *to, size_t bytes) {
  static const char zeros[2 * FG_ARCHIVE_BLOCK];
  fg_strbuf_addn(to, zeros, bytes);
}

static fg_status add(fg_context *cx, const char *folder, const char *name, fg_strbuf *to) {
  char header[FG_ARCHIVE_BLOCK], *data;
  size_t bytes;
  const char *path = fg_arena_printf(cx->arena, "%s/%s", folder, name);
  fg_status status = fg_store_read(cx, path, MOST_MEMBER, &data, &bytes);
  if (status != FG_OK)
    return status == FG_ENA ? fg_diag_set(&cx->diag, FG_ESYS, "%s: the file has disappeared", path) : status;
  fg_archive_header(header, name, bytes);
  fg_strbuf_addn(to, header, sizeof header);
  fg_strbuf_addn(to, data, bytes);
  add_zeros(to, (FG_ARCHIVE_BLOCK - bytes % FG_ARCHIVE_BLOCK) % FG_ARCHIVE_BLOCK);
  return FG_OK;
}

/* All of it, or only removed. */
static fg_status collect(fg_context *cx, const char *folder, bool wanted, fg_strbuf *to) {
  struct dirent **member = NULL;
  fg_status status = FG_OK;
  int count = scandir(folder, &member, is_member, alphasort);
  for (int i = 0; i < count; i++) {
    if (wanted && status == FG_OK) status = add(cx, folder, member[i]->d_name, to);
    unlink(fg_arena_printf(cx->arena, "%s/%s", folder, member[i]->d_name));
    free(member[i]);
  }
  free(member);
  rmdir(folder);
  return status;
}

fg_status fg_cli_pack_archive_end(fg_context *cx, const char *name, const char *folder, fg_status status) {
  fg_strbuf all = fg_strbuf_new(cx->arena);
  fg_status collected = collect(cx, folder, status == FG_OK, &all);
  if (status == FG_OK) status = collected;
  add_zeros(&all, 2 * FG_ARCHIVE_BLOCK);
  return status == FG_OK ? fg_store_replace(cx, name, all.text, all.length) : status;
}

/* Files. In: names and texts. Out: complete files, or none.
 *
 * The one idea: every file is written under another name (atomic_file.h), and renamed only when all of them are on
 * the disk, so that neither a full disk nor an interruption leaves a part of them. */
#include "generator/base/files.h"
#include "generator/base/atomic_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static fg_status complain(fg_context *cx, fg_status status, const char *what, const char *path) {
  return fg_diag_set(&cx->diag, status, "%s: %s: %s", path, what, strerror(errno));
}

static int make_folder(char *path) {
  for (char *slash = path + 1;; slash++) {
    slash += strcspn(slash, "/");
    char end = *slash;
    *slash = 0;
    int failed = fg_atomic_file_fails_now() || (mkdir(path, 0777) != 0 && errno != EEXIST && errno != EISDIR);
    *slash = end;
    if (failed) return -1;
    if (!end) return 0;
  }
}

static fg_status write_beside(fg_context *cx, const char *folder, const fg_file *file, fg_atomic_file *b) {
  if (fg_atomic_file_open(b) != 0) return complain(cx, FG_EUSER, "cannot write into this folder", folder);
  mode_t mask = umask(0);
  umask(mask);
  if (fg_atomic_file_write(b, file->text, file->bytes, 0666 & ~mask) == 0) return FG_OK;
  return complain(cx, FG_ESYS, "cannot write", b->to);
}

/* Renames survive a crash only once the folder itself is on the disk; where a
 * file system cannot do that, the files are still whole. */
static void sync_folder(const char *folder) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

static fg_status place_all(fg_context *cx, const char *folder, fg_atomic_file *b, int count) {
  for (int i = 0; i < count; i++)
    if (fg_atomic_file_commit(&b[i]) != 0) return complain(cx, FG_ESYS, "cannot make this file", b[i].to);
  sync_folder(folder);
  return FG_OK;
}

fg_status fg_files_write(fg_context *cx, const char *folder, const fg_file *file, int count) {
  if (!*folder) folder = ".";
  fg_atomic_file *b = fg_arena_new(cx->arena, fg_atomic_file, count);
  for (int i = 0; i < count; i++)
    b[i] = fg_atomic_file_name(cx->arena, fg_arena_printf(cx->arena, "%s/%s", folder, file[i].name));
  if (make_folder(fg_arena_strdup(cx->arena, folder)) != 0)
    return complain(cx, FG_EUSER, "cannot make this folder", folder);
  fg_status status = FG_OK;
  for (int i = 0; i < count && status == FG_OK; i++) status = write_beside(cx, folder, &file[i], &b[i]);
  if (status == FG_OK) status = place_all(cx, folder, b, count);
  for (int i = 0; i < count; i++) fg_atomic_file_close(&b[i]);
  return status;
}

fg_status fg_files_read(fg_context *cx, const char *path, char **text, size_t *bytes) {
  FILE *f = fg_atomic_file_fails_now() ? NULL : fopen(path, "re");
  if (!f) return complain(cx, FG_EUSER, "cannot read", path);
  size_t size = 0, room = 4096;
  char *at = fg_arena_alloc(cx->arena, room);
  size_t n;
  while ((n = fread(at + size, 1, room - size - 1, f)) > 0) {
    size += n;
    if (size + 1 < room) continue;
    room *= 2;
    at = fg_arena_more(cx->arena, at, size, room);
  }
  bool failed = ferror(f) || fg_atomic_file_fails_now();
  fclose(f);
  if (failed) return complain(cx, FG_EUSER, "cannot read", path);
  at[size] = 0;
  *text = at;
  *bytes = size;
  return FG_OK;
}

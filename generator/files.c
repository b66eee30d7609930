/* Files. In: names and texts. Out: files that are complete or not there.
 *
 * The one idea: everything is written to temporary files beside the final ones,
 * flushed to the disk, and only then renamed, so that neither a full disk nor an
 * interruption leaves half a source behind. */
#include "generator/files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long calls_to_failure;

void fg_files_fail_at(long n) { calls_to_failure = n; }

/* True when the test hook says that this call fails. */
static bool fails_now(void) {
  if (calls_to_failure == 0 || --calls_to_failure != 0) return false;
  errno = EIO;
  return true;
}

static fg_status complain(fg_context *cx, fg_status status, const char *what, const char *path) {
  return fg_diag_set(&cx->diag, status, "%s: %s: %s", path, what, strerror(errno));
}

static int make_folder(char *path) {
  for (char *slash = path + 1;; slash++) {
    slash += strcspn(slash, "/");
    char end = *slash;
    *slash = 0;
    int failed = fails_now() || (mkdir(path, 0777) != 0 && errno != EEXIST && errno != EISDIR);
    *slash = end;
    if (failed) return -1;
    if (!end) return 0;
  }
}

static int write_all(int fd, const char *text, size_t bytes) {
  while (bytes) {
    ssize_t n = fails_now() ? -1 : write(fd, text, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    text += n;
    bytes -= (size_t)n;
  }
  return fails_now() || fsync(fd) != 0 ? -1 : 0;
}

/* Of one file: where it is written, where it is to appear. All names are made
 * before the first file is, so that running out of memory leaves nothing behind. */
typedef struct passage {
  char *from, *to;
  bool made;
} passage;

static fg_status write_temporary(fg_context *cx, const char *folder, const fg_file *file, passage *p) {
  int fd = fails_now() ? -1 : mkstemp(p->from);
  if (fd < 0) return complain(cx, FG_EUSER, "cannot write into this folder", folder);
  p->made = true;
  mode_t mask = umask(0);
  umask(mask);
  int failed = write_all(fd, file->text, file->bytes) || fchmod(fd, 0666 & ~mask);
  int error = errno;
  if (close(fd) != 0 && !failed) {
    failed = 1;
    error = errno;
  }
  errno = error;
  return failed ? complain(cx, FG_ESYS, "cannot write", p->to) : FG_OK;
}

/* Renames survive a crash only once the folder itself is on the disk; where a
 * file system cannot do that, the files are still whole. */
static void sync_folder(const char *folder) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

static fg_status rename_all(fg_context *cx, const char *folder, passage *p, int count) {
  for (int i = 0; i < count; i++) {
    if (fails_now() || rename(p[i].from, p[i].to) != 0) return complain(cx, FG_ESYS, "cannot make this file", p[i].to);
    p[i].made = false;
  }
  sync_folder(folder);
  return FG_OK;
}

fg_status fg_files_write(fg_context *cx, const char *folder, const fg_file *file, int count) {
  if (!*folder) folder = ".";
  passage *p = fg_arena_new(cx->arena, passage, count);
  for (int i = 0; i < count; i++) {
    p[i].from = fg_arena_printf(cx->arena, "%s/.%s.XXXXXX", folder, file[i].name);
    p[i].to = fg_arena_printf(cx->arena, "%s/%s", folder, file[i].name);
  }
  if (make_folder(fg_arena_strdup(cx->arena, folder)) != 0)
    return complain(cx, FG_EUSER, "cannot make this folder", folder);
  fg_status status = FG_OK;
  for (int i = 0; i < count && status == FG_OK; i++) status = write_temporary(cx, folder, &file[i], &p[i]);
  if (status == FG_OK) status = rename_all(cx, folder, p, count);
  for (int i = 0; i < count; i++)
    if (p[i].made) unlink(p[i].from);
  return status;
}

fg_status fg_files_read(fg_context *cx, const char *path, char **text, size_t *bytes) {
  FILE *f = fails_now() ? NULL : fopen(path, "re");
  if (!f) return complain(cx, FG_EUSER, "cannot read", path);
  size_t size = 0, room = 4096;
  char *at = fg_arena_alloc(cx->arena, room);
  size_t n;
  while ((n = fread(at + size, 1, room - size - 1, f)) > 0) {
    size += n;
    if (size + 1 < room) continue;
    char *more = fg_arena_alloc(cx->arena, 2 * room);
    memcpy(more, at, size);
    at = more;
    room *= 2;
  }
  bool failed = ferror(f) || fails_now();
  fclose(f);
  if (failed) return complain(cx, FG_EUSER, "cannot read", path);
  at[size] = 0;
  *text = at;
  *bytes = size;
  return FG_OK;
}

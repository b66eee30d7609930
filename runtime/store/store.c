/* See store.h. A file is written under another name, flushed, then renamed (atomic_file.h): a full disk or a crash
 * leaves the old file. */
#include "runtime/store/store.h"
#include "generator/base/atomic_file.h"
#include "runtime/store/read.h"
#include "targets/env.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static fg_status complain(fg_context *cx, const char *path, const char *what) {
  return fg_diag_set(&cx->diag, FG_ESYS, "%s: %s: %s", path, what, strerror(errno));
}

static fg_status open_with(fg_context *cx, const char *path, int flags, int *fd, struct stat *st) {
  int file = fg_atomic_file_fails_now() ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
  if (file < 0 && errno == ELOOP && flags) return fg_diag_set(&cx->diag, FG_ESYS, "%s: a symbolic link", path);
  if (file < 0 && errno == ENXIO) return fg_diag_set(&cx->diag, FG_ESYS, "%s: not a regular file", path);
  if (file < 0) return errno == ENOENT || errno == ENOTDIR ? FG_ENA : complain(cx, path, "cannot read");
  fg_status status = fg_atomic_file_fails_now() || fstat(file, st) != 0 ? complain(cx, path, "cannot read") : FG_OK;
  if (status == FG_OK && !S_ISREG(st->st_mode))
    status = fg_diag_set(&cx->diag, FG_ESYS, "%s: not a regular file", path);
  if (status == FG_OK)
    *fd = file;
  else
    close(file);
  return status;
}

fg_status fg_store_open(fg_context *cx, const char *path, int *fd) {
  struct stat st;
  return open_with(cx, path, 0, fd, &st);
}

const char *fg_store_distrust(const struct stat *st) {
  if (st->st_uid != geteuid() && st->st_uid != 0) return "belongs to another user";
  return st->st_mode & 022 ? "others may write into it" : NULL;
}

fg_status fg_store_open_own(fg_context *cx, const char *path, int *fd) {
  struct stat st;
  fg_status status = open_with(cx, path, O_NOFOLLOW, fd, &st);
  const char *doubt = status == FG_OK ? fg_store_distrust(&st) : NULL;
  if (!doubt) return status;
  close(*fd);
  return fg_diag_set(&cx->diag, FG_ESYS, "%s: %s", path, doubt);
}

/* "/" and "/." are the digits of numbers, and mean nothing to the system: how many names there were, and where in
 * memory this copy of the library is, since a process may have several. */
char *fg_store_own_slashes(char *to) {
  static atomic_uint count;
  uint64_t here = (uint64_t)((uintptr_t)&count / sizeof count) << 32;
  for (uint64_t n = here | atomic_fetch_add(&count, 1), digit = 0; digit < 64; digit++, n >>= 1)
    to = stpcpy(to, n & 1 ? "/." : "/");
  return to;
}

bool fg_store_name_open(int fd, char name[FG_STORE_NAME]) {
  char *to = fg_store_own_slashes(stpcpy(name, "/proc/self/fd"));
  snprintf(to, FG_STORE_NAME - (size_t)(to - name), "/%d", fd);
  return access(name, R_OK) == 0;
}

fg_status fg_store_read_open(fg_context *cx, int fd, const char *path, size_t most, char **text, size_t *bytes) {
  struct stat st;
  if (fg_atomic_file_fails_now() || fstat(fd, &st) != 0) return complain(cx, path, "cannot read");
  if (st.st_size < 0 || (uint64_t)st.st_size > most)
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: larger than %zu bytes", path, most);
  size_t size = (size_t)st.st_size, done = 0;
  char *all = fg_arena_alloc(cx->arena, size + 1);
  while (done < size) {
    ssize_t n = fg_atomic_file_fails_now() ? -1 : pread(fd, all + done, size - done, (off_t)done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return complain(cx, path, "cannot read");
    if (n == 0) break; /* it became shorter meanwhile */
    done += (size_t)n;
  }
  all[done] = 0;
  *text = all;
  *bytes = done;
  return FG_OK;
}

fg_status fg_store_read(fg_context *cx, const char *path, size_t most, char **text, size_t *bytes) {
  int fd = -1;
  fg_status status = fg_store_open(cx, path, &fd);
  if (status != FG_OK) return status;
  status = fg_store_read_open(cx, fd, path, most, text, bytes);
  close(fd);
  return status;
}

fg_status fg_store_sum_open(fg_context *cx, int fd, const char *path, size_t most, char sum[FG_HASH_TEXT]) {
  unsigned char piece[1 << 14];
  fg_hash h = fg_hash_begin();
  for (size_t all = 0;;) {
    ssize_t n = fg_atomic_file_fails_now() ? -1 : pread(fd, piece, sizeof piece, (off_t)all);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return complain(cx, path, "cannot read");
    if (n == 0) break;
    if ((all += (size_t)n) > most) return fg_diag_set(&cx->diag, FG_ESYS, "%s: larger than %zu bytes", path, most);
    h = fg_hash_add(h, piece, (size_t)n);
  }
  fg_hash_text(h, sum);
  return FG_OK;
}

fg_status fg_store_sum(fg_context *cx, const char *path, size_t most, char sum[FG_HASH_TEXT]) {
  int fd = -1;
  fg_status status = fg_store_open(cx, path, &fd);
  if (status != FG_OK) return status;
  status = fg_store_sum_open(cx, fd, path, most, sum);
  close(fd);
  return status;
}

/* A new file has the rights of the one that it replaces. */
static mode_t rights(const char *path) {
  struct stat st;
  if (stat(path, &st) == 0) return st.st_mode & 0777;
  return 0644;
}

fg_status fg_store_replace(fg_context *cx, const char *path, const void *data, size_t bytes) {
  fg_atomic_file b = fg_atomic_file_name(cx->arena, path);
  if (fg_atomic_file_open(&b) != 0) return complain(cx, path, "cannot write beside it");
  bool whole = fg_atomic_file_write(&b, data, bytes, rights(path)) == 0 && fg_atomic_file_commit(&b) == 0;
  fg_atomic_file_close(&b);
  return whole ? FG_OK : complain(cx, path, "cannot write");
}

static bool write_all(int fd, const char *data, size_t bytes) {
  while (bytes) {
    ssize_t n = fg_atomic_file_fails_now() ? -1 : write(fd, data, bytes);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) data += n, bytes -= (size_t)n;
  }
  return true;
}

fg_status fg_store_write(fg_context *cx, const char *path, const void *data, size_t bytes) {
  int fd = fg_atomic_file_fails_now() ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return complain(cx, path, "cannot write");
  fg_status status = write_all(fd, data, bytes) ? FG_OK : complain(cx, path, "cannot write");
  if (close(fd) != 0 && status == FG_OK) status = complain(cx, path, "cannot write");
  return status;
}

fg_status fg_store_make_folder(fg_context *cx, const char *path) {
  char *copy = fg_arena_strdup(cx->arena, path);
  for (char *slash = copy + 1;; slash++) {
    slash += strcspn(slash, "/");
    char end = *slash;
    *slash = 0;
    struct stat st;
    bool made =
        !fg_atomic_file_fails_now() && (mkdir(copy, 0700) == 0 || (stat(copy, &st) == 0 && S_ISDIR(st.st_mode)));
    if (!made) return complain(cx, copy, "cannot make this folder");
    *slash = end;
    if (!end) return FG_OK;
  }
}

int fg_store_lock(const char *path) {
  char name[4096];
  if (strlen(path) + sizeof ".lock" > sizeof name) return -1;
  memcpy(name, path, strlen(path));
  memcpy(name + strlen(path), ".lock", sizeof ".lock");
  int fd = fg_atomic_file_fails_now() ? -1 : open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  int status;
  do {
    status = flock(fd, LOCK_EX);
  } while (status != 0 && errno == EINTR);
  if (status == 0) return fd;
  close(fd);
  return -1;
}

void fg_store_unlock(int lock) {
  if (lock >= 0) close(lock); /* the file stays: removing it would race with waiting processes */
}

const char *fg_store_find(fg_arena *a, const fg_store_place *place) {
  const char *named = fg_env(place->variable);
  if (named && *named) return fg_arena_strdup(a, named);
  const char *base = fg_env(place->xdg), *slash = *place->file ? "/" : "";
  if (base && *base == '/') return fg_arena_printf(a, "%s/fftgen%s%s", base, slash, place->file);
  base = fg_env("HOME");
  if (!base || *base != '/') return NULL;
  return fg_arena_printf(a, "%s/%s/fftgen%s%s", base, place->home, slash, place->file);
}

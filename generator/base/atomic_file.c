/* See atomic_file.h. In: a path and bytes. Out: a complete file at that path, or the old one. */
#include "generator/base/atomic_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WRITERS = 32, SUFFIX = sizeof ".new-XXXXXX" };

static long calls_to_failure;

void fg_atomic_file_fail_at(long n) { calls_to_failure = n; }

bool fg_atomic_file_fails_now(void) {
  if (calls_to_failure == 0 || --calls_to_failure != 0) return false;
  errno = EIO;
  return true;
}

/* FOLDER/.NAME.new, with room for more behind it. */
fg_atomic_file fg_atomic_file_name(fg_arena *a, const char *to) {
  const char *slash = strrchr(to, '/'), *name = slash ? slash + 1 : to;
  size_t room = strlen(to) + 1 + SUFFIX;
  char *path = fg_arena_alloc(a, room);
  snprintf(path, room, "%.*s.%s.new", (int)(name - to), to, name);
  return (fg_atomic_file){.to = to, .path = path, .fd = -1};
}

typedef enum outcome { OWN, TAKEN, NO_LOCKS, FAILED } outcome;

/* Something that is not ours has the name. */
static bool is_in_the_way(const char *path) {
  int error = errno;
  struct stat st;
  bool there = (error == EACCES || error == ELOOP || error == EISDIR || error == ENXIO) && lstat(path, &st) == 0;
  errno = error;
  return there;
}

/* Between opening and locking it, its last writer may have renamed it. */
static bool is_there_still(int fd, const char *path) {
  struct stat mine, there;
  if (fstat(fd, &mine) != 0 || lstat(path, &there) != 0) return false;
  return mine.st_ino == there.st_ino && mine.st_dev == there.st_dev && S_ISREG(mine.st_mode) &&
         mine.st_uid == geteuid() && mine.st_nlink == 1;
}

/* A file of this name that is ours alone, and empty. */
static outcome own(fg_atomic_file *b) {
  int fd =
      fg_atomic_file_fails_now() ? -1 : open(b->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (fd < 0) return is_in_the_way(b->path) ? TAKEN : FAILED;
  outcome result = OWN;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    result = errno == EWOULDBLOCK || errno == EINTR ? TAKEN : NO_LOCKS;
  else if (!is_there_still(fd, b->path) || ftruncate(fd, 0) != 0)
    result = TAKEN;
  if (result == OWN)
    b->fd = fd;
  else
    close(fd);
  return result;
}

int fg_atomic_file_open(fg_atomic_file *b) {
  char *end = strrchr(b->path, '.') + sizeof ".new" - 1;
  outcome result = TAKEN;
  for (int i = 0; i < MOST_WRITERS && result == TAKEN; i++) {
    if (i > 0) snprintf(end, SUFFIX, "%d", i);
    result = own(b);
  }
  if (result == OWN) return 0;
  if (result == FAILED) return -1;
  strcpy(end, "-XXXXXX"); /* without locks, no other process uses it */
  b->fd = mkostemp(b->path, O_CLOEXEC);
  return b->fd < 0 ? -1 : 0;
}

/* What closing would say, of file systems that write only then; the lock stays. */
static int check_closing(int fd) {
  int again = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return again < 0 ? -1 : close(again);
}

int fg_atomic_file_write(fg_atomic_file *b, const void *data, size_t bytes, mode_t rights) {
  for (const char *at = data; bytes;) {
    ssize_t n = fg_atomic_file_fails_now() ? -1 : write(b->fd, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    at += n;
    bytes -= (size_t)n;
  }
  if (fg_atomic_file_fails_now() || fsync(b->fd) != 0) return -1;
  return fchmod(b->fd, rights) != 0 || check_closing(b->fd) != 0 ? -1 : 0;
}

int fg_atomic_file_commit(fg_atomic_file *b) {
  if (fg_atomic_file_fails_now() || rename(b->path, b->to) != 0) return -1;
  close(b->fd);
  b->fd = -1;
  return 0;
}

void fg_atomic_file_close(fg_atomic_file *b) {
  int error = errno;
  if (b->fd >= 0) {
    unlink(b->path);
    close(b->fd);
  }
  b->fd = -1;
  errno = error;
}

/* Preloaded into a program and its children, it makes folders full: files can be
 * made there, but nothing can be written to them. In: FULL=FOLDER:FOLDER... in the
 * environment, each as realpath prints it. Every process writes there in vain, be
 * it by write, by the C library's streams or when it closes them. */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST(name)                                                                                                    \
  static __typeof__(name) *first;                                                                                      \
  if (!first) *(void **)&first = dlsym(RTLD_NEXT, #name)

static bool is_full(int fd) {
  const char *list = getenv("FULL");
  char link[64], path[4096];
  if (!list || fd < 0) return false;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = 0;
  for (const char *at = list; *at;) {
    size_t n = strcspn(at, ":");
    if (n && !strncmp(path, at, n) && path[n] == '/') return true;
    at += n + (at[n] == ':');
  }
  return false;
}

static bool is_full_stream(FILE *file) { return is_full(fileno(file)); }

ssize_t write(int fd, const void *data, size_t bytes) {
  FIRST(write);
  if (bytes && is_full(fd)) return errno = ENOSPC, -1;
  return first(fd, data, bytes);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at) {
  FIRST(pwrite);
  if (bytes && is_full(fd)) return errno = ENOSPC, -1;
  return first(fd, data, bytes, at);
}

int ftruncate(int fd, off_t bytes) {
  FIRST(ftruncate);
  if (bytes && is_full(fd)) return errno = ENOSPC, -1;
  return first(fd, bytes);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file) {
  FIRST(fwrite);
  if (size && count && is_full_stream(file)) return errno = ENOSPC, (size_t)0;
  return first(data, size, count, file);
}

#undef fwrite_unlocked
size_t fwrite_unlocked(const void *data, size_t size, size_t count, FILE *file) {
  FIRST(fwrite_unlocked);
  if (size && count && is_full_stream(file)) return errno = ENOSPC, (size_t)0;
  return first(data, size, count, file);
}

/* What was printed into a stream is lost when it is flushed, at the latest. */
int fclose(FILE *file) {
  FIRST(fclose);
  bool full = is_full_stream(file) && ftell(file) > 0;
  if (full && ftruncate(fileno(file), 0)) return first(file), errno = ENOSPC, EOF;
  return full ? (first(file), errno = ENOSPC, EOF) : first(file);
}

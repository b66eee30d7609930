/* See memory_file.h. The dynamic loader takes a name that it has loaded before for the same file, and descriptor
 * numbers are reused. So each name contains a serial number in the slashes of /proc/PID/fd/N: a "." behind a slash
 * for each bit that is set. */
#include "runtime/load/memory_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* since Linux 6.3; older ones need no such word */
#endif

enum { NAME_BITS = 24 };

int fg_memory_file_create(void) {
  int fd = memfd_create("fftgen-kernel", MFD_CLOEXEC | MFD_EXEC);
  return fd < 0 && errno == EINVAL ? memfd_create("fftgen-kernel", MFD_CLOEXEC) : fd;
}

void fg_memory_file_name(char name[FG_MEMORY_FILE_NAME], int fd) {
  static atomic_uint count;
  unsigned number = atomic_fetch_add(&count, 1);
  char number_in_slashes[2 * NAME_BITS + 1], *end = number_in_slashes;
  for (int i = 0; i < NAME_BITS; i++, number >>= 1) end = stpcpy(end, number & 1 ? "./" : "/");
  snprintf(name, FG_MEMORY_FILE_NAME, "/proc/%ld/fd/%s%d", (long)getpid(), number_in_slashes, fd);
}

static int write_all(int to, const char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = write(to, bytes + done, size - done);
    if (n < 0 && errno != EINTR) return -1;
    if (n > 0) done += (size_t)n;
  }
  return 0;
}

static int copy(int from, int to) {
  char piece[1 << 14];
  for (;;) {
    ssize_t n = read(from, piece, sizeof piece);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return (int)n;
    if (write_all(to, piece, (size_t)n)) return -1;
  }
}

int fg_memory_file_copy(const char *path) {
  int from = open(path, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : fg_memory_file_create();
  int status = to < 0 ? -1 : copy(from, to), error = errno;
  if (from >= 0) close(from);
  if (to >= 0 && status) close(to);
  errno = error;
  return status ? -1 : to;
}

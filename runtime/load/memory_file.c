/* See memory_file.h. The dynamic loader takes a name that it has loaded before for the same file, and descriptor
 * numbers are reused. So each name has other slashes before /N. */
#include "runtime/load/memory_file.h"
#include "runtime/store/read.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* since Linux 6.3; older ones need no such word */
#endif

int fg_memory_file_create(void) {
  int fd = memfd_create("fftgen-kernel", MFD_CLOEXEC | MFD_EXEC);
  return fd < 0 && errno == EINVAL ? memfd_create("fftgen-kernel", MFD_CLOEXEC) : fd;
}

void fg_memory_file_name(char name[FG_MEMORY_FILE_NAME], int fd) {
  char *to = name + snprintf(name, FG_MEMORY_FILE_NAME, "/proc/%ld/fd", (long)getpid());
  to = fg_store_own_slashes(to);
  snprintf(to, FG_MEMORY_FILE_NAME - (size_t)(to - name), "/%d", fd);
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

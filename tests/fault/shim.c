/* Preloaded into a program, it makes one call of the system fail, as without
 * memory or on a full disk. In: FAULT=CALL:N in the environment: the N-th CALL
 * that the program itself makes (not its libraries) fails; N = 0: none. FAULT_NOT=FROM-TO:
 * calls from between these addresses in the program are not its own either. Out: how
 * many of these calls there were, in the file FAULT_LOG, when the program ends. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char call[16]; /* "": nothing is counted */
static long at, seen;
static void *program; /* where it is loaded */
static unsigned long others_from, others_to;

__attribute__((constructor)) static void start(void) {
  const char *fault = getenv("FAULT");
  Dl_info info;
  if (!fault || sscanf(fault, "%15[a-z]:%ld", call, &at) != 2) return;
  if (dladdr((void *)getauxval(AT_ENTRY), &info)) program = info.dli_fbase;
  const char *others = getenv("FAULT_NOT");
  if (others) sscanf(others, "%lx-%lx", &others_from, &others_to);
  unsetenv("FAULT"); /* children are left alone */
}

__attribute__((destructor)) static void finish(void) {
  const char *path = getenv("FAULT_LOG");
  FILE *log = *call && path ? fopen(path, "w") : NULL;
  *call = 0;
  if (!log) return;
  fprintf(log, "%ld\n", seen);
  fclose(log);
}

static int fails(const char *name, const void *caller) {
  Dl_info info;
  if (!*call || strcmp(name, call) != 0) return 0;
  if (!dladdr(caller, &info) || info.dli_fbase != program) return 0;
  unsigned long offset = (unsigned long)((const char *)caller - (const char *)program);
  if (offset > others_from && offset <= others_to) return 0;
  return ++seen == at;
}

#define FAILS(name) fails(name, __builtin_return_address(0))
#define FIRST(name)                                                                                                    \
  static __typeof__(&name) first;                                                                                      \
  if (!first) *(void **)&first = dlsym(RTLD_NEXT, #name)

/* ---- memory: allocators of the C library that dlsym does not need ------------ */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

void *malloc(size_t bytes) {
  if (FAILS("malloc")) return errno = ENOMEM, NULL;
  return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
  if (FAILS("malloc")) return errno = ENOMEM, NULL;
  return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) {
  if (FAILS("malloc")) return errno = ENOMEM, NULL;
  return __libc_realloc(old, bytes);
}

/* ---- files ---------------------------------------------------------------------- */

int mkstemp(char *path) {
  FIRST(mkstemp);
  if (FAILS("open")) return errno = EMFILE, -1;
  return first(path);
}

char *mkdtemp(char *path) {
  FIRST(mkdtemp);
  if (FAILS("mkdir")) return errno = ENOSPC, NULL;
  return first(path);
}

FILE *fopen(const char *path, const char *mode) {
  FIRST(fopen);
  if (FAILS("open")) return errno = EMFILE, NULL;
  return first(path, mode);
}

int open(const char *path, int flags, ...) {
  FIRST(open);
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (FAILS("open")) return errno = EMFILE, -1;
  return first(path, flags, mode);
}

int mkdir(const char *path, mode_t mode) {
  FIRST(mkdir);
  if (FAILS("mkdir")) return errno = ENOSPC, -1;
  return first(path, mode);
}

ssize_t write(int fd, const void *data, size_t bytes) {
  FIRST(write);
  if (FAILS("write")) return errno = ENOSPC, -1;
  return first(fd, data, bytes);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file) {
  FIRST(fwrite);
  if (FAILS("write")) return errno = ENOSPC, (size_t)0;
  return first(data, size, count, file);
}

int fsync(int fd) {
  FIRST(fsync);
  if (FAILS("fsync")) return errno = EIO, -1;
  return first(fd);
}

int close(int fd) {
  FIRST(close);
  int status = first(fd);
  if (FAILS("close")) return errno = EIO, -1;
  return status;
}

int flock(int fd, int operation) {
  FIRST(flock);
  if (FAILS("flock")) return errno = ENOLCK, -1; /* as file systems of other machines may say */
  return first(fd, operation);
}

int rename(const char *from, const char *to) {
  FIRST(rename);
  if (FAILS("rename")) return errno = EACCES, -1;
  return first(from, to);
}

/* Atomic files: written under another name in the same folder, then renamed.
 *
 * The writer holds a lock on the temporary file, which ends with the process: the next writer finds and replaces the
 * file of a process that died. */
#ifndef FG_BESIDE_H
#define FG_BESIDE_H
#include "generator/base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct fg_atomic_file {
  const char *to; /* its place */
  char *path;     /* where it is written: beside it */
  int fd;         /* -1: not there */
} fg_atomic_file;

/* The names; nothing is made, so that running out of memory leaves nothing behind. */
fg_atomic_file fg_atomic_file_name(fg_arena *a, const char *to);
/* 0, or -1 and errno. */
int fg_atomic_file_open(fg_atomic_file *b);
int fg_atomic_file_write(fg_atomic_file *b, const void *data, size_t bytes, mode_t rights); /* all, and to the disk */
int fg_atomic_file_commit(fg_atomic_file *b); /* renamed: the old one is replaced */
/* Whatever happened; removes what was not placed. errno is kept. */
void fg_atomic_file_close(fg_atomic_file *b);

/* Tests: the n-th call of the system that asks here from now on (1 = the next) fails; 0 = never. */
void fg_atomic_file_fail_at(long n);
bool fg_atomic_file_fails_now(void); /* errno is set */
#endif

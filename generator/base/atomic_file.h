/* Files that appear whole: written under a name beside their place, then renamed.
 *
 * Whoever writes holds a lock on the file, which ends with the process: what a
 * dead one left is found again, and replaced, by the next that writes there. */
#ifndef FG_BESIDE_H
#define FG_BESIDE_H
#include "generator/base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct fg_beside {
  const char *to; /* its place */
  char *path;     /* where it is written: beside it */
  int fd;         /* -1: not there */
} fg_beside;

/* The names; nothing is made, so that running out of memory leaves nothing behind. */
fg_beside fg_beside_name(fg_arena *a, const char *to);
/* 0, or -1 and errno. */
int fg_beside_open(fg_beside *b);
int fg_beside_write(fg_beside *b, const void *data, size_t bytes, mode_t rights); /* all, and to the disk */
int fg_beside_place(fg_beside *b);                                                /* renamed: the old one is replaced */
/* Whatever happened; removes what was not placed. errno is kept. */
void fg_beside_close(fg_beside *b);

/* Tests: the n-th call of the system that asks here from now on (1 = the next) fails; 0 = never. */
void fg_beside_fail_at(long n);
bool fg_beside_fails_now(void); /* errno is set */
#endif

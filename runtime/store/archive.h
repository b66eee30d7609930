/* Files inside an uncompressed tar archive: a pack in one file. The format is POSIX's ustar, as GNU tar, bsdtar and
 * `fftgen pack -o NAME.tar` write it. */
#ifndef FG_ARCHIVE_H
#define FG_ARCHIVE_H
#include "generator/problem/problem.h"
#include <stddef.h>
#include <stdio.h>

enum { FG_ARCHIVE_BLOCK = 512 };

/* Is it a file, as opposed to a folder or nothing? */
bool fg_archive_is(const char *path);
/* The member of that name (with or without ./ before it), terminated, in cx's arena.
 * FG_ENA: there is none; FG_ESYS: it cannot be read, is damaged or longer than `most`. */
fg_status fg_archive_read(fg_context *cx, const char *path, const char *name, size_t most, char **data, size_t *bytes);
/* A member's header; what follows is its bytes, filled with zeros to a whole block,
 * and two blocks of zeros after the last. name: at most 99 characters. */
void fg_archive_header(char block[FG_ARCHIVE_BLOCK], const char *name, size_t bytes);
#endif

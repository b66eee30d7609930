/* Reading files: whole, hashed, or held open, and checks of their owners. */
#ifndef FG_STORE_READ_H
#define FG_STORE_READ_H
#include "generator/problem/problem.h"
#include "runtime/store/hash.h"
#include <stdbool.h>
#include <stddef.h>

/* All of a file, terminated, in cx's arena. FG_ENA when there is no such file,
 * FG_ESYS when it cannot be read, is larger than `most`, or is no regular file, as opening a FIFO would block. */
fg_status fg_store_read(fg_context *cx, const char *path, size_t most, char **text, size_t *bytes);
/* The hash of a file, which is not kept in memory; otherwise as fg_store_read. */
fg_status fg_store_sum(fg_context *cx, const char *path, size_t most, char sum[FG_HASH_TEXT]);
/* A regular file; the same errors. Close *fd. */
fg_status fg_store_open(fg_context *cx, const char *path, int *fd);
/* Likewise, of a file that only this process's user (or root) can have written: he owns it, no other user may write to
 * it, and the file is no symbolic link. FG_ESYS with the reason otherwise. What holds of the descriptor, holds of what
 * is read or loaded through it. */
fg_status fg_store_open_own(fg_context *cx, const char *path, int *fd);
/* As fg_store_read and fg_store_sum, of an open file from its start; `path` is for messages. */
fg_status fg_store_read_open(fg_context *cx, int fd, const char *path, size_t most, char **text, size_t *bytes);
fg_status fg_store_sum_open(fg_context *cx, int fd, const char *path, size_t most, char sum[FG_HASH_TEXT]);

/* A name of an open file for whatever wants a name (dlopen), another one each time: the loader takes two libraries of
 * one name for one, and numbers of descriptors are used again. False: there is no /proc. */
enum { FG_STORE_NAME = 192 };

bool fg_store_name_open(int fd, char name[FG_STORE_NAME]);
/* For such names: slashes, and dots that mean nothing behind some of them, other ones each time and in each copy of the
 * library. At most 128 characters; out: their end. */
char *fg_store_own_slashes(char *to);
/* Others than this process's user and root may write to it, in words; NULL: they may not. */
struct stat;
const char *fg_store_distrust(const struct stat *st);
#endif

/* Atomic files, and locks between processes. */
#ifndef FG_STORE_H
#define FG_STORE_H
#include "generator/base/context.h"
#include <stdbool.h>
#include <stddef.h>

/* A new file in place of `path`, by renaming; on failure the old one is untouched. */
fg_status fg_store_replace(fg_context *cx, const char *path, const void *data, size_t bytes);
/* Directly to a file that no other process uses, which need not be there; on failure anything is in it. */
fg_status fg_store_write(fg_context *cx, const char *path, const void *data, size_t bytes);
/* The folder with its parents, for this user alone. */
fg_status fg_store_make_folder(fg_context *cx, const char *path);
/* Waits for, and takes, the lock of `path` (the file PATH.lock); -1
 * when there can be none: a caller that continues without it may lose a race, but no
 * file is ever half written. */
int fg_store_lock(const char *path);
void fg_store_unlock(int lock); /* -1 allowed */

/* $NAME, else $XDG/fftgen/FILE, else ~/HOME/fftgen/FILE; NULL without a home. */
typedef struct fg_store_place {
  const char *variable, *xdg, *home, *file;
} fg_store_place;

const char *fg_store_find(fg_arena *a, const fg_store_place *place);
#endif

/* Files, written atomically. */
#ifndef FG_FILES_H
#define FG_FILES_H
#include "generator/base/context.h"
#include <stddef.h>

typedef struct fg_file {
  const char *name, *text;
  size_t bytes;
} fg_file;

/* Writes all the files into `folder`, which is made (with its parents) when it
 * is not there. Every file appears complete, by renaming a temporary file of
 * the same folder; none appears unless all could be written out. FG_EUSER when
 * the folder cannot be written, FG_ESYS when a write fails. */
fg_status fg_files_write(fg_context *cx, const char *folder, const fg_file *file, int count);

/* The whole text of a file, terminated. FG_EUSER when it cannot be read. */
fg_status fg_files_read(fg_context *cx, const char *path, char **text, size_t *bytes);
#endif

/* Folders for files that nobody keeps. */
#ifndef FG_FOLDER_H
#define FG_FOLDER_H
#include <stdbool.h>
#include <stddef.h>

/* Where they are made: $TMPDIR, or /tmp. */
const char *fg_folder_root(void);

/* Makes an empty one of this process's own. False: it cannot be made, errno says why. */
bool fg_folder_make(char *folder, size_t size);
#endif

/* Folders for temporary files. */
#ifndef FG_FOLDER_H
#define FG_FOLDER_H
#include <stdbool.h>
#include <stddef.h>

/* Where they are made: $TMPDIR, or /tmp. */
const char *fg_folder_root(void);

/* Where else they can be: 0 .. FG_FOLDER_ROOTS - 1; NULL: that is none, or the same as one before. Of the first
 * FG_FOLDER_DISKS much may stay, the others are memory. */
enum { FG_FOLDER_DISKS = 2, FG_FOLDER_ROOTS };
const char *fg_folder_root_at(int i);

/* Makes an empty one of this process's own. False: it cannot be made, errno says why. */
bool fg_folder_make(char *folder, size_t size);
bool fg_folder_make_in(const char *root, char *folder, size_t size);
#endif

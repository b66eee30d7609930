/* See folder.h. */
#include "targets/folder.h"
#include "targets/env.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const char *fg_folder_root(void) {
  const char *root = fg_env("TMPDIR");
  return root && *root ? root : "/tmp";
}

bool fg_folder_make(char *folder, size_t size) {
  int length = snprintf(folder, size, "%s/fftgen-XXXXXX", fg_folder_root());
  if (length >= 0 && (size_t)length < size) return mkdtemp(folder) != NULL;
  errno = ENAMETOOLONG;
  return false;
}

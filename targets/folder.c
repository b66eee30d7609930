/* See folder.h. */
#include "targets/folder.h"
#include "targets/env.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *fg_folder_root(void) {
  const char *root = fg_env("TMPDIR");
  return root && *root ? root : "/tmp";
}

const char *fg_folder_root_at(int i) {
  static const char *const usual[FG_FOLDER_ROOTS] = {NULL, "/tmp", "/dev/shm"};
  const char *first = fg_folder_root();
  if (i == 0) return first;
  return i < FG_FOLDER_ROOTS && strcmp(first, usual[i]) ? usual[i] : NULL;
}

bool fg_folder_make(char *folder, size_t size) { return fg_folder_make_in(fg_folder_root(), folder, size); }

bool fg_folder_make_in(const char *root, char *folder, size_t size) {
  int length = snprintf(folder, size, "%s/fftgen-XXXXXX", root);
  if (length >= 0 && (size_t)length < size) return mkdtemp(folder) != NULL;
  errno = ENAMETOOLONG;
  return false;
}

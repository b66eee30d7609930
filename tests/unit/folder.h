/* A folder for a group of tests, made before them and gone after. */
#ifndef FG_TEST_FOLDER_H
#define FG_TEST_FOLDER_H
#include <stdio.h>
#include <stdlib.h>

/* 0, or what keeps it from going. */
static inline int folder_remove(const char *folder) {
  char command[256];
  snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", folder, folder);
  return system(command);
}
#endif

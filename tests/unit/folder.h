/* A folder for a group of tests, made before them and removed after; for those that make plans also the plugin. */
#ifndef FG_TEST_FOLDER_H
#define FG_TEST_FOLDER_H
#include <stdio.h>
#include <stdlib.h>

/* 0, or the error that keeps it from being removed. */
static inline int folder_remove(const char *folder) {
  char command[256];
  snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", folder, folder);
  return system(command);
}

/* 0, or that it cannot be made; `folder` ends in XXXXXX. */
static inline int folder_make(char *folder, const char *jit) {
  return mkdtemp(folder) ? setenv("FFTGEN_JIT", jit, 1) : -1;
}

/* The same, with the names of a cache and of wisdom in it. */
static inline int folder_make_for_plans(char *folder, const char *jit, char cache[64], char wisdom[64]) {
  if (folder_make(folder, jit)) return -1;
  snprintf(cache, 64, "%s/cache", folder);
  snprintf(wisdom, 64, "%s/wisdom.jsonl", folder);
  return 0;
}
#endif

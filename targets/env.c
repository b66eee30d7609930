/* See env.h. The kernel says at exec whether rights were gained; changes of the user later on do not alter it. */
#include "targets/env.h"
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

bool fg_env_secure(void) { return getauxval(AT_SECURE) != 0; }

const char *fg_env(const char *name) { return fg_env_secure() ? NULL : getenv(name); }

const char *fg_env_compiler(void) {
  static const char *const names[] = {"FFTGEN_CC", "CC"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *named = fg_env(names[i]);
    if (named && *named) return named;
  }
  return NULL;
}

bool fg_env_library_folder(const void *address, char *folder, size_t size) {
  Dl_info here;
  struct link_map *map = NULL;
  if (!dladdr1(address, &here, (void **)&map, RTLD_DL_LINKMAP) || !map || map->l_name[0] != '/') return false;
  size_t length = (size_t)(strrchr(map->l_name, '/') - map->l_name) + 1;
  if (length >= size) return false;
  memcpy(folder, map->l_name, length);
  folder[length] = 0;
  return true;
}

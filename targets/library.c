/* Opening libraries. */
#include "targets/library.h"
#include <dlfcn.h>
#include <string.h>

void *fg_library_open(const char *const *names, size_t count) {
  void *library = NULL;
  for (size_t i = 0; i < count && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

const char *fg_library_find(void *library, const fg_symbol *symbols, size_t count, void *functions) {
  for (size_t i = 0; i < count; i++) {
    void *address = dlsym(library, symbols[i].name);
    if (!address) return symbols[i].name;
    memcpy((char *)functions + symbols[i].offset, &address, sizeof address);
  }
  return NULL;
}

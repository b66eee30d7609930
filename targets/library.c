/* Opens libraries. */
#include "targets/library.h"
#include <dlfcn.h>
#include <string.h>
#ifdef __ELF__
#include <link.h>

/* The program itself is asked first. */
static int look_for_loader(struct dl_phdr_info *program, size_t size, void *found) {
  (void)size;
  for (int i = 0; i < program->dlpi_phnum; i++)
    if (program->dlpi_phdr[i].p_type == PT_INTERP) *(bool *)found = true;
  return 1;
}

bool fg_library_static_program(void) {
  bool found = false;
  dl_iterate_phdr(look_for_loader, &found);
  return !found;
}
#else
bool fg_library_static_program(void) { return false; }
#endif

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

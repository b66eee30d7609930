/* The table of dialects. */
#include "targets/c_family.h"
#include <string.h>

static const fg_dialect *const table[] = {&fg_dialect_c,  &fg_dialect_opencl, &fg_dialect_cuda,    &fg_dialect_hip,
                                          &fg_dialect_gf, &fg_dialect_code,   &fg_dialect_code_gf, NULL};

const fg_dialect *const *fg_dialect_table(void) { return table; }

bool fg_dialect_is_offered(const fg_dialect *d) { return !d->field_literals && !d->is_code; }

const fg_dialect *fg_dialect_find(const char *name) {
  for (int i = 0; table[i]; i++)
    if (!strcmp(table[i]->name, name)) return table[i];
  return NULL;
}

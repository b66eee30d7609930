/* The table of dialects. A row is a folder of targets/ and a line of dialects.def. */
#include "targets/c_family.h"
#include <string.h>

#define DIALECT(name) &fg_dialect_##name,
static const fg_dialect *const table[] = {
#include "targets/dialects.def"
    NULL};
#undef DIALECT

const fg_dialect *const *fg_dialect_table(void) { return table; }

bool fg_dialect_is_offered(const fg_dialect *d) { return !d->field_literals && !d->is_code; }

const fg_dialect *fg_dialect_find(const char *name) {
  for (int i = 0; table[i]; i++)
    if (!strcmp(table[i]->name, name)) return table[i];
  return NULL;
}

/* The table of dialects. A row is a folder of targets/ and a line of dialects.def. */
#include "targets/c_family.h"
#include <stdio.h>
#include <string.h>

#define DIALECT(name) &fg_dialect_##name,
static const fg_dialect *const table[] = {
#include "targets/dialects.def"
    NULL};
#undef DIALECT

const fg_dialect *const *fg_dialect_table(void) { return table; }

bool fg_dialect_is_offered(const fg_dialect *d) { return !d->field_literals && !d->is_code; }

const char *fg_dialect_offered(int i) {
  for (const fg_dialect *const *d = table; *d; d++)
    if (fg_dialect_is_offered(*d) && i-- == 0) return (*d)->name;
  return NULL;
}

bool fg_dialect_takes(const fg_dialect *d, const fg_machine *m) {
  if (fg_machine_takes(m, d->name)) return true;
  bool takes = d->machines && fg_machine_lists(d->machines, m->name);
  for (int i = 0; d->machines && table[i] && !takes; i++)
    takes = fg_machine_lists(d->machines, table[i]->name) && fg_machine_takes(m, table[i]->name);
  return takes;
}

const fg_dialect *fg_dialect_of_machine(const fg_machine *m) {
  size_t length = strcspn(m->target, " ");
  for (int i = 0; table[i]; i++)
    if (table[i]->machines && fg_machine_lists(table[i]->machines, m->name)) return table[i];
  for (int i = 0; table[i]; i++)
    if (strlen(table[i]->name) == length && !strncmp(m->target, table[i]->name, length)) return table[i];
  return NULL;
}

const char *fg_dialect_list(const fg_machine *m, char out[FG_DIALECT_LIST]) {
  const fg_dialect *first = fg_dialect_of_machine(m);
  bool named = fg_machine_takes(m, first->name);
  int length = snprintf(out, FG_DIALECT_LIST, "%s%s%s", named ? "" : first->name, named ? "" : " ", m->target);
  for (int i = 0; table[i]; i++)
    if (table[i] != first && fg_dialect_takes(table[i], m) && !fg_machine_takes(m, table[i]->name))
      length += snprintf(out + length, (size_t)(FG_DIALECT_LIST - length), " %s", table[i]->name);
  return out;
}

const fg_dialect *fg_dialect_find(const char *name) {
  for (int i = 0; table[i]; i++)
    if (!strcmp(table[i]->name, name)) return table[i];
  return NULL;
}

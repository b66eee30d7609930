/* The table of machines. A row is a file in targets/machine/ and a line here, by name. */
#include "targets/machine/machine.h"
#include "targets/machine/rows.h"
#include <string.h>

#define ROW(name) &fg_machine_##name,
static const fg_machine *const table[] = {
#include "targets/machine/rows.def"
    NULL};
#undef ROW

const fg_machine *const *fg_machine_table(void) { return table; }

bool fg_machine_lists(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; length && (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
  return false;
}

const fg_machine *fg_machine_find(const char *name) {
  for (const fg_machine *const *m = table; *m; m++)
    if (!strcmp((*m)->name, name) || fg_machine_lists((*m)->also, name)) return *m;
  return NULL;
}

const fg_machine *fg_machine_of_device(const char *code, const char *device) {
  const fg_machine *found = NULL;
  for (const fg_machine *const *m = table; *m; m++) {
    if (!(*m)->code || strcmp((*m)->code, code)) continue;
    if ((*m)->device && strstr(device, (*m)->device)) return *m;
    if (!found || !(*m)->device) found = *m;
  }
  return found;
}

bool fg_machine_takes(const fg_machine *m, const char *target) { return fg_machine_lists(m->target, target); }

static const fg_figure figures[] = {
#define FIGURE(name, unit, meaning)                                                                                    \
  {#name, unit, meaning, offsetof(fg_machine, name), offsetof(fg_machine, source.name)},
#include "targets/machine/machine.def"
#undef FIGURE
    {0},
};

const fg_figure *fg_machine_figures(void) { return figures; }

int64_t fg_figure_value(const fg_machine *m, const fg_figure *f) {
  int64_t value;
  memcpy(&value, (const char *)m + f->value, sizeof value);
  return value;
}

const char *fg_figure_source(const fg_machine *m, const fg_figure *f) {
  const char *source;
  memcpy(&source, (const char *)m + f->source, sizeof source);
  return source;
}

void fg_machine_set(fg_machine *m, const char *figure, int64_t value, const char *source) {
  for (const fg_figure *f = figures; f->name && value > 0; f++) {
    if (strcmp(f->name, figure)) continue;
    memcpy((char *)m + f->value, &value, sizeof value);
    memcpy((char *)m + f->source, &source, sizeof source);
  }
}

/* The passes between stages of plain loops and kernels for a device, as a table. */
#ifndef FG_MAP_PASSES_H
#define FG_MAP_PASSES_H
#include "generator/assemble/builder.h"

typedef struct fg_map_pass {
  const char *name;
  bool (*applies)(const fg_builder *b); /* NULL: always */
  fg_status (*run)(fg_builder *b);
} fg_map_pass;

const fg_map_pass *fg_map_passes(void); /* ended by a row without a name */
#endif

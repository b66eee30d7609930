/* Files compiled into the program: recipes/NAME.lua, templates/NAME.tmpl, and
 * templates of one target only, targets/X/NAME.tmpl. */
#ifndef FG_EMBEDDED_H
#define FG_EMBEDDED_H
#include <stddef.h>

typedef struct fg_embedded_file {
  const char *name; /* without folder: "stockham.lua"; NULL ends the table */
  const char *text; /* terminated */
  size_t bytes;
} fg_embedded_file;

extern const fg_embedded_file fg_embedded[]; /* sorted by folder, then name */
#endif

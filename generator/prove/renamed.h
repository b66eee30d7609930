/* A proved text with other names: a piece of a bundle. */
#ifndef FG_PROVE_RENAMED_H
#define FG_PROVE_RENAMED_H
#include "generator/base/context.h"
#include <stdbool.h>

typedef struct fg_renaming {
  const char *proved, *from; /* a source, and the name with which its own names begin */
  const char *piece, *to;    /* a part of `whole`, and its */
  const char *macro_from, *macro_to;
  const char *attribute; /* that functions of the piece have; NULL: none */
  const char *whole;     /* where its tables are */
} fg_renaming;

/* Whether the piece says what the functions of the proved source say, and its tables hold the same. */
bool fg_prove_renamed(fg_context *cx, const fg_renaming *r, char failure[256]);
#endif

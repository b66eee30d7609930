/* Blocks that communicate, for the translated text of kernels: each thread is a context, which runs until it waits. */
#ifndef FG_PROVE_CONTEXTS_H
#define FG_PROVE_CONTEXTS_H
#include "generator/base/context.h"
#include "generator/math/field.h"
#include "targets/tcc.h"

typedef struct fg_contexts fg_contexts;

typedef struct fg_contexts_options {
  int real_bytes;  /* of a number that is computed with, */
  int least_bytes; /* and of the shortest in memory that a block's threads share */
  int64_t numbers; /* of the field, that a block's threads share */
  int64_t longest; /* operations of the text's longest piece, for its stacks */
  const fg_field *field;
} fg_contexts_options;

enum { FG_CONTEXT_SYMBOLS = 40 };

extern const char fg_contexts_declared[]; /* what the translated text calls and reads */

fg_contexts *fg_contexts_create(fg_context *cx, const fg_contexts_options *o);
void fg_contexts_end(fg_contexts *m);                                               /* NULL: nothing happens */
void fg_contexts_symbols(fg_contexts *m, fg_tcc_symbol symbol[FG_CONTEXT_SYMBOLS]); /* and one without a name */
const char *fg_contexts_failure(const fg_contexts *m); /* of all launches, the first; NULL: none */
bool fg_contexts_lack_room(const fg_contexts *m);      /* then some were not run */
/* Of each batch so many transforms at either end alone are done; 0: all. */
void fg_contexts_at_ends(fg_contexts *m, int ends);
#endif

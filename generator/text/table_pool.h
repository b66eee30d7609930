/* Tables that the pieces of one file share. */
#ifndef FG_TEXT_TABLE_POOL_H
#define FG_TEXT_TABLE_POOL_H
#include "generator/text/emitter.h"

/* The name that a table has in the pool; put there when no equal one is. */
typedef struct fg_pool_table {
  const char *real, *what, *literals;
  int64_t reals;
  int real_bytes;
} fg_pool_table;

const char *fg_table_pool_add(fg_table_pool *pool, const fg_pool_table *table);
fg_table_pool *fg_table_pool_create(fg_context *cx, const char *prefix);
void fg_table_pool_level(fg_table_pool *pool, int level); /* of the pieces from now on */

/* Those that pieces of this level used first; returns their bytes. */
int64_t fg_table_pool_write(const fg_table_pool *pool, int level, int align, fg_strbuf *out);
#endif

/* Tables that the pieces of one file share. In: tables as text, each with the level of the piece that reads it. Out:
 * a name for each, the same for equal ones; and their arrays, at the lowest level that reads them, so that a build
 * without a level has no tables of it. */
#include "generator/text/table_pool.h"
#include <string.h>

typedef struct entry {
  struct entry *next;
  fg_pool_table table;
  const char *name;
  int level;
} entry;

struct fg_table_pool {
  fg_context *cx;
  const char *prefix;
  int count, level;
  entry *first, **last;
};

fg_table_pool *fg_table_pool_create(fg_context *cx, const char *prefix) {
  fg_table_pool *pool = fg_arena_new(cx->arena, fg_table_pool, 1);
  *pool = (fg_table_pool){.cx = cx, .prefix = prefix};
  pool->last = &pool->first;
  return pool;
}

void fg_table_pool_level(fg_table_pool *pool, int level) { pool->level = level; }

const char *fg_table_pool_add(fg_table_pool *pool, const fg_pool_table *table) {
  for (entry *i = pool->first; i; i = i->next)
    if (!strcmp(i->table.real, table->real) && !strcmp(i->table.literals, table->literals)) {
      if (pool->level < i->level) i->level = pool->level;
      return i->name;
    }
  entry *made = fg_arena_new(pool->cx->arena, entry, 1);
  *made = (entry){.table = *table, .level = pool->level};
  made->name = fg_arena_printf(pool->cx->arena, "%s_table%d", pool->prefix, ++pool->count);
  *pool->last = made;
  pool->last = &made->next;
  return made->name;
}

int64_t fg_table_pool_write(const fg_table_pool *pool, int level, int align, fg_strbuf *out) {
  int64_t bytes = 0;
  for (const entry *i = pool->first; i; i = i->next) {
    if (i->level != level) continue;
    const char *aligned = align ? fg_arena_printf(pool->cx->arena, " __attribute__((aligned(%d)))", align) : "";
    fg_strbuf_addf(out, "/* %s */\nstatic const %s %s[%lld]%s = {\n%s};\n\n", i->table.what, i->table.real, i->name,
                   (long long)i->table.reals, aligned, i->table.literals);
    bytes += i->table.reals * i->table.real_bytes;
  }
  return bytes;
}

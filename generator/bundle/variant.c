/* A problem for one instruction set: where it is in a bundle, what its functions and tables are named, and its piece.
 */
#include "generator/base/text_match.h"
#include "generator/bundle/parts.h"
#include "generator/print/emit.h"
#include "generator/text/table_pool.h"
#include <string.h>

fg_variant *fg_bundler_variant(const fg_bundler *b, int problem, int level) {
  return &b->variant[problem * b->r->nisa + level];
}

const char *fg_bundler_attribute(const fg_bundler *b, int level) {
  return fg_words_upper(b->cx->arena, fg_arena_printf(b->cx->arena, "%s_%s", b->r->name, b->r->isa[level]->name));
}

bool fg_bundler_stands_apart(const fg_bundler *b, int level) { return !strcmp(b->r->isa[level]->cpu, "aarch64"); }

fg_table_pool *fg_bundler_pool(const fg_bundler *b, int level) {
  return fg_bundler_stands_apart(b, level) ? b->apart : b->pool;
}

fg_status fg_bundler_emit(fg_bundler *b, int problem, int level, fg_table_pool *pool, fg_piece *out) {
  fg_variant *v = fg_bundler_variant(b, problem, level);
  fg_dialect *dialect = fg_arena_new(b->cx->arena, fg_dialect, 1);
  *dialect = *v->c.dialect;
  if (v->c.isa->vector_bytes) {
    dialect->function_qualifier = fg_arena_printf(b->cx->arena, "static %s void", fg_bundler_attribute(b, level));
    dialect->kernel_qualifier = dialect->function_qualifier;
  }
  bool alone = b->r->nisa == 1;
  fg_emit_options *options = fg_arena_new(b->cx->arena, fg_emit_options, 1);
  *options = (fg_emit_options){
      .dialect = dialect,
      .isa = v->c.isa,
      .prefix = fg_arena_printf(b->cx->arena, "%s_%s", b->symbol[problem], alone ? "code" : v->c.isa->name),
      .macro = fg_words_upper(b->cx->arena, b->r->name),
      .static_tables = b->r->embedded,
      .pool = pool};
  fg_table_pool_level(pool, level);
  return fg_emit_piece(b->cx, v->c.chosen.program, options, out);
}

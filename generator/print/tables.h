/* Tables as arrays of literals, and the functions that fill large ones. */
#ifndef FG_PRINT_TABLES_H
#define FG_PRINT_TABLES_H
#include "generator/text/emitter.h"

/* out NULL: into the pool, before kernels; names them. */
fg_status fg_emit_static_tables(fg_emitter *e, fg_strbuf *out);
void fg_emit_plan_table_init(fg_emitter *e); /* sizes of the caller's table memory */
fg_status fg_emit_table_init(fg_emitter *e, fg_strbuf *out);
#endif

/* Copies of tables of factors, which a block that stays makes once (near_tables.c). */
#ifndef FG_MAP_NEAR_TABLES_H
#define FG_MAP_NEAR_TABLES_H
#include "generator/assemble/builder.h"

/* Of the largest table that stages of the kernel in hand have, into registers; how many copies: one, or none. */
int fg_map_keep_factors(fg_builder *b, fg_stage *copies);
/* Of small ones into so many bytes of shared memory; at most as many copies as stages. */
int fg_map_share_tables(fg_builder *b, int64_t room, fg_stage *copies);
#endif

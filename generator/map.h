/* Inside map: what both ways of giving roles share. */
#ifndef FG_MAP_H
#define FG_MAP_H
#include "generator/assemble_build.h"

/* Until the roles are given, a stage's digit for a batch axis carries its number. */
bool fg_map_is_batch(const fg_kernel *k, int16_t digit);
int fg_map_batch_axis(const fg_kernel *k, int16_t digit);

void fg_map_rename(fg_stage *s, int16_t from, int16_t to);
void fg_map_split_terms(fg_stage *s, int16_t digit, int16_t extra);
int16_t fg_map_add_digit(fg_kernel *k, const fg_digit *d);
void fg_map_drop_loop(fg_stage *s, int position);
/* Batch axes leave the stages and become the kernel's outer BLOCK digits. */
void fg_map_outer_batch(fg_builder *b);
fg_status fg_map_number_blocks(fg_builder *b, fg_kernel *k);

fg_status fg_map_threads(fg_builder *b); /* map_threads.c */
#endif

/* Digits of stages while roles are assigned: added, renamed, removed (digits.c). */
#ifndef FG_MAP_DIGITS_H
#define FG_MAP_DIGITS_H
#include "generator/assemble/builder.h"

/* Until the roles are given, a stage's digit for a batch axis carries its number. */
bool fg_map_is_batch(const fg_kernel *k, int16_t digit);
int fg_map_batch_axis(const fg_kernel *k, int16_t digit);
/* In every address of the stage, `to` replaces `from`; `extra` moves them as `digit` does. */
void fg_map_rename_digit(fg_stage *s, int16_t from, int16_t to);
void fg_map_split_terms(fg_stage *s, int16_t digit, int16_t extra);
/* Its step becomes one, and what it counts so many times as much, in every address of the stage. */
void fg_map_count_by_one(fg_kernel *k, fg_stage *s, int16_t digit);
/* What becomes of a sum's term of a digit, in an access. */
typedef void fg_map_change(fg_affine *a, int16_t digit, int64_t by);
void fg_map_rename_terms(fg_affine *a, int16_t from, int64_t to);
void fg_map_scale_terms(fg_affine *a, int16_t digit, int64_t by);
void fg_map_change_access(fg_access *a, fg_map_change *how, int16_t digit, int64_t by);
void fg_map_drop_loop(fg_stage *s, int position);
/* Whether a buffer is shared memory in the kernel in hand. */
bool fg_map_is_local(const fg_builder *b, int buffer);
#endif

/* The order of what is recorded: numbers of instructions, by position. */
#ifndef FG_TEXT_RECORDER_ORDER_H
#define FG_TEXT_RECORDER_ORDER_H
#include "generator/base/strbuf.h"
#include "generator/text/recorder.h"

fg_arena *fg_coder_arena(const fg_coder *c);
int32_t fg_coder_position(const fg_coder *c); /* how many there are */
const int32_t *fg_coder_order(const fg_coder *c);
bool fg_coder_is_statement(const fg_coder *c, int32_t number);

int32_t fg_coder_make(fg_coder *c, fg_instr i);                    /* an instruction that is in no place yet */
void fg_coder_move_end(fg_coder *c, int32_t from, int32_t to);     /* those from a position on, to one before it */
int32_t *fg_coder_take(fg_coder *c, int32_t from, int32_t *count); /* takes them away */
void fg_coder_put(fg_coder *c, int32_t number);                    /* behind the others */

void fg_coder_list_order(const fg_coder *c, fg_strbuf *out); /* as a listing */

bool fg_coder_is_rehearsal(const fg_coder *c); /* names may have no values, and nothing is kept */
/* Whether values are made before they are used, of the kinds that operations take, and brackets match so far (valid.c).
 */
bool fg_coder_holds_from(const fg_coder *c, int32_t from); /* what is before that position did, and has not changed */
static inline bool fg_coder_holds(const fg_coder *c) { return fg_coder_holds_from(c, 0); }

/* At the end of a program: names are gone, and numbers rise in the order. */
void fg_coder_settle(fg_coder *c);
#endif

/* Inside retell: kernels whose threads become contexts (retell_contexts.c). */
#ifndef FG_PROVE_RETELL_CONTEXTS_H
#define FG_PROVE_RETELL_CONTEXTS_H
#include "generator/prove/retell_parts.h"

/* Of all kernels that are launched (retell_launch.c). */
int64_t fg_retell_shortest(const fg_program *p); /* numbers of shared memory in the room of one that is computed with */
const char *fg_retell_number(fg_teller *t, fg_num x);    /* of params[] */
void fg_retell_blocks(fg_teller *t, const fg_launch *l); /* how many, as an expression */

/* Functions of these languages by which threads know of each other. False: it is none of them. */
bool fg_retell_context_call(fg_teller *t, const char *word, size_t length, fg_retell_value *out);
bool fg_retell_context_statement(fg_teller *t);         /* one that only such text has. False: it is another */
void fg_retell_context_begins(fg_teller *t);            /* before all kernels */
void fg_retell_context_calls(fg_teller *t, int kernel); /* before the call of a stage */
void fg_retell_context_launches(fg_teller *t);
int64_t fg_retell_context_numbers(const fg_teller *t); /* of shared memory, and no more */
#endif

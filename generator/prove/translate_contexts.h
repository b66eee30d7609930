/* Inside translate: kernels whose threads become contexts (translate_contexts.c). */
#ifndef FG_PROVE_TRANSLATE_CONTEXTS_H
#define FG_PROVE_TRANSLATE_CONTEXTS_H
#include "generator/prove/translate_parts.h"

/* Of all kernels that are launched (translate_kernels.c). */
int64_t
fg_translate_shortest(const fg_program *p); /* numbers of shared memory in the room of one that is computed with */
const char *fg_translate_number(fg_translator *t, fg_num x);    /* of params[] */
void fg_translate_blocks(fg_translator *t, const fg_launch *l); /* how many, as an expression */

/* Functions of these languages by which threads communicate. False: it is none of them. */
bool fg_translate_context_call(fg_translator *t, const char *word, size_t length, fg_translate_value *out);
bool fg_translate_context_statement(fg_translator *t); /* one that only such text has. False: it is another */
void fg_translate_context_preamble(fg_translator *t);  /* before all kernels */
void fg_translate_context_stage_call(fg_translator *t, int kernel); /* before the call of a stage */
void fg_translate_context_launches(fg_translator *t);
int64_t fg_translate_context_numbers(const fg_translator *t); /* of shared memory, and no more */
#endif

/* The location of buffers in emitted text. */
#ifndef FG_LOWER_MEMORY_H
#define FG_LOWER_MEMORY_H
#include "generator/text/emitter.h"

fg_status fg_memory_plan(fg_emitter *e);

/* Bytes of a LOCAL array, to where the next one's pairs of numbers may begin: they are loaded as one. */
int64_t fg_memory_local_bytes(const fg_emitter *e, int memory);

/* The pointer to it in what is being recorded; of two, to one part. */
const char *fg_memory_pointer(const fg_emitter *e, int memory, int part);

/* Words before the type of a pointer to it. */
const char *fg_memory_space(const fg_emitter *e, int memory);
/* Declarations of pointer parameters, and their arguments: for
 * everything used. Each returns how many it added at item[]. */
enum { FG_MAX_ITEMS = 2 * FG_MAX_BUFFERS + FG_MAX_PARAMS + FG_MAX_DIGITS };

int fg_memory_declare(const fg_emitter *e, const fg_uses *u, int memory, const char *restrict_word, const char **item);
int fg_memory_mention(const fg_emitter *e, const fg_uses *u, int memory, const char **item);
bool fg_memory_in_scratch(const fg_emitter *e, int buffer); /* in the caller's */
#endif

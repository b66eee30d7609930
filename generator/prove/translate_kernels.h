/* Inside translate: launched kernels (translate_kernels.c). */
#ifndef FG_PROVE_TRANSLATE_KERNELS_H
#define FG_PROVE_TRANSLATE_KERNELS_H
#include "generator/prove/translate_parts.h"

const char *fg_translate_first_kernel(const fg_artifact *c);
void fg_translate_launched_types(fg_translator *t);
void fg_translate_open_threads(fg_translator *t);  /* behind the bracket of a stage's function */
void fg_translate_close_threads(fg_translator *t); /* before the one that closes it */
bool fg_translate_is_live_across(const fg_translator *t, const char *word,
                                 size_t length);          /* across a barrier, by each thread */
void fg_translate_barrier(fg_translator *t);              /* at a barrier */
int64_t fg_translate_shared_size(const fg_translator *t); /* numbers that shared memory has at most */
void fg_translate_shared_array(fg_translator *t, const char *word, size_t length,
                               int64_t numbers); /* as OpenCL has them */
/* As CUDA has them: "local + N". Its text: there each number takes as much as one that is computed with. */
const char *fg_translate_shared_offset(fg_translator *t, const char *word, size_t length, const char *value);
void fg_translate_launches(fg_translator *t); /* the entry */
/* Functions of these languages that bring or store numbers. False: it is none of them. */
bool fg_translate_launched_call(fg_translator *t, const char *word, size_t length, fg_translate_value *out);
#endif

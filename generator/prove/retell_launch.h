/* Inside retell: launched kernels (retell_launch.c). */
#ifndef FG_PROVE_RETELL_LAUNCH_H
#define FG_PROVE_RETELL_LAUNCH_H
#include "generator/prove/retell_parts.h"

const char *fg_retell_first_kernel(const fg_artifact *c);
void fg_retell_launched_types(fg_teller *t);
void fg_retell_opens_threads(fg_teller *t);  /* behind the bracket of a stage's function */
void fg_retell_closes_threads(fg_teller *t); /* before the one that closes it */
bool fg_retell_is_kept(const fg_teller *t, const char *word, size_t length); /* across a barrier, by each thread */
void fg_retell_waits(fg_teller *t);                                          /* at a barrier */
int64_t fg_retell_shared(const fg_teller *t); /* numbers that shared memory has at most */
void fg_retell_array_of_block(fg_teller *t, const char *word, size_t length, int64_t numbers); /* as OpenCL has them */
/* As CUDA has them: "local + N". Its text: there each number takes as much as one that is computed with. */
const char *fg_retell_part_of_block(fg_teller *t, const char *word, size_t length, const char *value);
void fg_retell_launches(fg_teller *t); /* the entry */
/* Functions of these languages that bring or store numbers. False: it is none of them. */
bool fg_retell_launched_call(fg_teller *t, const char *word, size_t length, fg_retell_value *out);
#endif

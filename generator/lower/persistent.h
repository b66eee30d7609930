/* Kernels as one launch of persistent blocks, which take tiles of all of them from a queue. */
#ifndef FG_LOWER_PERSISTENT_H
#define FG_LOWER_PERSISTENT_H
#include "generator/text/emitter.h"

enum {
  FG_QUEUE_FIRST = 32,   /* counters before those of transforms: the first numbers items, on a line of its own */
  FG_QUEUE_THREADS = 256 /* of the one block that clears them */
};

#define FG_QUEUE_READY (INT64_C(1) << 31) /* beside an item's number: what it waits for is done */
#define FG_QUEUE_ZERO "zero"
bool fg_persistent_has(const fg_emitter *e, const fg_kernel *k); /* it is a kernel of the queue */

/* How pairs are loaded from and stored to a memory in such a kernel. */
fg_access_way fg_persistent_read(const fg_emitter *e, const fg_kernel *k, int memory);

fg_access_way fg_persistent_write(const fg_emitter *e, const fg_kernel *k, int memory);

/* What kernels' functions wait for, say and take themselves: arguments as they have them or are given them, how
 * many; lines before and behind the barrier of a stage, NULL: none. */
int fg_persistent_arguments(const fg_emitter *e, int kernel, bool given, const char **item);

const char *fg_persistent_arrive(const fg_emitter *e, int kernel, int stage);
const char *fg_persistent_free(fg_emitter *e, int kernel, int stage);
const char *fg_persistent_next(const fg_emitter *e, int kernel, int stage);
fg_status fg_lower_queue_items(fg_emitter *e, fg_strbuf *out); /* functions that kernels call */
int64_t fg_persistent_bytes(const fg_emitter *e);              /* of its counters; 0: there is no queue */

/* Both launches: what prepares the queue, and the kernel around the functions of all; call: theirs. */
typedef struct fg_queue_text {
  const fg_uses *uses; /* of all kernels */
  const char *const *call;
} fg_queue_text;

fg_status fg_lower_queue(fg_emitter *e, const fg_queue_text *t, fg_strbuf *out);
const char *fg_persistent_symbol(const fg_emitter *e, bool prepares);
#endif

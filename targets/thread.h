/* Threads of our own inside a user's program: their stack is large enough whatever
 * that program's limits are, and the program's signals are not delivered to them. */
#ifndef FG_THREAD_H
#define FG_THREAD_H
#include <pthread.h>

/* As pthread_create. 0, or its error. */
int fg_thread_create(pthread_t *thread, void *(*work)(void *data), void *data);
/* Does the work in such a thread and waits for it; where none can be made, on the caller's stack. */
void fg_thread_call(void *(*work)(void *data), void *data);
#endif

/* Forks while other threads make plans. A child has only the thread that forked: a lock of another thread would stay
 * locked, and its data half changed. So a fork waits until no thread is inside of these calls. If that takes too
 * long, as with a slow compiler, later calls in the child fail with a status. */
#ifndef FG_FORK_H
#define FG_FORK_H
#include <stdbool.h>

enum { FG_FORK_SECONDS = 5 }; /* that a fork waits */

/* Around all that takes locks or memory of the library's; may be nested. False: this is a child that was forked while
 * others were inside; it may not continue, and leaves all the same. */
bool fg_fork_enter(void);
void fg_fork_leave(void);
#endif

/* Forks while other threads make plans. A child has the thread alone that forked: whatever lock another one held then
 * stays locked in it, and what that thread was changing stays half changed. So a fork waits until nobody is inside of
 * these calls; where that takes too long, as behind a slow compiler, the child is told so by a status. */
#ifndef FG_FORK_H
#define FG_FORK_H
#include <stdbool.h>

enum { FG_FORK_SECONDS = 5 }; /* that a fork waits */

/* Around all that takes locks or memory of the library's; may be nested. False: this is a child that was forked while
 * others were inside; it may not go on, and leaves all the same. */
bool fg_fork_enter(void);
void fg_fork_leave(void);
#endif

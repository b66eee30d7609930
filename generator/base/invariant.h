/* Invariants: conditions that hold for any input. They are checked in release builds, too.
 *
 * A broken one is a fault of the generator: the innermost fg_invariant_run of the thread returns FG_EINTERNAL with a
 * message, nothing is written, and the pipeline tries its next candidate. Outside of every fg_invariant_run, as in
 * unit tests, the process aborts. */
#ifndef FG_INVARIANT_H
#define FG_INVARIANT_H
#include "generator/base/context.h"

#define fg_invariant(condition) ((condition) ? (void)0 : fg_invariant_fail(#condition, __FILE__, __LINE__))
_Noreturn void fg_invariant_fail(const char *condition, const char *file, int line);

/* step's status, or FG_EINTERNAL with a message in cx. What the step had made stays in its arenas. */
fg_status fg_invariant_run(fg_context *cx, fg_status (*step)(fg_context *cx, void *data), void *data);

/* For whatever else jumps out of steps (arena.h): the innermost run of this thread. */
void *fg_invariant_innermost(void);
void fg_invariant_return_to(void *run);
#endif

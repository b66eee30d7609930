/* The common part of the public functions: errors, options, and problems. */
#ifndef FG_PUBLIC_H
#define FG_PUBLIC_H
#include "generator/problem/problem.h"
#include "runtime/include/fftgen/fftgen.h"
#include "runtime/plan/fork.h"
#include <signal.h>

fftgen_status fg_public_status(fg_status s);
/* Fills error, if there is one, and returns status. */
fftgen_status fg_public_tell(fftgen_error *error, fftgen_status status, const char *message);
/* Options of an older caller are shorter: what he does not know is zero. False:
 * they say no size. */
/* NULL, or what is wrong with them. */
const char *fg_public_options(const fftgen_options *given, fftgen_options *out);
/* The caller's allocator, else malloc's; memory is aligned to FG_PUBLIC_ALIGN. */
enum { FG_PUBLIC_ALIGN = 64 };
fftgen_allocator fg_public_allocator(const fftgen_options *o);
/* What FFTGEN_CALL_SCALE is in a problem's text, and the array of the caller's that it takes. */
#define FG_PUBLIC_FACTOR "call_scale"
#define FG_PUBLIC_SCALE "x*" FG_PUBLIC_FACTOR
/* Of a child that fg_fork_enter refuses. */
#define FG_PUBLIC_FORKED                                                                                               \
  "this process was forked while other threads made plans, for longer than a fork waits; make plans before, or exec"
/* A file beyond RLIMIT_FSIZE is a failed write (EFBIG) and nothing more: while plans are made, this thread gets no
 * SIGXFSZ, which would end the program. end: of what begin has set. */
void fg_public_begin_files(sigset_t *before);
void fg_public_end_files(const sigset_t *before);
/* Are the run-time parameters there and in their ranges? */
bool fg_public_params_fit(const fg_problem *p, const long long *params);
/* With these parameters, is there no transform in the batch? */
bool fg_public_is_empty(const fg_problem *p, const long long *params);
#endif

/* options.effort: plans for CPUs that are timed where they will run. */
#ifndef FG_EFFORT_H
#define FG_EFFORT_H
#include "runtime/include/fftgen/fftgen.h"

/* What fftgen_plan_create does, between fg_fork_enter and fg_fork_leave. */
fftgen_status fg_effort_make(const char *problem, const fftgen_options *o, fftgen_plan **plan, fftgen_error *error);
#endif

/* Plans for CPUs, for effort.c, which measures them. */
#ifndef FG_EXEC_H
#define FG_EXEC_H
#include "runtime/include/fftgen/fftgen.h"
#include "runtime/load/load.h"

/* A plan by wisdom or the model, between fg_fork_enter and fg_fork_leave. */
fftgen_status fg_exec_make(const char *problem, const fftgen_options *o, fftgen_plan **plan, fftgen_error *error);
const fg_loaded *fg_exec_loaded(const fftgen_plan *p);
/* Adds to what info.reasons says, if there is memory for it. */
void fg_exec_remark(fftgen_plan *p, const char *place, const char *what);
/* Its entry among the plans that are kept; NULL: it is not. */
void fg_exec_keep(fftgen_plan *p, void *entry);
void *fg_exec_kept(const fftgen_plan *p);
int64_t fg_exec_bytes(const fftgen_plan *p); /* of tables and scratch */
void fg_exec_destroy(fftgen_plan *p);        /* between fg_fork_enter and fg_fork_leave */
/* What info.ns says. */
void fg_exec_measured(fftgen_plan *p, double ns);
/* Can it be executed with arrays alone, without parameters and arrays of the caller's? */
bool fg_exec_runs_alone(const fftgen_plan *p);
/* Arguments for memory of info.in_bytes and info.out_bytes; in place, for the larger of both in `in`. */
fftgen_arrays fg_exec_arrays(const fftgen_plan *p, void *in, void *out);
#endif

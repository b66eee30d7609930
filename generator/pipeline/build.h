/* Build: plan + codelets -> program. The plan becomes logical stages over plain loops (assemble.c); passes
 * (map/passes.c) assign roles to digits for the device: vector lanes, or blocks and threads. */
#ifndef FG_PIPELINE_BUILD_H
#define FG_PIPELINE_BUILD_H
#include "generator/assemble/assemble.h"

/* FG_ENA when the plan does not fit the mapping (e.g. local memory too small for
 * its shape and no multi-pass form); FG_EUSER for a plan that does not fit the problem;
 * FG_EINTERNAL, naming the pass, for a program that the verifier refuses. */
fg_status fg_pipeline_program(fg_context *cx, const fg_problem *problem, const fg_plan *plan, const fg_mapping *map,
                              fg_program **out);
#endif

/* Batches of no transforms, which are the runtime's alone: it has nothing to call for them. */
#ifndef FG_PROBLEM_ZEROS_H
#define FG_PROBLEM_ZEROS_H
#include "generator/problem/problem.h"

/* As fg_problem_parse, and counts of a batch may be 0, or parameters from 0 on. They are 0 in *out, and all else is as
 * if they were 1. */
fg_status fg_problem_parse_zeros(fg_context *cx, const char *text, fg_problem *out);
/* The problem of the kernel: with 1 in their place. */
void fg_problem_fill_zeros(fg_problem *p);
#endif

/* What the runtime alone takes: batches of no transforms, for which it has nothing to call, and outputs that overlap
 * unless a call says shorter lengths. */
#ifndef FG_PROBLEM_ZEROS_H
#define FG_PROBLEM_ZEROS_H
#include "generator/problem/problem.h"

/* As fg_problem_parse, and counts of a batch may be 0, or parameters from 0 on. They are 0 in *out, and all else is as
 * if they were 1. */
fg_status fg_problem_parse_zeros(fg_context *cx, const char *text, fg_problem *out);
/* The same, and output strides may be anything. */
fg_status fg_problem_parse_overlapping(fg_context *cx, const char *text, fg_problem *out);
/* As fg_problem_check, but for that. */
fg_status fg_problem_check_overlapping(fg_context *cx, const fg_problem *p);
/* The problem of the kernel: with 1 in their place. */
void fg_problem_fill_zeros(fg_problem *p);
#endif

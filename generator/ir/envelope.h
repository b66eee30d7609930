/* The sum of the squared windows of frames, by which norm divides. */
#ifndef FG_IR_ENVELOPE_H
#define FG_IR_ENVELOPE_H
#include "generator/ir/table.h"
#include "generator/problem/problem.h"

/* The table of 1 over that sum: of a signal that is as short as has all of its values. False: the problem has no norm.
 */
bool fg_table_of_norm(const fg_problem *p, fg_table *out);
/* FG_EUSER, naming a sample of the signal, where that sum is nothing: no frame then tells what the sample was. */
fg_status fg_table_covers(fg_context *cx, const fg_problem *p);
#endif

/* The sum of the squared windows of frames, by which norm divides. */
#ifndef FG_IR_ENVELOPE_H
#define FG_IR_ENVELOPE_H
#include "generator/ir/table.h"
#include "generator/problem/problem.h"

/* FG_EUSER, naming a sample of the signal, where that sum is nothing: no frame then tells what the sample was. */
fg_status fg_table_covers(fg_context *cx, const fg_problem *p, const fg_table *t);
#endif

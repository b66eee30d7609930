/* Inside of the problem parser: load= and store= (operations_text.c). */
#ifndef FG_PROBLEM_OPERATIONS_TEXT_H
#define FG_PROBLEM_OPERATIONS_TEXT_H
#include "generator/problem/text.h"

fg_status fg_operations_check(fg_context *cx, const fg_problem *p);
fg_status fg_operations_parse_load(fg_scanner *ps);
fg_status fg_operations_parse_store(fg_scanner *ps);
void fg_operations_print(fg_strbuf *s, const fg_pointwise *op, int count);
#endif

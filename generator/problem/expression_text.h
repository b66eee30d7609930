/* Inside of the problem parser: expressions of load= and store= (expression_text.c). */
#ifndef FG_PROBLEM_EXPRESSION_TEXT_H
#define FG_PROBLEM_EXPRESSION_TEXT_H
#include "generator/problem/text.h"

/* Letters up to a comma outside of brackets. */
size_t fg_expression_item(const char *text, const char *end);
/* Whether that is an expression, not an operation by its name. */
bool fg_expression_is(const char *text, size_t length);
/* Becomes operation `position` of a side. */
fg_status fg_expression_parse(fg_scanner *ps, bool output, int position, const char *text, size_t length);
/* Names and types, once n and all operations are known. */
fg_status fg_scanner_expressions(fg_scanner *ps);
/* The same of problems filled field by field; and that every operation has a row. */
fg_status fg_expressions_check(fg_context *cx, const fg_problem *p);
#endif

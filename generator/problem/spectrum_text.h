/* Inside of the problem parser: the values of spectrum=, filter= (spectrum_text.c) and linear= (linear.c). */
#ifndef FG_PROBLEM_SPECTRUM_TEXT_H
#define FG_PROBLEM_SPECTRUM_TEXT_H
#include "generator/problem/text.h"

fg_status fg_scanner_spectrum(fg_scanner *ps);
fg_status fg_scanner_filter(fg_scanner *ps);
fg_status fg_scanner_sum(fg_scanner *ps);
fg_status fg_scanner_apply_sum(fg_scanner *ps); /* what it says of the batch, when the line was read */
fg_status fg_scanner_linear(fg_scanner *ps);
fg_status fg_scanner_apply_linear(fg_scanner *ps); /* its operations, when the line was read */
void fg_problem_print_spectrum(fg_strbuf *s, const fg_problem *p, unsigned *declared);
void fg_problem_print_filter(fg_strbuf *s, const fg_problem *p, unsigned *declared);
void fg_problem_print_sum(fg_strbuf *s, const fg_problem *p, unsigned *declared);
void fg_problem_print_linear(fg_strbuf *s, const fg_problem *p, unsigned *declared);
#endif

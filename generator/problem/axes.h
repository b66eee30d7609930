/* Inside of the problem parser: axes, N or N:IS:OS joined by x, and their strides (axes.c). */
#ifndef FG_PROBLEM_AXES_H
#define FG_PROBLEM_AXES_H
#include "generator/problem/text.h"

/* Axes joined by 'x', each N or N:IS:OS, to the end of the word. */
fg_status fg_axes_parse(fg_scanner *ps, fg_dim *axis, bool *given, int *rank);
/* Gives dense strides to the axes that have none in the text. */
fg_status fg_axes_fill_strides(fg_scanner *ps);
/* Parameters get their numbers in the order in which the canonical text needs them. */
void fg_axes_number_params(fg_problem *p);
/* Axes from .. to-1, batch dimensions first; `declared` has a bit for each
 * parameter whose range has been printed. */
void fg_axes_print(fg_strbuf *s, const fg_problem *p, int from, int to, unsigned *declared);
#endif

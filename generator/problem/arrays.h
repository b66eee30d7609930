/* What load= and store= make of a problem's arrays (operations_text.c). */
#ifndef FG_PROBLEM_ARRAYS_H
#define FG_PROBLEM_ARRAYS_H
#include "generator/problem/problem.h"

const fg_part *fg_problem_part(const fg_problem *p, bool output); /* zeropad, crop; NULL: none */
const fg_pointwise *fg_problem_factors(const fg_problem *p);      /* twiddle; NULL: none */
bool fg_problem_acts_on_parts(const fg_problem *p);               /* operations other than twiddle, or conjugates */
bool fg_problem_shifts(const fg_problem *p, bool output);         /* shift on that side */
bool fg_problem_stores_real(const fg_problem *p);                 /* mag and the like */
bool fg_problem_has_operations(const fg_problem *p);              /* operations, conjugates, or a scale */
bool fg_problem_correlates(const fg_problem *p);                  /* complex conv with the spectrum's conjugates */
/* The caller's array number `given`, in the order in which calls have them: whose it is, and numbers of one transform.
 * False: there are fewer. Factors of load=twiddle are not among these. */
bool fg_problem_given(const fg_problem *p, int given, fg_spectra *whose, int64_t *numbers);
fg_precision fg_problem_stored(const fg_problem *p, bool output); /* type of the array's numbers */
/* In place, and the output's elements have other offsets in the array than the input's: no part of a transform may be
 * written before all of it was read (supported.c). */
bool fg_problem_relocates(const fg_problem *p);
#endif

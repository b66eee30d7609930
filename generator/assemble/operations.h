/* Load and store operations, on the stages at the problem's ends (operations.c). */
#ifndef FG_ASSEMBLE_OPERATIONS_H
#define FG_ASSEMBLE_OPERATIONS_H
#include "generator/assemble/stage_form.h"

/* operations.c: load and store operations, on the stages at the problem's ends. */
fg_status fg_build_operations(fg_builder *b, fg_stage *stage, const fg_stage_form *form);
/* With load=twiddle: the numbers that elements are multiplied by; they are stored as the input's view says. */
fg_view fg_build_given_factors(fg_builder *b, const fg_view *in);
/* conv: the numbers of the spectrum, in their order; those of its own where a transform has such. */
fg_view fg_build_given_spectrum(fg_builder *b);
#endif

/* Twiddle factors of passes: tables, and products of few of their elements (twiddle.c). */
#ifndef FG_ASSEMBLE_TWIDDLE_H
#define FG_ASSEMBLE_TWIDDLE_H
#include "generator/assemble/stage_form.h"
#include "generator/assemble/task.h"

/* Whether a pass's factors are to be products of few; between: of the parts of four-step. */
bool fg_build_wants_products(const fg_builder *b, bool between);
/* w^1 .. w^(r-1) of w, w^2, w^4, ..., or a, a w .. a w^(r-1) with a before them: each is
 * one product, none of more than log2 r in a row. */
const fg_product *fg_build_products(fg_builder *b, int64_t r, bool all);
/* w .. w^(r-1), w of two factors with their doublings, one table's behind the other's. `halved`: each of
 * these is half of it, as the first table's are. */
const fg_product *fg_build_products_of_both(fg_builder *b, int64_t r, bool halved);

typedef struct fg_factors { /* the source of a pass's */
  fg_view table, more;
  int slots, more_slots;
  int64_t coef, more_coef, step, each; /* step: of a pass's q, in table; each: of its k */
  const fg_product *product;
} fg_factors;

bool fg_build_wants_steps(const fg_builder *b, const fg_task *t, int64_t r); /* inside a codelet of r points */
/* Of a stockham task with turns: they are powers in the passes of all these radices. */
bool fg_build_exponents_are_powers(const fg_builder *b, const fg_task *t, const fg_plan *plan);
/* Of a pass after `done` points. */
fg_factors fg_build_inner_factors(fg_builder *b, const fg_task *t, int64_t r, int64_t done);
fg_factors fg_build_step_factors(fg_builder *b, const fg_task *t, int64_t r, int64_t done); /* for FG_TW_STEPS */
/* Of a first pass, or a codelet alone: those of the task's turns. */
fg_factors fg_build_exponent_factors(fg_builder *b, const fg_task *t, int64_t r);
/* The same for each element of the input, as a table. */
fg_view fg_build_exponent_table(fg_builder *b, const fg_task *t);
void fg_build_set_factors(fg_stage_form *form, const fg_factors *f);
/* The twiddle factors as they come, then the other source's elements as they are. */
const fg_product *fg_build_and_loaded(fg_builder *b, const fg_factors *f, int twiddles, int loaded);
#endif

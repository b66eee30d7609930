/* Plans of FFTGEN_FULL_SPECTRUM: r2c into the first half of each row, and the other half by conjugates. */
#ifndef FG_FULL_H
#define FG_FULL_H
#include "runtime/include/fftgen/shared.h"
#include <stdbool.h>

bool fg_full_has(const fftgen_problem *p); /* of a struct as a caller gives it */
fftgen_status fg_full_create(const fftgen_problem *given, const fftgen_options *options, fftgen_plan **plan,
                             fftgen_error *error);
void fg_full_fill(const fftgen_plan *p, const fftgen_arrays *a); /* behind the transform */
#endif

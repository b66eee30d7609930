/* Plans of FFTGEN_FULL_SPECTRUM by a complex kernel: for rows of reals, one after the other in memory, of a length for
 * which that is faster than r2c and its mirror image. */
#ifndef FG_HALVES_H
#define FG_HALVES_H
#include "runtime/include/fftgen/shared.h"
#include <stdbool.h>

typedef struct fg_halves fg_halves;

/* Of a struct whose strides are numbers, and the options that came with it. */
bool fg_halves_has(const fftgen_problem *p, const fftgen_options *options);
fftgen_status fg_halves_create(const fftgen_problem *given, const fftgen_options *options, fftgen_plan **plan,
                               fftgen_error *error);
void fg_halves_destroy(fftgen_plan *p); /* what the plan has beside what all plans have */
void fg_halves_execute(const fftgen_plan *p, const fftgen_arrays *a, double scale, int parts);
int64_t fg_halves_bytes(const fftgen_plan *p); /* of the kernel's plan, and of factors */
fftgen_status fg_halves_info(const fftgen_plan *p, fftgen_info *info);

/* unfold_f32.c, unfold_f64.c: fg_pointwise_unfold_whole of fftw/line */
void fg_unfold_f32(const void *z, const void *factor, void *x, int64_t h);
void fg_unfold_f64(const void *z, const void *factor, void *x, int64_t h);
#endif

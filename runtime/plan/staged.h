/* Plans of layouts that kernels do not have: strides that are negative, or 0 for an input, and arrays whose lengths a
 * call says (FFTGEN_CALL_LENGTHS). */
#ifndef FG_STAGED_H
#define FG_STAGED_H
#include "runtime/include/fftgen/shared.h"
#include <stdbool.h>

typedef struct fg_staged fg_staged;

bool fg_staged_has(const fftgen_problem *p); /* of a struct as a caller gives it: is its layout such a one? */
fftgen_status fg_staged_create(const fftgen_problem *given, const fftgen_options *options, fftgen_plan **plan,
                               fftgen_error *error);
void fg_staged_destroy(fftgen_plan *p); /* what the plan has beside what all plans have */
/* What is wrong with a call's lengths, or NULL. */
const char *fg_staged_wrong(const fftgen_plan *p, const fftgen_call *c);
/* Of a call that is right, in so many parts. */
void fg_staged_execute(const fftgen_plan *p, const fftgen_arrays *a, const fftgen_call *c, int parts);
int fg_staged_sign(const fftgen_plan *p, bool output, int axis); /* of a stride; batch dimensions first */
int64_t fg_staged_bytes(const fftgen_plan *p);                   /* of the kernel's plan */
fftgen_status fg_staged_info(const fftgen_plan *p, fftgen_info *info);
#endif

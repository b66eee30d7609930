/* The expected rounding error of a codelet. */
#ifndef FG_NOISE_H
#define FG_NOISE_H
#include "generator/codelet/codelet.h"

/* Mean square of the outputs' rounding errors over the mean square of the outputs, in
 * units of one rounding, for independent inputs of equal size. Twiddle factors count
 * as numbers of modulus one. Its root is to be compared between codelets of one key. */
double fg_codelet_noise(fg_context *cx, const fg_codelet *c);
#endif

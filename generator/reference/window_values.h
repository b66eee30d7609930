/* Weights of windows in 113 bits, and as symbols of a field. */
#ifndef FG_REFERENCE_WINDOW_VALUES_H
#define FG_REFERENCE_WINDOW_VALUES_H
#include "generator/math/field.h"
#include "generator/math/quad.h"
#include "generator/problem/operations.h"

fg_quad *fg_operation_values_weights(fg_context *cx, fg_window w, int64_t n); /* all n of them */
int64_t fg_operation_values_band_start(fg_window w, int64_t band); /* of banks: the bin of a band's first slot */
fg_gf fg_operation_values_weight_gf(const fg_field *f, fg_window w, int64_t n, int64_t number);
#endif

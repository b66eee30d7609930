/* Weights of banks of filters: 113 bits, and as symbols of a field. */
#ifndef FG_REFERENCE_BANK_VALUES_H
#define FG_REFERENCE_BANK_VALUES_H
#include "generator/math/field.h"
#include "generator/math/quad.h"
#include "generator/problem/operations.h"

/* First bin of a band, and one behind its last one: equal where it has none. */
void fg_operation_values_band(const fg_bank *bank, int64_t points, int64_t band, int64_t *first, int64_t *end);
/* bands + 2 frequencies, in Hz; a weight by these. */
fg_quad *fg_operation_values_corners(fg_context *cx, const fg_bank *bank);
fg_quad fg_operation_values_band_weight(const fg_bank *bank, int64_t points, const fg_quad *corner, int64_t band,
                                        int64_t bin);
fg_gf fg_operation_values_band_weight_gf(const fg_field *f, const fg_bank *bank, int64_t points, int64_t band,
                                         int64_t bin);
#endif

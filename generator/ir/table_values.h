/* Entries of tables: one definition in three number systems (tables.c, rader_tables.c). */
#ifndef FG_IR_TABLE_VALUES_H
#define FG_IR_TABLE_VALUES_H
#include "generator/ir/program.h"
#include "generator/math/field.h"

/* The least generator modulo n; 0: n is no prime below 2^31. */
int64_t fg_table_least_generator(int64_t n);
/* Entries of an index table, in cx's arena; NULL: not possible. */
int32_t *fg_table_indices(fg_context *cx, const fg_table *t);
int64_t fg_table_band_width(const fg_bank *bank, int64_t points); /* bins of the widest band */
/* What follows is for tables of numbers. Images in a field, natural order: out[rows * cols]. */
fg_status fg_table_fill_gf(fg_context *cx, const fg_program *p, int table, const fg_field *f, fg_gfc *out);
fg_gfc fg_table_element_gf(const fg_table *t, const fg_field *f, int64_t element);
/* Numbers rounded once from a value of more than 100 bits, in the buffer's
 * layout and precision (f32 -> float, f64 -> double): out has fg_buffer_bytes.
 * Index tables: int32_t. */
fg_status fg_table_fill_real(fg_context *cx, const fg_program *p, int table, void *out);
#endif

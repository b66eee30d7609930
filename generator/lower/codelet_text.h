/* A codelet as statements: its constants, and the text of one iteration. */
#ifndef FG_LOWER_CODELET_TEXT_H
#define FG_LOWER_CODELET_TEXT_H
#include "generator/lower/writer.h"

void fg_lower_declare_constant(fg_writer *w, fg_node n); /* declares it, once */
void fg_lower_declare_constants(fg_writer *w);           /* those that are results */
/* Loads, operations, stores; a copy has no operations of a codelet between them. */
void fg_lower_codelet(fg_writer *w);
void fg_lower_copy(fg_writer *w);
/* In an array across the barrier: where value `slot` of this iteration of the loops is; held as words, element `slot`.
 */
const char *fg_lower_held(const fg_writer *w, int slot);
#endif

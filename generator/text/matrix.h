/* Records what the lanes of a warp do together: numbers given from lane to lane, and products of matrices
 * (targets/forms/matrix.def). A fragment is what a thread holds of a matrix. */
#ifndef FG_TEXT_MATRIX_H
#define FG_TEXT_MATRIX_H
#include "generator/text/emitter.h"

const char *fg_coder_thread(fg_coder *c); /* the number of this thread in its block */
/* What that lane has of a number whose number differs in these bits, named at once: all lanes are to give theirs. */
const char *fg_coder_from_lane(fg_coder *c, const char *type, const char *name, const char *x, int bits);
/* The index along an axis of an element that a lane, of that number, holds. */
const char *fg_coder_matrix_index(fg_coder *c, const fg_matrix_shape *s, fg_matrix_operand of, char axis,
                                  const char *lane, int element);
const char *fg_coder_fragment(fg_coder *c, const char *const *number, int count);

typedef struct fg_matrix_factors {
  const char *a, *b, *c; /* fragments */
} fg_matrix_factors;
/* The product gets a name at once: all lanes are to compute it, wherever it is used. type: that languages give it. */
void fg_coder_matrix_product(fg_coder *c, fg_matrix shape, const char *type, const char *name, fg_matrix_factors of);

/* NULL, or why a language or a machine has no such product. */
const char *fg_spell_matrix_refusal(fg_context *cx, const fg_dialect *d, const fg_machine *m, fg_matrix shape);
const char *fg_spell_fragment_type(const fg_emitter *e, const fg_matrix_shape *s, fg_matrix_operand of);
/* The text ahead of kernels with such products: its types, its function. */
void fg_spell_matrix_preamble(const fg_emitter *e, fg_matrix shape, fg_strbuf *out);
#endif

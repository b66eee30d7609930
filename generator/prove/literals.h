/* Constants and tables read back from the text. */
#ifndef FG_PROVE_LITERALS_H
#define FG_PROVE_LITERALS_H
#include "generator/prove/text.h"

/* Reads constants and tables of the C text back; c, gf: the same program through
 * both dialects, the latter over field. */
fg_status fg_proof_text_literals(fg_context *cx, const fg_proof_text *gf, const fg_artifact *c, fg_text_proof *out);
/* The tables alone. */
fg_status fg_proof_text_tables(fg_context *cx, const fg_proof_text *gf, const fg_artifact *c, fg_text_proof *out);
typedef struct fg_named_constant { /* "const TYPE NAME = VALUE;" of a text, where NAME starts with KP or KN */
  const char *name, *value;
  size_t length; /* of the name */
} fg_named_constant;
const char *fg_prove_next_constant(const char *at, fg_named_constant *out); /* behind `at`; NULL: there is none */
/* What NAME_init of a text, which is nothing but that and what it calls, puts into so many bytes. */
fg_status fg_proof_text_filling(fg_context *cx, const fg_proof_text *gf, const fg_artifact *c, const char *text,
                                size_t bytes, fg_text_proof *out);
bool fg_prove_table_is_used(const fg_program *p, int buffer); /* by a stage */
int64_t fg_prove_table_reals(const fg_buffer *b);             /* elements of the field that its memory takes */
/* The same of instructions: numbers against the field's instructions one by one. */
fg_status fg_prove_code_literals(fg_context *cx, const fg_proof_text *gf, const fg_artifact *code, fg_text_proof *out);
#endif

/* Inside the proof: its field, and problems that no walk supports. */
#ifndef FG_PROVE_PROVE_PARTS_H
#define FG_PROVE_PROVE_PARTS_H
#include "generator/prove/prove.h"

/* A field with the roots of unity that a program needs. FG_EUSER, about its length: there is none. */
fg_status fg_prove_field(fg_context *cx, const fg_program *p, uint64_t seed, fg_field *out);
/* NULL, or the property of q that no walk knows: it must not be called proved. */
const char *fg_prove_not_walked(const fg_problem *q);
/* fg_prove, with values by sample (block_sample.h) where all batches have so many elements or more. */
fg_status fg_prove_from(fg_context *cx, const fg_program *p, uint64_t seed, int64_t from, fg_proof *out);
#endif

/* What a call at some parameters has of a caller's arrays. */
#ifndef FG_PROVE_TEXT_EXTENT_H
#define FG_PROVE_TEXT_EXTENT_H
#include "generator/base/context.h"
#include "generator/problem/problem.h"

/* Elements of a side, with those between them. */
int64_t fg_proof_text_span(const fg_problem *q, const int64_t *params, bool output);
/* False: results of two transforms share an element. */
bool fg_proof_text_is_call(fg_context *cx, const fg_problem *q, const int64_t *params);
#endif

/* What a call at some parameters has of a caller's arrays. */
#ifndef FG_PROVE_TEXT_EXTENT_H
#define FG_PROVE_TEXT_EXTENT_H
#include "generator/base/context.h"
#include "generator/problem/problem.h"

/* False: results of two transforms share an element. */
bool fg_proof_text_is_call(fg_context *cx, const fg_problem *q, const int64_t *params);
#endif

/* Codelets by themselves, beside walks with few nonzero inputs (codelets_alone.c). */
#ifndef FG_PROVE_CODELETS_ALONE_H
#define FG_PROVE_CODELETS_ALONE_H
#include "generator/ir/program.h"

/* Each codelet of a program, on inputs of which none is zero. False: one is not what it is called. */
bool fg_prove_codelets_alone(fg_context *cx, const fg_program *p, const fg_field *f, uint64_t seed, char failure[200]);
/* Whether all of its codelets are of kinds that are checked so. */
bool fg_prove_codelets_known(const fg_program *p);
#endif

/* A program of one thread as kernels of a stage each, so that large ones can be proved by a sample of their blocks. */
#ifndef FG_PROVE_STAGES_APART_H
#define FG_PROVE_STAGES_APART_H
#include "generator/ir/program.h"

/* The same operations in the same order. NULL: all kernels have blocks of their own, or threads. */
fg_program *fg_prove_stages_apart(fg_context *cx, const fg_program *p);
#endif

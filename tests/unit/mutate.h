/* Mutants: copies of a program, or of a text, with one small fault each. */
#ifndef MUTATE_H
#define MUTATE_H
#include "generator/ir/program.h"

typedef enum mutation {
  MUTATE_DAG,     /* operations, operands, constants, outputs of one codelet */
  MUTATE_TABLE,   /* what a table holds */
  MUTATE_ADDRESS, /* coefficients, offsets, digits, modulus, padding, predicates */
  MUTATE_BARRIER, /* barriers left out */
  MUTATE_SHAPE,   /* stages, buffers, blocks, threads */
  MUTATION_COUNT
} mutation;
const char *mutation_name(mutation kind);

/* A mutant of p in cx's arena; NULL when p has nothing of that kind. what: the
 * fault in words. Everything that is not changed is shared with p. */
fg_program *mutate_program(fg_context *cx, const fg_program *p, mutation kind, uint64_t *random, char what[160]);
/* A copy of text with one token after `from` changed. */
char *mutate_text(fg_context *cx, const char *text, size_t from, uint64_t *random, char what[160]);
/* A copy whose kernels and stages are its own. */
fg_program *mutate_copy(fg_context *cx, const fg_program *p);
#endif

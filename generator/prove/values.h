/* Values that codelets compute, in the machine's number systems. */
#ifndef FG_PROVE_VALUES_H
#define FG_PROVE_VALUES_H
#include "generator/prove/vm.h"

fg_status fg_prove_value_tables(fg_vm *m);
/* An element of a table that they did not fill: m->table has none of it. */
fg_gfc fg_prove_value_element(const fg_vm *m, int buffer, int prime, int64_t e);

static inline fg_gfc fg_value_constant(const fg_vm *m, int buffer, int prime, int64_t e) {
  return m->table[buffer][prime] ? m->table[buffer][prime][e] : fg_prove_value_element(m, buffer, prime, e);
}

/* Per input slot: whether the codelet reads it. Others may hold anything, or nothing. */
const bool *fg_prove_value_reads(fg_vm *m, const fg_codelet *c);
/* The codelet's results for width instances; in, tw, out: rows of m->in's kind. */
void fg_prove_value_run(fg_vm *m, const fg_codelet *c, int width, fg_held *out);
void fg_prove_value_rooms(fg_vm *m, size_t in, size_t tw);
fg_held *fg_prove_value_held(fg_vm *m, int number, size_t complexes);
struct fg_block_tape *fg_prove_block_tape_create(fg_context *cx, const fg_tape *t);
/* False: not possible so. */
bool fg_prove_block_run(const fg_vm *m, const fg_tape *t, int width, fg_quad *out);
#endif

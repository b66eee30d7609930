/* Cells of elements in the machine's memory, and the values of the input (memory.c). */
#ifndef FG_PROVE_MEMORY_H
#define FG_PROVE_MEMORY_H
#include "generator/prove/vm.h"

/* Bounds of all buffers at m->params; memories of aliased buffers. False: failed. */
bool fg_ram_create(fg_vm *m);
int fg_ram_ranks(const fg_program *p); /* blocks of the largest cluster */

/* Place numbers of element e (inside its bounds) of a buffer. */
typedef struct fg_cell {
  int64_t re, im; /* the same of an element that is real */
} fg_cell;

fg_cell fg_ram_cell(const fg_vm *m, int buffer, int64_t e); /* re < 0: no element of the caller's (packed) */
/* Whether the caller's array that owns buffer b's memory is kept by its elements' numbers. */
bool fg_ram_packs(const fg_program *p, const int64_t *params, int b);
/* Whether an element belongs to the output (or input), where strides are nested. */
bool fg_ram_own(const fg_vm *m, bool output, int64_t e);
/* What a place of the input holds, in one field / as a real; an element of the input. */
fg_gf fg_ram_input_cell_gf(const fg_vm *m, int prime, int64_t place);
fg_quad fg_ram_input_cell_real(const fg_vm *m, int64_t place);
fg_gfc fg_ram_input_gf(const fg_vm *m, int prime, int64_t e);
fg_quadc fg_ram_input_real(const fg_vm *m, int64_t e);
/* Counts conflicts of banks and segments of one access; checks that its move says
 * what its addresses do. False: the walk must end. */
bool fg_ram_count(fg_vm *m, const fg_simd_group *b, const fg_moves *moves);
#endif

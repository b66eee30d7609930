/* Two slots or lanes that store to one element at once. In: elements that a SIMD group stores to. Out: whether one
 * of them occurs twice. The idea: a hash table of the present SIMD group's elements is small, and never cleared:
 * each entry has the number of its SIMD group. */
#include "generator/prove/duplicates.h"

enum { LEAST_BITS = 6 };

void fg_prove_once_room(fg_vm *m, int64_t elements) {
  fg_once_table *t = &m->once;
  int bits = LEAST_BITS;
  while (INT64_C(1) << bits < 2 * elements) bits++;
  if (t->element && 64 - t->shift >= bits) return;
  *t = (fg_once_table){.shift = 64 - bits};
  t->element = fg_arena_new(m->cx->arena, int64_t, INT64_C(1) << bits);
  t->simd_group = fg_arena_new(m->cx->arena, uint32_t, INT64_C(1) << bits);
}

/* Pages are allocated on first access, and freed when no longer needed (pages.c). */
#ifndef FG_PROVE_PAGES_H
#define FG_PROVE_PAGES_H
#include "generator/prove/vm.h"

/* Room for the pages of a memory whose buffers are known. */
void fg_ram_pages(fg_vm *m, fg_ram *memory);
fg_page *fg_ram_turn_to(fg_vm *m, fg_ram *memory, int64_t place);

static inline fg_page *fg_ram_page(fg_vm *m, fg_ram *memory, int64_t place) {
  bool same = memory->near_number == place / FG_PAGE && memory->near_epoch == m->epoch;
  return same && memory->near ? memory->near : fg_ram_turn_to(m, memory, place);
}

/* Blocks that a sample leaves out leave zeros: where nothing was stored before, and nothing is in this launch, there
 * are no pages. */
static inline bool fg_ram_is_zero(const fg_vm *m, const fg_ram *memory, int64_t place) {
  return m->sample && !memory->local && !memory->written && !memory->is_input && !memory->page[place / FG_PAGE];
}

/* All notes of a book are of no more use. */
void fg_ram_forget(fg_book *b);
/* A launch of these kernels begins: no other memory than theirs is stored to. */
void fg_ram_launch(fg_vm *m, int first, int kernels);
/* Kernels up to this one are over: memory that no later one loads from is of no more use. */
void fg_ram_release(fg_vm *m, int kernel);
#endif

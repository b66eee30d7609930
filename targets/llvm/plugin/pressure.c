/* Numbers that live at once. In: instructions. Out: whether vectors have to leave their registers. */
#include "targets/llvm/plugin/lower.h"
#include <stdlib.h>
#include <string.h>

static void note_use(int32_t *last, int32_t value, int32_t user) {
  if (value >= 0 && last[value] < user) last[value] = user;
}

/* Numbers that live at once, at most. */
static int most_alive(const fg_instructions *code, int32_t *last) {
  for (int32_t n = 0; n < code->count; n++) {
    const fg_instr *i = &code->instr[n];
    bool place = i->op == FG_CODE_MEMORY || i->op == FG_CODE_TABLE;
    last[n] = n;
    for (int k = 0; k < 3 && !place; k++) note_use(last, (const int32_t[]){i->a, i->b, i->c}[k], n);
    for (int l = 0; i->op == FG_CODE_MAKE && l < i->lanes; l++) note_use(last, code->list[i->list + l], n);
  }
  int alive = 0, most = 0;
  int32_t *ending = last + code->count; /* how many of them end at an instruction */
  memset(ending, 0, sizeof *ending * (size_t)code->count);
  for (int32_t n = 0; n < code->count; n++) {
    if (code->instr[n].type == FG_CODE_REAL) alive++, ending[last[n]]++;
    if (alive > most) most = alive;
    alive -= ending[n];
  }
  return most;
}

/* Where vectors have to leave their registers, they shall be in whole lines of the cache: LLVM aligns the stack for
 * that only where a register was set aside for its frame from the beginning, which small functions do without. */
bool fg_llvm_is_crowded(const fg_instructions *code) {
  enum { SSE_BYTES = 16, AVX512_BYTES = 64 };
  if (code->vector_bytes <= SSE_BYTES) return false;
  int32_t *room = calloc(2 * (size_t)code->count + 1, sizeof *room);
  bool crowded = !room || most_alive(code, room) > (code->vector_bytes < AVX512_BYTES ? 16 : 32);
  free(room);
  return crowded;
}

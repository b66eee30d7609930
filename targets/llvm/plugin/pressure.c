/* Numbers that live at once. In: instructions. Out: whether vectors have to leave their registers, or leave some free.
 */
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

enum { SSE_BYTES = 16, AVX512_BYTES = 64, REGISTERS = 16, AVX512_REGISTERS = 32 };

/* Of vectors, at most; more than there are registers where nothing can be said. */
static int alive(const fg_instructions *code) {
  int32_t *room = calloc(2 * (size_t)code->count + 1, sizeof *room);
  int most = room ? most_alive(code, room) : AVX512_REGISTERS + 1;
  free(room);
  return most;
}

/* A block of one loop at most, with a quarter of AVX-512's registers left. Its order by heights takes 0.89 of the time
 * at f32 64 and 128, and 0.97 in the mean of nine lengths up to 144. With 16 registers it takes 1.3 of it, and in loops
 * of several stages 1.2. */
bool fg_llvm_is_roomy(const fg_instructions *code) {
  int loops = 0;
  for (int32_t n = 0; n < code->count; n++) loops += code->instr[n].op == FG_CODE_LOOP;
  return code->vector_bytes == AVX512_BYTES && loops <= 1 && alive(code) <= AVX512_REGISTERS * 3 / 4;
}

/* Where vectors have to leave their registers, they shall be in whole lines of the cache: LLVM aligns the stack for
 * that only where a register was set aside for its frame from the beginning, which small functions do without. */
bool fg_llvm_is_crowded(const fg_instructions *code) {
  if (code->vector_bytes <= SSE_BYTES) return false;
  return alive(code) > (code->vector_bytes < AVX512_BYTES ? REGISTERS : AVX512_REGISTERS);
}

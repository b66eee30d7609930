/* See banks.h. In: elements that the threads of a warp touch at once. Out: the
 * cycles lost to banks that hold several of them. */
#include "generator/ir/banks.h"
#include "generator/ir/walk.h"
#include <string.h>

enum { BANKS = FG_BANK_ROW / FG_BANK_BYTES };

/* The same, once two units met in a bank. */
static int64_t count_all(const int64_t *unit, int count, int across) {
  int64_t used[BANKS][FG_WARP];
  int fill[BANKS] = {0}, most = 1;
  for (int i = 0; i < count; i++) {
    int bank = (int)((uint64_t)unit[i] % (unsigned)across), j = 0;
    while (j < fill[bank] && used[bank][j] != unit[i]) j++;
    if (j == fill[bank]) used[bank][fill[bank]++] = unit[i];
    if (fill[bank] > most) most = fill[bank];
  }
  return most - 1;
}

/* Cycles beyond one, of `count` threads that each use the unit number unit[i]: all banks
 * side by side are `across` units, a power of two, and give each one a cycle; equal units
 * count once. */
static int64_t extra_cycles(const int64_t *unit, int count, int across) {
  int64_t used[BANKS];
  uint32_t full = 0;
  for (int i = 0; i < count; i++) {
    int bank = (int)((uint64_t)unit[i] & (unsigned)(across - 1));
    if (full >> bank & 1 && used[bank] != unit[i]) return count_all(unit, count, across);
    full |= UINT32_C(1) << bank;
    used[bank] = unit[i];
  }
  return 0;
}

int64_t fg_bank_byte(const fg_buffer *b, int64_t e, int *bytes) {
  int real = fg_precision_bytes(b->precision);
  if (b->elem == FG_ELEM_REAL) {
    *bytes = real;
    return e * real;
  }
  *bytes = b->layout == FG_LAYOUT_INTERLEAVED ? 2 * real : real;
  if (b->layout == FG_LAYOUT_INTERLEAVED) return e * 2 * real;
  if (b->layout == FG_LAYOUT_BLOCKED) return (e / b->block * 2 * b->block + e % b->block) * real;
  return e * real;
}

/* A warp's wide accesses are split into parts that fill the banks once. */
int64_t fg_bank_conflicts(const fg_buffer *b, const int64_t *at, int count) {
  int bytes = 0;
  int64_t unit[FG_WARP], extra = 0;
  bool straight = b->elem == FG_ELEM_REAL || b->layout != FG_LAYOUT_BLOCKED;
  if (count > 0) (void)fg_bank_byte(b, at[0], &bytes);
  if (straight && bytes >= FG_BANK_BYTES)
    memcpy(unit, at, (size_t)count * sizeof *at);
  else
    for (int i = 0; i < count; i++)
      unit[i] = fg_bank_byte(b, at[i], &bytes) / (bytes < FG_BANK_BYTES ? FG_BANK_BYTES : bytes);
  int part = bytes < FG_BANK_BYTES ? BANKS : FG_BANK_ROW / bytes;
  for (int i = 0; i < count; i += part) extra += extra_cycles(unit + i, count - i < part ? count - i : part, part);
  return b->layout == FG_LAYOUT_INTERLEAVED || b->elem == FG_ELEM_REAL ? extra : 2 * extra;
}

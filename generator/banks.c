/* See banks.h. In: elements that the threads of a warp touch at once. Out: the
 * cycles lost to banks that hold several of them. */
#include "generator/banks.h"
#include "generator/walk.h"

enum { BANKS = 32, BANK_BYTES = 4 };

/* Cycles beyond one, of `count` threads that each use `words` words from `word`:
 * a bank gives one word a cycle; equal words count once. */
static int64_t extra_cycles(const int64_t *word, int count, int words) {
  int64_t used[BANKS][FG_WARP];
  int fill[BANKS] = {0}, most = 1;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < words; k++) {
      int bank = (int)((uint64_t)(word[i] + k) % BANKS), j = 0;
      while (j < fill[bank] && used[bank][j] != word[i] + k) j++;
      if (j == fill[bank] && j < FG_WARP) used[bank][fill[bank]++] = word[i] + k;
      if (fill[bank] > most) most = fill[bank];
    }
  return most - 1;
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

/* A warp's wide accesses go in parts that fill the banks once. */
int64_t fg_bank_conflicts(const fg_buffer *b, const int64_t *at, int count) {
  int bytes = 0;
  int64_t word[FG_WARP];
  for (int i = 0; i < count; i++) word[i] = fg_bank_byte(b, at[i], &bytes) / BANK_BYTES;
  int words = bytes < BANK_BYTES ? 1 : bytes / BANK_BYTES, part = FG_WARP / words;
  int64_t extra = 0;
  for (int i = 0; i < count; i += part) extra += extra_cycles(word + i, count - i < part ? count - i : part, words);
  return b->layout == FG_LAYOUT_INTERLEAVED || b->elem == FG_ELEM_REAL ? extra : 2 * extra;
}

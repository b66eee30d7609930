/* Sets of elements of an array, a bit for each. In: spans of contiguous elements. Out: whether some, or all, of them
 * are in the set. */
#include "generator/prove/block_sample.h"

fg_bits fg_bits_create(fg_arena *a, int64_t count) {
  return (fg_bits){count, fg_arena_new(a, uint64_t, count / 64 + 1)};
}

/* Of `count` bits from number `first` on: those in its word, at most. Returns how many. */
static int64_t mask_of(int64_t first, int64_t count, uint64_t *mask) {
  int64_t here = 64 - first % 64 < count ? 64 - first % 64 : count;
  *mask = (here < 64 ? (UINT64_C(1) << here) - 1 : UINT64_MAX) << (first % 64);
  return here;
}

bool fg_bits_any(const fg_bits *b, int64_t first, int64_t count) {
  uint64_t mask;
  for (int64_t here; count > 0; first += here, count -= here) {
    here = mask_of(first, count, &mask);
    if (b->word[first / 64] & mask) return true;
  }
  return false;
}

bool fg_bits_all(const fg_bits *b, int64_t first, int64_t count) {
  uint64_t mask;
  for (int64_t here; count > 0; first += here, count -= here) {
    here = mask_of(first, count, &mask);
    if (~b->word[first / 64] & mask) return false;
  }
  return true;
}

void fg_bits_put(fg_bits *b, int64_t first, int64_t count, bool value) {
  uint64_t mask;
  for (int64_t here; count > 0; first += here, count -= here) {
    here = mask_of(first, count, &mask);
    if (value)
      b->word[first / 64] |= mask;
    else
      b->word[first / 64] &= ~mask;
  }
}

int64_t fg_bits_number(const fg_bits *b) {
  int64_t number = 0;
  for (int64_t i = 0; i <= b->count / 64; i++) number += __builtin_popcountll(b->word[i]);
  return number;
}

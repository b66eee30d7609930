/* Sets of an array's elements: a bit each. */
#ifndef FG_PROVE_BITS_H
#define FG_PROVE_BITS_H
#include "generator/base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct fg_bits { /* one for each element of an array */
  int64_t count;
  uint64_t *word;
} fg_bits;

fg_bits fg_bits_create(fg_arena *a, int64_t count); /* none is set */
bool fg_bits_any(const fg_bits *b, int64_t first, int64_t count);
bool fg_bits_all(const fg_bits *b, int64_t first, int64_t count);
void fg_bits_put(fg_bits *b, int64_t first, int64_t count, bool value);
int64_t fg_bits_number(const fg_bits *b); /* how many bits are set */
static inline bool fg_bits_get(const fg_bits *b, int64_t i) { return b->word[i / 64] >> (i % 64) & 1; }
#endif

/* In: bytes. Out: 128 bits. The hash of Fowler, Noll and Vo, the variant FNV-1a. It finds damage, not attacks:
 * an attacker who can write to a user's cache need not forge hashes. */
#include "runtime/store/hash.h"
#include <stdio.h>

__extension__ typedef unsigned __int128 wide;

static const uint64_t basis_hi = 0x6c62272e07bb0142, basis_lo = 0x62b821756295c58d;

fg_hash fg_hash_begin(void) { return (fg_hash){basis_hi, basis_lo}; }

fg_hash fg_hash_add(fg_hash h, const void *data, size_t bytes) {
  const wide prime = ((wide)1 << 88) + 0x13b;
  wide x = (wide)h.hi << 64 | h.lo;
  const unsigned char *at = data;
  for (size_t i = 0; i < bytes; i++) x = (x ^ at[i]) * prime;
  return (fg_hash){(uint64_t)(x >> 64), (uint64_t)x};
}

void fg_hash_text(fg_hash h, char text[FG_HASH_TEXT]) {
  snprintf(text, FG_HASH_TEXT, "%016llx%016llx", (unsigned long long)h.hi, (unsigned long long)h.lo);
}

/* FNV-1a of 128 bits: names by content, and checks of files. */
#ifndef FG_HASH_H
#define FG_HASH_H
#include <stddef.h>
#include <stdint.h>

enum { FG_HASH_TEXT = 33 }; /* 32 hexadecimal digits and the end */

typedef struct fg_hash {
  uint64_t hi, lo;
} fg_hash;

fg_hash fg_hash_begin(void);
fg_hash fg_hash_add(fg_hash h, const void *data, size_t bytes);
void fg_hash_text(fg_hash h, char text[FG_HASH_TEXT]);
#endif

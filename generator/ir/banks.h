/* Banks: bank conflicts of threads' accesses to shared memory. */
#ifndef FG_BANKS_H
#define FG_BANKS_H
#include "generator/ir/program.h"
#include "targets/machine/simt.h"

/* Byte address of the first number of element e, and bytes there without a gap. */
int64_t fg_bank_byte(const fg_buffer *b, int64_t e, int *bytes);
/* Cycles beyond those that the bytes need, of one access by `count` <= FG_WARP
 * threads of a warp to elements at[] of a LOCAL buffer: 32 banks of 4 bytes. */
int64_t fg_bank_conflicts(const fg_buffer *b, const int64_t *at, int count);
#endif

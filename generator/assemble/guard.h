/* Accesses of operands, kept within their arrays (guard.c). */
#ifndef FG_ASSEMBLE_GUARD_H
#define FG_ASSEMBLE_GUARD_H
#include "generator/assemble/builder.h"

/* An address with all digits where they make it least, or greatest; but for one of them. */
int64_t fg_build_extreme(const fg_kernel *k, const fg_affine *at, int16_t but, bool greatest);
/* At the end: where conditions keep accesses inside their arrays, they keep operands inside theirs. */
void fg_build_guard_operations(fg_builder *b);
#endif

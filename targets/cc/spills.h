/* What a compiler put on the stack for want of vector registers, by its assembly. */
#ifndef FG_CC_SPILLS_H
#define FG_CC_SPILLS_H

typedef struct fg_spills { /* instructions with a vector register and a place on the stack */
  int stores, loads;
} fg_spills;

/* Assembly of gcc or clang for x86-64 (AT&T) or AArch64. */
fg_spills fg_spills_count(const char *assembly);
#endif

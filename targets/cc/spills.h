/* Counts the vector registers that a compiler spilled to the stack, from its assembly. */
#ifndef FG_CC_SPILLS_H
#define FG_CC_SPILLS_H

typedef struct fg_spills { /* instructions with a vector register and a place on the stack */
  int stores, loads;
} fg_spills;

/* Assembly of gcc or clang for x86-64 (AT&T) or AArch64. */
fg_spills fg_spills_count(const char *assembly);
#endif

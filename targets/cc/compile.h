/* The device cc as a compiler: a shared object in a file, for whoever loads it
 * later. Compiler and flags are those of the device (its options, its probe). */
#ifndef FG_CC_COMPILE_H
#define FG_CC_COMPILE_H
#include "targets/device.h"

/* Nonzero: nothing usable at `object`, the reason in why. */
int fg_cc_compile(const fg_artifact *a, const char *object, char why[FG_WHY_SIZE]);
#endif

/* The device cc as a compiler: a shared object in a file, to be loaded later. Compiler and flags are those of the
 * device (its options, its probe). */
#ifndef FG_CC_COMPILE_H
#define FG_CC_COMPILE_H
#include "targets/device.h"

/* It works in a folder for temporary files, the next where one is full. Nonzero: nothing usable at `object`, the reason
 * in why; FG_CC_UNWRITTEN: the object itself has no room there. */
enum { FG_CC_UNWRITTEN = 2 };
int fg_cc_compile(const fg_artifact *a, const char *object, char why[FG_WHY_SIZE]);
#endif

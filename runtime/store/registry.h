/* Kernels that are linked into the program: tables that the program registered. */
#ifndef FG_REGISTRY_H
#define FG_REGISTRY_H
#include "runtime/include/fftgen/kernel.h"
#include <stdbool.h>

/* false: no room for another table. */
bool fg_registry_add(const fftgen_kernel *const *table);
/* The best kernel for a problem that this CPU can run; plan NULL: any. NULL when
 * there is none; *why then is a reason. */
const fftgen_kernel *fg_registry_find(const char *problem, const char *plan, const char **why);
/* NULL, or why this kernel cannot be used here. */
const char *fg_registry_refuse(const fftgen_kernel *k);
#endif

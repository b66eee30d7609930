/* A walk by several threads, each of which takes some blocks of a kernel. */
#ifndef FG_PROVE_SHARES_H
#define FG_PROVE_SHARES_H
#include "generator/prove/vm.h"

/* Whether several threads can walk this program, each some of the blocks of a kernel. */
bool fg_shares_possible(const fg_program *p);
/* They make m's memory, which has bounds already; then they walk. False: something was
 * wrong, or could not be decided so; then nothing is known, and m is of no more use. */
bool fg_shares_create(fg_vm *m, int threads);
bool fg_shares_run(fg_vm *m);
void fg_shares_release(fg_vm *m); /* what they made of m's memory */
#endif

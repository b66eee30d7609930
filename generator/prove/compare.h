/* Compares the results of a walk with the transform by its definition. */
#ifndef FG_PROVE_COMPARE_H
#define FG_PROVE_COMPARE_H
#include "generator/prove/vm.h"

enum { FG_BATCH_ENDS = 4 }; /* transforms that are compared at each end of a batch that is not walked in full */
/* Marks the elements of the result as such. False: two of them are one, so that this
 * setting is no valid call. */
bool fg_compare_own(fg_vm *m);
/* Whether all results of a transform were stored. */
bool fg_compare_known(const fg_vm *m, int64_t batch);
/* Compares what is known; a transform known in part is wrong when the walk was whole. */
fg_status fg_compare_all(fg_vm *m, int64_t *compared);
#define FG_COMPARE_LOSS 0x1p-100 /* distance of a good program: a few times 2^-113 */
/* Relative distance of transform 0 from the definition, all in 113 bits: L2, or by sums. Results that cancel are
 * compared with what cancels. */
double fg_compare_real(fg_vm *m);
#endif

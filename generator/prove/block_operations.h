/* Inside block samples: load and store operations on each element by itself. */
#ifndef FG_PROVE_BLOCK_OPERATIONS_H
#define FG_PROVE_BLOCK_OPERATIONS_H
#include "generator/prove/vm.h"

/* Whether elements stay where they are, and none has to do with others. */
bool fg_block_operations_fit(const fg_problem *q);
/* Of the machine's fields. False: loads are more than factors. */
bool fg_block_operations_create(fg_vm *m);
/* What is loaded there so that the transform sees x; what is stored where its result is y. */
fg_gfc fg_block_operations_input(const fg_vm *m, int prime, int64_t element, fg_gfc x);
fg_gfc fg_block_operations_result(const fg_vm *m, int prime, int64_t element, fg_gfc y);
#endif

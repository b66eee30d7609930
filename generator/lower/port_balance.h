/* Sums as fused products by one, where multiply ports would be idle. */
#ifndef FG_LOWER_PORT_BALANCE_H
#define FG_LOWER_PORT_BALANCE_H
#include "generator/lower/writer.h"
#include "generator/text/spell.h"

void fg_port_balance_begin(fg_writer *w); /* before the loops: declares what sums as products want */

/* How the next sum is written; m: its operands, as the operation to be written has them. */
fg_op fg_port_balance_sum(fg_writer *w, fg_op op, fg_marks *m);
#endif

/* The machine that a program is planned for. */
#ifndef FG_IR_PROGRAM_MACHINE_H
#define FG_IR_PROGRAM_MACHINE_H
#include "generator/ir/program.h"

/* The machine that it is planned for: never NULL. */
const fg_machine *fg_program_machine(const fg_program *p);
/* Bytes that a warp's accesses are counted by; where its row has none, as any GPU's. */
int64_t fg_program_segment(const fg_program *p);
/* Bytes of a line of a CPU's caches, and of a page; where its row has none, as any CPU's. */
int64_t fg_program_line(const fg_program *p);
int64_t fg_program_page(const fg_program *p);
/* Bytes of a CPU's L2; where that is not known, as many as any CPU's row has. */
int64_t fg_program_machine_l2(const fg_machine *m);
static inline int64_t fg_l2_bytes(const fg_program *p) { return fg_program_machine_l2(fg_program_machine(p)); }
static inline bool fg_small_l2(const fg_program *p) { return fg_is_small_l2(fg_l2_bytes(p)); }
#endif

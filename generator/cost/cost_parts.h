/* Inside the shipped cost model: cost.c adds up the cost of stages on execution ports (cpu.c), including moves
 * (moves.c), the cost of bytes by the caches that hold them (caches.c), and what short calls in place wait for
 * (in_place.c); stages.c says what these ask of stages. */
#ifndef FG_COST_PARTS_H
#define FG_COST_PARTS_H
#include "generator/cost/cost.h"
#include "targets/machine/costs.h"

/* How often a stage's codelet runs, with parameters at their lower ends. */
int64_t fg_cost_elements(const fg_program *p, const fg_kernel *k, const fg_stage *s);
/* What passes between its stages stays in registers, and twiddle factors are constants to the compiler. */
bool fg_cost_stays_in_values(const fg_program *p, const fg_kernel *k);
/* Of passes that stay where the first one stored, the size of that memory; of others INT64_MAX. */
int64_t fg_cost_stays_within(const fg_program *p, const fg_kernel *k);
/* A vector's worth of all slots of one access. */
int64_t fg_cost_moves(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a);
int64_t fg_cost_stage(const fg_program *p, const fg_kernel *k, const fg_stage *s);
/* Quarters of bytes that parts far apart are read and written beside their own. */
int64_t fg_cost_separate(const fg_program *p);
int64_t fg_cost_of_rader(const fg_program *p, int64_t cost); /* what it takes where odd radices take longer */
/* What a short transform in place waits for that the call before stored. */
int64_t fg_cost_in_place(const fg_program *p);
/* footprint: bytes of everything that a call touches. */
int64_t fg_cost_bytes(const fg_program *p, const fg_program_cost *counts, int64_t footprint);
#endif

/* Stages of shuffles, and registers of lanes that others use. */
#ifndef FG_LOWER_SHUFFLE_H
#define FG_LOWER_SHUFFLE_H
#include "generator/lower/writer.h"

bool fg_shuffle_is_in(const fg_kernel *k);
/* Whether a stage loads from registers of lanes, or stores to them. */
bool fg_shuffle_touches(const fg_emitter *e, const fg_stage *s);
bool fg_shuffle_has_registers(const fg_emitter *e, const fg_kernel *k); /* of a stage of the kernel */
/* A thread's own registers are an array: addresses in it do not count threads, whose digits have no names where nothing
 * else counts them. */
void fg_shuffle_leave_threads(fg_writer *w);
void fg_shuffle_write(fg_writer *w); /* such a stage */
#endif

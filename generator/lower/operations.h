/* Load and store operations as text. */
#ifndef FG_LOWER_OPERATIONS_H
#define FG_LOWER_OPERATIONS_H
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"

fg_status fg_lower_operations_prepare(fg_writer *w);            /* after places and pack */
void fg_lower_operations_note_needed(fg_writer *w);             /* after w->load.needed is known */
void fg_lower_operations_declare(fg_writer *w);                 /* declarations before the loops */
const char *fg_lower_operation_input(fg_writer *w, int number); /* input `number` of the codelet; loads what it needs */
void fg_lower_operations_finish(fg_writer *w, int slot);        /* w->value of the slot from w->result */
/* Of scalars: whether operations on several results are worth vectors of them; those, and which slots they were for. */
bool fg_lower_operations_gather(const fg_writer *w);
void fg_lower_operations_finish_several(fg_writer *w, const bool *stored, bool *finished);

const char *
fg_lower_operations_flags(const fg_emitter *e); /* compiler flags: the instruction set's, and what follows from this */

/* Text before everything, and behind the vectors' types. */
const char *fg_lower_operations_preamble(const fg_emitter *e);

const char *fg_lower_operations_vectors(const fg_emitter *e);
#endif

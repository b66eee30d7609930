/* Inside text_sample: its steps, in order. */
#ifndef FG_PROVE_TEXT_SAMPLE_PARTS_H
#define FG_PROVE_TEXT_SAMPLE_PARTS_H
#include "generator/prove/text_sample_memory.h"

/* Where buffers are. False: an array is too large, or something is wrong. */
bool fg_proof_sample_locate(fg_proof_sample *s);
/* Iterations of the program. */
bool fg_proof_sample_walk(fg_proof_sample *s);
/* Memory for the text, and what is in it before its run. False: there is none. */
bool fg_proof_sample_map(fg_proof_sample *s);
void fg_proof_sample_unmap(fg_proof_sample *s);
void fg_proof_sample_fill(const fg_proof_sample *s);
void fg_proof_sample_renew(const fg_proof_sample *s, uint32_t number); /* a LOCAL cell: as it was before the block */
/* The text's run, whole or cut for several threads; sections are compared on the way. */
void fg_proof_sample_run(fg_proof_sample *s, bool in_parts);
void fg_proof_sample_end(void); /* after a run that was broken off, too */
/* What is in memory after it. */
bool fg_proof_sample_compare(fg_proof_sample *s);
/* Wherever no line of a cell is, no matter how far away. */
bool fg_proof_sample_compare_pages(fg_proof_sample *s);
/* `rest` in place of all elements of an array in whose pages anything has been touched. */
bool fg_proof_sample_hide(fg_proof_sample *s, int array, fg_gf rest);
#endif

/* Recording fg_instructions: what emit calls where a dialect wants instructions instead of
 * text.
 *
 * Emit hands values around as text: a name, a decimal number, an expression. Here
 * that text is a HANDLE: a name that was bound, a decimal number, or "%12" for
 * the value of instruction 12. So the walk over stages is one, for both. */
#ifndef FG_GENERATOR_CODE_H
#define FG_GENERATOR_CODE_H
#include "generator/base/context.h"
#include "generator/ir/program.h"
#include "targets/code.h"

typedef struct fg_coder fg_coder;

fg_coder *fg_coder_create(fg_context *cx, int real_bytes, bool field);
/* Adds an instruction; its value's handle ("" where there is none). */
const char *fg_coder_add(fg_coder *c, fg_instr i);
int32_t fg_coder_value(fg_coder *c, const char *handle); /* makes an INT of a decimal number */
void fg_coder_bind(fg_coder *c, const char *name, const char *handle);
/* Row of constants or operands; returns its place. */
int32_t fg_coder_list(fg_coder *c, const int32_t *entry, int count);

/* Shorthands. NULL operands: none. */
const char *fg_coder_index(fg_coder *c, fg_code_op op, const char *a, const char *b);
const char *fg_coder_int(fg_coder *c, int64_t x);
const char *fg_coder_at(fg_coder *c, const char *pointer, const char *index, int64_t more);
const char *fg_coder_real(fg_coder *c, fg_code_op op, int lanes, const char *const operand[3]);
void fg_coder_open(fg_coder *c, fg_code_op op, const char *a); /* IF, PART */
void fg_coder_open_step(fg_coder *c);                          /* the next one */
void fg_coder_close(fg_coder *c);                              /* END */
int fg_coder_lanes(fg_coder *c, const char *handle);
fg_code_type fg_coder_type(fg_coder *c, const char *handle);

int32_t fg_coder_count(const fg_coder *c);

/* Between the two nothing is kept, and names may stand that are bound only when the
 * same is written again, in its place. */
void fg_coder_rehearse(fg_coder *c);
void fg_coder_forget(fg_coder *c);

fg_instructions *fg_coder_code(fg_coder *c);
/* The listing, one instruction a line; equal code gives equal text. */
char *fg_coder_print(fg_context *cx, const fg_instructions *code);

/* ---- prove/run_instructions.c: interpreted over a prime field --------------------------------- */
/* Runs code whose numbers are field elements; every address is inside `count[place]`
 * numbers of its place or the run ends with what is wrong in why[]. */
typedef struct fg_prove_code_memory {
  fg_gf *const *place;
  const int64_t *count;
  int nplace;
  fg_gf *const *table; /* of numbers; those of integers are the code's own */
  const int64_t *table_count;
  const int64_t *params;
} fg_prove_code_memory;
typedef struct fg_prove_code_share { /* what is run */
  int step;                          /* -1: all */
  int share, shares;
} fg_prove_code_share;
bool fg_prove_code_run(fg_context *cx, const fg_instructions *code, const fg_field *f, const fg_prove_code_memory *m,
                       const fg_prove_code_share *share, char why[128]);
#endif

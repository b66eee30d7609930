/* Records fg_instructions: the functions that lower calls if a dialect has instructions instead of text.
 *
 * lower passes values as text: a name, a decimal number, an expression. Here that text is a HANDLE: a bound name, a
 * decimal number, or "%12" for the value of instruction 12. So the same code serves both. */
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
int32_t fg_coder_count(const fg_coder *c);
/* Between the two nothing is kept, and names may be used that are bound only when the
 * same is written again, in its place. */
void fg_coder_rehearse(fg_coder *c);
void fg_coder_forget(fg_coder *c);
fg_instructions *fg_coder_code(fg_coder *c);
/* The listing, one instruction a line; equal code gives equal text. */
char *fg_coder_print(fg_context *cx, const fg_instructions *code);
#endif

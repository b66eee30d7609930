/* Records instructions: the functions that lower calls.
 *
 * lower passes values as HANDLES, which are strings: a bound name, a decimal number, or the mark of an instruction's
 * value. */
#ifndef FG_GENERATOR_CODE_H
#define FG_GENERATOR_CODE_H
#include "generator/base/context.h"
#include "generator/ir/program.h"
#include "targets/code.h"

typedef struct fg_coder fg_coder;
enum { FG_HANDLE_BEGIN = '\1', FG_HANDLE_END = ';' }; /* around a number: the value of that instruction */

fg_coder *fg_coder_create(fg_context *cx, int real_bytes, bool field);
/* Of what is written again, in its place: until then names may be used that nothing is bound to. */
fg_coder *fg_coder_rehearse(fg_context *cx, int real_bytes);

/* An instruction without operands; a value, lanes: of one. */
static inline fg_instr fg_coder_instr(fg_code_op op, fg_code_type type, int lanes) {
  return (fg_instr){.op = (uint8_t)op, .type = (uint8_t)type, .lanes = (uint8_t)lanes, .a = -1, .b = -1, .c = -1};
}
/* Adds an instruction; its value's handle ("" where there is none). */
const char *fg_coder_add(fg_coder *c, fg_instr i);
/* The same with these operands; NULL: none. */
const char *fg_coder_add_of(fg_coder *c, fg_instr i, const char *x, const char *y, const char *z);
const char *fg_coder_handle(fg_coder *c, int32_t value);
int32_t fg_coder_value(fg_coder *c, const char *handle); /* makes an INT of a decimal number */
void fg_coder_bind(fg_coder *c, const char *name, const char *handle);
/* Row of constants or operands; returns its place. */
int32_t fg_coder_list(fg_coder *c, const int32_t *entry, int count);

fg_instructions *fg_coder_code(fg_coder *c);
/* The listing, one instruction a line; equal code gives equal text. */
char *fg_coder_print(fg_context *cx, const fg_instructions *code);
#endif

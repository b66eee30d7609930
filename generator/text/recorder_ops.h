/* Shorthands for common instructions (recorder.c). NULL operands: none. */
#ifndef FG_TEXT_RECORDER_OPS_H
#define FG_TEXT_RECORDER_OPS_H
#include "generator/text/recorder.h"
#include "targets/forms/spell.h"
#include "targets/forms/storage.h"

/* Shorthands. NULL operands: none. */
const char *fg_coder_index(fg_coder *c, fg_code_op op, const char *a, const char *b);
const char *fg_coder_int(fg_coder *c, int64_t x);
/* What a function is given, or knows of its place: INDEX or POINTER; in no place of the order. Returns the name. */
const char *fg_coder_argument(fg_coder *c, fg_code_type type, const char *name);
/* Both parts as one value, or as a word of memory's type; a part of it. */
const char *fg_coder_pair(fg_coder *c, const char *re, const char *im, const fg_storage_row *word);
const char *fg_coder_part(fg_coder *c, const char *pair, int part);
const char *fg_coder_choice(fg_coder *c, const char *truth, const char *a, const char *b);        /* of two indices */
const char *fg_coder_short_quotient(fg_coder *c, const char *type, const char *a, const char *b); /* SHORT_DIV */
/* An entry of a table of integers; 0 where the truth fails; NULL: it holds. */
const char *fg_coder_entry(fg_coder *c, const char *table, const char *index, const char *truth);
const char *fg_coder_at(fg_coder *c, const char *pointer, const char *index, int64_t more);
const char *fg_coder_real(fg_coder *c, fg_code_op op, int lanes, const char *const operand[3]);
const char *fg_coder_call(fg_coder *c, fg_called which, int lanes, const char *a, const char *b);
#endif

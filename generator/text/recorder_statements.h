/* Statements: names, brackets, and lines in the words of a language. */
#ifndef FG_TEXT_RECORDER_STATEMENTS_H
#define FG_TEXT_RECORDER_STATEMENTS_H
#include "generator/text/recorder.h"

void fg_coder_line(fg_coder *c, fg_code_op op, const char *words); /* LINE or BLOCK */
void fg_coder_act(fg_coder *c, fg_code_op op);                     /* BARRIER, CLUSTER_ARRIVE, CLUSTER_WAIT */
/* What changes: a number with its first value; values of a thread's own, of an index and a constant. */
void fg_coder_variable(fg_coder *c, const char *type, const char *name, const char *first);
void fg_coder_assign(fg_coder *c, const char *name, const char *value);
void fg_coder_array(fg_coder *c, const char *type, int lanes, const char *name, int64_t count);
const char *fg_coder_element(fg_coder *c, const char *array, const char *index, int64_t more);
void fg_coder_put_element(fg_coder *c, const char *element, const char *value);
/* The name is bound from then on. */
void fg_coder_name(fg_coder *c, const char *type, const char *name, const char *handle);
void fg_coder_set(fg_coder *c, const char *name, const char *handle);

void fg_coder_open(fg_coder *c, fg_code_op op, const char *a); /* IF, PART */
void fg_coder_open_step(fg_coder *c);                          /* the next one */
void fg_coder_close(fg_coder *c);                              /* END */
#endif

/* Statements: names, brackets, acts. */
#ifndef FG_TEXT_RECORDER_STATEMENTS_H
#define FG_TEXT_RECORDER_STATEMENTS_H
#include "generator/text/recorder.h"

void fg_coder_act(fg_coder *c, fg_code_op op, int64_t imm); /* BARRIER, CLUSTER_ARRIVE, CLUSTER_WAIT, KEEP */
void fg_coder_block(fg_coder *c, const char *words);
/* The name is bound from then on. */
void fg_coder_name(fg_coder *c, const char *type, const char *name, const char *handle);
void fg_coder_set(fg_coder *c, const char *name, const char *handle);

void fg_coder_open(fg_coder *c, fg_code_op op, const char *a); /* IF, PART */
void fg_coder_open_step(fg_coder *c);                          /* the next one */
void fg_coder_close(fg_coder *c);                              /* END */
#endif

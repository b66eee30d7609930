/* What changes: variables, and arrays of a thread's own. */
#ifndef FG_TEXT_RECORDER_VARIABLES_H
#define FG_TEXT_RECORDER_VARIABLES_H
#include "generator/text/recorder.h"
#include "targets/forms/storage.h"

/* A number with its first value; values of a thread's own, of an index and a constant. */
void fg_coder_variable(fg_coder *c, const char *type, const char *name, const char *first);
void fg_coder_vector(fg_coder *c, const char *type, int lanes, const char *name); /* which has no value yet */
const char *fg_coder_one(fg_coder *c, const char *name);                          /* ONE */
void fg_coder_assign(fg_coder *c, const char *name, const char *value);
void fg_coder_array(fg_coder *c, const char *type, int lanes, const char *name, int64_t count);
void fg_coder_words(fg_coder *c, const fg_storage_row *row, const char *name,
                    int64_t count); /* of pairs, a word each */
void fg_coder_begin_with_zeros(fg_coder *c, const char *array);
const char *fg_coder_element(fg_coder *c, const char *array, const char *index, int64_t more);
void fg_coder_put_element(fg_coder *c, const char *element, const char *value);
#endif

/* A file of wisdom that every plan uses: read once, and again if its size, times or inode have changed. Its contents
 * stay in memory, outside of any plan, until the library is unloaded. */
#ifndef FG_CONSULT_H
#define FG_CONSULT_H
#include "runtime/store/wisdom.h"

/* What is asked; w and its texts last as long as the call. It may run out of memory. */
typedef void fg_consult_question(void *data, const fg_wisdom *w);
/* Warns about lines as fg_wisdom_load does, each time, and fails as it does; then asks. */
fg_status fg_consult(fg_context *cx, const char *path, fg_wisdom_warn warn, fg_consult_question *ask, void *data);
#endif

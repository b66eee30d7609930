/* Changes of a file of wisdom, under its lock, by renaming a new file. */
#ifndef FG_WISDOM_FILE_H
#define FG_WISDOM_FILE_H
#include "runtime/store/wisdom.h"

/* Puts entries into a file: under its lock, by renaming a new one. Other
 * lines are kept, but for slower ones of the same device, problem, target, generator
 * and compiler. FG_ESYS: nothing has changed. */
fg_status fg_wisdom_add(fg_context *cx, const char *path, const fg_wisdom_entry *entry, int count, fg_wisdom_warn warn);
/* The same for lines of text, unchanged. */
fg_status fg_wisdom_merge(fg_context *cx, const char *path, const fg_wisdom *more, fg_wisdom_warn warn);
/* Takes lines of the key's device away, those about its problem or, where that is NULL, all. */
fg_status fg_wisdom_forget(fg_context *cx, const char *path, const fg_wisdom_entry *key, fg_wisdom_warn warn);
/* Replaces the file by these lines, under the lock that the caller holds. */
fg_status fg_wisdom_write(fg_context *cx, const char *path, const fg_wisdom *w);
#endif

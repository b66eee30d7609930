/* Names that users choose for emitted code. */
#ifndef FG_NAMES_H
#define FG_NAMES_H
#include "generator/base/context.h"
#include "targets/dialect.h"

/* Whether symbols and files of a dialect may begin with a name, which consists of
 * letters, digits and underscores. what: the option's name, for the complaint. */
fg_status fg_names_check(fg_context *cx, const fg_dialect *d, const char *what, const char *name);
#endif

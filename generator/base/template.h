/* Templates: substitution and repetition, nothing else. ${name} is replaced; a
 * line "@each list" ... "@end" repeats its lines for every row of a list, with
 * the row's fields as ${list.field}; a line "@if name" ... "@end" stays when the
 * value is not empty. Rows may have lists of their own: "@each list.inner".
 * Templates are compiled into the program. */
#ifndef FG_TEMPLATE_H
#define FG_TEMPLATE_H
#include "generator/base/context.h"
#include "generator/base/strbuf.h"

typedef struct fg_template_values fg_template_values; /* names and values, lists of rows */
fg_template_values *fg_template_create(fg_context *cx);
void fg_template_set(fg_template_values *v, const char *name, const char *text); /* copies */
void fg_template_setf(fg_template_values *v, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void fg_template_list(fg_template_values *v, const char *list);                   /* a list that may stay empty */
fg_template_values *fg_template_add_row(fg_template_values *v, const char *list); /* a new row of a list */

/* FG_ESYS naming template, line and name when a name is unknown. */
fg_status fg_template_expand(fg_context *cx, const char *template_name, const fg_template_values *v, fg_strbuf *out);
/* The same for a text that is not compiled in. */
fg_status fg_template_expand_text(fg_context *cx, const char *template_name, const char *text,
                                  const fg_template_values *v, fg_strbuf *out);
#endif

/* Entry points that run a part of one step, so that several threads do a transform together. */
#ifndef FG_LOWER_PARALLEL_ENTRY_H
#define FG_LOWER_PARALLEL_ENTRY_H
#include "generator/base/template.h"
#include "generator/text/emitter.h"

typedef struct fg_parallel_text {
  const char *head; /* "void NAME_part(...)" */
  const char *call; /* of it, arguments from arrays */
} fg_parallel_text;

/* v has the list of pointers. */
fg_status fg_lower_parallel_entry(fg_emitter *e, const fg_parallel_text *t, fg_template_values *v, fg_strbuf *out);
#endif

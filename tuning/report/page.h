/* The report of a tuning run: CSV, one row for each candidate; or one HTML page without external files, with the
 * candidates' times and a roofline as plots. */
#ifndef FG_PAGE_H
#define FG_PAGE_H
#include "generator/base/context.h"
#include <cjson/cJSON.h>

typedef struct fg_page_head { /* the text above an HTML page's plots */
  const char *machine, *device, *date, *version, *command;
} fg_page_head;

/* list: what `fftgen tune --json` prints. head NULL: CSV. *out in cx's arena. */
fg_status fg_page_create(fg_context *cx, const fg_page_head *head, const cJSON *list, char **out);
#endif

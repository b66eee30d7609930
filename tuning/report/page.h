/* The report of a tuning run: CSV, one row for each candidate; or one HTML page
 * that needs nothing else, with the candidates' times and a roofline as plots. */
#ifndef FG_PAGE_H
#define FG_PAGE_H
#include "generator/base/context.h"
#include <cjson/cJSON.h>

/* list: what `fftgen tune --json` prints. html: else CSV. *out in cx's arena. */
fg_status fg_page_create(fg_context *cx, const cJSON *list, bool html, char **out);
#endif

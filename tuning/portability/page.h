/* The report of a portability run: CSV, one row for each number; or one HTML page without external files, with
 * plots. */
#ifndef FG_PORT_PAGE_H
#define FG_PORT_PAGE_H
#include "generator/base/context.h"
#include <cjson/cJSON.h>

/* all: what fg_port_measure made. html: else CSV. *out in cx's arena. */
fg_status fg_port_page_create(fg_context *cx, const cJSON *all, bool html, char **out);
#endif

/* Reports: results as JSON objects (the caller deletes them) and text columns. */
#ifndef FG_REPORT_H
#define FG_REPORT_H
#include "generator/prove/prove.h"
#include "tuning/report/bench.h"
#include <cjson/cJSON.h>

/* proof, text NULL: left out. */
cJSON *fg_report_verify(const fg_verified *v, const fg_proof *proof, const fg_text_proof *text);
cJSON *fg_report_bench(const fg_bench *b);

/* For people, up to 100 columns wide: the head of a table, and one row, with its newlines. What is long, and what is
 * slow in a program, has lines of its own below. */
enum { FG_REPORT_WIDTH = 100 };
const char *fg_report_title(fg_context *cx, const fg_bench *b);  /* the device */
const char *fg_report_wrapped(fg_context *cx, const char *text); /* what does not fit is indented */
const char *fg_report_head(void);
const char *fg_report_row(fg_context *cx, const fg_bench *b);
#endif

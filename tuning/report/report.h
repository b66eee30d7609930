/* Reports: results as JSON objects (the caller deletes them) and text columns. */
#ifndef FG_REPORT_H
#define FG_REPORT_H
#include "generator/prove/prove.h"
#include "tuning/report/bench.h"
#include <cjson/cJSON.h>

/* proof, text NULL: left out. */
cJSON *fg_report_verify(const fg_verified *v, const fg_proof *proof, const fg_text_proof *text);
cJSON *fg_report_bench(const fg_bench *b);

/* A table for people: heads and the cells of one row, the same count. */
enum { FG_REPORT_COLUMNS = 11 };
extern const char *const fg_report_heads[FG_REPORT_COLUMNS];
void fg_report_row(fg_context *cx, const fg_bench *b, const char *cell[FG_REPORT_COLUMNS]);
#endif

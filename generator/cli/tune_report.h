/* What tune says about itself: its command line, the date, a report of all candidates. */
#ifndef FG_CLI_TUNE_REPORT_H
#define FG_CLI_TUNE_REPORT_H
#include "generator/cli/cli.h"
#include <cjson/cJSON.h>

const char *fg_cli_tune_command(fg_context *cx, int argc, char **argv); /* as a shell takes it */
const char *fg_cli_tune_date(fg_context *cx);                           /* today, UTC: "2026-11-28" */
bool fg_cli_tune_report_name(const char *name);                         /* .csv or .html */
/* Writes all candidates of `list`, what tune prints with --json, for people to read. */
fg_status fg_cli_tune_report(fg_context *cx, const char *name, const cJSON *list, const fg_device *device,
                             const fg_device_facts *facts, const char *command);
#endif

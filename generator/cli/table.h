/* Results of a subcommand: tables of text, or one JSON value. */
#ifndef FG_CLI_TABLE_H
#define FG_CLI_TABLE_H
#include "generator/cli/cli.h"

/* Prints on one line and deletes it. */
fg_status fg_cli_print_json(fg_context *cx, cJSON *json);
/* A table of text whose columns are as wide as they must be. */
typedef struct fg_cli_table fg_cli_table;
fg_cli_table *fg_cli_table_create(fg_context *cx, int columns, const char *const *heads);
/* The next cell, row by row. What begins as a number, and
 * is no sentence with a colon, is aligned to the right. */
void fg_cli_cell(fg_cli_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fg_cli_table_print(const fg_cli_table *t);
/* At most 100 columns wide: the longest texts are broken, after commas and blanks where they can be. */
void fg_cli_table_print_narrow(const fg_cli_table *t);
#endif

/* Options: parsed by argp, with error messages of one line. */
#ifndef FG_CLI_PARSE_H
#define FG_CLI_PARSE_H
#include "generator/cli/cli.h"

/* The row of the table of machines of that name; NULL: a message names those that there are. */
const fg_machine *fg_cli_machine(const struct argp_state *state, const char *name);
/* A first argument that is no action of a subcommand. */
fg_status fg_cli_no_action(fg_context *cx, const char *command, const char *word, fg_words_name actions);
/* argp_parse that complains through cx: one line, exit code 2. */
fg_status fg_cli_parse(fg_context *cx, const struct argp *argp, int argc, char **argv, void *input);
/* Inside a parser: stores the message and ends the parse. */
error_t fg_cli_refuse(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a word that `name` does not have, with what is near and what is allowed. */
error_t fg_cli_refuse_word(const struct argp_state *state, const char *option, const char *word, fg_words_name name);
/* What argp gave up at: a message of its own, unless there is one. In a parser, for ARGP_KEY_ERROR. */
void fg_cli_blame_option(const struct argp_state *state);
/* --output of what writes into a folder. */
error_t fg_cli_folder(const struct argp_state *state, const char *arg, const char **folder);
/* A whole number, decimal, in lo..hi. */
bool fg_cli_number(const char *text, int64_t lo, int64_t hi, int64_t *out);
#endif

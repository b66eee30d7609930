/* What the subcommands of fftgen share: the table's row, the options that choose
 * a kernel, and how results are printed.
 *
 * A subcommand is one file here plus one row in commands.c. Like the tests
 * it sits above tuning/: nothing in generator/ itself may know of it. */
#ifndef FG_CLI_H
#define FG_CLI_H
#include "generator/base/text_match.h"
#include "generator/pipeline/pipeline.h"
#include <argp.h>
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct fg_cli_word {
  const char *name, *help; /* one line */
} fg_cli_word;

typedef struct fg_command {
  const char *name;
  const char *help;                                        /* one line */
  const struct argp *argp;                                 /* its options and long help; NULL: none */
  fg_status (*run)(fg_context *cx, int argc, char **argv); /* argv[0]: "fftgen NAME" */
  const fg_cli_word *(*action)(
      int i); /* what its first argument may be, NULL after the last; NULL: a problem, or nothing */
} fg_command;

enum { FG_CLI_PROBLEMS = 256, FG_CLI_RECIPES = 16 };

/* What the options that most subcommands have ask for. */
typedef struct fg_choice {
  const char *problem[FG_CLI_PROBLEMS]; /* the arguments that are no options */
  const char *name[FG_CLI_PROBLEMS];    /* of problem i, "forward" of forward="c2c f32 n=8"; NULL: none */
  bool may_name;                        /* allowed; set by the subcommand */
  int nproblem;
  int most_problems;                  /* allowed; set by the subcommand */
  bool may_be_empty;                  /* none need be given */
  const char *target;                 /* dialect: "c", "opencl" */
  const char *isa;                    /* NULL: the widest that runs here */
  const char *plan;                   /* text; NULL: the best candidate */
  const char *wisdom;                 /* file that measured plans come from; NULL: the user's */
  bool no_wisdom;                     /* none but the model's */
  const char *recipe[FG_CLI_RECIPES]; /* files */
  int nrecipe;
  const fg_machine *machine; /* that is planned for; NULL: what is here, or the target's usual one */
  const char *device;        /* NULL: the target's first that is here */
  const char *compiler;      /* NULL: the best found */
  uint64_t seed;             /* of random inputs and primes */
  bool json;
} fg_choice;

/* Groups of shared options, to be put into argp's children. Their input is a
 * fg_choice. */
extern const struct argp fg_cli_problem_argp; /* PROBLEM..., --json */
extern const struct argp fg_cli_kernel_argp;  /* --target --isa --plan --recipe */
extern const struct argp fg_cli_device_argp;  /* --device --compiler --seed */
extern const struct argp fg_cli_arch_argp;    /* --arch */

/* The target: the one that was asked for, else the first of the machine that was, else C. */
const char *fg_cli_target(fg_context *cx, const fg_choice *c);
/* The row of the table of machines of that name; NULL: a message names those that there are. */
const fg_machine *fg_cli_machine(const struct argp_state *state, const char *name);

/* A first argument that is no action of a subcommand. */
fg_status fg_cli_no_action(fg_context *cx, const char *command, const char *word, fg_words_name actions);

/* What the pipeline is asked for; problem i of the choice. */
fg_request fg_cli_request(const fg_choice *c, int i);

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

/* A line on a terminal while cx's work takes long. */
void fg_cli_progress_begin(fg_context *cx);
/* Also where there is no terminal: a line for each step. */
void fg_cli_progress_steps(fg_context *cx);
void fg_cli_progress_end(void);

/* Prints on one line and deletes it. */
fg_status fg_cli_print_json(fg_context *cx, cJSON *json);

/* A table of text whose columns are as wide as they must be. */
typedef struct fg_cli_table fg_cli_table;
fg_cli_table *fg_cli_table_create(fg_context *cx, int columns, const char *const *heads);
/* The next cell, row by row. What begins as a number, and
 * is no sentence with a colon, is aligned to the right. */
void fg_cli_cell(fg_cli_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fg_cli_table_print(const fg_cli_table *t);

const char *fg_cli_effort(int i); /* of --effort (bench); NULL after the last */

/* The subcommands, NULL-terminated, and a name of that table. */
extern const fg_command *const fg_cli_commands[];
const char *fg_cli_command_name(int i);

/* The rows of the table of subcommands. */
extern const fg_command fg_cli_emit, fg_cli_plan, fg_cli_ops, fg_cli_verify, fg_cli_bench, fg_cli_devices, fg_cli_tune,
    fg_cli_wisdom, fg_cli_pack, fg_cli_model, fg_cli_help, fg_cli_version;
#endif

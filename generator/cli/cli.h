/* Declarations that the subcommands of fftgen share: a row of the table, the options that choose a kernel, and the
 * printing of results.
 *
 * A subcommand is one file here plus one row in commands.c. Like the tests it may use tuning/; no other room of
 * generator/ may use this folder. */
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
      int i);        /* what its first argument may be, NULL after the last; NULL: a problem, or nothing */
  bool runs_another; /* from the first argument that is no option on, they are another program's */
} fg_command;

enum { FG_CLI_PROBLEMS = 4096, FG_CLI_RECIPES = 16 };

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
  const char *wisdom;                 /* file of measured plans; NULL: the user's */
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
#define FG_CLI_GROUP(name)                                                                                             \
  { &fg_cli_##name##_argp, 0, NULL, 0 }
extern const struct argp fg_cli_problem_argp; /* PROBLEM..., --json */
extern const struct argp fg_cli_kernel_argp;  /* --target --isa --plan --recipe */
extern const struct argp fg_cli_device_argp;  /* --device --compiler --seed */
extern const struct argp fg_cli_arch_argp;    /* --arch */
/* The target: the one that was asked for, else the first of the machine that was, else C. */
const char *fg_cli_target(const fg_choice *c);
/* What the pipeline is asked for; problem i of the choice. */
fg_request fg_cli_request(const fg_choice *c, int i);
/* A line on standard error, a callback for warnings (fg_wisdom_warn); it does not use the context. */
void fg_cli_warn(void *context, const char *message);
const char *fg_cli_effort(int i); /* of --effort (bench); NULL after the last */
/* The subcommands, NULL-terminated, and a name of that table. */
extern const fg_command *const fg_cli_commands[];
const char *fg_cli_command_name(int i);
/* The rows of the table of subcommands. */
extern const fg_command fg_cli_emit, fg_cli_plan, fg_cli_ops, fg_cli_verify, fg_cli_bench, fg_cli_devices, fg_cli_tune,
    fg_cli_wisdom, fg_cli_pack, fg_cli_model, fg_cli_run_with, fg_cli_help;
#endif

/* Wisdom for subcommands: --wisdom, --no-wisdom, and the plan that a line has for a problem. */
#ifndef FG_CLI_ADVICE_H
#define FG_CLI_ADVICE_H
#include "generator/cli/cli.h"

typedef struct fg_cli_advisor { /* the device for which plans are chosen */
  const fg_choice *choice;
  const fg_device_facts *facts; /* of the device that is here; NULL: the CPU's, or the choice's machine */
  const char *target;           /* as wisdom has it */
  const char *isa;              /* that the plan must be for; NULL: any that this CPU has */
  bool any_device;              /* a source that any compiler may compile */
} fg_cli_advisor;

typedef struct fg_cli_advice {
  const char *plan; /* NULL: none */
  const char *isa;  /* that it was measured with; NULL: none has a name */
  const char *from; /* "line 3 of wisdom.jsonl: measured ..." */
} fg_cli_advice;

/* --wisdom and --no-wisdom; input: a fg_choice. */
extern const struct argp fg_cli_wisdom_argp;

/* The entry of wisdom for this problem: from the user's file or --wisdom's first, then from the wisdom shipped with
 * fftgen. Warnings about a file are printed once. */
fg_status fg_cli_advise(fg_context *cx, const fg_cli_advisor *a, const char *problem, fg_cli_advice *out);
/* The same into a request for problem i that has no plan yet; a line on standard error says which one is used. */
fg_status fg_cli_advise_request(fg_context *cx, const fg_cli_advisor *a, int i, fg_request *request);
/* A compilation of the only problem, whose plan is decided: a given one, wisdom's, or the model's. */
fg_status fg_cli_decide(fg_context *cx, const fg_choice *choice, fg_compilation *c);
/* In wisdom, the name of a device: on this CPU its fingerprint. */
const char *fg_cli_device_key(fg_context *cx, bool on_host, const fg_device_facts *facts);
#endif

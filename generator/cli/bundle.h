/* fftgen emit --bundle and --embedded, called by cli/emit.c. */
#ifndef FG_CLI_BUNDLE_H
#define FG_CLI_BUNDLE_H
#include "generator/bundle/bundle.h"
#include "generator/cli/cli.h"

typedef struct fg_cli_bundle {
  fg_choice *choice;
  const char *name, *folder;
  const char *measure; /* compiler with its flags; NULL: sizes are estimated */
  int64_t most_code;   /* 0: any */
  bool embedded, work;
} fg_cli_bundle;

/* Which instruction sets it has: the same on every machine, whatever this one has. */
fg_status fg_cli_bundle_isas(fg_context *cx, const fg_cli_bundle *o, fg_bundle_request *r);
fg_status fg_cli_bundle_emit(fg_context *cx, const fg_cli_bundle *order);
#endif

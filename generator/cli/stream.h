/* Streams by the command line: emit --stream, called by emit.c, and tune --stream, called by tune.c. */
#ifndef FG_CLI_STREAM_H
#define FG_CLI_STREAM_H
#include "generator/cli/cli.h"
#include "generator/stream/stream.h"

typedef struct fg_cli_stream {
  fg_choice *choice;
  const char *name, *folder;
} fg_cli_stream;

/* What the command line asks for, its text read. */
fg_status fg_cli_stream_request(fg_context *cx, const fg_cli_stream *order, fg_stream_request *out);
/* fftgen tune --stream: stream_tune.c. */
fg_status fg_cli_stream_tune(fg_context *cx, const fg_cli_stream *order);
fg_status fg_cli_stream_emit(fg_context *cx, const fg_cli_stream *order);
#endif

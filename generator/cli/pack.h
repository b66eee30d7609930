/* fftgen pack, in two parts: shared objects for CPUs (pack.c), packages for devices
 * that launch kernels (pack_device.c). */
#ifndef FG_CLI_PACK_H
#define FG_CLI_PACK_H
#include "generator/base/strbuf.h"
#include "generator/cli/run.h"

typedef struct fg_cli_pack_order {
  const fg_choice *choice;
  const char *folder;
  const char *arch; /* list, separated by commas; NULL: sources alone */
  bool no_code;     /* sources for those, too */
} fg_cli_pack_order;

/* Packages of all problems for choice->target, and the lines of the index. */
fg_status fg_cli_pack_for_device(fg_context *cx, const fg_cli_pack_order *o, fg_strbuf *index);
#endif

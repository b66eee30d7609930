/* The program that launches kernels, and compares where there is a definition (tested). */
#ifndef FG_PRINT_HOST_PROGRAM_H
#define FG_PRINT_HOST_PROGRAM_H
#include "generator/text/emitter.h"

const char *fg_emit_host_ending(const fg_dialect *d); /* of its name */
fg_status fg_emit_host(const fg_emitter *e, const fg_artifact *a, bool tested, fg_strbuf *out);
#endif

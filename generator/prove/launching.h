/* What is handed out for launching kernels, read again: their manifest, and a program. */
#ifndef FG_PROVE_LAUNCHING_H
#define FG_PROVE_LAUNCHING_H
#include "generator/print/emit.h"

/* The file whose name ends so; NULL: there is none. */
const fg_file *fg_prove_file_of(const fg_emitted *e, const char *ending);
/* The program that launches. */
const fg_file *fg_prove_host_file(const fg_emitted *e);
/* Whether the manifest, where there is one, says of arrays, tables and launches what the proved artifact does. */
bool fg_prove_manifest(fg_context *cx, const fg_program *p, const fg_emitted *e, char failure[256]);
/* Whether the rows of the host program, where there is one, do. */
bool fg_prove_host_rows(fg_context *cx, const fg_program *p, const fg_emitted *e, char failure[256]);

#endif

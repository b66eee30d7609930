/* Emit: program -> source text through a dialect and templates, with manifest. */
#ifndef FG_EMIT_H
#define FG_EMIT_H
#include "generator/program.h"
#include "targets/device.h"
#include "targets/dialect.h"

typedef struct fg_emit_options {
  const fg_dialect *dialect;
  const fg_isa *isa;     /* C: flags, vector width; NULL: scalar */
  const char *prefix;    /* symbol name; NULL: made from the problem ("fft_c2c_f32_n1024_fwd") */
  const char *command;   /* provenance: the command that made it */
  bool entry;            /* also the uniform NAME_entry for devices */
  const fg_field *field; /* the gf dialect: literals are images in this field */
  bool self_test;        /* --self-test: a main() that checks against a naive DFT */
} fg_emit_options;

typedef struct fg_file {
  const char *name, *text;
  size_t bytes;
} fg_file;

typedef struct fg_emitted {
  fg_artifact artifact; /* source = file[0].text */
  int nfile;
  fg_file file[4]; /* C: NAME.c, NAME.h; OpenCL: NAME.cl, NAME.json (manifest), NAME_host.c */
} fg_emitted;

fg_status fg_emit(fg_context *cx, const fg_program *p, const fg_emit_options *options, fg_emitted *out);
/* Default symbol name of a problem. */
char *fg_emit_name(fg_context *cx, const fg_problem *p);
#endif

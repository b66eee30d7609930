/* Emit: program -> source text through a dialect and templates, with manifest. */
#ifndef FG_EMIT_H
#define FG_EMIT_H
#include "generator/program.h"
#include "generator/strbuf.h"
#include "targets/device.h"
#include "targets/dialect.h"

/* Tables of several pieces: equal ones once. */
typedef struct fg_table_pool fg_table_pool;

typedef struct fg_emit_options {
  const fg_dialect *dialect;
  const fg_isa *isa;         /* C: flags, vector width; NULL: scalar */
  const char *prefix;        /* symbol name; NULL: made from the problem ("fft_c2c_f32_n1024_fwd") */
  const char *macro;         /* start of every macro's name; NULL: the symbol name in capitals */
  const char *command;       /* provenance: the command that made it */
  const fg_machine *machine; /* provenance: that it was planned for; NULL: none was named */
  bool entry;                /* also the uniform NAME_entry for devices */
  const fg_field *field;     /* the gf dialect: literals are images in this field */
  bool self_test;            /* --self-test: a main() that checks against a naive DFT */
  bool static_tables;        /* tables are arrays in the source, however large */
  fg_table_pool *pool;       /* fg_emit_piece: where arrays go */
} fg_emit_options;

typedef struct fg_file {
  const char *name, *text;
  size_t bytes;
} fg_file;

typedef struct fg_emitted {
  fg_artifact artifact; /* source = file[0].text */
  int nfile;
  fg_file file[4]; /* C: NAME.c, NAME.h; OpenCL: NAME.cl, NAME_cl.json (manifest), NAME_cl_host.c */
} fg_emitted;

fg_status fg_emit(fg_context *cx, const fg_program *p, const fg_emit_options *options, fg_emitted *out);

typedef enum fg_piece_arg_kind { FG_PIECE_ARRAY, FG_PIECE_SCRATCH, FG_PIECE_TABLES, FG_PIECE_PARAM } fg_piece_arg_kind;

typedef struct fg_piece_arg {
  fg_piece_arg_kind kind;
  const char *declared; /* "const float *DSP_RESTRICT in" */
} fg_piece_arg;

/* A program as part of a file that holds several (bundle.c). */
typedef struct fg_piece {
  const char *name; /* of its function */
  const char *body; /* static functions, that one after what it calls */
  int narg;
  fg_piece_arg arg[80];
  int nabout;
  const char *about[40];              /* what its arrays and parameters are, lines for people */
  const char *real;                   /* type */
  int64_t scratch_bytes, table_bytes; /* that its caller provides */
  uint64_t lanes;                     /* sum of the vector widths that occur */
  const char *vector_types;           /* their declarations; pieces of one precision agree */
} fg_piece;
/* C only. The vectors' names get the precision; tables go into options->pool. */
fg_status fg_emit_piece(fg_context *cx, const fg_program *p, const fg_emit_options *options, fg_piece *out);

/* The definitions of the macros that pieces use, or those that their vectors do: once in the file. */
const char *fg_emit_macros(fg_context *cx, const fg_dialect *dialect, const char *macro, bool vectors);

fg_table_pool *fg_table_pool_create(fg_context *cx, const char *prefix);
void fg_table_pool_level(fg_table_pool *pool, int level); /* of the pieces from now on */
/* Those that pieces of this level used first; returns their bytes. */
int64_t fg_table_pool_write(const fg_table_pool *pool, int level, int align, fg_strbuf *out);

/* Default symbol name of a problem. */
char *fg_emit_name(fg_context *cx, const fg_problem *p);
#endif

/* Emit: program -> source text through a dialect and templates, with manifest. */
#ifndef FG_EMIT_H
#define FG_EMIT_H
#include "generator/base/files.h"
#include "generator/text/options.h"

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
  bool fences;                        /* the dialect's fence occurs */
  bool apart;                         /* the dialect's apart_option is wanted */
  const char *vector_types;           /* their declarations, and functions of them; pieces of one precision agree */
  const char *helpers;                /* functions of numbers that the body calls, and what declares others */
} fg_piece;
/* C only. The vectors' names get the precision; tables are added to options->pool. */
fg_status fg_emit_piece(fg_context *cx, const fg_program *p, const fg_emit_options *options, fg_piece *out);

/* Definitions of macros, a text of the dialect's, as the file has them once; "": there are none. */
const char *fg_spell_macros(fg_context *cx, const fg_dialect *dialect, const char *macro, const char *text);

/* Default symbol name of a problem. */
char *fg_emit_name(fg_context *cx, const fg_problem *p);
#endif

/* What whoever emits asks for. */
#ifndef FG_TEXT_OPTIONS_H
#define FG_TEXT_OPTIONS_H
#include "generator/base/strbuf.h"
#include "generator/ir/program.h"
#include "targets/device.h"
#include "targets/dialect.h"

/* Tables of several pieces: equal ones once. */
typedef struct fg_table_pool fg_table_pool;

typedef struct fg_emit_options {
  const fg_dialect *dialect;
  const fg_isa *isa;     /* C: flags, vector width; NULL: scalar */
  const char *prefix;    /* symbol name; NULL: made from the problem ("fft_c2c_f32_n1024_fwd") */
  const char *macro;     /* start of every macro's name; NULL: the symbol name in capitals */
  const char *command;   /* provenance: the command that made it */
  bool entry;            /* also the uniform NAME_entry for devices */
  const fg_field *field; /* the gf dialect: literals are images in this field */
  bool self_test;        /* --self-test: a main() that checks against a naive DFT */
  bool static_tables;    /* tables are arrays in the source, however large */
  fg_table_pool *pool;   /* fg_emit_piece: where arrays go */
} fg_emit_options;
#endif

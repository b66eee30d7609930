/* Options of an emission. */
#ifndef FG_TEXT_OPTIONS_H
#define FG_TEXT_OPTIONS_H
#include "generator/base/strbuf.h"
#include "generator/ir/program.h"
#include "targets/device.h"

/* Tables of several pieces: equal ones once. */
typedef struct fg_table_pool fg_table_pool;

/* What the text says to the proof that runs a sample of its iterations. */
typedef struct fg_text_map {
  bool joined[FG_MAX_BUFFERS];  /* kernels whose stages are one function: their loops are written out */
  bool scratch[FG_MAX_BUFFERS]; /* buffers that are in the caller's scratch, */
  int64_t offset[FG_MAX_BUFFERS], part_offset[FG_MAX_BUFFERS]; /* there; from part to part; reals */
} fg_text_map;

/* A stage's number there, of a joined kernel's stages the first one's. */
static inline int fg_text_stage_number(int kernel, int stage) { return kernel * FG_MAX_DIGITS + stage; }

/* A loop's number there, its digit FG_MAX_DIGITS the one over all threads. */
static inline int fg_text_loop_number(int kernel, int digit) { return kernel * (FG_MAX_DIGITS + 1) + digit; }

enum { FG_LARGEST_FILL = 8 << 20 /* bytes of tables that a proof of text fills, or reads back */ };

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
  bool sources_alone;  /* the kernels are not launched here: tables over FG_LARGEST_FILL are emitted without contents */
  fg_strbuf *listing;  /* the instructions of each function are added to it; NULL: they are not */
  fg_table_pool *pool; /* fg_emit_piece: arrays are added to it */
  fg_text_map *map;    /* filled; in dialects of the proof loops ask which iterations they are to leave out, then;
                        * NULL: they do all */
} fg_emit_options;
#endif

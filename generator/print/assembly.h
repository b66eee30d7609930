/* A file under construction, which emit.c, arguments.c and launch.c write. */
#ifndef FG_EMIT_ASSEMBLY_H
#define FG_EMIT_ASSEMBLY_H
#include "generator/lower/memory.h"
#include "generator/print/emit.h"
#include "generator/text/emitter.h"

#define FG_QUEUE_PLACE "queue" /* a queue's counters, an argument slot */

typedef struct fg_arguments {
  int n;
  const char *declared[FG_MAX_ITEMS]; /* of the public function */
  const char *given[FG_MAX_ITEMS];    /* by the entry: "arguments[1]" */
  fg_piece_arg_kind kind[FG_MAX_ITEMS];
} fg_arguments;

typedef struct fg_assembly { /* a file in work */
  fg_emitter *e;
  fg_uses uses[FG_MAX_BUFFERS], all; /* per kernel; together */
  fg_uses queued;                    /* of the two that a queue joins */
  fg_strbuf kernels;
  fg_arguments arguments;
  fg_artifact *artifact;
  int table_place;
  fg_strbuf slots; /* for people: "in, out, scratch" */
} fg_assembly;

/* The arrays, scratch, tables and parameters of the whole, as arguments and as the artifact's argument slots. */
fg_status fg_assembly_arguments(fg_assembly *a);
/* How its kernels are launched, into the artifact. */
fg_status fg_assembly_launches(fg_assembly *a);
#endif

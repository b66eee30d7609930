/* The state of a file being written: a program, a dialect, names, and decisions for the whole file. */
#ifndef FG_TEXT_EMITTER_H
#define FG_TEXT_EMITTER_H
#include "generator/text/options.h"
#include "generator/text/recorder.h"

/* Memory of a buffer that is no alias, as emitted. */
typedef struct fg_memory {
  const char *name; /* "in"; in two parts: "in_re", "in_im" */
  bool parts;       /* two pointers */
  bool written;     /* by some stage */
  bool used;        /* by some stage */
  int64_t offset;   /* WORK, LOCAL: in the scratch; tables of one block: in that; reals */
} fg_memory;

/* What a piece of text mentions: its parameters. */
typedef struct fg_uses {
  bool memory[FG_MAX_BUFFERS], stored[FG_MAX_BUFFERS];
  bool imaginary[FG_MAX_BUFFERS]; /* the second pointer of memory in two parts */
  bool digit[FG_MAX_DIGITS];
  bool param[FG_MAX_PARAMS];
} fg_uses;

/* What runs between two waits of all parts: a kernel, or a stage of one. */
typedef struct fg_parallel_step {
  int kernel, stage; /* -1: the kernel as a whole */
  const fg_uses *uses;
} fg_parallel_step;

typedef struct fg_emitter {
  fg_context *cx;
  const fg_program *p;
  const fg_emit_options *o;
  const fg_dialect *d;
  const char *name;  /* prefix of every symbol */
  const char *macro; /* of every macro */
  const char *real;  /* type */
  int real_bytes;    /* of the dialect's type */
  fg_precision precision;
  const char *index;                               /* type of addresses */
  bool launched;                                   /* kernels run in blocks of threads */
  const char *restrict_word, *stage_restrict_word; /* the dialect's, spelled */
  fg_memory memory[FG_MAX_BUFFERS];
  bool is_piece;                /* of a file with others: everything is static */
  bool static_tables;           /* tables are arrays in the source */
  int64_t scratch;              /* reals */
  int64_t table_block;          /* reals of the caller's table memory; 0: none */
  int64_t table_bytes;          /* of that memory, with what filling it needs */
  int64_t init_work;            /* where in it filling works: bytes */
  const fg_padded_form *padded; /* of all its vectors, which are of two numbers; NULL: they are as wide as they say */
  uint64_t lanes;               /* sum of the widths that occur, powers of two */
  uint64_t streams;             /* of those that are stored past the caches */
  uint64_t swaps;               /* of those whose neighbours change places in words */
  struct fg_forward **forwards; /* per kernel; NULL: its stages are functions */
  struct fg_forward *forward;   /* of the kernel in work */
  bool held[FG_MAX_BUFFERS];    /* buffers that are values */
  fg_coder *coder;              /* of what is being recorded */
  const char *queued[FG_QUEUE_KERNELS]; /* calls of its kernels' functions, for a tile of the queue */
  bool parts;                           /* parts of steps have entry points */
  int nstep;
  fg_parallel_step *step;
  int64_t part_scratch;   /* reals more, for each part but the first */
  bool fences;            /* the dialect's fence occurs */
  bool apart;             /* long code of vectors does, and the dialect says what keeps its stores apart */
  unsigned calls;         /* functions that occur: bits by fg_called */
  uint64_t call_lanes;    /* sum of the widths in which they do */
  bool guarded;           /* loads through the dialect's pair_where or number_where occur */
  uint64_t stored[2][16]; /* the same for rows of the dialect's storage table: loads, stores */
} fg_emitter;

/* Whether the widest vectors of the machine, which are these, pass units half as wide; and change neighbours as words.
 */
bool fg_spell_is_double_pumped(const fg_emitter *e);
bool fg_spell_swaps_words(const fg_emitter *e);
#endif

/* fg_dialect: the spellings of a target of the C family, a const struct. The code that uses it (generator/text,
 * generator/lower) has no condition on a target.
 *
 * Spellings are texts with placeholders: %a %b %c operands, %p pointer, %v value, %i index or list of indices, %h
 * index in hexadecimal, %T type of a real number, %V vector type, %U the same without alignment, %W of words of its
 * bytes, %F suffix of literals, %N lanes, %B bytes of a vector, %R bytes of a real, %P type of a complex number, %S
 * words of a memory's space, %Q prefix of macros' names. */
#ifndef FG_DIALECT_H
#define FG_DIALECT_H
#include "targets/forms/arguments.h"
#include "targets/forms/async_copy.h"
#include "targets/forms/cluster.h"
#include "targets/forms/function.h"
#include "targets/forms/lane.h"
#include "targets/forms/matrix.h"
#include "targets/forms/persistent.h"
#include "targets/forms/spell.h"
#include "targets/forms/storage.h"
#include "targets/forms/vector.h"
#include "targets/isa.h"
#include "targets/machine/machine.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FG_LONG_CODE = 350 }; /* operations without a branch, from which on pointers are fenced */

/* Who holds the tables. */
typedef enum fg_table_home {
  FG_TABLES_STATIC, /* arrays in the source; one block of memory from the caller when they are large */
  FG_TABLES_EACH,   /* a pointer for each, from the caller */
  FG_TABLES_DATA,   /* in the source, however large */
} fg_table_home;

typedef struct fg_dialect {
  const char *name;      /* "c", "opencl", "gf" */
  const char *extension; /* of emitted files: ".c", ".cl" */
  const char *note;      /* for the head of every source: how to build it; lines without comment marks */
  const char *note_code; /* what the note names as architecture, to be replaced by that of the machine; NULL: none */
  const char *reserved;  /* words that nothing emitted may be named, spaces between them; NULL: none */
  bool is_code;          /* no text: instructions (targets/code.h); spellings are not used, NULL ones mean the same */
  const char *host;      /* template of a program that launches the kernels; NULL: none */
  const fg_host_word *host_word; /* that the template uses; NULL: none */
  const char *host_ending;       /* of its name: "_host.cpp"; NULL: "_host.c" */
  bool host_is_library;          /* functions for a program, and a test beside them; else a test alone */
  const char *host_kernel;       /* how rows of its launches name kernel %v; NULL: as text */
  const char *real[4];           /* type of a real number, by fg_precision; NULL: not supported */
  const char *literal_suffix[4]; /* "f" for float */
  bool field_literals;           /* constants are elements of a field, not decimal digits; for the proof alone */
  const char *index_type;        /* signed, wide enough for addresses: "ptrdiff_t", "long" */
  const char *small_index_type;  /* the same where all addresses stay below 2^30; NULL: as index_type */
  const char *lookup_type;       /* an entry of an index table: 32 bits, signed */
  const char *preamble;          /* text before everything: includes, declarations */
  const char *macros;       /* behind it: macros that the spellings use; %Q: what their names begin with; NULL: none */
  const char *fence;        /* statement behind base pointers of long code; NULL: none is needed */
  const char *fence_macros; /* what it is, where it occurs */
  const char *apart_preamble; /* text that keeps compilers from joining what long code of vectors stores; NULL: none */
  const char *apart_option;   /* the same, as attributes and pragmas name it */
  const char *linkage;        /* lines before the declaration of a function that is not static; NULL: none */
  const char
      *exact_preamble; /* text that keeps compilers from contracting products and sums; NULL: none has that effect */
  const char *order_preamble;      /* text that has compilers order code by what waits before they give out registers */
  const char *preamble_by_real[4]; /* further text by precision (fp64 pragma); NULL: none */
  const char *function_qualifier;  /* of stage functions: "static void" */
  const char *kernel_qualifier;    /* of kernel functions; %N = threads of a block; %a: ", 4" where 4 blocks are to be
                                    * resident; %b: the attribute of clusters */
  const char *restrict_word;       /* of pointers that the caller passes */
  const char *stage_restrict_word; /* of stage functions' pointers */
  const char *global_space, *local_space; /* before a pointer's type: "__global ", "" */
  const char
      *local_array; /* LOCAL memory inside a kernel: %T %v, %a reals, after %i others; NULL: the caller's scratch */
  const char *local_narrow;              /* the same, of narrower numbers: %c of the type %b */
  const fg_function_form *function_form; /* NULL: kernels hold their code themselves */
  const char *block_id, *thread_id;      /* "get_group_id(0)"; NULL: blocks and threads are loops, and a host function
                                          * calls the kernels; else each kernel is launched */
  const fg_arguments_form *arguments;    /* NULL: functions of the language say which thread and block it is */
  const fg_cluster_form *cluster;        /* NULL: blocks are alone */
  const fg_bulk_form *bulk;              /* NULL: blocks have no such engines */
  const fg_queue_form *queue;            /* NULL: blocks do not wait for each other */
  const fg_lane_form *lane;              /* NULL: lanes of a warp do not give each other numbers */
  const fg_matrix_form *matrix;          /* NULL: warps do not multiply matrices */
  const char *barrier_block;             /* statement; NULL: threads are loops, none needed */
  const char *unroll;                    /* line before a loop to be unrolled; NULL: none */
  const char *stage;                     /* the proof's: statement before stage number %i; NULL: none */
  const char *iteration; /* the proof's: first line of loop %i, at %v, which may leave the iteration out; NULL: none */
  fg_table_home tables;
  const fg_storage_row *storage;            /* NULL: arrays hold what is computed with */
  const char *call_preamble;                /* text before everything where calls occur */
  const char *call[FG_CALL_COUNT];          /* of %a; %F: suffix of literals; NULL: not there */
  const char *call_function[FG_CALL_COUNT]; /* that the call names; NULL: the language has it */
  const char *qualifiers; /* words of launched kernels that say where something is or how it is called, and may have
                           * brackets  behind them; spaces between them: the proof passes over them */
  const char *aligned;    /* attribute of a static array for vectors: %B */
  const char *op[FG_SPELL_COUNT]; /* IN, TW, CONST: NULL */
  const char
      *twice[FG_SPELL_COUNT]; /* fused operations whose factor is 2, which compilers take for two sums; NULL: as op */

  /* Scalars: a complex number that one instruction moves; aligned like its type. NULL: part by part. */
  const char *pair[4];        /* type %P, by fg_precision */
  const char *pair_at;        /* the number at pointer %p, of space %S, const or not */
  const char *pair_ahead;     /* expression: the same, loaded with its neighbours into L2; NULL: no such loads */
  const char *ahead_preamble; /* functions that it calls */
  const char *pair_where;     /* expression: the pair at %p if %a holds, else zeros, without a branch; NULL: with one */
  const char *number_where;   /* the same of the number at %p */
  const char *where_preamble[4]; /* functions that these call, by fg_precision */
  const char *pair_make;         /* of %a and %b */
  const char *pair_part[2];      /* of %v */

  char *(*assemble)(const char *source, char why[]); /* the text with bodies of kernels as assembly, to be freed; or
                                                      * NULL and the reason; NULL: the language has none */
  const char *machine;  /* where kernels are launched: the row of a device of that kind when none is named */
  const char *machines; /* rows that take it beside those that name it, by their names, or all that take another
                         * dialect, by its name; spaces between them; NULL: none. A row that is named prefers it */

  fg_vector_form vector;
  const char *stage_fence; /* statement between stages: loads are from memory, not from what was stored; NULL: none */
  const char *fetch;       /* statement: brings what %p points to near; %i: 1 or 0, to be written or not, and how near,
                            * from 3, the nearest, on; NULL: none */
} fg_dialect;

/* targets/dialects.c: the table. NULL when there is none of that name. */
const fg_dialect *fg_dialect_find(const char *name);
/* Whether users get it: a language, not what the proof or a code generator reads. */
bool fg_dialect_is_offered(const fg_dialect *d);
const char *fg_dialect_offered(int i); /* the name of the i-th of these; NULL: there are fewer */
/* Whether it may be planned for a machine; the one that is meant where none is said. */
bool fg_dialect_takes(const fg_dialect *d, const fg_machine *m);
const fg_dialect *fg_dialect_of_machine(const fg_machine *m);
/* Names of the dialects that a user may choose for a machine, spaces between them; its own dialect first. */
enum { FG_DIALECT_LIST = 128 };
const char *fg_dialect_list(const fg_machine *m, char out[FG_DIALECT_LIST]);
const fg_dialect *const *fg_dialect_table(void); /* NULL-terminated */
#endif

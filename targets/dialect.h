/* fg_dialect: how a target spells the C family. A const struct of spellings; the
 * code that uses it (generator/emit*.c) has no condition on a target.
 *
 * Spellings are texts with marks: %a %b %c operands, %p pointer, %v value, %i
 * index or list of indices, %T type of a real number, %V vector type, %U the
 * same without alignment, %N lanes, %B bytes of a vector, %R bytes of a real, %P
 * type of a complex number, %S words of a memory's space. */
#ifndef FG_DIALECT_H
#define FG_DIALECT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OP(NAME, operands, meaning) FG_SPELL_##NAME,
enum fg_spell {
#include "targets/ops.def"
  FG_SPELL_COUNT
};
#undef OP

/* One precision of one vector width: a row of a dialect's width table. */
typedef struct fg_isa {
  const char *name;        /* "scalar", "avx2", "avx512": what --isa takes */
  int vector_bytes;        /* 0: scalar */
  int registers;           /* vector registers the compiler may use */
  bool fma;                /* has fused multiply-add */
  const char *flags;       /* compiler flags */
  const char *cpu_feature; /* names for the run-time check, separated by commas; "" = none */
} fg_isa;

/* Who holds the tables. */
typedef enum fg_table_home {
  FG_TABLES_STATIC, /* arrays in the source; one block of memory from the caller when they are large */
  FG_TABLES_EACH,   /* a pointer for each, from the caller */
} fg_table_home;

/* A kernel's code as a function that other kernels can call, with the number of
 * the block and its LOCAL memory as arguments. */
typedef struct fg_function_form {
  const char *suffix;        /* of its name */
  const char *qualifier;     /* "static __device__ void" */
  const char *block;         /* parameter: number of the block; dialect.block_id names it */
  const char *local;         /* parameter: LOCAL memory; dialect.local_array takes its part */
  const char *given_block, *given_local; /* what a kernel gives for them */
  const char *declare_local; /* in a kernel: LOCAL memory whose size the launch says */
} fg_function_form;

/* Vectors that can be stored past the caches: a row for each width. */
typedef struct fg_stream_row {
  const char *real; /* type of the numbers; NULL ends the table */
  int lanes;
  const char *store; /* of v at p, which is aligned */
} fg_stream_row;

typedef struct fg_dialect {
  const char *name;            /* "c", "opencl", "gf" */
  const char *extension;       /* of emitted files: ".c", ".cl" */
  const char *note;            /* for the head of every source: how to build it; lines without comment marks */
  const char *host;            /* template of a program that launches the kernels; NULL: none */
  const char *real[4];         /* type of a real number, by fg_precision; NULL: not supported */
  const char *literal_suffix[4]; /* "f" for float */
  bool field_literals;         /* constants are elements of a field, not decimal digits */
  const char *index_type;      /* signed, wide enough for addresses: "ptrdiff_t", "long" */
  const char *small_index_type; /* the same where all addresses stay below 2^30; NULL: as index_type */
  const char *lookup_type;     /* an entry of an index table: 32 bits, signed */
  const char *preamble;        /* text before everything: includes, declarations */
  const char *preamble_by_real[4]; /* further text by precision (fp64 pragma); NULL: none */
  const char *function_qualifier; /* of stage functions: "static void" */
  const char *kernel_qualifier;   /* of kernel functions; %N = threads of a block */
  const char *restrict_word;       /* of pointers that come from outside */
  const char *stage_restrict_word; /* of stage functions' pointers */
  const char *global_space, *local_space; /* before a pointer's type: "__global ", "" */
  const char *local_array;     /* LOCAL memory inside a kernel: %T %v, %a reals, after %i others; NULL: the caller's scratch */
  const fg_function_form *function_form; /* NULL: kernels hold their code themselves */
  const char *block_id, *thread_id; /* "get_group_id(0)"; NULL: blocks and threads are loops, and a host function
                                     * calls the kernels; else each kernel is launched */
  const char *barrier_block;   /* statement; NULL: threads are loops, none needed */
  const char *unroll;          /* line before a loop to be unrolled; NULL: none */
  fg_table_home tables;
  const char *aligned;         /* attribute of a static array for vectors: %B */
  const char *op[FG_SPELL_COUNT]; /* IN, TW, CONST: NULL */

  /* Scalars: a complex number that moves at once; aligned like its type. NULL: part by part. */
  const char *pair[4];         /* type %P, by fg_precision */
  const char *pair_at;         /* the number at pointer %p, of space %S, const or not */
  const char *pair_make;       /* of %a and %b */
  const char *pair_part[2];    /* of %v */

  /* What a device of that kind has when none is asked. */
  size_t usual_local_bytes;
  int usual_threads, usual_registers;

  /* Vectors: has_vectors, or lanes run as loops of scalars elsewhere. */
  bool has_vectors;
  const char *vector_preamble; /* per number of lanes */
  const char *vop[FG_SPELL_COUNT];
  const char *vload, *vstore;  /* expression; statement with %v */
  const char *vset1;           /* all lanes %v */
  const char *vmake;           /* lanes from the list %i */
  const char *vshuffle;        /* of %a and %b by the list %i */
  const char *vlane;           /* lane %i of %v */
  const char *vjoin;           /* %a, then %b, both of half as many lanes; %i: numbers of all lanes */
  const fg_stream_row *stream; /* NULL: no such stores */
  const char *stream_preamble; /* per row that is used: a function vstream calls; %a: its store */
  const char *vstream;         /* statement as vstore; an address that is not aligned is stored to as usual */
  const char *stream_fence;    /* statement after the last */
  const char *vpart;           /* of the wider %a, the lanes in the list %i: neighbours */
} fg_dialect;

/* targets/dialects.c: the table. NULL when there is none of that name. */
const fg_dialect *fg_dialect_find(const char *name);
const fg_dialect *const *fg_dialect_table(void); /* NULL-terminated */
/* targets/isas.c: rows, ended by one without a name; all precisions share a row. */
const fg_isa *fg_isa_table(void);
const fg_isa *fg_isa_find(const char *name);
/* The widest ISA that this CPU can run. */
const fg_isa *fg_isa_native(void);
bool fg_isa_runs_here(const fg_isa *isa);
#endif

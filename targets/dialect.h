/* fg_dialect: how a target spells the C family. A const struct of spellings; the
 * code that uses it (generator/emit*.c) has no condition on a target.
 *
 * Spellings are texts with marks: %a %b %c operands, %p pointer, %v value, %i
 * index or list of indices, %h index in hexadecimal, %T type of a real number, %V
 * vector type, %U the same without alignment, %W of words of its bytes, %F suffix of literals, %N lanes, %B
 * bytes of a vector, %R bytes of a real, %P type of a complex number, %S words of
 * a memory's space, %Q what macros' names begin with. */
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
  const char *cpu;         /* whose it is: "x86-64", "aarch64"; "": everybody's */
  const char *machine;     /* row of the machine that it is planned for where none is named */
  int vector_bytes;        /* 0: scalar */
  int least_bytes;         /* of vectors that it computes on; compilers make poor code of narrower ones */
  int registers;           /* vector registers the compiler may use */
  bool fma;                /* has fused multiply-add */
  bool stream;             /* has the stores past the caches that dialects spell */
  bool two_sources;        /* numbers of two vectors in any order are one operation */
  int alternating;         /* bytes of the widest vector that has x - y and x + y in turns as one operation; 0: none */
  const char *flags;       /* compiler flags */
  const char *half_flags;  /* further ones where vectors of halves are converted; NULL: none */
  const char *cpu_feature; /* names for the run-time check, separated by commas; "" = none */
} fg_isa;

enum { FG_LARGE_L2 = 2 << 20 }; /* bytes, from which on passes need not care for L3 */

/* An L2 that leaves large arrays to L3, which is near. */
static inline bool fg_is_small_l2(int64_t bytes) { return bytes < FG_LARGE_L2; }

enum { FG_LONG_CODE = 1000 }; /* operations without a branch, from which on pointers are fenced */

/* Who holds the tables. */
typedef enum fg_table_home {
  FG_TABLES_STATIC, /* arrays in the source; one block of memory from the caller when they are large */
  FG_TABLES_EACH,   /* a pointer for each, from the caller */
  FG_TABLES_DATA,   /* in the source, however large */
} fg_table_home;

/* A kernel's code as a function that other kernels can call, with the number of
 * the block and its LOCAL memory as arguments. */
typedef struct fg_function_form {
  const char *suffix;                    /* of its name */
  const char *qualifier;                 /* "static __device__ void" */
  const char *block;                     /* parameter: number of the block; dialect.block_id names it */
  const char *local;                     /* parameter: LOCAL memory; dialect.local_array takes its part */
  const char *given_block, *given_local; /* what a kernel gives for them */
  const char *declare_local;             /* in a kernel: LOCAL memory whose size the launch says */
} fg_function_form;

/* What a launcher's template calls NAME, in this API's words. */
typedef struct fg_host_word {
  const char *name, *text; /* NULL name: the end */
} fg_host_word;

/* Vectors that can be stored past the caches: a row for each width. */
typedef struct fg_stream_row {
  const char *real; /* type of the numbers; NULL ends the table */
  int lanes;
  const char *store; /* of v at p, which is aligned */
} fg_stream_row;

/* Vectors whose neighbours change places as parts of words: a row for each width. */
typedef struct fg_swap_row {
  const char *real; /* type of the numbers; NULL ends the table */
  int lanes;
  const char *word; /* type of the words */
  const char *swap; /* of the variable %a; %W: vectors of words */
} fg_swap_row;

/* Two numbers in a vector of four, the upper ones zero. */
typedef struct fg_padded_form {
  const char *real;                           /* type of the numbers */
  const char *preamble, *load, *store, *swap; /* as the dialect's vector_preamble, vload, vstore; of the variable %a */
  const char *alternate;                      /* %a less %b, %a and %b in turns; both are variables */
} fg_padded_form;

/* Blocks that store into each other's memory. In its texts: %v names, %p pointers
 * into this block's part, %i the number of a block, %a and %b numbers. */
typedef struct fg_cluster_form {
  int most;              /* blocks of a cluster */
  const char *attribute; /* of a kernel with clusters of %i blocks */
  const char *preamble;  /* functions that the texts below call */
  const char *open;      /* statement at the kernel's start: the mbarrier behind %p lets %i bytes in */
  const char *again;     /* statement behind a wait: that mbarrier lets %i bytes more in */
  const char *peer;      /* expression of type `address`: what %p is in block %i */
  const char *address;
  const char *bits; /* expression of an unsigned number: bits of the number %v; joined by ^ for `use` */
  const char *use;  /* statement: holds back what follows until %v is known */
  const char
      *settle; /* the same, and compilers move nothing across it; %p: the mbarrier, behind which a word is spare */
  const char *arrive; /* statement: this block's memory may be stored to */
  const char *cross;  /* statement: waits until all others' may */
  const char *send;   /* statement: the numbers %a and %b go to the address %p; %i: the address of the mbarrier there */
  const char *wait;   /* statement: until all is there that the mbarrier behind %p lets in; %i: 0 and 1 in turns */
  int mbarrier_bytes; /* of memory, behind what is stored to */
} fg_cluster_form;

/* Blocks that stay, and whose engine copies between arrays and their memory. In its texts: %v an array, %p
 * memory of the block's, with room for align_bytes more than is copied, %a a block's number, %b how many reals
 * belong to one, %c reals in all, %i the type of addresses. */
typedef struct fg_bulk_form {
  const char *preamble;            /* functions that the texts below call */
  const char *blocks, *given;      /* parameter: how many blocks there are; what a kernel gives for it */
  const char *mbarrier;            /* declaration, at %p: what is counted there that comes */
  const char *open, *close;        /* statements at the kernel's start and end */
  const char *one, *some, *all;    /* declarations: the block's numbers: its own; %b of them; those of all, %a */
  const char *loop;                /* line that opens a loop over some or all of them */
  const char *first, *next;        /* the first number, the next one */
  const char *if_first, *if_next;  /* "if (there is one) " */
  const char *iteration;           /* the present number */
  const char *fetch;               /* statement: what belongs to number %a of %v begins to come into %p */
  const char *wait;                /* statement: until that is there */
  const char *destination;         /* expression: where in %p it is; likewise of what leaves */
  const char *here;                /* declaration of an offset 0 to tables: compilers keep their loads in the loop */
  const char *fence;               /* statement before a barrier, after which the engine may use memory */
  const char *leave;               /* statement: what belongs to number %a of %v begins to leave %p */
  const char *drained;             /* statement: until all that leaves has been read */
  int align_bytes, mbarrier_bytes; /* memory that it uses begins at such multiples; what the mbarrier takes */
} fg_bulk_form;

/* Blocks that stay and wait for each other's counters, unsigned numbers in memory. */
typedef struct fg_queue_form {
  const char *preamble;   /* functions that the texts below call */
  const char *qualifier;  /* of a kernel of one block that prepares the queue; %N threads */
  const char *counter;    /* type of a counter */
  const char *nobody;     /* a pointer to none */
  const char *declare;    /* statement: the variable %v, which a block shares */
  const char *inner;      /* before the type of a function that kernels call */
  const char *take;       /* expression: counter %p before it became one more */
  const char *ready;      /* expression: whether counter %p is %i already; what was stored before is there then */
  const char *wait;       /* statement: until counter %p is %i; what was stored before is there then */
  const char *done;       /* statement: one more in counter %p, after all that the block stored */
  const char *opaque;     /* statement: declares %v, which is 0, and no compiler knows */
  const char *pair_once;  /* expression: the pair at %p of memory that is only read, and now only; NULL: as usual */
  const char *pair_fresh; /* the same of memory that other blocks store to meanwhile */
  const char *pair_evict_first; /* statement: pair %v to pointer %p, which nobody reads soon */
  const char *pair_evict_last;  /* statement: the same, which others read soon */
  const char *discard; /* statement: the line of memory at pointer %p has no value any more, and need not be kept */
} fg_queue_form;

/* Numbers of an array that are of another type than those computed with: how they
 * are read and written. Conversion to narrower types rounds to nearest even, and
 * to the nearest whole number that there is. */
typedef struct fg_storage_row {
  int stored;              /* fg_precision: f16, bf16, f32, u8, i16 */
  const char *type;        /* in memory; NULL ends the table */
  const char *preamble[2]; /* functions that loads, stores call; NULL: none */
  const char *load;        /* the number at the lvalue %v, of space %S */
  const char *store;       /* statement: %a to the lvalue %v */
  const char *pair_load,
      *pair_store; /* at the pointer %p of space %S: a pair %P; statement with %v. NULL: part by part */
  const char *two, *two_load, *two_make, *two_store; /* a pair in one word, as it is in memory: type; at %p; of %a and
                                                      * %b; statement: the pair %v to %p. NULL: no such word */
  const char *send; /* statement: the pair %v to place %p of another block, whose mbarrier is %i; NULL: none */
  const char *vtypes, *vpreamble[2]; /* per number of lanes: types of both; functions of loads, stores */
  const char *vload, *vstore;        /* as the dialect's; NULL: lane by lane */
} fg_storage_row;

/* Functions of load and store operations. */
enum fg_called { FG_CALL_SQRT, FG_CALL_LOG10, FG_CALL_COUNT };

typedef struct fg_dialect {
  const char *name;      /* "c", "opencl", "gf" */
  const char *extension; /* of emitted files: ".c", ".cl" */
  const char *note;      /* for the head of every source: how to build it; lines without comment marks */
  const char *note_code; /* what the note names as architecture, for that of the machine to stand there; NULL: none */
  const char *reserved;  /* words that nothing emitted may be named, spaces between them; NULL: none */
  bool is_code;          /* no text: instructions (targets/code.h); spellings are not used, NULL ones mean the same */
  const char *host;      /* template of a program that launches the kernels; NULL: none */
  const fg_host_word *host_word; /* that the template uses; NULL: none */
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
  const char *restrict_word;       /* of pointers that come from outside */
  const char *stage_restrict_word; /* of stage functions' pointers */
  const char *global_space, *local_space; /* before a pointer's type: "__global ", "" */
  const char
      *local_array; /* LOCAL memory inside a kernel: %T %v, %a reals, after %i others; NULL: the caller's scratch */
  const char *local_narrow;              /* the same, of narrower numbers: %c of the type %b */
  const fg_function_form *function_form; /* NULL: kernels hold their code themselves */
  const char *block_id, *thread_id;      /* "get_group_id(0)"; NULL: blocks and threads are loops, and a host function
                                          * calls the kernels; else each kernel is launched */
  const fg_cluster_form *cluster;        /* NULL: blocks are alone */
  const fg_bulk_form *bulk;              /* NULL: blocks have no such engines */
  const fg_queue_form *queue;            /* NULL: blocks do not wait for each other */
  const char *barrier_block;             /* statement; NULL: threads are loops, none needed */
  const char *unroll;                    /* line before a loop to be unrolled; NULL: none */
  const char *stage;                     /* the proof's: statement before stage number %i; NULL: none */
  const char *iteration; /* the proof's: first line of loop %i, at %v, which may leave the iteration out; NULL: none */
  fg_table_home tables;
  const fg_storage_row *storage;                                    /* NULL: arrays hold what is computed with */
  const char *call_preamble;                                        /* text before everything where calls occur */
  const char *call[FG_CALL_COUNT];                                  /* of %a; %F: suffix of literals; NULL: not there */
  const char *call_function[FG_CALL_COUNT];                         /* that the call names; NULL: the language has it */
  const char *vcall[FG_CALL_COUNT], *vcall_preamble[FG_CALL_COUNT]; /* per number of lanes */
  const char *aligned;                                              /* attribute of a static array for vectors: %B */
  const char *op[FG_SPELL_COUNT];                                   /* IN, TW, CONST: NULL */
  const char
      *twice[FG_SPELL_COUNT]; /* fused operations whose factor is 2, which compilers take for two sums; NULL: as op */

  /* Scalars: a complex number that moves at once; aligned like its type. NULL: part by part. */
  const char *pair[4];        /* type %P, by fg_precision */
  const char *pair_at;        /* the number at pointer %p, of space %S, const or not */
  const char *pair_ahead;     /* expression: the same, loaded with its neighbours into L2; NULL: no such loads */
  const char *ahead_preamble; /* functions that it calls */
  const char *pair_make;      /* of %a and %b */
  const char *pair_part[2];   /* of %v */

  const char *machine; /* where kernels are launched: the row of a device of that kind when none is named */

  /* Vectors: has_vectors, or lanes run as loops of scalars elsewhere. */
  bool has_vectors;
  const char *vector_macros;   /* where vectors occur, once: as macros; NULL: none */
  const char *vector_preamble; /* per number of lanes */
  const char *vop[FG_SPELL_COUNT];
  const char *vload, *vstore;   /* expression; statement with %v */
  const char *vset1;            /* all lanes %v */
  const char *unknown;          /* declares %v, a real number that is %i, which compilers do not know; NULL: none can */
  const char *vmake;            /* lanes from the list %i */
  const char *vshuffle;         /* of %a and %b by the list %i */
  const fg_swap_row *swap;      /* of an ISA that has `words`; NULL: shuffles do it */
  const char *swap_type;        /* per row that is used: declaration of %W; %a: its word */
  const fg_padded_form *padded; /* where two numbers are narrower than any vector; NULL: none */
  const char *vlane;            /* lane %i of %v */
  const char *vjoin;            /* %a, then %b, both of half as many lanes; %i: numbers of all lanes */
  const fg_stream_row *stream;  /* NULL: no such stores */
  const char *stream_preamble;  /* per row that is used: a function vstream calls; %a: its store */
  const char *vstream;          /* statement as vstore; an address that is not aligned is stored to as usual */
  const char *stream_fence;     /* statement after the last */
  const char *stage_fence; /* statement between stages: loads are from memory, not from what was stored; NULL: none */
  const char *vpart;       /* of the wider %a, the lanes in the list %i: neighbours */
  const char *fetch;       /* statement: brings what %p points to near; %i: 1 or 0, to be written or not, and how near,
                            * from 3, the nearest, on; NULL: none */
  const char *vpiece;      /* the same of a variable %a, %v: the first lane's number; stores of upper halves take no
                            * shuffle then. NULL: halves are not stored one by one */
} fg_dialect;

/* targets/dialects.c: the table. NULL when there is none of that name. */
const fg_dialect *fg_dialect_find(const char *name);
/* Whether users get it: a language, not what the proof or a code generator reads. */
bool fg_dialect_is_offered(const fg_dialect *d);
const fg_dialect *const *fg_dialect_table(void); /* NULL-terminated */
/* targets/isas.c: rows, ended by one without a name; all precisions share a row. */
const fg_isa *fg_isa_table(void);
const fg_isa *fg_isa_find(const char *name);
/* The widest ISA that this CPU can run. */
const fg_isa *fg_isa_native(void);
bool fg_isa_runs_here(const fg_isa *isa);
const char *fg_isa_cpu_here(void); /* as in fg_isa.cpu; "" for CPUs that no row is of */
#endif

/* fg_dialect: how a target spells the C family. A const struct of spellings; the
 * code that uses it (c_family.c, generator/emit.c) has no condition on a target.
 *
 * Op formats are expressions in which %a %b %c stand for operands. A target that
 * is C with functions (the prime-field dialect) writes "fg_add(%a, %b)". */
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

typedef struct fg_dialect {
  const char *name;            /* "c", "opencl", "gf" */
  const char *extension;       /* of emitted files: ".c", ".cl" */
  const char *comment_open, *comment_close;
  const char *real[4];         /* type of a real number, by fg_precision; NULL: not supported */
  const char *literal_suffix[4]; /* "f" for float */
  const char *index_type;      /* signed, wide enough for addresses: "ptrdiff_t", "long" */
  const char *preamble;        /* text before everything: includes, macros */
  const char *preamble_by_real[4]; /* further text by precision (fp64 pragma); NULL: none */
  const char *kernel_qualifier; /* "static void", "__kernel void" */
  const char *function_qualifier; /* helper functions: "static inline" */
  const char *global_in, *global_out; /* pointer parameter of a const / written array: "const %s *restrict %s" */
  const char *table_pointer;   /* pointer parameter of a table */
  const char *local_array;     /* "__local %s %s[%lld];" or NULL: LOCAL memory comes as a pointer parameter */
  const char *scalar_param;    /* run-time parameter: "const long %s" */
  const char *block_id, *thread_id; /* "get_group_id(0)"; NULL: blocks/threads are loops */
  const char *barrier_block;   /* statement; NULL: none needed */
  const char *op[FG_SPELL_COUNT]; /* IN, TW, CONST: NULL */
  const char *unroll;          /* line before an unrolled loop; NULL: none */
  /* Spelling of a real constant: value in decimal digits with suffix, or as an
   * element of the field. Writes to out. NULL: decimal, by the precision. */
  bool has_vectors;            /* GCC vector extensions (or functions of the same names, see vector) */
  /* Vector expressions, %V = vector type, %p = pointer expression, %v = value:
   * filled only where has_vectors. */
  const char *vector_preamble; /* with %T real type, %N lanes, %B bytes */
  const char *vload, *vstore;  /* unaligned: "*(const VU *)(%p)", "*(VU *)(%p) = %v" */
  const char *vset1;           /* broadcast of scalar %v */
  const char *vshuffle;        /* "__builtin_shufflevector(%a, %b, %i)": %i = index list */
  const char *vlane;           /* "%v[%i]" */
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

/* Inside the execution of assembly: threads of a block, their registers and their memory. */
#ifndef FG_PROVE_ASSEMBLY_RUN_PARTS_H
#define FG_PROVE_ASSEMBLY_RUN_PARTS_H
#include "generator/prove/assembly_parts.h"

#define FG_ASM_UNDEFINED FG_TEXT_OUTSIDE
#define FG_ASM_ARRAYS_APART 40           /* bits of an address within an array */
#define FG_ASM_SHARED UINT32_C(0x100000) /* where shared memory begins */

typedef enum fg_proof_asm_form { FG_ASM_PLAIN, FG_ASM_ONE, FG_ASM_RAISED, FG_ASM_TWO } fg_proof_asm_form;

typedef struct fg_proof_asm_bits { /* a register's bits that are numbers of another type in memory */
  fg_proof_asm_form form;          /* none: a whole number; one number; one, 16 bits up; two of 16 bits */
  fg_precision type;               /* FG_STORAGE_COUNT: of any type, as all bits are 0 */
  fg_gf x[2];
} fg_proof_asm_bits;

typedef struct fg_proof_asm_thread {
  int at; /* line */
  bool waits, ended;
  uint8_t *p;
  uint32_t *r;
  uint64_t *q;
  fg_gf *f, *d;
  fg_proof_asm_bits *word, *half; /* of r; of h. NULL: none converts */
} fg_proof_asm_thread;

typedef struct fg_proof_asm_access { /* of a number, by whom: the last one, or several */
  int64_t block;
  int32_t phase, thread; /* ANYBODY: several */
} fg_proof_asm_access;

typedef struct fg_proof_asm_record {
  int launch;
  fg_proof_asm_access loaded, stored;
} fg_proof_asm_record;

typedef struct fg_proof_asm_shared { /* as many bytes of shared memory as its shortest numbers have */
  fg_gf value;
  uint8_t type, part; /* of what was stored there; which part of a longer one */
} fg_proof_asm_shared;

struct fg_proof_asm_run {
  fg_proof_sample *s;
  const fg_proof_asm *a;
  const fg_proof_asm_kernel *k;
  const fg_launch *l;
  int launch, threads;
  fg_proof_asm_thread *thread;
  fg_proof_asm_thread *now;
  int64_t block, lines;
  int32_t phase;
  fg_proof_asm_record *record, *shared_record; /* of cells; of shared memory */
  uint32_t records;
  fg_proof_asm_shared *shared;
  int64_t nshared;
  fg_precision short_type; /* the shortest that threads share */
  int unit;                /* its bytes: of one of `shared` */
  bool *constant, *stored; /* per array: loaded from as constant memory; stored to */
  fg_precision *type;      /* per array; FG_STORAGE_COUNT: it has no numbers */
};

bool fg_proof_asm_fail(fg_proof_asm_run *r, const char *what); /* false */

/* Memory (assembly_memory.c). */
void fg_proof_asm_open_memory(fg_proof_asm_run *r);
void fg_proof_asm_begin_memory(fg_proof_asm_run *r); /* of a block */
/* So many numbers, from or to x. type: of all of them, FG_STORAGE_COUNT: of any where all are 0; after a load it is
 * known. */
bool fg_proof_asm_access_memory(fg_proof_asm_run *r, const fg_proof_asm_line *line, int n, fg_precision *type,
                                fg_gf x[2]);
bool fg_proof_asm_is_index(const fg_proof_asm_run *r, const fg_proof_asm_operand *m);
bool fg_proof_asm_load_index(fg_proof_asm_run *r, const fg_proof_asm_operand *m, uint32_t *out);

/* Numbers of other types (assembly_bits.c). */
bool fg_proof_asm_convert(fg_proof_asm_run *r, const fg_proof_asm_line *line);
/* An operation on whole numbers: whether it moves bits of numbers, and is done. False in *good: it may not. */
bool fg_proof_asm_moves_bits(fg_proof_asm_run *r, const fg_proof_asm_line *line, bool *good);
/* The numbers of an operand that is stored, and the reverse. Returns how many there are; 0: a fault. */
int fg_proof_asm_numbers(fg_proof_asm_run *r, const fg_proof_asm_line *line, int operand, fg_precision *type,
                         fg_gf x[2]);
void fg_proof_asm_put_numbers(fg_proof_asm_run *r, const fg_proof_asm_line *line, int operand, fg_precision type,
                              const fg_gf x[2]);
fg_gf *fg_proof_asm_real(const fg_proof_asm_run *r, const fg_proof_asm_operand *x); /* a register of reals */
fg_gf fg_proof_asm_value(const fg_proof_asm_run *r, const fg_proof_asm_operand *x); /* the same, or a number */
#endif

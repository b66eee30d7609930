/* Inside assembly: its instructions, read (assembly_read.c) and executed (assembly_run.c). */
#ifndef FG_PROVE_ASSEMBLY_PARTS_H
#define FG_PROVE_ASSEMBLY_PARTS_H
#include "generator/prove/text_sample_memory.h"
#include "generator/prove/translate_parts.h"

typedef enum fg_proof_asm_op {
  FG_ASM_MOVE,
  FG_ASM_MOVE_WIDE,
  FG_ASM_MOVE_REAL,
  FG_ASM_ADD,
  FG_ASM_MULTIPLY,
  FG_ASM_MULTIPLY_HIGH,
  FG_ASM_SHIFT_LEFT,
  FG_ASM_SHIFT_RIGHT,
  FG_ASM_AND,
  FG_ASM_OR,
  FG_ASM_XOR,
  FG_ASM_ADD_WIDE,
  FG_ASM_MULTIPLY_WIDE,
  FG_ASM_SHIFT_WIDE,
  FG_ASM_MULTIPLY_ADD,
  FG_ASM_WIDEN_UNSIGNED,
  FG_ASM_WIDEN_SIGNED,
  FG_ASM_NARROW,
  FG_ASM_LESS,
  FG_ASM_LESS_WIDE,
  FG_ASM_NOT_EQUAL,
  FG_ASM_BOTH,
  FG_ASM_NEGATE_REAL,
  FG_ASM_ADD_REAL,
  FG_ASM_SUBTRACT_REAL,
  FG_ASM_MULTIPLY_REAL,
  FG_ASM_FUSED,
  FG_ASM_OTHER_LENGTH, /* of a real: the same over the field */
  FG_ASM_CALL,
  FG_ASM_DIVIDE, /* by a power of two: a product with its inverse */
  FG_ASM_NO_BITS,
  FG_ASM_FROM_U8,
  FG_ASM_FROM_I16,
  FG_ASM_FROM_F16,
  FG_ASM_FROM_BF16,
  FG_ASM_TO_U8,
  FG_ASM_TO_I16,
  FG_ASM_TO_F16,
  FG_ASM_TO_BF16,
  FG_ASM_WORD_OF,  /* 16 bits */
  FG_ASM_PACK,     /* two numbers of 16 bits */
  FG_ASM_LOWER_OF, /* the same, unpacked */
  FG_ASM_UPPER_OF,
  FG_ASM_LOAD,
  FG_ASM_LOAD_CONSTANT, /* of memory that no thread of the launch stores to */
  FG_ASM_STORE,
  FG_ASM_LOAD_SHARED,
  FG_ASM_STORE_SHARED,
  FG_ASM_BARRIER,
  FG_ASM_BRANCH,
  FG_ASM_NOTHING
} fg_proof_asm_op;

enum { FG_ASM_OPERANDS = 4, FG_ASM_CLASSES = 6, FG_ASM_MOST_GIVEN = FG_MAX_ARGUMENT_SLOTS + FG_MAX_PARAMS };

typedef enum fg_proof_asm_moved { /* by an operand of a load or a store */
                                  FG_ASM_NOTHING_MOVED,
                                  FG_ASM_F32,
                                  FG_ASM_F64,
                                  FG_ASM_U8,
                                  FG_ASM_I16,
                                  FG_ASM_HALF, /* f16 or bf16 */
                                  FG_ASM_WORD  /* two of these; an entry of a table of numbers of elements */
} fg_proof_asm_moved;

typedef struct fg_proof_asm_operand {
  char kind; /* p r q f d h: a register; n: a whole number; x, y: a number of 32, 64 bits; m, l: memory at a register q,
              * r; t, c: the number of the thread, of the block; a: an operand of the text's; L: a label */
  int32_t reg;
  int64_t number; /* n; m, l: bytes more; a: which; L: the line */
  fg_gf image;    /* x, y */
  double real;    /* the same */
  bool foreign;   /* no codelet has it */
} fg_proof_asm_operand;

typedef struct fg_proof_asm_line {
  fg_proof_asm_op op;
  int operands; /* that a load or a store moves */
  fg_proof_asm_moved moved;
  fg_called call; /* the function of operations that it is */
  int32_t when;   /* it is executed where this truth holds; -1: always */
  bool unless;    /* where it does not hold */
  int noperand;
  fg_proof_asm_operand x[FG_ASM_OPERANDS];
} fg_proof_asm_line;

typedef struct fg_proof_asm_kernel {
  int nline, room;
  fg_proof_asm_line *line;
  int registers[FG_ASM_CLASSES]; /* p r q f d h */
  bool converts;                 /* numbers of other types */
  int ngiven;
  int given[FG_ASM_MOST_GIVEN]; /* of the kernel's arguments; -1: its shared memory */
} fg_proof_asm_kernel;

typedef struct fg_proof_asm {
  const fg_artifact *c;
  fg_proof_asm_kernel *kernel; /* as the artifact's launches */
} fg_proof_asm;

/* False: t->failure says what is not read. */
bool fg_proof_asm_read(fg_translator *t, const char *text, fg_proof_asm *out);

/* Blocks of one launch, on the memory of a sample. */
typedef struct fg_proof_asm_run fg_proof_asm_run;
fg_proof_asm_run *fg_proof_asm_begin(fg_proof_sample *s, const fg_proof_asm *a, int launch);
bool fg_proof_asm_block(fg_proof_asm_run *r, int64_t block); /* false: a fault, which the sample has */

/* False: out->failure says what is not read. */
bool fg_proof_asm_open(fg_context *cx, const fg_proof_text *text, const char *assembly, fg_translation *out,
                       fg_proof_asm *into);
/* What the translated text wants in addition: one block of one kernel, void fg_run_block(kernel, block, slots,
 * parameters). */
const char *fg_proof_asm_blocks(fg_context *cx, const fg_artifact *c);
#endif

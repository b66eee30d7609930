/* fg_instructions: a program's stages as instructions, for devices that make machine code themselves. One list of
 * instructions (code.def) takes the place of a dialect: no names, no spellings, nothing of the compiler's own
 * representations.
 *
 * A value has the number of the instruction that makes it, and operands have smaller numbers than their users
 * (static single assignment). Loops and conditions are bracketed; values made inside are not used behind them.
 *
 * A stage that is being lowered has statements besides, for languages: names of values, lines of their own. Passes
 * work on those (generator/lower); a program's list has none.
 *
 * Several threads may run a program together, step after step: each step is bracketed, and runs once for each part. */
#ifndef FG_CODE_H
#define FG_CODE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE(NAME, text, meaning) FG_CODE_##NAME,
typedef enum fg_code_op {
#include "targets/code.def"
  FG_CODE_COUNT
} fg_code_op;
#undef CODE

/* What a line is brought near for: to be loaded, to be stored, to be loaded some time later, for which L2
 * is near enough. */
typedef enum fg_prefetch_how { FG_FETCH_LOAD, FG_FETCH_STORE, FG_FETCH_LATER } fg_prefetch_how;

/* How a number is loaded or stored: as usual; loads without a branch where their truth fails, with neighbours into L2,
 * once, behind other blocks' stores; stores of what is read late, or soon by other blocks. */
typedef enum fg_access_way {
  FG_WAY_PLAIN,
  FG_WAY_GUARDED,
  FG_WAY_AHEAD,
  FG_WAY_ONCE,
  FG_WAY_FRESH,
  FG_WAY_EVICT_FIRST,
  FG_WAY_EVICT_LAST,
} fg_access_way;

/* KEEP: the order of memory's accesses, or base pointers as they are. */
typedef enum fg_keep { FG_KEEP_MEMORY, FG_KEEP_POINTERS } fg_keep;

typedef enum fg_code_type {
  FG_CODE_NONE,  /* stores, brackets */
  FG_CODE_INDEX, /* 64 bits, signed */
  FG_CODE_TRUTH,
  FG_CODE_POINTER,  /* to real numbers, or to a table of 32-bit integers */
  FG_CODE_REAL,     /* `lanes` of them */
  FG_CODE_PAIR,     /* both parts of a complex number */
  FG_CODE_WORD,     /* the same in one word, as memory has them */
  FG_CODE_FRAGMENT, /* `lanes` of them, which are what a thread holds of a matrix: MAKE, LANE */
} fg_code_type;

typedef struct fg_instr {
  uint8_t op, type;
  uint8_t lanes;   /* REAL: of the result; stores: of what is stored */
  uint8_t memory;  /* POINTER and what uses one: the memory it leads to; different numbers never overlap */
  uint8_t stored;  /* LOAD, STORE, WORDs, arrays of those: 1 + the type that memory has; 0: what is computed with */
  int32_t a, b, c; /* -1: none */
  int32_t list;    /* LOOP: 1, to be unrolled; ARRAY: 1, of zeros at first; MAKE, SHUFFLE: first of `lanes` entries in
                    * fg_instructions.list; SEND: one;    LOADED: as many as it says;    MEMORY: its offset in numbers from
                    * one share to the next */
  union {
    int64_t i;
    double real;    /* NUMBER */
    uint64_t image; /* NUMBER over a prime field */
  } imm;
  const char *name;       /* of statements: what languages call it; of BLOCK its words; NULL: it has none */
  const char *type_words; /* NAME, VARIABLE, LOOP: its type in that language; LOAD, STORE: its memory's space */
} fg_instr;

/* SHUFFLE, imm: what lanes of what. */
typedef enum fg_shuffle_form {
  FG_SHUFFLE_ANY,
  FG_SHUFFLE_JOIN,      /* a, then b, both of half as many lanes */
  FG_SHUFFLE_PART,      /* neighbours of the wider a */
  FG_SHUFFLE_PIECE,     /* the same, to be stored */
  FG_SHUFFLE_ALTERNATE, /* of a difference and the sum of the same: machines may have it as one operation */
} fg_shuffle_form;

enum { FG_CODE_MEMORIES = 256 };

typedef struct fg_code_table { /* constant data beside the code */
  const char *name;
  const void *content;
  size_t bytes;
} fg_code_table;

typedef struct fg_instructions {
  int real_bytes; /* 4, 8; over a prime field always 8 */
  bool field;     /* numbers are elements of a prime field */
  int32_t count;
  fg_instr *instr;
  int32_t nlist;
  int32_t *list;
  int ntable;
  fg_code_table *table;
  uint8_t stored[FG_CODE_MEMORIES]; /* by memory: 1 + type of its numbers (storage.h); 0: what is computed with */
  int vector_bytes;                 /* of the widest vector; 0: scalar */
  bool words;                       /* neighbours change places in whole words (fg_isa) */
  int nstep;                        /* 0: all is one step, of one share */
  int threads;                      /* of a block, whole warps, of a list that is one kernel of one block; 0: none */
} fg_instructions;

const char *fg_code_op_name(fg_code_op op);
/* Entries of a list that are values. */
static inline int fg_code_listed(const fg_instr *i) {
  if (i->op == FG_CODE_LOADED) return (int)(i->imm.i / 2);
  return i->op == FG_CODE_MAKE ? i->lanes : i->op == FG_CODE_SEND ? 2 : 0;
}
bool fg_code_is_bracket(fg_code_op op);   /* closed by END */
bool fg_code_is_statement(fg_code_op op); /* has its own place in an order; others are computed where they are used */
#endif

/* Inside the translation of CUDA text to assembly: what its files share.
 *
 *   ptx.c        statements: declarations, functions put in place; kernels
 *   ptx_branch.c branches, and loops that are unrolled or stay
 *   ptx_frame.c  refusals, lines, names and blocks
 *   ptx_asm.c    assembly that the text has already
 *   ptx_expr.c   expressions
 *   ptx_value.c  values and the instructions that make them
 *   ptx_memory.c loads and stores
 *   ptx_token.c  words of the text, and its functions
 *
 * The text is walked, not parsed into a tree: a function is walked again at each call, a loop's body once for each
 * iteration, with names bound to values. A name is bound once, or anew by an assignment that every thread executes; so
 * most of what is constant is known while walking. */
#ifndef FG_CUDA_PTX_PARTS_H
#define FG_CUDA_PTX_PARTS_H
#include "targets/cuda/ptx.h"
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum fg_ptx_kind { PTX_END, PTX_NAME, PTX_INTEGER, PTX_REAL, PTX_STRING, PTX_MARK, PTX_UNROLL } fg_ptx_kind;

typedef struct fg_ptx_token {
  uint8_t kind;
  int32_t length, name; /* name: number of the word */
  const char *text;
} fg_ptx_token;

typedef struct fg_ptx_function {
  int name;
  int head, params, body, end; /* tokens: the first, behind '(' and '{', at '}' */
  bool kernel;
  long threads, resident,
      cluster; /* of a kernel, at once on a multiprocessor, blocks of a cluster; 0: it does not say */
} fg_ptx_function;

typedef enum fg_ptx_type {
  PTX_VOID,
  PTX_TRUTH,
  PTX_BYTE,   /* 8 bits in memory, of a register of 32 */
  PTX_SIGNED, /* 16 bits in memory with a sign, the same */
  PTX_SHORT,  /* 16 bits */
  PTX_INT,    /* 32 bits; unsigned ones are below 2^31 wherever it matters */
  PTX_WIDE,   /* 64 bits */
  PTX_FLOAT,
  PTX_DOUBLE,
  PTX_FLOAT2,
  PTX_DOUBLE2,
  PTX_POINTER,
  PTX_ARRAY, /* of values, by numbers that are known */
} fg_ptx_type;

typedef struct fg_ptx_operand { /* of a real operation */
  int reg;                      /* -1: the number */
  double number;
} fg_ptx_operand;

typedef struct fg_ptx_value {
  uint8_t type, target;   /* target: of a pointer, an array's elements */
  bool product, minus;    /* reals: a * b, not computed yet, and its sign */
  bool shared, only_read; /* pointers: to shared memory; no kernel stores there */
  bool unset;             /* declared alone */
  bool upper;             /* of `half`: 16 bits further up */
  int reg;                /* integers, truths, pointers; -1: none, `add` is all */
  int index;              /* pointers: register of a number of elements more, -1: none; arrays: first element */
  int half;            /* 1 + the register of 16 bits that an integer is; -1 - that of 32 whose upper bits it is; 0 */
  int64_t add;         /* integers; pointers: bytes more; arrays: how many */
  int64_t low, high;   /* integers: bounds */
  fg_ptx_operand a, b; /* reals: a; pairs: both */
} fg_ptx_value;

enum { PTX_CLASSES = 6 }; /* of registers: p h r q f d */
enum { PTX_MOST_THREADS = 1024 };

typedef struct fg_ptx_memo { /* an integer operation that was done */
  char op[16];
  int a;
  int64_t b, c;
  int reg;
} fg_ptx_memo;

enum { PTX_MOST_BLOCKS = 32 };

typedef struct fg_ptx_since { /* blocks that not all threads execute, or execute again, around */
  int declared, given;        /* the declaration; the last assignment */
  int block;                  /* number of the innermost around that */
} fg_ptx_since;

typedef struct fg_ptx_parked {
  int condition;
  fg_ptx_memo memo;
} fg_ptx_parked;

typedef struct fg_ptx_undo {
  int name;
  fg_ptx_value old;
  fg_ptx_since since;
} fg_ptx_undo;

typedef struct fg_ptx {
  jmp_buf refuse;
  char *why;
  int ntoken, at, nname, nfunction;
  fg_ptx_token *token;
  fg_ptx_function *function;
  fg_ptx_value *bound; /* by name */
  fg_ptx_since *since; /* by name: the origin of its value */
  int nundo, nmemo, nelement, room_undo, room_memo, room_element;
  fg_ptx_undo *undo;
  fg_ptx_memo *memo;
  int nparked, room_parked;
  fg_ptx_parked *parked; /* what was computed in conditional blocks that are closed */
  fg_ptx_value *element; /* of arrays */
  int next[PTX_CLASSES]; /* registers */
  int labels, calls;
  int around, block[PTX_MOST_BLOCKS]; /* conditional blocks and loops that stay, and their numbers */
  int loop;                           /* of them, as far as the innermost loop */
  int guard;                          /* register of the condition under which memory is touched; -1: always */
  bool loaded;                        /* the last value is what a guarded load gave */
  int leave;                          /* label behind the function that is put in place */
  bool left, has_result;
  fg_ptx_value result;
  long threads;
  int given, shared; /* operands of the kernel's assembly before shared memory; its name, -1: there is none */
  char *out;
  size_t length, room;
} fg_ptx;

uint8_t fg_ptx_type_here(fg_ptx *g); /* a type's words, without stars; PTX_VOID: none is here or it is void */
bool fg_ptx_starts_type(const fg_ptx *g, int at);
fg_ptx_value fg_ptx_expression(fg_ptx *g);
fg_ptx_value fg_ptx_call(fg_ptx *g); /* at the name */
void fg_ptx_walk_block(fg_ptx *g);   /* at its bracket */
void fg_ptx_choose(fg_ptx *g);       /* at the word if */
void fg_ptx_repeated(fg_ptx *g);     /* at the word for, or at what is before it */
void fg_ptx_assemble(fg_ptx *g);     /* at the word asm */
#endif

/* The interpreter of instructions, for run_instructions.c and run_warp.c. */
#ifndef FG_PROVE_RUN_PARTS_H
#define FG_PROVE_RUN_PARTS_H
#include "generator/prove/run_instructions.h"

typedef struct fg_code_touched { /* of a memory: from its first number that is used to behind its last */
  const fg_gf *from, *to;
  bool stored;
} fg_code_touched;

typedef struct fg_code_machine fg_code_machine;
typedef struct fg_code_decoded { /* an instruction, and where its values are */
  bool (*run)(const fg_code_machine *r, const struct fg_code_decoded *d);
  const fg_instr *i;
  uint64_t *x;               /* numbers, an index; a pointer is two: array, offset */
  const uint64_t *a, *b, *c; /* x, where it has no such operand */
  int32_t end;               /* of a bracket: its END */
  bool outermost;            /* a loop inside of none */
  bool together;             /* a bracket that all lanes of a warp enter at once: what they do together is inside */
} fg_code_decoded;

struct fg_code_machine { /* of one thread */
  const fg_instructions *code;
  fg_code_decoded *at;
  const fg_field *f;
  const fg_prove_code_memory *m;
  const fg_prove_code_share *share;
  fg_code_touched *memory; /* FG_CODE_MEMORIES */
  int64_t thread;
  char *why;
};

bool fg_prove_code_fail(const fg_code_machine *r, const fg_code_decoded *d, const char *what);
/* What the lanes of a warp do together. */
static inline bool fg_prove_code_is_common(const fg_instr *i) {
  return i->op == FG_CODE_MATRIX_PRODUCT || i->op == FG_CODE_FROM_LANE;
}
/* The lanes of a warp, of one list: what is before `to`. */
bool fg_prove_code_warp(const fg_code_machine lane[], int32_t from, int32_t to);
#endif

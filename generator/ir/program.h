/* fg_program: ordered kernels, the buffers they touch, the tables they need.
 *
 * Buffers are numbered; the first ones are always the input (0) and the output
 * (1; in place: output.alias = 0). */
#ifndef FG_PROGRAM_H
#define FG_PROGRAM_H
#include "generator/ir/buffer.h"
#include "generator/ir/kernel.h"
#include "generator/ir/persistent_queue.h"
#include "generator/ir/table.h"
#include "generator/plan/plan.h"
#include "targets/dialect.h"
#include "targets/machine/machine.h"

enum { FG_MAX_BUFFERS = 64, FG_MAX_FALLBACKS = 8 };
enum { FG_BUFFER_IN = 0, FG_BUFFER_OUT = 1 };

/* CPUs: the vectors of the instruction set that it is made for. */
typedef struct fg_program_vectors {
  int lanes;         /* elements of the widest vector; 1: scalar */
  int registers;     /* that hold vectors */
  bool one_source;   /* permutations across 16-byte parts of vectors take numbers of one only */
  bool side_by_side; /* blocks run at the same time even where they have one thread */
} fg_program_vectors;

typedef struct fg_program {
  fg_problem problem;
  const fg_plan *plan;
  int nbuffer, ntable, nkernel;
  fg_buffer buffer[FG_MAX_BUFFERS];
  fg_table table[FG_MAX_BUFFERS];
  fg_kernel **kernel; /* in order of execution */
  fg_queue queue;     /* of the first two kernels' blocks; ring 0: kernels are launched one after the other */
  fg_program_vectors vectors;
  const fg_machine *machine; /* that it is planned for; NULL: any (fg_program_machine) */
  int nfallback;
  const char *fallback[FG_MAX_FALLBACKS]; /* every slow way taken, in words */
} fg_program;

/* The buffer whose memory this one has: an alias's, or its own. */
static inline int fg_program_root(const fg_program *p, int b) {
  for (int steps = 0; p->buffer[b].alias >= 0 && steps < FG_MAX_BUFFERS; steps++) b = p->buffer[b].alias;
  return b;
}

/* Rows of so many slots, end to end, pass through vectors as one line; or, having an odd part, row by row, where their
 * even part is `from` at least. Permutations of one vector's numbers alone would take three times the operations for a
 * line (lower/transpose.c): from 1. Those of two: from half a line of the cache, since shorter steps leave more vectors
 * across two of them; and vectors that were just stored are waited for where others, which begin with rows, have parts
 * of two of them: whole vectors, then. */
static inline bool fg_takes_lines(int slots, int from) {
  int even = slots & -slots;
  return even == slots || even < from;
}

/* Kernels, and what was one before several became one in batch-major order. */
static inline int fg_program_sections(const fg_program *p) {
  const fg_kernel *k = p->kernel[0];
  return p->nkernel > 1 ? p->nkernel : k->stage[k->nstage - 1].vectors.section + 1;
}
bool fg_program_had_codelet(const fg_program *p, int kernel, int stage); /* whether an earlier stage has its codelet */
int fg_program_rows_from(const fg_program *p, const fg_buffer *b, bool load, int lanes);
bool fg_program_is_constant(const fg_program *p, int buffer); /* a table, or numbers that the caller brings */
/* The first kernel of several fetches the next rows while it computes some, few at a time: where L2 is
 * small and both arrays are so large that L3 does not deliver them in time. */
bool fg_program_fetches_rows(const fg_program *p);
int16_t fg_buffer_root(const fg_program *p, int buffer); /* whose memory it is: itself where it is no alias */
/* Whether an access goes on in its own buffer, or in shared memory whose elements are alike, or from constants to
 * others. */
bool fg_program_goes_on(const fg_program *p, const fg_access *a);
/* Whether a stage stores to the memory that it loads from. */
static inline bool fg_stage_is_in_place(const fg_program *p, const fg_stage *s) {
  return fg_buffer_root(p, s->load.buffer) == fg_buffer_root(p, s->store.buffer);
}
/* Whether it loads from a memory, or stores to it. */
static inline bool fg_stage_uses(const fg_program *p, const fg_stage *s, int memory) {
  return fg_buffer_root(p, s->load.buffer) == memory || fg_buffer_root(p, s->store.buffer) == memory;
}
int fg_stage_result_parts(const fg_program *p, const fg_stage *s); /* numbers of a result before its operations */
bool fg_stage_sends(const fg_program *p, const fg_stage *s);       /* to blocks of its cluster */
/* M of the proof: lowest common multiple of the orders of everything in p, of
 * 8 n per dimension, and of what the reference transform needs, unless there is no room
 * for that and weighted sums can do without. 0: too large. */
uint64_t fg_program_order(const fg_program *p);
/* Checks buffer numbers, digit roles, slot counts against codelets... */
bool fg_program_valid(const fg_program *p, const char **why);
char *fg_program_print(fg_context *cx, const fg_program *p); /* --dump=kernel */
#endif

/* An access of a stage: which elements move, how vectors move them, the operations on the way. */
#ifndef FG_IR_ACCESS_H
#define FG_IR_ACCESS_H
#include "generator/base/invariant.h"
#include "generator/ir/index.h"
#include "generator/problem/expression.h"

/* How an access moves vectors (targets with lanes; NONE: one element). It never changes which elements move: the
 * address alone decides that. */
typedef enum fg_move {
  FG_MOVE_NONE,      /* scalar */
  FG_MOVE_CONTIG,    /* lanes are neighbours in memory */
  FG_MOVE_REVERSE,   /* the same, the last lane first */
  FG_MOVE_SAME,      /* all lanes the same element: broadcast (loads) */
  FG_MOVE_TRANSPOSE, /* slots are neighbours, lanes any distance apart: exchange of scope LANE between
                      * rows of slots in memory and vectors of lanes; one line where the distance is the
                      * number of slots */
  FG_MOVE_GATHER,    /* lane by lane */
} fg_move;

/* Moves the elements of one access: address digits plus slot digit `reg`. Where the
 * codelet's slots follow two laws (the partners n - k of real transforms), those of
 * the second are `rest`: the slots behind, in the same buffer; of loads, or in shared memory that has their part. */
typedef struct fg_access fg_access;

struct fg_access {
  int16_t buffer;
  int16_t reg; /* digit of role REG that numbers the codelet's slots (complex elements) */
  fg_index index;
  int npred; /* loads: 0 where a predicate fails; stores: skipped */
  fg_pred pred[FG_MAX_PREDS];
  fg_move move;
  bool stream; /* stores: full vectors past the caches, where the target has such stores and the address is
                * aligned for them, which is seen when it runs: callers need not align anything */
  fg_access *rest;
};

/* Elements whose `value` reaches `bound` do not move. */
static inline void fg_access_keep(fg_access *a, const fg_affine *value, fg_num bound) {
  fg_invariant(a->npred < FG_MAX_PREDS);
  a->pred[a->npred++] = (fg_pred){.value = *value, .bound = bound};
}

/* An operation on elements between memory and codelet. */
typedef struct fg_operation {
  const fg_operation_row *row;
  const fg_expression *value; /* operand o is that of the operation behind which there are noperand - 1 - o others */
  bool has_operand;
  bool of_array;     /* the operand has numbers for those elements alone that the problem's array has */
  fg_access operand; /* a table or an array of the caller's; its slots, and its rest's, are those of the access it
                      * belongs to */
} fg_operation;

enum { FG_MAX_OPERATIONS = 20 };

/* The operation, of a list, that brings operand `o` of operation `k`. */
static inline int fg_operation_bringing(const fg_operation *list, int k, int o) {
  return k - (list[k].value->noperand - 1) + o;
}

typedef struct fg_operations { /* in the order in which they happen */
  int parts;                   /* of an element before them: 2 complex, 1 real */
  bool two_by_two;             /* both parts are real elements, neighbours; a complex operand has one for each */
  int count;
  fg_operation operation[FG_MAX_OPERATIONS];
} fg_operations;
#endif

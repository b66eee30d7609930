/* fg_codelet: a straight-line program over reals, as a hash-consed DAG.
 *
 * Nodes are 32-bit handles in topological order: operands have smaller handles
 * than their users. Inputs and outputs are numbered slots; kind.h says
 * what they hold. Twiddle factors are inputs of their own class (IN times TW is the only product of two variables),
 * so the codelet is linear in its inputs.
 *
 * Way of a codelet: algo/ builds it -> simplify.c makes it smaller ->
 * schedule.c orders it -> emit.c writes it. */
#ifndef FG_CODELET_H
#define FG_CODELET_H
#include "generator/base/context.h"
#include "generator/codelet/kind.h"
#include "generator/math/constant.h"
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t fg_node;
#define FG_NO_NODE UINT32_MAX /* no enumerator: those are ints */

#define OP(NAME, operands, meaning) FG_OP_##NAME,
typedef enum fg_op {
#include "targets/forms/ops.def"
  FG_OP_COUNT
} fg_op;
#undef OP
static inline int fg_op_operands(fg_op op) {
  static const signed char operands[] = {
#define OP(NAME, count, meaning) count,
#include "targets/forms/ops.def"
#undef OP
  };
  return operands[op];
}
const char *fg_op_name(fg_op op);

typedef struct fg_dnode {
  fg_op op;
  uint32_t slot;   /* IN, TW: the slot; CONST: the fg_const */
  fg_node a, b, c; /* operands; FG_NO_NODE where there is none. Of a product (MUL, FMA, FMS, FNMA) a is the
                      factor, a CONST or TW; factors are operands of nothing else */
} fg_dnode;

/* Where twiddle factors multiply; kind.h says which kinds take them there. */
typedef enum fg_twiddle {
  FG_TW_NONE = 0,
  FG_TW_IN = 1,      /* input k (k >= 1) times twiddle k, before the transform (decimation in time) */
  FG_TW_OUT = 2,     /* output k (k >= 1) times twiddle k, after it (decimation in frequency) */
  FG_TW_IN_ALL = 5,  /* as IN, input 0 too */
  FG_TW_OUT_ALL = 6, /* as OUT, output 0 too */
  FG_TW_STEPS = 7,   /* as IN where factor k is a k-th power, n a power of two: at each step by two; algo/steps.c */
} fg_twiddle;
/* Twiddle slots: FG_TW_IN/OUT: factor of element k in slots 2(k-1), 2(k-1)+1;
 * the ALL forms: 2k, 2k+1; STEPS: 2k, 2k+1 of n/2 factors. */

typedef enum fg_fma_form { FG_FORM_ADD_MUL = 0, FG_FORM_FMA = 1 } fg_fma_form;

typedef struct fg_codelet_key { /* what is asked for; equal keys give equal codelets */
  int n;                        /* length of the transform */
  int sign;                     /* -1 or +1; for cosine and sine transforms without effect */
  fg_twiddle twiddle;
  fg_fma_form form;
  const char *algo; /* force this row of algo/table.c at the top; NULL: the best that applies */
  bool accurate;    /* least rounding error before fewest operations */
  fg_codelet_kind kind;
  int inputs;  /* of c2c: there are so many, the others are zero; 0: all */
  int outputs; /* likewise: so many are wanted */
  bool matrix; /* warps compute it by products of matrices: it is what they are compared with */
} fg_codelet_key;

typedef struct fg_op_count {
  int add, mul; /* real additions or subtractions, multiplications of the add-mul form */
  int fma;      /* fused operations */
  int neg;      /* sign changes that found no home in another operation */
} fg_op_count;

typedef struct fg_codelet {
  fg_codelet_key key;
  const char *algo;    /* name of the algorithm that built the top level */
  fg_const_pool *pool; /* of its constants */
  int nnode;
  fg_dnode *node;
  int nin, ntw, nout; /* slots */
  fg_node *out;       /* out[slot] */
  fg_op_count count;
} fg_codelet;

/* Builds, simplifies and counts. FG_EUSER for an n that no algorithm takes, or
 * twiddles that the kind does not. */
fg_status fg_codelet_create(fg_context *cx, const fg_codelet_key *key, const fg_codelet **out);
/* Lowest common multiple of the orders of all its constants and of 4 times the
 * period of the sines and cosines in the kind's definition. */
uint64_t fg_codelet_order(const fg_codelet *c);
/* Checks every invariant above; asserts in debug builds after every pass. */
bool fg_codelet_valid(const fg_codelet *c, const char **why);
/* Largest n for which a codelet is offered. */
int fg_codelet_limit(void);
int fg_codelet_matrix_limit(void); /* most points that products of matrices compute */
/* Values of the outputs over a field: in[nin], tw[ntw] -> out[nout]. work has
 * nnode elements. */
void fg_codelet_eval_gf(const fg_codelet *c, const fg_field *f, const fg_gf *in, const fg_gf *tw, fg_gf *out,
                        fg_gf *work);
char *fg_codelet_print(fg_context *cx, const fg_codelet *c); /* --dump=dag */
#endif

/* fg_dag: the graph while it is built and simplified. Internal to codelets.
 *
 * An edge is a node with a sign: node * 2 + (1: negated), so that every value is
 * shared with its negative and a sign change costs nothing until the end. Nodes
 * are shared by VALUE: each carries what it computes at random points of a prime
 * field, and a node that would compute what an older one does (or its negative)
 * is that older one, whatever their structures.
 *
 * Only linear products exist: a constant or a twiddle slot times an edge. */
#ifndef FG_DAG_H
#define FG_DAG_H
#include "generator/codelet/codelet.h"

typedef uint32_t fg_edge;
enum { FG_ZERO = 0 }; /* the edge of the number 0 */

typedef enum fg_vertex_kind {
  FG_V_ZERO,    /* 0; vertex 0 alone */
  FG_V_IN,      /* input `slot` */
  FG_V_SUM,     /* a + b; at most one of the edges is negated */
  FG_V_SCALE,   /* constant `slot` (positive, not 1) times a */
  FG_V_TWIDDLE, /* twiddle part `slot` times a */
} fg_vertex_kind;

enum { FG_DAG_POINTS = 2 }; /* random points at which values are compared */

typedef struct fg_vertex {
  fg_vertex_kind kind;
  uint32_t slot;
  fg_edge a, b; /* SCALE, TWIDDLE: a is not negated */
  fg_gf value[FG_DAG_POINTS];
} fg_vertex;

typedef struct fg_roots fg_roots;
typedef struct fg_spare fg_spare;

typedef struct fg_family { /* shared by forked copies */
  fg_roots *roots;         /* of unity, made so far */
  fg_spare *spare;         /* memory of the retired */
} fg_family;

typedef struct fg_root { /* exp(2 pi i k / n) */
  fg_const cos, sin;
} fg_root;

typedef struct fg_dag {
  fg_context *cx;
  fg_const_pool *pool;
  fg_fma_form form; /* what the count is minimised for */
  int accuracy; /* of algorithms: 0 = fewest operations, 1 = rounding errors count, 2 = rounding errors alone; set after
                   creation */
  fg_field field; /* the simplifier's own */
  uint32_t count, capacity;
  fg_vertex *vertex;      /* operands before users */
  uint32_t mask, *bucket; /* by value, open addressing: vertex + 1 */
  fg_const one;
  fg_family *family;
} fg_dag;

/* order: a multiple of the orders of all constants that will be used. */
fg_dag *fg_dag_create(fg_context *cx, fg_const_pool *pool, uint64_t order, fg_fma_form form);
/* An empty graph with the same pool, field, form and choice of algorithms. */
fg_dag *fg_dag_sibling(const fg_dag *d);
/* Not used again: another copy may take its memory. */
void fg_dag_retire(fg_dag *d);
static inline fg_edge fg_dag_neg(fg_edge a) { return a == FG_ZERO ? a : a ^ 1; }
fg_edge fg_dag_input(fg_dag *d, uint32_t slot);
fg_edge fg_dag_add(fg_dag *d, fg_edge a, fg_edge b);
fg_edge fg_dag_sub(fg_dag *d, fg_edge a, fg_edge b);
fg_edge fg_dag_scale(fg_dag *d, fg_const c, fg_edge a);
fg_edge fg_dag_twiddle(fg_dag *d, uint32_t slot, fg_edge a);
/* exp(2 pi i k / n), any k. */
fg_root fg_dag_root(fg_dag *d, int64_t k, int64_t n);
#endif

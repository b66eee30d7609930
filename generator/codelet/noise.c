/* See noise.h. In: a codelet. Out: its expected rounding error.
 *
 * The idea: a codelet is linear, so the mean square of each value is the sum of the squares of its coefficients over
 * the inputs, and the effect of an error there on the outputs is the sum of the squares of the outputs' coefficients
 * over it. Every operation that rounds adds one error of its value's size, every rounded constant another of its
 * product's size. Errors are assumed to be independent (Wilkinson's model; Higham, Accuracy and Stability of
 * Numerical Algorithms, 2002, section 2.8). One pass forward for each input, one back for each output. */
#include "generator/codelet/noise.h"
#include "generator/math/constant_value.h"
#include <math.h>
#include <string.h>

typedef struct walk {
  const fg_codelet *c;
  double *factor; /* of CONST and TW nodes */
  double *x;      /* of each node: a coefficient */
} walk;

static double factor_of(const fg_codelet *c, const fg_dnode *node) {
  if (node->op == FG_OP_CONST) return fg_const_double(c->pool, node->slot);
  int twiddle = node->slot / 2;
  double angle = 1 + 0.37 * twiddle; /* any but a special one */
  return node->slot % 2 ? sin(angle) : cos(angle);
}

static void forward(const walk *w, int input) {
  const double *f = w->factor;
  double *x = w->x;
  for (int i = 0; i < w->c->nnode; i++) {
    const fg_dnode *n = &w->c->node[i];
    switch (n->op) {
    case FG_OP_IN: x[i] = n->slot == (uint32_t)input; break;
    case FG_OP_ADD: x[i] = x[n->a] + x[n->b]; break;
    case FG_OP_SUB: x[i] = x[n->a] - x[n->b]; break;
    case FG_OP_NEG: x[i] = -x[n->a]; break;
    case FG_OP_MUL: x[i] = f[n->a] * x[n->b]; break;
    case FG_OP_FMA: x[i] = f[n->a] * x[n->b] + x[n->c]; break;
    case FG_OP_FMS: x[i] = f[n->a] * x[n->b] - x[n->c]; break;
    case FG_OP_FNMA: x[i] = x[n->c] - f[n->a] * x[n->b]; break;
    default: x[i] = 0;
    }
  }
}

/* x[i]: what one more in node i does to the output. */
static void back(const walk *w, int output) {
  const double *f = w->factor;
  double *x = w->x;
  memset(x, 0, sizeof *x * (size_t)w->c->nnode);
  x[w->c->out[output]] = 1;
  for (int i = w->c->nnode - 1; i >= 0; i--) {
    const fg_dnode *n = &w->c->node[i];
    switch (n->op) {
    case FG_OP_ADD: x[n->a] += x[i], x[n->b] += x[i]; break;
    case FG_OP_SUB: x[n->a] += x[i], x[n->b] -= x[i]; break;
    case FG_OP_NEG: x[n->a] -= x[i]; break;
    case FG_OP_MUL: x[n->b] += f[n->a] * x[i]; break;
    case FG_OP_FMA: x[n->b] += f[n->a] * x[i], x[n->c] += x[i]; break;
    case FG_OP_FMS: x[n->b] += f[n->a] * x[i], x[n->c] -= x[i]; break;
    case FG_OP_FNMA: x[n->b] -= f[n->a] * x[i], x[n->c] += x[i]; break;
    default: break;
    }
  }
}

static bool is_power_of_two(double x) {
  int exponent;
  return fabs(frexp(x, &exponent)) == 0.5;
}

/* Errors of node i, given the mean squares of all values. */
static double errors(const walk *w, int i, const double *square) {
  const fg_dnode *n = &w->c->node[i];
  switch (n->op) {
  case FG_OP_ADD:
  case FG_OP_SUB: return square[i];
  case FG_OP_MUL: return is_power_of_two(w->factor[n->a]) ? 0 : 2 * square[i];
  case FG_OP_FMA:
  case FG_OP_FMS:
  case FG_OP_FNMA: {
    double f = w->factor[n->a];
    return square[i] + (is_power_of_two(f) ? 0 : f * f * square[n->b]);
  }
  default: return 0;
  }
}

double fg_codelet_noise(fg_context *cx, const fg_codelet *c) {
  double *square = fg_arena_new(cx->arena, double, c->nnode), *gain = fg_arena_new(cx->arena, double, c->nnode);
  walk w = {c, fg_arena_new(cx->arena, double, c->nnode), fg_arena_new(cx->arena, double, c->nnode)};
  for (int i = 0; i < c->nnode; i++)
    if (c->node[i].op == FG_OP_CONST || c->node[i].op == FG_OP_TW) w.factor[i] = factor_of(c, &c->node[i]);
  for (int k = 0; k < c->nin; k++) {
    forward(&w, k);
    for (int i = 0; i < c->nnode; i++) square[i] += w.x[i] * w.x[i];
  }
  for (int k = 0; k < c->nout; k++) {
    back(&w, k);
    for (int i = 0; i < c->nnode; i++) gain[i] += w.x[i] * w.x[i];
  }
  double noise = 0, all = 0;
  for (int i = 0; i < c->nnode; i++) noise += errors(&w, i, square) * gain[i];
  for (int k = 0; k < c->nout; k++) all += square[c->out[k]];
  return all > 0 ? noise / all : 0;
}

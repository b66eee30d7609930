/* What tests of codelets share: contexts of their own, codelets of a key and their values, keys that are refused. */
#ifndef FG_CODELETS_H
#define FG_CODELETS_H
#include "generator/codelet/codelet.h"
#include "generator/math/constant_value.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static inline fg_context begin(void) {
  fg_context cx = {.arena = fg_arena_create()};
  assert_non_null(cx.arena);
  return cx;
}

static inline const fg_codelet *create(fg_context *cx, fg_codelet_key key) {
  const fg_codelet *c = NULL;
  if (fg_arena_guard(cx->arena)) fail_msg("out of memory");
  if (fg_codelet_create(cx, &key, &c) != FG_OK)
    fail_msg("%s n=%d %s: %s", fg_codelet_kind_name(key.kind), key.n, key.algo ? key.algo : "best", cx->diag.message);
  return c;
}

static inline void refuse(fg_codelet_key key, const char *word) {
  fg_context cx = begin();
  const fg_codelet *c = NULL;
  assert_int_equal(fg_codelet_create(&cx, &key, &c), FG_EUSER);
  assert_null(c);
  assert_non_null(strstr(cx.diag.message, word));
  fg_arena_destroy(cx.arena);
}

/* A codelet in floating point, operation by operation. */
#define EVALUATE(name, real, fused)                                                                                    \
  static inline void name(const fg_codelet *c, const real *in, real *out) {                                            \
    real *v = calloc((size_t)c->nnode, sizeof *v);                                                                     \
    assert_non_null(v);                                                                                                \
    mpfr_t number;                                                                                                     \
    mpfr_init2(number, FG_CONST_BITS);                                                                                 \
    for (int i = 0; i < c->nnode; i++) {                                                                               \
      const fg_dnode *x = &c->node[i];                                                                                 \
      switch (x->op) {                                                                                                 \
      case FG_OP_IN: v[i] = in[x->slot]; break;                                                                        \
      case FG_OP_CONST:                                                                                                \
        fg_const_real(c->pool, x->slot, number);                                                                       \
        v[i] = sizeof(real) > 8 ? (real)mpfr_get_ld(number, MPFR_RNDN) : (real)mpfr_get_d(number, MPFR_RNDN);          \
        break;                                                                                                         \
      case FG_OP_NEG: v[i] = -v[x->a]; break;                                                                          \
      case FG_OP_ADD: v[i] = v[x->a] + v[x->b]; break;                                                                 \
      case FG_OP_SUB: v[i] = v[x->a] - v[x->b]; break;                                                                 \
      case FG_OP_MUL: v[i] = v[x->a] * v[x->b]; break;                                                                 \
      case FG_OP_FMA: v[i] = fused(v[x->a], v[x->b], v[x->c]); break;                                                  \
      case FG_OP_FMS: v[i] = fused(v[x->a], v[x->b], -v[x->c]); break;                                                 \
      case FG_OP_FNMA: v[i] = fused(-v[x->a], v[x->b], v[x->c]); break;                                                \
      default: fail_msg("an operation that has no place here");                                                        \
      }                                                                                                                \
    }                                                                                                                  \
    mpfr_clear(number);                                                                                                \
    for (int i = 0; i < c->nout; i++) out[i] = v[c->out[i]];                                                           \
    free(v);                                                                                                           \
  }
EVALUATE(evaluate_double, double, fma)
EVALUATE(evaluate_long, long double, fmal)
#endif

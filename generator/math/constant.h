/* Exact constants: one symbolic expression each, of rationals and cosines and
 * sines of rational angles. Its real value (200 bits and more) and its image in
 * a prime field are both EVALUATED from the expression; neither can be set. */
#ifndef FG_CONSTANT_H
#define FG_CONSTANT_H
#include "generator/base/context.h"
#include "generator/math/field.h"
#include <stdint.h>

typedef uint32_t fg_const; /* handle in a pool */
typedef struct fg_const_pool fg_const_pool;
/* Constants are shared when equal (as expressions' values): the pool keeps an
 * evaluation of its own, in a field and with a seed that the proof never uses. */
fg_const_pool *fg_const_pool_create(fg_context *cx);
fg_const fg_const_rational(fg_const_pool *pool, int64_t num, int64_t den);
fg_const fg_const_cos(fg_const_pool *pool, int64_t k, int64_t n); /* cos(2 pi k / n) */
fg_const fg_const_sin(fg_const_pool *pool, int64_t k, int64_t n); /* sin(2 pi k / n) */
fg_const fg_const_add(fg_const_pool *pool, fg_const a, fg_const b);
fg_const fg_const_sub(fg_const_pool *pool, fg_const a, fg_const b);
fg_const fg_const_mul(fg_const_pool *pool, fg_const a, fg_const b);
fg_const fg_const_div(fg_const_pool *pool, fg_const a, fg_const b); /* b is not 0 */
fg_const fg_const_neg(fg_const_pool *pool, fg_const a);
#endif

/* Exact constants: one symbolic expression each, of rationals and cosines and
 * sines of rational angles. Its real value (200 bits and more) and its image in
 * a prime field are both EVALUATED from the expression; neither can be set. */
#ifndef FG_CONSTANT_H
#define FG_CONSTANT_H
#include "generator/base/context.h"
#include "generator/math/field.h"
#include <mpfr.h>
#include <stdint.h>

typedef uint32_t fg_const; /* handle in a pool */
typedef struct fg_const_pool fg_const_pool;

enum { FG_CONST_BITS = 256 }; /* precision of real values */

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

int fg_const_sign(const fg_const_pool *pool, fg_const a); /* -1, 0, +1 */
double fg_const_double(const fg_const_pool *pool, fg_const a);
void fg_const_real(const fg_const_pool *pool, fg_const a, mpfr_t out); /* rounded to out's precision */
/* f has the roots of unity of a. Images in the field last asked for are kept in
 * the pool, so that one pool serves one thread. */
fg_gf fg_const_image(const fg_const_pool *pool, const fg_field *f, fg_const a);
/* out[handle] for all handles; 0 where f lacks the roots of unity. */
void fg_const_images(const fg_const_pool *pool, const fg_field *f, fg_gf *out);
/* Lowest multiple of 4 that every root of unity in a divides. */
uint64_t fg_const_order(const fg_const_pool *pool, fg_const a);
/* The expression, for dumps: "cos(1/8)", "sin(1/5)*1/2". In cx's arena. */
char *fg_const_print(fg_context *cx, const fg_const_pool *pool, fg_const a);
int fg_const_count(const fg_const_pool *pool); /* handles are 0 .. count-1 */
#endif

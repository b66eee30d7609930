/* Values of exact constants, real and in prime fields, evaluated from their expressions. */
#ifndef FG_MATH_CONSTANT_VALUE_H
#define FG_MATH_CONSTANT_VALUE_H
#include "generator/math/constant.h"
#include <mpfr.h>

enum { FG_CONST_BITS = 256 };                             /* precision of real values */
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

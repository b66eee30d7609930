/* Stages that warps compute by products of matrices. */
#ifndef FG_LOWER_PRODUCTS_H
#define FG_LOWER_PRODUCTS_H
#include "generator/lower/writer.h"

/* A stage that is; languages without such products compute its codelet. */
bool fg_lower_is_product(const fg_emitter *e, const fg_stage *s);
fg_status fg_lower_products(fg_writer *w);
const char *fg_lower_products_preamble(const fg_emitter *e);
#endif

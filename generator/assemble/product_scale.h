/* Where the scale of a convolution is. */
#ifndef FG_PRODUCT_SCALE_H
#define FG_PRODUCT_SCALE_H
#include "generator/assemble/builder.h"
#include "generator/assemble/stage_form.h"

bool fg_build_scales_product(const fg_builder *b);
/* Whether it is with the product and not at the results of this stage, which gets it here if it has the product. */
bool fg_build_scale_product(fg_builder *b, fg_stage *stage, const fg_stage_form *form);
#endif

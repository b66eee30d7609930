/* A compilation for a target that launches kernels, as a package for the runtime, as fg_object is for C. */
#ifndef FG_PACKING_H
#define FG_PACKING_H
#include "generator/pipeline/pipeline.h"
#include "runtime/store/package.h"

/* c: through fg_pipeline_emit. The source is its only code. compiler: the one that
 * will compile it, NULL: the driver's own. Everything points into c. */
fg_status fg_packing_create(const fg_compilation *c, const char *compiler, fg_package *out);
#endif

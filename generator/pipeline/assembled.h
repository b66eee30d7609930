/* Kernels as assembly, for one who does not wait for their proof. */
#ifndef FG_PIPELINE_ASSEMBLED_H
#define FG_PIPELINE_ASSEMBLED_H
#include "generator/pipeline/pipeline.h"

/* Bodies of kernels as assembly, where they can be; c: through fg_pipeline_emit. fg_pipeline_prove_emitted of a copy
 * made before must come to assembly, too (fg_compilation.assembled). */
fg_status fg_pipeline_assemble(fg_compilation *c);
#endif

/* A compilation as one shared object for the runtime: the emitted source and the
 * description (fftgen_kernel) that the runtime finds in it. */
#ifndef FG_OBJECT_H
#define FG_OBJECT_H
#include "generator/pipeline/pipeline.h"

typedef struct fg_object {
  fg_artifact artifact; /* its source is the whole translation unit */
  char address[40];     /* hash of source, compiler, flags and CPU */
} fg_object;

/* c: through fg_pipeline_emit, with request.entry, for C. `cc`: facts of the
 * device that will compile it; NULL: another device will, address stays empty.
 * symbol: of the description; NULL: the one that the runtime looks for in files. */
fg_status fg_object_create(const fg_compilation *c, const fg_device_facts *cc, const char *symbol, fg_object *out);
/* The source of a table of such symbols: NAME_kernels, for fftgen_register. */
fg_status fg_object_table(fg_context *cx, const char *name, const char *const *symbol, int count, char **out);
#endif

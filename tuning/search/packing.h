/* A compilation for a target that launches kernels, as a package for the runtime, as fg_object is for C. */
#ifndef FG_PACKING_H
#define FG_PACKING_H
#include "generator/pipeline/pipeline.h"
#include "runtime/store/package.h"

/* c: through fg_pipeline_emit. The source is its only code. compiler: the one that
 * will compile it, NULL: the driver's own. Everything points into c. */
fg_status fg_packing_create(const fg_compilation *c, const char *compiler, fg_package *out);
/* Its bytes, read again and compared: FG_EINTERNAL where they say anything else. */
fg_status fg_packing_write(fg_context *cx, const fg_package *p, fg_strbuf *out);
bool fg_packing_is_same(const fg_package *a, const fg_package *b); /* but for code */
/* Whether each line of a pack's index, which is in the folder of its files, leads to its own file. */
fg_status fg_packing_check_index(fg_context *cx, const char *folder, const fg_strbuf *index);
#endif

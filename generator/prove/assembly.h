/* Kernels whose bodies are assembly (PTX), made of their text: each does to memory what that text does. */
#ifndef FG_PROVE_ASSEMBLY_H
#define FG_PROVE_ASSEMBLY_H
#include "generator/prove/prove.h"

/* False: blocks that communicate, which are not proved. */
bool fg_prove_assembly_is_possible(const fg_program *p, const fg_artifact *c);
/* o->emitted: the text, which is proved. Not proved, with the reason in out->failure, are kernels for which it is not
 * possible, and assembly that is not read. */
fg_status fg_prove_assembly(fg_context *cx, const fg_program *p, const char *assembly, const fg_text_options *o,
                            fg_text_proof *out);
#endif

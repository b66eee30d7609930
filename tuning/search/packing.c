/* See packing.h. */
#include "tuning/search/packing.h"
#include "runtime/store/wisdom.h"
#include "runtime/version.h"

fg_status fg_packing_create(const fg_compilation *c, const char *compiler, fg_package *out) {
  fg_context *cx = c->cx;
  const fg_artifact *a = &c->emitted.artifact;
  for (int i = 0; i < a->nbuffer; i++)
    if (a->buffer[i].kind == FG_ARG_TABLE && !a->buffer[i].content)
      return fg_diag_set(&cx->diag, FG_ESYS, "table %s: a package holds what is in it", a->buffer[i].name);
  if (!a->nlaunch)
    return fg_diag_set(&cx->diag, FG_EUSER, "target '%s': its kernels are called, not launched: they take no package",
                       a->dialect);
  *out = (fg_package){.problem = fg_wisdom_problem(cx, &c->problem),
                      .plan = fg_plan_print(cx, c->chosen.plan),
                      .generator = fg_version,
                      .compiler = compiler ? compiler : "",
                      .flops = c->chosen.cost.flops,
                      .bytes = c->chosen.cost.bytes,
                      .artifact = *a};
  fg_package_add(out, &(fg_package_code){"source", "", a->source, a->source_bytes});
  return FG_OK;
}

/* See build.h. The verifier (fg_program_valid) checks the program after every pass, in release builds, too; its
 * message names the pass that broke it. */
#include "generator/pipeline/build.h"
#include "generator/map/passes.h"

/* Before roles are given, the kernels are the builder's. */
static fg_status verify(fg_builder *b, const char *pass) {
  const char *why = "";
  fg_program *p = b->program;
  fg_kernel **kernel = p->kernel;
  int nkernel = p->nkernel;
  if (!nkernel) p->kernel = b->kernels, p->nkernel = b->nkernel;
  bool valid = fg_program_valid(p, &why);
  p->kernel = kernel, p->nkernel = nkernel;
  if (valid) return FG_OK;
  return fg_diag_set(&b->cx->diag, FG_EINTERNAL, "internal error: after %s, a program with %s", pass, why);
}

static fg_status run_passes(fg_builder *b) {
  fg_status status = verify(b, "assembling");
  for (const fg_map_pass *pass = fg_map_passes(); status == FG_OK && pass->name; pass++) {
    if (pass->applies && !pass->applies(b)) continue;
    status = pass->run(b);
    if (status == FG_OK) status = verify(b, pass->name);
  }
  return status;
}

static fg_status build(fg_context *cx, const fg_problem *problem, const fg_plan *plan, const fg_mapping *map,
                       bool *apart, fg_program **out) {
  fg_builder b;
  fg_status status = fg_assemble(cx, problem, plan, map, *apart, &b);
  if (status == FG_OK) status = run_passes(&b);
  *apart = b.fused;
  if (status == FG_OK) *out = b.program;
  return status;
}

/* Convolutions in place are for transforms that fit a block; for others once more without. */
fg_status fg_pipeline_program(fg_context *cx, const fg_problem *problem, const fg_plan *plan, const fg_mapping *map,
                              fg_program **out) {
  bool apart = false;
  fg_status status = fg_plan_fits(cx, plan, problem);
  if (status != FG_OK) return status;
  status = build(cx, problem, plan, map, &apart, out);
  if (status == FG_ENA && apart && !cx->diag.message[0]) status = build(cx, problem, plan, map, &apart, out);
  return status;
}

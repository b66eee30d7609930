/* The last step of the pipeline, in a file of its own: it needs libtcc, which
 * plug-ins that only compile do without.
 *
 * In: a compilation through fg_pipeline_decide. Out: the verdict on its text. */
#include "generator/pipeline.h"
#include <stdio.h>

fg_status fg_pipeline_prove_text(fg_compilation *c) {
  fg_status (*prove)(fg_context *, const fg_program *, const fg_isa *, uint64_t, fg_text_proof *) =
      c->dialect->is_code ? fg_prove_code : fg_prove_text;
  fg_status status = prove(c->cx, c->chosen.program, c->isa, FG_PROOF_SEED, &c->text);
  if (status == FG_ENA) {
    snprintf(c->text.walked, sizeof c->text.walked, "not run: too large, or no form over a prime field");
    return FG_OK;
  }
  if (status != FG_OK || c->text.proved) return status;
  return fg_diag_set(&c->cx->diag, FG_EWRONG, "emitted text of \"%s\" by %s: %s", c->request.problem,
                     fg_plan_print(c->cx, c->chosen.plan), c->text.failure);
}

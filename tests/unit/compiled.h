/* What tests of emitted texts share, beside the fixture: compilations, whose texts are proved. */
#ifndef FG_COMPILED_H
#define FG_COMPILED_H
#include "generator/pipeline/pipeline.h"
#include "tests/unit/changed_text.h"
#include "tests/unit/fixture.h"

/* The request's prefix and command are the same everywhere. */
static inline void compiled(fg_request r, fg_compilation *c) {
  r.prefix = "k", r.command = "test";
  if (fg_pipeline_compile(&context, &r, c) != FG_OK)
    fail_msg("%s, %s, %s: %s", r.problem, r.target, r.plan ? r.plan : r.isa ? r.isa : "any plan", context.diag.message);
  assert_true(c->proof.proved && c->text.proved);
}

/* C for a CPU. */
static inline void compiled_c(const char *problem, const char *isa, fg_compilation *c) {
  compiled((fg_request){.problem = problem, .target = "c", .isa = isa}, c);
}

/* Kernels that are launched; plan NULL: the best. */
static inline void compiled_for(const char *target, const char *problem, const char *plan, fg_compilation *c) {
  compiled((fg_request){.problem = problem, .target = target, .plan = plan}, c);
}

/* The proof of the text with another source: "": it holds. */
static inline const char *failure_with(const fg_compilation *c, const char *source) {
  fg_artifact changed = c->emitted.artifact;
  fg_text_proof proof;
  fg_text_options options = {.seed = 3, .primes = 1, .emitted = &changed, .map = &c->map};
  changed.source = source;
  if (fg_prove_text(&context, c->chosen.program, c->isa, &options, &proof) != FG_OK)
    fail_msg("%s: %s", c->request.problem, context.diag.message);
  assert_true(proof.proved == !proof.failure[0]);
  return fg_arena_strdup(context.arena, proof.failure);
}
#endif

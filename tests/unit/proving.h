/* What tests of proved programs share, beside the fixture: mappings, programs from a problem and a plan,
 * proofs that must hold, and proofs that must fail and say why. */
#ifndef FG_PROVING_H
#define FG_PROVING_H
#include "generator/pipeline/build.h"
#include "generator/prove/prove.h"
#include "tests/unit/fixture.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A GPU's, with its figures that differ. */
#define OF_THREADS(...)                                                                                                \
  { .threads = true, .lanes = 1, .registers = 64, .max_threads = 256, .fma = true, __VA_ARGS__ }
static const fg_mapping scalar = {.lanes = 1, .registers = 16};
static const fg_mapping eight_lanes = {.lanes = 8, .one_source = true, .registers = 16, .fma = true};
static const fg_mapping threads = OF_THREADS(.local_bytes = 32 << 10);

/* A group's: whatever is read beyond an end is found. */
static inline int setup_guarded(void **state) { return setup(state) || fg_arena_guard(context.arena); }

static inline fg_status try_assemble(const char *problem, const char *plan, const fg_mapping *map, fg_program **out) {
  fg_problem q;
  fg_plan *tree;
  fg_diag_clear(&context.diag);
  if (fg_problem_parse(&context, problem, &q) || fg_problem_supported(&context, &q) ||
      fg_plan_parse(&context, plan, &tree))
    fail_msg("%s, %s: %s", problem, plan, context.diag.message);
  return fg_pipeline_program(&context, &q, tree, map, out);
}

static inline fg_program *assembled_for(const char *problem, const char *plan, const fg_mapping *map) {
  fg_program *p = NULL;
  if (try_assemble(problem, plan, map, &p) != FG_OK) fail_msg("%s, %s: %s", problem, plan, context.diag.message);
  return p;
}

static inline fg_proof proof_of(const fg_program *p) {
  fg_proof proof;
  if (fg_prove(&context, p, 7, &proof) != FG_OK) fail_msg("%s", context.diag.message);
  return proof;
}

static inline void must_hold(const fg_program *p) {
  fg_proof proof = proof_of(p);
  if (!proof.proved)
    fail_msg("%s, %s: %s (%s)", fg_problem_print(&context, &p->problem), fg_plan_print(&context, p->plan),
             proof.failure, proof.walked);
  assert_string_equal(proof.failure, "");
  assert_true(proof.addresses > 0);
}

static inline fg_proof must_fail(const fg_program *p, const char *words) {
  fg_proof proof = proof_of(p);
  assert_false(proof.proved);
  if (!strstr(proof.failure, words)) fail_msg("\"%s\" does not say \"%s\"", proof.failure, words);
  return proof;
}
#endif

/* What tests of proved programs share, beside the fixture: programs from a problem and a plan,
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

/* A group's: whatever is read beyond an end is found. */
static inline int setup_guarded(void **state) { return setup(state) || fg_arena_guard(context.arena); }

static inline fg_status try_assemble(const char *problem, const char *plan, const fg_mapping *map, fg_program **out) {
  fg_problem q;
  fg_plan *tree;
  fg_diag_clear(&context.diag);
  assert_int_equal(fg_problem_parse(&context, problem, &q), FG_OK);
  assert_int_equal(fg_plan_parse(&context, plan, &tree), FG_OK);
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
  if (!proof.proved) fail_msg("not proved: %s (%s)", proof.failure, proof.walked);
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

/* The proof of an emitted text: as a whole, and by samples of its iterations, however short it is. Both must agree
 * that it is right. */
#ifndef TEXT_PROOF_H
#define TEXT_PROOF_H
#include "generator/prove/prove.h"
#include "tests/unit/proving.h"

/* The proof of the whole. */
static inline fg_text_proof text_proof_both(const fg_program *p, const fg_isa *isa, uint64_t seed, const char *what) {
  fg_text_proof proof[2];
  for (int sampled = 0; sampled < 2; sampled++) {
    fg_text_options options = {.seed = seed, .primes = FG_TEXT_PRIMES, .sample = sampled ? 256 : 0};
    if (fg_prove_text(&context, p, isa, &options, &proof[sampled]) != FG_OK)
      fail_msg("%s: %s", what, context.diag.message);
    if (!proof[sampled].proved) fail_msg("%s: %s%s", what, sampled ? "sampled: " : "", proof[sampled].failure);
    assert_true(proof[sampled].outputs > 0);
  }
  assert_true(proof[1].all_iterations > 0);
  return proof[0];
}

/* The program's proof, and that of its text where it is C. */
static inline void both_must_hold(const char *problem, const char *plan, const fg_mapping *map) {
  fg_program *p = assembled_for(problem, plan, map);
  must_hold(p);
  if (!map->threads) text_proof_both(p, fg_isa_find(map->lanes > 1 ? "avx2" : "scalar"), 11, problem);
}
#endif

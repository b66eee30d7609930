/* Problem text: parsed or refused; what was parsed obeys every limit, has extents
 * that are counted without overflow, and its canonical text means the same. */
#include "generator/problem/shape.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

static void body(fg_context *cx, const char *data, size_t size) {
  fg_problem p, q;
  if (fg_problem_parse(cx, fuzz_text(cx, data, size), &p) != FG_OK) {
    fuzz_require(cx->diag.message[0]);
    return;
  }
  fuzz_require(fg_problem_check(cx, &p) == FG_OK);
  fuzz_require(fg_problem_points(&p) > 0 && fg_problem_batch_count(&p, NULL) > 0);
  fuzz_require(fg_problem_extent(&p, false, NULL) > 0 && fg_problem_extent(&p, true, NULL) > 0);
  const char *text = fg_problem_print(cx, &p);
  fuzz_require(fg_problem_parse(cx, text, &q) == FG_OK);
  fuzz_require(!strcmp(text, fg_problem_print(cx, &q)));
  fuzz_require(fg_problem_points(&p) == fg_problem_points(&q));
  fuzz_require(fg_problem_extent(&p, false, NULL) == fg_problem_extent(&q, false, NULL));
  fuzz_require(fg_problem_extent(&p, true, NULL) == fg_problem_extent(&q, true, NULL));
  fuzz_require((fg_problem_supported(cx, &p) == FG_OK) == (fg_problem_supported(cx, &q) == FG_OK));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_run(body, data, size); }

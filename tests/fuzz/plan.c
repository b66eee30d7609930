/* Plan text: parsed or refused; its canonical text means the same, and whether it
 * fits a problem of its own length or of another is decided without harm. */
#include "generator/plan/plan.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

static void fit(fg_context *cx, const fg_plan *p, const char *problem) {
  fg_problem q;
  fuzz_require(fg_problem_parse(cx, problem, &q) == FG_OK);
  fg_diag_clear(&cx->diag);
  if (fg_plan_fits(cx, p, &q) != FG_OK) fuzz_require(cx->diag.message[0]);
}

static void body(fg_context *cx, const char *data, size_t size) {
  static const char *const problems[] = {"c2c f32 n=16x16", "r2c f32 n=256", "c2r f64 n=8x32", "dct2 f32 n=128",
                                         "dst1 f64 n=127",  "c2c f32 n=127", "conv f32 n=64",  "rconv f32 n=8x32"};
  fg_plan *p, *q;
  if (fg_plan_parse(cx, fuzz_text(cx, data, size), &p) != FG_OK) {
    fuzz_require(cx->diag.message[0]);
    return;
  }
  const char *text = fg_plan_print(cx, p);
  fuzz_require(fg_plan_parse(cx, text, &q) == FG_OK);
  fuzz_require(!strcmp(text, fg_plan_print(cx, q)));
  int64_t n = fg_plan_length(p);
  fuzz_require(n >= 0 && n == fg_plan_length(q));
  fuzz_require((fg_plan_check(cx, p, n ? n : 1) == FG_OK) == (fg_plan_check(cx, q, n ? n : 1) == FG_OK));
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) fit(cx, p, problems[i]);
  if (n > 0 && n < INT64_C(1) << 31) fit(cx, p, fg_arena_printf(cx->arena, "c2c f32 n=%lld", (long long)n));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_run(body, data, size); }

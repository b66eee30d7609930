/* Samples of instructions: those of long transforms are proved so, and what their run as a whole finds in short ones a
 * sample finds, too. */
#include "targets/code.h"
#include "tests/unit/compiled.h"
#include "tests/unit/pace.h"
#include "tests/unit/proving.h"
#include <stdio.h>

static void compiled_code(const char *problem, const char *isa, fg_compilation *c) {
  compiled((fg_request){.problem = problem, .target = "code", .isa = isa, .entry = true}, c);
}

/* Of so many elements a stage; 0: as plans are proved. map: NULL: as a whole, up to 2^20 points. */
static bool is_proved(const fg_compilation *c, const fg_artifact *emitted, const fg_text_map *map, int64_t sample,
                      fg_text_proof *proof) {
  fg_text_options options = {.seed = 3, .primes = 1, .emitted = emitted, .map = map, .sample = sample};
  *proof = (fg_text_proof){0};
  fg_status status = fg_prove_code(&context, c->chosen.program, c->isa, &options, proof);
  if (status != FG_OK) fail_msg("%s: %s", c->request.problem, context.diag.message);
  return proof->proved;
}

static fg_artifact copy_of(const fg_compilation *c) {
  fg_artifact copy = c->emitted.artifact;
  fg_instructions *code = fg_arena_copy(context.arena, copy.instructions, sizeof *code);
  code->instr = fg_arena_copy(context.arena, code->instr, sizeof *code->instr * (size_t)code->count);
  if (code->nlist) code->list = fg_arena_copy(context.arena, code->list, sizeof *code->list * (size_t)code->nlist);
  copy.instructions = code;
  return copy;
}

static void exchange(fg_instr *x) {
  int32_t a = x->a;
  x->a = x->b, x->b = a;
}

/* False: such an instruction has nothing to change. */
static bool change(const fg_artifact *a, int32_t at) {
  fg_instr *x = &a->instructions->instr[at];
  switch (x->op) {
  case FG_CODE_NUMBER: x->imm.real = -x->imm.real; return true;
  case FG_CODE_INT:
  case FG_CODE_AT:
  case FG_CODE_LOOP:
  case FG_CODE_MEMORY: x->imm.i++; return true;
  case FG_CODE_DIFFERENCE:
  case FG_CODE_SUB: exchange(x); return true;
  case FG_CODE_SUM: x->op = FG_CODE_DIFFERENCE; return true;
  case FG_CODE_SHUFFLE: a->instructions->list[x->list] ^= 1; return true;
  default: return false;
  }
}

typedef struct counts {
  int made, found, missed;
} counts;

/* Some of the list's instructions, each changed by itself. */
static void change_some(const fg_compilation *c, int32_t every, int64_t sample, counts *n) {
  const fg_instructions *code = c->emitted.artifact.instructions;
  for (int32_t i = every / 2; i < code->count; i += every) {
    fg_text_proof whole, some;
    fg_artifact changed = copy_of(c);
    if (!change(&changed, i)) continue;
    n->made++;
    if (!is_proved(c, &changed, &c->map, sample, &some)) {
      n->found++;
      continue;
    }
    if (is_proved(c, &changed, NULL, 0, &whole)) continue; /* as if nothing had been changed */
    printf("  MISSED: %s: %s, number %d: %s\n", c->request.problem, fg_code_op_name((fg_code_op)code->instr[i].op),
           (int)i, some.walked);
    n->missed++;
  }
}

static void samples_find_what_wholes_find(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f64 n=4096",          "r2c f32 n=2048",       "c2r f64 n=1000 scale=0.5",
                                         "c2c f32 n=60 batch=30",   "conv f32 n=512",       "c2c f32 n=16x40 place=in",
                                         "rconv f64 n=480 batch=3", "c2c f32 n=509 sign=+1"};
  counts n = {0};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
    fg_compilation c;
    fg_text_proof proof;
    compiled_code(problems[p], p % 2 ? "avx2" : "avx512", &c);
    if (!is_proved(&c, &c.emitted.artifact, &c.map, 256, &proof)) fail_msg("%s: %s", problems[p], proof.failure);
    assert_true(proof.all_iterations > 0);
    change_some(&c, c.emitted.artifact.instructions->count / (IS_WATCHED ? 20 : 120) + 1, 256, &n);
    fresh();
  }
  printf("  %d made, %d found, %d missed\n", n.made, n.found, n.missed);
  assert_int_equal(n.missed, 0);
  assert_true(n.found > n.made / 2);
}

/* They were run as a whole up to 2^20 points, and beyond not at all. */
static void long_ones_are_sampled(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=131072", "c2c f64 n=512x512 place=in", "r2c f32 n=262144",
                                         "c2c f32 n=131072:is[1..3]:1 sign=+1", "c2c f32 n=2097152"};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
    fg_compilation c;
    counts n = {0};
    compiled_code(problems[p], "avx2", &c);
    assert_true(c.text.proved && c.text.all_iterations > 0 && c.text.runs >= 1);
    if (p < 4) change_some(&c, c.emitted.artifact.instructions->count / 12 + 1, 0, &n);
    if (n.missed || (p < 4 && !n.found)) fail_msg("%s: %d of %d changes found", problems[p], n.found, n.made);
    fresh();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(samples_find_what_wholes_find),
                                     cmocka_unit_test(long_ones_are_sampled)};
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}

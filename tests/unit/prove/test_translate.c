/* The very text that is handed out is proved: each change of it is found, in what every text has and in what only C's
 * dialect writes - words, padded vectors, stores past the caches, numbers of other types. */
#include "generator/prove/translate.h"
#include "tests/unit/child.h"
#include "tests/unit/compiled.h"
#include "tests/unit/launched.h"
#include "tests/unit/mutate.h"
#include "tests/unit/pace.h"
#include <stdlib.h>

/* Of the text with the n-th occurrence of `from` replaced; "": it is proved. */
static const char *failure_of(const fg_compilation *c, const char *from, int n, const char *to) {
  return failure_with(c, text_with(context.arena, c->emitted.artifact.source, from, n, to));
}

static void whole_texts_are_proved(void **state) {
  (void)state;
  static const char *const problems[] = {
      "c2c f32 n=64 batch=3", "c2c f32 n=10 batch=3",   "c2c f64 n=100 place=in layout=split scale=0.5",
      "c2c f32 n=1009",       "r2c f32 n=24 load=u8",   "c2c f16 n=49 batch=count[1..5] store=mag,logmag",
      "dct2 f64 n=18",        "c2c f64 n=4x6 load=mul", "c2r f32 n=100 place=in batch=2 scale=-2.25"};
  const char *const isas[] = {"scalar", "sse2", "avx2", "avx512", "znver4", "neon"};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++)
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
      fg_compilation c;
      if (is_left_out((long)(p + i), 3)) continue;
      compiled_c(problems[p], isas[i], &c);
      assert_true(c.text.proved);
      assert_string_equal(failure_of(&c, "#include <stddef.h>", 1, "#include <stddef.h>"), "");
      fresh();
    }
}

/* With entries, for devices, and with a test of its own. */
static void whatever_stands_beside_kernels(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=64 batch=3",
                                         "c2c f64 n=10007",
                                         "r2c f32 n=262144",
                                         "c2c f32 n=64x64x16",
                                         "dct2 f64 n=3001 scale=0.25",
                                         "c2c f16 n=49 batch=count[1..5] store=mag,logmag",
                                         "c2r f64 n=5000 place=in batch=2",
                                         "c2c f32 n=8192 layout=split load=window(hann)"};
  const char *const isas[] = {"scalar", "sse2", "avx2", "avx512"};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++)
    for (int form = 0; form < 2; form++) {
      fg_compilation c;
      if (is_left_out((long)p + form, 2)) continue;
      bool plain = !strstr(problems[p], "store") && !strstr(problems[p], "load");
      compiled((fg_request){.problem = problems[p],
                            .target = "c",
                            .isa = isas[p % 4],
                            .entry = form == 0,
                            .self_test = form == 1 && plain},
               &c);
      assert_true(c.text.runs > 0);
      bool entry = form == 0 && !strstr(problems[p], "place=in");
      const char *why = failure_of(&c, entry ? "arguments[0]" : "k_run", 1, entry ? "arguments[1]" : "k_runs");
      if (!why[0]) fail_msg("%s, form %d: a change is not seen", problems[p], form);
      fresh();
    }
}

static void must_be_found(const char *problem, const char *isa, const char *from, int n, const char *to) {
  fg_compilation c;
  compiled_c(problem, isa, &c);
  if (!failure_of(&c, from, n, to)[0]) fail_msg("%s, %s: '%s' for '%s' is not found", problem, isa, to, from);
}

static void changed_texts_are_found(void **state) {
  (void)state;
  const char *problem = "c2c f32 n=64 batch=3";
  must_be_found(problem, "avx2", "1, 0, 3, 2", 1, "0, 1, 3, 2");
  must_be_found(problem, "avx2", "{1.0f, -1.0f, 1", 1, "{-1.0f, 1.0f, 1");
  must_be_found(problem, "avx2", "x7 - x3", 1, "x3 - x7");
  must_be_found(problem, "avx2", "KP707106781 = 0.707106769f", 1, "KP707106781 = 0.707106829f");
  must_be_found(problem, "avx2", "px + 112", 1, "px + 111");
  must_be_found(problem, "avx2", "in + 128 * b", 1, "in + 120 * b");
  must_be_found(problem, "avx2", "b < 3", 1, "b < 2");
  must_be_found(problem, "avx2", "py + 32) = t28;", 1, "py + 32) = t29;");
  must_be_found(problem, "avx2", "tw0 + 56", 1, "tw0 + 48");
  must_be_found(problem, "avx2", "run(in, out);", 1, ";");
  must_be_found(problem, "scalar", "py[1] = t26;", 1, "");
  must_be_found(problem, "scalar", "px[112]", 1, "px[114]");
  must_be_found("c2c f32 n=1009", "avx2", "work4 = scratch + ", 1, "work4 = scratch + 1000 + ");
  must_be_found("c2c f64 n=10007", "avx2", "(const double *)tables + ", 1, "(const double *)tables + 8 + ");
}

/* Of a transform that several threads do. */
static void parts_are_read(void **state) {
  (void)state;
  fg_compilation c;
  compiled((fg_request){.problem = "c2c f64 n=64x64 batch=count[1..3]",
                        .target = "c",
                        .isa = "avx2",
                        .plan = "nd(direct(64), direct(64); parallel_split=on)"},
           &c);
  assert_true(c.emitted.artifact.nstep > 0);
  assert_string_equal(failure_of(&c, "case 0:", 1, "case 0:"), "");
  assert_true(failure_of(&c, "part + 1) / parts", 1, "part + 1) / (parts + 1)")[0]);
  assert_true(failure_of(&c, "case 0:", 1, "case 7:")[0]);
}

/* What no other dialect has. */
static void changed_spellings_are_found(void **state) {
  (void)state;
  must_be_found("c2c f32 n=10 batch=3", "avx512", "<< 32", 1, ">> 32");
  must_be_found("c2c f32 n=13", "znver4", "_half *)(px + 2), 0}", 1, "_half *)(px + 4), 0}");
  must_be_found("c2c f16 n=64", "scalar", "from_f16(px[112])", 1, "from_f16(px[113])");
  must_be_found("r2c f64 n=99 load=i16", "avx2", "_from_i16(px", 1, "_from_i16(1 + px");
}

static void what_cannot_be_read_is_a_fault(void **state) {
  (void)state;
  const char *problem = "c2c f32 n=64";
  must_be_found(problem, "scalar", "const float t0 = ", 1, "goto ");
  must_be_found(problem, "scalar", "const float t0 = ", 1, "const float t0 = fabsf");
  must_be_found(problem, "scalar", "const float t0 = ", 1, "const float t0 = 0.123f + ");
  must_be_found(problem, "avx2", "__builtin_shufflevector", 1, "__builtin_shuffle");
  must_be_found(problem, "avx2", "= {", 1, "= {{"); /* brackets that are open at the end */
}

/* ---- texts of long calls, in samples ------------------------------------------------------- */

typedef enum verdict { FOUND, NOT_FOUND, REFUSED } verdict; /* REFUSED: no compiler takes it */

static verdict judge(const fg_compilation *c, const char *source, bool in_samples, char why[160]) {
  fg_artifact changed = c->emitted.artifact;
  fg_text_proof proof;
  changed.source = source;
  fg_text_options options = {.seed = 5, .primes = 1, .emitted = &changed, .map = in_samples ? &c->map : NULL};
  if (in_samples) options.sample = 1024;
  if (fg_prove_text(&context, c->chosen.program, c->isa, &options, &proof) != FG_OK) return FOUND;
  snprintf(why, 160, "%.150s", proof.failure);
  return strstr(proof.failure, "does not compile") ? REFUSED : proof.failure[0] ? FOUND : NOT_FOUND;
}

typedef struct answer {
  const fg_compilation *c;
  const char *source;
  bool in_samples;
  verdict is;
  char why[160];
} answer;

static void judge_shared(void *data) {
  answer *a = data;
  a->is = judge(a->c, a->source, a->in_samples, a->why);
}

/* In a child. */
static answer judge_apart(const fg_compilation *c, const char *source, bool in_samples) {
  answer *shared = shared_memory(sizeof *shared), own;
  *shared = (answer){.c = c, .source = source, .in_samples = in_samples};
  bool ended = done_in_child(judge_shared, shared, 4);
  own = *shared;
  munmap(shared, sizeof *shared);
  if (!ended) own.is = FOUND, strcpy(own.why, "it takes the process down");
  return own;
}

static void no_change_passes_unseen(const char *problem, const char *isa, uint64_t seed, int count) {
  fg_compilation c;
  int found = 0;
  compiled_c(problem, isa, &c);
  const char *text = c.emitted.artifact.source, *kernels = strstr(text, "static void k_");
  answer right = judge_apart(&c, text, true);
  if (right.is != NOT_FOUND) fail_msg("%s, %s: %s", problem, isa, right.why);
  for (int i = 0; i < count; i++) {
    char what[160];
    const char *changed = mutate_text(&context, text, (size_t)(kernels - text), &seed, what);
    if (!changed) continue;
    answer sample = judge_apart(&c, changed, true);
    found += sample.is == FOUND;
    if (sample.is == NOT_FOUND && judge_apart(&c, changed, false).is == FOUND)
      fail_msg("%s, %s: not seen: %s", problem, isa, what);
  }
  assert_true(found > count / 2);
  fresh();
}

static void samples_see_what_whole_runs_see(void **state) {
  (void)state;
  static const char *const problems[][2] = {
      {"c2c f32 n=4096", "avx2"},          {"c2c f64 n=8192", "scalar"},
      {"r2c f32 n=6000", "avx512"},        {"c2c f32 n=509 batch=count[1..7]", "sse2"},
      {"c2r f64 n=4099", "avx2"},          {"c2c f16 n=64x48", "avx2"},
      {"dct2 f64 n=2048 load=u8", "neon"}, {"c2c f32 n=1009 layout=split place=in", "avx512"}};
  const char *all = getenv("FFTGEN_MUTANTS");
  for (int i = 0; i < 8; i++)
    if (!is_left_out(i, 3))
      no_change_passes_unseen(problems[i][0], problems[i][1], (uint64_t)i + 1, all ? atoi(all) / 8 : 12);
}

/* Beyond what is run as a whole. */
static void long_texts_are_read(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f64 n=65536", "r2c f32 n=262144", "c2c f32 n=100003",
                                         "c2c f32 n=64x64x64", "dct2 f32 n=131072"};
  const char *const isas[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
    if (is_left_out((long)p, 2)) continue;
    fg_compilation c;
    compiled_c(problems[p], isas[p], &c);
    assert_true(c.text.proved && c.text.all_iterations > 0);
    fresh();
  }
  must_be_found("c2c f64 n=65536", "avx2", "work1, t);", 1, "work1, t + 1);");
  if (IS_WATCHED) return; /* the others do the same */
  must_be_found("c2c f64 n=65536", "avx2", "; ++q)", 1, "; q += 2)");
  must_be_found("c2c f64 n=65536", "avx2", "; ++q)", 2, "; q += 2)");
  must_be_found("c2c f64 n=65536", "avx2", "px + ", 40, "px + 1 + ");
  must_be_found("c2c f64 n=65536", "avx2", "scratch + ", 1, "scratch + 8 + ");
}

/* ---- instructions --------------------------------------------------------------------------- */

static void compiled_code(const char *problem, fg_compilation *c) {
  compiled((fg_request){.problem = problem, .target = "code", .isa = "avx2", .entry = true}, c);
  assert_true(c->text.literals > 0);
}

/* Of the n-th instruction of a kind, changed. */
static void change_must_be_found(const fg_compilation *c, fg_code_op op, int n, void (*change)(fg_instr *)) {
  fg_artifact changed = c->emitted.artifact;
  fg_instructions *code = fg_arena_copy(context.arena, changed.instructions, sizeof *code);
  code->instr = fg_arena_copy(context.arena, code->instr, sizeof *code->instr * (size_t)code->count);
  int32_t i = 0;
  while (i < code->count && !(code->instr[i].op == op && n-- == 0)) i++;
  if (i == code->count) return;
  change(&code->instr[i]);
  changed.instructions = code;
  fg_text_proof proof;
  fg_text_options options = {.seed = 3, .primes = 1, .emitted = &changed};
  assert_int_equal(fg_prove_code(&context, c->chosen.program, c->isa, &options, &proof), FG_OK);
  if (proof.proved) fail_msg("%s: instruction %d, %s: not seen", c->request.problem, (int)i, fg_code_op_name(op));
}

static void another_number(fg_instr *x) { x->imm.real *= x->imm.real > 1e3 ? 3 : 1 + 0x1p-20; }
static void another_sign(fg_instr *x) { x->imm.real = -x->imm.real; }
static void exchanged(fg_instr *x) {
  int32_t a = x->a;
  x->a = x->b, x->b = a;
}

static void changed_instructions_are_found(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f64 n=64", "r2c f32 n=100 scale=0.5", "c2c f32 n=60 batch=3 scale=-2",
                                         "c2c f64 n=127 place=in scale=1/n", "c2r f64 n=210 store=window(hann)"};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
    fg_compilation c;
    compiled_code(problems[p], &c);
    for (int n = 0; n < 6; n++) {
      change_must_be_found(&c, FG_CODE_NUMBER, n, another_number);
      change_must_be_found(&c, FG_CODE_NUMBER, n, another_sign);
      change_must_be_found(&c, FG_CODE_DIFFERENCE, 2 * n, exchanged);
    }
    fresh();
  }
}

static void another_place(fg_instr *x) { x->imm.i++; }

/* Of calls that are longer than what runs as a whole, the ends show it. */
static void changed_instructions_of_long_batches_are_found(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=64 batch=4096",
                                         "r2c f32 n=256 batch=1000 load=u8,x*l0[j] store=log10(abs(x)+0.1)",
                                         "c2c f32 n=16:5000:5000 batch=5000:1:1"};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
    fg_compilation c;
    compiled_code(problems[p], &c);
    for (int n = 0; n < 4; n++) {
      change_must_be_found(&c, FG_CODE_NUMBER, n, another_number);
      change_must_be_found(&c, FG_CODE_DIFFERENCE, 3 * n, exchanged);
      change_must_be_found(&c, FG_CODE_LOOP, n, another_place);
    }
    fresh();
  }
}

/* A factor that is as large as a constant, or not far from one: no fault is put down to taking one for the other.
 * Scratch has rows of whole lines: a place one further is another one, and no fault, where rows end before their lines.
 */
static void factors_excuse_nothing(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=8 scale=0.70710678 load=window",
                                         "c2c f32 n=5 scale=-0.559016994 store=window",
                                         "dct1 f16 n=4x32 batch=count[1..1] scale=1e-3 load=i16,window store=mag"};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
    fg_compilation c;
    compiled_code(problems[p], &c);
    for (int n = 0; n < 4; n++) change_must_be_found(&c, FG_CODE_MEMORY, n, another_place);
    for (int n = 0; n < 6; n++) {
      change_must_be_found(&c, FG_CODE_NUMBER, n, another_sign);
      change_must_be_found(&c, FG_CODE_DIFFERENCE, n, exchanged);
    }
    fresh();
  }
}

/* ---- candidates that fail --------------------------------------------------------------------- */

static void listen(void *said, const char *what) { snprintf(said, 512, "%s", what); }

/* The best candidate, with a fault that its proof finds, or one that breaks an invariant of the generator. */
static const char *with_fault(fg_compilation *c, const fg_request *request, bool invariant) {
  char what[160];
  uint64_t random = 7;
  int at = 0;
  assert_int_equal(fg_pipeline_parse(&context, request, c), FG_OK);
  assert_int_equal(fg_pipeline_decide(c), FG_OK);
  const char *plan = fg_plan_print(&context, c->chosen.plan);
  while (at < c->ncandidate && c->candidate[at].program != c->chosen.program) at++;
  fg_program *faulty = invariant ? mutate_copy(&context, c->chosen.program)
                                 : mutate_program(&context, c->chosen.program, MUTATE_TABLE, &random, what);
  if (invariant) faulty->buffer[faulty->table[0].buffer].size++;
  c->chosen.program = faulty;
  if (at < c->ncandidate) c->candidate[at].program = faulty;
  return plan;
}

static void faulty_candidates_give_way(void **state) {
  (void)state;
  for (int invariant = 0; invariant < 2; invariant++) {
    fg_request request = {.problem = "c2c f32 n=64", .target = "c", .isa = "avx2", .prefix = "k", .command = "test"};
    fg_status wanted = invariant ? FG_EINTERNAL : FG_EWRONG;
    fg_compilation c;
    char said[512] = "";
    context.note = (fg_listener){listen, said};
    const char *plan = with_fault(&c, &request, invariant);
    assert_int_equal(fg_pipeline_produce(&c), FG_OK);
    assert_true(c.proof.proved && c.text.proved);
    assert_string_not_equal(fg_plan_print(&context, c.chosen.plan), plan);
    if (!strstr(said, plan) || !strstr(said, request.problem)) fail_msg("it is not said: '%s'", said);
    if ((strstr(said, "internal error") != NULL) != invariant) fail_msg("%s", said);
    request.plan = plan; /* asked for: none gives way */
    with_fault(&c, &request, invariant);
    assert_int_equal(fg_pipeline_produce(&c), wanted);
    assert_non_null(strstr(context.diag.message, plan));
    fresh();
  }
}

/* ---- kernels that are launched --------------------------------------------------------------- */

static void kernel_must_be_found(const char *target, const char *problem, const char *from, const char *to) {
  fg_compilation c;
  compiled_for(target, problem, strstr(problem, "n=64 ") ? "stockham(4,4,4; shuffles=off)" : NULL, &c);
  if (!failure_of(&c, from, 1, to)[0]) fail_msg("%s, %s: '%s' for '%s' is not found", problem, target, to, from);
  fresh();
}

static void kernels_are_read(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=64 batch=100",
                                         "c2c f64 n=1000",
                                         "r2c f32 n=2048",
                                         "c2r f64 n=360 batch=count[1..9]",
                                         "dct2 f32 n=512",
                                         "c2c f32 n=4096",
                                         "c2c f32 n=1009 load=window(hann)",
                                         "c2c f64 n=32x48 layout=split scale=0.5"};
  const fg_dialect *d;
  for (int t = 0; (d = launched_dialect(t)); t++) {
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
      fg_compilation c;
      if (!launched_takes(d, problems[p])) continue;
      compiled_for(d->name, problems[p], NULL, &c);
      assert_true(fg_translate_is_possible(c.chosen.program, &c.emitted.artifact));
      assert_string_equal(failure_of(&c, "const", 1, "const"), "");
      fresh();
    }
    const char *problem = problems[0], *target = d->name;
    char from[64], to[64];
    snprintf(from, sizeof from, "%s %% 16", d->thread_id), snprintf(to, sizeof to, "%s %% 8", d->thread_id);
    kernel_must_be_found(target, problem, from, to);
    snprintf(to, sizeof to, "%s %% -16", d->thread_id);
    kernel_must_be_found(target, problem, from, to);
    kernel_must_be_found(target, problem, launched_block(d), "0");
    kernel_must_be_found(target, problem, "x0.x + x2.x", "x0.x + x2.y");
    kernel_must_be_found(target, problem, "t4, t10", "t10, t4");
    kernel_must_be_found(target, problem, "< 100", "< 99");
    kernel_must_be_found(target, problem, "hold[4] = ", "hold[5] = ");
    kernel_must_be_found(target, problem, launched_barrier(context.arena, d), "  wait(");
    kernel_must_be_found(target, "r2c f32 n=2048", "= 0.7071", "= 0.7072");
  }
}

/* One iteration too many: it loads, or stores, beyond an array that a thread holds across a barrier. */
static void arrays_of_threads_have_bounds(void **state) {
  (void)state;
  const fg_dialect *d;
  for (int t = 0; (d = launched_dialect(t)); t++)
    for (int loop = 1; loop <= 2; loop++) {
      fg_compilation c;
      if (!launched_takes(d, "f64")) continue;
      compiled_for(d->name, "c2c f64 n=6x1x4x2 scale=1/n load=conj,window(hamming)",
                   "nd(direct(6), direct(1), direct(4), direct(2); inside=4)", &c);
      if (!failure_of(&c, "d0h < 6; d0h += 2", loop, "d0h <= 6; d0h += 2")[0])
        fail_msg("%s: an iteration too many in loop %d is not found", d->name, loop);
      fresh();
    }
}

static void compiled_for_vectors(const char *problem, const char *isa, fg_compilation *c) {
  compiled((fg_request){.problem = problem, .target = "opencl", .isa = isa}, c);
}

static void vector_must_be_found(const char *problem, const char *from, const char *to) {
  fg_compilation c;
  compiled_for_vectors(problem, "avx2", &c);
  if (!failure_of(&c, from, 1, to)[0]) fail_msg("%s: '%s' for '%s' is not found", problem, to, from);
  fresh();
}

/* OpenCL's vectors of several numbers. */
static void vectors_of_kernels_are_read(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=32 batch=1003",
                                         "c2c f64 n=1024",
                                         "r2c f32 n=100 batch=7",
                                         "c2c f32 n=60 layout=split batch=7",
                                         "dct2 f32 n=64 batch=8 load=u8",
                                         "c2c f16 n=64 batch=16",
                                         "c2c f32 n=65536",
                                         "c2c f32 n=1009"};
  static const char *const isas[] = {"sse2", "avx2", "avx512"};
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
    fg_compilation c;
    compiled_for_vectors(problems[p], isas[p % 3], &c);
    if (getenv("FFTGEN_VERBOSE")) print_message("%s: %s, %lld\n", problems[p], c.text.walked, (long long)c.text.read);
    if (c.text.read != c.text.runs || !c.text.runs) fail_msg("%s, %s: not read", problems[p], isas[p % 3]);
    fresh();
  }
  vector_must_be_found("c2c f32 n=32 batch=1003", "1, 0, 3, 2", "0, 1, 3, 2");
  vector_must_be_found("c2c f32 n=32 batch=1003", "(1.0f, -1.0f, 1", "(-1.0f, 1.0f, 1");
  vector_must_be_found("c2c f32 n=32 batch=1003", "vload8(0, px + 24)", "vload8(0, px + 25)");
  vector_must_be_found("c2c f32 n=32 batch=1003", "vload8(0, px + 24)", "vload8(1, px + 24)");
  vector_must_be_found("c2c f32 n=32 batch=1003", ", 0, py)", ", 0, py + 1)");
}

/* Long ones in samples; those whose numbers in memory have another type. */
/* What a thread without a transform reads is stored by nobody; without its condition it is a transform's length
 * beyond the input. */
static void conditions_are_needed(void **state) {
  (void)state;
  static const char *const targets[] = {"cuda", "hip"};
  const char *from = "ok_x0 ? (float)px[769] : 0", *to = "(float)px[769]";
  for (int t = 0; t < 2; t++) {
    fg_compilation c;
    char why[160];
    compiled_for(targets[t], "c2c f32 n=512 batch=5 load=u8", "stockham(8,8,8; group=2)", &c);
    const char *source = c.emitted.artifact.source, *changed = text_with(context.arena, source, from, 1, to);
    for (int samples = 0; samples < 2; samples++) {
      assert_int_equal(judge(&c, source, samples, why), NOT_FOUND);
      if (judge_apart(&c, changed, samples).is != FOUND) fail_msg("%s: a condition left out is not seen", targets[t]);
    }
    fresh();
  }
}

/* Of the program that launches them, with `from` changed. */
static const char *host_failure(const fg_compilation *c, const char *from, const char *to) {
  fg_emitted changed = c->emitted;
  fg_text_proof proof = {.proved = true};
  int i = 0;
  while (i < changed.nfile && !strstr(changed.file[i].name, "_host.c")) i++;
  assert_true(i < changed.nfile);
  changed.file[i].text = text_with(context.arena, changed.file[i].text, from, 1, to);
  assert_int_equal(fg_prove_host(&context, c->chosen.program, &changed, &proof), FG_OK);
  assert_true(proof.proved == !proof.failure[0]);
  return fg_arena_strdup(context.arena, proof.failure);
}

static void host_programs_are_read(void **state) {
  (void)state;
  static const char *const changes[][2] = {
      {"table[at + 1] = (float)-im", "table[at + 1] = (float)im"},
      {"tables + ", "tables + 2 + "},
      {", 96, 0", ", 96, 8"},
      {", 384, 128", ", 368, 128"},
      {"_init(void *tables) {", "_start(void *tables) {"},
      {"r + 1", "r + 2"},
      {"1.57079632679489661923132169163975144L", "1.57079612679489661923132169163975144L"}};
  const fg_dialect *d;
  for (int t = 0; (d = launched_dialect(t)); t++) {
    fg_compilation c;
    compiled_for(d->name, "c2c f32 n=64", "stockham(4,4,4)", &c);
    assert_string_equal(host_failure(&c, "tables + ", "tables + "), "");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
      if (!host_failure(&c, changes[i][0], changes[i][1])[0])
        fail_msg("%s: '%s' for '%s' is not found", d->name, changes[i][1], changes[i][0]);
    bool calls = launched_is(d, "opencl");
    const char *room = calls ? "tables = allocate(512" : "TABLE_BYTES = 512",
               *less = calls ? "tables = allocate(384" : "TABLE_BYTES = 384";
    assert_true(host_failure(&c, room, less)[0]);
    fresh();
  }
}

static void long_kernels_are_read(void **state) {
  (void)state;
  static const char *const problems[][2] = {{"c2c f64 n=65536", NULL},
                                            {"c2c f16 n=128 batch=900", "stockham(16,8)"},
                                            {"c2c f16 n=65536", "stockham(16,16,16,16; narrow=on)"},
                                            {"c2c bf16 n=30 batch=count[1..9] load=i16", "stockham(6,5)"},
                                            {"dct2 f32 n=8 load=u8 store=u8", NULL},
                                            {"c2c f32 n=16 compute=f64", NULL}};
  const fg_dialect *d;
  for (int t = 0; (d = launched_dialect(t)); t++) {
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
      fg_compilation c;
      if (is_left_out(t + (long)p, 3) || !launched_takes(d, problems[p][0])) continue;
      compiled_for(d->name, problems[p][0], problems[p][1], &c);
      if (c.text.read != c.text.runs || !c.text.runs) fail_msg("%s, %s: not read", d->name, problems[p][0]);
      fresh();
    }
    const char *problem = launched_takes(d, "f64") ? problems[0][0] : "c2c f32 n=65536", *target = d->name;
    kernel_must_be_found(target, problem, launched_block(d), "0");
    kernel_must_be_found(target, problem, "x0.x + x", "x0.y + x");
    kernel_must_be_found(target, problem, launched_barrier(context.arena, d), "  wait(");
  }
}

/* Halves of a problem of the given plan, in pairs as words. */
static void word_must_be_found(const char *target, const char *problem, const char *plan, const char *from,
                               const char *to) {
  fg_compilation c;
  compiled_for(target, problem, plan, &c);
  const char *why = failure_of(&c, from, 1, to);
  if (getenv("FFTGEN_VERBOSE")) print_message("'%s' for '%s': %s\n", to, from, why);
  if (!why[0]) fail_msg("%s, %s: '%s' for '%s' is not found", problem, target, to, from);
  fresh();
}

static void pairs_in_words_are_read(void **state) {
  (void)state;
  static const char *const targets[] = {"cuda", "hip", "opencl"};
  static const char *const problems[][2] = {{"c2c f16 n=1024", NULL},
                                            {"c2c bf16 n=512 batch=count[1..5] scale=1/n", NULL},
                                            {"c2c f16 n=4096 load=window(hann)", NULL},
                                            {"r2c f16 n=2048 store=mag", NULL},
                                            {"c2c f16 n=512 compute=f64", "stockham(8,8,8; narrow=on)"},
                                            {"c2c bf16 n=65536", NULL},
                                            {"c2c f16 n=512 batch=5 load=mul", "stockham(8,8,8; group=2, narrow=on)"},
                                            {"c2c f16 n=1024", "stockham(8,8,4,4; threads=32, narrow=on)"}};
  for (size_t t = 0; t < 3; t++)
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
      fg_compilation c;
      if (is_left_out((long)(t + p), 3)) continue;
      compiled_for(targets[t], problems[p][0], problems[p][1], &c);
      if (c.text.read != c.text.runs || !c.text.runs) fail_msg("%s, %s: not read", targets[t], problems[p][0]);
      fresh();
    }
}

#define HELD "stockham(8,8,4,4; narrow=on)"               /* across a barrier */
#define COMING "stockham(8,8,4,4; threads=32, narrow=on)" /* all loads, before the first codelet, too */

static void faults_of_words_are_found(void **state) {
  (void)state;
  static const char *const changes[][3] = {
      {HELD, "packed_f16(t40, t54)", "packed_f16(t54, t40)"},                   /* halves */
      {HELD, "hold[4] = packed_f16(", "hold[5] = packed_f16("},                 /* another word */
      {HELD, "*(unsigned *)(py) = hold[0]", "*(unsigned *)(py) = hold[1]"},     /* another word */
      {HELD, "*(unsigned *)(py) = hold[0]", "*(unsigned *)(py + 1) = hold[0]"}, /* no word's place */
      {HELD, "*(unsigned *)(py + 16)", "*(unsigned *)(py + 18)"},               /* another place */
      {HELD, "*(unsigned *)(py) = hold[0]", "py[0] = hold[0]"},                 /* a word for a number */
      {HELD, "hold[0] = packed_f16(t40, t54)", "hold[0] = t40"},                /* a number for a word */
      {HELD, "x0.x + t1", "hold[0] + t1"},                                      /* not unpacked */
      {HELD, "(unsigned *)(py", "(unsigned *)(pw"},                             /* floats */
      {HELD, "(unsigned *)(py", "(unsigned long long *)(py"},
      {HELD, "  __syncthreads();\n  const int by", "  const int by"},
      {COMING, "come[8 * it + 1] = ", "come[8 * it + 2] = "},            /* another word */
      {COMING, "come[8 * it + 1] = ", "come[8 * it] = "},                /* another word */
      {COMING, "(come + 8 * it + 1)", "(come + 8 * it + 2)"},            /* another word */
      {COMING, "(come + 8 * it + 1)", "(come + 8 * it) + 1"},            /* the upper half, and the next lower one */
      {COMING, "(const unsigned short *)(come", "(const float *)(come"}, /* numbers of other lengths */
      {COMING, "= pair_from_f16((const unsigned short *)(come", "= *(come"}}; /* not unpacked */
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
      if (!is_left_out((long)(t + i), 2))
        word_must_be_found(t ? "hip" : "cuda", "c2c f16 n=1024", changes[i][0], changes[i][1], changes[i][2]);
}

static void header_must_fail(const fg_compilation *c, const char *from, const char *to, const char *words) {
  fg_emitted changed = c->emitted;
  char failure[256] = "";
  changed.file[1].text = text_with(context.arena, changed.file[1].text, from, 1, to);
  assert_false(fg_prove_header_agrees(&context, &c->problem, &changed, failure));
  if (!strstr(failure, words)) fail_msg("\"%s\" does not say \"%s\"", failure, words);
}

static void changed_headers_are_found(void **state) {
  (void)state;
  char failure[256] = "";
  fg_compilation c;
  compiled_c("r2c f32 n=100000 batch=count[1..3] load=mul", "avx2", &c);
  if (!fg_prove_header_agrees(&context, &c.problem, &c.emitted, failure)) fail_msg("%s", failure);
  header_must_fail(&c, "_SCRATCH_BYTES ", "_SCRATCH_BYTES 1", "scratch");
  header_must_fail(&c, "#define K_TABLE_BYTES ", "#define K_TABLE_BYTES 1", "tables");
  header_must_fail(&c, "_POINTS 1", "_POINTS 2", "points");
  header_must_fail(&c, "float *in, float *out", "float *out, float *in", "does not define");
  header_must_fail(&c, "k_init(void", "k_inits(void", "does not define");
  header_must_fail(&c, "*/\nvoid k_init", "+/\nvoid k_init", "no C");
  header_must_fail(&c, "*/\nvoid k(", "+/\nvoid k(", "does not declare all");
  header_must_fail(&c, "/* y[k]", "+* y[k]", "no C");
  header_must_fail(&c, "#endif", "#endif\n#endif", "no C");
  header_must_fail(&c, "void k(", "vojd k(", "no C");
  header_must_fail(&c, "const void *tables", "void *tables", "does not define");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(whole_texts_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(whatever_stands_beside_kernels, setup, teardown),
      cmocka_unit_test_setup_teardown(changed_texts_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(parts_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown(changed_spellings_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(what_cannot_be_read_is_a_fault, setup, teardown),
      cmocka_unit_test_setup_teardown(changed_headers_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(samples_see_what_whole_runs_see, setup, teardown),
      cmocka_unit_test_setup_teardown(faulty_candidates_give_way, setup, teardown),
      cmocka_unit_test_setup_teardown(factors_excuse_nothing, setup, teardown),
      cmocka_unit_test_setup_teardown(changed_instructions_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(changed_instructions_of_long_batches_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(kernels_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown(conditions_are_needed, setup, teardown),
      cmocka_unit_test_setup_teardown(host_programs_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown(vectors_of_kernels_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown(long_kernels_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown(pairs_in_words_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_of_words_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(arrays_of_threads_have_bounds, setup, teardown),
      cmocka_unit_test_setup_teardown(long_texts_are_read, setup, teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

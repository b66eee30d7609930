/* sum= of convolutions: its definition against plain sums of convolutions, every form on each kind of target, by both
 * proofs; how many kernels there are; what is refused; and programs that add others. */
#include "generator/ir/count.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/prove.h"
#include "generator/reference/definition.h"
#include "tests/unit/compiled.h"
#include "tests/unit/pace.h"
#include <math.h>
#include <stdlib.h>

/* ---- the definition ------------------------------------------------------------------ */

enum { N = 6, SUMMANDS = 4, CHANNELS = 3 };

static fg_quadc input(int64_t transform, int64_t j) {
  return (fg_quadc){sin(1.0 + 3 * (double)j + (double)transform), cos(2.0 + 5 * (double)(j * transform))};
}

/* Of one transform, by the same problem without sum=. */
static void add_alone(const char *kind, const char *rest, int64_t transform, fg_quadc *sum) {
  fg_problem q;
  fg_quadc x[N], y[N];
  bool real = *kind == 'r';
  const char *text = fg_arena_printf(context.arena, "%s f64 n=%d batch=%dx%d %s", kind, N, SUMMANDS, CHANNELS, rest);
  assert_int_equal(fg_problem_parse(&context, text, &q), FG_OK);
  for (int64_t j = 0; j < N; j++) x[j] = input(transform, j), x[j].im = real ? 0 : x[j].im;
  fg_definition_quad(&context, &q, (fg_which){transform, NULL}, x, y);
  for (int64_t k = 0; k < N; k++) sum[k].re += y[k].re, sum[k].im += y[k].im;
}

static void definition_of(const char *kind, const char *rest, bool channel) {
  fg_problem q;
  int64_t results = channel ? CHANNELS : 1;
  const char *text = fg_arena_printf(context.arena, "%s f64 n=%d batch=%dx%d %s sum=%s", kind, N, SUMMANDS, CHANNELS,
                                     rest, channel ? "channel" : "shared");
  assert_int_equal(fg_problem_parse(&context, text, &q), FG_OK);
  assert_string_equal(fg_problem_print(&context, &q), text);
  assert_int_equal(fg_problem_result_count(&q, NULL), results);
  assert_int_equal(fg_problem_extent(&q, true, NULL), N * results);
  int64_t summands = fg_problem_summands(&q, NULL);
  fg_quadc *x = fg_arena_new(context.arena, fg_quadc, N * summands), y[N];
  for (int64_t r = 0; r < results; r++) {
    fg_quadc want[N] = {{0, 0}};
    for (int64_t s = 0; s < summands; s++) {
      for (int64_t j = 0; j < N; j++) {
        x[s * N + j] = input(r + s * results, j);
        if (*kind == 'r') x[s * N + j].im = 0;
      }
      add_alone(kind, rest, r + s * results, want);
    }
    fg_definition_quad(&context, &q, (fg_which){r, NULL}, x, y);
    for (int64_t k = 0; k < N; k++)
      assert_true(fabsl((long double)(y[k].re - want[k].re)) < 1e-15L &&
                  fabsl((long double)(y[k].im - want[k].im)) < 1e-15L);
  }
}

static void definition_is_a_sum(void **state) {
  (void)state;
  static const char *const rests[] = {"scale=1/n spectrum=each", "spectrum=channel,conj", "scale=0.5"};
  for (int i = 0; i < 12; i++) definition_of(i % 2 ? "conv" : "rconv", rests[i / 2 % 3], i >= 6);
}

/* ---- programs ------------------------------------------------------------------------ */

typedef struct row {
  const char *problem, *target, *isa, *plan;
  int kernels;
} row;

static const row rows[] = {
    {"conv f32 n=24 batch=3x5 spectrum=each sum=channel", "c", "scalar", NULL, 1},
    {"conv f64 n=7 batch=4 spectrum=each sum=shared", "c", "avx2", "convolve(direct(7))", 1},
    {"conv f32 n=100 batch=3x5:100:0x2:1500:200 sum=channel", "c", "avx512", NULL, 1},
    {"conv f32 n=60 batch=9x2 spectrum=each,conj sum=channel layout=split", "c", "avx2", NULL, 1},
    {"conv f32 n=29 batch=3 sum=shared scale=1/n", "c", "sse2", "convolve(bluestein(64, stockham(8,8)))", 1},
    {"conv f32 n=1024 batch=20x2 spectrum=each sum=channel", "c", "avx2",
     "convolve(four-step(stockham(8,4), stockham(8,4)))", 6},
    {"rconv f32 n=64 batch=4x8 spectrum=each,conj sum=channel scale=1/n", "c", "avx2", NULL, 1},
    {"rconv f64 n=100 batch=5x3x2 filter=each(20),conj sum=channel load=mul(each),zeropad(60) "
     "store=crop(20),mul(channel)",
     "c", "avx512", NULL, 1},
    {"rconv f32 n=35 batch=3xcount[1..7] sum=channel", "c", "avx2", NULL, 1},
    {"rconv f16 n=48 batch=1x4 spectrum=each sum=channel", "c", "avx2", NULL, 1},
    {"rconv f32 n=60 batch=3x2 spectrum=channel sum=shared", "c", "neon", NULL, 1},
    {"rconv f32 n=1 batch=3 sum=shared", "c", "scalar", NULL, 1},
    {"conv f32 n=100 batch=3x2 spectrum=each sum=channel", "code", "avx2", NULL, 1},
    {"rconv f64 n=90 batch=3x2 linear=valid(80,31) spectrum=each,conj sum=channel", "code", "avx512", NULL, 1},
    {"conv f32 n=64 batch=3x99 spectrum=each sum=channel", "cuda", NULL, "convolve(stockham(8,8))", 1},
    {"conv f64 n=256 batch=3xcount[200..300] spectrum=channel sum=channel", "hip", NULL, NULL, 1},
    {"conv f32 n=16 batch=3x99 spectrum=each sum=channel load=mul(each)", "cuda", NULL, "convolve(direct(16))", 1},
    {"rconv f32 n=512 batch=3x140 spectrum=each,conj sum=channel load=zeropad(256) store=crop(256) scale=1/n", "cuda",
     NULL, "convolve(real(4, stockham(8,16)))", 1},
    {"rconv f16 n=1024 batch=2x150 filter=each(512),conj sum=channel load=zeropad(512) store=crop(512) scale=1/n",
     "cuda", NULL, NULL, 1},
    {"rconv f64 n=75 batch=4x140 spectrum=each,conj sum=channel", "hip", NULL, NULL, 1},
    {"conv f32 n=72 batch=4x2 spectrum=each sum=channel", "cuda", NULL, "convolve(stockham(9,8))", 3},
    {"conv f32 n=72 batch=37 spectrum=each sum=shared", "opencl", NULL, "convolve(stockham(9,8))", 4},
    {"rconv f32 n=96 batch=37x2 spectrum=channel sum=shared", "opencl", NULL, NULL, 4},
    {"rconv f32 n=96 batch=300 spectrum=channel,conj sum=shared", "metal", NULL, NULL, 4},
    {"conv f32 n=256 batch=5x2 spectrum=each sum=channel", "hip", NULL,
     "convolve(four-step(stockham(4,4), stockham(4,4)))", 5},
    {"conv f64 n=15x21 batch=4x3 spectrum=channel,conj sum=shared scale=1/n", "c", "avx2",
     "nd(convolve(direct(15)), stockham(7,3))", 3},
    {"conv f32 n=8x12 batch=3x2 spectrum=each sum=channel layout=split", "c", "avx512",
     "nd(direct(8), convolve(stockham(4,3)))", 3},
    {"rconv f32 n=6x10x12 batch=3x2 filter=each(3x4x5),conj sum=channel load=mul(each),zeropad(4x8x9) "
     "store=crop(3x4x5),mul(channel)",
     "c", "avx2", NULL, 1},
    {"rconv f32 n=6x10x12 batch=3x2 filter=each(3x4x5),conj sum=channel load=mul(each),zeropad(4x8x9) "
     "store=crop(3x4x5),mul(channel)",
     "c", "avx2", "nd(convolve(direct(6)), direct(10), direct(12))", 8},
    {"rconv f16 n=16x17 batch=5x2 sum=channel", "c", "neon", NULL, 1},
    {"rconv f64 n=1x17 batch=5x2 sum=channel", "c", "scalar", NULL, 1},
    {"conv f32 n=24x16 batch=3x2 spectrum=each sum=channel", "code", "avx2", NULL, 1},
    {"conv f32 n=16x16 batch=5x4 spectrum=each sum=channel", "opencl", "avx2", NULL, 5}, /* blocks of a CPU */
    {"conv f32 n=16x8 batch=3x140 spectrum=each sum=channel", "cuda", NULL,
     "nd(direct(16), convolve(direct(8)); inside=2)", 1},
    {"rconv f16 n=12x10 batch=4x140 spectrum=each,conj sum=channel load=zeropad(8x7) store=crop(5x4) scale=1/n", "cuda",
     NULL, "nd(convolve(stockham(4,3)), direct(10); inside=2)", 1},
    {"rconv f32 n=5x6x8 batch=3xcount[130..140] spectrum=channel sum=channel", "hip", NULL,
     "nd(convolve(direct(5)), direct(6), direct(8); inside=3)", 1},
    {"conv f32 n=32x32 batch=5x9 spectrum=each sum=channel", "hip", NULL, "nd(direct(32), convolve(direct(32)))", 5},
    {"conv f64 n=10x14 batch=37x2 spectrum=channel sum=shared", "cuda", NULL, "nd(convolve(direct(10)), direct(14))",
     6},
    {"rconv f32 n=8x12 batch=37x2 spectrum=channel sum=shared", "opencl", NULL, NULL, 4},
    {"conv f32 n=6x8x8 batch=3x70 spectrum=each sum=channel", "cuda", NULL,
     "nd(convolve(direct(6)), direct(8), direct(8); cluster=1)", 3},
    /* many, and numbers that are known when it is called */
    {"conv f32 n=8 batch=131 spectrum=each sum=shared", "c", "avx2", NULL, 1},
    {"conv f32 n=8 batch=131 spectrum=each sum=shared", "code", "avx2", NULL, 1},
    {"rconv f64 n=6 batch=count[1..150]x2 spectrum=channel sum=channel", "c", "avx512", NULL, 1},
    {"conv f32 n=6 batch=2xcount[1..90] spectrum=channel sum=shared", "c", "scalar", NULL, 1},
    {"conv f32 n=4x4 batch=count[1..150]x2 spectrum=each sum=channel", "c", "avx2", NULL, 1},
    {"conv f32 n=4x4 batch=count[1..150]x2 spectrum=each sum=channel", "c", "avx512",
     "nd(convolve(direct(4)), direct(4))", 3},
    {"conv f32 n=64 batch=2xcount[1..20] spectrum=channel sum=shared", "c", "avx2",
     "convolve(four-step(stockham(4,2), stockham(4,2)))", 7},
    {"conv f32 n=16 batch=count[1..90]x99 spectrum=each sum=channel load=mul(each)", "cuda", NULL,
     "convolve(stockham(4,4))", 3},
    {"rconv f32 n=16 batch=1310 spectrum=each sum=shared load=mul(each),zeropad(9)", "hip", NULL, NULL, 5},
    {"conv f32 n=4x8 batch=131x70 spectrum=each sum=channel", "cuda", NULL,
     "nd(direct(4), convolve(direct(8)); inside=2)", 1},
    {"conv f32 n=64 batch=count[1..40] spectrum=each sum=shared", "opencl", NULL,
     "convolve(four-step(stockham(4,2), stockham(4,2)))", 6},
    {"conv f32 n=64x64 batch=16x8 spectrum=each sum=channel", "cuda", NULL,
     "nd(stockham(8,8), convolve(stockham(8,8)); inside=2)", 3},
    {"rconv f32 n=8x12 batch=37x2 spectrum=channel sum=shared load=mul(each)", "hip", NULL,
     "nd(convolve(direct(8)), direct(12); inside=2)", 4},
    {"rconv f16 n=4x6x6 batch=count[1..99]x2 spectrum=each sum=channel scale=1/n", "cuda", NULL,
     "nd(convolve(direct(4)), direct(6), direct(6); inside=3)", 4},
    {"conv f32 n=256 batch=4xcount[1..30] spectrum=channel sum=shared", "cuda", NULL,
     "convolve(four-step(stockham(4,4), stockham(4,4)))", 7}, /* launched once for each value of count */
    {"rconv f32 n=8 batch=3x50x2 spectrum=each sum=shared", "metal", NULL, NULL, 4},
};

static void every_form_is_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row *r = &rows[i];
    fg_compilation c;
    if (is_left_out((long)i, 2)) continue;
    compiled((fg_request){.problem = r->problem,
                          .target = r->target,
                          .isa = r->isa,
                          .plan = r->plan,
                          .entry = !strcmp(r->target, "code")},
             &c);
    if (c.chosen.program->nkernel != r->kernels)
      fail_msg("%s, %s: %d kernels", r->problem, r->target, c.chosen.program->nkernel);
    fresh();
  }
}

/* Up to 64 products are added one by one; of more there are parts, so that errors do not grow with all of them. */
static void many_have_parts(void **state) {
  (void)state;
  static const char *const counts[] = {"64", "65", "64x3", "count[1..64]", "count[1..65]"};
  for (int i = 0; i < 5; i++) {
    fg_compilation c;
    bool parts = false;
    const char *text = fg_arena_printf(context.arena, "conv f32 n=8 batch=%s sum=shared", counts[i]);
    compiled((fg_request){.problem = text, .target = "c", .isa = "scalar"}, &c);
    const fg_kernel *k = c.chosen.program->kernel[0];
    for (int s = 0; s < k->nstage; s++) parts = parts || strstr(k->stage[s].what, "add parts");
    if (parts != (i && i != 3)) fail_msg("%s: %s", text, parts ? "parts" : "no parts");
    fresh();
  }
}

/* What happens in one turn of many is counted once. */
static void one_transform_back_is_counted(void **state) {
  (void)state;
  int64_t flops[2];
  for (int i = 0; i < 2; i++) {
    fg_compilation c;
    fg_program_cost cost;
    const char *text = fg_arena_printf(context.arena, "conv f32 n=16 batch=%d sum=shared", i ? 64 : 1);
    compiled((fg_request){.problem = text, .target = "c", .isa = "scalar", .plan = "convolve(direct(16))"}, &c);
    fg_program_count(c.chosen.program, &cost);
    flops[i] = cost.flops;
    fresh();
  }
  assert_true(flops[1] < 64 * flops[0] * 7 / 10 && flops[1] > 64 * flops[0] / 2);
}

/* A program that adds over other dimensions, or nothing, is not the problem's; nor one of other spectra. */
static void another_sum_is_found(void **state) {
  (void)state;
  static const row each[] = {{"conv f32 n=24 batch=4x3 spectrum=each sum=channel", "c", "avx2", NULL, 1},
                             {"rconv f32 n=64 batch=4x99 spectrum=each sum=channel", "cuda", NULL, NULL, 1},
                             {"rconv f32 n=64 batch=4x3 spectrum=each sum=channel", "cuda", NULL, NULL, 1}};
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    fg_compilation c;
    fg_proof proof;
    compiled((fg_request){.problem = each[i].problem, .target = each[i].target, .isa = each[i].isa}, &c);
    fg_program other = *c.chosen.program;
    assert_int_equal(fg_prove(&context, &other, 5, &proof), FG_OK);
    assert_true(proof.proved);
    other.problem.summed = 0, other.problem.batch[0].os = fg_num_const(other.problem.batch[1].n.n * 64);
    assert_int_equal(fg_prove(&context, &other, 5, &proof), FG_OK);
    assert_false(proof.proved);
    other.problem = c.chosen.program->problem;
    other.problem.spectra = FG_SPECTRA_CHANNEL;
    assert_int_equal(fg_prove(&context, &other, 5, &proof), FG_OK);
    assert_false(proof.proved);
    fresh();
  }
}

static void what_is_not_built_is_said(void **state) {
  (void)state;
  static const char *const refused[][2] = {
      {"conv f32 n=8 sum=shared", "there is nothing to add"},
      {"conv f32 n=8 batch=3 sum=channel", "there is nothing to add"},
      {"conv f32 n=8 batch=3 sum=shard", "did you mean 'shared'"},
      {"conv f32 n=8 batch=3 sum=each", "does not say which results are added"},
      {"c2c f32 n=8 batch=3 sum=shared", "sum= for conv and rconv"},
      {"conv f32 n=8 batch=3 sum=shared place=in", "sum= with place=in"},
      {"conv f32 n=8x8 batch=3:64:64x2 sum=channel", NULL},
      {"conv f32 n=8 batch=count[1..3]x4 sum=channel", NULL},
      {"conv f32 n=8 batch=count[1..3]xother[1..3]x4 sum=channel", "2 batch counts that are known only at run time"},
      {"conv f32 n=8 batch=100000 sum=shared", NULL},
      {"conv f32 n=8 batch=3x4 sum=channel store=mul(each)", "numbers for each transform"},
      {"conv f32 n=8 batch=3x4 sum=shared store=mul(channel)", "numbers for each transform"},
      {"conv f32 n=8 batch=3x4 sum=channel store=x*b", "the number of a transform"},
      {"conv f32 n=8 batch=3x4 sum=channel store=x*g[b]", "numbers for each transform"},
      {"conv f32 n=8 batch=3:8:8 spectrum=each", NULL},
      {"conv f32 n=8 batch=3:8:0 spectrum=each", "stride of batch dimension 0"},
      {"conv f32 n=8 batch=3:0:8 spectrum=each", "0 where a positive number belongs"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    fg_problem q;
    fg_diag_clear(&context.diag);
    bool read = fg_problem_parse(&context, refused[i][0], &q) == FG_OK && fg_problem_supported(&context, &q) == FG_OK;
    bool said = refused[i][1] && strstr(context.diag.message, refused[i][1]);
    if (read != !refused[i][1] || (!read && !said)) fail_msg("%s: %s", refused[i][0], context.diag.message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(definition_is_a_sum, setup, teardown),
      cmocka_unit_test_setup_teardown(every_form_is_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(many_have_parts, setup, teardown),
      cmocka_unit_test_setup_teardown(one_transform_back_is_counted, setup, teardown),
      cmocka_unit_test_setup_teardown(another_sum_is_found, setup, teardown),
      cmocka_unit_test_setup_teardown(what_is_not_built_is_said, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

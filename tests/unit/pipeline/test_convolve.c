/* conv: its definition against plain sums; every form that a convolution has, on each kind of target, by both proofs;
 * and programs that take another spectrum. */
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/prove.h"
#include "generator/reference/definition.h"
#include "generator/reference/operation_values.h"
#include "tests/unit/compiled.h"
#include "tests/unit/pace.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the definition ------------------------------------------------------------------ */

typedef struct complex_number {
  long double re, im;
} complex_number;

static void add_turned(complex_number *sum, fg_quadc x, int64_t turn, int64_t n, int sign) {
  long double angle = sign * 6.283185307179586476925286766559L * (long double)(turn % n) / (long double)n;
  long double c = cosl(angle), s = sinl(angle), re = (long double)x.re, im = (long double)x.im;
  sum->re += re * c - im * s;
  sum->im += re * s + im * c;
}

static fg_quadc quad_of(complex_number x) { return (fg_quadc){x.re, x.im}; }

/* The factor of frequency m: the spectrum's number or its conjugate; of reals the upper half is the lower one's. */
static fg_quadc factor(const fg_problem *q, int64_t spectrum, int64_t m) {
  int64_t n = q->dim[0].n.n;
  bool upper = q->kind == FG_RCONV && 2 * m > n, alone = q->kind == FG_RCONV && (m == 0 || 2 * m == n);
  fg_quadc h =
      fg_operation_values_given(&(fg_system){.field = NULL}, FG_GIVEN_SPECTRUM, spectrum + (upper ? n - m : m), true)
          .quad;
  if (upper != q->conjugated) h.im = -h.im;
  if (alone) h.im = 0;
  return h;
}

/* Output k by sums alone: over the frequencies, of the sum over the inputs times the spectrum. */
static complex_number output(const fg_problem *q, const fg_quadc *x, int64_t spectrum, int64_t k) {
  complex_number sum = {0, 0};
  int64_t n = q->dim[0].n.n;
  for (int64_t m = 0; m < n; m++) {
    complex_number there = {0, 0}, product;
    for (int64_t j = 0; j < n; j++) add_turned(&there, x[j], j * m, n, -1);
    fg_quadc h = factor(q, spectrum, m);
    product.re = there.re * (long double)h.re - there.im * (long double)h.im;
    product.im = there.re * (long double)h.im + there.im * (long double)h.re;
    add_turned(&sum, quad_of(product), m * k, n, +1);
  }
  return sum;
}

static void definition_of(const char *kind, int64_t n, const char *conjugates) {
  fg_problem q;
  fg_quadc x[12], y[12];
  bool real = !strcmp(kind, "rconv");
  int64_t points = real ? n / 2 + 1 : n;
  const char *text =
      fg_arena_printf(context.arena, "%s f64 n=%lld batch=5x3 spectrum=channel%s", kind, (long long)n, conjugates);
  assert_int_equal(fg_problem_parse(&context, text, &q), FG_OK);
  assert_string_equal(fg_problem_print(&context, &q), text);
  assert_int_equal(fg_problem_spectrum_at(&q, 7, NULL), points); /* transform 7 is of channel 1 */
  assert_int_equal(fg_problem_spectra_extent(&q, NULL), 3 * points);
  for (int64_t j = 0; j < n; j++) x[j] = (fg_quadc){sin(1.0 + 3 * (double)j), real ? 0 : cos(2.0 + 5 * (double)j)};
  fg_definition_quad(&context, &q, (fg_which){7, NULL}, x, y);
  for (int64_t k = 0; k < n; k++) {
    complex_number want = output(&q, x, points, k);
    assert_true(fabsl(want.re - (long double)y[k].re) < 1e-15L && fabsl(want.im - (long double)y[k].im) < 1e-15L);
  }
}

static void definition_is_two_sums(void **state) {
  (void)state;
  static const char *const kinds[] = {"conv", "rconv"};
  for (int64_t n = 1; n <= 12; n++)
    for (int i = 0; i < 2; i++) definition_of(kinds[i], n, ""), definition_of(kinds[i], n, ",conj");
}

/* ---- programs ------------------------------------------------------------------------ */

typedef struct row {
  const char *problem, *target, *isa, *plan;
} row;

#define CLUSTERED "convolve(four-step(stockham(4,4), stockham(4,4); cluster=4))"
#define TILED "bluestein(1024, four-step(stockham(8,4), stockham(8,4)))"
#define SPLIT "convolve(four-step(stockham(4,4), stockham(4,4)))"

static const row rows[] = {
    {"conv f32 n=1", "c", "scalar", NULL},
    {"conv f64 n=7 batch=4 spectrum=each", "c", "avx2", "convolve(direct(7))"},
    {"conv f32 n=64 batch=count[1..9] spectrum=each", "c", "avx2", "convolve(stockham(8,8))"},
    {"conv f64 n=120 batch=3x4 spectrum=channel layout=split", "c", "avx512", NULL},
    {"conv f32 n=29 place=in scale=1/n", "c", "sse2", NULL},
    {"conv f32 n=60 load=zeropad(31) store=mag", "c", "neon", NULL},
    {"conv f16 n=48 batch=3 spectrum=each", "c", "avx2", NULL},
    {"conv f32 n=1024 batch=3 spectrum=each", "c", "avx512", "convolve(four-step(stockham(8,4), stockham(8,4)))"},
    {"conv f64 n=960 spectrum=conj layout=split", "c", "avx2", "convolve(four-step(stockham(6,5), stockham(8,4)))"},
    {"conv f32 n=1024 batch=count[1..3] place=in", "c", "scalar", "convolve(four-step(stockham(8,4), stockham(8,4)))"},
    {"conv f32 n=1024 batch=2x2 spectrum=channel", "code", "avx2", "convolve(four-step(stockham(8,4), stockham(8,4)))"},
    {"conv f32 n=509 batch=3 spectrum=each", "c", "avx512", "convolve(" TILED ")"},
    {"conv f64 n=241 spectrum=conj layout=split", "c", "avx2",
     "convolve(bluestein(480, four-step(direct(15), stockham(8,4))))"},
    {"conv f32 n=29 batch=3", "c", "scalar", "convolve(bluestein(64, stockham(8,8)))"},
    {"rconv f64 n=509", "code", "avx2", "convolve(" TILED ")"},
    {"c2c f32 n=509 batch=2 sign=+1", "c", "avx2", TILED},
    {"r2c f64 n=509 batch=2", "c", "avx512", TILED},
    {"c2r f32 n=509", "c", "avx2", TILED},
    {"conv f32 n=100 batch=3 spectrum=each", "code", "avx2", NULL},
    {"conv f64 n=64:3:5 batch=7:200:400 spectrum=each", "code", "scalar", NULL},
    {"conv f32 n=16 batch=99 spectrum=each", "cuda", NULL, "convolve(direct(16))"},
    {"conv f32 n=64 batch=9 spectrum=each", "cuda", NULL, "convolve(stockham(8,8))"},
    {"conv f64 n=256 batch=count[1..99] spectrum=each", "hip", NULL, NULL},
    {"conv f32 n=256 batch=5 spectrum=each", "cuda", NULL, CLUSTERED},
    {"conv f32 n=256 batch=count[1..7] spectrum=channel", "cuda", NULL, CLUSTERED},
    {"conv f32 n=256 batch=5 spectrum=each", "cuda", NULL, SPLIT},
    {"conv f32 n=256 batch=3x4 spectrum=channel", "opencl", NULL, SPLIT},
    {"conv f64 n=101 batch=3x5 spectrum=channel", "opencl", NULL, NULL},
    {"conv f32 n=72 batch=4 store=shift load=window(hann)", "cuda", NULL, NULL},
    {"conv bf16 n=128 batch=5 spectrum=each", "hip", NULL, NULL},
    {"conv f32 n=12x1x16 batch=3 spectrum=each", "c", "avx2", NULL},
    {"conv f64 n=8x30 batch=2x3 spectrum=channel layout=split", "code", "avx2", NULL},
    {"conv f32 n=32x16 batch=count[1..5] spectrum=each place=in", "cuda", NULL, NULL},
    {"conv f32 n=64x64 batch=3 load=window(hann) store=shift", "cuda", NULL,
     "nd(stockham(8,8), convolve(stockham(8,8)))"},
    {"conv f64 n=6x8x10 spectrum=each", "opencl", NULL, NULL},
    {"conv f32 n=1 spectrum=conj", "c", "scalar", NULL},
    {"conv f64 n=7 batch=4 spectrum=each,conj", "c", "avx2", "convolve(direct(7))"},
    {"conv f32 n=64 batch=9 spectrum=conj scale=1/n", "c", "avx2", "convolve(stockham(8,8))"},
    {"conv f32 n=101 batch=3 spectrum=each,conj", "code", "avx2", NULL},
    {"conv f32 n=60 spectrum=conj load=zeropad(31),mul store=conj,mul place=out", "c", "avx512", NULL},
    {"conv f32 n=64 batch=9 spectrum=each,conj", "cuda", NULL, "convolve(stockham(8,8))"},
    {"conv f32 n=256 batch=5 spectrum=channel,conj", "cuda", NULL, CLUSTERED},
    {"conv f32 n=256 batch=5 spectrum=each,conj", "hip", NULL, SPLIT},
    {"conv f16 n=101 batch=3x5 spectrum=channel,conj", "opencl", NULL, NULL},
    {"conv f32 n=12x1x16 batch=3 spectrum=each,conj", "cuda", NULL, NULL},
    {"rconv f32 n=1", "c", "scalar", NULL},
    {"rconv f64 n=7 batch=4 spectrum=each", "c", "avx2", "convolve(direct(7))"},
    {"rconv f32 n=64 batch=count[1..9] spectrum=each,conj", "c", "avx2", "convolve(real(4, stockham(4,4)))"},
    {"rconv f64 n=45 batch=3x4 spectrum=channel", "c", "avx512", "convolve(stockham(9,5))"},
    {"conv f32 n=60 batch=3 spectrum=each", "c", "avx512", "convolve(stockham(10,6); complex_vectors=interleaved)"},
    {"conv f64 n=105:2:3 spectrum=conj", "code", "avx2", "convolve(stockham(7,5,3); complex_vectors=interleaved)"},
    {"conv f64 n=12x10 batch=2 spectrum=each,conj", "c", "avx512", "nd(convolve(direct(12)), stockham(5,2))"},
    {"conv f32 n=6x1x9:10:11 place=in", "c", "avx2", "nd(convolve(stockham(3,2)), direct(1), direct(9))"},
    {"rconv f32 n=480 batch=2 spectrum=each", "c", "avx512", "convolve(real(4, stockham(12,10)))"},
    {"rconv f64 n=126 place=in spectrum=conj", "c", "avx2", "convolve(real(2, stockham(9,7)))"},
    {"rconv f32 n=90:1:2 scale=1/n", "code", "avx512", "convolve(real(6, direct(15)))"},
    {"rconv f32 n=29 place=in scale=1/n", "c", "sse2", "convolve(bluestein(64, stockham(8,8)))"},
    {"rconv f32 n=60:2:3 load=zeropad(31) store=mag", "c", "neon", "convolve(real(6, direct(10)))"},
    {"rconv f32 n=2048", "c", "avx2", "convolve(real(2, four-step(stockham(4,8), stockham(4,8))))"},
    {"rconv f64 n=2048 batch=2 spectrum=each,conj", "c", "avx2",
     "convolve(real(4, four-step(stockham(8,4), stockham(4,4))))"},
    {"rconv f32 n=1800 place=in scale=1/n", "c", "sse2", "convolve(real(2, four-step(stockham(5,3), stockham(10,6))))"},
    {"rconv f32 n=1350", "code", "avx2", "convolve(real(6, four-step(stockham(5,3), stockham(5,3))))"},
    {"rconv f16 n=100 batch=3 spectrum=each", "code", "avx2", NULL},
    {"rconv f32 n=16 batch=99 spectrum=each", "cuda", NULL, "convolve(direct(16))"},
    {"rconv f32 n=128 batch=9 spectrum=each", "cuda", NULL, "convolve(real(8, stockham(4,4)))"},
    {"rconv f16 n=256:3:2 batch=count[1..9]:900:600 spectrum=channel", "hip", NULL, "convolve(real(4, stockham(8,8)))"},
    {"rconv f64 n=75 batch=4 spectrum=each,conj", "cuda", NULL, "convolve(stockham(15,5))"},
    {"rconv f32 n=31 batch=4 spectrum=each", "opencl", NULL, "convolve(bluestein(64, stockham(8,8)))"},
    {"rconv f32 n=512 batch=3 spectrum=each", "cuda", NULL,
     "convolve(real(2, four-step(stockham(4,4), stockham(4,4))))"},
    {"rconv f32 n=512 batch=3 spectrum=each", "cuda", NULL,
     "convolve(real(2, four-step(stockham(4,4), stockham(4,4); cluster=2)))"},
    {"rconv f64 n=256 batch=3x2 spectrum=channel", "hip", NULL, "convolve(four-step(stockham(4,4), stockham(4,4)))"},
    {"rconv f32 n=12x1x16 batch=3 spectrum=each", "c", "avx2", NULL},
    {"rconv f64 n=1x30 batch=2x3 spectrum=channel", "code", "avx2", NULL},
    {"rconv f32 n=32x17 batch=count[1..5] spectrum=each,conj place=in", "cuda", NULL, NULL},
    {"rconv f32 n=64x64 batch=3 load=window(hann) store=shift", "cuda", NULL,
     "nd(convolve(stockham(8,8)), real(4, stockham(4,4)))"},
    {"rconv f64 n=6x8x10 spectrum=each", "opencl", NULL, NULL},
    {"rconv f32 n=128 batch=5 linear=same(100,15)", "c", "avx2", NULL},
    {"rconv f32 n=64 batch=7x5 spectrum=channel", "cuda", NULL, "convolve(paired(stockham(8,8)))"},
    {"rconv f16 n=1024 batch=5x9 filter=channel(300) linear=full(700) scale=1/n", "cuda", NULL,
     "convolve(paired(stockham(16,16,4)))"},
    {"rconv f64 n=96 batch=5 place=in spectrum=conj", "opencl", NULL, "convolve(paired(stockham(8,12)))"},
    {"rconv bf16 n=120 batch=3:400:300x2:130:125 load=window(hann) store=mul", "hip", NULL,
     "convolve(paired(stockham(5,4,6)))"},
    {"rconv f32 n=64 batch=5x4 spectrum=channel load=mul(each) store=mul(each)", "cuda", NULL,
     "convolve(paired(stockham(8,8)))"},
    {"rconv f32 n=64 batch=5x4 load=mul(channel) store=mul(channel)", "cuda", NULL,
     "convolve(paired(stockham(4,4,4)))"},
    {"c2c f32 n=16 batch=99 load=mul(each)", "cuda", NULL, "direct(16)"},
    {"rconv f32 n=1024 batch=3x5 spectrum=channel load=mul(each) store=mul(each)", "cuda", NULL, NULL},
    {"conv f32 n=256 batch=3x5 spectrum=channel load=mul(each) store=mul(channel)", "cuda", NULL, CLUSTERED},
    {"rconv f16 n=64 batch=count[1..9] spectrum=each load=mul(each) store=add(each)", "hip", NULL, NULL},
    {"rconv f32 n=60 batch=4x3 load=mul(each) store=mul(channel),mag", "code", "avx2", NULL},
    {"rconv f32 n=1024 batch=9 linear=valid(1000,65) spectrum=each", "cuda", NULL, NULL},
    {"conv f32 n=256 batch=9 linear=valid(250,65) spectrum=each", "cuda", NULL, CLUSTERED},
    {"conv f64 n=20x24 batch=3 linear=same(17x20,5x4)", "c", "avx512", NULL},
    {"conv f64 n=20x24 batch=3 spectrum=conj linear=same(17x20,5x4) load=mul(each) store=mul(each)", "c", "avx512",
     NULL},
    {"rconv f32 n=128 batch=5x3 spectrum=channel,conj linear=full(100,15) load=mul(each) store=mul(channel)", "c",
     "avx2", NULL},
    {"rconv f32 n=1024 batch=3x5 spectrum=channel,conj linear=full(700,65) load=mul(each) store=mul(each)", "cuda",
     NULL, NULL},
    {"rconv f16 n=1024 batch=4x5 filter=channel(300) linear=full(700) scale=1/n load=mul(each) store=mul(channel)",
     "cuda", NULL, "convolve(paired(stockham(16,16,4)))"},
    {"rconv f32 n=64x64 batch=3 linear=full(60x50,3x5) load=mul(each) store=mul(each)", "hip", NULL, NULL},
    {"conv f32 n=256 batch=3 linear=same(201,17) load=g[j]*x store=x*g[k0]+h[b,k]", "cuda", NULL, CLUSTERED},
    {"rconv f64 n=45 batch=3 linear=valid(41,5) spectrum=each,conj load=mul(each) store=window", "code", "avx2", NULL},
    {"rconv f16 n=20x24 batch=3 linear=full(17x20,4x5)", "cuda", NULL, NULL},
};

static void made(const row *r, fg_compilation *c) {
  compiled((fg_request){.problem = r->problem,
                        .target = r->target,
                        .isa = r->isa,
                        .plan = r->plan,
                        .entry = !strcmp(r->target, "code")},
           c);
}

static void every_form_is_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fg_compilation c;
    if (is_left_out((long)i, 3)) continue;
    made(&rows[i], &c);
    if (getenv("FFTGEN_VERBOSE"))
      print_message("%s: %s: %s\n", rows[i].problem, fg_plan_print(&context, c.chosen.plan), c.text.walked);
    fresh();
  }
}

/* The same of operands. */
static void others_operands_are_found(void **state) {
  (void)state;
  static const row each[] = {{"rconv f32 n=64 batch=4 load=mul(each)", "c", "avx2", NULL},
                             {"c2c f32 n=8 batch=2x3 store=add(each)", "cuda", NULL, NULL}};
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    fg_compilation c;
    fg_proof proof;
    made(&each[i], &c);
    for (int whose = FG_SPECTRA_SHARED; whose <= FG_SPECTRA_EACH; whose++) {
      fg_program other = *c.chosen.program;
      *(i ? &other.problem.store[0].whose : &other.problem.load[0].whose) = (fg_spectra)whose;
      bool same = whose == FG_SPECTRA_EACH || (i == 0 && whose == FG_SPECTRA_CHANNEL); /* of one batch dimension */
      assert_int_equal(fg_prove(&context, &other, 5, &proof), FG_OK);
      assert_int_equal(proof.proved, same);
    }
    fresh();
  }
}

/* A program right for one of these problems is wrong for the other. */
static void another_spectrum_is_found(void **state) {
  (void)state;
  static const row each[] = {{"conv f32 n=64 batch=4 spectrum=each", "c", "avx2", NULL},
                             {"conv f32 n=64 batch=4 spectrum=each", "cuda", NULL, NULL},
                             {"conv f32 n=7 batch=4 spectrum=each", "c", "scalar", NULL},
                             {"rconv f32 n=64 batch=4 spectrum=each", "c", "avx2", NULL},
                             {"rconv f32 n=64 batch=4 spectrum=each", "cuda", NULL, NULL}};
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    fg_compilation c;
    fg_proof proof;
    made(&each[i], &c);
    assert_int_equal(fg_prove(&context, c.chosen.program, 5, &proof), FG_OK);
    assert_true(proof.proved);
    fg_program other = *c.chosen.program;
    other.problem.spectra = FG_SPECTRA_SHARED;
    assert_int_equal(fg_prove(&context, &other, 5, &proof), FG_OK);
    assert_false(proof.proved);
    other.problem.spectra = FG_SPECTRA_EACH, other.problem.conjugated = true;
    assert_int_equal(fg_prove(&context, &other, 5, &proof), FG_OK);
    assert_false(proof.proved);
    if (other.problem.kind == FG_RCONV) {
      fresh();
      continue;
    }
    other.problem.kind = FG_C2C; /* nor is it the transform alone */
    assert_int_equal(fg_prove(&context, &other, 5, &proof), FG_OK);
    assert_false(proof.proved);
    fresh();
  }
}

static void what_is_not_built_is_said(void **state) {
  (void)state;
  static const char *const refused[][2] = {
      {"conv f32 n=8 sign=+1", "conv has no sign"},
      {"conv f32 n=8 spectrum=ech", "did you mean 'each'"},
      {"c2c f32 n=8 spectrum=each", "spectrum= for conv"},
      {"c2c f32 n=8 spectrum=conj", "spectrum= for conv"},
      {"conv f32 n=8 spectrum=each,shared", "shared, channel, each, conj, or both as in channel,conj"},
      {"conv f32 n=8 spectrum=each,cnj", "did you mean 'conj'"},
      {"conv f32 n=8 batch=3xcount[1..9] spectrum=each", "the first batch count alone"},
      {"c2c f32 n=8 filter=each", "filter= for conv and rconv"},
      {"conv f32 n=8 filter=each spectrum=each", "spectrum= and filter= together"},
      {"conv f32 n=8 filter=each(9)", "9 of 8 samples"},
      {"conv f32 n=8x8 filter=shared(3)", "filter with 1 lengths for 2 dimensions"},
      {"conv f32 n=8 filter=shared(3", "no closing bracket"},
      {"conv f32 n=8 filter=shared()", "no lengths"},
      {"conv f32 n=8 filter=hers", "does not say whose filter it is"},
      {"c2c f32 n=8 linear=full(3,4)", "of a transform"},
      {"conv f32 n=8 spectrum=conj linear=full(3,7)", "n at least L + M - 1"},
      {"rconv f32 n=128 filter=shared(9) linear=same(100) load=x+0.5", "x+0.5 before the zeros of zeropad"},
      {"c2c f32 n=64 load=add,zeropad(40)", "add before the zeros of zeropad"},
      {"c2c f32 n=64 load=x/g[j],zeropad(40)", "allowed: zeros first"},
      {"stft f32 n=10x400 load=x+1,centre(600)", "x+1 before the zeros of centre"},
      {"c2c f32 n=64 load=x*g[j],zeropad(40),x*g[j]", "one side of zeropad"},
      {"c2c f32 n=64 place=in load=zeropad(2:40)", "zeropad before an array with place=in"},
      {"c2c f32 n=64:s[1..2]:1 load=zeropad(2:40)", "known strides of n"},
      {"conv f32 n=8 linear=full(3)", "how many samples"},
      {"conv f32 n=8 linear=valid(3,4)", "3 and 4 samples in dimension 0"},
      {"conv f32 n=8x8 linear=valid(3,4)", "one length for each dimension"},
      {"conv f32 n=8 linear=all(3,4)", "full(L,M), same(L,M), valid(L,M)"},
      {"conv f32 n=8 linear=full(3,4) load=zeropad(3)", "zeropad twice"},
      {"conv f32 n=8 place=in linear=same(3,4)", "crop with place=in"},
      {"conv f32 n=8 store=crop(3:6)", "crop: 6 of 5 elements"},
      {"conv f32 n=8 store=crop(8:1)", "crop: 1 of 0 elements"},
      {"conv f32 n=8 store=crop(1:2x3)", "crop with 2 lengths for 1 dimensions"},
      {"conv f32 n=8 store=crop(1:2),shift", "crop together with shift"},
      {"conv f32 n=8:1:s[1..2] store=crop(1:2)", "a stride that is known only at run time"},
      {"c2c f32 n=8x8x8x8 store=crop(1:2x1:2x1:2x1:2)", "crop that cuts 8 ends"},
      {"conv f32 n=8 load=zeropad(1:8)", "zeropad: 8 of 7 elements"},
      {"conv f32 n=8 load=mul(hers)", "does not say whose numbers they are"},
      {"conv f32 n=8 load=conj(each)", "an expression without x"},
      {"c2c f32 n=8 batch=3xcount[1..9] store=add(each)", "the first batch count alone"},
      {"conv f32 n=8 load=twiddle", "load=twiddle alone, of c2c"},
      {"rconv f32 n=8 layout=split", "rconv is real on both sides"},
      {"rconv f32 n=8 sign=-1", "rconv has no sign"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    fg_problem q;
    fg_diag_clear(&context.diag);
    bool read = fg_problem_parse(&context, refused[i][0], &q) == FG_OK && fg_problem_supported(&context, &q) == FG_OK;
    if (read || !strstr(context.diag.message, refused[i][1])) fail_msg("%s: %s", refused[i][0], context.diag.message);
  }
}

/* What makes the spectra of filters: its canonical text. */
static void filters_are_transformed(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"conv f32 n=64 batch=3x4 filter=channel(5)", "c2c f32 n=64 batch=4 load=zeropad(5)"},
      {"conv f64 n=16 filter=shared", "c2c f64 n=16"},
      {"conv f32 n=16 filter=channel,conj", "c2c f32 n=16"},
      {"rconv f16 n=8x32:2:3 batch=count[1..4]x6 filter=each(2x3),conj",
       "r2c f32 n=8x32 batch=count[1..4]x6 load=zeropad(2x3)"},
      {"rconv f32 n=30:pi[1..9]:1 batch=2*b[1..3] compute=f64 filter=each", "r2c f64 n=30 batch=2*b[1..3]"},
      {"rconv f32 n=30 batch=7 filter=each(30)", "r2c f32 n=30 batch=7"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fg_problem q, again, prepare;
    assert_int_equal(fg_problem_parse(&context, rows[i][0], &q), FG_OK);
    assert_int_equal(fg_problem_parse(&context, fg_problem_print(&context, &q), &again), FG_OK);
    assert_string_equal(fg_problem_print(&context, &q), fg_problem_print(&context, &again));
    assert_int_equal(again.filter.rank, q.rank);
    assert_int_equal(fg_problem_parse(&context, fg_problem_prepare(&context, &q), &prepare), FG_OK);
    assert_string_equal(fg_problem_print(&context, &prepare), rows[i][1]);
    int64_t one[FG_MAX_PARAMS] = {1, 1}; /* its output is the convolution's spectra */
    assert_int_equal(fg_problem_extent(&prepare, true, one), fg_problem_spectra_extent(&q, one));
  }
}

static int64_t input(int64_t j) { return 3 * j * j + 1; }
static int64_t tap(int64_t j) { return 7 * j + 2; }

/* Whole numbers, convolved or correlated with and without wrapping around, agree where the problem's part is; of a
 * shorter n it is refused. */
static void part_is_linear(const char *part, bool conj, int64_t signal, int64_t samples, int64_t n) {
  int64_t cyclic[64] = {0}, linear[64] = {0}, begin = conj ? samples - 1 : 0;
  fg_problem q;
  const char *text = fg_arena_printf(context.arena, "rconv f32 n=%lld%s linear=%s(%lld,%lld)", (long long)n,
                                     conj ? " spectrum=conj" : "", part, (long long)signal, (long long)samples);
  assert_int_equal(fg_problem_parse(&context, text, &q), FG_OK);
  const fg_part *kept = fg_problem_part(&q, true), *from = fg_problem_part(&q, false);
  for (int64_t j = 0; j < signal; j++)
    for (int64_t i = 0; i < samples; i++) {
      int64_t at = from->first[0] + j + (conj ? n - i : i);
      linear[j + (conj ? -i : i) + begin] += input(j) * tap(i), cyclic[at % n] += input(j) * tap(i);
    }
  int64_t all = signal + samples - 1, valid = signal - samples + 1;
  int64_t length = *part == 'f' ? all : *part == 's' ? signal : valid; /* in the middle, as NumPy and SciPy have it */
  assert_int_equal(kept->length[0], length);
  assert_int_equal(from->length[0], signal);
  for (int64_t k = 0; k < length; k++) assert_int_equal(cyclic[kept->first[0] + k], linear[(all - length) / 2 + k]);
  text = fg_arena_printf(context.arena, "rconv f32 n=%lld%s linear=%s(%lld,%lld)", (long long)n - 1,
                         conj ? " spectrum=conj" : "", part, (long long)signal, (long long)samples);
  assert_int_equal(fg_problem_parse(&context, text, &q), FG_EUSER);
}

static void parts_are_linear(void **state) {
  (void)state;
  for (int64_t signal = 2; signal <= 20; signal += 3)
    for (int64_t samples = 2; samples <= signal; samples++)
      for (int conj = 0; conj < 2; conj++) {
        part_is_linear("full", conj, signal, samples, signal + samples - 1);
        part_is_linear("same", conj, signal, samples, signal + samples / 2);
        part_is_linear("valid", conj, signal, samples, signal);
      }
  static const char *const rows[][2] = {
      {"conv f32 n=64x32 filter=shared(5x3) linear=same(60x30) store=mag,u8",
       "conv f32 n=64x32 filter=shared(5x3) load=zeropad(60x30) store=crop(2:60x1:30),mag,u8"},
      {"conv f32 n=64 linear=full(60,5) batch=3 load=mul", "conv f32 n=64 batch=3 load=mul,zeropad(60) store=crop(64)"},
      {"conv f32 n=64x32 filter=shared(5x3),conj linear=same(60x30)",
       "conv f32 n=64x32 filter=shared(5x3),conj load=zeropad(2:60x1:30) store=crop(60x30)"},
      {"rconv f32 n=64 linear=full(60,5) load=x*g[j] store=x+0.5",
       "rconv f32 n=64 load=x*g[j],zeropad(60) store=crop(64),x+0.5"},
  };
  for (int i = 0; i < 4; i++) {
    fg_problem q;
    assert_int_equal(fg_problem_parse(&context, rows[i][0], &q), FG_OK);
    assert_string_equal(fg_problem_print(&context, &q), rows[i][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(definition_is_two_sums, setup, teardown),
      cmocka_unit_test_setup_teardown(filters_are_transformed, setup, teardown),
      cmocka_unit_test_setup_teardown(parts_are_linear, setup, teardown),
      cmocka_unit_test_setup_teardown(every_form_is_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(others_operands_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(another_spectrum_is_found, setup, teardown),
      cmocka_unit_test_setup_teardown(what_is_not_built_is_said, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

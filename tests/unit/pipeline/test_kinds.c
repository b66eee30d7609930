/* Real kinds and several dimensions: the proof's definition against plain sums of
 * the formulas; programs of all kinds, placed and strided in every way, as the
 * program and as the emitted text; and programs that compute another kind. */
#include "generator/ir/envelope.h"
#include "generator/problem/shape.h"
#include "generator/reference/bank_values.h"
#include "generator/reference/checksum.h"
#include "generator/reference/definition.h"
#include "tests/unit/text_proof.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static fg_problem parsed(const char *text) {
  fg_problem q;
  context.diag.message[0] = 0;
  if (fg_problem_parse(&context, text, &q) || fg_problem_supported(&context, &q))
    fail_msg("%s: %s", text, context.diag.message);
  return q;
}

/* ---- the definition ------------------------------------------------------------ */

static long double cosine(long double turns) { return cosl(6.283185307179586476925286766559L * turns); }
static long double sine(long double turns) { return sinl(6.283185307179586476925286766559L * turns); }

/* Output k of a trigonometric kind, as FFTW's manual has it. */
static long double formula(fg_kind kind, int64_t n, const fg_quadc *x, int64_t k) {
  long double sum = 0, h = 0.5L;
  for (int64_t j = 0; j < (kind == FG_MDCT ? 2 * n : n); j++) {
    long double v = (long double)x[j].re, J = (long double)j, K = (long double)k, N = (long double)n;
    bool last = j == n - 1, ends = j == 0 || last;
    switch (kind) {
    case FG_DCT1: sum += (ends ? 1 : 2) * v * cosine(J * K / (2 * N - 2)); break;
    case FG_DCT2: sum += 2 * v * cosine((J + h) * K / (2 * N)); break;
    case FG_DCT3: sum += (j ? 2 : 1) * v * cosine(J * (K + h) / (2 * N)); break;
    case FG_DCT4: sum += 2 * v * cosine((J + h) * (K + h) / (2 * N)); break;
    case FG_DST1: sum += 2 * v * sine((J + 1) * (K + 1) / (2 * N + 2)); break;
    case FG_DST2: sum += 2 * v * sine((J + h) * (K + 1) / (2 * N)); break;
    case FG_DST3: sum += (last ? 1 : 2) * v * sine((J + 1) * (K + h) / (2 * N)); break;
    case FG_DST4: sum += 2 * v * sine((J + h) * (K + h) / (2 * N)); break;
    case FG_MDCT: sum += 2 * v * cosine((J + h + N / 2) * (K + h) / (2 * N)); break;
    case FG_IMDCT: sum += 2 * v * cosine((J + h) * (K + h + N / 2) / (2 * N)); break;
    default: fail_msg("no formula");
    }
  }
  return sum;
}

static void near(long double a, fg_quad b) { assert_true(fabsl(a - (long double)b) < 1e-15L); }

static void definition_is_the_formula(void **state) {
  (void)state;
  for (int kind = FG_DCT1; kind <= FG_DST4; kind++)
    for (int64_t n = kind == FG_DCT1 ? 2 : 1; n < 12; n++) {
      fg_quadc x[12] = {{0}}, y[12];
      fg_problem q = parsed(fg_arena_printf(context.arena, "%s f64 n=%d", fg_problem_kind_name((fg_kind)kind), (int)n));
      for (int64_t j = 0; j < n; j++) x[j].re = (fg_quad)sin(1.0 + 3.0 * (double)j);
      fg_definition_quad(&context, &q, (fg_which){0}, x, y);
      for (int64_t k = 0; k < n; k++) near(formula((fg_kind)kind, n, x, k), y[k].re);
    }
}

/* 2n samples and n coefficients, as Princen and Bradley have it; and frames that are added are the signal again. */
static void definition_of_lapped_kinds(void **state) {
  (void)state;
  for (int n = 2; n < 12; n += 2) {
    fg_quadc x[44] = {{0}}, y[44], back[44];
    for (int j = 0; j < 4 * n; j++) x[j].re = (fg_quad)sin(1.0 + 3.0 * j);
    fg_problem there = parsed(fg_arena_printf(context.arena, "mdct f64 n=%d", n)),
               inverse = parsed(fg_arena_printf(context.arena, "imdct f64 n=%d", n));
    fg_definition_quad(&context, &there, (fg_which){0}, x, y);
    for (int64_t k = 0; k < n; k++) near(formula(FG_MDCT, n, x, k), y[k].re);
    fg_definition_quad(&context, &inverse, (fg_which){0}, x, y);
    for (int64_t k = 0; k < 2 * n; k++) near(formula(FG_IMDCT, n, x, k), y[k].re);
    there = parsed(fg_arena_printf(context.arena, "mdct f64 n=3x%d load=window(sine)", n));
    inverse = parsed(fg_arena_printf(context.arena, "imdct f64 n=3x%d store=window(sine) scale=1/n", n));
    fg_definition_quad(&context, &there, (fg_which){0}, x, y);
    fg_definition_quad(&context, &inverse, (fg_which){0}, y, back);
    for (int j = n; j < 3 * n; j++) near(2 * (long double)x[j].re, back[j].re);
  }
}

/* Frames as torch.stft has them, by the definition of one; and back. */
static void definition_of_frames(void **state) {
  (void)state;
  enum { N = 8, HOP = 3, FRAMES = 7, LENGTH = 20 };
  static const char *const ways[] = {"centre(20)", "reflect(20)"};
  fg_problem line = parsed("r2c f64 n=8 load=window(hann)");
  for (int way = 0; way < 2; way++) {
    fg_quadc x[LENGTH] = {{0}}, y[FRAMES * (N / 2 + 1)], back[LENGTH];
    for (int j = 0; j < LENGTH; j++) x[j].re = (fg_quad)sin(1.0 + 3.0 * j);
    fg_problem there = parsed(fg_arena_printf(context.arena, "stft f64 n=7:3:5x8 load=%s,window(hann)", ways[way]));
    fg_problem inverse = parsed("istft f64 n=7:5:3x8 store=window(hann),norm,centre(20) scale=1/n");
    fg_definition_quad(&context, &there, (fg_which){0}, x, y);
    for (int f = 0; f < FRAMES; f++) {
      fg_quadc frame[N] = {{0}}, want[N / 2 + 1];
      for (int j = 0; j < N; j++) {
        int at = f * HOP + j - N / 2;
        if (way && at < 0) at = -at;
        if (way && at >= LENGTH) at = 2 * LENGTH - 2 - at;
        if (at >= 0 && at < LENGTH) frame[j] = x[at];
      }
      fg_definition_quad(&context, &line, (fg_which){0}, frame, want);
      for (int k = 0; k <= N / 2; k++)
        near((long double)want[k].re, y[f * 5 + k].re), near((long double)want[k].im, y[f * 5 + k].im);
    }
    fg_definition_quad(&context, &inverse, (fg_which){0}, y, back);
    for (int j = 0; j < LENGTH; j++) near((long double)x[j].re, back[j].re);
  }
}

static void definition_of_real_kinds(void **state) {
  (void)state;
  for (int64_t n = 1; n < 12; n++)
    for (int sign = -1; sign <= 1; sign += 2) {
      fg_quadc x[12] = {{0}}, full[12], half[12], back[12];
      char *end = fg_arena_printf(context.arena, "f64 n=%d sign=%+d", (int)n, sign);
      fg_problem c2c = parsed(fg_arena_printf(context.arena, "c2c %s", end));
      fg_problem r2c = parsed(fg_arena_printf(context.arena, "r2c %s", end));
      fg_problem c2r = parsed(fg_arena_printf(context.arena, "c2r f64 n=%d sign=%+d", (int)n, -sign));
      for (int64_t j = 0; j < n; j++) x[j].re = (fg_quad)sin(1.0 + 3.0 * (double)j);
      fg_definition_quad(&context, &c2c, (fg_which){0}, x, full);
      fg_definition_quad(&context, &r2c, (fg_which){0}, x, half);
      for (int64_t k = 0; k <= n / 2; k++)
        near((long double)full[k].re, half[k].re), near((long double)full[k].im, half[k].im);
      half[0].im = 7; /* not read */
      fg_definition_quad(&context, &c2r, (fg_which){0}, half, back);
      for (int64_t j = 0; j < n; j++) near((long double)x[j].re * (long double)n, back[j].re);
    }
}

static void definition_of_two_dimensions(void **state) {
  (void)state;
  fg_problem q = parsed("c2c f64 n=3x4 sign=+1");
  fg_quadc x[12], y[12];
  for (int j = 0; j < 12; j++) x[j] = (fg_quadc){sin(1.0 + 3 * j), cos(2.0 + 5 * j)};
  fg_definition_quad(&context, &q, (fg_which){0}, x, y);
  for (int k = 0; k < 12; k++) {
    long double re = 0, im = 0;
    for (int j = 0; j < 12; j++) {
      int thirds = (j / 4) * (k / 4), quarters = (j % 4) * (k % 4);
      long double turns = thirds / 3.0L + quarters / 4.0L, c = cosine(turns), s = sine(turns);
      re += (long double)x[j].re * c - (long double)x[j].im * s;
      im += (long double)x[j].re * s + (long double)x[j].im * c;
    }
    near(re, y[k].re);
    near(im, y[k].im);
  }
}

/* ---- weighted sums --------------------------------------------------------------- */

typedef struct transform { /* one, in a field */
  fg_problem q;
  int64_t count, results; /* elements */
  fg_gfc *x, *y;
} transform;

/* Rows are in parts, the last one first. */
static void sum_side(fg_sums *s, const transform *t, bool output) {
  int64_t row = fg_problem_span(&t->q, t->q.rank - 1, output), part = row > 100 ? FG_SUMS_PART : 2;
  const fg_gfc *x = output ? t->y : t->x;
  for (int64_t r = (output ? t->results : t->count) / row; r-- > 0;)
    for (int64_t from = (row - 1) / part * part; from >= 0; from -= part)
      (output ? fg_sums_result : fg_sums_input)(s, r, from, row - from < part ? row - from : part, x + r * row + from);
}

static bool sums_agree(fg_sums *s, const transform *t) {
  fg_sums_begin(s);
  sum_side(s, t, false);
  sum_side(s, t, true);
  return fg_sums_agree(s);
}

static transform defined(const char *text, const fg_field *f, uint64_t *random) {
  transform t = {.q = parsed(text)};
  t.count = fg_problem_elements(&t.q, false), t.results = fg_problem_elements(&t.q, true);
  t.x = fg_arena_new(context.arena, fg_gfc, t.count), t.y = fg_arena_new(context.arena, fg_gfc, t.results);
  for (int64_t j = 0; j < t.count; j++) {
    t.x[j].re = fg_gf_random(random);
    t.x[j].im = fg_problem_kind_is_real(t.q.kind, false) ? 0 : fg_gf_random(random);
  }
  assert_int_equal(fg_definition_gf(&context, &t.q, f, (fg_which){0}, t.x, t.y), FG_OK);
  return t;
}

static const char *const summed[] = {"c2c f32 n=1",
                                     "c2c f32 n=2 sign=+1",
                                     "c2c f32 n=15",
                                     "r2c f32 n=1",
                                     "r2c f32 n=9",
                                     "r2c f32 n=12",
                                     "c2r f32 n=1",
                                     "c2r f32 n=2",
                                     "c2r f32 n=9",
                                     "c2r f32 n=12",
                                     "c2c f32 n=3x5",
                                     "c2c f32 n=2x3x4 sign=+1",
                                     "r2c f32 n=3x4",
                                     "r2c f32 n=2x3x5",
                                     "c2r f32 n=3x4",
                                     "c2r f32 n=2x3x5",
                                     "c2c f32 n=2x16384 sign=+1",
                                     "r2c f32 n=16384",
                                     "c2r f32 n=16384"};
enum { SUMMED = sizeof summed / sizeof *summed, SHORT = SUMMED - 3 /* without the long ones */ };

/* Right results have the sum; with any part of any of them changed they have another. */
static void sums_are_the_definition(void **state) {
  (void)state;
  for (size_t i = 0; i < SUMMED; i++) {
    fg_field f;
    uint64_t random = 11 + i;
    assert_int_equal(fg_field_create(&context, 8 * 9 * 5 * 7 << 14, i, &f), FG_OK);
    transform t = defined(summed[i], &f, &random);
    fg_sums *s = fg_sums_create(&context, &t.q, &f, &random);
    assert_non_null(s);
    assert_true(sums_agree(s, &t));
    for (int64_t k = 0; k < t.results; k += t.results / 30 + 1)
      for (int part = fg_problem_kind_is_real(t.q.kind, true); part < 2; part++) {
        fg_gf *place = part ? &t.y[k].re : &t.y[k].im, kept = *place;
        *place = fg_gf_add(&f, kept, f.one);
        assert_false(sums_agree(s, &t));
        *place = kept;
      }
    if (t.results < 2) continue;
    fg_gfc first = t.y[0]; /* right ones in the wrong order */
    t.y[0] = t.y[1], t.y[1] = first;
    assert_false(sums_agree(s, &t));
  }
  fg_problem cosine_kind = parsed("dct2 f32 n=8"), scaled = parsed("c2c f32 n=8 scale=1/n");
  fg_field f;
  uint64_t random = 1;
  assert_int_equal(fg_field_create(&context, 64, 1, &f), FG_OK);
  assert_null(fg_sums_create(&context, &cosine_kind, &f, &random));
  assert_null(fg_sums_create(&context, &scaled, &f, &random));
}

/* Of reals: a result that is a little off moves the sum as far as it is off. */
static void sums_of_reals_are_the_definition(void **state) {
  (void)state;
  for (size_t i = 0; i < SHORT; i++) {
    fg_quadc x[60], y[60];
    fg_problem q = parsed(summed[i]);
    int64_t results = fg_problem_elements(&q, true);
    bool real = fg_problem_is_real(&q, true);
    double size = 0;
    for (int j = 0; j < fg_problem_elements(&q, false); j++)
      x[j] = (fg_quadc){sin(1.0 + 3 * j), fg_problem_is_real(&q, false) ? 0 : cos(2.0 + 5 * j)};
    fg_definition_quad(&context, &q, (fg_which){0}, x, y);
    for (int64_t k = 0; k < results; k++) size += pow((double)y[k].re, 2) + pow((double)y[k].im, 2);
    assert_true(fg_sums_distance(&context, &q, i, x, y) < 0x1p-107);
    for (int64_t k = 0; k < results; k++)
      for (int part = real; part < 2; part++) {
        fg_quad *place = part ? &y[k].re : &y[k].im, kept = *place;
        *place += 0x1p-60;
        double distance = fg_sums_distance(&context, &q, i, x, y) * sqrt(size);
        assert_true(fabs(distance - 0x1p-60) < 0x1p-80);
        *place = kept;
      }
    y[0].re = NAN;
    assert_true(isinf(fg_sums_distance(&context, &q, i, x, y)));
  }
}

/* ---- programs ------------------------------------------------------------------- */

static void real_kinds_are_proved(void **state) {
  (void)state;
  static const char *const ways[] = {"f32 n=%d batch=19", "f64 n=%d:3:2 batch=5:41:37 ", "f32 n=%d batch=count[1..20]"};
  const fg_mapping *const maps[] = {&scalar, &eight_lanes, &threads};
  static const int lengths[] = {2, 3, 8, 13, 16};
  for (int kind = FG_R2C; kind <= FG_DST4; kind++)
    for (int i = 0; i < 5; i++)
      for (int way = 0; way < 3; way++) {
        const char *form = fg_arena_printf(context.arena, "%s ", fg_problem_kind_name((fg_kind)kind));
        char rest[64];
        snprintf(rest, sizeof rest, ways[way], lengths[i]);
        const char *plan = fg_arena_printf(context.arena, "direct(%d)", lengths[i]);
        both_must_hold(fg_arena_printf(context.arena, "%s%s", form, rest), plan, maps[(i + way + kind) % 3]);
      }
}

/* Frames of signals by every mapping, ends and all; and what is wrong with one is found. */
static void frames_are_proved(void **state) {
  (void)state;
  static const char *const tries[][2] = {
      {"mdct f32 n=16 batch=5 load=window(sine)", "fold(direct(16))"},
      {"imdct f32 n=24 batch=count[1..4] store=window(vorbis)", "fold(trig(direct(12)))"},
      {"stft f32 n=9x16 load=reflect,window(hann)", "frames(stockham(4,4))"},
      {"stft f32 n=6:7:12x20 load=centre(31),window(kaiser(4)) store=mag batch=2", "frames(real(4, direct(5)))"},
      {"mdct f32 n=7x8 load=centre,window(sine)", "frames(fold(direct(8)))"},
      {"r2c f32 n=64 batch=5 load=window(hann) store=mag2,mel(7,8000)", "real(4, direct(16))"},
      {"r2c f32 n=512 store=mag,mel(2,8000,htk,peak),log(0.1+x)", "real(8, stockham(8,8))"}, /* in parts */
      {"stft f32 n=6:9:11x32 load=reflect store=x*g[k],mag2,mel(5,8000,100,3000)", "frames(real(4, direct(8)))"},
      {"istft f32 n=9x16 store=window(hann),norm,centre scale=1/n", "frames(stockham(4,4))"},
      {"istft f32 n=6:12:7x20 store=window(hamming),norm batch=count[1..3]", "frames(real(4, direct(5)))"},
      {"istft f32 n=2:12:7x20 store=window(hamming),norm,i16", "frames(direct(20))"},
      {"imdct f32 n=7x8 store=window(sine),norm,centre", "frames(fold(direct(8)))"},
      {"imdct f32 n=5:20:33x18", "frames(fold(direct(18)))"},
  };
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    both_must_hold(tries[i][0], tries[i][1], &scalar);
    both_must_hold(tries[i][0], tries[i][1], &eight_lanes);
    both_must_hold(tries[i][0], tries[i][1], &threads);
  }
  static const char *const back = "istft f32 n=9x16 store=window(hann),norm,centre";
  fg_program *p = assembled_for(back, "frames(direct(16))", &scalar);
  p->kernel[1]->stage[0].load.npred = 0; /* frames that are not there */
  assert_false(proof_of(p).proved);
  p = assembled_for(back, "frames(direct(16))", &scalar);
  p->kernel[1]->stage[1].load.index.at.offset.n -= 16; /* those of the block before */
  assert_false(proof_of(p).proved);
  p = assembled_for(back, "frames(direct(16))", &scalar);
  p->kernel[1]->stage[1].operations.stored = NULL; /* norm left out in the middle */
  assert_false(proof_of(p).proved);
  p = assembled_for("stft f32 n=9x16 load=reflect", "frames(direct(16))", &scalar);
  p->kernel[0]->stage[0].load.index.wrap[1].add[1]++; /* reflected beside the last sample */
  assert_false(proof_of(p).proved);
  static const char *const bands = "r2c f32 n=64 store=mag2,mel(7,8000)";
  p = assembled_for(bands, "direct(64)", &scalar);
  p->kernel[0]->stage[1].load.index.base.offset.n++; /* the bins behind */
  assert_false(proof_of(p).proved);
  p = assembled_for(bands, "direct(64)", &scalar);
  p->kernel[0]->stage[1].operations.loaded->operation[0].operand.index.at.offset.n++; /* weights of others */
  assert_false(proof_of(p).proved);
}

/* A sample that no frame tells is a fault of the problem's. */
static void norm_divides_by_something(void **state) {
  (void)state;
  static const struct {
    const char *text;
    fg_status status;
  } rows[] = {{"istft f64 n=9:33:16x64 store=window(hann),norm", FG_EUSER}, /* weight 0 of the first frame */
              {"istft f64 n=9:33:16x64 store=window(hann),norm,centre", FG_OK},
              {"istft f64 n=9:33:64x64 store=window(hann),norm,centre", FG_EUSER}, /* one frame for each sample */
              {"istft f64 n=9:33:16x64 store=window(hann),norm,centre(160)", FG_OK},
              {"istft f64 n=1:33:16x64 store=window(hamming),norm", FG_OK},
              {"imdct f64 n=9:32:32x32 store=window(sine),norm", FG_OK},
              {"imdct f64 n=9:32:32x32 store=window(kaiser(60)),norm", FG_EUSER},
              {"istft f64 n=9:33:16x64 store=window(hann)", FG_OK}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fg_problem q = parsed(rows[i].text);
    fg_diag_clear(&context.diag);
    if (fg_table_covers(&context, &q) != rows[i].status) fail_msg("%s", rows[i].text);
    if (rows[i].status) assert_non_null(strstr(context.diag.message, "sum to nothing at sample"));
  }
}

/* Corners by the formulas of docs/problem.md, and triangles between them. */
static void bands_are_triangles(void **state) {
  (void)state;
  fg_bank bank = {.bands = 4, .rate = 8000, .high = 4000};
  static const double slaney[] = {0, 468.85, 937.70, 1520.84, 2466.45, 4000},
                      htk[] = {0, 324.47, 799.33, 1494.31, 2511.43, 4000};
  for (int scale = 0; scale < 2; scale++) {
    bank.htk = scale, bank.peak = scale;
    const fg_quad *corner = fg_operation_values_corners(&context, &bank);
    for (int i = 0; i < 6; i++) assert_true(fabs((double)corner[i] - (scale ? htk : slaney)[i]) < 0.006);
    for (int m = 0; m < 4; m++)
      for (int k = 0; k <= 32; k++) {
        double f = 125.0 * k, c[3], w;
        for (int i = 0; i < 3; i++) c[i] = (double)corner[m + i];
        w = fmax(0, fmin((f - c[0]) / (c[1] - c[0]), (c[2] - f) / (c[2] - c[1])));
        if (!scale) w *= 2 / (c[2] - c[0]);
        near(w, fg_operation_values_band_weight(&bank, 64, corner, m, k));
      }
  }
}

static void real_kinds_in_place(void **state) {
  (void)state;
  for (int lanes = 0; lanes < 2; lanes++) {
    const fg_mapping *map = lanes ? &eight_lanes : &scalar;
    both_must_hold("r2c f32 n=9 batch=19 place=in", "direct(9)", map);
    both_must_hold("c2r f32 n=9 batch=19 place=in", "direct(9)", map);
    both_must_hold("r2c f32 n=8 batch=count[1..20] place=in", "direct(8)", map);
    both_must_hold("c2r f32 n=8:40:80 batch=19:1:2 place=in", "direct(8)", map);
    both_must_hold("dct4 f32 n=8 batch=19 place=in", "direct(8)", map);
    both_must_hold("r2c f32 n=8 batch=19 layout=split", "direct(8)", map);
  }
}

static void several_dimensions_are_proved(void **state) {
  (void)state;
  static const char *const tries[][2] = {
      {"c2c f32 n=16x12", "nd(direct(16), direct(12))"},
      {"c2c f32 n=16x32 place=in", "nd(stockham(4,4), stockham(8,4))"},
      {"c2c f32 n=1x16", "nd(direct(1), direct(16))"},
      {"c2c f32 n=16x1", "nd(direct(16), direct(1))"},
      {"c2c f32 n=1x1", "nd(direct(1), direct(1))"},
      {"c2c f32 n=20x37 layout=split place=in", "nd(stockham(5,4), bluestein(75, stockham(5,15)))"},
      {"c2c f32 n=37x20 sign=+1", "nd(bluestein(75, stockham(5,15)), cooley-tukey(2, stockham(5,2)))"},
      {"c2c f32 n=3x4x5 batch=3", "nd(direct(3), direct(4), direct(5))"},
      {"c2c f32 n=3:400:380x8:45:44 batch=count[1..9]:1:1", "nd(direct(3), direct(8))"},
      {"c2c f32 n=2x3x2x1x2x3x2 batch=2",
       "nd(direct(2), direct(3), direct(2), direct(1), direct(2), direct(3), direct(2))"},
  };
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    both_must_hold(tries[i][0], tries[i][1], &scalar);
    both_must_hold(tries[i][0], tries[i][1], &eight_lanes);
    both_must_hold(tries[i][0], tries[i][1], &threads);
  }
}

/* Rows at the distance of a way of a cache: tiles of columns are contiguous in a workspace. */
static void tiles_of_columns_are_proved(void **state) {
  (void)state;
  static const char *const tries[][2] = {
      {"c2c f32 n=32:32:16384x32", "nd(stockham(8,4), stockham(8,4))"},                  /* in runs, of whole vectors */
      {"c2c f32 n=17:64:16384x64 batch=2:2000:64", "nd(stockham(17), stockham(8,4,2))"}, /* cut */
      {"c2c f32 n=32:16:16384x16 layout=split", "nd(stockham(4,8), stockham(2,8))"},     /* whole rows */
      {"c2c f32 n=1x64:128:8192x1x128 store=shift", "nd(direct(1), stockham(8,8), direct(1), stockham(4,4,8))"},
  };
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    both_must_hold(tries[i][0], tries[i][1], &eight_lanes);
    fg_program *p = assembled_for(tries[i][0], tries[i][1], &eight_lanes);
    int spaces = 0;
    for (int b = 0; b < p->nbuffer; b++) spaces += p->buffer[b].space == FG_SPACE_WORK;
    assert_int_equal(spaces, 1);
  }
}

static void other_kinds_are_not(void **state) {
  (void)state;
  static const fg_kind wrong[][2] = {{FG_DCT2, FG_DCT3}, {FG_DST3, FG_DST2}, {FG_DCT4, FG_DST4}, {FG_DCT1, FG_DCT4}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    fg_program *p = assembled_for(
        fg_arena_printf(context.arena, "%s f32 n=8 batch=3", fg_problem_kind_name(wrong[i][0])), "direct(8)", &scalar);
    p->problem.kind = wrong[i][1];
    fg_proof proof = proof_of(p);
    assert_false(proof.proved);
    assert_non_null(strstr(proof.failure, "is not that of the DFT"));
  }
  fg_program *p = assembled_for("r2c f32 n=8 batch=3", "direct(8)", &scalar);
  p->problem.sign = 1;
  assert_false(proof_of(p).proved);
  p = assembled_for("c2c f32 n=4x8", "nd(direct(4), direct(8))", &scalar);
  p->problem.dim[0].n = fg_num_const(8), p->problem.dim[1].n = fg_num_const(4);
  p->problem.dim[0].is = p->problem.dim[0].os = fg_num_const(4);
  assert_false(proof_of(p).proved);
  p = assembled_for("c2c f32 n=4x8", "nd(direct(4), direct(8))", &scalar);
  p->nkernel = 1; /* columns left out */
  assert_false(proof_of(p).proved);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(definition_is_the_formula, setup, teardown),
      cmocka_unit_test_setup_teardown(definition_of_real_kinds, setup, teardown),
      cmocka_unit_test_setup_teardown(definition_of_lapped_kinds, setup, teardown),
      cmocka_unit_test_setup_teardown(definition_of_frames, setup, teardown),
      cmocka_unit_test_setup_teardown(frames_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(bands_are_triangles, setup, teardown),
      cmocka_unit_test_setup_teardown(norm_divides_by_something, setup, teardown),
      cmocka_unit_test_setup_teardown(definition_of_two_dimensions, setup, teardown),
      cmocka_unit_test_setup_teardown(sums_are_the_definition, setup, teardown),
      cmocka_unit_test_setup_teardown(sums_of_reals_are_the_definition, setup, teardown),
      cmocka_unit_test_setup_teardown(real_kinds_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(real_kinds_in_place, setup, teardown),
      cmocka_unit_test_setup_teardown(several_dimensions_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(tiles_of_columns_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(other_kinds_are_not, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Problems: text to struct and back, every refusal, sizes at the edge of 2^62. */
#include "generator/problem/operations.h"
#include "generator/problem/shape.h"
#include <cmocka.h>

#include "tests/unit/refusal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static fg_problem parsed(const char *text) {
  fg_problem p;
  fg_diag_clear(&context.diag);
  if (fg_problem_parse(&context, text, &p)) fail_msg("'%s' was refused: %s", text, context.diag.message);
  return p;
}

static bool same_num(fg_num a, fg_num b) {
  return a.n == b.n && a.form == b.form && (a.form == FG_NUM_CONST || a.param == b.param);
}

static bool same_axes(const fg_dim *a, const fg_dim *b, int rank) {
  for (int i = 0; i < rank; i++)
    if (!same_num(a[i].n, b[i].n) || !same_num(a[i].is, b[i].is) || !same_num(a[i].os, b[i].os)) return false;
  return true;
}

static bool same_ops(const fg_pointwise *a, const fg_pointwise *b, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(a[i].name, b[i].name)) return false;
  return true;
}

static bool same(const fg_problem *a, const fg_problem *b) {
  for (int i = 0; i < a->nparam && i < b->nparam; i++)
    if (strcmp(a->param[i].name, b->param[i].name) || a->param[i].lo != b->param[i].lo ||
        a->param[i].hi != b->param[i].hi)
      return false;
  return a->kind == b->kind && a->storage == b->storage && a->compute == b->compute && a->rank == b->rank &&
         a->batch_rank == b->batch_rank && same_axes(a->dim, b->dim, a->rank) &&
         same_axes(a->batch, b->batch, a->batch_rank) && a->sign == b->sign && a->split_in == b->split_in &&
         a->split_out == b->split_out && a->in_place == b->in_place && a->scale == b->scale &&
         a->scale_value == b->scale_value && a->nload == b->nload && a->nstore == b->nstore &&
         same_ops(a->load, b->load, a->nload) && same_ops(a->store, b->store, a->nstore) && a->nparam == b->nparam;
}

/* Prints and parses again: same struct, and the same text from then on. */
static void round_trip(const char *text, const char *canonical) {
  fg_problem p = parsed(text);
  const char *printed = fg_problem_print(&context, &p);
  if (canonical) assert_string_equal(printed, canonical);
  fg_problem q = parsed(printed);
  if (!same(&p, &q)) fail_msg("'%s' came back as another problem from '%s'", text, printed);
  assert_string_equal(fg_problem_print(&context, &q), printed);
}

static void test_canonical(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"c2c f32 n=1024", "c2c f32 n=1024"},
      {"  c2c\tf32   n=01024 ", "c2c f32 n=1024"},
      {"c2c f64 sign=+1 batch=16 n=1000", "c2c f64 n=1000 batch=16 sign=+1"},
      {"c2c f64 n=1000 sign=forward place=out layout=interleaved", "c2c f64 n=1000"},
      {"c2r f32 n=10 sign=backward", "c2r f32 n=10"},
      {"c2r f32 n=10 sign=-1", "c2r f32 n=10 sign=-1"},
      {"c2c f32 n=64:1:1 batch=8:64:64", "c2c f32 n=64 batch=8"},
      {"c2c f32 n=64:3:1 batch=count[1..65536]:192:64", "c2c f32 n=64:3:1 batch=count[1..65536]"},
      {"c2c f32 n=64:3:1 batch=3:1:64", "c2c f32 n=64:3:1 batch=3:1:64"},
      {"c2c f32 n=4x1x8:1:1", "c2c f32 n=4x1x8"},
      {"c2c f32 n=64 batch=4xcount[1..9]", "c2c f32 n=64 batch=4xcount[1..9]"},
      {"c2c f32 n=64 batch=4:64*count[1..9]:64*count[1..9]xcount", "c2c f32 n=64 batch=4xcount[1..9]"},
      {"c2c f32 n=64 batch=a[1..4]:t[4096..9999]:t[4096..9999]xb[1..2]",
       "c2c f32 n=64 batch=a[1..4]:t[4096..9999]:t[4096..9999]xb[1..2]"},
      {"c2c f32 n=64:s[1..2]:sx[2..3]", "c2c f32 n=64:s[1..2]:sx[2..3]"},
      {"c2c f32 batch=8:s[64..99]:s n=16:2:1", "c2c f32 n=16:2:1 batch=8:s[64..99]:s"},
      {"c2c f32 batch=8:a[64..99]:1 n=16:b[1..2]:8", "c2c f32 n=16:b[1..2]:8 batch=8:a[64..99]:1"},
      {"r2c f32 n=256x256 place=in", "r2c f32 n=256x256 place=in"},
      {"r2c f32 n=256x256:1:1", "r2c f32 n=256x256"},
      {"r2c f64 n=8x10:1:1 batch=2:80:48", "r2c f64 n=8x10 batch=2"},
      {"r2c f64 n=8x10 batch=2:96:48 place=in", "r2c f64 n=8x10 batch=2 place=in"},
      {"r2c f32 n=16 layout=split", "r2c f32 n=16 layout=split"},
      {"c2c f32 n=8 layout=split>interleaved", "c2c f32 n=8 layout=split>interleaved"},
      {"c2c f32 n=8 layout=split>split place=in", "c2c f32 n=8 place=in layout=split"},
      {"c2c f16 n=8 compute=f32", "c2c f16 n=8"},
      {"c2c f16 n=8 compute=f16", "c2c f16 n=8 compute=f16"},
      {"c2c f32 n=8 compute=f64 scale=1/sqrt(n)", "c2c f32 n=8 compute=f64 scale=1/sqrt(n)"},
      {"c2c f32 n=8 load=window(kaiser(8.60))", "c2c f32 n=8 load=window(kaiser(8.6))"},
      {"c2c f32 n=8 load=window(vorbis),x*2 store=window(dpss(2.5))",
       "c2c f32 n=8 load=window(vorbis),x*2 store=window(dpss(2.5))"},
      {"c2c f32 n=8 store=\"x * gain[k] + 0.5f\"", "c2c f32 n=8 store=x*gain[k]+0.5"},
      {"c2c f32 n=8 load='u8, x*1.5e-3F , conj' store=\"abs( x)\"", "c2c f32 n=8 load=u8,x*1.5e-3,conj store=abs(x)"},
      {"r2c f64 n=4x6 batch=3 load=x-m[b,j1] store=conj(x)/(1+k0*k)",
       "r2c f64 n=4x6 batch=3 load=x-m[b,j1] store=conj(x)/(1+k0*k)"},
      {"c2c f32 n=8 scale=1/n", "c2c f32 n=8 scale=1/n"},
      {"c2c f32 n=8 scale=1", "c2c f32 n=8"},
      {"c2c f32 n=8 scale=+.1", "c2c f32 n=8 scale=0.1"},
      {"c2c f64 n=8 scale=-2.50e-300", "c2c f64 n=8 scale=-2.5e-300"},
      {"c2c f32 n=8 scale=-1e38", "c2c f32 n=8 scale=-1e+38"},
      {"c2c f16 n=8 compute=f64 scale=1e39", "c2c f16 n=8 compute=f64 scale=1e+39"},
      {"c2c f32 n=8 load=u8,window store=mag2", "c2c f32 n=8 load=u8,window store=mag2"},
      {"dct2 f64 n=8x8 batch=100", "dct2 f64 n=8x8 batch=100"},
      {"conv bf16 n=100 layout=split", "conv bf16 n=100 layout=split"},
      {"dst4 f32 n=1", "dst4 f32 n=1"},
      {"c2c f32 n=1 batch=1", "c2c f32 n=1 batch=1"},
      {"c2c f32 n=1x1x1x1x1x1x1", "c2c f32 n=1x1x1x1x1x1x1"},
      {"c2c f64 n=4611686018427387904", "c2c f64 n=4611686018427387904"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) round_trip(rows[i][0], rows[i][1]);
}

static void test_cut_batch(void **state) {
  (void)state;
  static const struct {
    const char *whole;
    int dimension;
    const char *cut;
  } rows[] = {
      {"conv f32 n=4096 batch=8x768 spectrum=channel", 1, "conv f32 n=4096 batch=8x128 spectrum=channel"},
      {"c2c f32 n=64 batch=4x9x300", 2, "c2c f32 n=64 batch=4x9x128"},
      {"c2c f32 n=64 batch=300x9", 0, "c2c f32 n=64 batch=128x9"},
      {"c2c f32 n=64 batch=4:99999:99999x300", 1, "c2c f32 n=64 batch=4:99999:99999x128"},
      {"c2c f32 n=64:300:300 batch=300:1:1", 0, "c2c f32 n=64:300:300 batch=128:1:1"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fg_problem p = parsed(rows[i].whole);
    fg_problem_cut_batch(&p, rows[i].dimension, 128);
    assert_string_equal(fg_problem_print(&context, &p), rows[i].cut);
  }
}

static void test_meaning(void **state) {
  (void)state;
  fg_problem p = parsed("r2c f32 n=4x6 batch=3 place=in");
  assert_true(p.in_place && p.sign == -1 && p.compute == FG_F32);
  assert_true(fg_num_is(p.dim[1].is, 1) && fg_num_is(p.dim[0].is, 8) && fg_num_is(p.dim[0].os, 4));
  assert_true(fg_num_is(p.batch[0].is, 32) && fg_num_is(p.batch[0].os, 16));
  assert_int_equal(fg_problem_points(&p), 24);
  assert_int_equal(fg_problem_extent(&p, false, NULL), 1 + 5 + 3 * 8 + 2 * 32);
  assert_int_equal(fg_problem_extent(&p, true, NULL), 1 + 3 + 3 * 4 + 2 * 16);

  p = parsed("c2c f64 n=64 batch=4xcount[2..10]");
  int64_t three = 3;
  assert_int_equal(p.nparam, 1);
  assert_int_equal(fg_num_value(p.batch[0].is, &three), 192);
  assert_int_equal(fg_problem_batch_count(&p, &three), 12);
  assert_int_equal(fg_problem_batch_count(&p, NULL), 40);
  assert_int_equal(fg_problem_extent(&p, false, NULL), 2560);

  p = parsed("c2c f32 batch=2:b[8..9]:b n=8:a[1..2]:1"); /* numbered as the canonical text needs them */
  assert_string_equal(p.param[0].name, "a");
  assert_string_equal(p.param[1].name, "b");

  p = parsed("c2r f32 n=9");
  assert_int_equal(p.sign, 1);
  assert_int_equal(fg_problem_extent(&p, false, NULL), 5);
  assert_int_equal(fg_problem_extent(&p, true, NULL), 9);
}

static void test_numbers(void **state) {
  (void)state;
  int64_t params[] = {23};
  fg_num x = {3, FG_NUM_PARAM, 0, 8};
  assert_int_equal(fg_num_value(x, params), 69);
  x.form = FG_NUM_QUOT;
  assert_int_equal(fg_num_value(x, params), 6);
  x.form = FG_NUM_REM;
  assert_int_equal(fg_num_value(x, params), 21);
  x.form = FG_NUM_FLOOR;
  assert_int_equal(fg_num_value(x, params), 48);
  assert_int_equal(fg_num_value(fg_num_scaled(x, 2), params), 96);
  assert_int_equal(fg_num_value(fg_num_scaled(fg_num_const(5), 2), NULL), 10);
  assert_true(fg_num_is(fg_num_const(5), 5) && !fg_num_is(fg_num_const(5), 6) && !fg_num_is(x, 3));
}

/* Text, and words that the message must contain. */
static const char *const bad[][3] = {
    {"", "column 1", "empty"},
    {"   ", "column 4", "empty"},
    {"c3c f32 n=8", "c3c", "did you mean 'c2c'"},
    {"fft f32 n=8", "'fft'", "allowed: c2c, r2c, c2r, dct1"},
    {"C2C f32 n=8", "'C2C'", "c2c"},
    {"c2c", "no precision", "f16, bf16, f32, f64"},
    {"c2c f128 n=8", "column 5", "f16, bf16, f32, f64"},
    {"c2c n=8", "'n=8' is no precision", "f32"},
    {"c2c f32", "no length", "n="},
    {"c2c f32 n", "n: no value", "key=value"},
    {"c2c f32 n=", "n: '' is not a number", "2^62"},
    {"c2c f32 n = 8", "no value", "without blanks"},
    {"c2c f32 n=0", "column 11", "0 where a positive"},
    {"c2c f32 n=000", "column 11", "1 .. 2^62"},
    {"c2c f32 n=-8", "'-8' is negative", "1 .. 2^62"},
    {"c2c f32 n=+8", "'+8'", "not a number"},
    {"c2c f32 n=8.5", "'.5' after a dimension", "joined by 'x'"},
    {"c2c f32 n=1e6", "'e6' after", "N:IS:OS"},
    {"c2c f32 n=8x", "'' is not a number", "2^62"},
    {"c2c f32 n=x8", "column 11", "unknown run-time parameter 'x8'"},
    {"c2c f32 n=8xx8", "unknown", "'x8'"},
    {"c2c f32 n=0x10", "0 where", "positive"},
    {"c2c f32 n=8*", "no name after '*'", "NUMBER*name"},
    {"c2c f32 n=8:1", "without an output stride", "N or N:IS:OS"},
    {"c2c f32 n=8:0:1", "column 13", "0 where"},
    {"c2c f32 n=8:1:1:1", "':1' after", "N:IS:OS"},
    {"c2c f32 n=8:-1:1", "'-1:1' is negative", "lowest element"},
    {"c2c f32 n=1x1x1x1x1x1x1x1", "too many dimensions", "7"},
    {"c2c f32 n=8 batch=1x1x1x1x1x1x1x1", "batch: too many", "7"},
    {"c2c f32 n=9223372036854775808", "too large", "2^62"},
    {"c2c f32 n=4611686018427387905", "too large", "2^62"},
    {"c2c f32 n=99999999999999999999999999999", "too large", "2^62"},
    {"c2c f32 n=2147483648x2147483649", "too large", "2^62"},
    {"c2c f32 n=2x2147483648x2147483649", "n: dimension 0", "2^62"},
    {"c2c f32 n=4611686018427387904 batch=2", "batch", "2^62"},
    {"c2c f32 n=8 batch=c[1..4611686018427387904]", "too large", "2^62"},
    {"c2c f32 n=2147483648:1:1 batch=2147483649:2147483648:2147483648", "too large", "lengths and batch counts"},
    {"c2c f32 n=3:4611686018427387904:1", "too large: the input array", "2^62"},
    {"c2c f32 n=3:1:4611686018427387904", "too large: the output array", "2^62"},
    {"c2c f32 n=3:1:1 batch=2:8:4*s[1..4611686018427387904]", "stride of batch dimension 0", "upper ends"},
    {"c2c f32 n=8 n=8", "n: given twice", "each key once"},
    {"c2c f32 n=8 sign=-1 sign=-1", "sign: given twice", "once"},
    {"c2c f32 n=8 bach=3", "unknown key 'bach'", "did you mean 'batch'"},
    {"c2c f32 n=8 Batch=3", "unknown key 'Batch'",
     "n, batch, sign, place, layout, compute, scale, spectrum, filter, sum, linear, load, store"},
    {"c2c f32 n=8 =3", "unknown key ''", "allowed: n, batch"},
    {"c2c f32 n=8 garbage", "unknown key 'garbage'", "allowed"},
    {"c2c f32 n=8 batch=0", "batch: 0 where", "1 .. 2^62"},
    {"c2c f32 n=8 batch=many", "unknown run-time parameter 'many'", "name[lowest..highest]"},
    {"c2c f32 n=many[1..8]", "n: a length that is known only at run time", "numbers"},
    {"c2c f32 n=8 batch=c[1..]", "']' is not a number", "2^62"},
    {"c2c f32 n=8 batch=c[1]", "without '..'", "name[lowest..highest]"},
    {"c2c f32 n=8 batch=c[1..2", "without ']'", "name[lowest..highest]"},
    {"c2c f32 n=8 batch=c[0..2]", "0 where", "1 .. 2^62"},
    {"c2c f32 n=8 batch=c[3..2]", "ends before it begins", "lowest <= highest"},
    {"c2c f32 n=8 batch=c[1..2]:8:8xc[1..3]", "declared twice", "one range"},
    {"c2c f32 n=8 batch=int[1..2]", "'int' is a reserved word", "C and languages"},
    {"c2c f32 n=8 batch=_c[1..2]", "'_c[1..2]' is not a number", "2^62"},
    {"c2c f32 n=8 batch=abcdefghijklmnopqrstuvwxyz[1..2]", "too long", "23"},
    {"c2c f32 n=8 batch=a[1..2]xb[1..2]xc[1..2]", "product of two run-time parameters", "N:IS:OS"},
    {"c2c f32 n=8 sign=1", "sign: '1' is no sign (did you mean '+1'?)", "-1, +1, forward, backward"},
    {"c2c f32 n=8 sign=inverse", "'inverse'", "did you mean '+1'"},
    {"c2c float n=8", "'float' is no precision", "did you mean 'f32'"},
    {"c2c f32 1024", "unknown key '1024'", "did you mean 'n=1024'"},
    {"c2c f32 64x64", "unknown key '64x64'", "did you mean 'n=64x64'"},
    {"ifft f32 n=8", "unknown kind 'ifft'", "did you mean 'c2c', with sign=+1"},
    {"c2c f32 n=8 load=window(hanning)", "unknown window 'hanning'", "did you mean 'hann'"},
    {"c2c f32 n=8 load=window(haming)", "unknown window 'haming'", "did you mean 'hamming'"},
    {"c2c f32 n=8 store=abs", "unknown operation 'abs'", "did you mean 'mag'"},
    {"c2c f32 n=8 sign=-10", "'0' after the value", "blank"},
    {"dct2 f32 n=8 sign=-1", "dct2 has no sign", "c2c, r2c, c2r"},
    {"c2c f32 n=8 place=inside", "'inside' is no place", "did you mean 'in'"},
    {"c2c f32 n=8 place=inplace", "'inplace' is no place", "did you mean 'in'"},
    {"c2c f32 n=8,8", "',8' after a dimension", "did you mean 'x8'"},
    {"c2c f32 n=8*16", "'*16' after a dimension", "did you mean 'x16'"},
    {"c2c f32 n=8 x 8", "unknown key 'x'", "as in 'n=64x64'"},
    {"c2c f32 n=8 scale=1/8", "'1/8' is no scale", "did you mean '1/n'"},
    {"c2c f32 n=8 window=hann", "unknown key 'window'", "did you mean 'load=window(NAME)'"},
    {"c2c f128 n=8", "'f128' is no precision", "did you mean 'f64'"},
    {"complex f32 n=8", "unknown kind 'complex'", "did you mean 'c2c'"},
    {"1024", "unknown kind '1024'", "did you mean 'c2c f32 n=1024'"},
    {"C2C f32 n=8", "unknown kind 'C2C'", "did you mean 'c2c'"},
    {"DCT2 f32 n=8", "unknown kind 'DCT2'", "did you mean 'dct2'"},
    {"c2c f32 n=8 place=here", "'here' is no place", "in, out"},
    {"c2c f32 n=8 layout=planar", "'planar' is no layout", "interleaved>split"},
    {"r2c f32 n=8 layout=split>split", "'split>split' is no layout of r2c", "interleaved, split"},
    {"r2c f32 n=8 layout=split place=in", "different layouts",
     "layout=interleaved, as reals are one array, or place=out"},
    {"c2c f32 n=8 layout=interleaved>split place=in", "different layouts", "place=out"},
    {"dst1 f32 n=8 layout=split", "real on both sides", "c2c, r2c, c2r, conv"},
    {"mdct f32 n=7", "odd number of points", "even lengths"},
    {"mdct f32 n=8 place=in", "place=in of mdct", "place=out"},
    {"imdct f32 n=2x4x8", "imdct of 3 dimensions", "n=FRAMESxN"},
    {"stft f32 n=512", "stft of 1 dimensions", "n=FRAMESxN"},
    {"stft f32 n=5:1:9x16:2:1", "no neighbours", "N:1:OS"},
    {"istft f32 n=5:9:17x16", "a hop of 17 samples", "1/64 of a frame"},
    {"istft f32 n=5:257:4x512", "a hop of 4 samples", "1/64 of a frame"},
    {"istft f32 n=5x16 store=norm", "norm without one window", "window(hann),norm"},
    {"istft f32 n=5x16 store=window,norm", "norm without one window", "window(hann),norm"},
    {"istft f32 n=5x16 store=centre(77)", "77 samples, of which frames reach 24", "frames reach"},
    {"stft f32 n=5x16 load=reflect(8)", "frames up to 8 before", "less than the signal's length"},
    {"stft f32 n=5x16 load=shift", "shift of frames", "centre, reflect"},
    {"stft f32 n=1x16 load=centre", "no length of the signal", "centre(SAMPLES)"},
    {"stft f32 n=10x400 load=centre,reflect", "centre together with reflect", "one of both"},
    {"r2c f32 n=16 load=centre", "where no frames", "load= of stft"},
    {"istft f32 n=5x16 load=centre", "where no frames", "store= of istft"},
    {"r2c f32 n=64 store=mag2,mel", "no bank of filters", "mel(BANDS,RATE)"},
    {"r2c f32 n=64 store=mag2,mel(4)", "no bank of filters", "mel(BANDS,RATE)"},
    {"r2c f32 n=64 store=mag2,mel(4,8000,1)", "no bank of filters", "mel(BANDS,RATE)"},
    {"r2c f32 n=64 store=mag2,mel(4,htk,8000)", "no bank of filters", "mel(BANDS,RATE)"},
    {"r2c f32 n=64 store=mag2,mel(4.5,8000)", "no bank of filters", "mel(BANDS,RATE)"},
    {"r2c f32 n=64 store=mel(4,8000)", "mel of complex numbers", "mag2"},
    {"c2c f32 n=64 store=mag2,mel(4,8000)", "mel of other transforms", "r2c in one dimension"},
    {"r2c f32 n=64 store=mag2,mel(4,8000,3000,5000)", "out of order", "HIGH <= RATE / 2"},
    {"r2c f32 n=64 store=mag2,mel(4,8000),x*g", "behind mel", "expressions of x alone"},
    {"r2c f32 n=64 store=crop(9),mag2,mel(4,8000)", "with crop or shift", "place=out"},
    {"c2c f64 n=8 compute=f32", "compute=f32 for f64", "wider"},
    {"c2c f16 n=8 compute=bf16", "compute=bf16 for f16", "wider"},
    {"c2c f32 n=8 compute=quad", "'quad' is no precision", "f64"},
    {"c2c f32 n=8 scale=0", "'0' is no scale", "1/sqrt(n)"},
    {"c2c f32 n=8 scale=inf", "'inf' is no scale", "1/n"},
    {"c2c f32 n=8 scale=nan", "'nan'", "1/n"},
    {"c2c f32 n=8 scale=1e999", "no scale", "1/n"},
    {"c2c f32 n=8 scale=1e39", "f32 does not hold", "3.4e38"},
    {"c2c f32 n=8 scale=-1e-50", "f32 does not hold", "1.18e-38"},
    {"c2c f32 n=8 scale=1e-39", "f32 does not hold", "compute=f64"},
    {"c2c bf16 n=8 scale=1e39", "f32 does not hold", "compute=f64"},
    {"c2c f64 n=8 scale=1e-310", "f64 does not hold", "2.23e-308"},
    {"c2c f32 n=8 scale=1/m", "no scale", "1/n"},
    {"c2c f32 n=8 scale=", "'' is no scale", "1/n"},
    {"c2c f32 n=8 scale=1/nn", "'n' after the value", "blank"},
    {"c2c f32 n=8 load=u9", "unknown operation 'u9' (did you mean 'u8'?)", "window"},
    {"c2c f32 n=8 load=mag", "unknown operation 'mag'", "u8, i16, window, zeropad, shift, mul, add, twiddle, conj"},
    {"c2c f32 n=8 store=zeropad", "'zeropad'", "logmag"},
    {"c2c f32 n=8 load=window(kaiser)", "the window kaiser with no parameter", "kaiser(beta), beta from 0 to 200"},
    {"c2c f32 n=8 load=window(kaiser(201))", "the window kaiser with '(201)'", "beta from 0 to 200"},
    {"c2c f32 n=8 load=window(tukey(nan))", "the window tukey with '(nan)'", "alpha from 0.001 to 1"},
    {"c2c f32 n=8 load=window(hann(1))", "the window hann has no parameter", "hann"},
    {"c2c f32 n=4 load=window(dpss(2.5))", "window(dpss) of 4 points", "NW below (n + 1) / 2"},
    {"c2c f32 n=70000 load=window(dpss(2))", "window(dpss) of 70000 points", "up to 65536"},
    {"c2c f32 n=8 store=x*gian(k)", "column 21: store: unknown function 'gian'",
     "sqrt log10 log exp abs min max re im"},
    {"c2c f32 n=8 store=x*gain[j]", "column 26: store: no index of an array in 'j]'", "[b,k]"},
    {"c2c f32 n=8 store=x*gain[k1]", "no index of an array", "[k0]"},
    {"c2c f32 n=8 store=x*j", "'j' is no index here", "k, k0"},
    {"c2c f32 n=8 store=x*", "it ends too early", "numbers, x, k"},
    {"c2c f32 n=8 store=x*(2+gain", "no closing bracket", "')'"},
    {"c2c f32 n=8 store=max(re(x))", "no end of max(", "max(A,B)"},
    {"c2c f32 n=8 store=exp(x)", "exp of a complex number", "re(x), im(x)"},
    {"c2c f32 n=8 store=gain[k]+1", "without x", "x in it"},
    {"c2c f32 n=8 store=x*0*gain[k]", "the array gain, which changes nothing", "depends"},
    {"c2c f32 n=8 store=x*g[k]+g[b]", "g with two kinds of index", "one kind"},
    {"c2c f32 n=8 store=x*g[k],x+g[b]", "g with two kinds of index", "one kind"},
    {"c2c f32 n=8 store=x*mul1[k]", "'mul1' is no name for an array", "other names"},
    {"c2c f32 n=8 store=x*a_name_of_16_chars", "is too long", "15"},
    {"r2c f32 n=8 load=x*h_c[j]", "complex numbers 'h_c' where x is real", "_c"},
    {"r2c f32 n=8 load=complex(x,x)", "a complex result where elements are real", "re(...)"},
    {"c2c f32 n=8 store=x*1e99", "'1e99' is no number", "2^120"},
    {"c2c f64 n=8 store=x*1e-60", "'1e-60' is no number", "2^-120 to 2^120"},
    {"c2c f32 n=8 store=\"x*2", "no closing quote", "KEY="},
    {"c2c f32 n=8 store=x+1)", "')' behind an expression", "+ - * /"},
    {"c2c f32 n=8 batch=2000000 store=x*b", "more than 1048576 transforms", "gain[b]"},
    {"c2c f32 n=8 place=in store=re(x)", "place=in", "place=out"},
    {"c2c f32 n=8 store=x*a1[k]*b1[k]*c1[k]*d1[k]*e1[k]*f1[k]*g1[k]*h1[k]*i1[k]", "more than 8 arrays",
     "joined by ','"},
    {"c2c f32 n=8 store=((((((((((((((((((((((((((((((((((x))))))))))))))))))))))))))))))))))", "too deep", "32"},
    {"c2c f32 n=8 load=u8,", "unknown operation ''", "u8"},
    {"c2c f32 n=8 load=u8,u8,u8,u8,u8,u8,u8,u8,u8", "too many operations", "8"},
    {"dct1 f32 n=1", "dct1 of one point", "2 and more"},
    {"dct1 f32 n=1x5", "dct1 of one point", "2 and more"},
    {"c2c f32 n=8:1:1 batch=8:8:1", "write some elements twice", "dimension 0 of n"},
    {"c2c f32 n=8 batch=4:8:4", "twice", "element of its own"},
    {"c2c f32 n=8\nbatch=4", "'?batch=4' after", "joined"},
    {"c2c f32 n=64 batch=a[1..4]:t[4096..9999]:txb[1..2]", "'t' and 'txb'", "range repeated"},
    {"c2c f32 n=64 batch=a[1..4]:txb[1..2]:t[1..2]", "'txb' and 't'", "other names"},
    {"c2c f32 n=8 \x01\xff=4", "unknown key '?", "allowed"},
};

static void test_bad(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fg_problem p, untouched;
    memset(&p, 0x5a, sizeof p);
    memset(&untouched, 0x5a, sizeof p);
    fg_diag_clear(&context.diag);
    expect_refusal(bad[i][0], fg_problem_parse(&context, bad[i][0], &p), bad[i][1], bad[i][2]);
    assert_memory_equal(&p, &untouched, sizeof p);
  }
}

static void test_supported(void **state) {
  (void)state;
  static const char *const built[] = {"c2c f32 n=1",
                                      "c2c f64 n=1009 sign=+1 batch=3x5",
                                      "c2c f32 n=8 place=in layout=split",
                                      "c2c f32 n=8:s[1..9]:1 batch=count[1..100]:c[1..9]:8",
                                      "c2c f32 n=8 layout=split>interleaved",
                                      "c2c f32 n=64:2:2 batch=2:1:1 place=in",
                                      "c2c f32 n=8x8",
                                      "c2c f32 n=2x2x2x2x2x2x2 batch=2x2 place=in",
                                      "r2c f32 n=8 place=in batch=3",
                                      "c2r f64 n=9 place=in batch=count[1..9]:10*s[1..4]:20*s",
                                      "r2c f32 n=8:2:1 place=in",
                                      "dct1 f64 n=128 place=in",
                                      "dst4 f32 n=1 batch=7",
                                      "dct3 f32 n=129",
                                      "r2c f32 n=1048576",
                                      "c2c f64 n=2:1:288230376151711743",
                                      "c2c f64 n=281474976710656",
                                      "c2c f64 n=1048576 batch=count[1..274877906944]"};
  static const char *const refused[][3] = {
      {"c2c f32 n=2x2x2x2x2x2x2 batch=2x2x2", "10", "9 of both"},
      {"r2c f32 n=8 place=in batch=3:8:5", "place=in", "twice"},
      {"c2r f32 n=8:3:1 place=in", "place=in", "twice"},
      {"c2c f16 n=8 compute=f16", "compute=f16", "f32 and f64"},
      {"c2c bf16 n=8 compute=bf16", "compute=bf16", "f32 and f64"},
      {"c2c f32 n=8:2:1 batch=2:8:8 place=in", "place=in", "equal strides"},
      {"c2c f64 n=288230376151711745", "2^62 bytes", "allowed"},
      {"c2c f64 n=2:1:288230376151711744", "2^62 bytes", "allowed"},
      {"c2c f32 n=281474976710657", "2^48 points", "allowed"},
      {"c2c f32 n=2147483648 batch=268435456", "2^48 points", "allowed"},
  };
  for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
    fg_problem p = parsed(built[i]);
    if (fg_problem_supported(&context, &p)) fail_msg("'%s': %s", built[i], context.diag.message);
  }
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    fg_problem p = parsed(refused[i][0]);
    expect_refusal(refused[i][0], fg_problem_supported(&context, &p), refused[i][1], refused[i][2]);
  }
}

/* Structs that no text can give. */
static void test_check_structs(void **state) {
  (void)state;
  fg_problem good = parsed("c2c f32 n=8 batch=c[1..4]"), p;
  assert_int_equal(fg_problem_check(&context, &good), FG_OK);
#define BAD(change)                                                                                                    \
  p = good;                                                                                                            \
  change;                                                                                                              \
  fg_diag_clear(&context.diag);                                                                                        \
  assert_int_equal(fg_problem_check(&context, &p), FG_EUSER);
  BAD(p.rank = 0)
  BAD(p.rank = 8)
  BAD(p.batch_rank = -1)
  BAD(p.sign = 0)
  BAD(p.kind = FG_KIND_COUNT)
  BAD(p.nparam = 0)
  BAD(p.batch[0].n.param = 3)
  BAD(p.batch[0].n.form = FG_NUM_QUOT)
  BAD(p.dim[0].n.n = -4)
  BAD(p.dim[0].os.n = 0)
  BAD(p.param[0].lo = 0)
  BAD(p.scale = FG_SCALE_VALUE)
#undef BAD
}

static int random_num(char *out, bool param) {
  static const char *const name[] = {"a[1..3]", "s[2..40]", "nx[5..5]", "count[1..100]", "7*s[2..40]"};
  if (param && draw(4) == 0) return sprintf(out, "%s", name[draw(5)]);
  return sprintf(out, "%u", 1 + draw(draw(2) ? 9 : 3000));
}

static int random_axes(char *out, bool batch) {
  int n = 0, rank = 1 + (int)draw(draw(3) ? 2 : 7);
  for (int i = 0; i < rank; i++) {
    if (i) n += sprintf(out + n, "x");
    n += random_num(out + n, batch);
    if (draw(3)) continue;
    n += sprintf(out + n, ":");
    n += random_num(out + n, true);
    n += sprintf(out + n, ":");
    n += random_num(out + n, true);
  }
  return n;
}

static void random_problem(char *out) {
  static const char *const kind[] = {"c2c",   "r2c",  "c2r",   "dct1", "dst4", "conv",
                                     "rconv", "mdct", "imdct", "stft", "istft"};
  static const char *const precision[] = {"f16", "bf16", "f32", "f64"};
  static const char *const option[] = {" sign=+1",
                                       " sign=-1",
                                       " place=in",
                                       " layout=split",
                                       " scale=1/n",
                                       " scale=0.333333333",
                                       " load=u8,window",
                                       " store=mag2,shift",
                                       " compute=f64",
                                       " layout=split>interleaved",
                                       " compute=f32",
                                       " spectrum=conj",
                                       " spectrum=each,conj",
                                       " load=centre",
                                       " load=reflect(9)",
                                       " store=window(hann),norm,centre",
                                       " store=mag2,mel(3,8000,htk)"};
  int n = sprintf(out, "%s %s ", kind[draw(11)], precision[draw(4)]);
  bool batch_first = draw(2);
  for (int i = 0; i < 2; i++) {
    bool batch = (i == 0) == batch_first;
    if (batch && draw(3) == 0) continue;
    n += sprintf(out + n, batch ? "batch=" : "n=");
    n += random_axes(out + n, batch);
    n += sprintf(out + n, " ");
  }
  for (int i = (int)draw(3); i > 0; i--) n += sprintf(out + n, "%s", option[draw(17)]);
}

static void test_random_round_trips(void **state) {
  (void)state;
  int taken = 0;
  seed = 1;
  for (int i = 0; i < 20000; i++) {
    char text[2048];
    fg_problem p;
    random_problem(text);
    fg_diag_clear(&context.diag);
    if (fg_problem_parse(&context, text, &p)) {
      assert_int_equal(context.diag.status, FG_EUSER);
      continue;
    }
    taken++;
    round_trip(text, NULL);
    if (i % 500 == 0) fresh();
  }
  if (taken < 2000) fail_msg("only %d random problems were taken", taken);
}

/* Random bytes, and good lines with a few bytes changed: never a crash, and what
 * is taken is returned. */
static void test_fuzz(void **state) {
  (void)state;
  seed = 2;
  for (int i = 0; i < 200000; i++) {
    static const char letters[] = "c2cr fF3264nx=:*[].,>-+1/absigtchlyout0123456789 \t";
    char text[2048];
    fg_problem p;
    if (draw(2)) {
      random_problem(text);
      size_t length = strlen(text);
      for (int k = 1 + (int)draw(3); k > 0; k--)
        text[draw((unsigned)length)] = draw(3) ? letters[draw(sizeof letters - 1)] : (char)(1 + draw(255));
    } else {
      int length = (int)draw(60);
      for (int k = 0; k < length; k++) text[k] = draw(2) ? letters[draw(sizeof letters - 1)] : (char)(1 + draw(255));
      text[length] = 0;
    }
    fg_diag_clear(&context.diag);
    fg_status st = fg_problem_parse(&context, text, &p);
    if (!st) {
      round_trip(text, NULL);
    } else {
      assert_int_equal(st, FG_EUSER);
      assert_true(context.diag.message[0] != 0);
      for (const char *c = context.diag.message; *c; c++) assert_true(*c >= ' ' && *c <= '~');
    }
    if (i % 500 == 0) fresh();
  }
}

/* Headers quote a row's own part of what several share; of values their formulas. */
static void operations_say_what_they_do(void **state) {
  (void)state;
  for (const fg_operation_row *row = fg_operation_table(); row->name; row++)
    for (const fg_operation_row *other = fg_operation_table(); other < row; other++) {
      bool formula = row->act == FG_ACT_VALUE || row->act == FG_ACT_STORED;
      const char *says = fg_operation_says(context.arena, row);
      if (!formula && (!*says || !strcmp(says, fg_operation_says(context.arena, other))))
        fail_msg("%s says what %s does", row->name, other->name);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_canonical, setup, teardown),
      cmocka_unit_test_setup_teardown(test_cut_batch, setup, teardown),
      cmocka_unit_test_setup_teardown(test_meaning, setup, teardown),
      cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
      cmocka_unit_test_setup_teardown(test_bad, setup, teardown),
      cmocka_unit_test_setup_teardown(operations_say_what_they_do, setup, teardown),
      cmocka_unit_test_setup_teardown(test_supported, setup, teardown),
      cmocka_unit_test_setup_teardown(test_check_structs, setup, teardown),
      cmocka_unit_test_setup_teardown(test_random_round_trips, setup, teardown),
      cmocka_unit_test_setup_teardown(test_fuzz, setup, teardown),
  };
  return cmocka_run_group_tests_name("problem", tests, NULL, NULL);
}

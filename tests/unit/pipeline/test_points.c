/* Load and store operations: every row of operations.def, every type of number that
 * arrays may have, in plans of every kind, as program, as text, and run by a
 * compiler; and faults in them, each of which the proof must find. */
#include "generator/pipeline/pipeline.h"
#include "generator/problem/operations.h"
#include "generator/reference/operation_values.h"
#include "tests/unit/pace.h"
#include "tests/unit/proving.h"
#include "tuning/measure/numbers.h"
#include "tuning/measure/verify.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- compiled, proved and run ----------------------------------------------------- */

/* An arena of its own each: there are hundreds. */
static void must_work(const char *problem, const char *plan, const char *device, const char *isa) {
  fg_context cx = {.arena = fg_arena_create()};
  const fg_device *d = fg_device_find(device);
  fg_device_facts facts;
  char why[FG_WHY_SIZE] = "";
  fg_compilation c;
  fg_request request = {.problem = problem, .target = d->dialect, .isa = isa, .plan = plan, .entry = true};
  if (d->probe(&facts, why)) goto out; /* not here */
  if (!strcmp(d->dialect, "opencl")) request.facts = &facts;
  fg_status status = fg_pipeline_compile(&cx, &request, &c);
  if (status == FG_OK && !c.text.proved) status = fg_pipeline_prove_text(&c);
  if (status != FG_OK) fail_msg("%s, %s, %s: %s", problem, plan, device, cx.diag.message);
  assert_true(c.proof.proved && c.text.proved);
  fg_module *module;
  if (d->build(&c.emitted.artifact, &module, why)) fail_msg("%s, %s, %s: %s", problem, plan, device, why);
  fg_verify_options options = {.inputs = 2, .seed = 5};
  fg_verified v;
  status = fg_verify(&cx, &c.problem, d, module, &options, &v);
  if (status != FG_OK) fail_msg("%s, %s, %s: %s", problem, plan, device, cx.diag.message);
  if (!v.ok) fail_msg("%s, %s, %s: %s", problem, plan, device, v.why);
  d->destroy(module);
out:
  fg_arena_destroy(cx.arena);
}

typedef struct way { /* to compute something */
  const char *kind, *lengths, *kept, *plan, *cropped;
} way;

static const way ways[] = {
    {"c2c", "n=8 batch=11", "5", "direct(8)", "2:5"},
    {"c2c", "n=24", "17", "stockham(4,6)", "7:17"},
    {"c2c", "n=16:2:3 batch=3:40:50", "9", "cooley-tukey(4, direct(4))", "1:12"},
    {"c2c", "n=13", "9", "bluestein(32, stockham(8,4))", "4:9"},
    {"c2c", "n=64", "33", "four-step(direct(8), direct(8))", "31:33"},
    {"c2c", "n=6x8", "4x5", "nd(direct(6), direct(8))", "1:5x2:6"},
    {"c2c", "n=11 layout=split", "7", "rader(11, direct(10))", "3:7"},
    {"r2c", "n=36 batch=2", "22", "real(4, stockham(3,3))", "1:17"},
    {"r2c", "n=36", "21", "real(4, direct(9))", "4:12"}, /* no pairs of what is there and what is not */
    {"r2c", "n=18:2:3 layout=split", "11", "real(6, direct(3))", "1:6"},
    {"r2c", "n=15", "9", "stockham(5,3)", "3:5"},
    {"r2c", "n=13", "9", "bluestein(32, stockham(8,4))", "6"},
    {"r2c", "n=6x24", "4x10", "nd(direct(6), real(4, direct(6)))", "2:4x1:10"},
    {"c2r", "n=36 batch=2", "11", "real(4, stockham(3,3))", "11:22"},
    {"c2r", "n=15", "6", "stockham(5,3)", "5:10"},
    {"c2r", "n=13", "5", "bluestein(32, stockham(8,4))", "2:8"},
    {"c2r", "n=5x6x24", "4x5x10", "nd(direct(5), direct(6), real(4, direct(6)))", "1:4x2:4x4:10"},
    {"dct2", "n=12", "7", "trig(real(4, direct(3)))", "3:7"},
    {"dst3", "n=12", "7", "trig(real(4, direct(3)))", "5:7"},
    {"dct4", "n=12", "7", "trig(direct(6))", "1:10"},
    {"dct1", "n=13", "7", "trig(real(4, direct(6)))", "6:7"},
    {"mdct", "n=8 batch=3", "11", "fold(direct(8))", "2:5"},
    {"imdct", "n=12", "7", "fold(trig(direct(6)))", "5:17"},
    {"stft", "n=5:5:8x12", NULL, "frames(real(4, direct(3)))", NULL},
    {"istft", "n=5:8:5x12 batch=2", NULL, "frames(real(4, direct(3)))", NULL},
    {"imdct", "n=4:6:7x6", NULL, "frames(fold(direct(6)))", NULL},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* The row as a problem has it; NULL: not with this plan. */
static const char *word_of(const fg_operation_row *row, const way *w, int side) {
  bool half = !strcmp(w->kind, side ? "r2c" : "c2r");
  if (half && row->act == FG_ACT_SHIFT) return NULL;
  bool signal = !w->kept && side == (*w->kind == 'i'),
       parts = row->takes == FG_TAKES_LENGTHS || row->act == FG_ACT_SHIFT;
  bool lines = !strcmp(w->kind, "stft") || (!strcmp(w->kind, "r2c") && !strchr(w->lengths, 'x'));
  if (row->act == FG_ACT_BANK) return lines ? "mag2,mel(6,8000),log(0.1+x)" : NULL;
  if (row->act == FG_ACT_NORM) return signal && side ? "window(hamming),norm" : NULL;
  if (row->takes == FG_TAKES_SAMPLES) return signal ? row->name : NULL;
  if (parts && !w->kept) return NULL;
  if (row->act == FG_ACT_FACTORS) return NULL; /* of codelets alone: factors_of_each_transform */
  bool bent = strstr(w->plan, "rader");        /* elements are looked up in a table */
  if (bent && (row->act == FG_ACT_PAD || row->act == FG_ACT_CROP || row->act == FG_ACT_SHIFT)) return NULL;
  const char *part = row->act == FG_ACT_CROP ? w->cropped : w->kept;
  if (row->takes == FG_TAKES_LENGTHS) return fg_arena_printf(context.arena, "%s(%s)", row->name, part);
  return row->name;
}

static const char *sides[] = {"load", "store"};

/* Of all operations on either side of every way, one of `some`; their number and that of the ways have no factor in
 * common, so that each way meets others. A third of them is drawn by the day: each operation meets nine ways or ten. */
static void every_operation_on(const char *device, const char *isa, const char *precision, int some) {
  long number = 0;
  for (const fg_operation_row *row = fg_operation_table(); row->name; row++)
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < WAYS; i++) {
        if (!(row->sides & (side ? FG_SIDES_STORES : FG_SIDES_LOADS))) continue;
        const char *word = word_of(row, &ways[i], side);
        if (!word || number++ % some || is_left_out(number / some, 5) || !is_drawn(number / some, 3)) continue;
        must_work(fg_arena_printf(context.arena, "%s %s %s %s=%s", ways[i].kind, precision, ways[i].lengths,
                                  sides[side], word),
                  ways[i].plan, device, isa);
      }
}

static void every_operation_in_c(void **state) {
  (void)state;
  every_operation_on("tcc", "scalar", "f32", 1);
  every_operation_on("tcc", "scalar", "f64", 2); /* their text differs in types alone */
}

/* All as scalar text; of vectors by a compiler a half, and on OpenCL a third, by the day. */
static void operations_together(void **state) {
  (void)state;
  static const char *const both[][2] = {
      {"c2c f32 n=60 batch=9 load=u8,window(hann) scale=1/n store=mag,u8", "stockham(6,10)"},
      {"c2c f32 n=1024 load=i16,window(blackman),zeropad(700) store=shift,logmag", "stockham(4,16,16)"},
      {"c2c f64 n=16x32 load=shift,mul store=conj,mul,shift scale=1/sqrt(n)", "nd(direct(16), stockham(8,4))"},
      {"c2c f16 n=256 batch=5 load=window store=mul scale=0.5", "stockham(16,16)"},
      {"c2c bf16 n=31 batch=17 layout=split load=conj", "direct(31)"},
      {"c2c f32 n=40 batch=3 compute=f64 store=mag2", "stockham(5,8)"},
      {"r2c f32 n=32 batch=10 load=i16,window(hamming) store=mag2", "direct(32)"},
      {"c2r f16 n=32 batch=10 load=mul store=window(nuttall)", "direct(32)"},
      {"c2c f32 n=16 batch=7 load=mul(each) store=add(channel)", "direct(16)"},
      {"r2c f32 n=32 batch=3x5 load=add(channel) store=mul(each)", "real(4, stockham(4,2))"},
      {"dct2 f64 n=12 batch=count[1..7] load=mul(each) store=add", "trig(real(4, direct(3)))"},
      {"c2r f32 n=6x24 batch=3 load=mul(each) store=mul(channel),crop(1:4x2:10)", "nd(direct(6), real(4, direct(6)))"},
      {"c2c f32 n=13 load=zeropad(9),add store=mul,add", "bluestein(32, stockham(8,4))"},
      {"c2c f32 n=36 batch=3 load=mul,zeropad(7),add store=add,mag2", "stockham(6,6)"},
      {"dct2 f16 n=16 batch=10 load=zeropad(11),window store=i16 scale=100", "direct(16)"},
      {"c2c f16 n=32 batch=20 place=in load=window(flattop) store=shift", "stockham(4,8)"},
      {"r2c f32 n=1024 batch=3 load=u8,window(hann) scale=1/n store=logmag", "real(4, stockham(16,16))"},
      {"c2c f32 n=16 batch=3 store=window(hann),logmag", "direct(16)"}, /* of zero: minus infinity */
      {"c2r f32 n=256 batch=9 place=in load=mul store=window(hann),mul scale=1/n", "real(8, stockham(8,4))"},
      {"c2r f32 n=3x5x15 place=in load=zeropad(2x4x6) batch=3", "nd(direct(3), direct(5), direct(15))"},
      {"c2r f16 n=5x16 place=in batch=3", "nd(direct(5), real(4, direct(4)))"},
      {"dct2 bf16 n=6x12", "nd(direct(6), direct(12))"},
      {"r2c f64 n=24x96 load=mul,window(hamming) store=mul,mag", "nd(direct(24), real(4, direct(24)))"},
  };
  for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
    must_work(both[i][0], both[i][1], "tcc", "scalar");
    if (is_drawn((long)i, 2) && fg_isa_runs_here(fg_isa_find("avx2"))) must_work(both[i][0], both[i][1], "cc", "avx2");
    if (is_drawn((long)i, 3)) must_work(both[i][0], both[i][1], "opencl", NULL);
  }
}

/* Expressions of each function, index and kind of array, in plans of every kind; a half by the day. Each has its own
 * letters: complex elements, real ones, one dimension or several. */
static const struct expression {
  const char *load, *store;
  bool complex, flat;
} expressions[] = {
    {"x*gain[j]+0.5", "x*gain[k]+0.5", false, false},
    {"x*exp(-0.25*abs(re(x)))", "log(1+abs(x))", false, false},
    {"min(max(re(x),-0.5),top)", "sqrt(abs(x)),x/w[b]", false, false},
    {"x*(j+1)/n", "x/(1+k)-b", false, false},
    {"x*g[b,j]", "x*s_c+conj(x)*h_c[c,k]", true, false},
    {"complex(im(x)*g[j0],re(x)-b)", "x*x/(2+x*conj(x))", true, false},
    {"x/z_c[j],mul", "complex(im(x),log10(2+abs(x))),abs(x)*k,x+a[k]", true, false},
    {"x*pi,x*0.70710678118654752", "-x*(k0-2)*1e-3,max(re(x),-im(x))", false, false},
};
enum { EXPRESSIONS = sizeof expressions / sizeof *expressions };

static const char *expression_of(const way *w, int number, int side) {
  bool complex = !strcmp(w->kind, "c2c") || !strcmp(w->kind, side ? "r2c" : "c2r");
  if (expressions[number].complex && !complex) return NULL;
  return side ? expressions[number].store : expressions[number].load;
}

static void expressions_on(const char *device, const char *isa, const char *precision, int some) {
  long number = 0;
  for (int x = 0; x < EXPRESSIONS; x++)
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < WAYS; i++) {
        const char *word = expression_of(&ways[i], x, side);
        if (!word || number++ % some || is_left_out(number / some, 3) || !is_drawn(number / some, 2)) continue;
        must_work(fg_arena_printf(context.arena, "%s %s %s %s=%s", ways[i].kind, precision, ways[i].lengths,
                                  sides[side], word),
                  ways[i].plan, device, isa);
      }
}

static void expressions_in_c(void **state) {
  (void)state;
  expressions_on("tcc", "scalar", "f32", 1);
  if (fg_isa_runs_here(fg_isa_find("avx2"))) expressions_on("cc", "avx2", "f64", 7);
  if (fg_isa_runs_here(fg_isa_find("avx2"))) expressions_on("cc", "avx2", "f32", 5);
  expressions_on("opencl", NULL, "f32", 11);
}

/* load=twiddle, as programs that are composed when they run use it: rows of a pass, in place and not, of any length. */
static void factors_of_each_transform(void **state) {
  (void)state;
  static const char *const rows[] = {
      "n=8:is[1..70]:is batch=count[1..70]:1:1 place=in load=twiddle",
      "n=5:is[1..9]:os[1..9] batch=count[1..70]:1:1 sign=+1 load=twiddle",
      "n=3 batch=7 load=twiddle",
      "n=2:9:9 batch=3:20:20x9:1:1 place=in load=twiddle",
      "n=1 batch=5 load=twiddle",
  };
  static const char *const isas[] = {"scalar", "sse2", "avx2", "avx512"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t k = 0; k < 2 * sizeof isas / sizeof *isas; k++) {
      const char *isa = isas[k / 2],
                 *problem = fg_arena_printf(context.arena, "c2c %s %s", k % 2 ? "f32" : "f64", rows[i]);
      if (fg_isa_runs_here(fg_isa_find(isa))) must_work(problem, NULL, k / 2 ? "cc" : "tcc", isa);
    }
}

/* Half of them by the day; on OpenCL each way has half of the types, a third of which are drawn. */
static void every_type_of_number(void **state) {
  (void)state;
  static const char *const types[] = {"f16", "bf16", "f32 compute=f64", "f64", "f32 load=i16 store=i16 scale=0.1"};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (int i = 0; i < WAYS; i++) {
      if (is_left_out((long)t * WAYS + i, 4)) continue;
      const char *problem = fg_arena_printf(context.arena, "%s %.*s %s%s", ways[i].kind, (int)strcspn(types[t], " "),
                                            types[t], ways[i].lengths, types[t] + strcspn(types[t], " "));
      if (is_drawn(i + (long)t, 2)) must_work(problem, ways[i].plan, "tcc", "scalar");
      if (i % 2 == (int)t % 2 && is_drawn(i / 2 + (long)t, 3)) must_work(problem, ways[i].plan, "opencl", NULL);
    }
}

/* ---- conversion, every half there is ------------------------------------------------ */

static uint16_t nearest_half(float x) { /* by search among the neighbours of a guess */
  uint16_t h;
  fg_numbers_put(FG_F16, &h, 0, (double)x);
  return h;
}

static void halves_convert(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    uint16_t half = (uint16_t)bits, back;
    double x = fg_numbers_get(FG_F16, &half, 0);
    fg_numbers_put(FG_F16, &back, 0, x);
    if (isnan(x))
      assert_true((back & 0x7fff) > 0x7c00);
    else
      assert_int_equal(back, half);
    if (isnan(x) || isinf(x) || bits & 0x8000 || bits == 0x7bff) continue;
    uint16_t above = (uint16_t)(half + 1);
    double next = fg_numbers_get(FG_F16, &above, 0), middle = (x + next) / 2;
    assert_int_equal(nearest_half((float)middle), half & 1 ? above : half); /* to even */
    assert_int_equal(nearest_half((float)(middle * (1 + 0x1p-20))), above);
  }
}

/* A transform of one point is a copy: from a half and to a half again, all of
 * them, by the text's own conversions, one by one and in vectors. */
static void halves_pass(const char *precision, const char *device, const char *isa) {
  fg_context cx = {.arena = fg_arena_create()};
  const fg_device *d = fg_device_find(device);
  fg_device_facts facts;
  char why[FG_WHY_SIZE] = "";
  fg_compilation c;
  fg_module *module;
  const char *problem = fg_arena_printf(cx.arena, "c2c %s n=1 batch=65536", precision);
  fg_request request = {.problem = problem, .target = d->dialect, .isa = isa, .entry = true};
  if (d->probe(&facts, why)) goto out;
  if (!isa) request.facts = &facts;
  if (fg_pipeline_compile(&cx, &request, &c) != FG_OK) fail_msg("%s: %s", problem, cx.diag.message);
  if (d->build(&c.emitted.artifact, &module, why)) fail_msg("%s: %s", device, why);
  uint16_t *in = fg_arena_new(cx.arena, uint16_t, 2 * 65536), *out = fg_arena_new(cx.arena, uint16_t, 2 * 65536);
  for (int i = 0; i < 2 * 65536; i++) in[i] = (uint16_t)(i / 2 * 40503u + (unsigned)(i % 2) * 77u);
  fg_call call = {.slot = (void *[]){in, out}, .params = NULL};
  if (d->run(module, &call, why)) fail_msg("%s: %s", device, why);
  int endless = !strcmp(precision, "f16") ? 0x7c00 : 0x7f80;
  for (int i = 0; i < 2 * 65536; i++)
    if ((in[i] & 0x7fff) > endless)
      assert_true((out[i] & 0x7fff) > endless);
    else if (out[i] != in[i])
      fail_msg("%s on %s: %#x became %#x", precision, device, (unsigned)in[i], (unsigned)out[i]);
  d->destroy(module);
out:
  fg_arena_destroy(cx.arena);
}

static void halves_are_kept(void **state) {
  (void)state;
  static const char *const precisions[] = {"f16", "bf16"};
  for (int i = 0; i < 2; i++) {
    halves_pass(precisions[i], "tcc", "scalar");
    halves_pass(precisions[i], "opencl", NULL);
    for (const fg_isa *isa = fg_isa_table(); isa->name; isa++)
      if (fg_isa_runs_here(isa)) halves_pass(precisions[i], "cc", isa->name);
  }
}

/* ---- faults ---------------------------------------------------------------------------- */

static fg_program *assembled(const char *problem, const char *plan) { return assembled_for(problem, plan, &scalar); }

static fg_stage *first(fg_program *p) { return &p->kernel[0]->stage[0]; }
static fg_stage *last(fg_program *p) {
  const fg_kernel *k = p->kernel[p->nkernel - 1];
  return &k->stage[k->nstage - 1];
}

static const fg_expression *value_of(const char *name, bool complex) {
  fg_expression *e = fg_arena_new(context.arena, fg_expression, 1);
  fg_expression_of_row(fg_operation_find(name), complex, e);
  return e;
}

/* The program's expression, for changes. */
static fg_expression *own_value(fg_program *p, int operation) {
  fg_operation *o = &last(p)->operations.stored->operation[operation];
  fg_expression *e = fg_arena_copy(context.arena, o->value, sizeof *e);
  o->value = e;
  return e;
}

/* Every term of an expression is one that the proof misses if it is another one. */
static void expressions_faults(void) {
  const char *problem = "c2c f32 n=12 batch=2 store=min(re(x),0.25*im(x))/(3+g[k])-exp(k)*abs(im(x))",
             *plan = "stockham(3,4)";
  fg_program *p = assembled(problem, plan);
  must_hold(p);
  const fg_expression *e = last(p)->operations.stored->operation[1].value;
  assert_int_equal(e->noperand, 2);
  for (int i = 0; i < e->count; i++) {
    if (e->term[i].op == FG_TERM_NUMBER && e->term[i].number == 0) continue; /* where sums of indices begin */
    p = assembled(problem, plan);
    fg_expression_term *t = &own_value(p, 1)->term[i];
    switch (t->op) {
    case FG_TERM_ELEMENT: t->part = !t->part; break;
    case FG_TERM_OPERAND: t->a = !t->a; break;
    case FG_TERM_NUMBER: t->number += 0.125; break;
    case FG_TERM_CALL: t->call = (fg_called)((t->call + 1) % FG_CALL_COUNT); break;
    case FG_TERM_NEG:
    case FG_TERM_MUL: t->op = FG_TERM_ADD; break;
    case FG_TERM_ADD:
    case FG_TERM_SUB: t->op = FG_TERM_MUL; break;
    }
    if (t->b < 0) t->b = t->a;
    if (proof_of(p).proved) fail_msg("term %d of %d, %d, may be another one", i, e->count, (int)t->op);
  }
  p = assembled(problem, plan);
  last(p)->operations.stored->operation[0].operand.index.at.offset.n = 1; /* the index, or the array, of a neighbour */
  must_fail(p, "");
}

static void faults_are_found(void **state) {
  (void)state;
  const char *problem = "c2c f32 n=12 load=window(hann),mul,shift store=conj,mag2 scale=1/n", *plan = "stockham(3,4)";
  must_hold(assembled(problem, plan));
  fg_program *p = assembled(problem, plan);
  first(p)->operations.loaded->count--; /* an operation forgotten */
  must_fail(p, "");
  p = assembled(problem, plan);
  first(p)->operations.loaded->operation[0].operand.index.at.offset.n = 1; /* a weight beside the right one */
  must_fail(p, "");
  p = assembled(problem, plan);
  first(p)->operations.loaded->operation[1].operand.index.at.term[0].coef.n++;
  must_fail(p, "");
  p = assembled(problem, plan);
  first(p)->load.index.wrap[0].add[0]--; /* shifted by less */
  must_fail(p, "");
  p = assembled(problem, plan);
  first(p)->load.index.nwrap = 0;
  must_fail(p, "");
  p = assembled(problem, plan);
  last(p)->operations.stored->operation[1].value = value_of("mag", true); /* in place of conj */
  must_fail(p, "");
  p = assembled(problem, plan);
  last(p)->operations.stored->operation[2].value = value_of("mag", true); /* in place of mag2 */
  must_fail(p, "");
  p = assembled(problem, plan);
  last(p)->operations.stored->operation[0].value = value_of("conj", true); /* in place of the scale */
  must_fail(p, "");
  expressions_faults();
  p = assembled("c2c f32 n=3 batch=5 load=twiddle", "direct(3)");
  must_hold(p);
  first(p)->factors.twiddle.index.at.term[1].coef.n = 0; /* every transform has the first one's */
  must_fail(p, "");
  p = assembled("c2c f32 n=3 batch=5 load=twiddle", "direct(3)");
  first(p)->factors.twiddle.index.at.offset.n--;
  must_fail(p, "");
  p = assembled("c2c f32 n=12 load=zeropad(7)", plan);
  must_hold(p);
  first(p)->load.pred[0].bound.n++; /* reads what is not there */
  must_fail(p, "");
  p = assembled("c2c f32 n=12 load=zeropad(7)", plan);
  first(p)->load.pred[0].bound.n--;
  must_fail(p, "");
}

/* ---- what cannot be ------------------------------------------------------------------------ */

/* Of operations.def and windows.def, which all else reads alike: the meanings by themselves. */
static fg_quadc stored(const char *text, int at, fg_quadc x) {
  fg_system reals = {.field = NULL};
  fg_quadc results[8], array[8];
  fg_problem q;
  fg_diag_clear(&context.diag);
  if (fg_problem_parse(&context, text, &q) != FG_OK) fail_msg("%s", context.diag.message);
  for (int i = 0; i < 8; i++) results[i] = x;
  fg_operation_values_store(&context, &reals, &q, results, array);
  return array[at];
}

static void must_be(const char *text, int at, fg_quadc x, double re, double im) {
  fg_quadc y = stored(text, at, x);
  if (fabs((double)y.re - re) > 1e-12 || fabs((double)y.im - im) > 1e-12)
    fail_msg("%s, element %d: %.15g %.15g, not %.15g %.15g", text, at, (double)y.re, (double)y.im, re, im);
}

static void operations_are_what_they_say(void **state) {
  (void)state;
  static const fg_quadc x = {3, -4};
  must_be("c2c f64 n=8 store=mag", 1, x, 5, 0);
  must_be("c2c f64 n=8 store=mag2", 1, x, 25, 0);
  must_be("c2c f64 n=8 store=logmag", 1, (fg_quadc){60, 80}, 40, 0);
  must_be("c2c f64 n=8 store=conj", 1, x, 3, 4);
  must_be("c2c f64 n=8 scale=1/n", 1, x, 3 / 8., -4 / 8.);
  must_be("c2c f64 n=2x4 scale=1/sqrt(n)", 1, x, 3 / sqrt(8), -4 / sqrt(8));
  must_be("c2c f64 n=8 scale=-2.5", 1, x, -7.5, 10);
  must_be("c2c f64 n=8 scale=2 store=mag", 1, x, 10, 0); /* the scale is first */
  must_be("c2c f64 n=8 store=2*x-conj(x)", 1, x, 3, -12);
  must_be("c2c f64 n=8 store=x*x/(1+2*k)", 2, x, -1.4, -4.8);
  must_be("c2c f64 n=8 store=x/complex(3,-4)", 2, x, 1, 0);
  must_be("c2c f64 n=8 store=1/x", 2, x, .12, .16);
  must_be("c2c f64 n=2x4 store=complex(k,k0*10+k1)+(x-x)", 6, x, 6, 12);
  must_be("c2c f64 n=8 store=min(re(x),im(x))", 1, x, -4, 0);
  must_be("c2c f64 n=8 store=max(re(x),im(x))", 1, x, 3, 0);
  must_be("c2c f64 n=8 store=abs(im(x))", 1, x, 4, 0);
  must_be("c2c f64 n=8 store=log(abs(x)/5)+exp(im(x)+4)", 1, x, 1, 0);
  must_be("c2c f64 n=8 store=log10(abs(x)*20)-sqrt(1+re(x))+pi-n", 1, x, 3.14159265358979323846 - 8, 0);
  must_be("c2c f64 n=8 store=-x*+2--im(x)", 1, x, -10, 8);
  must_be("c2c f64 n=8 store=1-2-re(x)/4/3*2", 1, x, -1.5, 0);
}

/* Harris's and Nuttall's values: at the ends, a quarter of the way, and in the middle. */
static void windows_are_what_they_say(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double first, quarter, middle;
  } windows[] = {{"hann", 0, 0.5, 1},
                 {"hamming", 0.08, 0.54, 1},
                 {"blackman", 0, 0.34, 1},
                 {"blackmanharris", 0.00006, 0.21747, 1},
                 {"nuttall", 0.0003628, 0.2269824, 1},
                 {"sine", 0.19509032201612825, 0.83146961230254524, 0.98078528040323044},
                 {"flattop", -0.000421051, -0.05473684, 1.000000003},
                 /* by mpmath, in 40 digits, from the formulas; dpss as an eigenvector of sin(2 pi W k) / (pi k) */
                 {"vorbis", 0.059749267564360001, 0.8847498580883736, 0.99821341657258971},
                 {"kaiser(8.6)", 0.001332513997902419, 0.34039362244018858, 1},
                 {"gaussian(0.4)", 0.043936933623407417, 0.45783336177161426, 1},
                 {"tukey(0.75)", 0, 0.75, 1},
                 {"chebyshev(60)", 0.051868563594324297, 0.53791720156008983, 1},
                 {"dpss(2.5)", 0.040808871063816498, 0.51216477195055235, 1}};
  for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
    const char *text = fg_arena_printf(context.arena, "c2c f64 n=8 store=window(%s)", windows[i].name);
    must_be(text, 0, (fg_quadc){1, 0}, windows[i].first, 0);
    must_be(text, 2, (fg_quadc){1, 0}, windows[i].quarter, 0);
    bool symmetric = !strcmp(windows[i].name, "sine") || !strcmp(windows[i].name, "vorbis"); /* others have a period */
    must_be(text, symmetric ? 5 : 6, (fg_quadc){1, 0}, windows[i].quarter, 0);
    must_be(text, 4, (fg_quadc){1, 0}, windows[i].middle, 0);
  }
}

static void shifts_and_zeros_are_where_they_say(void **state) {
  (void)state;
  fg_system reals = {.field = NULL};
  fg_problem q;
  fg_quadc array[5], x[5];
  for (int i = 0; i < 5; i++) array[i] = (fg_quadc){i + 1, -i};
  static const struct {
    const char *text;
    double re[5];
  } loads[] = {{"c2c f64 n=5 load=shift", {3, 4, 5, 1, 2}}, /* ifftshift */
               {"c2c f64 n=5 load=zeropad(3)", {1, 2, 3, 0, 0}},
               {"c2c f64 n=5 load=conj", {1, 2, 3, 4, 5}}};
  for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
    assert_int_equal(fg_problem_parse(&context, loads[i].text, &q), FG_OK);
    fg_operation_values_load(&context, &reals, &q, array, x);
    for (int k = 0; k < 5; k++) assert_true(x[k].re == loads[i].re[k]);
    assert_true(x[1].im == (i == 2 ? 1 : i == 1 ? -1 : -3));
  }
  assert_int_equal(fg_problem_parse(&context, "c2c f64 n=5 store=shift", &q), FG_OK);
  static const double after[5] = {4, 5, 1, 2, 3}; /* fftshift */
  fg_operation_values_store(&context, &reals, &q, array, x);
  for (int k = 0; k < 5; k++) assert_true(x[k].re == after[k]);
}

static void refusals_say_why(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"c2c f32 n=8 load=window(han)", "did you mean 'hann'"},
      {"c2c f32 n=8 load=window,u8", "not next to the array"},
      {"c2c f32 n=8 store=u8,mag", "not next to the array"},
      {"c2c f32 n=8 load=zeropad", "no lengths"},
      {"c2c f32 n=8 load=zeropad(9)", "9 of 8 elements"},
      {"c2c f32 n=8x8 load=zeropad(4)", "1 lengths for 2 dimensions"},
      {"c2c f32 n=8 load=zeropad(4),shift", "zeropad together with shift"},
      {"c2c f32 n=8 load=shift,shift", "shift twice"},
      {"c2c f32 n=8 load=conj(3)", "an expression without x"},
      {"c2c f32 n=8 load=shift(3)", "takes nothing in brackets"},
      {"c2c f32 n=8 load=window(hann", "no closing bracket"},
      {"r2c f32 n=8 store=shift", "half spectrum"},
      {"c2c f32 n=8 place=in store=mag", "place=in"},
      {"c2c f32 n=8 place=in load=u8", "different types"},
      {"c2c f32 n=8x8 load=twiddle", "load=twiddle alone"},
      {"r2c f32 n=8 load=twiddle", "load=twiddle alone"},
      {"c2c f32 n=8 load=twiddle,twiddle", "load=twiddle alone"},
      {"c2c f32 n=8 load=conj,twiddle", "load=twiddle alone"},
      {"c2c f32 n=8 store=twiddle", "twiddle"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fg_problem q;
    fg_diag_clear(&context.diag);
    assert_int_equal(fg_problem_parse(&context, rows[i][0], &q), FG_EUSER);
    if (!strstr(context.diag.message, rows[i][1])) fail_msg("%s: %s", rows[i][0], context.diag.message);
  }
}

/* Results below the least half are what halves hold of them. */
static void results_below_halves(void **state) {
  (void)state;
  must_work("dst3 f16 n=2x5x3x1 load=zeropad(1x1x3x1),mul,window(flattop) store=window", NULL, "tcc", "scalar");
}

/* What the pipeline chooses on vectors: windows beside buffers in permuted lane order, and halves that change places
 * behind a last pass of odd length. */
static void windows_and_shifts_on_vectors(void **state) {
  (void)state;
  static const struct {
    const char *problem, *isa;
  } rows[] = {
      {"c2c f32 n=64 store=window(hann)", "avx2"},
      {"c2c f32 n=1024 store=window", "avx2"},
      {"c2c f32 n=4096 store=window(hann)", "avx512"},
      {"c2c f32 n=512 store=mag,window(hann),shift", "avx2"},
      {"c2c f64 n=132 store=shift", "avx2"},
      {"c2c f32 n=264 store=shift", "avx2"},
      {"c2c f32 n=600 store=shift,window(hann)", "avx2"},
      {"c2c f32 n=720 store=shift", "avx512"},
      {"c2c f32 n=105 store=shift", "sse2"},
      {"dst1 f32 n=28:6:13x4:1:so[1..4] scale=-2.25", "avx2"}, /* a step of no elements, at run time */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (fg_isa_runs_here(fg_isa_find(rows[i].isa))) must_work(rows[i].problem, NULL, "cc", rows[i].isa);
}

int main(void) {
  if (!getenv("FFTGEN_ALL")) printf("drawn by FFTGEN_SEED=%ld\n", drawn_day());
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_convert),
      cmocka_unit_test(halves_are_kept),
      cmocka_unit_test(every_operation_in_c),
      cmocka_unit_test(windows_and_shifts_on_vectors),
      cmocka_unit_test(results_below_halves),
      cmocka_unit_test(every_type_of_number),
      cmocka_unit_test(operations_together),
      cmocka_unit_test(expressions_in_c),
      cmocka_unit_test(factors_of_each_transform),
      cmocka_unit_test(faults_are_found),
      cmocka_unit_test(refusals_say_why),
      cmocka_unit_test(operations_are_what_they_say),
      cmocka_unit_test(windows_are_what_they_say),
      cmocka_unit_test(shifts_and_zeros_are_where_they_say),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}

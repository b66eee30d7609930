/* Kernels as assembly: what is translated is proved, and what differs from its text is not. */
#include "generator/pipeline/pipeline.h"
#include "generator/prove/assembly.h"
#include "tests/unit/changed_text.h"
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct made {
  fg_context cx;
  fg_compilation c;
  const char *assembly;
} made;

static void make_for(made *m, const char *problem, const char *plan, const char *machine) {
  *m = (made){.cx = {.arena = fg_arena_create()}};
  fg_request request = {.problem = problem, .target = "cuda", .plan = plan, .machine = fg_machine_find(machine)};
  char why[FG_WHY_SIZE] = "";
  fg_status status = fg_pipeline_parse(&m->cx, &request, &m->c);
  if (status == FG_OK) status = fg_pipeline_decide(&m->c);
  if (status == FG_OK) status = fg_pipeline_emit(&m->c);
  if (status != FG_OK) fail_msg("%s: %s", problem, m->cx.diag.message);
  char *text = m->c.dialect->assemble(m->c.emitted.artifact.source, why);
  if (!text) fail_msg("%s: %s", problem, why);
  m->assembly = fg_arena_strdup(m->cx.arena, text);
  free(text);
}

static void make(made *m, const char *problem, const char *plan) { make_for(m, problem, plan, "h100"); }

/* Whether it is proved; else why not. */
static bool prove(made *m, const char *assembly, char why[256]) {
  fg_text_proof proof;
  fg_text_options o = {.seed = FG_PROOF_SEED, .primes = 1, .emitted = &m->c.emitted.artifact, .map = &m->c.map};
  fg_status status = fg_prove_assembly(&m->cx, m->c.chosen.program, assembly, &o, &proof);
  if (status != FG_OK) fail_msg("%s: %s", m->c.request.problem, m->cx.diag.message);
  snprintf(why, 256, "%s", proof.failure);
  return proof.proved;
}

#define BYTES "r2c f32 n=60 batch=30000 load=u8,x*w[j] store=20*log10(abs(x)+1e-3)"
#define SHORTS "c2r f32 n=15 batch=30000 store=i16"
static const struct row {
  const char *problem, *plan;
} rows[] = {{"c2c f32 n=15 batch=100000", "stockham(5,3)"},
            {"c2c f32 n=1000 batch=640", "stockham(10,10,10)"},
            {"c2c f64 n=120 batch=64 sign=+1", "stockham(4,5,6)"},
            {"c2c f32 n=64 batch=7000 place=in", "stockham(8,8; copies=on)"},
            {"r2c f32 n=127 batch=9", "direct(127)"},
            {"r2c f32 n=60 batch=30000", "real(4, stockham(5,3))"},
            {"c2r f32 n=18x20 batch=4", "nd(stockham(6,3), real(4, stockham(5)))"},
            {"c2c f32 n=3600 batch=3", "four-step(stockham(10,6), stockham(10,6))"},
            {"c2c f32 n=101 batch=20", "rader(101, stockham(10,10))"},
            {"c2c f32 n=59 batch=20", "bluestein(120, stockham(8,15))"},
            {"c2c f32 n=30 batch=count[1..3000]", "stockham(6,5)"},
            {"c2c f32 n=1048576", "four-step(stockham(32,32), stockham(32,32); tile=8, rows=8)"},
            {BYTES, "real(4, stockham(5,3))"},
            {SHORTS, "direct(15)"},
            {"c2r f32 n=60 batch=30000 store=u8", "real(4, stockham(5,3))"},
            {"c2c bf16 n=15 batch=30000 layout=split", "stockham(5,3)"},
            {"c2c f16 n=1024 batch=6", "stockham(8,2,8,8; narrow=on)"},
            {"c2c bf16 n=1024 batch=6", "stockham(8,2,8,8; narrow=on)"},
            {"r2c f16 n=60 batch=count[1..3000] store=max(re(x),im(x))/min(re(x),log(1+im(x)))", "direct(60)"},
            {"c2c f16 n=100 batch=30 compute=f64", "stockham(10,10)"},
            {"c2c f32 n=100 batch=30 compute=f64", "stockham(10,10)"},
            {"r2c f64 n=100 batch=30 load=i16 store=sqrt(abs(x))", "real(4, stockham(5,5))"},
            {"c2c f16 n=1000 batch=30 place=in", "stockham(10,10,10; narrow=on)"},
            {"conv f16 n=1000 batch=4", "convolve(stockham(10,10,10))"}};
enum { ROWS = sizeof rows / sizeof *rows };

static void is_proved(void **state) {
  (void)state;
  for (int i = 0; i < ROWS; i++) {
    made m;
    char why[256];
    make(&m, rows[i].problem, rows[i].plan);
    if (!prove(&m, m.assembly, why)) fail_msg("%s: %s", rows[i].problem, why);
    fg_arena_destroy(m.cx.arena);
  }
}

/* Of the first row. */
struct fault {
  const char *what, *from;
  int n; /* which of them */
  const char *to, *why;
};
static const struct fault faults[] = {
    {"another barrier", "bar.sync 0;", 1, "bar.sync 1;", "another barrier"},
    {"a barrier of some threads", "\"bar.sync 0;", 1, "\"@p0 bar.sync 0;\\n\"\n\"bar.sync 0;", "that not all"},
    {"no condition", "@p0 ld.global", 1, "ld.global", "beyond an array"},
    {"a condition that is the other one", "@!p1 bra", 1, "@p1 bra", ""},
    {"a bound", ", 100000;", 1, ", 999;", ""},
    {"a condition that never holds", "setp.lt.s32 p0, r13, 100000;", 1, "setp.lt.s32 p0, r13, -1;",
     "beyond what its assembly"},
    {"a sign", "sub.f32", 2, "add.f32", "not do what"},
    {"a constant", "0fBF000000, f", 1, "0f3F000000, f", "not do what"},
    {"a constant of nothing", "0fBF000000, f", 1, "0fBF000001, f", "a number that no codelet has"},
    {"an element", "+8]", 1, "+16]", ""},
    {"an element before, as ptxas reads none", "+8]", 1, "-8]", "an address"},
    {"half an element", "+8]", 1, "+4]", "misaligned"},
    {"an element that is far away", "+8]", 1, "+800000]", "beyond"},
    {"a register of nothing", "add.f32 f", 1, "add.f32 f9", "a register"},
    {"a number before it is made", "sub.f32 f", 1, "sub.f32 f102, f101, f101;\\n\"\n\"sub.f32 f", "not defined"},
    {"a store that is left out", "      \"@p2 st.global.v2.f32", 1, "      \"@p4 st.global.v2.f32", ""},
    {"constant memory", "st.global.v2.f32 [q5]", 1, "st.global.v2.f32 [q2]", ""},
    {"a load as constant of what is stored", "ld.global.nc.v2.f32 {f42, f43}, [q4]", 1,
     "ld.global.nc.v2.f32 {f42, f43}, [q5]", ""},
    {"an instruction that is not known", "add.f32", 1, "add.rz.f32", "not known"},
    {"operands of other kinds", "add.s32 r", 1, "add.s32 q", ""},
    {"a label that is nowhere", "bra L3;", 1, "bra L2;", "a label"},
    {"a loop without end", "      \"L3:\\n\"\n", 1, "      \"L3:\\n\"\n\"bra L3;\\n\"\n", "too many instructions"},
    {"another argument", "\"l\"(in), \"l\"(out)", 1, "\"l\"(out), \"l\"(in)", ""},
    {"an argument that is none", "\"l\"(in)", 1, "\"l\"(inn)", "an operand"},
    {"other threads", "__launch_bounds__(192)", 1, "__launch_bounds__(96)", "another kernel"},
    {"text behind it", " : \"memory\");\n}", 1, " : \"memory\");\n}\nint x;", "more text"},
    {"text before it", "extern __shared__", 1, "out[0] = 1;\n  extern __shared__", "no body"},
};

/* Of numbers that are converted, and of functions. */
static const struct converted {
  const char *problem, *plan;
  struct fault fault[12];
  const char *machine;
} converted[] = {
    {BYTES,
     "real(4, stockham(5,3))",
     {{"bytes with a sign", "ld.global.nc.u8", 1, "ld.global.nc.s8", "not known"},
      {"two bytes", "ld.global.nc.u8", 2, "ld.global.nc.s16", "another type"},
      {"the byte after the next", "+1]", 1, "+2]", "not do what"},
      {"a sign that bytes do not have", "cvt.rn.f32.u32", 3, "cvt.rn.f32.s32", "something else"},
      {"bits as a number", "cvt.rn.f32.u32", 1, "mov.b32", "not known"},
      {"arithmetic on bits", "cvt.rn.f32.u32 f0, r27", 1, "add.s32 r27, r27, 1;\\n\"\n\"cvt.rn.f32.u32 f0, r27",
       "arithmetic on"},
      {"a float from bytes", "ld.global.nc.u8 r", 1, "ld.global.nc.f32 f", ""},
      {"another function", "sqrt.approx.f32", 1, "abs.f32", "not do what"},
      {"a logarithm to another base", "3E9A209B", 1, "3F317218", "not do what"},
      {"a factor of nothing", "3E9A209B", 1, "3E9A209C", "not known"},
      {"doubles", "add.f32 f", 1, "add.f64 d", ""}},
     "h100"},
    {SHORTS,
     "direct(15)",
     {{"bytes", "st.global.u16", 1, "st.global.u8", "another type"},
      {"halves", "0fC7000000", 1, "0f00000000", "not known"},
      {"clamped as bytes", "0fC7000000; min.f32 x, x, 0f46FFFE00", 1, "0f00000000; min.f32 x, x, 0f437F0000",
       "another"},
      {"half an element", "+2]", 1, "+1]", "misaligned"},
      {"an element after the next", "+2]", 1, "+4]", ""},
      {"not clamped", "add.f32 x, x, 0f4B400000; ", 1, "", "not known"}},
     "h100"},
    {"r2c f32 n=15 batch=30000 load=i16",
     "direct(15)",
     {{"no sign", "ld.global.nc.s16", 1, "ld.global.nc.u16", "not known"},
      {"a sign that is lost", "cvt.rn.f32.s32", 1, "cvt.rn.f32.u32", "something else"},
      {"bytes", "ld.global.nc.s16", 1, "ld.global.nc.u8", "another type"}},
     "h100"},
    {"r2c f32 n=15 batch=30000 store=exp(abs(x)/3)",
     "direct(15)",
     {{"a power of another number", "0f3FB8AA3B", 1, "0f3FB8AA3C", "not known"},
      {"another function", "ex2.approx.ftz.f32 u, u; ", 1, "", "not known"}},
     "h100"},
    {"r2c f32 n=15 batch=30000 load=x/3+x/4",
     "direct(15)",
     {{"another divisor", "0f3E800000", 1, "0f3E000000", "not do what"},
      {"no power of two", "0f3E800000", 1, "0f3EAAAAAB", "no codelet has"},
      {"a product", "mul.rn.f32", 1, "mul.f32", ""},
      {"a quotient that is rounded another way", "div.rn.f32", 1, "div.full.f32", "not known"}},
     "h100"},
    {"c2c bf16 n=15 batch=30000 layout=split",
     "stockham(5,3)",
     {{"the lower half", "{z, h", 1, "{h", "not known"},
      {"another half type", "{ .reg .b16 z; mov.b16 z, 0; mov.b32 f0, {z, h0}; }", 1, "cvt.f32.f16 f0, h0;",
       "something else"},
      {"rounded as the other type", "cvt.rn.bf16.f32", 1, "cvt.rn.f16.f32", "another type"},
      {"rounded to zero", "cvt.rn.bf16.f32", 1, "cvt.rz.bf16.f32", "not known"},
      {"bits that are not 0 where nothing is loaded", "mov.u16 h0, 0", 1, "mov.u16 h0, 1", "not 0"}},
     "h100"},
    {"c2c bf16 n=15 batch=29999 layout=split",
     "stockham(5,3)",
     {{"rounded by another number", "setp.nan.f32 n, f", 1, "setp.nan.f32 n, f1", ""},
      {"rounded elsewhere", "32767", 1, "32768", "not known"}},
     "sm_70"},
    {"c2c f16 n=1024 batch=6",
     "stockham(8,2,8,8; narrow=on)",
     {{"halves that are swapped", "{ .reg .b16 high; mov.b32 {h0, high}, ", 1, "{ .reg .b16 low; mov.b32 {low, h0}, ",
       "not do what"},
      {"packed the other way round", "{h16, h17}", 1, "{h17, h16}", "not do what"},
      {"one of two", "ld.global.nc.u32 r", 1, "ld.global.nc.u16 h", ""},
      {"the other type", "cvt.f32.f16 f0, h0;", 1, "{ .reg .b16 z; mov.b16 z, 0; mov.b32 f0, {z, h0}; }",
       "something else"},
      {"rounded to zero", "cvt.rn.f16.f32", 1, "cvt.rz.f16.f32", "not known"},
      {"two of different pairs", "st.shared.u32 [r", 1, "@p0 st.shared.u32 [r", ""},
      {"half a pair further", "st.shared.u32 [r11+16]", 1, "st.shared.u32 [r11+18]", "misaligned"},
      {"a float in their place", "ld.shared.u32 r", 1, "ld.shared.f32 f", ""},
      {"a barrier that is left out", "      \"bar.sync 0;\\n\"\n", 1, "", ""}},
     "h100"},
};

static void is_found(void **state) {
  (void)state;
  made m;
  make(&m, rows[0].problem, rows[0].plan);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    char why[256];
    const struct fault *f = &faults[i];
    if (prove(&m, text_with(m.cx.arena, m.assembly, f->from, f->n, f->to), why)) fail_msg("%s: proved", f->what);
    if (!strstr(why, f->why)) fail_msg("%s: %s", f->what, why);
  }
  fg_arena_destroy(m.cx.arena);
}

static void converted_is_found(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof converted / sizeof *converted; i++) {
    made m;
    char why[256];
    make_for(&m, converted[i].problem, converted[i].plan, converted[i].machine);
    if (!prove(&m, m.assembly, why)) fail_msg("%s: %s", converted[i].problem, why);
    for (const struct fault *f = converted[i].fault; f->what; f++) {
      if (prove(&m, text_with(m.cx.arena, m.assembly, f->from, f->n, f->to), why))
        fail_msg("%s: %s: proved", converted[i].problem, f->what);
      if (!strstr(why, f->why)) fail_msg("%s: %s: %s", converted[i].problem, f->what, why);
    }
    fg_arena_destroy(m.cx.arena);
  }
}

/* Some of them separate loads from the stores behind them. */
static void each_barrier_counts(void **state) {
  (void)state;
  made m;
  int races = 0, n = 0;
  make(&m, rows[1].problem, rows[1].plan);
  for (const char *at = m.assembly; (at = strstr(at, "bar.sync")); at++) {
    char why[256];
    const char *without = text_with(m.cx.arena, m.assembly, "      \"bar.sync 0;\\n\"\n", ++n, "");
    if (prove(&m, without, why)) fail_msg("without barrier %d: proved", n);
    races += strstr(why, "a race") != NULL;
  }
  assert_true(n > 2);
  assert_true(races > 0);
  fg_arena_destroy(m.cx.arena);
}

/* ---- drawn faults ---------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *state, uint64_t below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*state >> 33) % below;
}

static bool is_instruction(const char *line) {
  return !strncmp(line, "      \"", 7) && line[7] != '.' && line[7] != '}' && line[7] != 'L';
}

/* A digit of one instruction becomes another one; or the instruction is left out. */
static char *mutant(fg_arena *a, const char *text, uint64_t *state) {
  char *own = fg_arena_strdup(a, text);
  for (;;) {
    char *line = own + draw(state, strlen(own));
    while (line > own && line[-1] != '\n') line--;
    if (!is_instruction(line)) continue;
    size_t length = strcspn(line, ";");
    if (!draw(state, 4)) {
      memmove(line, line + strcspn(line, "\n") + 1, strlen(line + strcspn(line, "\n") + 1) + 1);
      return own;
    }
    char *digit = line + 7 + draw(state, length - 7);
    if (*digit < '0' || *digit > '9' || !strchr(" ,[{+-rqfdhp0123456789", digit[-1])) continue;
    char other = (char)('0' + draw(state, 10));
    if (other == *digit) continue;
    *digit = other;
    return own;
  }
}

static void drawn_are_found(void **state) {
  enum { EACH = 50 };
  static const int drawn[] = {0, 1, 2, 3, 4, 5, 12, 14, 15};
  (void)state;
  uint64_t random = 7; /* no mutant of these does the same: a zero where every thread loads, a remainder that is 0 */
  for (size_t at = 0; at < sizeof drawn / sizeof *drawn; at++) {
    int i = drawn[at];
    made m;
    make(&m, rows[i].problem, rows[i].plan);
    for (int k = 0; k < EACH; k++) {
      char why[256];
      const char *text = mutant(m.cx.arena, m.assembly, &random);
      if (prove(&m, text, why)) fail_msg("%s: mutant %d is proved: %.20000s", rows[i].problem, k, text);
    }
    fg_arena_destroy(m.cx.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_proved), cmocka_unit_test(is_found),
                                     cmocka_unit_test(converted_is_found), cmocka_unit_test(each_barrier_counts),
                                     cmocka_unit_test(drawn_are_found)};
  return cmocka_run_group_tests_name("assembly", tests, NULL, NULL);
}

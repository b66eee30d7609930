/* The device llvm against the others: where no operation is contracted, the same
 * bits as a C compiler's and tcc's code, for every kind of stage, move and layout;
 * where operations may be, nearly the same numbers. Skipped, in so many words, where
 * LLVM or a C compiler is not. */
#include "generator/pipeline/pipeline.h"
#include "targets/llvm/link.h"
#include "targets/team.h"
#include "tests/unit/fixture.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

typedef struct row {
  const char *problem, *plan;
  long long param;
} row;

static const row rows[] = {
    {"c2c f64 n=1", NULL, 0},
    {"c2c f64 n=8 batch=3", NULL, 0},
    {"c2c f32 n=5 sign=+1", NULL, 0},
    {"c2c f32 n=64", "stockham(8,8)", 0},
    {"c2c f32 n=256", "stockham(16,16)", 0},
    {"c2c f64 n=105 batch=3", "stockham(3,5,7)", 0},
    {"c2c f32 n=15 batch=33 place=in", NULL, 0},
    {"c2c f32 n=16 batch=count[1..300]", NULL, 77},
    {"c2c f64 n=64 layout=split", NULL, 0},
    {"c2c f32 n=23", "bluestein(48,stockham(6,8))", 0},
    {"c2c f64 n=23 sign=+1", "bluestein(64,stockham(8,8))", 0},
    {"c2c f64 n=61", "rader(61,stockham(4,15))", 0},
    {"c2c f32 n=4096", "four-step(stockham(8,8),stockham(8,8))", 0},
    {"c2c f64 n=4x6x10 place=in", NULL, 0},
    {"r2c f32 n=30 batch=9", NULL, 0},
    {"c2r f64 n=16 batch=5", NULL, 0},
    {"dct2 f32 n=12 batch=4", NULL, 0},
    {"c2c f64 n=64", "stockham(8,8; parallel_split=on)", 0},
    {"c2c f32 n=16 batch=count[1..300]", "stockham(4,4; parallel_split=on)", 77},
    {"c2c f32 n=4096", "four-step(stockham(8,8),stockham(8,8); tile=8, rows=8, parallel_split=on)", 0},
    {"c2c f32 n=256 batch=800", "stockham(16,16)", 0},
    {"c2c bf16 n=64 batch=2", "stockham(8,8)", 0},
    {"c2c f32 n=60 load=u8 store=mag", NULL, 0},
    {"c2c f32 n=64 load=i16 store=i16", "stockham(8,8)", 0},
    {"c2c f32 n=15 batch=4 compute=f64", NULL, 0},
    {"c2c f16 n=64", "stockham(8,8)", 0},
};

/* ---- running ------------------------------------------------------------------------- */

typedef struct outcome {
  void *bytes;
  size_t size;
} outcome;

/* Halves below 2 in size; whole numbers are whatever bits they are. */
static void fill_narrow(uint16_t *bytes, size_t size) {
  uint64_t state = 1;
  for (size_t i = 0; i < size / sizeof *bytes; i++) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    bytes[i] = (uint16_t)(state >> 40 & 0xbbff);
  }
}

static bool is_narrow(const char *problem) { return strstr(problem, "f16") || strstr(problem, "load="); }

/* Halves are converted by instructions where the CPU has some. */
static bool is_for(const char *problem, const char *isa) {
  return !strstr(problem, " f16") || (fg_isa_find(isa) && fg_isa_find(isa)->half_flags);
}

static void fill(void *bytes, size_t size, bool is_double) {
  uint64_t state = 1;
  for (size_t i = 0; i < size / (is_double ? 8 : 4); i++) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    double x = (double)(int64_t)(state >> 11) / 0x1p52 - 1;
    if (is_double)
      ((double *)bytes)[i] = x;
    else
      ((float *)bytes)[i] = (float)x;
  }
}

static outcome run_on(const fg_device *d, const fg_artifact *a, const row *r) {
  char why[FG_WHY_SIZE] = "";
  fg_module *m;
  void *slot[64] = {NULL};
  outcome out = {NULL, 0};
  bool is_double = strstr(r->problem, " f64") != NULL;
  int64_t param = r->param;
  if (d->build(a, &m, why)) fail_msg("%s, %s: %s", d->name, r->problem, why);
  for (int i = 0; i < a->nbuffer; i++) {
    const fg_arg_buffer *b = &a->buffer[i];
    int at = fg_artifact_slot(a, i);
    if (b->kind != FG_ARG_IN && b->kind != FG_ARG_OUT) continue;
    bool in_place = b->kind == FG_ARG_OUT && strstr(r->problem, "place=in");
    char *memory = in_place ? slot[0] : aligned_alloc(64, (b->bytes + 63) / 64 * 64);
    if (b->kind == FG_ARG_IN && is_narrow(r->problem)) fill_narrow((uint16_t *)(void *)memory, b->bytes);
    if (b->kind == FG_ARG_IN && !is_narrow(r->problem)) fill(memory, b->bytes, is_double);
    slot[at] = memory;
    if (b->split) slot[at + 1] = memory + b->bytes / 2;
    if (b->kind == FG_ARG_OUT) out = (outcome){memory, b->bytes};
    if (b->kind == FG_ARG_OUT && !in_place) memset(memory, 0, b->bytes);
  }
  if (d->run(m, &(fg_call){.slot = slot, .params = &param}, why)) fail_msg("%s: %s", d->name, why);
  d->destroy(m);
  if (slot[0] != out.bytes) free(slot[0]);
  return out;
}

static fg_artifact *emitted(const char *target, const row *r, const char *isa) {
  fg_request q = {.problem = r->problem, .plan = r->plan, .target = target, .isa = isa, .entry = true};
  fg_compilation *c = fg_arena_new(context.arena, fg_compilation, 1);
  context.diag.message[0] = 0;
  fg_status status = fg_pipeline_parse(&context, &q, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status == FG_OK) status = fg_pipeline_emit(c);
  if (status != FG_OK) fail_msg("%s, %s: %s", r->problem, isa, context.diag.message);
  return &c->emitted.artifact;
}

static bool is_here(const fg_device *d) {
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  if (d->probe(&facts, why) == 0) return true;
  print_message("SKIP: %s: %s\n", d->name, why);
  return false;
}

static const fg_device *device(const char *name) {
  const fg_device *d = fg_device_find(name);
  assert_non_null(d);
  return d;
}

static void set(const fg_device *d, const char *key, const char *value) {
  char why[FG_WHY_SIZE];
  if (d->option(key, value, why)) fail_msg("%s", why);
}

static void compare_bits(const row *r, const char *isa, const char *other, const outcome *a, const outcome *b) {
  assert_int_equal(a->size, b->size);
  if (memcmp(a->bytes, b->bytes, a->size) != 0) fail_msg("%s, %s: llvm and %s differ in bits", r->problem, isa, other);
}

/* ---- tests ------------------------------------------------------------------------------ */

static void same_bits_as_tcc(void **state) {
  (void)state;
  const fg_device *llvm = device("llvm"), *tcc = device("tcc");
  if (!is_here(llvm) || !is_here(tcc)) skip();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!is_for(rows[i].problem, "scalar")) continue;
    outcome a = run_on(llvm, emitted("code", &rows[i], "scalar"), &rows[i]);
    outcome b = run_on(tcc, emitted("c", &rows[i], "scalar"), &rows[i]);
    compare_bits(&rows[i], "scalar", "tcc", &a, &b);
    free(a.bytes);
    free(b.bytes);
  }
}

/* Contraction off: fused operations are two, on both sides. */
static void same_bits_as_cc(void **state) {
  (void)state;
  static const char *const isas[] = {"sse2", "avx2", "avx512"};
  const fg_device *llvm = device("llvm"), *cc = device("cc");
  if (!is_here(llvm) || !is_here(cc)) skip();
  set(llvm, "contract", "off");
  set(cc, "flags", "-O1 -ffp-contract=off");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *isa = isas[i % 3];
    if (!is_for(rows[i].problem, isa)) isa = "avx2";
    if (!fg_isa_find(isa) || !fg_isa_runs_here(fg_isa_find(isa))) continue;
    outcome a = run_on(llvm, emitted("code", &rows[i], isa), &rows[i]);
    outcome b = run_on(cc, emitted("c", &rows[i], isa), &rows[i]);
    compare_bits(&rows[i], isa, "cc", &a, &b);
    free(a.bytes);
    free(b.bytes);
  }
  set(llvm, "contract", NULL);
  set(cc, "flags", NULL);
}

/* Steps in shares, and all in one: the same bits. */
static void same_bits_by_teams(void **state) {
  (void)state;
  const fg_device *llvm = device("llvm");
  if (!is_here(llvm)) skip();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const fg_artifact *artifact = emitted("code", &rows[i], "native");
    if (!artifact->nstep) continue;
    outcome a = run_on(llvm, artifact, &rows[i]);
    for (int threads = 2; threads <= 3; threads++) {
      assert_int_equal(fg_team_resize(threads), 0);
      outcome b = run_on(llvm, artifact, &rows[i]);
      compare_bits(&rows[i], "native", "llvm by a team", &a, &b);
      free(b.bytes);
    }
    assert_int_equal(fg_team_resize(1), 0);
    free(a.bytes);
  }
}

static double difference(const outcome *a, const outcome *b, bool is_double) {
  double error = 0, size = 0;
  for (size_t i = 0; i < a->size / (is_double ? 8 : 4); i++) {
    double x = is_double ? ((const double *)a->bytes)[i] : (double)((const float *)a->bytes)[i];
    double y = is_double ? ((const double *)b->bytes)[i] : (double)((const float *)b->bytes)[i];
    error += (x - y) * (x - y), size += y * y;
  }
  return sqrt(error / size);
}

static void contracted_numbers_are_near(void **state) {
  (void)state;
  const fg_device *llvm = device("llvm");
  const fg_isa *native = fg_isa_native();
  if (!is_here(llvm) || !native->fma) skip();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool is_double = strstr(rows[i].problem, " f64") != NULL;
    if (is_narrow(rows[i].problem)) continue;
    const fg_artifact *artifact = emitted("code", &rows[i], native->name);
    outcome a = run_on(llvm, artifact, &rows[i]);
    set(llvm, "contract", "off");
    outcome b = run_on(llvm, artifact, &rows[i]);
    set(llvm, "contract", NULL);
    double d = difference(&a, &b, is_double);
    if (!(d <= (is_double ? 4e-15 : 2e-6))) fail_msg("%s: %g apart", rows[i].problem, d);
    free(a.bytes);
    free(b.bytes);
  }
}

static void levels_compute_the_same(void **state) {
  (void)state;
  const fg_device *llvm = device("llvm");
  if (!is_here(llvm)) skip();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i += 3) {
    const fg_artifact *artifact = emitted("code", &rows[i], "native");
    outcome a = run_on(llvm, artifact, &rows[i]);
    set(llvm, "level", "0");
    outcome b = run_on(llvm, artifact, &rows[i]);
    set(llvm, "level", NULL);
    compare_bits(&rows[i], "native", "llvm -O0", &a, &b);
    free(a.bytes);
    free(b.bytes);
  }
}

static void wrong_options_are_refused(void **state) {
  (void)state;
  char why[FG_WHY_SIZE];
  const fg_device *llvm = device("llvm");
  assert_int_not_equal(llvm->option("level", "9", why), 0);
  assert_int_not_equal(llvm->option("contract", "perhaps", why), 0);
  assert_int_not_equal(llvm->option("compiler", "gcc", why), 0);
  assert_non_null(strstr(why, "level, contract"));
}

/* Text is not for this device; what is no object is not linked. */
static void foreign_matter_is_refused(void **state) {
  (void)state;
  char why[FG_WHY_SIZE] = "", junk[128] = "\177ELF";
  fg_module *m;
  fg_image image;
  const fg_device *llvm = device("llvm");
  fg_link_request r = {.object = junk, .size = sizeof junk, .nfunction = 1, .function = (const char *const[]){"f"}};
  assert_int_not_equal(fg_llvm_link(&r, &image, why), 0);
  assert_non_null(strstr(why, "no x86-64 object"));
  if (!is_here(llvm)) skip();
  const fg_artifact *text = emitted("c", &rows[0], "scalar");
  assert_int_not_equal(llvm->build(text, &m, why), 0);
  assert_non_null(strstr(why, "instructions are wanted"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(same_bits_as_tcc, setup, teardown),
      cmocka_unit_test_setup_teardown(same_bits_as_cc, setup, teardown),
      cmocka_unit_test_setup_teardown(same_bits_by_teams, setup, teardown),
      cmocka_unit_test_setup_teardown(contracted_numbers_are_near, setup, teardown),
      cmocka_unit_test_setup_teardown(levels_compute_the_same, setup, teardown),
      cmocka_unit_test_setup_teardown(wrong_options_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(foreign_matter_is_refused, setup, teardown),
  };
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return failed ? failed : device("llvm")->probe(&facts, why) ? 77 : 0;
}

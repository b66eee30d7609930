/* Products of matrices by a warp: the table of shapes, a kernel of them that is verified, proved, printed, compiled,
 * and run where there is a device. */
#include "generator/pipeline/pipeline.h"
#include "generator/text/recorder_order.h"
#include "generator/text/spell.h"
#include "generator/text/statements.h"
#include "targets/cuda/nvrtc_api.h"
#include "tests/unit/changed_text.h"
#include "tests/unit/matrix_kernel.h"
#include "tests/unit/text_proof.h"
#include <stdio.h>
#include <stdlib.h>

enum { GROUPS = 3, BATCH = GROUPS * MATRIX_TOGETHER, REALS = BATCH * MATRIX_REALS };

/* ---- the table --------------------------------------------------------------------------- */

/* Each element is held once. */
static void each_element_is_held_once(void **state) {
  (void)state;
  static const char axes[FG_MATRIX_OPERANDS][3] = {"mk", "kn", "mn"};
  for (int i = 0; i < FG_MATRIX_COUNT; i++) {
    const fg_matrix_shape *s = fg_matrix_find((fg_matrix)i);
    for (int of = 0; of < FG_MATRIX_OPERANDS; of++) {
      int held[16][16] = {{0}}, rows = of == FG_MATRIX_B ? s->k : s->m, columns = of == FG_MATRIX_A ? s->k : s->n;
      int elements = fg_matrix_elements(s, (fg_matrix_operand)of);
      assert_int_equal(elements * FG_MATRIX_LANES, rows * columns);
      for (int lane = 0; lane < FG_MATRIX_LANES; lane++)
        for (int e = 0; e < elements; e++)
          held[fg_matrix_index(s, (fg_matrix_operand)of, axes[of][0], lane, e)]
              [fg_matrix_index(s, (fg_matrix_operand)of, axes[of][1], lane, e)]++;
      for (int r = 0; r < rows; r++)
        for (int k = 0; k < columns; k++) assert_int_equal(held[r][k], 1);
    }
  }
}

static void must_be(const fg_matrix_shape *s, fg_matrix_operand of, const char *axes, int lane, int e, int row,
                    int column) {
  assert_int_equal(fg_matrix_index(s, of, axes[0], lane, e), row);
  assert_int_equal(fg_matrix_index(s, of, axes[1], lane, e), column);
}

/* PTX ISA 8.7 says it by formulas: group = lane / 4, in_group = lane % 4. */
static void digits_are_those_of_the_isa(void **state) {
  (void)state;
  const fg_matrix_shape *f16 = fg_matrix_find(FG_MATRIX_M16N8K16_F16), *tf32 = fg_matrix_find(FG_MATRIX_M16N8K8_TF32);
  const fg_matrix_shape *f64 = fg_matrix_find(FG_MATRIX_M8N8K4_F64);
  for (int lane = 0; lane < FG_MATRIX_LANES; lane++) {
    int group = lane / 4, in_group = lane % 4;
    for (int i = 0; i < 8; i++)
      must_be(f16, FG_MATRIX_A, "mk", lane, i, i < 2 || (i >= 4 && i < 6) ? group : group + 8,
              i < 4 ? in_group * 2 + (i & 1) : in_group * 2 + (i & 1) + 8);
    for (int i = 0; i < 4; i++) {
      must_be(f16, FG_MATRIX_B, "kn", lane, i, in_group * 2 + (i & 1) + (i < 2 ? 0 : 8), group);
      must_be(tf32, FG_MATRIX_A, "mk", lane, i, i == 0 || i == 2 ? group : group + 8, in_group + (i < 2 ? 0 : 4));
      must_be(f16, FG_MATRIX_C, "mn", lane, i, i < 2 ? group : group + 8, in_group * 2 + (i & 1));
      must_be(tf32, FG_MATRIX_C, "mn", lane, i, i < 2 ? group : group + 8, in_group * 2 + (i & 1));
    }
    for (int i = 0; i < 2; i++) {
      must_be(tf32, FG_MATRIX_B, "kn", lane, i, in_group + 4 * i, group);
      must_be(f64, FG_MATRIX_C, "mn", lane, i, group, in_group * 2 + i);
    }
    must_be(f64, FG_MATRIX_A, "mk", lane, 0, group, in_group);
    must_be(f64, FG_MATRIX_B, "kn", lane, 0, in_group, group);
  }
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_double(fg_matrix shape) { return fg_matrix_bytes(fg_matrix_find(shape)) == 8; }

static const char *problem_of(fg_matrix shape) {
  return is_double(shape) ? "c2c f64 n=8 batch=24" : "c2c f32 n=8 batch=24";
}

static void compile(fg_matrix shape, fg_compilation *c) {
  fg_request r = {.problem = problem_of(shape), .plan = "direct(8)", .target = "code", .isa = "scalar", .entry = true};
  fg_status status = fg_pipeline_parse(&context, &r, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status == FG_OK) status = fg_pipeline_emit(c);
  if (status != FG_OK) fail_msg("%s", context.diag.message);
}

static void bind_array(fg_coder *c, const char *name, int slot) {
  fg_instr i = {.op = FG_CODE_MEMORY, .type = FG_CODE_POINTER, .lanes = 1, .a = slot, .b = -1, .c = -1};
  i.memory = (uint8_t)slot;
  fg_coder_bind(c, name, fg_coder_add(c, i));
}

static fg_coder *recorded(matrix_kernel *k) {
  static fg_emitter e;
  e = (fg_emitter){.cx = &context, .d = fg_dialect_find("code"), .real_bytes = is_double(k->shape) ? 8 : 4};
  e.coder = fg_coder_create(&context, e.real_bytes, false);
  bind_array(e.coder, "in", 0), bind_array(e.coder, "out", 1);
  k->e = &e;
  matrix_record(k);
  return e.coder;
}

static fg_text_proof proof_of_list(const fg_instructions *code, fg_matrix shape) {
  fg_compilation c;
  compile(shape, &c);
  fg_artifact a = c.emitted.artifact;
  fg_instructions own = *code;
  own.threads = FG_MATRIX_LANES;
  own.table = fg_arena_new(context.arena, fg_code_table, 1);
  a.instructions = &own;
  fg_text_options options = {.seed = 3, .primes = FG_TEXT_PRIMES, .emitted = &a};
  fg_text_proof proof;
  if (fg_prove_code(&context, c.chosen.program, fg_isa_find("scalar"), &options, &proof) != FG_OK)
    fail_msg("%s", context.diag.message);
  return proof;
}

static fg_text_proof proof_of_kernel(matrix_kernel *k) {
  fg_coder *c = recorded(k);
  assert_true(fg_coder_holds(c));
  fg_coder_settle(c);
  return proof_of_list(fg_coder_code(c), k->shape);
}

static matrix_kernel kernel_of(int shape) {
  return (matrix_kernel){.shape = (fg_matrix)shape, .layout = *fg_matrix_find((fg_matrix)shape), .groups = GROUPS};
}

static void kernels_are_proved(void **state) {
  (void)state;
  for (int i = 0; i < FG_MATRIX_COUNT; i++) {
    matrix_kernel k = kernel_of(i);
    fg_text_proof proof = proof_of_kernel(&k);
    if (!proof.proved) fail_msg("%s: %s", k.layout.name, proof.failure);
    assert_true(proof.outputs > 0 && proof.literals > 0);
  }
}

/* "k0 k1" becomes "k1 k0". */
static char *exchanged(const char *digits, int a, int b) {
  char *text = fg_arena_strdup(context.arena, digits);
  int at[FG_MATRIX_DIGITS], n = 0;
  for (int i = 0; text[i]; i++)
    if (text[i] >= 'k' && text[i] <= 'n') at[n++] = i;
  for (int i = 0; i < 2; i++) {
    char kept = text[at[a] + i];
    text[at[a] + i] = text[at[b] + i], text[at[b] + i] = kept;
  }
  return text;
}

/* Any two digits exchanged, of one operand; sums over k may be in any order, if those of A and B agree. */
static void exchanged_digits_are_refused(void **state) {
  (void)state;
  for (int i = 0; i < FG_MATRIX_COUNT; i++)
    for (int of = 0; of < FG_MATRIX_OPERANDS; of++) {
      fg_matrix_digit digit[FG_MATRIX_DIGITS];
      int count = fg_matrix_digits(fg_matrix_find((fg_matrix)i), (fg_matrix_operand)of, digit);
      for (int b = 1; b < count; b++) {
        fresh();
        matrix_kernel k = kernel_of(i);
        k.layout.digits[of] = exchanged(k.layout.digits[of], 0, b);
        fg_text_proof proof = proof_of_kernel(&k);
        if (proof.proved) fail_msg("%s: operand %d, digits 0 and %d", k.layout.name, of, b);
      }
    }
}

static void lanes_that_part_are_refused(void **state) {
  (void)state;
  matrix_kernel k = kernel_of(FG_MATRIX_M16N8K8_TF32);
  k.divided = true;
  fg_coder *c = recorded(&k);
  assert_false(fg_coder_holds(c));
  fg_coder_settle(c);
  fg_text_proof proof = proof_of_list(fg_coder_code(c), k.shape);
  assert_false(proof.proved);
  assert_non_null(strstr(proof.failure, "lanes part"));
}

/* The verifier: fragments of another shape; a product that has no name where it is used. */
static void operands_are_fragments_of_the_shape(void **state) {
  (void)state;
  for (int what = 0; what < 4; what++) {
    fg_coder *c = fg_coder_create(&context, what == 3 ? 8 : 4, false);
    const char *number[8];
    for (int i = 0; i < 8; i++) number[i] = matrix_number(c, i);
    fg_matrix_factors of = {fg_coder_fragment(c, number, what == 1 ? 2 : 4), fg_coder_fragment(c, number, 2),
                            what == 2 ? matrix_number(c, 0) : fg_coder_fragment(c, number, 4)};
    fg_coder_matrix_product(c, FG_MATRIX_M16N8K8_TF32, NULL, "sums", of);
    assert_int_equal(fg_coder_holds(c), what == 0);
    if (what) continue;
    fg_coder_part(c, "sums", 3);
    assert_true(fg_coder_holds(c));
    fg_coder_part(c, "sums", 4);
    assert_false(fg_coder_holds(c));
  }
}

/* ---- text -------------------------------------------------------------------------------------- */

static const char *text_of(matrix_kernel *k) {
  bool wide = is_double(k->shape);
  fg_emitter e = {.cx = &context,
                  .d = fg_dialect_find("cuda"),
                  .real = wide ? "double" : "float",
                  .real_bytes = wide ? 8 : 4,
                  .precision = wide ? FG_F64 : FG_F32};
  fg_strbuf s = fg_strbuf_new(context.arena);
  fg_spell_matrix_preamble(&e, k->shape, &s);
  fg_strbuf_addf(&s, "%s k_mma(const %s *__restrict__ in, %s *__restrict__ out) {\n",
                 fg_spell(&e, FG_MATRIX_LANES, e.d->kernel_qualifier, (fg_marks){.a = "", .b = ""}), e.real, e.real);
  e.coder = fg_coder_create(&context, e.real_bytes, false);
  fg_coder_argument(e.coder, FG_CODE_POINTER, "in");
  fg_coder_argument(e.coder, FG_CODE_POINTER, "out");
  k->e = &e;
  matrix_record(k);
  assert_true(fg_coder_holds(e.coder));
  fg_statements_write(&e, 0, fg_coder_position(e.coder), 2, &s);
  fg_strbuf_add(&s, "}\n");
  return s.text;
}

static void text_is_that_of_the_shape(void **state) {
  (void)state;
  matrix_kernel k = kernel_of(FG_MATRIX_M16N8K8_TF32);
  const char *text = text_of(&k);
  assert_non_null(strstr(text, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                               "{%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"));
  assert_non_null(strstr(text, "fftgen_fragment4 sum_0_8 = fftgen_mma_m16n8k8_tf32(a_0_8, b_0_8, sum_0_0);"));
}

/* The delivered text, whose threads are contexts. */
static fg_text_proof proof_of_text(fg_matrix shape, const char *source) {
  fg_compilation c;
  fg_request r = {.problem = problem_of(shape), .plan = "direct(8)", .target = "cuda"};
  fg_status status = fg_pipeline_parse(&context, &r, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  if (status == FG_OK) status = fg_pipeline_emit(&c);
  if (status != FG_OK) fail_msg("%s", context.diag.message);
  fg_artifact a = c.emitted.artifact;
  fg_launch launch = {.entry = "k_mma",
                      .threads = FG_MATRIX_LANES,
                      .cluster = 1,
                      .registers = true,
                      .narg = 2,
                      .arg = {{false, 0}, {false, 1}}};
  a.name = "k", a.source = source, a.source_bytes = strlen(source), a.nlaunch = 1, a.launch = &launch;
  fg_text_options options = {.seed = 3, .primes = FG_TEXT_PRIMES, .emitted = &a};
  fg_text_proof proof;
  if (fg_prove_text(&context, c.chosen.program, NULL, &options, &proof) != FG_OK) fail_msg("%s", context.diag.message);
  return proof;
}

static void text_is_proved(void **state) {
  (void)state;
  for (int i = 0; i < FG_MATRIX_COUNT; i++) {
    matrix_kernel k = kernel_of(i);
    fg_text_proof proof = proof_of_text((fg_matrix)i, text_of(&k));
    if (!proof.proved) fail_msg("%s: %s", k.layout.name, proof.failure);
    assert_true(proof.read > 0 && proof.outputs > 0);
    k.layout.digits[FG_MATRIX_B] = exchanged(k.layout.digits[FG_MATRIX_B], 0, 1);
    if (proof_of_text((fg_matrix)i, text_of(&k)).proved) fail_msg("%s: an exchanged digit", k.layout.name);
    k = kernel_of(i);
    const char *some = text_with(context.arena, text_of(&k), "group < 3", 1, "group < 3 - lane / 31");
    if (proof_of_text((fg_matrix)i, some).proved) fail_msg("%s: lanes that part", k.layout.name);
    fresh();
  }
}

static void others_refuse(void **state) {
  (void)state;
  const fg_machine *sm_90 = fg_machine_find("sm_90"), *sm_70 = fg_machine_find("sm_70");
  assert_null(fg_spell_matrix_refusal(&context, fg_dialect_find("cuda"), sm_90, FG_MATRIX_M8N8K4_F64));
  assert_string_equal(fg_spell_matrix_refusal(&context, fg_dialect_find("metal"), sm_90, FG_MATRIX_M8N8K4_F64),
                      "metal: no matrix products (m8n8k4_f64)");
  assert_string_equal(fg_spell_matrix_refusal(&context, fg_dialect_find("cuda"), sm_70, FG_MATRIX_M8N8K4_F64),
                      "sm_70: its warps do not multiply matrices (m8n8k4_f64)");
}

static void kernels_compile(void **state) {
  (void)state;
  char version[64], why[FG_WHY_SIZE] = "";
  if (fg_cuda_compiler(version, sizeof version, why)) {
    print_message("SKIP: %s\n", why);
    skip();
  }
  for (int i = 0; i < FG_MATRIX_COUNT; i++) {
    matrix_kernel k = kernel_of(i);
    fg_cuda_image image;
    if (fg_cuda_compile(text_of(&k), "sm_90", &image, why)) fail_msg("%s: %s", k.layout.name, why);
    assert_int_equal(image.nusage, 1);
    assert_int_equal(image.usage[0].spill_stores, 0);
    fg_cuda_image_free(&image);
  }
}

/* ---- a device -------------------------------------------------------------------------------------- */

static double get(const void *x, bool wide, int i) { return wide ? ((const double *)x)[i] : ((const float *)x)[i]; }

static void put(void *x, bool wide, int i, double value) {
  if (wide) ((double *)x)[i] = value;
  if (!wide) ((float *)x)[i] = (float)value;
}

/* The relative error of all transforms, by the definition. */
static double error_of(const void *in, const void *out, bool wide) {
  double wrong = 0, all = 0;
  for (int b = 0; b < BATCH; b++)
    for (int k = 0; k < MATRIX_POINTS; k++) {
      double re = 0, im = 0;
      for (int j = 0; j < MATRIX_POINTS; j++) {
        double angle = -2 * 3.14159265358979323846 * j * k / MATRIX_POINTS;
        double x = get(in, wide, (b * MATRIX_POINTS + j) * 2), y = get(in, wide, (b * MATRIX_POINTS + j) * 2 + 1);
        re += x * cos(angle) - y * sin(angle), im += x * sin(angle) + y * cos(angle);
      }
      double r = get(out, wide, (b * MATRIX_POINTS + k) * 2) - re,
             i = get(out, wide, (b * MATRIX_POINTS + k) * 2 + 1) - im;
      wrong += r * r + i * i, all += re * re + im * im;
    }
  return sqrt(wrong / all);
}

static void run_on(const fg_device *device, fg_matrix shape) {
  static const double most[] = {
      [FG_MATRIX_M16N8K16_F16] = 1e-3, [FG_MATRIX_M16N8K8_TF32] = 1e-3, [FG_MATRIX_M8N8K4_F64] = 1e-15};
  matrix_kernel k = kernel_of((int)shape);
  bool wide = is_double(shape);
  size_t bytes = REALS * (wide ? sizeof(double) : sizeof(float));
  fg_launch launch = {
      .entry = "k_mma", .threads = FG_MATRIX_LANES, .cluster = 1, .narg = 2, .arg = {{false, 0}, {false, 1}}};
  fg_artifact a = {
      .dialect = "cuda", .name = "k", .source = text_of(&k), .nbuffer = 2, .nlaunch = 1, .launch = &launch};
  a.source_bytes = strlen(a.source);
  a.buffer[0] = (fg_arg_buffer){.name = "in", .kind = FG_ARG_IN, .bytes = bytes};
  a.buffer[1] = (fg_arg_buffer){.name = "out", .kind = FG_ARG_OUT, .bytes = bytes};
  void *in = calloc(1, bytes), *out = calloc(1, bytes);
  for (int i = 0; i < REALS; i++) put(in, wide, i, (double)((i * 37 + 11) % 64) / 64 - 0.5); /* exact in all types */
  char why[FG_WHY_SIZE] = "";
  fg_module *module = NULL;
  void *const slot[] = {in, out};
  if (device->build(&a, &module, why)) fail_msg("%s: %s", k.layout.name, why);
  if (device->run(module, &(fg_call){.slot = slot}, why)) fail_msg("%s: %s", k.layout.name, why);
  double error = error_of(in, out, wide);
  print_message("%s: relative error %.2e\n", k.layout.name, error);
  device->destroy(module);
  free(in), free(out);
  if (!(error < most[shape])) fail_msg("%s: relative error %g", k.layout.name, error);
}

static void kernels_run(void **state) {
  (void)state;
  const fg_device *device = fg_device_find("cuda");
  fg_device_facts facts;
  char why[FG_WHY_SIZE] = "";
  if (device->probe(&facts, why)) {
    print_message("SKIP: %s\n", why);
    skip();
  }
  for (int i = 0; i < FG_MATRIX_COUNT; i++) run_on(device, (fg_matrix)i);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_element_is_held_once),
      cmocka_unit_test(digits_are_those_of_the_isa),
      cmocka_unit_test_setup_teardown(kernels_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(exchanged_digits_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(lanes_that_part_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(operands_are_fragments_of_the_shape, setup, teardown),
      cmocka_unit_test_setup_teardown(text_is_that_of_the_shape, setup, teardown),
      cmocka_unit_test_setup_teardown(text_is_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(others_refuse, setup, teardown),
      cmocka_unit_test_setup_teardown(kernels_compile, setup, teardown),
      cmocka_unit_test_setup_teardown(kernels_run, setup, teardown)};
  return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}

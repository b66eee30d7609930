/* HIP without a GPU: what is emitted is the same every time; clang, with no header
 * of HIP's, makes machine code of it for each architecture, which keeps its
 * numbers in registers; and what the notes say is what the compiler says. */
#include "generator/pipeline/pipeline.h"
#include "targets/cc/process.h"
#include "targets/hip/compile.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const archs[] = {"gfx90a", "gfx942", "gfx1100", "gfx1201"};
enum { ARCHS = sizeof archs / sizeof *archs };
/* Of the two architectures of 64 lanes and the two of 32 one each, in turns. */
static int arch_of(int number, int k) { return 2 * k + (number + k) % 2; }

/* One problem for each form of kernel. */
static const struct form {
  const char *what, *problem, *plan;
  int least_waves; /* of a SIMD unit at once, on every architecture */
} forms[] = {
    {"one codelet through the block's memory", "c2c f32 n=8 batch=count[1..100000]", "direct(8)", 4},
    {"one codelet, strided", "c2c f64 n=8:5:3 batch=100:1:24", "direct(8)", 4},
    {"groups of transforms", "c2c f32 n=64 batch=count[1..100000]", "stockham(8,8)", 4},
    {"a block each, one memory", "c2c f32 n=4096 batch=7", "stockham(16,16,16)", 1},
    {"turns across a barrier", "c2c f32 n=1024 batch=5", "stockham(16,16,4)", 1},
    {"much local memory", "c2c f64 n=2048 batch=3 place=in", "stockham(16,16,8)", 1},
    {"a convolution in a block", "c2c f32 n=1009 batch=3", "bluestein(2048, stockham(16,16,8))", 1},
    {"passes", "c2c f32 n=65536 batch=2", "stockham(16,16,16,16)", 1},
    {"tiles", "c2c f32 n=8192", "four-step(stockham(8,8), stockham(16,8))", 1},
    {"split arrays", "c2c f64 n=100 batch=9 layout=split", "stockham(10,10)", 1},
};
enum { FORMS = sizeof forms / sizeof *forms };

typedef struct emitted { /* what outlives the arena */
  char *source;
  int nlaunch;
  struct {
    char entry[128];
    int threads;
    size_t local_bytes;
  } launch[16];
} emitted;

static emitted emit(const struct form *f) {
  fg_context cx = {.arena = fg_arena_create()};
  assert_non_null(cx.arena);
  assert_int_equal(fg_arena_guard(cx.arena), 0);
  fg_request request = {.problem = f->problem, .target = "hip", .plan = f->plan};
  fg_compilation c;
  if (fg_pipeline_compile(&cx, &request, &c) != FG_OK) fail_msg("%s: %s", f->what, cx.diag.message);
  const fg_artifact *a = &c.emitted.artifact;
  emitted e = {.source = strdup(a->source), .nlaunch = a->nlaunch};
  assert_true(a->nlaunch <= 16);
  for (int i = 0; i < a->nlaunch; i++) {
    snprintf(e.launch[i].entry, sizeof e.launch[i].entry, "%s", a->launch[i].entry);
    e.launch[i].threads = a->launch[i].threads;
    e.launch[i].local_bytes = a->launch[i].local_bytes;
  }
  fg_arena_destroy(cx.arena);
  return e;
}

/* Of a form, emitted once for all tests. */
static const emitted *emitted_of(int form) {
  static emitted made[FORMS];
  if (!made[form].source) made[form] = emit(&forms[form]);
  return &made[form];
}

static void same_text_twice(void **state) {
  (void)state;
  for (int i = 0; i < FORMS; i++) {
    emitted again = emit(&forms[i]);
    assert_string_equal(emitted_of(i)->source, again.source);
    free(again.source);
  }
}

/* ---- architectures ------------------------------------------------------------- */

static void architectures(void **state) {
  (void)state;
  for (int i = 0; i < ARCHS; i++) assert_non_null(fg_hip_arch_find(archs[i]));
  assert_ptr_equal(fg_hip_arch_find("gfx90a:sramecc+:xnack-"), fg_hip_arch_find("gfx90a"));
  assert_null(fg_hip_arch_find("gfx90"));
  assert_null(fg_hip_arch_find("gfx90abc"));
  assert_int_equal(fg_hip_arch_find("gfx942")->wave, 64);
  assert_int_equal(fg_hip_arch_find("gfx1100")->wave, 32);
}

static void occupancy(void **state) {
  (void)state;
  const fg_hip_arch *cdna = fg_hip_arch_find("gfx942"), *rdna = fg_hip_arch_find("gfx1100");
  fg_hip_usage u = {.vector_registers = 128};
  fg_hip_occupancy o = fg_hip_occupancy_of(cdna, &u, 256, 0);
  assert_int_equal(o.waves, 4); /* 512 / 128 */
  assert_int_equal(o.blocks, 4);
  assert_string_equal(o.limited, "registers");
  o = fg_hip_occupancy_of(cdna, &u, 256, 32 << 10);
  assert_int_equal(o.blocks, 2);
  assert_string_equal(o.limited, "memory");
  u.vector_registers = 129; /* a granule more */
  assert_int_equal(fg_hip_occupancy_of(cdna, &u, 256, 0).waves, 3);
  u.vector_registers = 97;
  assert_int_equal(fg_hip_occupancy_of(rdna, &u, 32, 0).waves, 12); /* 1536 / 120 */
  u.vector_registers = 8;
  assert_string_equal(fg_hip_occupancy_of(rdna, &u, 32, 0).limited, "waves");
  assert_int_equal(fg_hip_occupancy_of(rdna, &u, 1024, (64 << 10) + 1).blocks, 0);
}

/* ---- machine code ---------------------------------------------------------------- */

static void check_kernels(const struct form *f, const emitted *e, const char *arch, const fg_hip_code *code) {
  const fg_hip_arch *a = fg_hip_arch_find(arch);
  for (int i = 0; i < e->nlaunch; i++) {
    int threads = e->launch[i].threads;
    const fg_hip_usage *u = fg_hip_code_usage(code, e->launch[i].entry);
    if (!u) fail_msg("%s for %s: no note about %s", f->what, arch, e->launch[i].entry);
    fg_hip_occupancy o = fg_hip_occupancy_of(a, u, threads, e->launch[i].local_bytes);
    printf("%-8s %-40s %3d VGPR %3d SGPR %6zu LDS, %2d waves a SIMD (%s)\n", arch, f->what, u->vector_registers,
           u->scalar_registers, e->launch[i].local_bytes, o.waves, o.limited);
    if (u->vector_spills || u->scalar_spills || u->private_bytes)
      fail_msg("%s for %s: %s: %d vector, %d scalar registers spilled, %d bytes of stack", f->what, arch, u->kernel,
               u->vector_spills, u->scalar_spills, u->private_bytes);
    if (u->vector_registers < 8 || u->wave != a->wave || u->local_bytes != 0 || u->most_threads < threads)
      fail_msg("%s for %s: %s: %d registers, wave %d, %d bytes fixed, at most %d threads", f->what, arch, u->kernel,
               u->vector_registers, u->wave, u->local_bytes, u->most_threads);
    if (e->launch[i].local_bytes > a->block_bytes || o.waves < f->least_waves)
      fail_msg("%s for %s: %s: %zu bytes, %d waves", f->what, arch, u->kernel, e->launch[i].local_bytes, o.waves);
  }
}

static void compiles_everywhere(void **state) {
  (void)state;
  for (int i = 0; i < FORMS; i++) {
    const emitted *e = emitted_of(i);
    for (int k = 0; k < ARCHS / 2; k++) {
      const char *arch = archs[arch_of(i, k)];
      char why[FG_WHY_SIZE] = "";
      fg_hip_code code;
      if (fg_hip_compile(FG_HIP_CLANG, e->source, arch, &code, why))
        fail_msg("%s for %s: %s", forms[i].what, arch, why);
      assert_int_equal(code.nusage, e->nlaunch);
      check_kernels(&forms[i], e, arch, &code);
      fg_hip_code_free(&code);
    }
  }
}

/* The account of spills is no constant: a kernel that must spill says so. */
static void spills_are_seen(void **state) {
  (void)state;
  static const char source[] =
      "extern \"C\" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 1024)))\n"
      "void crowded(double *x) {\n"
      "  double v[96];\n"
      "  __attribute__((shared)) static double seen[32];\n"
      "  const int t = __builtin_amdgcn_workitem_id_x();\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < 96; ++i) v[i] = x[t + 1024 * i];\n"
      "  for (int k = 0; k < 64; ++k)\n"
      "#pragma unroll\n"
      "    for (int i = 0; i < 96; ++i) v[i] = v[i] * v[(i * 7 + 3) % 96] + v[95 - i];\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < 96; ++i) x[t + 1024 * i] = v[i];\n"
      "  seen[t % 32] = v[0];\n"
      "  x[t] = seen[(t + 1) % 32];\n"
      "}\n";
  for (int k = 0; k < ARCHS; k++) {
    char why[FG_WHY_SIZE] = "";
    fg_hip_code code;
    if (fg_hip_compile(FG_HIP_CLANG, source, archs[k], &code, why)) fail_msg("%s: %s", archs[k], why);
    assert_int_equal(code.nusage, 1);
    assert_string_equal(code.usage[0].kernel, "crowded");
    assert_true(code.usage[0].vector_spills > 0 && code.usage[0].private_bytes > 0);
    assert_int_equal(code.usage[0].local_bytes, 256);
    fg_hip_code_free(&code);
  }
}

static void errors_are_one_line(void **state) {
  (void)state;
  char why[FG_WHY_SIZE] = "";
  fg_hip_code code;
  assert_int_not_equal(fg_hip_compile(FG_HIP_CLANG, "void f() { nonsense; }", "gfx942", &code, why), 0);
  assert_non_null(strstr(why, "nonsense"));
  assert_null(strchr(why, '\n'));
  assert_int_not_equal(fg_hip_compile(FG_HIP_ANY, "", "gfx1", &code, why), 0);
  assert_non_null(strstr(why, "gfx1201"));
}

/* A file cut short anywhere, or with any byte of its head or note changed, is read without harm. */
static void damage_is_refused(void **state) {
  (void)state;
  static const char source[] = "extern \"C\" __attribute__((global)) void one(float *x) { *x = 1; }\n";
  char why[FG_WHY_SIZE] = "";
  fg_hip_code code;
  if (fg_hip_compile(FG_HIP_CLANG, source, "gfx942", &code, why)) fail_msg("%s", why);
  size_t whole = code.size;
  unsigned char *bytes = code.bytes;
  for (size_t size = 0; size < 1400 && size < whole; size++) {
    fg_hip_code *cut = malloc(sizeof *cut);
    *cut = (fg_hip_code){.bytes = malloc(size + 1), .size = size}; /* its own memory: a reader too far is seen */
    memcpy(cut->bytes, bytes, size);
    fg_hip_code_read(cut, why);
    fg_hip_code_free(cut);
    free(cut);
  }
  for (size_t at = 0; at < 1400 && at < whole; at++) {
    unsigned char kept = bytes[at];
    for (int change = 1; change < 256; change *= 3) {
      bytes[at] = (unsigned char)(kept ^ change);
      fg_hip_code_read(&code, why);
    }
    bytes[at] = kept;
  }
  assert_int_equal(fg_hip_code_read(&code, why), 0);
  code.size = 100;
  assert_int_not_equal(fg_hip_code_read(&code, why), 0);
  assert_non_null(strstr(why, "damaged"));
  code.size = whole;
  fg_hip_code_free(&code);
}

/* ---- the compiler's own account ------------------------------------------------------ */

static int number_after(const char *text, const char *what) {
  const char *at = text ? strstr(text, what) : NULL;
  return at ? atoi(at + strlen(what)) : -1;
}

/* What clang remarks while it compiles. */
static void remarks(const char *source, const char *arch, char *text, size_t size) {
  char path[] = "/tmp/fftgen-hip-XXXXXX", target[64];
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, source, strlen(source)), (ssize_t)strlen(source));
  close(fd);
  snprintf(target, sizeof target, "--offload-arch=%s", arch);
  const char *const argv[] = {"clang-19",
                              "-x",
                              "hip",
                              "--cuda-device-only",
                              target,
                              "-O3",
                              "-nogpulib",
                              "-nogpuinc",
                              "-ffp-contract=fast",
                              "-DFFTGEN_NO_HEADERS",
                              "-Rpass-analysis=kernel-resource-usage",
                              "-S",
                              path,
                              "-o",
                              "/dev/null",
                              NULL};
  int status =
      fg_process_run(&(fg_process){.argv = (char *const *)(uintptr_t)argv, .seconds = 100, .text = text, .size = size});
  unlink(path);
  assert_int_equal(status, 0);
}

static void agrees_with_remarks(void **state) {
  (void)state;
  static char text[1 << 16];
  char why[FG_WHY_SIZE];
  if (fg_process_run(&(fg_process){
          .argv = (char *[]){"clang-19", "--version", NULL}, .seconds = 20, .text = text, .size = sizeof text})) {
    printf("SKIP: no clang-19 in PATH\n");
    skip();
  }
  for (int i = 0; i < FORMS; i += 3)
    for (int k = 0; k < ARCHS / 2; k++) {
      const emitted *e = emitted_of(i);
      const char *arch = archs[arch_of(i, k)];
      fg_hip_code code;
      remarks(e->source, arch, text, sizeof text);
      if (fg_hip_compile(FG_HIP_CLANG, e->source, arch, &code, why)) fail_msg("%s", why);
      for (int l = 0; l < code.nusage; l++) {
        const fg_hip_usage *u = &code.usage[l];
        char name[160];
        snprintf(name, sizeof name, "Function Name: %s ", u->kernel);
        const char *at = strstr(text, name);
        assert_non_null(at);
        assert_int_equal(number_after(at, " SGPRs: "), u->scalar_registers);
        assert_int_equal(number_after(at, " VGPRs: "), u->vector_registers);
        assert_int_equal(number_after(at, "ScratchSize [bytes/lane]: "), u->private_bytes);
        assert_int_equal(number_after(at, "VGPRs Spill: "), u->vector_spills);
        int waves = fg_hip_occupancy_of(fg_hip_arch_find(arch), u, u->wave, 0).waves;
        if (number_after(at, "Occupancy [waves/SIMD]: ") != waves)
          fail_msg("%s for %s: %d waves, the compiler says %d", forms[i].what, arch, waves,
                   number_after(at, "Occupancy [waves/SIMD]: "));
      }
      fg_hip_code_free(&code);
    }
}

/* hiprtc, where it is: text of the same kernels, for what it knows; what it does not know ends its child alone. */
static void by_hiprtc(void **state) {
  (void)state;
  char version[128], why[FG_WHY_SIZE] = "";
  if (fg_hip_compiler_here(FG_HIP_HIPRTC, version, sizeof version, why)) {
    printf("SKIP: %s\n", why);
    skip();
  }
  fg_hip_code code;
  for (int i = 0; i < 3; i++) {
    const emitted *e = emitted_of(i);
    if (fg_hip_compile(FG_HIP_HIPRTC, e->source, "gfx90a", &code, why)) fail_msg("%s: %s", forms[i].what, why);
    check_kernels(&forms[i], e, "gfx90a", &code);
    fg_hip_code_free(&code);
    if (fg_hip_compile(FG_HIP_HIPRTC, e->source, "gfx1201", &code, why) == 0)
      fg_hip_code_free(&code);
    else
      assert_non_null(strstr(why, "gfx1201"));
  }
  assert_int_not_equal(fg_hip_compile(FG_HIP_HIPRTC, "void f() { nonsense; }", "gfx90a", &code, why), 0);
  assert_non_null(strstr(why, "nonsense"));
}

int main(void) {
  const struct CMUnitTest text[] = {cmocka_unit_test(same_text_twice), cmocka_unit_test(architectures),
                                    cmocka_unit_test(occupancy)};
  const struct CMUnitTest compiled[] = {cmocka_unit_test(compiles_everywhere), cmocka_unit_test(spills_are_seen),
                                        cmocka_unit_test(errors_are_one_line), cmocka_unit_test(damage_is_refused),
                                        cmocka_unit_test(agrees_with_remarks), cmocka_unit_test(by_hiprtc)};
  char version[128], why[FG_WHY_SIZE];
  int failed = cmocka_run_group_tests_name("text", text, NULL, NULL);
  if (failed) return failed;
  if (fg_hip_compiler_here(FG_HIP_CLANG, version, sizeof version, why)) {
    printf("SKIP: %s\n", why);
    return 77;
  }
  return cmocka_run_group_tests_name("compiled", compiled, NULL, NULL);
}

/* CUDA text as assembly, without a GPU: what is known is written as it should be, what is not known is refused, and
 * NVRTC makes machine code of the rest that keeps its numbers in registers (test_cuda.c; on a GPU device.cuda.recipes
 * compares the results). */
#include "targets/cuda/nvrtc_api.h"
#include "targets/cuda/ptx.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "extern \"C\" __global__ void __launch_bounds__(128) k("
#define PLAIN HEAD "const float *__restrict__ in, float *__restrict__ out) {\n"

/* Statements, and what is to be in their assembly; NULL: they are refused. */
static const struct row {
  const char *what, *text, *has, *lacks;
} rows[] = {
    {"a load of what nobody stores to", PLAIN "out[1] = in[threadIdx.x + 3];\n}\n", "ld.global.nc.f32 f0, [q2+12];",
     NULL},
    {"an element before another", PLAIN "out[threadIdx.x - 2] = 1.0f;\n}\n", "[q2+-8]", "[q2-8]"},
    {"the same place once", PLAIN "out[0] = in[5] + in[5];\n}\n", "add.f32 f1, f0, f0;", "f2,"},
    {"products and sums are fused", PLAIN "out[0] = in[0] * in[1] - in[2];\n}\n", "fma.rn.f32", "mul"},
    {"a constant's sign", PLAIN "out[0] = in[0] - 0.5f * in[1];\n}\n", "fma.rn.f32 f2, 0fBF000000, f1, f0;", "neg"},
    {"a division by a power of two", PLAIN "out[threadIdx.x / 16] = 1.0f;\n}\n", "shr.u32 r1, r0, 4;", "div"},
    {"a division by another number", PLAIN "out[threadIdx.x / 7] = 1.0f;\n}\n", "mul.lo.s32", "div"},
    {"a remainder that is none", PLAIN "out[threadIdx.x % 128] = 1.0f;\n}\n", "mad.wide.s32 q2, r0, 4, q1;", "and"},
    {"a condition that always holds", PLAIN "if (threadIdx.x < 128) {\nout[0] = 1.0f;\n}\n}\n", "st.global.f32 [q1]",
     "setp"},
    {"a condition", PLAIN "const int ok = threadIdx.x < 5;\nout[0] = ok ? in[0] : 0;\n}\n", "@p0 ld.global.nc.f32 f0",
     NULL},
    {"a load under one", PLAIN "out[0] = fftgen_load_where(in + 1, threadIdx.x < 5);\n}\n",
     "@p0 ld.global.nc.f32 f0, [q0+4]", "bra"},
    {"a load under one that never holds", PLAIN "out[0] = fftgen_load_where(in + 1, 0);\n}\n", NULL, NULL},
    {"a loop that stays: some iterations are together",
     PLAIN "for (int i = 0; i < 600; i += 2) {\nout[i] = in[i];\n}\n}\n", "add.s32 r0, r0, 10;", "add.s32 r0, r0, 2;"},
    {"stores under one", PLAIN "if (threadIdx.x < 5) {\nout[0] = 1.0f;\n}\n}\n", "@p0 st.global.f32", "bra"},
    {"a loop that is unrolled", PLAIN "#pragma unroll\nfor (int i = 0; i < 3; ++i) {\nout[i] = 1.0f;\n}\n}\n",
     "[q1+8], f2;", "bra"},
    {"an array across a barrier", PLAIN "float hold[2];\nhold[1] = in[1];\n__syncthreads();\nout[0] = hold[1];\n}\n",
     "bar.sync 0;", NULL},
    {"a block's memory",
     PLAIN "extern __shared__ double2 fftgen_local[];\nfloat *const w = (float *)fftgen_local + 4;\n"
           "*(float2 *)(w + threadIdx.x) = float2{1.0f, 0};\n}\n",
     "st.shared.v2.f32", NULL},
    {"numbers of blocks beyond 2^31",
     HEAD "float *__restrict__ out, const unsigned block) {\n"
          "const long long b = 16 * (blockIdx.x);\nout[b] = 1.0f;\n}\n",
     "cvt.u64.u32", "cvt.s64.s32"},
    {"bytes", HEAD "const unsigned char *__restrict__ in, float *__restrict__ out) {\nout[0] = (float)in[3];\n}\n",
     "ld.global.nc.u8 r0, [q0+3];\\n\"\n      \"cvt.rn.f32.u32 f0, r0;", NULL},
    {"16 bits with a sign",
     HEAD "const short *__restrict__ in, float *__restrict__ out) {\nout[0] = (float)in[3];\n}\n",
     "ld.global.nc.s16 r0, [q0+6];\\n\"\n      \"cvt.rn.f32.s32 f0, r0;", NULL},
    {"bytes under a condition",
     HEAD "const unsigned char *__restrict__ in, float *__restrict__ out) {\n"
          "const int ok = threadIdx.x < 5;\nout[0] = ok ? (float)in[0] : 0;\n}\n",
     "mov.u32 r1, 0;\\n\"\n      \"@p0 ld.global.nc.u8 r1, [q0];", "bra"},
    {"a byte that is stored",
     "unsigned char low(float x) {\nunsigned h;\nasm(\"mov.b32 %0, %1;\" : \"=r\"(h) : \"f\"(x));\n"
     "return (unsigned char)h;\n}\n" HEAD "const float *__restrict__ in, unsigned char *__restrict__ out) {\n"
     "out[threadIdx.x] = low(in[0]);\n}\n",
     "st.global.u8 [q2], r1;", NULL},
    {"a result in place of its argument",
     "float root(float x) {\nasm(\"sqrt.approx.f32 %0, %1;\" : \"=f\"(x) : \"f\"(x));\nreturn x;\n}\n" PLAIN
     "out[0] = root(in[0]);\n}\n",
     "sqrt.approx.f32 f1, f0;", NULL},
    {"functions", PLAIN "out[0] = fminf(fabsf(in[0]), fmaxf(in[1], 2.0f)) / in[2];\n}\n",
     "min.f32 f4, f1, f3;\\n\"\n      \"ld.global.nc.f32 f5, [q0+8];\\n\"\n      \"div.rn.f32 f6, f4, f5;", NULL},
    {"a power", PLAIN "out[0] = expf(in[0]);\n}\n", "ex2.approx.ftz.f32 u, u; mul.f32 f1, u, n; }\\n", NULL},
    {"a quotient by a power of two", PLAIN "out[0] = in[0] / 8.0f;\n}\n", "mul.rn.f32 f1, f0, 0f3E000000;", "div"},
    {"doubles from floats",
     HEAD "const float *__restrict__ in, double *__restrict__ out) {\nout[0] = (double)in[0];\n}\n",
     "cvt.f64.f32 d0, f0;", NULL},
    {"a byte as a number that is computed with",
     HEAD "const float *__restrict__ in, unsigned char *__restrict__ out) {\n"
          "out[0] = (unsigned char)threadIdx.x + 1;\n}\n",
     NULL, NULL},
    {"a barrier under a condition",
     "float wait(const float *p) {\n__syncthreads();\nreturn p[0];\n}\n" PLAIN
     "const int ok = threadIdx.x < 5;\nout[0] = ok ? wait(in) : 0;\n}\n",
     NULL, NULL},
    {"an unknown call", PLAIN "nonsense();\n}\n", NULL, NULL},
    {"a name without a value", PLAIN "float x;\nout[0] = x;\n}\n", NULL, NULL},
    {"a value that not all threads have",
     PLAIN "float x = 1.0f;\nif (threadIdx.x < 5) {\nx = in[0];\n__syncthreads();\n}\nout[0] = x;\n}\n", NULL, NULL},
    {"a sum over the turns of a loop",
     PLAIN "float x = 1.0f;\nfor (int i = 0; i < 4096; ++i) {\nx = x + in[i];\n}\nout[0] = x;\n}\n", NULL, NULL},
    {"a division of negative numbers", PLAIN "const int i = threadIdx.x;\nout[(i - 9) / 4] = 1.0f;\n}\n", NULL, NULL},
    {"a choice between numbers", PLAIN "out[0] = threadIdx.x < 5 ? 1.0f : 2.0f;\n}\n", NULL, NULL},
};

static void as_it_should_be(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char why[FG_WHY_SIZE] = "", *text = fg_ptx_translate(rows[i].text, why);
    if (!text != !rows[i].has) fail_msg("%s: %s", rows[i].what, text ? text : why);
    if (!text && !*why) fail_msg("%s: no reason", rows[i].what);
    if (text && !strstr(text, rows[i].has)) fail_msg("%s: no %s in %s", rows[i].what, rows[i].has, text);
    const char *body = text ? strstr(text, "cvta") : NULL;
    if (body && rows[i].lacks && strstr(body, rows[i].lacks))
      fail_msg("%s: %s in %s", rows[i].what, rows[i].lacks, text);
    free(text);
  }
}

static void compiles(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char why[FG_WHY_SIZE] = "";
    fg_cuda_image image;
    if (!rows[i].has) continue;
    char *text = fg_ptx_translate(rows[i].text, why);
    if (!text || fg_cuda_compile(text, "sm_90", &image, why)) fail_msg("%s: %s", rows[i].what, why);
    free(text);
    fg_cuda_image_free(&image);
  }
}

int main(void) {
  const struct CMUnitTest text[] = {cmocka_unit_test(as_it_should_be)}, compiled[] = {cmocka_unit_test(compiles)};
  char version[64], why[FG_WHY_SIZE];
  int failed = cmocka_run_group_tests_name("text", text, NULL, NULL);
  if (failed) return failed;
  if (fg_cuda_compiler(version, sizeof version, why)) return 77;
  return cmocka_run_group_tests_name("compiled", compiled, NULL, NULL);
}

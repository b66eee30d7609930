/* HIP: CUDA C++ with a few fields changed. Taken by hipcc, by hiprtc, and by clang
 * alone: the preamble has the words that are needed where there is no header. */
#include "targets/cuda_family.h"
#include "targets/storage.h"

static const char preamble[] =
    "#if defined(__HIPCC_RTC__) /* hiprtc: all words are built in */\n"
    "#elif __has_include(<hip/hip_runtime.h>) && !defined(FFTGEN_NO_HEADERS)\n"
    "#include <hip/hip_runtime.h>\n"
    "#elif !defined(FFTGEN_HIP_WORDS) /* clang -x hip -nogpulib -nogpuinc: the words that are used below */\n"
    "#define FFTGEN_HIP_WORDS\n"
    "#define __global__ __attribute__((global))\n"
    "#define __device__ __attribute__((device))\n"
    "#define __shared__ __attribute__((shared))\n"
    "#define __forceinline__ inline __attribute__((always_inline))\n"
    "#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))\n"
    "typedef float float2 __attribute__((ext_vector_type(2)));\n"
    "typedef double double2 __attribute__((ext_vector_type(2)));\n"
    "__device__ __forceinline__ void __syncthreads() {\n"
    "  __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\");\n"
    "  __builtin_amdgcn_s_barrier();\n"
    "  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\");\n"
    "}\n"
    "struct fftgen_index { unsigned x; };\n"
    "#define threadIdx (fftgen_index{__builtin_amdgcn_workitem_id_x()})\n"
    "#define blockIdx (fftgen_index{__builtin_amdgcn_workgroup_id_x()})\n"
    "#endif\n";

/* Logarithms are in a device library, which clang alone has not. With x = 2^e m and s = (m - 1) / (m + 1), log m is
 * 2 (s + s^3 / 3 + s^5 / 5 ...); m from sqrt(1/2) to sqrt(2), s^2 is below 0.0295, and the 12 terms leave less than
 * 2^-60. */
#define LOGARITHM(name, guard, of_two, twice)                                                                          \
  "#ifndef FFTGEN_HIP_" guard " /* no device library is needed */\n"                                                   \
  "#define FFTGEN_HIP_" guard "\n"                                                                                     \
  "__device__ __forceinline__ double fftgen_" name "(double x) {\n"                                                    \
  "  union {\n"                                                                                                        \
  "    double x;\n"                                                                                                    \
  "    unsigned long long bits;\n"                                                                                     \
  "  } m;\n"                                                                                                           \
  "  int e = -1023;\n"                                                                                                 \
  "  m.x = x;\n"                                                                                                       \
  "  if (m.bits == 0x7ff0000000000000ull || x != x) return x; /* infinity or NaN */\n"                                 \
  "  if (m.bits << 1 == 0) m.bits = 0xfff0000000000000ull;\n"                                                          \
  "  else if (m.bits >> 63) m.bits = 0x7ff8000000000000ull;\n"                                                         \
  "  if (m.bits >= 0x7ff0000000000000ull) return m.x;\n"                                                               \
  "  if (m.bits < 0x0010000000000000ull) {\n"                                                                          \
  "    m.x *= 18014398509481984.0; /* 2^54 */\n"                                                                       \
  "    e -= 54;\n"                                                                                                     \
  "  }\n"                                                                                                              \
  "  e += (int)(m.bits >> 52);\n"                                                                                      \
  "  m.bits = (m.bits & 0x000fffffffffffffull) | 0x3ff0000000000000ull;\n"                                             \
  "  if (m.x > 1.4142135623730951) {\n"                                                                                \
  "    m.x *= 0.5;\n"                                                                                                  \
  "    e += 1;\n"                                                                                                      \
  "  }\n"                                                                                                              \
  "  double s = (m.x - 1.0) / (m.x + 1.0), square = s * s, sum = 0.0;\n"                                               \
  "  for (int k = 23; k > 1; k -= 2) sum = sum * square + 1.0 / k;\n"                                                  \
  "  return e * " of_two " + (s + s * square * sum) * " twice ";\n"                                                    \
  "}\n"                                                                                                                \
  "__device__ __forceinline__ float fftgen_" name "f(float x) { return (float)fftgen_" name "((double)x); }\n"         \
  "#endif\n"

/* With x = k log 2 + r, |r| <= log(2) / 2, the series' first 15 terms leave less than 2^-60. */
static const char exp_function[] =
    "#ifndef FFTGEN_HIP_EXP /* no device library is needed */\n"
    "#define FFTGEN_HIP_EXP\n"
    "__device__ __forceinline__ double fftgen_exp(double x) {\n"
    "  union {\n"
    "    unsigned long long bits;\n"
    "    double x;\n"
    "  } m;\n"
    "  if (x != x) return x;\n"
    "  if (x > 709.8 || x < -745.2) {\n"
    "    m.bits = x > 0 ? 0x7ff0000000000000ull : 0;\n"
    "    return m.x;\n"
    "  }\n"
    "  int k = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5)), half = k / 2;\n"
    "  double r = x - k * 0.6931471803691238, sum = 1.0;\n"
    "  r -= k * 1.9082149292705877e-10;\n"
    "  for (int i = 14; i > 0; --i) sum = sum * r / i + 1.0;\n"
    "  m.bits = (unsigned long long)(1023 + half) << 52;\n"
    "  sum *= m.x;\n"
    "  m.bits = (unsigned long long)(1023 + k - half) << 52;\n"
    "  return sum * m.x;\n"
    "}\n"
    "__device__ __forceinline__ float fftgen_expf(float x) { return (float)fftgen_exp((double)x); }\n"
    "#endif\n";

static const fg_host_word words[] = {
    {"api", "the HIP runtime API"},
    {"compile_flags", "-D__HIP_PLATFORM_AMD__ -I ROCM/include"},
    {"link_flags", "-lamdhip64 -lm"},
    {"image", "as code object, for the device that is current"},
    {"image_extension", "co"},
    {"header", "hip/hip_runtime_api.h"},
    {"memory", "hipDeviceptr_t"},
    {"offset", "(char *)memory + bytes"},
    {"status", "hipError_t"},
    {"stream", "hipStream_t"},
    {"module", "hipModule_t"},
    {"function", "hipFunction_t"},
    {"success", "hipSuccess"},
    {"no_memory", "hipErrorOutOfMemory"},
    {"no_file", "hipErrorFileNotFound"},
    {"load", "hipModuleLoadData"},
    {"unload", "hipModuleUnload"},
    {"get_function", "hipModuleGetFunction"},
    {"shared_memory_limit", ""}, /* all of shared memory is there without asking */
    {"cluster_scheduling", ""},
    {"set_carveout", ""}, /* and none of it is L1's */
    {"allocate", "hipMalloc"},
    {"free", "hipFree"},
    {"upload", "hipMemcpyHtoD"},
    {"download", "hipMemcpyDtoH"},
    {"launch", "hipModuleLaunchKernel"},
    {"open_device", "check(\"hipSetDevice\", hipSetDevice(0));"},
    {NULL, NULL},
};

static const fg_lane_form lanes = {
    .preamble = "#if defined(FFTGEN_HIP_WORDS) && defined(__HIP__) /* no header */\n"
                "template <class T> static __device__ __forceinline__ T __shfl_xor(T x, int bits) {\n"
                "  int word[sizeof(T) / 4], lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));\n"
                "  __builtin_memcpy(word, &x, sizeof x);\n"
                "  for (unsigned i = 0; i < sizeof(T) / 4; ++i)\n"
                "    word[i] = __builtin_amdgcn_ds_bpermute(4 * (lane ^ bits), word[i]);\n"
                "  __builtin_memcpy(&x, word, sizeof x);\n"
                "  return x;\n"
                "}\n"
                "#endif\n"
                "template <class T> static __device__ __forceinline__ T fftgen_from_lane(T x, int bits) {\n"
                "  return __shfl_xor(x, bits);\n"
                "}\n",
    .space = "",
};

const fg_dialect fg_dialect_hip = {
    FG_CUDA_FAMILY,
    .stage_restrict_word = "__restrict__ ",
    .kernel_qualifier = "extern \"C\" __global__ void __launch_bounds__(%N)",
    .name = "hip",
    .reserved = FG_C_FAMILY_WORDS " dim3 float2 double2 threadIdx blockIdx blockDim gridDim warpSize",
    .extension = ".hip",
    .note_code = "gfx942",
    .note =
        "Build: hipcc --genco --offload-arch=gfx942, or hiprtc, or, without any header, clang and its lld:\n"
        "clang -x hip --cuda-device-only --offload-arch=gfx942 -O3 -nogpulib -nogpuinc -DFFTGEN_NO_HEADERS \\\n"
        "  --no-gpu-bundle-output NAME.hip -o NAME.co\n"
        "Launch: the manifest beside this file lists grids, arguments and tables. The C source beside it launches.\n"
        "NAME_device is a function for kernels of your own: all threads of a block call it, with the number of\n"
        "the block in the grid and with local_bytes of shared memory.",
    .host_word = words,
    .host_is_library = true,
    .storage = fg_dialect_storage_hip,
    .lane = &lanes,
    .call = {[FG_CALL_SQRT] = "__builtin_sqrt%F(%a)",
             [FG_CALL_LOG10] = "fftgen_log10%F(%a)",
             [FG_CALL_LOG] = "fftgen_log%F(%a)",
             [FG_CALL_EXP] = "fftgen_exp%F(%a)",
             [FG_CALL_ABS] = "__builtin_fabs%F(%a)",
             [FG_CALL_MIN] = "__builtin_fmin%F(%a, %b)",
             [FG_CALL_MAX] = "__builtin_fmax%F(%a, %b)",
             [FG_CALL_DIVIDE] = "%a / %b"},
    .call_function = {[FG_CALL_LOG10] = LOGARITHM("log10", "LOG10", "0.30102999566398120", "0.86858896380650366"),
                      [FG_CALL_LOG] = LOGARITHM("log", "LOG", "0.69314718055994531", "2.0"),
                      [FG_CALL_EXP] = exp_function},
    .preamble = preamble,
    .machine = "hip",
};

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

static const fg_host_word words[] = {
    {"api", "the HIP runtime API"},
    {"compile_flags", "-D__HIP_PLATFORM_AMD__ -I ROCM/include"},
    {"link_flags", "-lamdhip64 -lm"},
    {"image", "as code object, for the device that is current"},
    {"image_extension", "co"},
    {"header", "hip/hip_runtime_api.h"},
    {"memory", "hipDeviceptr_t"},
    {"beyond", "(char *)memory + bytes"},
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
    {"raise", ""}, /* all of a block's memory is there without asking */
    {"balance", ""},
    {"share", ""}, /* and none of it is the first cache's */
    {"allocate", "hipMalloc"},
    {"free", "hipFree"},
    {"upload", "hipMemcpyHtoD"},
    {"download", "hipMemcpyDtoH"},
    {"launch", "hipModuleLaunchKernel"},
    {"open_device", "check(\"hipSetDevice\", hipSetDevice(0));"},
    {NULL, NULL},
};

const fg_dialect fg_dialect_hip = {
    FG_CUDA_FAMILY,
    .stage_restrict_word = "__restrict__ ",
    .kernel_qualifier = "extern \"C\" __global__ void __launch_bounds__(%N)",
    .name = "hip",
    .reserved = FG_C_FAMILY_WORDS " dim3 float2 double2 threadIdx blockIdx blockDim gridDim warpSize",
    .extension = ".hip",
    .note_code = "gfx942",
    .note = "Build: hipcc --genco --offload-arch=gfx942, or hiprtc, or without any header\n"
            "clang -x hip --cuda-device-only --offload-arch=gfx942 -O3 -nogpulib -nogpuinc, linked by lld.\n"
            "Launch: the manifest beside this file has grids, arguments and tables; the C source beside it does it.\n"
            "NAME_device is the same for kernels of your own: all threads of a block call it with the number of\n"
            "the block of the grid that it stands for, and shared memory of local_bytes.",
    .host_word = words,
    .storage = fg_storage_hip,
    .call = {[FG_CALL_SQRT] = "__builtin_sqrt%F(%a)"}, /* logarithms need a device library */
    .preamble = preamble,
    .machine = "hip",
};

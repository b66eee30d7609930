/* CUDA C++, as nvcc and NVRTC take it without a header: a block is a block. Each
 * kernel's code is a __device__ function as well, for kernels of others. */
#include "targets/c_family.h"

static const fg_function_form function_form = {
    .suffix = "_device",
    .qualifier = "static __device__ __forceinline__ void",
    .block = "const unsigned block",
    .local = "%T *local",
    .given_block = "blockIdx.x",
    .given_local = "(%T *)fftgen_local",
    .declare_local = "extern __shared__ double2 fftgen_local[];",
};

const fg_dialect fg_dialect_cuda = {
    .name = "cuda",
    .extension = ".cu",
    .note = "Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.\n"
            "Launch: the manifest beside this file has grids, arguments and tables; the C source beside it does it.\n"
            "NAME_device is the same for kernels of your own: all threads of a block call it with the number of\n"
            "the block of the grid that it stands for, and shared memory of local_bytes.",
    .host = "cuda_host.tmpl",
    .real = {NULL, NULL, "float", "double"},
    .literal_suffix = {"", "", "f", ""},
    .index_type = "long long",
    .small_index_type = "int",
    .lookup_type = "int",
    .preamble = "",
    .function_qualifier = "static __device__ __forceinline__ void",
    .kernel_qualifier = "extern \"C\" __global__ void __launch_bounds__(%N)",
    .restrict_word = "__restrict__ ",
    .stage_restrict_word = "__restrict__ ",
    .global_space = "",
    .local_space = "",
    .local_array = "%T *const %v = local + %i;",
    .function_form = &function_form,
    .block_id = "block",
    .thread_id = "threadIdx.x",
    .barrier_block = "__syncthreads();",
    .unroll = "#pragma unroll",
    .tables = FG_TABLES_EACH,
    .op = FG_C_FAMILY_OPS,
    .pair = {NULL, NULL, "float2", "double2"},
    .pair_at = "*(%S%P *)(%p)",
    .pair_make = "make_%P(%a, %b)",
    .pair_part = {"%v.x", "%v.y"},
    .usual_local_bytes = 160 << 10, /* of 163 KiB that compute capability 8.0 gives a block, 227 in 9.0 */
    .usual_threads = 1024,
    .usual_registers = 255,
};

/* Spellings common to CUDA C++ and HIP: fields of a dialect. */
#ifndef FG_CUDA_FAMILY_H
#define FG_CUDA_FAMILY_H
#include "targets/c_family.h"

/* clang-format off */
#define FG_CUDA_FAMILY                                                        \
  .real = {NULL, NULL, "float", "double"},                                    \
  .literal_suffix = {"", "", "f", ""},                                        \
  .index_type = "long long",                                                  \
  .small_index_type = "int",                                                  \
  .lookup_type = "int",                                                       \
  .function_qualifier = "static __device__ __forceinline__ void",             \
  .restrict_word = "__restrict__ ",                                           \
  .global_space = "",                                                         \
  .local_space = "",                                                          \
  .qualifiers = "__shared__ __device__ __global__ __forceinline__ __restrict__ "  \
            "extern __attribute__ __launch_bounds__ __cluster_dims__",        \
  .local_array = "%T *const %v = local + %i;",                                \
  .local_narrow = "%b *const %v = (%b *)(local + %i);",                       \
  .function_form = &fg_cuda_function_form,                                    \
  .block_id = "block",                                                        \
  .thread_id = "threadIdx.x",                                                 \
  .barrier_block = "__syncthreads();",                                        \
  .unroll = "#pragma unroll",                                                 \
  .tables = FG_TABLES_EACH,                                                   \
  .op = FG_C_FAMILY_OPS,                                                      \
  .pair = {NULL, NULL, "float2", "double2"},                                  \
  .pair_at = "*(%S%P *)(%p)",                                                 \
  .pair_make = "%P{%a, %b}",                                                  \
  .pair_part = {"%v.x", "%v.y"},                                              \
  .host = "driver_host.tmpl"
/* clang-format on */

/* Each kernel's code is a __device__ function as well, for kernels of others. */
extern const fg_function_form fg_cuda_function_form;
#endif

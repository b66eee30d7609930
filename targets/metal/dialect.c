/* Metal Shading Language 2.2: a threadgroup is a block. A kernel's arguments are numbered, and the last ones tell its
 * thread and its block. */
#include "targets/c_family.h"
#include "targets/storage.h"

extern const fg_storage_row fg_dialect_storage_metal[];

static const fg_arguments_form arguments = {
    .array = "%v [[buffer(%i)]]",
    .number = "constant %b &%v [[buffer(%i)]]",
    .own = "uint thread_id [[thread_position_in_threadgroup]], uint block_id [[threadgroup_position_in_grid]]",
    .stage = "const uint thread_id",
    .given = "thread_id",
    .most = 31, /* Metal Feature Set Tables: entries of the buffer argument table */
};

static const fg_lane_form lanes = {
    .preamble = "static inline float fftgen_from_lane(float x, ushort bits) { return simd_shuffle_xor(x, bits); }\n",
    .space = "thread ",
};

const fg_dialect fg_dialect_metal = {
    .name = "metal",
    .reserved = FG_C_FAMILY_WORDS
    " metal kernel thread vertex fragment device constant threadgroup threadgroup_imageblock ray_data "
    "object_data half bfloat uchar ushort uint ulong float2 half2 uchar2 short2 access sampler "
    "texture buffer thread_id block_id",
    .qualifiers = "device threadgroup constant thread inline alignas __attribute__",
    .extension = ".metal",
    .note = "Build: xcrun metal -O2 -fno-fast-math NAME.metal -o NAME.metallib, or newLibrary with this text and\n"
            "without fast math, Metal 2.2.\n"
            "Launch: the manifest beside this file lists grids, arguments and tables.\n"
            "The C++ source beside it launches.",
    .host = "metal_host.tmpl",
    .host_ending = "_host.cpp",
    .host_is_library = true,
    .real = {NULL, NULL, "float", NULL},
    .literal_suffix = {"", "", "f", ""},
    .index_type = "long",
    .small_index_type = "int",
    .lookup_type = "int",
    .preamble = "#include <metal_stdlib>\nusing namespace metal;\n",
    .function_qualifier = "static inline __attribute__((always_inline)) void",
    .kernel_qualifier = "[[kernel, max_total_threads_per_threadgroup(%N)]] void",
    .restrict_word = "",
    .stage_restrict_word = "",
    .global_space = "device ",
    .local_space = "threadgroup ",
    .local_array = "alignas(16) threadgroup %T %v[%a];",
    .local_narrow = "alignas(16) threadgroup %b %v[%c];",
    .arguments = &arguments,
    .lane = &lanes,
    .block_id = "block_id",
    .thread_id = "thread_id",
    .barrier_block = "threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);",
    .unroll = "#pragma unroll",
    .tables = FG_TABLES_EACH,
    .op = FG_C_FAMILY_OPS,
    .storage = fg_dialect_storage_metal,
    .call = {[FG_CALL_SQRT] = "sqrt(%a)",
             [FG_CALL_LOG10] = "log10(%a)",
             [FG_CALL_LOG] = "log(%a)",
             [FG_CALL_EXP] = "exp(%a)",
             [FG_CALL_ABS] = "fabs(%a)",
             [FG_CALL_MIN] = "fmin(%a, %b)",
             [FG_CALL_MAX] = "fmax(%a, %b)",
             [FG_CALL_DIVIDE] = "%a / %b"},
    .pair = {NULL, NULL, "float2", NULL},
    .pair_at = "*(%S%P *)(%p)",
    .pair_make = "%P(%a, %b)",
    .pair_part = {"%v.x", "%v.y"},
    .machine = "apple7",
    .machines = "apple7",
};

/* OpenCL C 1.2: a work-group is a block, a work-item a thread. */
#include "targets/c_family.h"
#include "targets/storage.h"

/* Of numbers and of vectors. */
#define CALLS                                                                                                          \
  {                                                                                                                    \
    [FG_CALL_SQRT] = "sqrt(%a)", [FG_CALL_LOG10] = "log10(%a)", [FG_CALL_LOG] = "log(%a)", [FG_CALL_EXP] = "exp(%a)",  \
    [FG_CALL_ABS] = "fabs(%a)", [FG_CALL_MIN] = "fmin(%a, %b)", [FG_CALL_MAX] = "fmax(%a, %b)",                        \
    [FG_CALL_DIVIDE] = "%a / %b",                                                                                      \
  }

const fg_dialect fg_dialect_opencl = {
    .name = "opencl",
    .reserved =
        FG_C_FAMILY_WORDS " half kernel global local constant read_only write_only read_write generic pipe uchar "
                          "ushort uint ulong float2 double2 barrier",
    .qualifiers = "__global __local __kernel restrict __attribute__",
    .extension = ".cl",
    .note = "Build: clBuildProgram without options, OpenCL C 1.2.\n"
            "Launch: the manifest beside this file lists grids, arguments and tables.\n"
            "The program beside it launches.",
    .host = "opencl_host.tmpl",
    .real = {NULL, NULL, "float", "double"},
    .literal_suffix = {"", "", "f", ""},
    .index_type = "long",
    .small_index_type = "int",
    .lookup_type = "int",
    .preamble = "",
    .preamble_by_real = {NULL, NULL, NULL, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"},
    .exact_preamble = "#pragma OPENCL FP_CONTRACT OFF\n",
    /* PoCL 3.1 gives a function that is too long to be inlined by itself the numbers of the wrong work-item */
    .function_qualifier = "static __attribute__((always_inline)) void",
    .kernel_qualifier = "__kernel __attribute__((reqd_work_group_size(%N, 1, 1))) void",
    .restrict_word = "restrict ",
    .stage_restrict_word = "", /* inlined anyway; compilers mark it with an intrinsic that oclgrind 21 does not know */
    .global_space = "__global ",
    .local_space = "__local ",
    .local_array = "__local %T %v[%a] __attribute__((aligned(16)));",
    .local_narrow = "__local %b %v[%c] __attribute__((aligned(16)));",
    .block_id = "get_group_id(0)",
    .thread_id = "get_local_id(0)",
    .barrier_block = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    .unroll = "#pragma unroll",
    .tables = FG_TABLES_EACH,
    .op = FG_C_FAMILY_OPS,
    .storage = fg_dialect_storage_opencl,
    .call = CALLS,
    .pair = {NULL, NULL, "float2", "double2"},
    .pair_at = "*(%S%P *)(%p)",
    .pair_make = "(%P)(%a, %b)",
    .pair_part = {"%v.x", "%v.y"},
    .vector.call = CALLS,
    .vector.possible = true,
    .vector.preamble = "typedef %T%N %V;\n",
    .vector.op = FG_C_FAMILY_OPS,
    .vector.load = "vload%N(0, %p)",
    .vector.store = "vstore%N(%v, 0, %p);",
    .vector.set1 = "(%V)(%v)",
    .vector.make = "(%V)(%i)",
    .vector.shuffle =
        "__builtin_shufflevector(%a, %b, %i)", /* every compiler made from clang has it; lists of components
                                                * and shuffle2 are taken apart and put together worse */
    .vector.lane = "%v.s%h",
    .vector.join = "__builtin_shufflevector(%a, %b, %i)",
    .vector.part = "__builtin_shufflevector(%a, %a, %i)",
    .machine = "opencl-gpu",
};

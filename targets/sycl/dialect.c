/* SYCL 2020: a work-group is a block, a work-item a thread. A kernel is a function of its arrays, its parameters, its
 * LOCAL memory and its nd_item; a launcher, or a user's kernel, calls it. */
#include "targets/c_family.h"
#include "targets/storage.h"

extern const fg_storage_row fg_dialect_storage_sycl[];

static const fg_arguments_form arguments = {
    .array = "%v",
    .number = "const %b %v",
    .local = "[[maybe_unused]] %T *local",
    .own = "const sycl::nd_item<1> &item",
    .stage = "[[maybe_unused]] const sycl::nd_item<1> &item",
    .given = "item",
};

/* What all emitted headers have in common. */
static const char preamble[] =
    "#pragma once\n"
    "#include <sycl/sycl.hpp>\n"
    "\n"
    "#ifndef FFTGEN_SYCL_WORDS\n"
    "#define FFTGEN_SYCL_WORDS\n"
    "struct alignas(8) fftgen_float2 {\n"
    "  float x, y;\n"
    "};\n"
    "struct alignas(16) fftgen_double2 {\n"
    "  double x, y;\n"
    "};\n"
    "inline unsigned fftgen_thread(const sycl::nd_item<1> &item) { return (unsigned)item.get_local_id(0); }\n"
    "inline unsigned fftgen_block(const sycl::nd_item<1> &item) { return (unsigned)item.get_group(0); }\n"
    "#endif\n";

#define CALLED(name) "template <class T> inline T fftgen_" name "(T x) { return sycl::" name "(x); }\n"
#define CALLED_2(name) "template <class T> inline T fftgen_" name "(T x, T y) { return sycl::" name "(x, y); }\n"
static const char calls[] = "#ifndef FFTGEN_SYCL_CALLS\n"
                            "#define FFTGEN_SYCL_CALLS\n" CALLED("sqrt") CALLED("log10") CALLED("log") CALLED("exp")
                                CALLED("fabs") CALLED_2("fmin") CALLED_2("fmax") "#endif\n";

/* Sub-groups have sizes of a device's own, but for kernels that say theirs. */
static const fg_lane_form lanes = {
    .preamble = "/* Of kernels with [[sycl::reqd_sub_group_size(32)]]: what the work-item has whose number differs in "
                "`bits`. */\n"
                "#define fftgen_from_lane(x, bits) sycl::permute_group_by_xor(item.get_sub_group(), x, bits)\n",
    .launched = " [[sycl::reqd_sub_group_size(32)]]",
    .space = "",
};

const fg_dialect fg_dialect_sycl = {
    .name = "sycl",
    .reserved = FG_C_FAMILY_WORDS " sycl std fftgen_float2 fftgen_double2 fftgen_half fftgen_thread fftgen_block item "
                                  "local",
    .qualifiers = "inline __attribute__",
    .extension = ".hpp",
    .note =
        "Build: include it in a source for a SYCL 2020 compiler (icpx -fsycl, acpp), C++17, and without fast math.\n"
        "Launch: the manifest beside this file lists grids, arguments and tables. The C++ source beside it\n"
        "launches. Kernels of your own call its kernels: all work-items of a group, with local_bytes of local\n"
        "memory, aligned to 16 bytes, in place of `local`.",
    .host = "sycl_host.tmpl",
    .host_ending = "_host.cpp",
    .host_is_library = true,
    .host_kernel = "launch_of<%v>",
    .real = {NULL, NULL, "float", "double"},
    .literal_suffix = {"", "", "f", ""},
    .index_type = "long long",
    .small_index_type = "int",
    .lookup_type = "int",
    .preamble = preamble,
    .function_qualifier = "static inline __attribute__((always_inline)) void",
    .kernel_qualifier = "static inline void",
    .restrict_word = "",
    .stage_restrict_word = "",
    .global_space = "",
    .local_space = "",
    .local_array = "%T *const %v = local + %i;",
    .local_narrow = "%b *const %v = (%b *)(local + %i);",
    .arguments = &arguments,
    .lane = &lanes,
    .block_id = "fftgen_block(item)",
    .thread_id = "fftgen_thread(item)",
    .barrier_block = "sycl::group_barrier(item.get_group());",
    .unroll = "#pragma unroll",
    .tables = FG_TABLES_EACH,
    .op = FG_C_FAMILY_OPS,
    .storage = fg_dialect_storage_sycl,
    .call_preamble = calls,
    .call = {[FG_CALL_SQRT] = "fftgen_sqrt(%a)",
             [FG_CALL_LOG10] = "fftgen_log10(%a)",
             [FG_CALL_LOG] = "fftgen_log(%a)",
             [FG_CALL_EXP] = "fftgen_exp(%a)",
             [FG_CALL_ABS] = "fftgen_fabs(%a)",
             [FG_CALL_MIN] = "fftgen_fmin(%a, %b)",
             [FG_CALL_MAX] = "fftgen_fmax(%a, %b)",
             [FG_CALL_DIVIDE] = "%a / %b"},
    .pair = {NULL, NULL, "fftgen_float2", "fftgen_double2"},
    .pair_at = "*(%S%P *)(%p)",
    .pair_make = "%P{%a, %b}",
    .pair_part = {"%v.x", "%v.y"},
    .machine = "opencl-gpu",
    .machines = "opencl",
};

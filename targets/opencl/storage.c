/* OpenCL C: numbers of other types in arrays. Halves by vload_half and its kin,
 * which need no extension; whole numbers by its own conversions. */
#include "targets/storage.h"

#define WHOLE(name)                                                                                                    \
  .type = name, .load = "(%T)%v", .store = "%v = convert_" name "_sat_rte(%a);",                                       \
  .pair_load = "convert_%P(*(%S" name "2 *)(%p))",                                                                     \
  .pair_store = "*(%S" name "2 *)(%p) = convert_" name "2_sat_rte(%v);"

const fg_storage_row fg_dialect_storage_opencl[] = {
    {.stored = FG_STORED_F16,
     .type = "half",
     .load = "(%T)vload_half(0, &%v)",
     .store = "vstore_half_rte(%a, 0, &%v);",
     .pair_load = "convert_%P(vload_half2(0, %p))",
     .pair_store = "vstore_half2_rte(%v, 0, %p);"},
    {.stored = FG_STORED_BF16,
     .type = "ushort",
     .preamble = {NULL, "static ushort to_bf16(float value) {\n"
                        "  const uint u = as_uint(value);\n"
                        "  return (ushort)(isnan(value) ? u >> 16 | 0x40u : (u + 0x7fffu + (u >> 16 & 1u)) >> 16);\n"
                        "}\n"},
     .load = "(%T)as_float((uint)%v << 16)",
     .store = "%v = to_bf16((float)(%a));"},
    {.stored = FG_STORED_F32,
     .type = "float",
     .load = "(%T)%v",
     .store = "%v = (float)(%a);",
     .pair_load = "convert_%P(*(%Sfloat2 *)(%p))",
     .pair_store = "*(%Sfloat2 *)(%p) = convert_float2(%v);"},
    {.stored = FG_STORED_U8, WHOLE("uchar")},
    {.stored = FG_STORED_I16, WHOLE("short")},
    {0},
};

/* CUDA C++, as nvcc and NVRTC take it without a header: a block is a block. Each
 * kernel's code is a __device__ function as well, for kernels of others. */
#include "targets/cuda/facts.h"
#include "targets/cuda/matrix.h"
#include "targets/cuda/ptx.h"
#include "targets/cuda_family.h"
#include "targets/storage.h"

const fg_function_form fg_cuda_function_form = {
    .suffix = "_device",
    .qualifier = "static __device__ __forceinline__ void",
    .block = "const unsigned block",
    .local = "%T *local",
    .given_block = "blockIdx.x",
    .given_local = "(%T *)fftgen_local",
    .declare_local = "extern __shared__ double2 fftgen_local[];",
};

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define MOST TEXT(FG_CU_CARVE_MOST)
#define PERCENT TEXT(FG_CU_CARVE_PERCENT)
#define WARPS TEXT(FG_CU_CARVE_WARPS)

/* A conditional expression becomes a branch, and compilers move no load across branches: each load would wait
 * for the one before. */
#define LOAD_WHERE(T, TYPE, LETTER, ZERO)                                                                              \
  "/* Predicated, in place of a branch: a thread's loads are issued together. */\n"                                    \
  "static __attribute__((unused)) __device__ __forceinline__ " T " fftgen_load_where(const " T " *p, int holds) {\n"   \
  "  " T " x;\n"                                                                                                       \
  "  asm volatile(\"{ .reg .pred q; setp.ne.s32 q, %2, 0; mov." TYPE " %0, " ZERO ";\"\n"                              \
  "      \" @q ld.global.nc." TYPE " %0, [%1]; }\" : \"=&" LETTER "\"(x) : \"l\"(p), \"r\"(holds));\n"                 \
  "  return x;\n"                                                                                                      \
  "}\n"                                                                                                                \
  "static __attribute__((unused)) __device__ __forceinline__ " T "2 fftgen_load_where(const " T "2 *p, int holds) {\n" \
  "  " T " x, y;\n"                                                                                                    \
  "  asm volatile(\"{ .reg .pred q; setp.ne.s32 q, %3, 0; mov." TYPE " %0, " ZERO "; mov." TYPE " %1, " ZERO ";\"\n"   \
  "      \" @q ld.global.nc.v2." TYPE " {%0, %1}, [%2]; }\"\n"                                                         \
  "      : \"=&" LETTER "\"(x), \"=&" LETTER "\"(y) : \"l\"(p), \"r\"(holds));\n"                                      \
  "  return " T "2{x, y};\n"                                                                                           \
  "}\n"
/* The device's own instructions, without branches: roots within 1 unit in the last place; lg2 within 2^-22 of the
 * logarithm, or of its size. Next to 1 that is an absolute error, as what a logarithm is taken of has one. */
#define CALLED(TYPE, NAME, BODY)                                                                                       \
  "static __attribute__((unused)) __device__ __forceinline__ " TYPE " fftgen_" NAME "(" TYPE " x) { " BODY " }\n"
#define LOGARITHM(NAME, OF_TWO)                                                                                        \
  CALLED("float", NAME "f",                                                                                            \
         "asm(\"{ .reg .f32 l; lg2.approx.f32 l, %1; mul.f32 %0, l, 0f" OF_TWO                                         \
         "; }\" : \"=f\"(x) : \"f\"(x)); return x;")                                                                   \
  CALLED("double", NAME, "return " NAME "(x);")
#define ROOT                                                                                                           \
  CALLED("float", "sqrtf", "asm(\"sqrt.approx.f32 %0, %1;\" : \"=f\"(x) : \"f\"(x)); return x;")                       \
  CALLED("double", "sqrt", "return sqrt(x);")

#define LOAD_WHERE_F32 LOAD_WHERE("float", "f32", "f", "0f00000000")
#define LOAD_WHERE_F64 LOAD_WHERE("double", "f64", "d", "0d0000000000000000")

static const fg_host_word words[] = {
    {"api", "the driver API"},
    {"compile_flags", "-I CUDA/include"},
    {"link_flags", "-lcuda -lm"},
    {"image", "as cubin, fatbin or PTX, for the context that is current"},
    {"image_extension", "cubin"},
    {"header", "cuda.h"},
    {"memory", "CUdeviceptr"},
    {"offset", "memory + bytes"},
    {"status", "CUresult"},
    {"stream", "CUstream"},
    {"module", "CUmodule"},
    {"function", "CUfunction"},
    {"success", "CUDA_SUCCESS"},
    {"no_memory", "CUDA_ERROR_OUT_OF_MEMORY"},
    {"no_file", "CUDA_ERROR_FILE_NOT_FOUND"},
    {"load", "cuModuleLoadData"},
    {"unload", "cuModuleUnload"},
    {"get_function", "cuModuleGetFunction"},
    {"shared_memory_limit",
     "if (status == CUDA_SUCCESS && launches[i].local_bytes > 48 * 1024)\n"
     "      status = cuFuncSetAttribute(p->kernel[i], CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, "
     "(int)launches[i].local_bytes);\n"
     "    if (status == CUDA_SUCCESS && launches[i].cluster > 8)\n"
     "      status = cuFuncSetAttribute(p->kernel[i], CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);"},
    {"cluster_scheduling",
     "if (status == CUDA_SUCCESS && launches[i].cluster > 1)\n"
     "      status = cuFuncSetAttribute(p->kernel[i], CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, "
     "CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING);"},
    {"set_carveout",
     "/* Shared memory that would leave L1 almost nothing is limited, unless too few warps would run. */\n"
     "static CUresult set_carveout(CUfunction kernel, const struct launch *l) {\n"
     "  CUdevice device;\n"
     "  int carveout = l->carveout, resident = 0, total = 0, block = 0;\n"
     "  CUresult status = carveout ? CUDA_SUCCESS : cuCtxGetDevice(&device);\n"
     "  if (!carveout && status == CUDA_SUCCESS)\n"
     "    status = cuDeviceGetAttribute(&total, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, device);\n"
     "  if (!carveout && status == CUDA_SUCCESS)\n"
     "    status = cuDeviceGetAttribute(&block, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, device);\n"
     "  if (!carveout && status == CUDA_SUCCESS)\n"
     "    status = cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, (int)l->threads, l->local_bytes);\n"
     "  block += (int)l->local_bytes;\n"
     "  total /= 100;\n"
     "  if (resident * block > " MOST " * total && " PERCENT
     " * total / block * (int)((l->threads + 31) / 32) >= " WARPS ") carveout = " PERCENT ";\n"
     "  if (status == CUDA_SUCCESS && carveout > 0)\n"
     "    status = cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, carveout);\n"
     "  return status;\n"
     "}"},
    {"count_resident",
     "static CUresult count_resident(plan *p, int i) {\n"
     "  CUdevice device;\n"
     "  int per_multiprocessor = 0, multiprocessors = 0;\n"
     "  CUresult status = cuCtxGetDevice(&device);\n"
     "  if (status == CUDA_SUCCESS)\n"
     "    status = cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);\n"
     "  if (status == CUDA_SUCCESS)\n"
     "    status = cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, p->kernel[i], "
     "(int)launches[i].threads,\n"
     "                                                         launches[i].local_bytes);\n"
     "  p->resident[i] = per_multiprocessor * multiprocessors > 0 ? (size_t)(per_multiprocessor * multiprocessors) : "
     "1;\n"
     "  return status;\n"
     "}"},
    {"allocate", "cuMemAlloc"},
    {"free", "cuMemFree"},
    {"upload", "cuMemcpyHtoD"},
    {"download", "cuMemcpyDtoH"},
    {"launch", "cuLaunchKernel"},
    {"open_device", "CUdevice device;\n"
                    "  CUcontext context;\n"
                    "  check(\"cuInit\", cuInit(0));\n"
                    "  check(\"cuDeviceGet\", cuDeviceGet(&device, 0));\n"
                    "  check(\"cuDevicePrimaryCtxRetain\", cuDevicePrimaryCtxRetain(&context, device));\n"
                    "  check(\"cuCtxSetCurrent\", cuCtxSetCurrent(context));"},
    {NULL, NULL},
};

#define SEND "static __attribute__((unused)) __device__ __forceinline__ void fftgen_send(unsigned to, "
#define SEND_NUMBERS(type, letter, ptx)                                                                                \
  SEND type " re, " type " im, unsigned mbarrier, unsigned own) {\n"                                                   \
            "  asm volatile(\"{ .reg .pred p; setp.ne.u32 p, %4, 0; @p st.shared.v2." ptx " [%0], {%1, %2}; \"\n"      \
            "               \"@!p st.async.shared::cluster.mbarrier::complete_tx::bytes.v2." ptx                       \
            " [%0], {%1, %2}, [%3]; }\"\n"                                                                             \
            "               ::\"r\"(to), \"" letter "\"(re), \"" letter                                                \
            "\"(im), \"r\"(mbarrier), \"r\"(own) : \"memory\");\n"                                                     \
            "}\n"

/* Compute capability 9.0. A store to another block carries its bytes to the mbarrier
 * there (an mbarrier), which completes when all have arrived. Arriving at the cluster's
 * barrier is relaxed, so that it does not wait for memory; what it must wait for are
 * loads: to compare something computed from them with a number that says nothing, it
 * has to have them. */
static const fg_cluster_form clusters = {
    .most = 16,
    .attribute = "__cluster_dims__(%i, 1, 1) ",
    .preamble =
        "/* Clusters (compute capability 9.0): shared memory of other blocks, and mbarriers that count its bytes. */\n"
        "static __device__ __forceinline__ void fftgen_mbarrier_expect(const void *mbarrier, unsigned bytes) {\n"
        "  const unsigned at = (unsigned)__cvta_generic_to_shared(mbarrier);\n"
        "  if (threadIdx.x) return;\n"
        "  asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\" ::\"r\"(at), \"r\"(bytes) : "
        "\"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_mbarrier_init(const void *mbarrier, unsigned bytes) {\n"
        "  const unsigned at = (unsigned)__cvta_generic_to_shared(mbarrier);\n"
        "  if (threadIdx.x) return;\n"
        "  asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 1;\" ::\"r\"(at) : \"memory\");\n"
        "  asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n"
        "  fftgen_mbarrier_expect(mbarrier, bytes);\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_map_shared(const void *p, unsigned "
        "block) {\n"
        "  unsigned remote;\n"
        "  asm(\"mapa.shared::cluster.u32 %0, %1, %2;\" : \"=r\"(remote) : "
        "\"r\"((unsigned)__cvta_generic_to_shared(p)), \"r\"(block));\n"
        "  return remote;\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_bits(float x) { return "
        "__float_as_uint(x); }\n"
        "static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_bits(unsigned x) { return x; }\n"
        "static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_bits(double x) { return "
        "(unsigned)__double2hiint(x); }\n"
        "/* Waits for the loads that x was computed from: a branch needs x. */\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_wait_loads(unsigned x) {\n"
        "  asm volatile(\"{ .reg .pred p; setp.eq.u32 p, %0, 0x7fdec0de; @p nanosleep.u32 1; }\" ::\"r\"(x) : "
        "\"memory\");\n"
        "}\n"
        "/* The same, and the compiler moves no statement across it. The store is never executed. */\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_fence_loads(unsigned x, const void "
        "*mbarrier) {\n"
        "  const unsigned spare = (unsigned)__cvta_generic_to_shared(mbarrier) + 8;\n"
        "  asm volatile(\"{ .reg .pred p; setp.eq.u32 p, %1, 0x7fdec0de; @!p bra skip_%=; nanosleep.u32 1; \"\n"
        "               \"st.shared.u32 [%0], %1; skip_%=: }\" ::\"r\"(spare), \"r\"(x) : \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_cluster_arrive() {\n"
        "  asm volatile(\"barrier.cluster.arrive.relaxed.aligned;\" ::: \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_cluster_wait() {\n"
        "  asm volatile(\"barrier.cluster.wait.acquire.aligned;\" ::: \"memory\");\n"
        "}\n",
    .sends = "static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_is_own(unsigned block) {\n"
             "  unsigned own;\n"
             "  asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(own));\n"
             "  return block == own;\n"
             "}\n"
             "/* To our own block as to any shared memory, else counted by the mbarrier there. */\n" SEND_NUMBERS(
                 "float", "f", "f32") SEND_NUMBERS("double", "d", "f64") SEND
    "unsigned packed, unsigned mbarrier, unsigned own) {\n"
    "  asm volatile(\"{ .reg .pred p; setp.ne.u32 p, %3, 0; @p st.shared.b32 [%0], %1; \"\n"
    "               \"@!p st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2]; }\"\n"
    "               ::\"r\"(to), \"r\"(packed), \"r\"(mbarrier), \"r\"(own) : \"memory\");\n"
    "}\n"
    "static __attribute__((unused)) __device__ __forceinline__ void fftgen_mbarrier_wait(const void "
    "*mbarrier, "
    "unsigned "
    "parity) {\n"
    "  asm volatile(\"{ .reg .pred p; retry_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], "
    "%1; @!p bra "
    "retry_%=; }\" ::\"r\"((unsigned)__cvta_generic_to_shared(mbarrier)), \"r\"(parity) : "
    "\"memory\");\n"
    "}\n",
    .open = "fftgen_mbarrier_init(%p, %i);",
    .expect = "fftgen_mbarrier_expect(%p, %i);",
    .map = "fftgen_map_shared(%p, %i)",
    .address = "unsigned",
    .bits = "fftgen_bits(%v)",
    .wait_loads = "fftgen_wait_loads(%v);",
    .fence_loads = "fftgen_fence_loads(%v, %p);",
    .arrive = "fftgen_cluster_arrive();",
    .cluster_wait = "fftgen_cluster_wait();",
    .is_own = "fftgen_is_own(%i)",
    .send = "fftgen_send(%p, %a, %b, %i, %c);",
    .wait = "fftgen_mbarrier_wait(%p, %i);",
    .mbarrier_bytes = 16,
};

/* Compute capability 9.0. Bulk copies move pieces of 16 bytes, from and to addresses
 * that such pieces begin at: what is before the first and behind the last of them, and zeros
 * beyond the last transform, the threads of one warp copy meanwhile; the mbarrier counts them, too. */
static const fg_bulk_form bulk_copies = {
    .preamble =
        "/* Bulk copies: compute capability 9.0. */\n"
        "static __device__ __forceinline__ unsigned fftgen_shared_address(const void *p) { return "
        "(unsigned)__cvta_generic_to_shared(p); }\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_bulk_init(const void *mbarrier) {\n"
        "  if (threadIdx.x) return;\n"
        "  asm volatile(\"mbarrier.init.shared::cta.b64 [%0], %1;\" ::\"r\"(fftgen_shared_address(mbarrier)), "
        "\"r\"(blockDim.x < 32 ? "
        "blockDim.x : 32) : \"memory\");\n"
        "  asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_bulk_invalidate(const void *mbarrier) "
        "{\n"
        "  if (!threadIdx.x) asm volatile(\"mbarrier.inval.shared::cta.b64 [%0];\" "
        "::\"r\"(fftgen_shared_address(mbarrier)) : "
        "\"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ unsigned fftgen_opaque_zero() {\n"
        "  unsigned zero;\n"
        "  asm volatile(\"mov.u32 %0, 0;\" : \"=r\"(zero));\n"
        "  return zero;\n"
        "}\n",
    .copies =
        "/* Shared memory at the same offset from a multiple of 16 bytes as the array's tile. */\n"
        "template <class T> static __device__ __forceinline__ T *fftgen_bulk_destination(T *shared, const T *array) {\n"
        "  return (T *)((char *)shared + ((unsigned long long)array & 15));\n"
        "}\n"
        "struct fftgen_bulk_parts { /* reals of a tile: all, before the first multiple of 16 bytes, in whole pieces of "
        "16 */\n"
        "  unsigned count, head, body;\n"
        "};\n"
        "template <class T> static __device__ __forceinline__ fftgen_bulk_parts fftgen_split_bulk(const T *part, "
        "unsigned unit, "
        "long long left) {\n"
        "  fftgen_bulk_parts c;\n"
        "  c.count = left < unit ? (unsigned)left : unit;\n"
        "  c.head = (unsigned)(-(unsigned long long)part & 15) / sizeof(T);\n"
        "  if (c.head > c.count) c.head = c.count;\n"
        "  c.body = (unsigned)((c.count - c.head) * sizeof(T)) / 16 * 16 / sizeof(T);\n"
        "  return c;\n"
        "}\n"
        "template <class T>\n"
        "static __device__ __forceinline__ void fftgen_bulk_load(T *shared, const T *array, unsigned number, unsigned "
        "unit, "
        "long long all, const void *mbarrier) {\n"
        "  const unsigned step = blockDim.x < 32 ? blockDim.x : 32;\n"
        "  if (threadIdx.x >= 32) return;\n"
        "  const T *from = array + (long long)unit * number;\n"
        "  T *to = fftgen_bulk_destination(shared, from);\n"
        "  const fftgen_bulk_parts c = fftgen_split_bulk(from, unit, all - (long long)unit * number);\n"
        "  const unsigned bytes = c.body * (unsigned)sizeof(T), at = fftgen_shared_address(mbarrier);\n"
        "  if (!threadIdx.x && bytes) {\n"
        "    asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n"
        "    asm volatile(\"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;\" ::\"r\"(at), \"r\"(bytes) : "
        "\"memory\");\n"
        "    asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\" "
        "::\"r\"(fftgen_shared_address(to + c.head)), \"l\"(from + c.head), \"r\"(bytes), \"r\"(at) : \"memory\");\n"
        "  }\n"
        "  for (unsigned i = threadIdx.x; i < c.head; i += step) to[i] = from[i];\n"
        "  for (unsigned i = c.head + c.body + threadIdx.x; i < unit; i += step) to[i] = i < c.count ? from[i] : "
        "(T)0;\n"
        "  asm volatile(\"mbarrier.arrive.shared::cta.b64 _, [%0];\" ::\"r\"(at) : \"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_bulk_wait(const void *mbarrier, unsigned phase) {\n"
        "  asm volatile(\"{ .reg .pred p; retry_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra "
        "retry_%=; }\" ::\"r\"(fftgen_shared_address(mbarrier)), \"r\"(phase) : \"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_async_fence() {\n"
        "  asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n"
        "}\n"
        "template <class T>\n"
        "static __device__ __forceinline__ void fftgen_bulk_store(const T *shared, T *array, unsigned number, unsigned "
        "unit, "
        "long long all) {\n"
        "  const unsigned step = blockDim.x < 32 ? blockDim.x : 32;\n"
        "  if (threadIdx.x >= 32) return;\n"
        "  T *to = array + (long long)unit * number;\n"
        "  const fftgen_bulk_parts c = fftgen_split_bulk(to, unit, all - (long long)unit * number);\n"
        "  for (unsigned i = threadIdx.x; i < c.head; i += step) to[i] = shared[i];\n"
        "  for (unsigned i = c.head + c.body + threadIdx.x; i < c.count; i += step) to[i] = shared[i];\n"
        "  if (threadIdx.x || !c.body) return;\n"
        "  asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\" ::\"l\"(to + c.head), "
        "\"r\"(fftgen_shared_address(shared + c.head)), \"r\"((unsigned)(c.body * sizeof(T))) : \"memory\");\n"
        "  asm volatile(\"cp.async.bulk.commit_group;\" ::: \"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_bulk_drain() {\n"
        "  if (!threadIdx.x) asm volatile(\"cp.async.bulk.wait_group.read 0;\" ::: \"memory\");\n"
        "}\n",
    .ask_function =
        "/* Of whole pieces of 16 bytes. */\n"
        "template <class T>\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_ask_l2(const T *part, unsigned count) "
        "{\n"
        "  const unsigned head = (unsigned)(-(unsigned long long)part & 15), bytes = count * (unsigned)sizeof(T);\n"
        "  if (threadIdx.x || bytes < head + 16) return;\n"
        "  asm volatile(\"cp.async.bulk.prefetch.L2.global [%0], %1;\" ::\"l\"((const char *)part + head), "
        "\"r\"((bytes - head) / 16 * 16) : \"memory\");\n"
        "}\n",
    .blocks = "const unsigned blocks",
    .given = "gridDim.x",
    .mbarrier = "const void *const mbarrier = %p;",
    .open = "fftgen_bulk_init(mbarrier);",
    .close = "fftgen_bulk_invalidate(mbarrier);",
    .one = "const unsigned tile = block, phase = 0;",
    .some = "const unsigned first = block * %b, end = first + %b < %a ? first + %b : %a, step = 1;",
    .all = "const unsigned first = block, end = %a, step = blocks;",
    .loop = "for (unsigned tile = first, phase = 0; tile < end; tile += step, phase ^= 1) {",
    .loop_of_two = "for (unsigned tile = first; tile < end; tile += step) {",
    .first = "first",
    .next = "tile + step",
    .if_first = "if (first < end) ",
    .if_next = "if (tile + step < end) ",
    .iteration = "tile",
    .fetch = "fftgen_bulk_load(%p, %v, %a, %b, %c, mbarrier);",
    .ask = "fftgen_ask_l2(%v, %b);",
    .phase = "phase",
    .wait = "fftgen_bulk_wait(mbarrier, %i);",
    .place = "%v + %b * (%i)%a",
    .destination = "fftgen_bulk_destination(%p, %v)",
    .zero = "const unsigned zero = fftgen_opaque_zero();",
    .fence = "fftgen_async_fence();",
    .store = "fftgen_bulk_store(%p, %v, %a, %b, %c);",
    .drained = "fftgen_bulk_drain();",
    .align_bytes = 16,
    .mbarrier_bytes = 16,
};

/* From memory that nothing stores to meanwhile: L2 prefetches 256 bytes. */
static const char ahead[] =
    "static __attribute__((unused)) __device__ __forceinline__ float2 fftgen_load_256b(const float2 *p) {\n"
    "  float2 x;\n"
    "  asm(\"ld.global.nc.L2::256B.v2.f32 {%0, %1}, [%2];\" : \"=f\"(x.x), \"=f\"(x.y) : \"l\"(p));\n"
    "  return x;\n"
    "}\n"
    "static __attribute__((unused)) __device__ __forceinline__ double2 fftgen_load_256b(const double2 *p) {\n"
    "  double2 x;\n"
    "  asm(\"ld.global.nc.L2::256B.v2.f64 {%0, %1}, [%2];\" : \"=d\"(x.x), \"=d\"(x.y) : \"l\"(p));\n"
    "  return x;\n"
    "}\n";

/* Counters are waited for by one thread, which acquires; the block's barrier behind it orders
 * what the others load. Reads are served by L2, which all blocks share. */
static const fg_queue_form queue = {
    .preamble =
        "/* Counters that blocks wait for. */\n"
        "static __device__ __forceinline__ bool fftgen_counter_reached(const unsigned *counter, unsigned count) {\n"
        "  unsigned now;\n"
        "  asm volatile(\"ld.acquire.gpu.global.u32 %0, [%1];\" : \"=r\"(now) : \"l\"(counter) : \"memory\");\n"
        "  return now >= count;\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_counter_wait(const unsigned *counter, unsigned count) {\n"
        "  while (!fftgen_counter_reached(counter, count)) __nanosleep(100);\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_counter_add(unsigned *counter) {\n"
        "  asm volatile(\"red.release.gpu.global.add.u32 [%0], 1;\" ::\"l\"(counter) : \"memory\");\n"
        "}\n"
        "/* Volatile: addresses that are computed from it are not kept from one item to the next. */\n"
        "static __attribute__((unused)) __device__ __forceinline__ int fftgen_thread() {\n"
        "  int thread;\n"
        "  asm volatile(\"mov.u32 %0, %%tid.x;\" : \"=r\"(thread));\n"
        "  return thread;\n"
        "}\n"
        "/* Other blocks read it soon: L2 evicts it last. */\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_store_evict_last(float2 *p, float2 x) "
        "{\n"
        "  asm volatile(\"{ .reg .b64 keep; createpolicy.fractional.L2::evict_last.b64 keep, 1.0;\"\n"
        "      \" st.global.L2::cache_hint.v2.f32 [%0], {%1, %2}, keep; }\" ::\"l\"(p), \"f\"(x.x), \"f\"(x.y) : "
        "\"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_store_evict_last(double2 *p, double2 x) "
        "{\n"
        "  asm volatile(\"{ .reg .b64 keep; createpolicy.fractional.L2::evict_last.b64 keep, 1.0;\"\n"
        "      \" st.global.L2::cache_hint.v2.f64 [%0], {%1, %2}, keep; }\" ::\"l\"(p), \"d\"(x.x), \"d\"(x.y) : "
        "\"memory\");\n"
        "}\n"
        "/* Read once: L1 does not keep it. */\n"
        "static __attribute__((unused)) __device__ __forceinline__ float2 fftgen_load_once(const float2 *p) {\n"
        "  float2 x;\n"
        "  asm(\"ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2];\" : \"=f\"(x.x), \"=f\"(x.y) : \"l\"(p));\n"
        "  return x;\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ double2 fftgen_load_once(const double2 *p) {\n"
        "  double2 x;\n"
        "  asm(\"ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];\" : \"=d\"(x.x), \"=d\"(x.y) : \"l\"(p));\n"
        "  return x;\n"
        "}\n",
    .qualifier = "extern \"C\" __global__ void __launch_bounds__(%N)",
    .counter = "unsigned",
    .null = "nullptr",
    .declare = "__shared__ unsigned %v;",
    .inner = "static __device__ __forceinline__",
    .take = "atomicAdd(%p, 1u)",
    .ready = "fftgen_counter_reached(%p, %i)",
    .wait = "fftgen_counter_wait(%p, %i);",
    .done = "fftgen_counter_add(%p);",
    .opaque = "unsigned long long %v = 0;\n    asm volatile(\"\" : \"+l\"(%v));",
    .thread = "fftgen_thread()",
    .pair_once = "fftgen_load_once((const %P *)(%p))",
    .pair_fresh = "__ldcg((const %P *)(%p))",
    .pair_evict_first = "__stcs((%P *)(%p), %v);",
    .pair_evict_last = "fftgen_store_evict_last((%P *)(%p), %v);",
    .discard = "asm volatile(\"discard.global.L2 [%0], 128;\" ::\"l\"(%p) : \"memory\");",
};

static const fg_lane_form lanes = {
    .preamble = "template <class T> static __device__ __forceinline__ T fftgen_from_lane(T x, int bits) {\n"
                "  return __shfl_xor_sync(0xffffffffu, x, bits);\n"
                "}\n",
    .space = "",
};

const fg_dialect fg_dialect_cuda = {
    FG_CUDA_FAMILY,
    .stage_restrict_word = "", /* inlined anyway: the same code, and NVRTC has less to do */
    .pair_ahead = "fftgen_load_256b((const %P *)(%p))",
    .ahead_preamble = ahead,
    .pair_where = "fftgen_load_where((const %P *)(%p), %a)",
    .number_where = "fftgen_load_where(%p, %a)",
    .where_preamble = {LOAD_WHERE_F32, LOAD_WHERE_F32, LOAD_WHERE_F32, LOAD_WHERE_F64},
    .name = "cuda",
    .reserved = FG_C_FAMILY_WORDS " dim3 float2 double2 threadIdx blockIdx blockDim gridDim warpSize",
    .extension = ".cu",
    .note_code = "sm_90",
    .note =
        "Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.\n"
        "Launch: the manifest beside this file lists grids, arguments and tables. The C source beside it launches.\n"
        "NAME_device is a function for kernels of your own: all threads of a block call it, with the number of\n"
        "the block in the grid and with local_bytes of shared memory.",
    .host_word = words,
    .host_is_library = true,
    .storage = fg_dialect_storage_cuda,
    .call = {[FG_CALL_SQRT] = "fftgen_sqrt%F(%a)",
             [FG_CALL_LOG10] = "fftgen_log10%F(%a)",
             [FG_CALL_LOG] = "fftgen_log%F(%a)",
             FG_C_FAMILY_OTHER_CALLS},
    .call_function = {[FG_CALL_SQRT] = ROOT,
                      [FG_CALL_LOG10] = LOGARITHM("log10", "3E9A209B"),
                      [FG_CALL_LOG] = LOGARITHM("log", "3F317218")},
    .twice = {[FG_SPELL_FMA] = "fma%F(%a, %b, %c)",
              [FG_SPELL_FMS] = "fma%F(%a, %b, -%c)",
              [FG_SPELL_FNMA] = "fma%F(-%a, %b, %c)"},
    .preamble = "",
    .kernel_qualifier = "extern \"C\" __global__ void %b__launch_bounds__(%N%a)",
    .cluster = &clusters,
    .bulk = &bulk_copies,
    .queue = &queue,
    .lane = &lanes,
    .matrix = &fg_cuda_matrix,
    .assemble = fg_ptx_translate,
    .machine = "cuda",
};

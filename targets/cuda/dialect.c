/* CUDA C++, as nvcc and NVRTC take it without a header: a block is a block. Each
 * kernel's code is a __device__ function as well, for kernels of others. */
#include "targets/cuda/facts.h"
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

static const fg_host_word words[] = {
    {"api", "the driver API"},
    {"compile_flags", "-I CUDA/include"},
    {"link_flags", "-lcuda -lm"},
    {"image", "as cubin, fatbin or PTX, for the context that is current"},
    {"image_extension", "cubin"},
    {"header", "cuda.h"},
    {"memory", "CUdeviceptr"},
    {"beyond", "memory + bytes"},
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
    {"raise",
     "if (status == CUDA_SUCCESS && launches[i].local_bytes > 48 * 1024)\n"
     "      status = cuFuncSetAttribute(p->kernel[i], CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, "
     "(int)launches[i].local_bytes);\n"
     "    if (status == CUDA_SUCCESS && launches[i].cluster > 8)\n"
     "      status = cuFuncSetAttribute(p->kernel[i], CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);"},
    {"balance",
     "if (status == CUDA_SUCCESS && launches[i].cluster > 1)\n"
     "      status = cuFuncSetAttribute(p->kernel[i], CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, "
     "CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING);"},
    {"share",
     "/* Blocks that would leave the first cache next to nothing are fewer, unless they would be too few. */\n"
     "static CUresult share(CUfunction kernel, const struct launch *l) {\n"
     "  CUdevice device;\n"
     "  int carve = l->carve, each = 0, whole = 0, block = 0;\n"
     "  CUresult status = carve ? CUDA_SUCCESS : cuCtxGetDevice(&device);\n"
     "  if (!carve && status == CUDA_SUCCESS)\n"
     "    status = cuDeviceGetAttribute(&whole, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, device);\n"
     "  if (!carve && status == CUDA_SUCCESS)\n"
     "    status = cuDeviceGetAttribute(&block, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, device);\n"
     "  if (!carve && status == CUDA_SUCCESS)\n"
     "    status = cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)l->threads, l->local_bytes);\n"
     "  block += (int)l->local_bytes;\n"
     "  whole /= 100;\n"
     "  if (each * block > " MOST " * whole && " PERCENT " * whole / block * (int)((l->threads + 31) / 32) >= " WARPS
     ") carve = " PERCENT ";\n"
     "  if (status == CUDA_SUCCESS && carve > 0)\n"
     "    status = cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, carve);\n"
     "  return status;\n"
     "}"},
    {"count_resident",
     "static CUresult count_resident(plan *p, int i) {\n"
     "  CUdevice device;\n"
     "  int each = 0, processors = 0;\n"
     "  CUresult status = cuCtxGetDevice(&device);\n"
     "  if (status == CUDA_SUCCESS)\n"
     "    status = cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);\n"
     "  if (status == CUDA_SUCCESS)\n"
     "    status = cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, p->kernel[i], (int)launches[i].threads,\n"
     "                                                         launches[i].local_bytes);\n"
     "  p->resident[i] = each * processors > 0 ? (size_t)(each * processors) : 1;\n"
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

/* Compute capability 9.0. A store to another block carries its bytes to the mbarrier
 * there (an mbarrier), which opens when all have come. Arriving at the cluster's
 * barrier is relaxed, so that it does not wait for memory; what it must wait for are
 * loads: to compare something computed from them with a number that says nothing, it
 * has to have them. */
static const fg_cluster_form clusters = {
    .most = 16,
    .attribute = "__cluster_dims__(%i, 1, 1) ",
    .preamble =
        "/* Blocks of a cluster: compute capability 9.0. */\n"
        "static __device__ __forceinline__ void fftgen_again(const void *door, unsigned bytes) {\n"
        "  const unsigned at = (unsigned)__cvta_generic_to_shared(door);\n"
        "  if (threadIdx.x) return;\n"
        "  asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\" ::\"r\"(at), \"r\"(bytes) : "
        "\"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_open(const void *door, unsigned bytes) {\n"
        "  const unsigned at = (unsigned)__cvta_generic_to_shared(door);\n"
        "  if (threadIdx.x) return;\n"
        "  asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 1;\" ::\"r\"(at) : \"memory\");\n"
        "  asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n"
        "  fftgen_again(door, bytes);\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_peer(const void *here, unsigned "
        "block) {\n"
        "  unsigned there;\n"
        "  asm(\"mapa.shared::cluster.u32 %0, %1, %2;\" : \"=r\"(there) : "
        "\"r\"((unsigned)__cvta_generic_to_shared(here)), \"r\"(block));\n"
        "  return there;\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_bits(float x) { return "
        "__float_as_uint(x); }\n"
        "static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_bits(unsigned x) { return x; }\n"
        "static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_bits(double x) { return "
        "(unsigned)__double2hiint(x); }\n"
        "/* Nothing after this begins before x is there. */\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_use(unsigned x) {\n"
        "  asm volatile(\"{ .reg .pred p; setp.eq.u32 p, %0, 0x7fdec0de; @p nanosleep.u32 1; }\" ::\"r\"(x) : "
        "\"memory\");\n"
        "}\n"
        "/* The same, and nothing before this comes after it: a branch that nobody takes. */\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_settle(unsigned x, const void *door) {\n"
        "  const unsigned spare = (unsigned)__cvta_generic_to_shared(door) + 8;\n"
        "  asm volatile(\"{ .reg .pred p; setp.eq.u32 p, %1, 0x7fdec0de; @!p bra settled_%=; nanosleep.u32 1; \"\n"
        "               \"st.shared.u32 [%0], %1; settled_%=: }\" ::\"r\"(spare), \"r\"(x) : \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_arrive() {\n"
        "  asm volatile(\"barrier.cluster.arrive.relaxed.aligned;\" ::: \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_cross() {\n"
        "  asm volatile(\"barrier.cluster.wait.acquire.aligned;\" ::: \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_send(unsigned to, float re, float im, "
        "unsigned door) {\n"
        "  asm volatile(\"st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];\" "
        "::\"r\"(to), \"f\"(re), \"f\"(im), \"r\"(door) : \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_send(unsigned to, double re, double im, "
        "unsigned door) {\n"
        "  asm volatile(\"st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f64 [%0], {%1, %2}, [%3];\" "
        "::\"r\"(to), \"d\"(re), \"d\"(im), \"r\"(door) : \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_send(unsigned to, unsigned two, "
        "unsigned door) {\n"
        "  asm volatile(\"st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];\" "
        "::\"r\"(to), \"r\"(two), \"r\"(door) : \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_receive(const void *door, unsigned "
        "turn) {\n"
        "  asm volatile(\"{ .reg .pred p; again_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra "
        "again_%=; }\" ::\"r\"((unsigned)__cvta_generic_to_shared(door)), \"r\"(turn) : \"memory\");\n"
        "}\n",
    .open = "fftgen_open(%p, %i);",
    .again = "fftgen_again(%p, %i);",
    .peer = "fftgen_peer(%p, %i)",
    .address = "unsigned",
    .bits = "fftgen_bits(%v)",
    .use = "fftgen_use(%v);",
    .settle = "fftgen_settle(%v, %p);",
    .arrive = "fftgen_arrive();",
    .cross = "fftgen_cross();",
    .send = "fftgen_send(%p, %a, %b, %i);",
    .wait = "fftgen_receive(%p, %i);",
    .mbarrier_bytes = 16,
};

/* Compute capability 9.0. Bulk copies go in pieces of 16 bytes, from and to addresses
 * that such pieces begin at: what is before the first and behind the last of them, and zeros
 * beyond the last transform, the threads of one warp copy meanwhile; the mbarrier counts them, too. */
static const fg_bulk_form bulk_copies = {
    .preamble =
        "/* Bulk copies: compute capability 9.0. */\n"
        "static __device__ __forceinline__ unsigned fftgen_at(const void *p) { return "
        "(unsigned)__cvta_generic_to_shared(p); }\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_bulk_open(const void *door) {\n"
        "  if (threadIdx.x) return;\n"
        "  asm volatile(\"mbarrier.init.shared::cta.b64 [%0], %1;\" ::\"r\"(fftgen_at(door)), \"r\"(blockDim.x < 32 ? "
        "blockDim.x : 32) : \"memory\");\n"
        "  asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_bulk_close(const void *door) {\n"
        "  if (!threadIdx.x) asm volatile(\"mbarrier.inval.shared::cta.b64 [%0];\" ::\"r\"(fftgen_at(door)) : "
        "\"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ unsigned fftgen_here() {\n"
        "  unsigned zero;\n"
        "  asm volatile(\"mov.u32 %0, 0;\" : \"=r\"(zero));\n"
        "  return zero;\n"
        "}\n"
        "/* Memory that begins between multiples of 16 bytes where the array's part does. */\n"
        "template <class T> static __device__ __forceinline__ T *fftgen_berth(T *room, const T *array) {\n"
        "  return (T *)((char *)room + ((unsigned long long)array & 15));\n"
        "}\n"
        "struct fftgen_cut { /* of a part: numbers in all, before its first whole piece, in whole pieces */\n"
        "  unsigned count, head, body;\n"
        "};\n"
        "template <class T> static __device__ __forceinline__ fftgen_cut fftgen_cuts(const T *part, unsigned unit, "
        "long long left) {\n"
        "  fftgen_cut c;\n"
        "  c.count = left < unit ? (unsigned)left : unit;\n"
        "  c.head = (unsigned)(-(unsigned long long)part & 15) / sizeof(T);\n"
        "  if (c.head > c.count) c.head = c.count;\n"
        "  c.body = (unsigned)((c.count - c.head) * sizeof(T)) / 16 * 16 / sizeof(T);\n"
        "  return c;\n"
        "}\n"
        "template <class T>\n"
        "static __device__ __forceinline__ void fftgen_fetch(T *room, const T *array, unsigned number, unsigned unit, "
        "long long all, const void *door) {\n"
        "  const unsigned step = blockDim.x < 32 ? blockDim.x : 32;\n"
        "  if (threadIdx.x >= 32) return;\n"
        "  const T *from = array + (long long)unit * number;\n"
        "  T *to = fftgen_berth(room, from);\n"
        "  const fftgen_cut c = fftgen_cuts(from, unit, all - (long long)unit * number);\n"
        "  const unsigned bytes = c.body * (unsigned)sizeof(T), at = fftgen_at(door);\n"
        "  if (!threadIdx.x && bytes) {\n"
        "    asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n"
        "    asm volatile(\"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;\" ::\"r\"(at), \"r\"(bytes) : "
        "\"memory\");\n"
        "    asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\" "
        "::\"r\"(fftgen_at(to + c.head)), \"l\"(from + c.head), \"r\"(bytes), \"r\"(at) : \"memory\");\n"
        "  }\n"
        "  for (unsigned i = threadIdx.x; i < c.head; i += step) to[i] = from[i];\n"
        "  for (unsigned i = c.head + c.body + threadIdx.x; i < unit; i += step) to[i] = i < c.count ? from[i] : "
        "(T)0;\n"
        "  asm volatile(\"mbarrier.arrive.shared::cta.b64 _, [%0];\" ::\"r\"(at) : \"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_come(const void *door, unsigned phase) {\n"
        "  asm volatile(\"{ .reg .pred p; again_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra "
        "again_%=; }\" ::\"r\"(fftgen_at(door)), \"r\"(phase) : \"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_fence() {\n"
        "  asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n"
        "}\n"
        "template <class T>\n"
        "static __device__ __forceinline__ void fftgen_leave(const T *room, T *array, unsigned number, unsigned unit, "
        "long long all) {\n"
        "  const unsigned step = blockDim.x < 32 ? blockDim.x : 32;\n"
        "  if (threadIdx.x >= 32) return;\n"
        "  T *to = array + (long long)unit * number;\n"
        "  const fftgen_cut c = fftgen_cuts(to, unit, all - (long long)unit * number);\n"
        "  for (unsigned i = threadIdx.x; i < c.head; i += step) to[i] = room[i];\n"
        "  for (unsigned i = c.head + c.body + threadIdx.x; i < c.count; i += step) to[i] = room[i];\n"
        "  if (threadIdx.x || !c.body) return;\n"
        "  asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\" ::\"l\"(to + c.head), "
        "\"r\"(fftgen_at(room + c.head)), \"r\"((unsigned)(c.body * sizeof(T))) : \"memory\");\n"
        "  asm volatile(\"cp.async.bulk.commit_group;\" ::: \"memory\");\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_gone() {\n"
        "  if (!threadIdx.x) asm volatile(\"cp.async.bulk.wait_group.read 0;\" ::: \"memory\");\n"
        "}\n",
    .blocks = "const unsigned blocks",
    .given = "gridDim.x",
    .mbarrier = "const void *const door = %p;",
    .open = "fftgen_bulk_open(door);",
    .close = "fftgen_bulk_close(door);",
    .one = "const unsigned turn = block, phase = 0;",
    .some = "const unsigned first = block * %b, end = first + %b < %a ? first + %b : %a, step = 1;",
    .all = "const unsigned first = block, end = %a, step = blocks;",
    .loop = "for (unsigned turn = first, phase = 0; turn < end; turn += step, phase ^= 1) {",
    .first = "first",
    .next = "turn + step",
    .if_first = "if (first < end) ",
    .if_next = "if (turn + step < end) ",
    .iteration = "turn",
    .fetch = "fftgen_fetch(%p, %v, %a, %b, %c, door);",
    .wait = "fftgen_come(door, phase);",
    .destination = "fftgen_berth(%p, %v + %b * (%i)turn)",
    .here = "const unsigned here = fftgen_here();",
    .fence = "fftgen_fence();",
    .leave = "fftgen_leave(%p, %v, %a, %b, %c);",
    .drained = "fftgen_gone();",
    .align_bytes = 16,
    .mbarrier_bytes = 16,
};

/* From memory that nothing stores to meanwhile: 256 bytes come in at once. */
static const char ahead[] =
    "static __attribute__((unused)) __device__ __forceinline__ float2 fftgen_ahead(const float2 *p) {\n"
    "  float2 x;\n"
    "  asm(\"ld.global.nc.L2::256B.v2.f32 {%0, %1}, [%2];\" : \"=f\"(x.x), \"=f\"(x.y) : \"l\"(p));\n"
    "  return x;\n"
    "}\n"
    "static __attribute__((unused)) __device__ __forceinline__ double2 fftgen_ahead(const double2 *p) {\n"
    "  double2 x;\n"
    "  asm(\"ld.global.nc.L2::256B.v2.f64 {%0, %1}, [%2];\" : \"=d\"(x.x), \"=d\"(x.y) : \"l\"(p));\n"
    "  return x;\n"
    "}\n";

/* Counters are waited for by one thread, which acquires; the block's barrier behind it orders
 * what the others load. Reads go to L2, which all blocks share. */
static const fg_queue_form queue = {
    .preamble =
        "/* Blocks that wait for each other. */\n"
        "static __device__ __forceinline__ bool fftgen_ready(const unsigned *counter, unsigned count) {\n"
        "  unsigned now;\n"
        "  asm volatile(\"ld.acquire.gpu.global.u32 %0, [%1];\" : \"=r\"(now) : \"l\"(counter) : \"memory\");\n"
        "  return now >= count;\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_wait(const unsigned *counter, unsigned count) {\n"
        "  while (!fftgen_ready(counter, count)) __nanosleep(100);\n"
        "}\n"
        "static __device__ __forceinline__ void fftgen_done(unsigned *counter) {\n"
        "  asm volatile(\"red.release.gpu.global.add.u32 [%0], 1;\" ::\"l\"(counter) : \"memory\");\n"
        "}\n"
        "/* Others read it soon: L2 keeps it. */\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_keep(float2 *p, float2 x) {\n"
        "  asm volatile(\"{ .reg .b64 keep; createpolicy.fractional.L2::evict_last.b64 keep, 1.0;\"\n"
        "      \" st.global.L2::cache_hint.v2.f32 [%0], {%1, %2}, keep; }\" ::\"l\"(p), \"f\"(x.x), \"f\"(x.y) : "
        "\"memory\");\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ void fftgen_keep(double2 *p, double2 x) {\n"
        "  asm volatile(\"{ .reg .b64 keep; createpolicy.fractional.L2::evict_last.b64 keep, 1.0;\"\n"
        "      \" st.global.L2::cache_hint.v2.f64 [%0], {%1, %2}, keep; }\" ::\"l\"(p), \"d\"(x.x), \"d\"(x.y) : "
        "\"memory\");\n"
        "}\n"
        "/* Read once: it displaces nothing. */\n"
        "static __attribute__((unused)) __device__ __forceinline__ float2 fftgen_once(const float2 *p) {\n"
        "  float2 x;\n"
        "  asm(\"ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2];\" : \"=f\"(x.x), \"=f\"(x.y) : \"l\"(p));\n"
        "  return x;\n"
        "}\n"
        "static __attribute__((unused)) __device__ __forceinline__ double2 fftgen_once(const double2 *p) {\n"
        "  double2 x;\n"
        "  asm(\"ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];\" : \"=d\"(x.x), \"=d\"(x.y) : \"l\"(p));\n"
        "  return x;\n"
        "}\n",
    .qualifier = "extern \"C\" __global__ void __launch_bounds__(%N)",
    .counter = "unsigned",
    .nobody = "nullptr",
    .declare = "__shared__ unsigned %v;",
    .inner = "static __device__ __forceinline__",
    .take = "atomicAdd(%p, 1u)",
    .ready = "fftgen_ready(%p, %i)",
    .wait = "fftgen_wait(%p, %i);",
    .done = "fftgen_done(%p);",
    .opaque = "unsigned long long %v = 0;\n    asm volatile(\"\" : \"+l\"(%v));",
    .pair_once = "fftgen_once((const %P *)(%p))",
    .pair_fresh = "__ldcg((const %P *)(%p))",
    .pair_evict_first = "__stcs((%P *)(%p), %v);",
    .pair_evict_last = "fftgen_keep((%P *)(%p), %v);",
    .discard = "asm volatile(\"discard.global.L2 [%0], 128;\" ::\"l\"(%p) : \"memory\");",
};

const fg_dialect fg_dialect_cuda = {
    FG_CUDA_FAMILY,
    .stage_restrict_word = "", /* inlined anyway: the same code, and NVRTC has less to do */
    .pair_ahead = "fftgen_ahead((const %P *)(%p))",
    .ahead_preamble = ahead,
    .name = "cuda",
    .reserved = FG_C_FAMILY_WORDS " dim3 float2 double2 threadIdx blockIdx blockDim gridDim warpSize",
    .extension = ".cu",
    .note_code = "sm_90",
    .note = "Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.\n"
            "Launch: the manifest beside this file has grids, arguments and tables; the C source beside it does it.\n"
            "NAME_device is the same for kernels of your own: all threads of a block call it with the number of\n"
            "the block of the grid that it stands for, and shared memory of local_bytes.",
    .host_word = words,
    .storage = fg_dialect_storage_cuda,
    .call = {[FG_CALL_SQRT] = "sqrt%F(%a)", [FG_CALL_LOG10] = "log10%F(%a)"},
    .twice = {[FG_SPELL_FMA] = "fma%F(%a, %b, %c)",
              [FG_SPELL_FMS] = "fma%F(%a, %b, -%c)",
              [FG_SPELL_FNMA] = "fma%F(-%a, %b, %c)"},
    .preamble = "",
    .kernel_qualifier = "extern \"C\" __global__ void %b__launch_bounds__(%N%a)",
    .cluster = &clusters,
    .bulk = &bulk_copies,
    .queue = &queue,
    .machine = "cuda",
};

/* A CUDA driver without a GPU: its functions, for tests of the code that calls them.
 * Memory is the host's; a launch notes what it was given and computes nothing, unless fake_kernel does: what it returns
 * is the launch's status, and fake_milliseconds what a clock says of it.
 * fake_fail_at(n) makes the n-th call from now on fail; fake_alive() counts what
 * was created and not released. */
#include "targets/cuda/driver_api.h"
#include <stdlib.h>
#include <string.h>

enum { FAILED = 2, SHARED = 227 << 10 };

int fake_calls, fake_launches, fake_depth; /* depth: contexts pushed */
int fake_large_clusters;                   /* functions that may have them */
int fake_older;                            /* compute capability 9.0 it is, but for clusters */
int fake_balanced;                         /* functions whose clusters' blocks are scheduled where there is room */
int fake_carve;                            /* percent of memory for blocks, as it was asked for last */
int fake_allocations;                      /* since fake_fail_at */
char fake_image[64];                       /* how the module that was loaded last begins */
fg_cu_stream_ref fake_stream;              /* of the last launch */
int fake_arguments;                        /* so many of its arguments are noted here: */
unsigned long long fake_argument[8];
unsigned fake_blocks, fake_threads, fake_local_bytes;
fg_cu_context_ref fake_current;                                              /* of a user: it was there before */
int (*fake_kernel)(const char *name, unsigned long image, void **arguments); /* image: a hash of it */
float fake_milliseconds = 0.25f;
float fake_launch_us, fake_node_us; /* what the clock says of each launch, and in a graph, if not zero */
fg_cu_stream_ref fake_captured;     /* a stream whose launches go into a graph */
int fake_dead;                      /* the context is lost: every call fails */
static int alive, fail_at;

enum { MODULES = 256, FUNCTIONS = 1024 };
struct fg_cu_module {
  unsigned long image;
};
struct fg_cu_function {
  char name[128];
  unsigned long image;
};
static struct fg_cu_module modules[MODULES];
static struct fg_cu_function functions[FUNCTIONS];
static int nmodule, nfunction; /* the last of them; old ones are written over */

void fake_fail_at(int n);
void fake_fail_at(int n) {
  fail_at = n;
  fake_calls = 0;
  fake_allocations = 0;
}

int fake_alive(void);
int fake_alive(void) { return alive; }

static int count(int created) {
  if (++fake_calls == fail_at || fake_dead) return FAILED;
  alive += created;
  return FG_CU_SUCCESS;
}

#define PROTOTYPE(name, symbol, parameters) int symbol parameters;
FG_CU_FUNCTIONS(PROTOTYPE)
FG_CU_GRAPH_FUNCTIONS(PROTOTYPE)

int cuInit(unsigned flags) { return (int)flags; }
int cuDriverGetVersion(int *version) { return *version = 13000, FG_CU_SUCCESS; }
int cuGetErrorName(int status, const char **name) { return *name = status ? "CUDA_ERROR_FAKE" : "CUDA_SUCCESS", 0; }
int cuDeviceGetCount(int *n) { return *n = 1, count(0); }
int cuDeviceGet(int *device, int number) { return *device = number, count(0); }

int cuDeviceGetName(char *name, int size, int device) {
  strncpy(name, device ? "another" : "fake GPU", (size_t)size);
  return count(0);
}

int cuDeviceGetAttribute(int *value, fg_cu_device_attribute what, int device) {
  *value = what == FG_CU_MAJOR               ? 9
           : what == FG_CU_THREADS_PER_BLOCK ? 1024
           : what == FG_CU_LOCAL_BYTES_OPTIN ? SHARED
           : what == FG_CU_LOCAL_BYTES_ALL   ? 228 << 10
           : what == FG_CU_LOCAL_BYTES_KEPT  ? 1024
           : what == FG_CU_CLUSTER_LAUNCH    ? !fake_older
           : what == FG_CU_MULTIPROCESSORS   ? 10
                                             : 0;
  return device;
}

int cuDevicePrimaryCtxRetain(fg_cu_context_ref *context, int device) {
  int status = count(1);
  *context = status ? NULL : (fg_cu_context_ref)(size_t)(device + 1);
  return status;
}
int cuDevicePrimaryCtxRelease_v2(int device) { return alive--, device; }

int cuCtxPushCurrent_v2(fg_cu_context_ref context) {
  if (!context) return FAILED;
  return fake_depth++, FG_CU_SUCCESS;
}
int cuCtxPopCurrent_v2(fg_cu_context_ref *context) { return *context = NULL, fake_depth--, FG_CU_SUCCESS; }

int cuCtxGetCurrent(fg_cu_context_ref *context) { return *context = fake_current, FG_CU_SUCCESS; }
int cuCtxGetDevice(int *device) { return *device = 0, fake_current ? FG_CU_SUCCESS : 201; }

/* Of an ELF file of 64 bits, whose headers say how long it is; 0 of what only begins like one. */
static unsigned long hash_of(const unsigned char *image) {
  enum { CLASS = 4, CLASS_64 = 2 };
  if (image[CLASS] != CLASS_64) return 0;
  unsigned long long sections, segments;
  unsigned short each[4];
  memcpy(&segments, image + 0x20, 8), memcpy(&sections, image + 0x28, 8), memcpy(each, image + 0x36, 8);
  unsigned long long end = sections + (unsigned)each[2] * each[3], other = segments + (unsigned)each[0] * each[1];
  unsigned long hash = 5381;
  for (unsigned long long i = 0; i < (end > other ? end : other); i++) hash = hash * 33 ^ image[i];
  return hash;
}

int cuModuleLoadData(fg_cu_module_ref *module, const void *image) {
  bool ptx = !memcmp(image, "//", 2);
  if (memcmp(image, "\177ELF", 4) != 0 && !ptx) return FAILED;
  memcpy(fake_image, image, ptx ? strnlen(image, sizeof fake_image - 1) : 16);
  int status = count(1);
  if (status) return status;
  *module = &modules[nmodule++ % MODULES];
  (*module)->image = ptx ? 0 : hash_of(image);
  return status;
}
int cuModuleUnload(fg_cu_module_ref module) { return alive--, module ? 0 : FAILED; }

int cuModuleGetFunction(fg_cu_function_ref *function, fg_cu_module_ref module, const char *name) {
  *function = &functions[nfunction++ % FUNCTIONS];
  strncpy((*function)->name, name, sizeof(*function)->name - 1);
  (*function)->image = module ? module->image : 0;
  return module && *name ? count(0) : FAILED;
}

int cuFuncGetAttribute(int *value, fg_cu_function_attribute what, fg_cu_function_ref f) {
  *value = what == FG_CU_FUNCTION_THREADS ? 1024 : what == FG_CU_FUNCTION_REGISTERS ? 32 : 0;
  return f ? count(0) : FAILED;
}

int cuFuncSetAttribute(fg_cu_function_ref f, fg_cu_function_attribute what, int value) {
  if (f && what == FG_CU_FUNCTION_LARGE_CLUSTERS && value == 1) return fake_large_clusters++, count(0);
  if (f && what == FG_CU_FUNCTION_CLUSTER_POLICY && value == FG_CU_CLUSTER_BALANCED) return fake_balanced++, count(0);
  if (f && what == FG_CU_FUNCTION_CARVE) return fake_carve = value, count(0);
  return f && what == FG_CU_FUNCTION_DYNAMIC_BYTES && value <= SHARED ? count(0) : FAILED;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, fg_cu_function_ref f, int threads, size_t local_bytes) {
  *blocks = f && threads && local_bytes ? (int)((228 << 10) / (local_bytes + 1024)) : 0;
  return count(0);
}

int cuMemAlloc_v2(fg_cu_memory *memory, size_t bytes) {
  int status = count(1);
  fake_allocations++;
  if (!status) *memory = (fg_cu_memory)(size_t)calloc(1, bytes);
  return status;
}

int cuMemFree_v2(fg_cu_memory memory) {
  free((void *)(size_t)memory);
  alive--;
  return FG_CU_SUCCESS;
}

int cuMemcpyHtoD_v2(fg_cu_memory to, const void *from, size_t bytes) {
  int status = count(0);
  if (!status) memcpy((void *)(size_t)to, from, bytes);
  return status;
}

int cuMemcpyDtoH_v2(void *to, fg_cu_memory from, size_t bytes) {
  int status = count(0);
  if (!status) memcpy(to, (const void *)(size_t)from, bytes);
  return status;
}

int cuStreamCreate(fg_cu_stream_ref *stream, unsigned flags) {
  int status = count(1);
  if (!status) *stream = (fg_cu_stream_ref)(size_t)(flags + 1);
  return status;
}
int cuStreamDestroy_v2(fg_cu_stream_ref stream) { return alive--, stream ? 0 : FAILED; }
int cuStreamSynchronize(fg_cu_stream_ref stream) {
  (void)stream; /* NULL: the default stream */
  return count(0);
}

int cuEventCreate(fg_cu_event_ref *event, unsigned flags) {
  int status = count(1);
  if (!status) *event = (fg_cu_event_ref)(size_t)(flags + 1);
  return status;
}
static float passed, begun, ended; /* us, by the launches until now and at the last two events */
int cuEventRecord(fg_cu_event_ref event, fg_cu_stream_ref stream) {
  begun = ended, ended = passed;
  return event && stream ? count(0) : FAILED;
}
int cuEventDestroy_v2(fg_cu_event_ref event) { return alive--, event ? 0 : FAILED; }

int cuEventElapsedTime(float *milliseconds, fg_cu_event_ref from, fg_cu_event_ref to) {
  *milliseconds = fake_launch_us > 0 ? 1e-3f * (ended - begun) : fake_milliseconds;
  return from && to ? count(0) : FAILED;
}

static size_t nodes; /* kernels of the graph that was captured last */
int cuStreamBeginCapture_v2(fg_cu_stream_ref stream, int forbidden) {
  int status = forbidden == 1 ? count(0) : FAILED;
  if (!status) fake_captured = stream, nodes = 0;
  return status;
}
int cuStreamEndCapture(fg_cu_stream_ref stream, fg_cu_graph_ref *graph) {
  int status = stream == fake_captured ? count(1) : FAILED;
  fake_captured = NULL;
  *graph = status ? NULL : (fg_cu_graph_ref)(size_t)1;
  return status;
}
int cuGraphGetNodes(fg_cu_graph_ref graph, void *list, size_t *n) { return *n = nodes, graph && !list ? 0 : FAILED; }
int cuGraphInstantiateWithFlags(fg_cu_graph_exec_ref *run, fg_cu_graph_ref graph, unsigned long long flags) {
  int status = graph && !flags ? count(1) : FAILED;
  *run = status ? NULL : (fg_cu_graph_exec_ref)(size_t)1;
  return status;
}
int cuGraphLaunch(fg_cu_graph_exec_ref run, fg_cu_stream_ref stream) {
  passed += fake_node_us * (float)nodes;
  fake_launches += (int)nodes;
  return run && stream ? count(0) : FAILED;
}
int cuGraphExecDestroy(fg_cu_graph_exec_ref run) { return alive--, run ? 0 : FAILED; }
int cuGraphDestroy(fg_cu_graph_ref graph) { return alive--, graph ? 0 : FAILED; }

/* The first two arguments are addresses: their first bytes are read, so that a
 * checker of memory sees a wrong one. */
int cuLaunchKernel(fg_cu_function_ref f, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty, unsigned tz,
                   unsigned local_bytes, fg_cu_stream_ref stream, void **arguments, void **extra) {
  int status = count(0);
  if (status) return status;
  if (!f || by != 1 || bz != 1 || ty != 1 || tz != 1 || extra) return FAILED;
  if (fake_captured && stream == fake_captured) return nodes++, FG_CU_SUCCESS;
  fake_launches++;
  passed += fake_launch_us;
  if (fake_kernel) return fake_kernel(f->name, f->image, arguments);
  fg_cu_memory in, out;
  memcpy(&in, arguments[0], sizeof in);
  memcpy(&out, arguments[1], sizeof out);
  memcpy((void *)(size_t)out, (const void *)(size_t)in, 8);
  for (int i = 0; i < fake_arguments; i++) memcpy(&fake_argument[i], arguments[i], sizeof *fake_argument);
  fake_stream = stream;
  fake_blocks = bx, fake_threads = tx, fake_local_bytes = local_bytes;
  return FG_CU_SUCCESS;
}

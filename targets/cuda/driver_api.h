/* The CUDA driver without its headers: the functions that are used, declared
 * here, as pointers filled from libcuda when it is asked for. */
#ifndef FG_CUDA_DRIVER_API_H
#define FG_CUDA_DRIVER_API_H
#include "targets/device.h"

typedef struct fg_cu_context *fg_cu_context_ref;
typedef struct fg_cu_module *fg_cu_module_ref;
typedef struct fg_cu_function *fg_cu_function_ref;
typedef struct fg_cu_stream *fg_cu_stream_ref;
typedef struct fg_cu_event *fg_cu_event_ref;
typedef struct fg_cu_graph *fg_cu_graph_ref;
typedef struct fg_cu_graph_exec *fg_cu_graph_exec_ref;
typedef unsigned long long fg_cu_memory; /* address on the device */

/* Numbers of the driver's interface. */
enum { FG_CU_SUCCESS = 0, FG_CU_PORTABLE_CLUSTER = 8, FG_CU_LARGEST_CLUSTER = 16 /* blocks */ };
typedef enum fg_cu_device_attribute {
  FG_CU_THREADS_PER_BLOCK = 1,
  FG_CU_REGISTERS_PER_BLOCK = 12,
  FG_CU_CLOCK = 13, /* kHz */
  FG_CU_MULTIPROCESSORS = 16,
  FG_CU_L2_BYTES = 38,
  FG_CU_THREADS_ALL = 39, /* of a multiprocessor */
  FG_CU_MAJOR = 75,
  FG_CU_MINOR = 76,
  FG_CU_LOCAL_BYTES_ALL = 81, /* of a multiprocessor */
  FG_CU_REGISTERS_ALL = 82,
  FG_CU_LOCAL_BYTES_OPTIN = 97,
  FG_CU_BLOCKS_ALL = 106,
  FG_CU_LOCAL_BYTES_KEPT = 111, /* of each block */
  FG_CU_CLUSTER_LAUNCH = 120,
} fg_cu_device_attribute;
typedef enum fg_cu_function_attribute {
  FG_CU_FUNCTION_THREADS = 0,
  FG_CU_FUNCTION_SPILL_BYTES = 3, /* "local" memory: the stack of a thread */
  FG_CU_FUNCTION_REGISTERS = 4,
  FG_CU_FUNCTION_DYNAMIC_BYTES = 8,
  FG_CU_FUNCTION_CARVE = 9,
  FG_CU_FUNCTION_LARGE_CLUSTERS = 14, /* of more than 8 blocks */
  FG_CU_FUNCTION_CLUSTER_POLICY = 15, /* where their blocks are scheduled: */
} fg_cu_function_attribute;
enum { FG_CU_CLUSTER_BALANCED = 2 };

/* name here, symbol, parameters; all return 0 or an error's number */
/* clang-format off */
#define FG_CU_FUNCTIONS(F)                                                                             \
  F(init, cuInit, (unsigned flags))                                                                    \
  F(driver_version, cuDriverGetVersion, (int *version))                                                \
  F(error_name, cuGetErrorName, (int status, const char **name))                                       \
  F(device_count, cuDeviceGetCount, (int *count))                                                      \
  F(device_get, cuDeviceGet, (int *device, int number))                                                \
  F(device_name, cuDeviceGetName, (char *name, int size, int device))                                  \
  F(device_attribute, cuDeviceGetAttribute, (int *value, fg_cu_device_attribute what, int device))     \
  F(context_retain, cuDevicePrimaryCtxRetain, (fg_cu_context_ref *context, int device))                \
  F(context_release, cuDevicePrimaryCtxRelease_v2, (int device))                                       \
  F(context_push, cuCtxPushCurrent_v2, (fg_cu_context_ref context))                                    \
  F(context_pop, cuCtxPopCurrent_v2, (fg_cu_context_ref *context))                                     \
  F(context_current, cuCtxGetCurrent, (fg_cu_context_ref *context))                                    \
  F(context_device, cuCtxGetDevice, (int *device))                                                     \
  F(module_load, cuModuleLoadData, (fg_cu_module_ref *module, const void *image))                      \
  F(module_unload, cuModuleUnload, (fg_cu_module_ref module))                                          \
  F(module_function, cuModuleGetFunction,                                                              \
    (fg_cu_function_ref *function, fg_cu_module_ref module, const char *name))                         \
  F(function_get, cuFuncGetAttribute, (int *value, fg_cu_function_attribute what, fg_cu_function_ref f)) \
  F(function_set, cuFuncSetAttribute, (fg_cu_function_ref f, fg_cu_function_attribute what, int value)) \
  F(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                            \
    (int *blocks, fg_cu_function_ref f, int threads, size_t local_bytes))                              \
  F(allocate, cuMemAlloc_v2, (fg_cu_memory *memory, size_t bytes))                                     \
  F(release, cuMemFree_v2, (fg_cu_memory memory))                                                      \
  F(upload, cuMemcpyHtoD_v2, (fg_cu_memory to, const void *from, size_t bytes))                        \
  F(download, cuMemcpyDtoH_v2, (void *to, fg_cu_memory from, size_t bytes))                            \
  F(stream_create, cuStreamCreate, (fg_cu_stream_ref *stream, unsigned flags))                         \
  F(stream_destroy, cuStreamDestroy_v2, (fg_cu_stream_ref stream))                                     \
  F(stream_wait, cuStreamSynchronize, (fg_cu_stream_ref stream))                                       \
  F(event_create, cuEventCreate, (fg_cu_event_ref *event, unsigned flags))                             \
  F(event_record, cuEventRecord, (fg_cu_event_ref event, fg_cu_stream_ref stream))                     \
  F(event_between, cuEventElapsedTime, (float *milliseconds, fg_cu_event_ref from, fg_cu_event_ref to)) \
  F(event_destroy, cuEventDestroy_v2, (fg_cu_event_ref event))                                         \
  F(launch, cuLaunchKernel,                                                                            \
    (fg_cu_function_ref f, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty, unsigned tz, \
     unsigned local_bytes, fg_cu_stream_ref stream, void **arguments, void **extra))
/* Of drivers from CUDA 11.4 on. */
#define FG_CU_GRAPH_FUNCTIONS(F)                                                                       \
  F(capture_begin, cuStreamBeginCapture_v2, (fg_cu_stream_ref stream, int forbidden))                  \
  F(capture_end, cuStreamEndCapture, (fg_cu_stream_ref stream, fg_cu_graph_ref *graph))                \
  F(graph_nodes, cuGraphGetNodes, (fg_cu_graph_ref graph, void *nodes, size_t *count))                 \
  F(graph_prepare, cuGraphInstantiateWithFlags,                                                        \
    (fg_cu_graph_exec_ref *run, fg_cu_graph_ref graph, unsigned long long flags))                      \
  F(graph_launch, cuGraphLaunch, (fg_cu_graph_exec_ref run, fg_cu_stream_ref stream))                  \
  F(graph_exec_destroy, cuGraphExecDestroy, (fg_cu_graph_exec_ref run))                                \
  F(graph_destroy, cuGraphDestroy, (fg_cu_graph_ref graph))
/* clang-format on */

typedef struct fg_cu_api {
#define F(name, symbol, parameters) int(*name) parameters;
  FG_CU_FUNCTIONS(F)
  FG_CU_GRAPH_FUNCTIONS(F)
#undef F
  bool has_graphs;
} fg_cu_api;

/* The functions, loaded once per process and initialised; NULL and the reason
 * when they are not there. */
const fg_cu_api *fg_cu_load(char why[FG_WHY_SIZE]);
/* Nonzero, with "what: CUDA_ERROR_..." in why. */
int fg_cu_failed(char why[FG_WHY_SIZE], const char *what, int status);
/* This thread works in the context until it leaves it; nonzero: why not. */
int fg_cu_enter(const fg_cu_api *cu, fg_cu_context_ref context, char why[FG_WHY_SIZE]);
/* Returns the result that it is given. */
int fg_cu_leave(const fg_cu_api *cu, int result);
#endif

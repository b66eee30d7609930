/* The HIP runtime without its headers: the functions that are used, as pointers
 * filled from libamdhip64 when it is asked for. */
#ifndef FG_HIP_API_H
#define FG_HIP_API_H
#include "targets/hip/arch.h"

typedef struct fg_hip_module *fg_hip_module_ref;
typedef struct fg_hip_function *fg_hip_function_ref;
typedef struct fg_hip_event *fg_hip_event_ref;

enum { FG_HIP_SUCCESS = 0 };

/* name here, symbol, parameters; all return 0 or an error's number */
/* clang-format off */
#define FG_HIP_FUNCTIONS(F)                                                                            \
  F(device_count, hipGetDeviceCount, (int *count))                                                     \
  F(set_device, hipSetDevice, (int number))                                                            \
  F(properties, hipGetDeviceProperties, (void *properties, int number))                                \
  F(version, hipRuntimeGetVersion, (int *version))                                                     \
  F(module_load, hipModuleLoadData, (fg_hip_module_ref *module, const void *image))                    \
  F(module_unload, hipModuleUnload, (fg_hip_module_ref module))                                        \
  F(module_function, hipModuleGetFunction,                                                             \
    (fg_hip_function_ref *function, fg_hip_module_ref module, const char *name))                       \
  F(allocate, hipMalloc, (void **memory, size_t bytes))                                                \
  F(release, hipFree, (void *memory))                                                                  \
  F(upload, hipMemcpyHtoD, (void *to, const void *from, size_t bytes))                                 \
  F(download, hipMemcpyDtoH, (void *to, void *from, size_t bytes))                                     \
  F(wait, hipDeviceSynchronize, (void))                                                                \
  F(event_create, hipEventCreate, (fg_hip_event_ref *event))                                           \
  F(event_record, hipEventRecord, (fg_hip_event_ref event, void *stream))                              \
  F(event_wait, hipEventSynchronize, (fg_hip_event_ref event))                                         \
  F(event_between, hipEventElapsedTime, (float *milliseconds, fg_hip_event_ref from, fg_hip_event_ref to)) \
  F(event_destroy, hipEventDestroy, (fg_hip_event_ref event))                                          \
  F(launch, hipModuleLaunchKernel,                                                                     \
    (fg_hip_function_ref f, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty, unsigned tz, \
     unsigned local_bytes, void *stream, void **arguments, void **extra))
/* clang-format on */

typedef struct fg_hip_api {
#define F(name, symbol, parameters) int(*name) parameters;
  FG_HIP_FUNCTIONS(F)
#undef F
} fg_hip_api;

/* Loaded once per process; NULL and the reason when they are not there. */
const fg_hip_api *fg_hip_load(char why[FG_WHY_SIZE]);
#endif

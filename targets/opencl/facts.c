/* In: a device. Out: its facts, and the name under which wisdom and caches know it. */
#include "targets/opencl/facts.h"
#include <stdio.h>
#include <string.h>

static size_t ask_size(const fg_cl_api *cl, cl_device_id device, cl_device_info what, size_t bytes) {
  union {
    cl_uint u;
    cl_ulong ul;
    size_t z;
  } v = {.ul = 0};
  if (cl->clGetDeviceInfo(device, what, bytes, &v, NULL) != CL_SUCCESS) return 0;
  return bytes == sizeof v.u ? v.u : v.z;
}

static void ask_text(const fg_cl_api *cl, cl_device_id device, cl_device_info what, char text[4096]) {
  if (cl->clGetDeviceInfo(device, what, 4096, text, NULL) != CL_SUCCESS) *text = 0;
  text[4095] = 0;
}

/* CPUs are fast with vectors in one work-item: a work-item a number is ten times slower. */
static void add_vectors(const fg_cl_api *cl, cl_device_id device, fg_device_facts *facts) {
  cl_device_type type = 0;
  facts->lanes_f32 = facts->lanes_f64 = 1; /* one number a work-item */
  cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  facts->is_gpu_like = !(type & CL_DEVICE_TYPE_CPU) || (type & CL_DEVICE_TYPE_GPU);
  if (facts->is_gpu_like) return;
  facts->lanes_f32 = (int)ask_size(cl, device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof(cl_uint));
  facts->lanes_f64 = (int)ask_size(cl, device, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof(cl_uint));
  if (facts->lanes_f32 < 1) facts->lanes_f32 = 1;
  if (facts->lanes_f64 < 1) facts->lanes_f64 = 1;
}

/* Work-items in lockstep. Each vendor has its own question; of OpenCL's own, one tells how many groups of them a
 * work-group has, not their size. 0: not known. */
static int ask_wave(const fg_cl_api *cl, cl_device_id device, const char *extensions) {
  enum { NV_WARP_SIZE = 0x4003, AMD_WAVE_WIDTH = 0x4043, INTEL_SIZES = 0x4108, MOST = 8 };
  size_t sizes[MOST] = {0}, bytes = 0;
  if (strstr(extensions, "cl_nv_device_attribute_query"))
    return (int)ask_size(cl, device, NV_WARP_SIZE, sizeof(cl_uint));
  if (strstr(extensions, "cl_amd_device_attribute_query"))
    return (int)ask_size(cl, device, AMD_WAVE_WIDTH, sizeof(cl_uint));
  if (!strstr(extensions, "cl_intel_required_subgroup_size")) return 0;
  if (cl->clGetDeviceInfo(device, INTEL_SIZES, sizeof sizes, sizes, &bytes) != CL_SUCCESS || bytes < sizeof *sizes)
    return 0;
  return (int)sizes[bytes / sizeof *sizes - 1]; /* rising */
}

/* The row of any such device, and over it what this one says of itself. */
static void fill_machine(const fg_cl_api *cl, cl_device_id device, fg_device_facts *facts) {
  fg_machine *m = &facts->machine;
  *m = *fg_machine_find(facts->is_gpu_like ? "opencl-gpu" : "opencl-cpu");
  fg_machine_set(m, "shared_block_bytes", (int64_t)facts->local_bytes, "its driver");
  fg_machine_set(m, "block_threads", facts->max_threads, "its driver");
  if (!facts->is_gpu_like) return;
  fg_machine_set(m, "l2_bytes", (int64_t)facts->cache[0], "its driver");
  fg_machine_set(m, "wave", facts->wave, "its driver");
  fg_machine_set(m, "multiprocessors", (int64_t)ask_size(cl, device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint)),
                 "its driver");
}

void fg_cl_facts(const fg_cl_api *cl, cl_device_id device, fg_device_facts *facts) {
  char text[4096], driver[4096];
  *facts = (fg_device_facts){.registers = 64, .has_fma = true};
  ask_text(cl, device, CL_DEVICE_NAME, text);
  snprintf(facts->name, sizeof facts->name, "%.120s", text);
  ask_text(cl, device, CL_DRIVER_VERSION, driver);
  ask_text(cl, device, CL_DEVICE_VERSION, text);
  snprintf(facts->version, sizeof facts->version, "%.70s, driver %.40s", text, driver);
  snprintf(facts->identity, sizeof facts->identity, "%s, %s", facts->name, facts->version);
  ask_text(cl, device, CL_DEVICE_EXTENSIONS, text);
  facts->has_f64 = strstr(text, "cl_khr_fp64") != NULL;
  facts->has_f16 = strstr(text, "cl_khr_fp16") != NULL;
  facts->wave = ask_wave(cl, device, text);
  add_vectors(cl, device, facts);
  facts->local_bytes = ask_size(cl, device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong));
  facts->max_threads = (int)ask_size(cl, device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
  facts->cache[0] = ask_size(cl, device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cl_ulong));
  fill_machine(cl, device, facts);
}

/* In: a device of the driver. Out: its facts, and the name under which wisdom and
 * caches know it. */
#include "targets/cuda/facts.h"
#include <stdio.h>

enum { PLAIN_LOCAL_BYTES = 48 << 10, WARP = 32 };

/* 0: not known. */
static int attribute(const fg_cu_api *cu, int device, fg_cu_device_attribute what) {
  int value = 0;
  return cu->device_attribute(&value, what, device) == FG_CU_SUCCESS ? value : 0;
}

/* Percent of memory for blocks, of which a multiprocessor holds `each`, so that L1 has room; 0: it has. */
static int carveout_of(const fg_cu_api *cu, int device, const fg_launch *l, int each) {
  int whole = attribute(cu, device, FG_CU_LOCAL_BYTES_ALL) / 100;
  int block = (int)l->local_bytes + attribute(cu, device, FG_CU_LOCAL_BYTES_KEPT);
  int fewer = FG_CU_CARVE_PERCENT * whole / block * ((l->threads + WARP - 1) / WARP);
  return each * block > FG_CU_CARVE_MOST * whole && fewer >= FG_CU_CARVE_WARPS ? FG_CU_CARVE_PERCENT : 0;
}

int fg_cu_find_kernel(const fg_cu_api *cu, int device, fg_cu_module_ref code, const fg_launch *l, fg_cu_kernel *k) {
  int each = 0, carveout = fg_launch_carveout(l), status = cu->module_function(&k->function, code, l->entry);
  if (status == FG_CU_SUCCESS && l->local_bytes > PLAIN_LOCAL_BYTES)
    status = cu->function_set(k->function, FG_CU_FUNCTION_DYNAMIC_BYTES, (int)l->local_bytes);
  if (status == FG_CU_SUCCESS && l->cluster > FG_CU_PORTABLE_CLUSTER)
    status = cu->function_set(k->function, FG_CU_FUNCTION_LARGE_CLUSTERS, 1);
  if (status == FG_CU_SUCCESS && l->balanced)
    status = cu->function_set(k->function, FG_CU_FUNCTION_CLUSTER_POLICY, FG_CU_CLUSTER_BALANCED);
  if (status == FG_CU_SUCCESS) status = cu->function_get(&k->threads, FG_CU_FUNCTION_THREADS, k->function);
  if (status == FG_CU_SUCCESS && carveout > 0) status = cu->function_set(k->function, FG_CU_FUNCTION_CARVE, carveout);
  if (status == FG_CU_SUCCESS) status = cu->occupancy(&each, k->function, l->threads, l->local_bytes);
  if (status == FG_CU_SUCCESS && !carveout && (carveout = carveout_of(cu, device, l, each)))
    status = cu->function_set(k->function, FG_CU_FUNCTION_CARVE, carveout);
  int most = each * attribute(cu, device, FG_CU_MULTIPROCESSORS);
  k->most = !l->persistent ? INT32_MAX : most > 0 ? most : 1;
  return status;
}

void fg_cu_arch(const fg_cu_api *cu, int device, char arch[FG_CU_ARCH_SIZE]) {
  snprintf(arch, FG_CU_ARCH_SIZE, "sm_%d%d", attribute(cu, device, FG_CU_MAJOR) % 1000,
           attribute(cu, device, FG_CU_MINOR) % 1000);
}

/* The row of its architecture, and over it what the driver says of this very device. */
static void fill_machine(const fg_cu_api *cu, int device, const char *arch, fg_device_facts *facts) {
  static const struct {
    const char *figure;
    fg_cu_device_attribute what;
    int each; /* of the driver's units */
  } asked[] = {{"multiprocessors", FG_CU_MULTIPROCESSORS, 1},
               {"registers", FG_CU_REGISTERS_ALL, 1},
               {"shared_bytes", FG_CU_LOCAL_BYTES_ALL, 1},
               {"shared_kept_bytes", FG_CU_LOCAL_BYTES_KEPT, 1},
               {"shared_block_bytes", FG_CU_LOCAL_BYTES_OPTIN, 1},
               {"block_threads", FG_CU_THREADS_PER_BLOCK, 1},
               {"threads", FG_CU_THREADS_ALL, 1},
               {"blocks", FG_CU_BLOCKS_ALL, 1},
               {"l2_bytes", FG_CU_L2_BYTES, 1},
               {"clock_mhz", FG_CU_CLOCK, 1000}};
  const fg_machine *row = fg_machine_of_device(arch, facts->name);
  facts->machine = row ? *row : *fg_machine_find("cuda");
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    fg_machine_set(&facts->machine, asked[i].figure, attribute(cu, device, asked[i].what) / asked[i].each,
                   "its driver");
}

void fg_cu_facts(const fg_cu_api *cu, int device, fg_device_facts *facts) {
  char arch[FG_CU_ARCH_SIZE];
  int version = 0;
  *facts = (fg_device_facts){.is_gpu_like = true, .registers = 255, .has_f16 = true, .has_f64 = true, .has_fma = true};
  cu->device_name(facts->name, (int)sizeof facts->name - 1, device);
  cu->driver_version(&version);
  fg_cu_arch(cu, device, arch);
  snprintf(facts->arch, sizeof facts->arch, "%s", arch);
  snprintf(facts->version, sizeof facts->version, "%s, driver for CUDA %d.%d", arch, version / 1000,
           version % 1000 / 10);
  snprintf(facts->identity, sizeof facts->identity, "%s, %s", facts->name, facts->version);
  facts->wave = 32;
  facts->lanes_f32 = facts->lanes_f64 = 1; /* one element a thread */
  facts->local_bytes = (size_t)attribute(cu, device, FG_CU_LOCAL_BYTES_OPTIN);
  facts->max_threads = attribute(cu, device, FG_CU_THREADS_PER_BLOCK);
  facts->queue = true;
  facts->cluster = attribute(cu, device, FG_CU_CLUSTER_LAUNCH) ? FG_CU_LARGEST_CLUSTER : 1;
  facts->cache[0] = (size_t)attribute(cu, device, FG_CU_L2_BYTES);
  fill_machine(cu, device, arch, facts);
}

/* See arch.h. Numbers of the table: AMD's instruction set guides, LLVM's user
 * guide for AMDGPU. Occupancy: the least of what waves, registers and local
 * memory allow. */
#include "targets/hip/arch.h"
#include <string.h>

enum { KIB = 1024, LOCAL_GRANULE = 512 };

/* Local memory: of a compute unit in gfx9, of a pair of them in gfx10 and later,
 * where a block's waves run on either. */
static const fg_hip_arch table[] = {
    {"gfx906", 64, 256, 4, 10, 4, 64 * KIB, 64 * KIB},     {"gfx908", 64, 256, 4, 10, 4, 64 * KIB, 64 * KIB},
    {"gfx90a", 64, 512, 8, 8, 4, 64 * KIB, 64 * KIB},      {"gfx942", 64, 512, 8, 8, 4, 64 * KIB, 64 * KIB},
    {"gfx1030", 32, 1024, 16, 16, 4, 128 * KIB, 64 * KIB}, {"gfx1100", 32, 1536, 24, 16, 4, 128 * KIB, 64 * KIB},
    {"gfx1101", 32, 1536, 24, 16, 4, 128 * KIB, 64 * KIB}, {"gfx1200", 32, 1536, 24, 16, 4, 128 * KIB, 64 * KIB},
    {"gfx1201", 32, 1536, 24, 16, 4, 128 * KIB, 64 * KIB}, {0},
};

const fg_hip_arch *fg_hip_arch_table(void) { return table; }

const fg_hip_arch *fg_hip_arch_find(const char *name) {
  size_t length = strcspn(name, ":");
  for (const fg_hip_arch *a = table; a->name; a++)
    if (strlen(a->name) == length && !memcmp(a->name, name, length)) return a;
  return NULL;
}

static int round_up(int n, int granule) { return (n + granule - 1) / granule * granule; }

fg_hip_occupancy fg_hip_occupancy_of(const fg_hip_arch *a, const fg_hip_usage *u, int threads, size_t local_bytes) {
  int taken = round_up(u->vector_registers > 0 ? u->vector_registers : 1, a->register_granule);
  int block_waves = (threads + a->wave - 1) / a->wave;
  size_t local = (local_bytes + (size_t)u->local_bytes + LOCAL_GRANULE - 1) / LOCAL_GRANULE * LOCAL_GRANULE;
  int by_registers = a->registers / taken;
  fg_hip_occupancy o = {.waves = a->waves, .limited = "waves"};
  if (by_registers < o.waves) o = (fg_hip_occupancy){.waves = by_registers, .limited = "registers"};
  o.blocks = o.waves * a->simds / block_waves;
  if (local && a->local_bytes / local < (size_t)o.blocks) {
    o.blocks = local > a->block_bytes ? 0 : (int)(a->local_bytes / local);
    o.limited = "memory";
  }
  o.waves = (o.blocks * block_waves + a->simds - 1) / a->simds;
  return o;
}

/* See arch.h. Numbers of the table: the rows of machines (targets/machine/gfx*.c).
 * Occupancy: the least of what waves, registers and local memory allow. */
#include "targets/hip/arch.h"
#include "targets/machine/machine.h"
#include <pthread.h>
#include <string.h>

enum { MOST_ARCHS = 32, LOCAL_GRANULE = 512 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static fg_hip_arch table[MOST_ARCHS + 1];

static void fill(void) {
  int count = 0;
  for (const fg_machine *const *row = fg_machine_table(); *row && count < MOST_ARCHS; row++) {
    const fg_machine *m = *row;
    if (!m->code || strncmp(m->code, "gfx", 3)) continue;
    int lanes = (int)(m->simds * m->wave);
    table[count++] = (fg_hip_arch){.name = m->code,
                                   .wave = (int)m->wave,
                                   .registers = (int)m->registers / lanes,
                                   .register_granule = (int)m->register_step,
                                   .waves = (int)m->threads / lanes,
                                   .simds = (int)m->simds,
                                   .local_bytes = (size_t)m->shared_bytes,
                                   .block_bytes = (size_t)m->shared_block_bytes};
  }
}

const fg_hip_arch *fg_hip_arch_table(void) {
  pthread_once(&once, fill);
  return table;
}

const fg_hip_arch *fg_hip_arch_find(const char *name) {
  size_t length = strcspn(name, ":");
  for (const fg_hip_arch *a = fg_hip_arch_table(); a->name; a++)
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

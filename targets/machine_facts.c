/* In: a row of the table of machines. Out: the facts that such a device would report, for planning without it. */
#include "targets/device.h"
#include "targets/dialect.h"
#include <stdio.h>

static void add_vectors(const fg_isa *isa, fg_device_facts *facts) {
  facts->lanes_f32 = isa->vector_bytes ? isa->vector_bytes / 4 : 1;
  facts->lanes_f64 = isa->vector_bytes ? isa->vector_bytes / 8 : 1;
  facts->registers = isa->registers;
  facts->has_fma = isa->fma;
  facts->max_threads = 1;
}

static void add_threads(const fg_machine *m, fg_device_facts *facts) {
  facts->is_gpu_like = true;
  facts->lanes_f32 = facts->lanes_f64 = 1; /* one number a thread */
  facts->registers = (int)(m->plan_registers ? m->plan_registers : m->thread_registers);
  facts->max_threads = (int)m->block_threads;
  facts->local_bytes = (size_t)m->shared_block_bytes;
  facts->wave = (int)m->wave;
  facts->cluster = m->cluster > 1 ? (int)m->cluster : 1;
  facts->queue = m->persistent;
  facts->has_fma = true;
}

void fg_machine_facts(const fg_machine *m, fg_device_facts *facts) {
  *facts = (fg_device_facts){.machine = *m, .has_f16 = m->f16, .has_f64 = m->f64};
  snprintf(facts->name, sizeof facts->name, "%s", m->title);
  snprintf(facts->version, sizeof facts->version, "row %s of the table of machines", m->name);
  if (fg_machine_is_gpu(m)) {
    add_threads(m, facts);
    facts->cache[0] = (size_t)m->l2_bytes; /* as drivers of GPUs say it */
    return;
  }
  add_vectors(fg_isa_find(m->isa), facts);
  if (m->shared_block_bytes) facts->max_threads = (int)m->block_threads; /* by OpenCL */
  facts->local_bytes = (size_t)m->shared_block_bytes;
  facts->cache[0] = (size_t)m->l1_bytes;
  facts->cache[1] = (size_t)m->l2_bytes;
  facts->cache[2] = (size_t)m->l3_bytes;
}

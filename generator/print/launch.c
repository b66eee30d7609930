/* Launches: each kernel's grid, threads, memory and arguments. */
#include "generator/lower/async_copy.h"
#include "generator/lower/kernel.h"
#include "generator/lower/memory.h"
#include "generator/lower/persistent.h"
#include "generator/lower/shuffle.h"
#include "generator/print/assembly.h"
#include "generator/text/emitter.h"
#include <string.h>

static void add_launch_arg(fg_launch *l, bool is_param, int index) {
  l->arg[l->narg++] = (fg_launch_arg){is_param, index};
}

static int slot_named(const fg_artifact *a, const char *name) {
  for (int i = 0; i < a->nbuffer; i++)
    if (!strcmp(a->buffer[i].name, name)) return fg_artifact_slot(a, i);
  return -1;
}

static size_t local_bytes(const fg_assembly *a, int kernel) {
  const fg_emitter *e = a->e;
  const fg_uses *u = &a->uses[kernel];
  size_t bytes = 0;
  for (int m = 0; m < e->p->nbuffer; m++) {
    if (!u->memory[m] || !fg_buffer_is_shared(&e->p->buffer[m])) continue;
    bytes += (size_t)fg_memory_local_bytes(e, m);
    if (fg_bulk_uses(e, e->p->kernel[kernel], m)) bytes += 2 * (size_t)e->d->bulk->align_bytes;
    if (fg_buffer_is_distributed(&e->p->buffer[m])) bytes += (size_t)e->d->cluster->mbarrier_bytes;
  }
  return bytes;
}

static fg_status add_launch_args(const fg_assembly *a, const fg_uses *u, bool queued, fg_launch *l) {
  const fg_emitter *e = a->e;
  const int room = (int)(sizeof l->arg / sizeof *l->arg), given = e->d->arguments ? e->d->arguments->most : 0;
  const int most = given ? given : room;
  const char *fits = "emit: %s: more than %d arguments";
  for (int m = 0; m < e->p->nbuffer; m++) {
    if (!u->memory[m] || e->p->buffer[m].space == FG_SPACE_LOCAL) continue;
    if (l->narg + 2 > most) return fg_refuse(e->cx, fits, l->entry, most);
    int slot = slot_named(a->artifact, e->memory[m].name);
    add_launch_arg(l, false, slot);
    if (e->memory[m].parts) add_launch_arg(l, false, slot + 1);
  }
  if (queued && l->narg < most) add_launch_arg(l, false, slot_named(a->artifact, FG_QUEUE_PLACE));
  for (int i = 0; i < e->p->problem.nparam; i++) {
    if (!u->param[i]) continue;
    if (l->narg == most) return fg_refuse(e->cx, fits, l->entry, most);
    add_launch_arg(l, true, i);
  }
  return FG_OK;
}

static int carveout_of(const fg_emitter *e) {
  return e->p->plan ? (int)fg_plan_param_value(e->p->plan, FG_PARAM_SHARED_MEMORY_CARVEOUT) : 0;
}

static bool is_balanced(const fg_emitter *e, const fg_kernel *k) {
  return k->launch.cluster > 1 && e->p->plan && fg_plan_param_value(e->p->plan, FG_PARAM_CLUSTER_SCHEDULING);
}

static fg_status describe_launch(fg_assembly *a, int kernel, fg_launch *l) {
  const fg_emitter *e = a->e;
  const fg_kernel *k = e->p->kernel[kernel];
  const int factors = (int)(sizeof l->block_factor / sizeof *l->block_factor);
  *l = (fg_launch){.entry = fg_lower_kernel_symbol(e, kernel),
                   .threads = k->launch.threads,
                   .cluster = k->launch.cluster > 1 ? k->launch.cluster : 1,
                   .persistent = k->launch.persistent,
                   .bulk = fg_bulk_is_wanted(e, k),
                   .registers = fg_shuffle_has_registers(e, k) || fg_kernel_has_matrix(k),
                   .balanced = is_balanced(e, k),
                   .carveout = carveout_of(e),
                   .nblock_factor = k->launch.nblocks};
  if (k->launch.nblocks > factors)
    return fg_refuse(e->cx, "emit: %s: %d factors of the grid, at most %d", l->entry, k->launch.nblocks, factors);
  for (int i = 0; i < k->launch.nblocks; i++) {
    bool is_ceil = k->launch.blocks[i].form == FG_NUM_CEIL,
         is_param = is_ceil || k->launch.blocks[i].form == FG_NUM_PARAM;
    if (!is_param && k->launch.blocks[i].form != FG_NUM_CONST)
      return fg_refuse(e->cx, "emit: %s: a grid that is no quotient rounded up", l->entry);
    l->block_factor[i].n = k->launch.blocks[i].n;
    l->block_factor[i].param = is_param ? k->launch.blocks[i].param : -1;
    l->block_factor[i].div = is_ceil ? k->launch.blocks[i].div : 1;
  }
  l->local_bytes = local_bytes(a, kernel);
  if (l->bulk) l->local_bytes += (size_t)(e->d->bulk->align_bytes + e->d->bulk->mbarrier_bytes);
  return add_launch_args(a, &a->uses[kernel], false, l);
}

/* What clears the counters, then one kernel in place of all of the queue's. */
static fg_status describe_queue(fg_assembly *a) {
  const fg_emitter *e = a->e;
  const fg_queue *q = &e->p->queue;
  fg_uses both = a->queued, none = {0};
  bool counted = q->transforms.form != FG_NUM_CONST;
  if (counted) both.param[q->transforms.param] = none.param[q->transforms.param] = true;
  fg_launch *begin = &a->artifact->launch[a->artifact->nlaunch++], *l = &a->artifact->launch[a->artifact->nlaunch++];
  *begin = (fg_launch){.entry = fg_persistent_symbol(e, true), .threads = FG_QUEUE_THREADS, .cluster = 1};
  *l = (fg_launch){.entry = fg_persistent_symbol(e, false),
                   .threads = e->p->kernel[0]->launch.threads,
                   .cluster = 1,
                   .persistent = true,
                   .carveout = carveout_of(e)};
  begin->nblock_factor = l->nblock_factor = 1;
  begin->block_factor[0].n = begin->block_factor[0].div = l->block_factor[0].div = 1;
  begin->block_factor[0].param = -1;
  l->block_factor[0].n = fg_queue_period(q) * q->transforms.n;
  l->block_factor[0].param = counted ? q->transforms.param : -1;
  for (int k = 0; k < q->kernels; k++)
    if (local_bytes(a, k) > l->local_bytes) l->local_bytes = local_bytes(a, k);
  fg_status status = add_launch_args(a, &none, true, begin);
  return status == FG_OK ? add_launch_args(a, &both, true, l) : status;
}

fg_status fg_assembly_launches(fg_assembly *a) {
  const fg_program *p = a->e->p;
  a->artifact->launch = fg_arena_new(a->e->cx->arena, fg_launch, p->nkernel);
  fg_status status = p->queue.ring ? describe_queue(a) : FG_OK;
  for (int k = fg_queue_joined(&p->queue); k < p->nkernel && status == FG_OK; k++)
    status = describe_launch(a, k, &a->artifact->launch[a->artifact->nlaunch++]);
  return status;
}

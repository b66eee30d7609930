/* A kernel whose blocks do not fill the device: they wait for little but themselves. Memory and multiprocessors have
 * time, so that what a block does one after another counts: its barriers, its loads, the instructions of a warp
 * (docs/lab/cost-model.md). */
#include "generator/base/integer.h"
#include "generator/cost/gpu_parts.h"
#include "generator/ir/program_machine.h"
#include "targets/machine/simt.h"

enum { HUNDRED = 100 };

/* Cycles of a block, one after another, whatever its number of threads. */
static int64_t steps_of(const fg_gpu_view *x) {
  int64_t cycles = x->costs->few_loads * fg_cost_gpu_iterations(x, &x->k->stage[0], false);
  for (int i = 0; i < x->k->nstage; i++) {
    const fg_stage *s = &x->k->stage[i];
    if (fg_stage_is_bulk(s)) continue;
    const fg_exchange *const at[] = {&s->exchange.before, &s->exchange.between, &s->exchange.after};
    for (int j = 0; j < 3; j++) cycles += fg_exchange_is_barrier(at[j]) ? x->costs->few_barrier : 0;
    cycles += x->costs->few_turn * fg_cost_gpu_turns(x, s);
  }
  return cycles;
}

/* What the kernel takes, in sixteenths of a byte. */
static int64_t few(const fg_gpu_view *x, const fg_gpu_sum *sum, int64_t blocks, int64_t at_once) {
  int64_t warps = fg_larger(1, (x->k->launch.threads + FG_WARP - 1) / FG_WARP), all = x->m->multiprocessors;
  int64_t steps = HUNDRED * steps_of(x) + x->costs->few_in_line * sum->instructions / warps;
  int64_t work = x->costs->few_instruction * sum->instructions + x->costs->few_local * sum->local / HUNDRED +
                 x->costs->few_remote * sum->remote / HUNDRED;
  steps = steps * fg_larger(blocks, at_once) / at_once;
  work = work * fg_larger(blocks, all) / all;
  return (steps + work) / HUNDRED * x->cycle * all + sum->memory / HUNDRED * x->costs->few_byte;
}

int64_t fg_cost_gpu_of_blocks(const fg_gpu_view *x, const fg_gpu_sum *sum, int64_t blocks, int64_t at_once,
                              int64_t full) {
  int64_t part = HUNDRED * blocks / at_once, from = x->costs->few_to, to = x->costs->full_from;
  if (part > from) full += full / part * x->costs->last_blocks;
  if (part >= to) return full;
  int64_t least = few(x, sum, blocks, at_once);
  return part <= from ? least : least + (full - least) / (to - from) * (part - from);
}

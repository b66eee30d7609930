/* The shipped cost model of blocks and threads: integers only, as cost.c.
 *
 * In: a program. Out: its cost; unit: a sixteenth of a byte to or from memory.
 *
 * A kernel's time has five components, and blocks overlap: the largest dominates, and the others add as far as they
 * are near it.
 *   memory  bytes, with the unused parts of sectors (gpu_memory.c)
 *   local   traffic of shared memory and L1, line by line, and cycles lost to conflicts there
 *   remote  lines of the shared memory of other blocks in a cluster
 *   work    instructions of all warps, and those of spilled registers
 *   wait    a block's waiting times, over the blocks resident on a multiprocessor (gpu_registers.c)
 * The last four are cycles of a multiprocessor. The bytes that memory moves in a cycle are in the machine's row: so
 * one set of constants serves machines with faster memory (docs/lab/cost-model.md). The sets are in targets/machine
 * (gpu_costs.def); `fftgen model row` fits one for a GPU. */
#include "generator/base/integer.h"
#include "generator/cost/gpu_parts.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"
#include "targets/machine/simt.h"

enum { HUNDRED = 100 };

typedef fg_gpu_sum cost;

/* ---- stages ----------------------------------------------------------------------- */

/* Numbers that are loaded or stored as halves: two instructions a pair, one to pack it. */
static int64_t converted(const fg_gpu_view *x, const fg_access *a, int64_t each) {
  fg_precision stored = x->p->buffer[a->buffer].precision;
  return stored == FG_F16 || stored == FG_BF16 ? each * fg_access_slots(x->k, a) : 0;
}

static bool is_local(const fg_gpu_view *x, const fg_access *a) { return fg_buffer_is_shared(&x->p->buffer[a->buffer]); }

static int64_t looked_up(const fg_gpu_view *x, const fg_access *a) {
  return a->index.lookup >= 0 ? fg_access_slots(x->k, a) : 0;
}

/* Instructions of addresses, by powers of two and by other lengths of pieces. */
static int64_t bent(const fg_gpu_view *x, const fg_access *a) {
  int64_t every = a->index.pad_every;
  return fg_cost_gpu_bent(x, a) * (every & (every - 1) ? x->costs->bent_by_any : x->costs->bent);
}

/* Of each bit that a lane and its numbers exchange: half of the numbers are chosen, given, and put in their places. An
 * iteration has its part of that. */
static int64_t shuffles_of(const fg_gpu_view *x, const fg_stage *s) {
  int64_t swaps = 0;
  for (int l = 0; l < s->nloop; l++) {
    fg_num from = fg_affine_coef(&s->load.index.at, s->loop[l]), to = fg_affine_coef(&s->store.index.at, s->loop[l]);
    swaps += x->k->digit[s->loop[l]].role == FG_ROLE_THREAD && from.n != to.n;
  }
  return swaps * fg_buffer_parts(&x->p->buffer[s->load.buffer]) * 4 / 2;
}

/* Hundredths of instructions of one iteration. */
static int64_t instructions_of(const fg_gpu_view *x, const fg_stage *s) {
  int64_t arithmetic = 4 * fg_stage_products(s), others = 0;
  others += converted(x, &s->load, 2) + converted(x, &s->store, 1);
  if (s->codelet) {
    const fg_op_count *c = &s->codelet->count;
    arithmetic += c->add + c->mul + c->neg + c->fma;
  }
  if (fg_exchange_is_shuffle(&s->exchange.before)) arithmetic += shuffles_of(x, s);
  others += x->costs->table_place * (looked_up(x, &s->load) + looked_up(x, &s->store));
  others += bent(x, &s->load) + bent(x, &s->store);
  int64_t moved = is_local(x, &s->load) * fg_access_slots(x->k, &s->load) +
                  is_local(x, &s->store) * fg_access_slots(x->k, &s->store);
  return arithmetic * (x->p->problem.compute == FG_F64 ? x->costs->double_operation : HUNDRED) + others * HUNDRED +
         x->costs->local_move * moved;
}

/* Instructions in the text of a kernel: of loops those that are unrolled, whose numbers wait for a barrier, have all.
 */
static int64_t text_of(const fg_gpu_view *x) {
  int64_t text = 0;
  for (int i = 0; i < x->k->nstage; i++) {
    const fg_stage *s = &x->k->stage[i];
    if (s->factors.matrix || fg_stage_is_bulk(s)) continue; /* loops of a few instructions */
    bool unrolled = fg_exchange_waits(&s->exchange.between);
    int64_t moved = fg_access_slots(x->k, &s->load) + fg_access_slots(x->k, &s->store);
    int64_t once = instructions_of(x, s) / HUNDRED + moved;
    text += once * (unrolled ? fg_cost_gpu_iterations(x, s, true) : 1);
  }
  return text;
}

/* Percent that work takes longer, as its instructions are fetched again. Doubles take twice as long in any case. */
static int64_t refetched(const fg_gpu_view *x) {
  int64_t times = fg_smaller(text_of(x) / x->costs->text, 2);
  return x->p->problem.compute == FG_F64 && times < 2 ? 0 : times * x->costs->refetched;
}

int64_t fg_cost_gpu_turns(const fg_gpu_view *x, const fg_stage *s) {
  return fg_exchange_is_barrier(&s->exchange.between) ? 0 : fg_cost_gpu_iterations(x, s, false) - 1;
}

/* Cycles that a block waits in a stage, whatever else it does. */
static int64_t wait_of(const fg_gpu_view *x, const fg_stage *s) {
  const fg_exchange *const at[] = {&s->exchange.before, &s->exchange.between, &s->exchange.after};
  int64_t cycles =
      x->costs->looked_up * fg_cost_gpu_iterations(x, s, false) * (looked_up(x, &s->load) + looked_up(x, &s->store));
  cycles += x->costs->turn * fg_cost_gpu_turns(x, s);
  for (int i = 0; i < 3; i++) {
    if (fg_exchange_is_barrier(at[i])) cycles += x->costs->barrier;
    if (fg_exchange_crosses(at[i])) cycles += x->costs->meeting;
  }
  return cycles;
}

/* ---- a kernel --------------------------------------------------------------------- */

static int64_t blocks_of(const fg_gpu_view *x) {
  int64_t blocks = 1;
  for (int i = 0; i < x->k->launch.nblocks; i++)
    blocks *= fg_larger(1, fg_num_value(x->k->launch.blocks[i], x->params));
  return x->k->launch.iterations > 1 ? blocks * x->k->launch.iterations : blocks;
}

/* Sixteenths of a byte that memory moves in a cycle, for each multiprocessor. Of the row, whatever a driver says: a
 * part of a GPU has as small a part of the memory's bandwidth as of the multiprocessors. */
static int64_t cycle_of(const fg_machine *present, const fg_gpu_costs *costs) {
  const fg_machine *row = present->name ? fg_machine_find(present->name) : NULL, *m = row ? row : present;
  if (!m->memory_gbs || !m->clock_mhz || !m->multiprocessors) return costs->cycle;
  return fg_larger(1, (int64_t)16 * 1000 * m->memory_gbs / ((int64_t)m->clock_mhz * m->multiprocessors));
}

/* Cycles of every block, in hundredths, as bytes of memory, in sixteenths. */
static int64_t as_bytes(const fg_gpu_view *x, int64_t blocks, int64_t cycles) {
  return blocks * cycles / HUNDRED * x->cycle;
}

/* Transforms of a block that loads what it computes next; 1: it does not stay, or waits for what it loads. */
static int64_t turns_of_block(const fg_gpu_view *x, int64_t blocks, const fg_gpu_held *held) {
  int64_t at_once = fg_larger(1, held->blocks * x->m->multiprocessors / 16);
  return fg_kernel_second_copy(x->k) ? (blocks + at_once - 1) / at_once : 1;
}

static cost block_of(const fg_gpu_view *x, int64_t blocks, const fg_gpu_held *held) {
  cost sum = {0};
  int64_t bytes = 0, warps = fg_larger(1, (x->k->launch.threads + FG_WARP - 1) / FG_WARP);
  sum.wait = x->costs->block / turns_of_block(x, blocks, held) +
             x->costs->first_loads * fg_cost_gpu_iterations(x, &x->k->stage[0], false);
  for (int i = 0; i < x->k->nstage; i++) {
    const fg_stage *s = &x->k->stage[i];
    fg_cost_gpu_moves(x, s, &sum.memory, &bytes);
    if (fg_stage_is_bulk(s)) continue;
    fg_gpu_lines lines = fg_cost_gpu_lines(x, s);
    sum.local += lines.memory * x->costs->line;
    sum.remote += lines.remote * x->costs->remote;
    sum.work += s->factors.matrix
                    ? HUNDRED * fg_cost_gpu_matrix(x, s).instructions
                    : instructions_of(x, s) * fg_cost_gpu_iterations(x, s, false) * fg_cost_gpu_warps(x, s);
    sum.wait += wait_of(x, s);
  }
  sum.work = sum.work * (HUNDRED + refetched(x)) / HUNDRED;
  sum.work += HUNDRED * x->costs->spill * held->spilled;
  sum.instructions = sum.work / HUNDRED;
  sum.wait = HUNDRED * sum.wait + x->costs->in_line * (sum.work / warps) / HUNDRED;
  sum.work = sum.work * x->costs->instruction / HUNDRED;
  sum.local += bytes / fg_larger(1, blocks) * x->costs->local / FG_BANK_ROW + x->k->launch.lost * x->costs->lost;
  int64_t byte = HUNDRED * x->costs->spilled_byte + held->beyond * x->costs->spilled_beyond;
  sum.memory += sum.memory / HUNDRED * held->crowded * x->costs->crowded_loads / HUNDRED;
  sum.memory += blocks * held->spilled * FG_WARP * 4 / HUNDRED * byte;
  return sum;
}

/* Of v below 2^63: 3 or 4 times the root. */
static int64_t root(uint64_t v, int times) {
  uint64_t r = 0;
  for (uint64_t bit = 1 << (times == 3 ? 17 : 15); bit; bit >>= 1) {
    uint64_t next = r | bit, power = next * next * next * (times == 4 ? next : 1);
    if (power <= v) r = next;
  }
  return (int64_t)r;
}

/* The largest part, and of the others as much as they are near it: the cube root of the sum of the cubes; the fourth
 * root of fourth powers as far as many blocks are there at once, which fill each other's time better. */
static int64_t together(const cost *c, int64_t held) {
  const int64_t part[] = {c->memory, c->local, c->remote, c->work, c->wait};
  enum { PARTS = sizeof part / sizeof *part, MANY = 3 };
  int64_t most = 0;
  for (int i = 0; i < PARTS; i++) most = fg_larger(most, part[i]);
  int64_t unit = fg_larger(1, most >> 15), many = fg_smaller(fg_larger(fg_log2(fg_larger(1, held / 16)) - 1, 0), MANY);
  uint64_t cubes = 0, fourths = 0;
  for (int i = 0; i < PARTS; i++) {
    uint64_t r = (uint64_t)fg_smaller(part[i] / unit, 1 << 15);
    cubes += r * r * r, fourths += r * r * r * r;
  }
  int64_t few = root(cubes, 3);
  return (few + (root(fourths, 4) - few) * many / MANY) * unit;
}

/* A block's own work and moves, which it waits for as others do not fill it; many warps fill each other's, half as
 * well. */
static int64_t own_of(const fg_gpu_view *x, const cost *sum) {
  int64_t own = (sum->work * x->costs->own_work + sum->local * x->costs->own_local) / HUNDRED;
  int64_t warps = (x->k->launch.threads + FG_WARP - 1) / FG_WARP, few = x->costs->own_warps;
  return warps > few ? own / (few + warps) * 2 * few : own;
}

/* What waits is the block's own: the instructions and moves of others fill it as far as they are there. `all`: what the
 * kernel takes. */
static cost kernel_cost(const fg_gpu_view *x, int64_t *all) {
  int64_t blocks = blocks_of(x);
  fg_gpu_held held = fg_cost_gpu_held(x);
  const cost block = block_of(x, blocks, &held);
  int64_t at_once = fg_larger(1, held.blocks * x->m->multiprocessors / 16);
  int64_t busy = fg_larger(blocks, x->m->multiprocessors); /* of few blocks the others have nothing to do */
  if (turns_of_block(x, blocks, &held) > 1) blocks = busy = turns_of_block(x, blocks, &held) * at_once;
  cost sum = block;
  sum.work = as_bytes(x, busy, block.work);
  sum.local = as_bytes(x, busy, block.local);
  sum.remote = as_bytes(x, busy, block.remote);
  sum.wait = as_bytes(x, fg_larger(blocks, at_once), block.wait * 16 / held.blocks);
  sum.wait += own_of(x, &sum) * 16 / held.blocks;
  *all = fg_cost_gpu_of_blocks(x, &block, blocks, at_once, together(&sum, held.blocks));
  return sum;
}

/* How long a kernel takes varies as its registers do: of two plans that are as good, the one that says what it takes.
 */
static int64_t unsure(const fg_gpu_view *x, int64_t cost) {
  return cost + cost / HUNDRED * x->costs->unsure * fg_cost_gpu_held(x).varies;
}

int64_t fg_cost_threads(const fg_program *p) {
  return fg_cost_threads_by(p, fg_machine_gpu_costs(fg_program_machine(p)));
}

/* At parameters that fill blocks, and the device: groups differ from plan to plan. */
static fg_gpu_view view_of(const fg_program *p, const fg_gpu_costs *costs) {
  const fg_machine *m = fg_program_machine(p);
  fg_gpu_view x = {.p = p, .m = m, .costs = costs, .cycle = cycle_of(m, costs)};
  int64_t full = fg_larger(costs->full_batch, costs->full_points / fg_larger(1, fg_problem_points(&p->problem)));
  for (int i = 0; i < p->problem.nparam; i++)
    x.params[i] = fg_larger(p->problem.param[i].lo, fg_smaller(p->problem.param[i].hi, full));
  return x;
}

int64_t fg_cost_threads_by(const fg_program *p, const fg_gpu_costs *costs) {
  fg_gpu_view x = view_of(p, costs);
  int64_t all = 0;
  for (int i = 0; i < p->nkernel; i++) {
    x.k = p->kernel[i];
    int64_t kernel;
    kernel_cost(&x, &kernel);
    all += costs->launch + unsure(&x, kernel) * (HUNDRED + (i > 0) * costs->another) / HUNDRED;
  }
  return all;
}

int fg_cost_few_blocks(const fg_program *p, const fg_kernel *k) {
  fg_gpu_view x = view_of(p, fg_machine_gpu_costs(fg_program_machine(p)));
  fg_kernel told = *k;
  bool sure;
  int64_t alone, with;
  x.k = k;
  int blocks = (int)fg_cost_gpu_few_blocks(&x, &sure);
  if (!blocks || sure) return blocks;
  kernel_cost(&x, &alone);
  x.k = &told, told.launch.resident = blocks;
  kernel_cost(&x, &with);
  return with <= alone ? blocks : 0;
}

/* Of costs: sixteenths of a byte at the memory's bandwidth, in nanoseconds. */
static int64_t nanoseconds(const fg_gpu_view *x, int64_t cost) {
  return cost / (x->cycle * x->m->clock_mhz * x->m->multiprocessors / 1000);
}

fg_kernel_times fg_cost_kernel_times(const fg_program *p, int kernel) {
  fg_gpu_view x = view_of(p, fg_machine_gpu_costs(fg_program_machine(p)));
  x.k = p->kernel[kernel];
  fg_gpu_held held = fg_cost_gpu_held(&x);
  int64_t all;
  cost sum = kernel_cost(&x, &all);
  return (fg_kernel_times){.memory = nanoseconds(&x, sum.memory),
                           .local = nanoseconds(&x, sum.local),
                           .remote = nanoseconds(&x, sum.remote),
                           .work = nanoseconds(&x, sum.work),
                           .wait = nanoseconds(&x, sum.wait),
                           .all = nanoseconds(&x, x.costs->launch + all),
                           .wanted = held.wanted,
                           .allowed = held.allowed,
                           .blocks = held.blocks / 16};
}

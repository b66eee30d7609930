/* The shipped cost model of blocks and threads: integers only, as cost.c.
 *
 * In: a program. Out: its cost; unit: a sixteenth of a byte to or from memory.
 *
 * A kernel has four things to do, and blocks overlap: the dearest counts, and half of the others.
 *   memory  bytes, more where the threads of a warp store to sectors in part
 *   block   what passes through shared memory, and cycles lost there
 *   work    instructions of all threads, and those of spilled registers
 *   wait    what a block waits for, over the blocks that a multiprocessor holds at once; and to begin it
 * The constants are a row of targets/machine (gpu_costs.h). */
#include "generator/cost/cost.h"
#include "generator/ir/program_machine.h"
#include "generator/ir/walk.h"
#include "generator/problem/shape.h"
#include "targets/machine/gpu_costs.h"

enum { SAMPLE = 256 /* threads looked at */ };

static const fg_gpu_costs *const gpu = &fg_machine_gpu_costs;

typedef struct cost {
  int64_t memory, block, work, wait;
} cost;

typedef struct pricing {
  const fg_program *p;
  const fg_kernel *k;
  const fg_machine *m;
  int64_t params[FG_MAX_PARAMS];
} pricing;

static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- memory ----------------------------------------------------------------------- */

static bool is_thread(const fg_digit *d) { return d->role == FG_ROLE_THREAD && d->name[0] != FG_GUARD_DIGIT[0]; }

/* What thread t adds to an address. */
static int64_t part_of(const pricing *x, const fg_affine *at, int64_t t) {
  int64_t place = 0;
  for (int i = 0; i < at->nterm; i++) {
    const fg_digit *d = &x->k->digit[at->term[i].digit];
    if (is_thread(d)) place += t / d->div % d->extent.n * d->step * fg_num_value(at->term[i].coef, x->params);
  }
  return place;
}

/* Where thread t goes, of what the others of the block differ in. */
static int64_t place_of(const pricing *x, const fg_index *index, int64_t t) {
  int64_t place = part_of(x, &index->at, t), scale = fg_num_value(index->scale, x->params);
  if (!index->mod) return place;
  place = (place % index->mod + index->mod) % index->mod;
  return place * (scale ? scale : 1) + part_of(x, &index->base, t);
}

static int add_once(int64_t *list, int count, int64_t value) {
  for (int i = 0; i < count; i++)
    if (list[i] == value) return count;
  list[count] = value;
  return count + 1;
}

/* Bytes that warps touch in whole pieces of memory, in sixteenths of those they use. */
static int64_t touched(const pricing *x, const fg_access *a, int64_t size, int64_t piece) {
  int64_t threads = min64(x->k->threads, SAMPLE), bytes = 0;
  for (int64_t w = 0; w < threads; w += FG_WARP) {
    int64_t list[2 * FG_WARP];
    int count = 0;
    for (int64_t t = w; t < min64(w + FG_WARP, threads); t++) {
      int64_t first = place_of(x, &a->index, t) * size;
      count = add_once(list, count, first / piece);
      count = add_once(list, count, (first + size - 1) / piece);
    }
    bytes += count * piece;
  }
  return max64(16, 16 * bytes / (threads * size));
}

/* Elements of an array, at these parameters: each comes or goes once, whatever conditions say. */
static int64_t elements_of(const pricing *x, bool output) {
  const fg_problem *q = &x->p->problem;
  return fg_problem_elements(q, output) * max64(1, fg_problem_batch_count(q, x->params));
}

static void cost_access(const pricing *x, const fg_access *a, bool store, int64_t elements, cost *out) {
  const fg_buffer *b = &x->p->buffer[a->buffer];
  int64_t size = fg_buffer_parts(b) * fg_precision_bytes(b->precision);
  if (b->space == FG_SPACE_INPUT || b->space == FG_SPACE_OUTPUT)
    elements = min64(elements, elements_of(x, b->space == FG_SPACE_OUTPUT));
  int64_t bytes = elements * size;
  if (b->space == FG_SPACE_LOCAL) {
    out->block += bytes * gpu->local / 16;
  } else if (b->space == FG_SPACE_TABLE) {
    out->memory += fg_buffer_bytes(b) > gpu->cached ? bytes * gpu->large_table : 0;
    out->block += bytes * gpu->local / 16; /* by the same units */
  } else {
    int64_t sectors = touched(x, a, size, x->m->sector_bytes) - 16,
            segments = touched(x, a, size, x->m->segment_bytes) - 16;
    int64_t percent = store ? 100 * sectors + 23 * segments : segments;
    out->memory += bytes * ((b->round ? gpu->round : gpu->byte) + percent / 100);
  }
}

/* ---- time of a thread ---------------------------------------------------------------- */

/* Turns of one thread; of those, the ones whose numbers it holds across a barrier. */
static int64_t iterations_of(const pricing *x, const fg_stage *s, bool held) {
  int64_t iterations = 1;
  for (int l = 0; l < s->nloop; l++) {
    const fg_digit *d = &x->k->digit[s->loop[l]];
    if (d->role == FG_ROLE_REG || (d->role == FG_ROLE_LOOP && !held)) iterations *= fg_num_value(d->extent, x->params);
  }
  return iterations;
}

/* Elements whose place comes from a table: two loads one behind the other, and banks that meet. */
static int64_t looked_up(const pricing *x, const fg_stage *s) {
  int64_t count = s->load.index.lookup >= 0 ? fg_access_slots(x->k, &s->load) : 0;
  if (s->store.index.lookup >= 0) count += fg_access_slots(x->k, &s->store);
  return count * iterations_of(x, s, false);
}

static int64_t reduced(const pricing *x, const fg_access *a) {
  return a->index.mod ? gpu->reduced * fg_access_slots(x->k, a) : 0;
}

/* Numbers that come or go as halves: two instructions a pair, one to pack it. */
static int64_t converted(const pricing *x, const fg_access *a, int64_t each) {
  fg_precision stored = x->p->buffer[a->buffer].precision;
  return stored == FG_F16 || stored == FG_BF16 ? each * fg_access_slots(x->k, a) : 0;
}

static int64_t instructions_of(const pricing *x, const fg_stage *s) {
  int64_t count = fg_access_slots(x->k, &s->load) + fg_access_slots(x->k, &s->store) + 4 * fg_stage_products(s);
  if (s->has_twiddle) count += x->k->digit[s->twiddle.reg].extent.n;
  if (s->has_more) count += x->k->digit[s->more.reg].extent.n;
  count += reduced(x, &s->load) + reduced(x, &s->store);
  count += converted(x, &s->load, 2) + converted(x, &s->store, 1);
  if (s->codelet) {
    const fg_op_count *c = &s->codelet->count;
    count += (int64_t)(c->add + c->mul + c->neg + c->fma) * (x->p->problem.compute == FG_F64 ? 2 : 1);
  }
  return count * iterations_of(x, s, false);
}

/* Words that a thread computes with in stage i, and of those the ones that wait with it
 * across a barrier. */
static int64_t words_of(const pricing *x, int i, int64_t *held) {
  const fg_stage *s = &x->k->stage[i];
  int64_t words = 2 * fg_precision_bytes(x->p->problem.compute) / 4, slots = fg_access_slots(x->k, &s->load) * words;
  bool inside = s->has_more || (s->codelet && s->has_twiddle && fg_codelet_convolves(s->codelet->key.kind));
  if (inside && !fg_stage_products(s)) slots += fg_stage_roots(x->k, s) * words; /* all there at once */
  *held = s->sync_mid >= FG_SCOPE_BLOCK ? slots * iterations_of(x, s, true) : 0;
  return slots;
}

/* With how many it can do: the results of a single iteration lie where its inputs were. */
static int64_t least_registers(const pricing *x) {
  int64_t most = 0, held;
  for (int i = 0; i < x->k->nstage; i++) {
    int64_t slots = words_of(x, i, &held);
    most = max64(most, 16 + slots * 9 / 10 + max64(0, held - slots) / 2);
  }
  return most;
}

/* With how many nothing is spilled: the results of all iterations but one wait beside it. */
static int64_t wanted_registers(const pricing *x) {
  int64_t most = 0, held;
  bool convolves = false;
  for (int i = 0; i < x->k->nstage; i++) {
    const fg_stage *s = &x->k->stage[i];
    int64_t slots = words_of(x, i, &held);
    convolves = convolves || (s->has_twiddle && s->codelet && fg_codelet_convolves(s->codelet->key.kind));
    most = max64(most, 16 + slots * 9 / 10 + max64(0, held - slots) + max64(0, slots - gpu->crowded));
  }
  return convolves ? most * 13 / 10 : most * 11 / 10;
}

static int64_t local_bytes(const pricing *x) {
  int64_t bytes = 0;
  for (int b = 0; b < x->p->nbuffer; b++)
    if (x->p->buffer[b].space == FG_SPACE_LOCAL && x->p->buffer[b].alias < 0)
      bytes += fg_buffer_bytes(&x->p->buffer[b]);
  return bytes;
}

/* Blocks whose shared memory a multiprocessor holds, as the model was fitted: one block's share of the system is gone.
 */
static int64_t room_for(const pricing *x, int64_t bytes) {
  return (x->m->shared_bytes - x->m->shared_kept_bytes) / max64(1, bytes + x->m->shared_kept_bytes);
}

static int64_t whole_warps(const fg_kernel *k) { return (k->threads + FG_WARP - 1) / FG_WARP * FG_WARP; }

/* What a thread may have, by the blocks that are to be there at once. */
static int64_t allowed_registers(const pricing *x) {
  int64_t step = x->m->register_step;
  int64_t each = x->m->registers / (max64(x->k->resident, 1) * whole_warps(x->k)) / step * step;
  return min64(x->m->thread_registers, max64(each, step));
}

/* Blocks at once on a multiprocessor. */
static int64_t resident(const pricing *x, int64_t registers) {
  int64_t threads = whole_warps(x->k), step = x->m->register_step;
  int64_t each = (min64(registers, x->m->thread_registers) + step - 1) / step * step;
  int64_t blocks = min64(x->m->blocks, x->m->threads / threads);
  blocks = min64(blocks, room_for(x, local_bytes(x)));
  return max64(1, min64(blocks, x->m->registers / (max64(each, step) * threads)));
}

/* Left alone, compilers give a long thread too few registers, where memory has room for
 * one block or two whatever they do: f32 12288 on an H200, 77 of them .71 of copy, 124 .82. */
int fg_cost_few_blocks(const fg_program *p, const fg_kernel *k) {
  pricing x = {.p = p, .k = k, .m = fg_program_machine(p)};
  for (int i = 0; i < p->problem.nparam; i++) x.params[i] = p->problem.param[i].lo;
  int64_t room = room_for(&x, local_bytes(&x));
  return room > gpu->few_blocks ? 0 : (int)min64(room, max64(resident(&x, least_registers(&x)), max64(k->resident, 1)));
}

static int64_t blocks_of(const pricing *x) {
  int64_t blocks = 1;
  for (int i = 0; i < x->k->nblocks; i++) blocks *= max64(1, fg_num_value(x->k->blocks[i], x->params));
  return x->k->iterations > 1 ? blocks * x->k->iterations : blocks;
}

/* ---- the whole ------------------------------------------------------------------------ */

/* Whole segments, by nobody's instructions. */
static void cost_bulk(const pricing *x, const fg_stage *s, cost *out) {
  const fg_buffer *b = &x->p->buffer[s->load.buffer];
  int64_t elements = fg_stage_instances(x->k, s, x->params) * fg_access_slots(x->k, &s->load);
  int64_t bytes = elements * fg_buffer_parts(b) * fg_precision_bytes(b->precision);
  out->memory += bytes * gpu->byte;
  out->block += bytes * gpu->local / 16;
}

static void cost_stage(const pricing *x, const fg_stage *s, cost *out) {
  int64_t count = fg_stage_instances(x->k, s, x->params);
  if (s->bulk) {
    cost_bulk(x, s, out);
    return;
  }
  cost_access(x, &s->load, false, count * fg_access_slots(x->k, &s->load), out);
  cost_access(x, &s->store, true, count * fg_access_slots(x->k, &s->store), out);
  if (s->has_twiddle) cost_access(x, &s->twiddle, false, count * x->k->digit[s->twiddle.reg].extent.n, out);
  if (s->has_more) cost_access(x, &s->more, false, count * x->k->digit[s->more.reg].extent.n, out);
  out->work += instructions_of(x, s);
  out->wait += looked_up(x, s) * gpu->looked_up;
  out->wait += gpu->meeting * ((s->sync_mid == FG_SCOPE_CLUSTER) + (s->sync_end == FG_SCOPE_CLUSTER));
}

/* Sixteenths of the blocks that a multiprocessor holds: those of a cluster stand together. */
static int64_t held_blocks(const pricing *x, int64_t registers) {
  int64_t blocks = resident(x, registers), cluster = max64(1, x->k->cluster);
  int64_t held = cluster > 1 ? max64(1, gpu->gathered * blocks / cluster) * cluster : 16 * blocks;
  return cluster > gpu->portable ? max64(1, held * 7 / 8) : held;
}

/* One thread's instructions and one block's waits become those of all. */
static void cost_blocks(const pricing *x, cost *sum) {
  int64_t wanted = wanted_registers(x), allowed = allowed_registers(x), blocks = blocks_of(x);
  int64_t held = held_blocks(x, min64(wanted, allowed)), at_once = held * x->m->multiprocessors / 16;
  int64_t lines =
      sum->work + gpu->spilled * x->k->nstage * max64(0, wanted * 10 / 11 - allowed); /* compilers do with less */
  int64_t each = sum->wait + gpu->in_line * lines + gpu->of_thread * whole_warps(x->k);
  each += gpu->first_loads * iterations_of(x, &x->k->stage[0], false);
  sum->work = lines * whole_warps(x->k) * blocks / 10 * gpu->instruction;
  sum->wait = max64(blocks, at_once) * 16 / held * each + blocks * gpu->of_block;
  sum->block += blocks * x->k->lost * gpu->lost;
}

static int64_t kernel_cost(const pricing *x) {
  cost sum = {0};
  for (int i = 0; i < x->k->nstage; i++) cost_stage(x, &x->k->stage[i], &sum);
  cost_blocks(x, &sum);
  int64_t dearest = max64(max64(sum.memory, sum.block), max64(sum.work, sum.wait));
  return gpu->launch + dearest + (sum.memory + sum.block + sum.work + sum.wait - dearest) / 16 * gpu->rest;
}

/* At parameters that fill blocks, and the device: groups differ from plan to plan. */
int64_t fg_cost_threads(const fg_program *p) {
  pricing x = {.p = p, .m = fg_program_machine(p)};
  int64_t cost = 0;
  int64_t full = max64(gpu->full_batch, gpu->full_points / max64(1, fg_problem_points(&p->problem)));
  for (int i = 0; i < p->problem.nparam; i++)
    x.params[i] = max64(p->problem.param[i].lo, min64(p->problem.param[i].hi, full));
  for (int i = 0; i < p->nkernel; i++) {
    x.k = p->kernel[i];
    cost += kernel_cost(&x);
  }
  return cost;
}

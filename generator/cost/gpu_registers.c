/* See gpu_parts.h. In: a kernel. Out: the registers that its threads need and get, and the resident blocks of a
 * multiprocessor. Both the need and the spills where threads get fewer were fitted to the output of ptxas for 360
 * kernels (docs/lab/cost-model.md). */
#include "generator/base/integer.h"
#include "generator/cost/gpu_parts.h"
#include "generator/ir/program_machine.h"
#include "generator/math/field.h"
#include "targets/machine/simt.h"

int64_t fg_cost_gpu_iterations(const fg_gpu_view *x, const fg_stage *s, bool held) {
  int64_t iterations = 1;
  for (int l = 0; l < s->nloop; l++) {
    const fg_digit *d = &x->k->digit[s->loop[l]];
    if (d->role == FG_ROLE_REG || (d->role == FG_ROLE_LOOP && !held)) iterations *= fg_num_value(d->extent, x->params);
  }
  return iterations;
}

/* Blocks at once that compilers are told of; 0: none. Of more threads than a multiprocessor has they take no notice. */
static int64_t told(const fg_gpu_view *x) {
  int64_t blocks = x->k->launch.resident;
  return blocks * x->k->launch.threads <= x->m->threads ? blocks : 0;
}

static int64_t warps_of(int64_t threads) { return (threads + FG_WARP - 1) / FG_WARP; }

int64_t fg_cost_gpu_warps(const fg_gpu_view *x, const fg_stage *s) {
  int64_t threads = 1;
  for (int l = 0; l < s->nloop; l++) {
    const fg_digit *d = &x->k->digit[s->loop[l]];
    if (d->role == FG_ROLE_THREAD && d->name[0] != FG_GUARD_DIGIT[0]) threads *= fg_num_value(d->extent, x->params);
  }
  return fg_stage_is_bulk(s) ? 0 : warps_of(fg_smaller(threads, x->k->launch.threads));
}

/* ---- registers -------------------------------------------------------------------- */

/* Codelets of odd primes have all sums at hand at once. */
static bool is_crowded(const fg_stage *s) {
  return s->codelet && !s->factors.matrix && s->codelet->key.n > 2 && fg_integer_is_prime((uint64_t)s->codelet->key.n);
}

static bool holds(const fg_stage *s) { return fg_exchange_waits(&s->exchange.between); }

/* The kernels of a queue are one to the device, with the counters of its ring. */
static bool is_queued(const fg_gpu_view *x) {
  for (int i = 0; i < fg_queue_joined(&x->p->queue); i++)
    if (x->k == x->p->kernel[i]) return true;
  return false;
}

static bool is_inside(const fg_stage *s) {
  return s->factors.has_more || (s->codelet && s->factors.has_twiddle && fg_codelet_convolves(s->codelet->key.kind));
}

/* With how many nothing of a stage is spilled. */
static int64_t wanted_of(const fg_gpu_view *x, const fg_stage *s) {
  int64_t word = fg_larger(1, fg_precision_bytes(x->p->problem.compute) / 4);
  if (s->factors.matrix) return fg_cost_gpu_matrix(x, s).registers;
  if (fg_kernel_has_matrix(x->k) && !s->codelet) return x->costs->registers; /* words, a few at once */
  int64_t numbers = 2 * fg_access_slots(x->k, &s->load), products = fg_stage_products(s);
  if (s->codelet)
    numbers = fg_smaller(numbers, s->codelet->nin > s->codelet->nout ? s->codelet->nin : s->codelet->nout);
  bool inside = is_inside(s);
  int64_t wanted = x->costs->of_numbers * numbers + x->costs->of_products * products;
  bool again = fg_problem_kind_convolves(x->p->problem.kind) && x->k->launch.cluster > 1; /* on the way back */
  int64_t factors = !products ? fg_stage_roots(x->k, s) : again ? products : 0;
  if (inside) wanted += x->costs->of_factors * 2 * factors;
  if (holds(s)) wanted += x->costs->of_held * numbers * (fg_cost_gpu_iterations(x, s, true) - 1);
  if (is_crowded(s)) wanted += x->costs->of_crowd * fg_larger(0, numbers - x->costs->crowd / word);
  if (s->factors.has_twiddle && !products)
    wanted += x->costs->of_twiddles * x->k->digit[s->factors.twiddle.reg].extent.n;
  return x->costs->registers + (is_queued(x) ? x->costs->queued : 0) + word * wanted / 100;
}

/* Of convolutions and of primes' codelets compilers take anything from what they need to twice as many; and what a
 * thread costs that lacks half of its registers depends on which ones are spilled. */
static int varies(const fg_gpu_view *x, int64_t wanted, int64_t allowed) {
  bool found = false;
  for (int i = 0; i < x->k->nstage; i++) {
    const fg_stage *s = &x->k->stage[i];
    found = found || is_inside(s) || (is_crowded(s) && s->codelet->nin >= x->costs->unsure_from);
  }
  if (2 * wanted > 3 * allowed) return 2;
  return found && !told(x) && x->k->launch.cluster == 1;
}

static int64_t wanted_registers(const fg_gpu_view *x, const fg_kernel *k) {
  fg_gpu_view y = *x;
  int64_t most = 0;
  y.k = k;
  for (int i = 0; i < k->nstage; i++) most = fg_larger(most, wanted_of(&y, &k->stage[i]));
  return most;
}

/* What a thread may have, by the blocks that are to be there at once: each scheduler has its part of the registers, and
 * whole warps. */
static int64_t allowed_registers(const fg_gpu_view *x) {
  int64_t step = x->m->register_step, simds = fg_larger(1, x->m->simds);
  int64_t warps = fg_larger(told(x), 1) * warps_of(x->k->launch.threads);
  warps = fg_smaller((warps + simds - 1) / simds * simds, fg_larger(simds, x->m->threads / FG_WARP));
  int64_t each = x->m->registers / (warps * FG_WARP) / step * step;
  return fg_smaller(x->m->thread_registers, fg_larger(each, step));
}

/* ---- blocks at once --------------------------------------------------------------- */

static bool touches(const fg_gpu_view *x, const fg_kernel *k, int root) {
  for (int i = 0; i < k->nstage; i++)
    if (fg_buffer_root(x->p, k->stage[i].load.buffer) == root || fg_buffer_root(x->p, k->stage[i].store.buffer) == root)
      return true;
  return false;
}

static int64_t local_bytes(const fg_gpu_view *x, const fg_kernel *k) {
  int64_t bytes = 0;
  for (int b = 0; b < x->p->nbuffer; b++)
    if (fg_buffer_is_shared(&x->p->buffer[b]) && x->p->buffer[b].alias < 0 && touches(x, k, b))
      bytes += fg_buffer_bytes(&x->p->buffer[b]);
  return bytes;
}

/* Blocks whose shared memory a multiprocessor holds, as the model was fitted: one block's share is reserved by the
 * system.
 */
static int64_t room_for(const fg_gpu_view *x, int64_t bytes) {
  return (x->m->shared_bytes - x->m->shared_kept_bytes) / fg_larger(1, bytes + x->m->shared_kept_bytes);
}

static int64_t resident(const fg_gpu_view *x, int64_t registers, int64_t bytes) {
  int64_t warps = warps_of(x->k->launch.threads), step = x->m->register_step, simds = fg_larger(1, x->m->simds);
  int64_t each = (fg_smaller(registers, x->m->thread_registers) + step - 1) / step * step;
  int64_t most = x->m->registers / (fg_larger(each, step) * FG_WARP) / simds * simds;
  int64_t blocks = fg_smaller(x->m->blocks, x->m->threads / FG_WARP / warps);
  blocks = fg_smaller(blocks, fg_smaller(room_for(x, bytes), most / warps));
  return fg_larger(1, blocks);
}

/* With how many registers a stage can do: the results of a single iteration take the registers of its inputs, but for
 * a few; numbers that wait for a barrier are stored or fetched again in part. In double what an operation leaves is a
 * pair: with fewer registers than this, 6561 points took 1.45 times as long on an H200, a convolution of 6144 1.7
 * times. */
static int64_t least_of(const fg_gpu_view *x, const fg_stage *s) {
  bool doubles = fg_precision_bytes(x->p->problem.compute) == 8;
  int64_t words = doubles ? 4 : 2, slots = fg_access_slots(x->k, &s->load) * words;
  if (s->factors.matrix) return fg_cost_gpu_matrix(x, s).registers;
  if (fg_kernel_has_matrix(x->k)) return 0;
  if (is_inside(s)) slots += (fg_stage_roots(x->k, s) + fg_stage_products(s)) * words;
  int64_t held = holds(s) ? slots * fg_cost_gpu_iterations(x, s, true) : 0, more = fg_larger(0, held - slots);
  return doubles ? 24 + slots + more * 3 / 4 : 16 + slots * 9 / 10 + more / 2;
}

static int64_t least_registers(const fg_gpu_view *x) {
  int64_t most = 0;
  for (int i = 0; i < x->k->nstage; i++) most = fg_larger(most, least_of(x, &x->k->stage[i]));
  return most;
}

static int64_t spilled_words(const fg_gpu_view *x, int64_t allowed) {
  int64_t words = 0;
  for (int i = 0; i < x->k->nstage; i++) {
    const fg_stage *s = &x->k->stage[i];
    int64_t wanted = wanted_of(x, s), least = fg_smaller(least_of(x, s), wanted);
    int64_t lacking =
        fg_larger(0, least - allowed) + fg_larger(0, wanted - fg_larger(allowed, least)) * x->costs->spared / 100;
    int64_t turns = holds(s) ? 1 : fg_cost_gpu_iterations(x, s, false);
    words += lacking * x->costs->spilled * turns * fg_cost_gpu_warps(x, s) * (is_crowded(s) ? 2 : 1);
  }
  return words;
}

/* Of words that threads lack registers for, where blocks leave L1 less than all of them take. Floats of a block that
 * loads ahead lose nothing so (H200: 20736 points 719 us for 897, 24576 515 for 546), doubles do (10000 points 793 for
 * 708). */
static int64_t beyond_cache(const fg_gpu_view *x, int64_t lacking, int64_t blocks, int64_t bytes) {
  int64_t words = fg_larger(0, lacking) * 4 * x->k->launch.threads * blocks;
  int64_t room = fg_larger(0, x->m->l1_bytes - blocks * bytes);
  bool floats = fg_precision_bytes(x->p->problem.compute) < 8;
  if (floats && fg_kernel_second_copy(x->k)) return 0;
  return words > room ? 100 * (words - room) / words : 0;
}

/* L1 has what shared memory leaves, which is set aside in steps; what is loaded waits there. Percent of it that the
 * blocks of a multiprocessor load at once, beyond twice as much. Elements of 8 bytes are none the slower. direct(49) in
 * double takes 608 us of an H200 by two blocks of 128 threads, whose 196 KiB leave 28, and 524 by eight of 16. */
static int64_t crowded_loads(const fg_gpu_view *x, int64_t blocks, int64_t bytes) {
  const fg_stage *first = &x->k->stage[0];
  const fg_buffer *from = &x->p->buffer[first->load.buffer];
  int64_t element = fg_buffer_parts(from) * fg_precision_bytes(from->precision), kept = x->m->shared_kept_bytes;
  if (fg_stage_is_bulk(first) || element < 16 || x->m->l1_bytes < x->m->shared_bytes) return 0;
  int64_t used = blocks * (bytes + kept), share = x->m->shared_bytes;
  for (int i = 0; fg_machine_shared_steps[i]; i++)
    if (fg_machine_shared_steps[i] * 1024 >= used) {
      share = fg_smaller(share, fg_machine_shared_steps[i] * 1024);
      break;
    }
  int64_t turns = holds(first) ? fg_cost_gpu_iterations(x, first, false) : 1;
  int64_t loads = blocks * x->k->launch.threads * fg_access_slots(x->k, &first->load) * element * turns;
  int64_t room = fg_larger(x->m->l1_bytes - share, 1024);
  return fg_larger(0, 100 * loads / room - 200);
}

/* Sixteenths of blocks at once. Where compilers are not told how many there are to be, they take a tenth more registers
 * than the formula, or less, one time in four: what waits takes as long as it does in the mean. */
static int64_t expected_blocks(const fg_gpu_view *x, int64_t wanted, int64_t allowed, int64_t bytes) {
  int64_t usual = resident(x, fg_smaller(wanted, allowed), bytes);
  if (told(x)) return 16 * usual;
  int64_t more = resident(x, fg_smaller(wanted * 9 / 10, allowed), bytes);
  int64_t less = resident(x, fg_smaller(wanted * 11 / 10, allowed), bytes);
  return 64 * usual * more * less / (2 * more * less + usual * less + usual * more);
}

/* A queue has the registers and the memory of the larger of its kernels. */
fg_gpu_held fg_cost_gpu_held(const fg_gpu_view *x) {
  int64_t wanted = wanted_registers(x, x->k), bytes = local_bytes(x, x->k),
          cluster = fg_larger(1, x->k->launch.cluster);
  for (int i = 0; is_queued(x) && i < x->p->queue.kernels; i++) {
    wanted = fg_larger(wanted, wanted_registers(x, x->p->kernel[i]));
    bytes = fg_larger(bytes, local_bytes(x, x->p->kernel[i]));
  }
  int64_t allowed = allowed_registers(x), blocks = resident(x, fg_smaller(wanted, allowed), bytes);
  int64_t held = cluster > 1 ? fg_larger(1, x->costs->gathered * blocks / cluster) * cluster
                             : expected_blocks(x, wanted, allowed, bytes);
  if (cluster > x->costs->portable) held = fg_larger(1, held * 7 / 8);
  return (fg_gpu_held){.blocks = held,
                       .wanted = wanted,
                       .allowed = allowed,
                       .spilled = spilled_words(x, allowed),
                       .beyond = beyond_cache(x, wanted - allowed, blocks, bytes),
                       .crowded = crowded_loads(x, fg_larger(1, held / 16), bytes),
                       .varies = varies(x, wanted, allowed)};
}

/* Left alone, compilers give a long thread too few registers, where memory has room for
 * one block or two whatever they do: f32 12288 on an H200, 77 of them .71 of copy, 124 .82. And they take a few more
 * than one block more would have: f64 105x42, 98 of them 283 us, 96 in two blocks 195. */
int64_t fg_cost_gpu_few_blocks(const fg_gpu_view *x, bool *sure) {
  int64_t bytes = local_bytes(x, x->k), room = fg_larger(1, room_for(x, bytes));
  int64_t blocks = fg_larger(resident(x, least_registers(x), bytes), fg_larger(x->k->launch.resident, 1));
  *sure = room <= x->costs->few_blocks;
  if (*sure) return fg_smaller(room, blocks);
  bool more = blocks > resident(x, wanted_registers(x, x->k), bytes) && blocks <= x->costs->some_blocks;
  return more ? blocks : 0;
}

int fg_cost_spare_registers(const fg_program *p, const fg_kernel *k) {
  const fg_machine *m = fg_program_machine(p);
  fg_gpu_view x = {.p = p, .k = k, .m = m, .costs = fg_machine_gpu_costs(m)};
  for (int i = 0; i < p->problem.nparam; i++) x.params[i] = p->problem.param[i].lo;
  return (int)(allowed_registers(&x) - wanted_registers(&x, k));
}

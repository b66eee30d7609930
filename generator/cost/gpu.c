/* The shipped cost model of blocks and threads: integers only, as cost.c.
 *
 * In: a program. Out: its cost; unit: a sixteenth of a byte to or from memory.
 *
 * A kernel has three things to do, and blocks overlap: the dearest counts, and a part
 * of the others.
 *   memory  bytes, more where the threads of a warp touch sectors or segments in part
 *   block   what passes through shared memory, and cycles lost there
 *   wait    instructions of one thread, one behind the other, over the blocks that a
 *           multiprocessor holds at once: few blocks of long threads hide nothing
 * The constants were fitted to plans measured on an H200 (docs/lab/cost-model.md). */
#include "generator/cost/cost.h"
#include "generator/ir/walk.h"
#include "generator/problem/shape.h"

enum {
  LAUNCH = 16 * 20000,
  BYTE = 16,
  ROUND = 7,               /* sixteenths: a byte of what goes round in L2, mostly written back */
  TABLE = 1,               /* of a byte: mostly in caches */
  LARGE_TABLE = 8,         /* the same of tables that are not */
  CACHED = 256 << 10,      /* bytes of a table that are */
  LOCAL = 2,               /* a byte of shared memory */
  LOST = 8 * 16,           /* a cycle of conflicts */
  INSTRUCTION = 77 * 16,   /* of a thread, alone on a multiprocessor */
  LOOKED_UP = 260,         /* instructions, for an element whose place is in a table, */
  BROUGHT = 40,            /* and where nothing is computed with it: many at once */
  FIRST_LOADS = 1600 * 16, /* an iteration of loads from memory, likewise */
  REDUCED = 8,             /* instructions, for an address modulo something */
  REST = 10,               /* of what is not the dearest, in sixteenths */
  SAMPLE = 256,            /* threads looked at */
  FULL_BATCH = 4096,       /* transforms that fill a device, */
  FULL_POINTS = 16 << 20,  /* and points of short ones */
  FEW_BLOCKS = 2,
};

typedef struct cost {
  int64_t memory, block, wait;
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

static void cost_access(const pricing *x, const fg_access *a, bool store, int64_t elements, cost *out) {
  const fg_buffer *b = &x->p->buffer[a->buffer];
  int64_t size = fg_buffer_parts(b) * fg_precision_bytes(b->precision), bytes = elements * size;
  if (b->space == FG_SPACE_LOCAL) {
    out->block += bytes * LOCAL;
  } else if (b->space == FG_SPACE_TABLE) {
    out->memory += bytes * (fg_buffer_bytes(b) > CACHED ? LARGE_TABLE : TABLE);
  } else {
    int64_t sectors = touched(x, a, size, x->m->sector_bytes) - 16,
            segments = touched(x, a, size, x->m->segment_bytes) - 16;
    int64_t percent = store ? 90 * sectors + 7 * segments : 16 * sectors + 14 * segments;
    out->memory += bytes * (BYTE + percent / 100) * (b->round ? ROUND : 16) / 16;
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

/* Its place comes from a table: two loads one behind the other, and banks that meet. */
static int64_t looked_up(const pricing *x, const fg_stage *s, const fg_access *a) {
  int64_t each = (a->index.lookup >= 0 ? s->codelet ? LOOKED_UP : BROUGHT : 0) + (a->index.mod ? REDUCED : 0);
  return each * fg_access_slots(x->k, a);
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
  count += looked_up(x, s, &s->load) + looked_up(x, s, &s->store);
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

/* Half of what a thread holds across a barrier is there while it computes. */
static int64_t registers_of(const pricing *x) {
  int64_t most = 0, held;
  for (int i = 0; i < x->k->nstage; i++) {
    int64_t slots = words_of(x, i, &held);
    most = max64(most, 16 + slots * 9 / 10 + held / 2);
  }
  return most;
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

/* Blocks at once on a multiprocessor. */
static int64_t resident(const pricing *x, int64_t registers) {
  int64_t threads = (x->k->threads + FG_WARP - 1) / FG_WARP * FG_WARP;
  int64_t blocks = min64(x->m->blocks, x->m->threads / threads);
  blocks = min64(blocks, room_for(x, local_bytes(x)));
  int64_t step = x->m->register_step, each = (min64(registers, x->m->thread_registers) + step - 1) / step * step;
  blocks = min64(blocks, x->m->registers / (each * threads));
  return max64(blocks, max64(x->k->resident, 1));
}

/* Left alone, compilers give a long thread too few registers, where memory has room for
 * one block or two whatever they do: f32 12288 on an H200, 77 of them .71 of copy, 124 .82. */
int fg_cost_few_blocks(const fg_program *p, const fg_kernel *k) {
  pricing x = {.p = p, .k = k, .m = fg_program_machine(p)};
  for (int i = 0; i < p->problem.nparam; i++) x.params[i] = p->problem.param[i].lo;
  int64_t room = room_for(&x, local_bytes(&x));
  return room > FEW_BLOCKS ? 0 : (int)min64(room, resident(&x, least_registers(&x)));
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
  out->memory += bytes * BYTE;
  out->block += bytes * LOCAL;
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
  out->wait += instructions_of(x, s) * INSTRUCTION;
}

static int64_t kernel_cost(const pricing *x) {
  cost sum = {0};
  int64_t blocks = blocks_of(x), registers = registers_of(x), at_once = resident(x, registers) * x->m->multiprocessors;
  for (int i = 0; i < x->k->nstage; i++) cost_stage(x, &x->k->stage[i], &sum);
  sum.block += blocks * x->k->lost * LOST;
  sum.wait += iterations_of(x, &x->k->stage[0], false) * FIRST_LOADS;
  if (registers > x->m->thread_registers) sum.wait *= 2; /* what does not fit goes through memory */
  sum.wait = blocks > at_once ? sum.wait * x->m->multiprocessors / at_once * blocks : sum.wait * x->m->multiprocessors;
  int64_t dearest = max64(sum.memory, max64(sum.block, sum.wait));
  return LAUNCH + dearest + (sum.memory + sum.block + sum.wait - dearest) / 16 * REST;
}

/* At parameters that fill blocks, and the device: groups differ from plan to plan. */
int64_t fg_cost_threads(const fg_program *p) {
  pricing x = {.p = p, .m = fg_program_machine(p)};
  int64_t cost = 0;
  int64_t full = max64(FULL_BATCH, FULL_POINTS / max64(1, fg_problem_points(&p->problem)));
  for (int i = 0; i < p->problem.nparam; i++)
    x.params[i] = max64(p->problem.param[i].lo, min64(p->problem.param[i].hi, full));
  for (int i = 0; i < p->nkernel; i++) {
    x.k = p->kernel[i];
    cost += kernel_cost(&x);
  }
  return cost;
}

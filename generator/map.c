/* Map: the logical stages' loops get their roles.
 *
 * In: a kernel whose stages have loops only. Out: the program's kernels.
 *   - loops and lanes (CPU): one kernel; batch axes around all stages, in each
 *     stage the cheapest loop becomes a loop of vectors;
 *   - blocks and threads (GPU): map_threads.c. */
#include "generator/map.h"
#include <assert.h>
#include <string.h>

bool fg_map_is_batch(const fg_kernel *k, int16_t digit) { return k->digit[digit].div < 0; }

int fg_map_batch_axis(const fg_kernel *k, int16_t digit) { return (int)-k->digit[digit].div - 1; }

static int16_t memory_of(const fg_program *p, int16_t buffer) {
  while (p->buffer[buffer].alias >= 0) buffer = p->buffer[buffer].alias;
  return buffer;
}

/* In every address of the stage, `to` stands where `from` stood. */
static void rename_terms(fg_affine *a, int16_t from, int16_t to) {
  for (int i = 0; i < a->nterm; i++)
    if (a->term[i].digit == from) a->term[i].digit = to;
}

void fg_map_rename(fg_stage *s, int16_t from, int16_t to) {
  rename_terms(&s->load.index.at, from, to);
  rename_terms(&s->store.index.at, from, to);
  if (s->has_twiddle) rename_terms(&s->twiddle.index.at, from, to);
  for (int i = 0; i < s->load.npred; i++) rename_terms(&s->load.pred[i].value, from, to);
  for (int i = 0; i < s->store.npred; i++) rename_terms(&s->store.pred[i].value, from, to);
}

static fg_num coef_of(const fg_affine *a, int16_t digit) {
  for (int i = 0; i < a->nterm; i++)
    if (a->term[i].digit == digit) return a->term[i].coef;
  return fg_num_const(0);
}

static void also_at(fg_affine *a, int16_t digit, int16_t extra) { fg_affine_add(a, extra, coef_of(a, digit)); }

/* `extra` moves every address as `digit` does. */
void fg_map_split_terms(fg_stage *s, int16_t digit, int16_t extra) {
  also_at(&s->load.index.at, digit, extra);
  also_at(&s->store.index.at, digit, extra);
  if (s->has_twiddle) also_at(&s->twiddle.index.at, digit, extra);
  for (int i = 0; i < s->load.npred; i++) also_at(&s->load.pred[i].value, digit, extra);
  for (int i = 0; i < s->store.npred; i++) also_at(&s->store.pred[i].value, digit, extra);
}

int16_t fg_map_add_digit(fg_kernel *k, const fg_digit *d) {
  assert(k->ndigit < FG_MAX_DIGITS);
  k->digit[k->ndigit] = *d;
  return (int16_t)k->ndigit++;
}

bool fg_map_is_local(const fg_builder *b, int buffer) {
  int at = 0;
  while (b->kernels[at] != b->kernel) at++;
  bool after = buffer >= b->first_buffer[at];
  bool before = at + 1 == b->nkernel || buffer < b->first_buffer[at + 1];
  return b->program->buffer[buffer].space == FG_SPACE_LOCAL && after && before;
}

void fg_map_drop_loop(fg_stage *s, int position) {
  memmove(&s->loop[position], &s->loop[position + 1], sizeof s->loop[0] * (size_t)(s->nloop - position - 1));
  s->nloop--;
}

/* ---- batches and tiles around all stages -------------------------------------------- */

void fg_map_outer_batch(fg_builder *b) {
  fg_kernel *k = b->kernel;
  int16_t outer[FG_MAX_AXES];
  for (int i = 0; i < FG_MAX_AXES; i++) outer[i] = -1;
  for (int i = 0; i < k->nstage; i++) {
    fg_stage *s = &k->stage[i];
    for (int l = 0; l < s->nloop; l++) {
      int16_t d = s->loop[l];
      if (!fg_map_is_batch(k, d)) continue;
      int axis = fg_map_batch_axis(k, d);
      if (outer[axis] < 0) outer[axis] = d;
      fg_map_rename(s, d, outer[axis]);
      fg_map_drop_loop(s, l--);
    }
  }
  for (int i = 0; i < FG_MAX_AXES; i++)
    if (outer[i] >= 0) {
      k->digit[outer[i]].role = FG_ROLE_BLOCK;
      k->outer[k->nouter++] = outer[i];
    }
}

/* BLOCK digits: the innermost changes fastest. */
fg_status fg_map_number_blocks(fg_builder *b, fg_kernel *k) {
  int64_t div = 1;
  for (int i = k->nouter - 1; i >= 0; i--) {
    fg_digit *d = &k->digit[k->outer[i]];
    if (d->role != FG_ROLE_BLOCK) continue;
    d->div = div;
    if (d->extent.form != FG_NUM_CONST && b->map->threads && i > 0) {
      d->role = FG_ROLE_HOST; /* only the outermost may be counted at run time: the host loops over this one */
      continue;
    }
    if (d->extent.form == FG_NUM_CONST) div *= d->extent.n;
    k->blocks[k->nblocks++] = d->extent;
  }
  return FG_OK;
}

/* ---- lanes --------------------------------------------------------------------- */

static bool power_of_two(int64_t x) { return x > 0 && (x & (x - 1)) == 0; }

/* How an access would move if `digit` were spread over the lanes. */
static fg_move move_for(const fg_access *a, int16_t digit, int slots, int lanes) {
  fg_num coef = coef_of(&a->index.at, digit), slot = coef_of(&a->index.at, a->reg);
  if (a->npred || a->index.mod || a->index.lookup >= 0) return FG_MOVE_GATHER;
  if (fg_num_is(coef, 1)) return FG_MOVE_CONTIG;
  if (fg_num_is(coef, 0)) return FG_MOVE_SAME;
  bool apart = coef.form != FG_NUM_CONST || coef.n >= slots || -coef.n >= slots;
  bool rows = slots > 1 && slots <= 64 && fg_num_is(slot, 1) && apart;
  return rows && power_of_two(lanes) ? FG_MOVE_TRANSPOSE : FG_MOVE_GATHER;
}

/* Instructions per vector of complex numbers. */
static int64_t move_cost(const fg_builder *b, const fg_access *a, int16_t digit, fg_move_form f) {
  f.layout = b->program->buffer[a->buffer].layout;
  f.packed = b->packed;
  f.elem = b->program->buffer[a->buffer].elem;
  f.end_to_end = fg_num_is(coef_of(&a->index.at, digit), f.slots);
  return fg_move_price(&f);
}

typedef struct lane_choice {
  int position; /* in s->loop; -1: none */
  int lanes;
  fg_move load, store, twiddle;
  int64_t cost; /* sixteenths of instructions per 1024 elements of work */
} lane_choice;

static lane_choice consider(const fg_builder *b, const fg_stage *s, int position, int lanes) {
  const fg_kernel *k = b->kernel;
  int16_t d = s->loop[position];
  fg_num extent = k->digit[d].extent;
  lane_choice c = {.position = -1};
  int64_t count = extent.form == FG_NUM_CONST ? extent.n : b->program->problem.param[extent.param].hi;
  if (count < lanes || (extent.form != FG_NUM_CONST && (extent.form != FG_NUM_PARAM || extent.n != 1))) return c;
  int loads = s->codelet ? (int)k->digit[s->load.reg].extent.n : 1;
  int stores = s->codelet ? (int)k->digit[s->store.reg].extent.n : 1;
  c.load = move_for(&s->load, d, loads, lanes);
  c.store = move_for(&s->store, d, stores, lanes);
  if (c.store == FG_MOVE_SAME) return c; /* lanes would overwrite each other */
  c.twiddle = s->has_twiddle ? move_for(&s->twiddle, d, s->codelet->ntw / 2, lanes) : FG_MOVE_NONE;
  if (c.twiddle == FG_MOVE_TRANSPOSE) c.twiddle = FG_MOVE_GATHER;
  int64_t cost = loads * move_cost(b, &s->load, d, (fg_move_form){c.load, .slots = loads, .lanes = lanes}) +
                 stores * move_cost(b, &s->store, d, (fg_move_form){c.store, .slots = stores, .lanes = lanes});
  if (s->has_twiddle)
    cost += s->codelet->ntw / 2 * move_cost(b, &s->twiddle, d, (fg_move_form){c.twiddle, .lanes = lanes});
  if (s->codelet)
    cost += (b->packed ? 8 : 16) * (s->codelet->count.add + s->codelet->count.mul + s->codelet->count.fma);
  c.cost = cost * ((count + lanes - 1) / lanes) * 1024 / count;
  c.position = position;
  c.lanes = lanes;
  return c;
}

static bool in_one_memory(const fg_program *p, const fg_stage *s) {
  return memory_of(p, s->load.buffer) == memory_of(p, s->store.buffer);
}

/* The digit counts vectors from now on; what does not fill one is left to a
 * scalar twin of the stage, whose digit is returned (-1: nothing left, or the
 * last vector overlaps the one before it). */
static int16_t cut_digit(fg_builder *b, const fg_stage *s, int16_t digit, int lanes) {
  fg_kernel *k = b->kernel;
  fg_digit *d = &k->digit[digit], rest = *d;
  int64_t count = d->extent.n;
  d->step = lanes;
  if (d->extent.form == FG_NUM_PARAM) {
    d->extent.form = FG_NUM_QUOT;
    rest.extent.form = FG_NUM_REM;
    rest.start = (fg_num){.n = 1, .form = FG_NUM_FLOOR, .param = d->extent.param, .div = lanes};
    d->extent.div = rest.extent.div = lanes;
    return fg_map_add_digit(k, &rest);
  }
  if (count % lanes == 0 || !in_one_memory(b->program, s)) {
    d->extent.n = (count + lanes - 1) / lanes;
    if (count % lanes) d->last = count - lanes;
    return -1;
  }
  d->extent.n = count / lanes;
  rest.start = fg_num_const(count - count % lanes);
  rest.extent = fg_num_const(count % lanes);
  return fg_map_add_digit(k, &rest);
}

static void put_innermost(fg_stage *s, int position) {
  int16_t d = s->loop[position];
  fg_map_drop_loop(s, position);
  s->loop[s->nloop++] = d;
}

/* Makes a loop of s a loop of vectors. True: *rest is the scalar twin that must
 * follow it. */
static bool spread(fg_builder *b, fg_stage *s, const lane_choice *c, fg_stage *rest) {
  fg_kernel *k = b->kernel;
  put_innermost(s, c->position);
  int16_t digit = s->loop[s->nloop - 1];
  *rest = *s;
  int16_t rest_digit = cut_digit(b, s, digit, c->lanes);
  if (rest_digit >= 0) {
    fg_map_rename(rest, digit, rest_digit);
    rest->loop[rest->nloop - 1] = rest_digit;
    rest->what = fg_arena_printf(b->cx->arena, "%s, rest", s->what);
  }
  fg_digit lane = {
      .name = "l", .role = FG_ROLE_LANE, .extent = fg_num_const(c->lanes), .step = 1, .last = INT64_MAX, .div = 1};
  s->lane = fg_map_add_digit(k, &lane);
  s->loop[s->nloop++] = s->lane;
  fg_map_split_terms(s, digit, s->lane);
  s->packed = b->packed;
  s->load.move = c->load;
  s->store.move = c->store;
  s->twiddle.move = c->twiddle;
  return rest_digit >= 0;
}

static void note_fallback(fg_builder *b, fg_stage *s) {
  fg_program *p = b->program;
  s->fallback = true;
  if (p->nfallback < FG_MAX_FALLBACKS)
    p->fallback[p->nfallback++] = fg_arena_printf(b->cx->arena, "scalar loop: %s", s->what);
}

/* Full vectors, or narrower ones where a loop is too short for them. */
static lane_choice best_lane(const fg_builder *b, const fg_stage *s, int most) {
  lane_choice best = {.position = -1};
  for (int lanes = most; lanes >= 2; lanes /= 2)
    for (int i = 0; i < s->nloop; i++) {
      lane_choice c = consider(b, s, i, lanes);
      if (c.position >= 0 &&
          (best.position < 0 || c.cost < best.cost || (c.cost == best.cost && c.lanes == best.lanes)))
        best = c;
    }
  return best;
}

static void spread_all(fg_builder *b, int lanes) {
  fg_kernel *k = b->kernel;
  fg_stage *old = k->stage;
  int nold = k->nstage;
  k->stage = fg_arena_new(b->cx->arena, fg_stage, 2 * nold);
  k->nstage = 0;
  for (int i = 0; i < nold; i++) {
    fg_stage *s = &k->stage[k->nstage++], rest;
    *s = old[i];
    if (!s->codelet) continue; /* a plain copy: compilers do it well */
    lane_choice c = best_lane(b, s, lanes);
    if (c.position < 0)
      note_fallback(b, s);
    else if (spread(b, s, &c, &rest))
      k->stage[k->nstage++] = rest;
  }
}

static void map_kernel_lanes(fg_builder *b, int lanes) {
  fg_kernel *k = b->kernel;
  fg_program *p = b->program;
  if (k->nstage > 1 || b->nkernel > 1) fg_map_outer_batch(b);
  if (lanes > 1) spread_all(b, lanes);
  for (int i = 0; i < k->nstage; i++)
    if (fg_stage_lanes(k, &k->stage[i]) > p->lanes) p->lanes = fg_stage_lanes(k, &k->stage[i]);
  k->name = b->nkernel > 1 ? fg_arena_printf(b->cx->arena, "run%d", p->nkernel) : "run";
  k->shape = k->nstage > 1 ? FG_SHAPE_BLOCK : FG_SHAPE_PASS;
  k->threads = k->cluster = 1;
  p->kernel[p->nkernel++] = k;
}

/* Stores past the caches, but not where the same lines were just read. Unasked
 * only to arrays that the largest caches cannot keep: in 8 to 32 MiB they cost a
 * sixth to a third where a cache is larger, from 64 MiB on they gain as much. */
#define ALWAYS_STREAMED (INT64_C(64) << 20)
#define STREAMED_SCRATCH (INT64_C(32) << 20)

static bool wants_stream(const fg_program *p, const fg_stage *s) {
  const fg_buffer *b = &p->buffer[s->store.buffer];
  int64_t wanted = fg_plan_param_value(p->plan, FG_PARAM_STREAM), bytes = fg_buffer_bytes(b);
  if (wanted == 1 || in_one_memory(p, s) || s->lane < 0 || s->store.move == FG_MOVE_GATHER) return false;
  if (wanted == 0) return bytes >= ALWAYS_STREAMED;
  return b->space == FG_SPACE_OUTPUT || bytes >= STREAMED_SCRATCH;
}

static fg_status map_lanes(fg_builder *b) {
  fg_program *p = b->program;
  int64_t wanted = fg_plan_param_value(p->plan, FG_PARAM_LANES);
  int lanes = wanted ? (int)wanted : b->map->lanes;
  if (!power_of_two(lanes) || lanes > b->map->lanes)
    return fg_diag_set(&b->cx->diag, FG_EUSER, "plan: lanes=%d: this target has powers of two up to %d", lanes,
                       b->map->lanes);
  if (b->packed) lanes /= 2;
  p->kernel = fg_arena_new(b->cx->arena, fg_kernel *, b->nkernel);
  for (int i = 0; i < b->nkernel; i++) {
    b->kernel = b->kernels[i];
    map_kernel_lanes(b, lanes);
    for (int s = 0; s < b->kernel->nstage; s++)
      b->kernel->stage[s].store.stream = wants_stream(p, &b->kernel->stage[s]);
    fg_status status = fg_map_number_blocks(b, b->kernel);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

/* ---- both ways ------------------------------------------------------------------ */

static void clear_marks(fg_kernel *k) {
  for (int d = 0; d < k->ndigit; d++)
    if (k->digit[d].div < 0) k->digit[d].div = 1;
}

static void touch(fg_buffer *b, int kernel) {
  if (kernel < b->first) b->first = (int16_t)kernel;
  if (kernel > b->last) b->last = (int16_t)kernel;
}

static void find_lifetimes(fg_program *p) {
  for (int i = 0; i < p->nbuffer; i++) p->buffer[i].first = INT16_MAX, p->buffer[i].last = -1;
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) {
      const fg_stage *stage = &p->kernel[i]->stage[s];
      touch(&p->buffer[stage->load.buffer], i);
      touch(&p->buffer[stage->store.buffer], i);
      if (stage->has_twiddle) touch(&p->buffer[stage->twiddle.buffer], i);
    }
}

fg_status fg_map_program(fg_builder *b) {
  for (int i = 0; i < b->nkernel; i++) b->kernels[i]->stage[b->kernels[i]->nstage - 1].sync_end = FG_SCOPE_NONE;
  fg_status status = b->map->threads ? fg_map_threads(b) : map_lanes(b);
  if (status != FG_OK) return status;
  for (int i = 0; i < b->program->nkernel; i++) clear_marks(b->program->kernel[i]);
  find_lifetimes(b->program);
  return FG_OK;
}

/* Loops and lanes (CPUs). In: stages of plain loops. Out: in each stage the cheapest loop is one of vectors; what fills
 * none is left to twins of narrower ones, the last one scalar. */
#include "generator/base/integer.h"
#include "generator/cost/moves.h"
#include "generator/ir/program_machine.h"
#include "generator/map/digits.h"
#include "generator/map/map.h"
#include "targets/machine/limits.h"

enum {
  MOST_WIDTHS = 8, /* of vectors of a stage, down to one number */
  WIDE = 64,       /* bytes of a vector that is a line of L1 */
  FEW_VECTORS = 16
};

/* ---- lanes --------------------------------------------------------------------- */

/* How an access would move if `digit` were spread over the lanes. */
static fg_move move_for(const fg_kernel *k, const fg_access *a, int16_t digit, int lanes) {
  int slots = (int)k->digit[a->reg].extent.n;
  fg_num coef = fg_affine_coef(&a->index.at, digit), slot = fg_affine_coef(&a->index.at, a->reg);
  if (a->npred || a->index.nwrap || fg_index_is_bent(&a->index)) return FG_MOVE_GATHER;
  if (fg_num_is(coef, 1)) return FG_MOVE_CONTIG;
  if (fg_num_is(coef, -1)) return FG_MOVE_REVERSE;
  if (fg_num_is(coef, 0)) return FG_MOVE_SAME;
  bool apart = coef.form != FG_NUM_CONST || coef.n >= slots || -coef.n >= slots;
  bool rows = slots > 1 && slots <= 64 && fg_num_is(slot, 1) && apart;
  return rows && fg_is_power_of_two(lanes) ? FG_MOVE_TRANSPOSE : FG_MOVE_GATHER;
}

/* Factors are not loaded in rows. */
static fg_move twiddle_move(const fg_kernel *k, const fg_access *a, int16_t digit, int lanes) {
  fg_move move = move_for(k, a, digit, lanes);
  return move == FG_MOVE_TRANSPOSE ? FG_MOVE_GATHER : move;
}

/* Sixteenths of instructions for all slots. */
static int64_t move_cost(const fg_builder *b, const fg_stage *s, const fg_access *a, int16_t digit, int lanes) {
  int64_t cost = 0;
  bool twiddle = a == &s->factors.twiddle || a == &s->factors.more, load = a != &s->store;
  for (; a; a = a->rest) {
    int slots = (int)b->kernel->digit[a->reg].extent.n;
    const fg_buffer *buffer = &b->program->buffer[a->buffer];
    fg_move_form f = {.move = twiddle ? twiddle_move(b->kernel, a, digit, lanes) : move_for(b->kernel, a, digit, lanes),
                      .layout = buffer->layout,
                      .slots = slots,
                      .lanes = lanes,
                      .end_to_end = fg_num_is(fg_affine_coef(&a->index.at, digit), slots),
                      .packed = b->packed,
                      .elem = buffer->elem,
                      .rows_from = fg_program_rows_from(b->program, buffer, load, lanes)};
    cost += slots * fg_cost_of_move(&f);
  }
  return cost;
}

/* Lanes would overwrite each other. */
static bool stores_conflict(const fg_kernel *k, const fg_access *a, int16_t digit, int lanes) {
  for (; a; a = a->rest)
    if (move_for(k, a, digit, lanes) == FG_MOVE_SAME) return true;
  return false;
}

static void set_moves(const fg_kernel *k, fg_access *a, int16_t digit, int lanes) {
  for (; a; a = a->rest) a->move = move_for(k, a, digit, lanes);
}

/* Operands of load and store operations, which are not loaded in rows either. */
static void set_operand_moves(const fg_kernel *k, fg_operations *operations, int16_t digit, int lanes) {
  for (int i = 0; operations && i < operations->count; i++)
    for (fg_access *a = operations->operation[i].has_operand ? &operations->operation[i].operand : NULL; a; a = a->rest)
      a->move = twiddle_move(k, a, digit, lanes);
}

typedef struct lane_choice {
  int position; /* in s->loop; -1: none */
  int lanes;
  bool twin;    /* what fills no vector is left to a scalar twin, whatever the memories */
  int64_t cost; /* sixteenths of instructions per 1024 elements of work */
} lane_choice;

static lane_choice consider(const fg_builder *b, const fg_stage *s, int position, int lanes) {
  const fg_kernel *k = b->kernel;
  int16_t d = s->loop[position];
  fg_num extent = k->digit[d].extent;
  lane_choice c = {.position = -1};
  int64_t count = extent.form == FG_NUM_CONST ? extent.n : b->program->problem.param[extent.param].hi;
  if (count < lanes || (extent.form != FG_NUM_CONST && (extent.form != FG_NUM_PARAM || extent.n != 1))) return c;
  if (stores_conflict(k, &s->store, d, lanes)) return c;
  int64_t cost = move_cost(b, s, &s->load, d, lanes) + move_cost(b, s, &s->store, d, lanes);
  if (s->factors.has_twiddle) cost += move_cost(b, s, &s->factors.twiddle, d, lanes);
  if (s->factors.has_more) cost += move_cost(b, s, &s->factors.more, d, lanes);
  if (s->codelet)
    cost += (b->packed ? 8 : 16) * (s->codelet->count.add + s->codelet->count.mul + s->codelet->count.fma);
  c.cost = cost * ((count + lanes - 1) / lanes) * 1024 / count;
  c.position = position;
  c.lanes = lanes;
  return c;
}

/* Whether a narrower vector takes what is left of few wide ones: half of one, where these are two halves in turn. Less
 * takes as long as the row twice in one vector; of many it is next to nothing, and one stage has forms that two have
 * not.
 */
static bool leaves_half(const fg_builder *b, const lane_choice *c, int64_t count) {
  int64_t number = fg_precision_bytes(b->program->problem.compute) * (b->packed ? 2 : 1);
  bool halves = fg_program_machine(b->program)->double_pumped && c->lanes * number >= WIDE;
  return halves && count <= (int64_t)FEW_VECTORS * c->lanes && 2 * (count % c->lanes) == c->lanes;
}

/* The digit counts vectors from now on; what does not fill one is left to a
 * twin of the stage, whose digit is returned (-1: nothing left, or the
 * last vector overlaps the one before it). */
static int16_t cut_digit(fg_builder *b, const fg_stage *s, int16_t digit, const lane_choice *c) {
  fg_kernel *k = b->kernel;
  int lanes = c->lanes;
  fg_digit *d = &k->digit[digit], rest = *d;
  int64_t count = d->extent.n;
  d->step = lanes;
  if (d->extent.form == FG_NUM_PARAM) {
    d->extent.form = FG_NUM_QUOT;
    rest.extent.form = FG_NUM_REM;
    rest.start = (fg_num){.n = 1, .form = FG_NUM_FLOOR, .param = d->extent.param, .div = lanes};
    d->extent.div = rest.extent.div = lanes;
    return fg_kernel_add_digit(k, &rest);
  }
  bool overlaps = !c->twin && !fg_stage_is_in_place(b->program, s) && !leaves_half(b, c, count);
  if (count % lanes == 0 || overlaps) {
    d->extent.n = (count + lanes - 1) / lanes;
    if (count % lanes) d->last = count - lanes;
    return -1;
  }
  d->extent.n = count / lanes;
  rest.start = fg_num_const(d->start.n + count - count % lanes);
  rest.extent = fg_num_const(count % lanes);
  return fg_kernel_add_digit(k, &rest);
}

static void put_innermost(fg_stage *s, int position) {
  int16_t d = s->loop[position];
  fg_map_drop_loop(s, position);
  s->loop[s->nloop++] = d;
}

/* Bytes that divide the stride of a digit; 0: not known. */
static int64_t store_step(const fg_builder *b, const fg_stage *s, int16_t digit) {
  const fg_buffer *to = &b->program->buffer[s->store.buffer];
  fg_num coef = fg_affine_coef(&s->store.index.at, digit);
  return coef.form == FG_NUM_CONST ? coef.n * b->kernel->digit[digit].step * (fg_buffer_bytes(to) / to->size) : 0;
}

/* Short rows, whole pages apart, and those of the iterations that follow in the same few sets of L1, beyond
 * which the arrays are. */
static bool scatters_rows(const fg_builder *b, const fg_stage *s) {
  const fg_buffer *from = &b->program->buffer[s->load.buffer], *to = &b->program->buffer[s->store.buffer];
  if (s->store.move != FG_MOVE_TRANSPOSE || s->load.move != FG_MOVE_CONTIG) return false;
  if (fg_buffer_bytes(from) + fg_buffer_bytes(to) < limit->scattered_from) return false;
  int64_t rows = fg_stage_lanes(b->kernel, s), apart = store_step(b, s, s->vectors.lane), next = 0;
  for (int i = s->nloop - 1; i >= 0 && next % fg_program_page(b->program) == 0; i--) {
    next = store_step(b, s, s->loop[i]);
    if (next % fg_program_page(b->program) == 0) rows *= b->kernel->digit[s->loop[i]].extent.n;
  }
  int64_t row = b->kernel->digit[s->store.reg].extent.n * (fg_buffer_bytes(to) / to->size);
  return row < limit->scattered_row && apart && apart % fg_program_page(b->program) == 0 &&
         rows * fg_gcd(next, fg_program_page(b->program)) >= 2 * fg_program_page(b->program);
}

/* Iterations follow each other in the order of their rows in memory, not in that of what they load: a CPU waits for
 * lines that it stores to, one after the other, and looks ahead for those that it loads. */
static void order_by_rows(const fg_builder *b, fg_stage *s) {
  fg_num row = b->kernel->digit[s->store.reg].extent;
  for (int i = 0; i < s->nloop && scatters_rows(b, s); i++)
    if (fg_num_is(fg_affine_coef(&s->store.index.at, s->loop[i]), row.n)) {
      put_innermost(s, i);
      return;
    }
}

/* Makes a loop of s a loop of vectors. True: *rest is the twin that must
 * follow it. */
static bool spread(fg_builder *b, fg_stage *s, const lane_choice *c, fg_stage *rest) {
  fg_kernel *k = b->kernel;
  put_innermost(s, c->position);
  int16_t digit = s->loop[s->nloop - 1];
  *rest = fg_stage_twin(b->cx->arena, s);
  int16_t rest_digit = cut_digit(b, s, digit, c);
  rest->vectors.packed = b->packed;
  if (rest_digit >= 0) {
    fg_map_rename_digit(rest, digit, rest_digit);
    rest->loop[rest->nloop - 1] = rest_digit;
    rest->what = fg_arena_printf(b->cx->arena, "%s, rest", s->what);
  }
  s->vectors.lane = fg_kernel_new_digit(k, "l", FG_ROLE_LANE, fg_num_const(c->lanes));
  fg_map_split_terms(s, digit, s->vectors.lane);
  s->vectors.packed = b->packed;
  set_moves(k, &s->load, digit, c->lanes);
  set_moves(k, &s->store, digit, c->lanes);
  order_by_rows(b, s);
  s->loop[s->nloop++] = s->vectors.lane;
  if (s->factors.has_twiddle) s->factors.twiddle.move = twiddle_move(k, &s->factors.twiddle, digit, c->lanes);
  for (fg_access *a = s->factors.has_more ? &s->factors.more : NULL; a; a = a->rest)
    a->move = twiddle_move(k, a, digit, c->lanes);
  set_operand_moves(k, s->operations.loaded, digit, c->lanes);
  set_operand_moves(k, s->operations.stored, digit, c->lanes);
  return rest_digit >= 0;
}

static void note_fallback(fg_builder *b, fg_stage *s) {
  fg_program *p = b->program;
  s->vectors.fallback = true;
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

/* What is left of vectors that cannot overlap, as narrower ones, the widest first. How many stages more. */
static int spread_rest(fg_builder *b, fg_stage *s, int lanes) {
  int64_t number = fg_precision_bytes(b->program->problem.compute) * (b->packed ? 2 : 1);
  const fg_num *left = &b->kernel->digit[s->loop[s->nloop - 1]].extent;
  int more = 0;
  for (lanes /= 2; left->form == FG_NUM_CONST && lanes * number >= limit->narrow_vector; lanes /= 2) {
    lane_choice c = consider(b, s, s->nloop - 1, lanes);
    if (c.position < 0) continue;
    const char *what = s->what; /* is named a rest already */
    if (!spread(b, s, &c, s + 1)) break;
    s++, more++;
    s->what = what;
    left = &b->kernel->digit[s->loop[s->nloop - 1]].extent;
  }
  return more;
}

/* How many stages more. A stage may be on pairs in a kernel that is on parts: half as many lanes. */
static int spread_one(fg_builder *b, fg_stage *s, int lanes, bool twin) {
  bool all = b->packed;
  int more = 0;
  b->packed = all || s->vectors.packed;
  lane_choice c = best_lane(b, s, b->packed && !all ? lanes / 2 : lanes);
  c.twin = twin;
  if (c.position >= 0)
    more = spread(b, s, &c, s + 1) ? 1 + (twin ? 0 : spread_rest(b, s + 1, c.lanes)) : 0;
  else if (!s->vectors.alone && b->packed)
    s->vectors.packed = true; /* a vector is one number */
  else if (!s->vectors.alone)
    note_fallback(b, s);
  b->packed = all;
  return more;
}

static void spread_all(fg_builder *b, int lanes, bool twin) {
  fg_kernel *k = b->kernel;
  fg_stage *old = k->stage;
  int nold = k->nstage;
  k->stage = fg_arena_raw(b->cx->arena, sizeof *old * (size_t)(MOST_WIDTHS * nold));
  k->nstage = 0;
  for (int i = 0; i < nold; i++) {
    fg_stage *s = &k->stage[k->nstage++];
    *s = old[i];
    if (s->codelet && !s->few) k->nstage += spread_one(b, s, lanes, twin); /* of a plain copy compilers do it well */
  }
}

fg_status fg_map_lanes(fg_builder *b) {
  fg_program *p = b->program;
  int64_t wanted = fg_plan_param_value(p->plan, FG_PARAM_LANES);
  int lanes = wanted ? (int)wanted : b->map->lanes;
  if (!fg_is_power_of_two(lanes) || lanes > b->map->lanes)
    return fg_refuse(b->cx, "plan: lanes=%d: this target has powers of two up to %d", lanes, b->map->lanes);
  for (int i = 0; i < b->nkernel && lanes > 1; i++) {
    b->kernel = b->kernels[i];
    b->packed = b->kernel->vectors.packed;
    spread_all(b, b->packed ? lanes / 2 : lanes, b->alone && b->map->blocks);
  }
  for (int i = 0; i < b->nkernel; i++)
    for (int k = 0; k < b->kernels[i]->nstage; k++) {
      int wide = fg_stage_lanes(b->kernels[i], &b->kernels[i]->stage[k]);
      if (wide > p->vectors.lanes) p->vectors.lanes = wide;
    }
  return FG_OK;
}

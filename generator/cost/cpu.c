/* The cost of stages on a CPU's execution ports in the shipped model. In: a stage. Out: its cost, in the unit of
 * cost.c.
 *
 * Arithmetic and moves run in parallel; for interleaved complex vectors they share ports and add up. Spills, long
 * code and waits are added. Figures that differ between CPUs are in a row of costs. */
#include "generator/base/integer.h"
#include "generator/cost/cost_parts.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"
#include <limits.h>

/* Scalars aside, of whose values compilers keep most in memory anyhow; an interleaved complex vector may be one number.
 */
static const fg_unit_costs *costs_of(const fg_program *p, bool packed) {
  bool vectors = packed || p->vectors.lanes > 1;
  return fg_machine_unit_costs(fg_program_machine(p), vectors ? p->vectors.registers : INT_MAX);
}

int64_t fg_cost_separate(const fg_program *p) { return costs_of(p, false)->apart; }

int64_t fg_cost_of_rader(const fg_program *p, int64_t cost) { return cost * costs_of(p, false)->rader / 16; }

/* Of large primes and their powers: sums of all points, which wait until the last one is there. */
static bool is_dense(const fg_codelet *c) {
  return c->count.add + c->count.mul + 2 * c->count.fma >= core->dense * (int64_t)(c->nin / 2);
}

/* A codelet with more values than registers spills: each value costs more.
 * An interleaved complex vector that is one number is half a register's worth of work to spill, of few. */
static int64_t crowd_of_pairs(const fg_codelet *c, int lanes, const fg_unit_costs *r) {
  int64_t slots = c->nin / 2, many = fg_larger(slots - 32, 0);
  int64_t few = r->few_pairs * fg_larger(slots - 8, 0) + r->some_pairs * fg_larger(slots - 16, 0);
  return lanes == 1 ? few / 2 + (is_dense(c) ? r->dense_one : r->many_one) * many : few + r->many_pairs * many;
}

/* Where consecutive iterations use all 32 registers: odd radices need some for constants, twiddle factors need others.
 */
static int64_t crowd_of_many_iterations(const fg_codelet *c, const fg_unit_costs *r) {
  int64_t slots = c->nin / 2,
          crowd = r->few_busy * fg_larger(slots - 8, 0) + 3 * fg_larger(slots - 16, 0) + 8 * fg_larger(slots - 32, 0);
  return crowd + 6 * fg_larger(fg_odd_part((int)slots) - 16, 0) + (c->ntw ? 4 * fg_larger(slots - 22, 0) : 0);
}

/* Instructions that leave the caches for them, first the one of decoded ones. */
static int64_t code_cost(int64_t operations, const fg_unit_costs *r) {
  return core->long_code * fg_larger(operations - core->decoded, 0) +
         core->very_long_code * fg_larger(operations - r->near, 0);
}

/* busy: vectors as wide as a line, many iterations of them; they wait for the one unit for shuffles, and for stores. */
static int64_t pairs_cost(const fg_codelet *c, int lanes, bool constant, bool busy, const fg_unit_costs *r) {
  int64_t ops = c->count.add + c->count.mul + c->count.fma + c->count.neg;
  int64_t crowd = busy ? crowd_of_many_iterations(c, r) : crowd_of_pairs(c, lanes, r);
  int64_t factors = constant ? 0 : c->ntw, turned = constant ? c->ntw / 2 : c->ntw;
  int64_t shuffles = r->turned_pair * (c->nin / 4 + turned);
  if (busy) shuffles = shuffles * r->busy / 4 + r->third_read * c->count.fma / 2;
  return 16 * (ops / 2 + factors + crowd) + r->fused * c->count.fma / 2 + shuffles +
         r->long_pairs * code_cost(ops / 2, r);
}

int64_t fg_cost_arithmetic(const fg_codelet *c) {
  return 16 * (c->count.add + c->count.mul + c->count.fma + c->count.neg);
}

static int64_t spill_cost(const fg_program *p, const fg_codelet *c, int products) {
  const fg_unit_costs *r = costs_of(p, false);
  int64_t slots = c->nin / 2 + fg_larger(products - 8, 0), many = p->vectors.lanes > 1 ? r->many : 4;
  return 16 *
         (r->spill * fg_larger(slots - 8, 0) + r->some * fg_larger(slots - 16, 0) + many * fg_larger(slots - 32, 0));
}

/* Of vectors, more where the number of points is no power of two: constants want registers, too. */
static int64_t constants_cost(const fg_codelet *c, int lanes) {
  int slots = c->nin / 2;
  return lanes > 1 && (slots & (slots - 1)) ? 16 * 4 * fg_larger(slots - 16, 0) : 0;
}

/* A clipped loop starts within a vector that was stored before. */
static bool straddles(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  return fg_stage_is_clipped(k, s) || fg_cost_elements(p, k, s) % lanes;
}

/* Interleaved complex vectors that are loaded otherwise than they were stored: joins or parts
 * where the widths differ; else a wait. */
static int64_t joins_cost(const fg_kernel *k, const fg_stage *s, int lanes) {
  int before = fg_stage_lanes(k, s - 1);
  return before < lanes ? core->shuffle * (lanes / before - 1) : before > lanes ? core->shuffle : 0;
}

static int64_t refit_cost(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  if (s == k->stage || p->buffer[s->load.buffer].space != FG_SPACE_LOCAL) return 0;
  return joins_cost(k, s, lanes) +
         (!fg_cost_stays_in_values(p, k) && straddles(p, k, s, lanes) ? costs_of(p, true)->wait : 0);
}

/* A pass, and once more for every transform of a batch or tile around it, whose first loads wait. Where all stays in
 * values, there is one, and the next transform's loads do not wait. */
static int64_t pass_cost(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  bool one = fg_cost_stays_in_values(p, k);
  int64_t params[FG_MAX_PARAMS], iterations = 1;
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  fg_section x = fg_kernel_section(k, s);
  for (int i = 0; i < x.nouter && x.end - x.first > 1; i++)
    iterations *= fg_digit_extent(&k->digit[x.outer[i]], params);
  bool waits = !one && !fg_problem_kind_convolves(p->problem.kind);
  int64_t start = waits ? costs_of(p, s->vectors.packed)->start : 0;
  int64_t again = (one ? 0 : core->again) + start;
  return (one && s != k->stage ? 0 : core->pass) + again * (iterations - 1);
}

static int vector_bytes(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  return fg_stage_lanes(k, s) * fg_precision_bytes(p->problem.compute) * (s->vectors.packed && s->codelet ? 2 : 1);
}

/* All three units for arithmetic are open: as long as no vector of the kernel is wide. */
static bool has_all_units(const fg_program *p, const fg_kernel *k) {
  for (int i = 0; i < k->nstage; i++)
    if (vector_bytes(p, k, &k->stage[i]) >= core->wide_bytes) return false;
  return true;
}

/* Where wide vectors are two halves in turn, each stage on narrow ones takes less, but for one vector that waits behind
 * others; else all of them together. */
static bool is_narrow(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  bool halves = fg_program_machine(p)->double_pumped;
  return halves ? vector_bytes(p, k, s) < core->wide_bytes && !fg_stage_is_rest(k, s) : has_all_units(p, k);
}

/* Consecutive iterations on vectors as wide as a cache line. */
static bool is_busy(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int64_t bytes = fg_problem_points(&p->problem) * 2 * fg_precision_bytes(p->problem.compute);
  return vector_bytes(p, k, s) >= core->wide_bytes && bytes > core->few_iterations;
}

/* Passes in place of arrays that leave L1: lines are under way while there is arithmetic. Not by radices
 * of large odd parts, whose operations are fused products for the most part, and stores wait for those. */
static bool hides_in_lines(const fg_program *p, const fg_kernel *k, int slots) {
  return k->nstage <= core->few_passes && fg_odd_part(slots) <= core->least_odd &&
         fg_cost_stays_within(p, k) != INT64_MAX && fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]) > core->one_array;
}

/* Of rows at both ends of a codelet. */
static int64_t halves_cost(const fg_stage *s, int slots, const fg_unit_costs *r) {
  bool both = s->load.move == FG_MOVE_TRANSPOSE && s->store.move == FG_MOVE_TRANSPOSE;
  return both && fg_odd_part(slots) <= core->turned_odd ? 2 * slots * r->halves : 0;
}

/* Rows that leave among the next iteration's operations (lower/software_pipeline.c). */
static bool is_skewed(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  int64_t iterations = fg_cost_elements(p, k, s) / lanes;
  int vectors = s->codelet->nout / (s->vectors.packed ? 2 : 1);
  return s->store.move == FG_MOVE_TRANSPOSE && 2 * vectors <= p->vectors.registers &&
         iterations >= core->skewed_iterations &&
         fg_buffer_root(p, s->load.buffer) != fg_buffer_root(p, s->store.buffer) && !fg_cost_stays_in_values(p, k);
}

/* Shuffles share units with arithmetic, and there are few of either: they add up. */
static int64_t packed_stage_cost(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  const fg_unit_costs *r = costs_of(p, true);
  bool held = fg_cost_stays_in_values(p, k), busy = is_busy(p, k, s);
  bool doubled = s->factors.has_twiddle && p->buffer[s->factors.twiddle.buffer].layout == FG_LAYOUT_DOUBLED;
  int slots = s->codelet->nin / 2, factors = doubled ? s->codelet->ntw : s->codelet->ntw / 2;
  int64_t vectors = (fg_cost_elements(p, k, s) + lanes - 1) / lanes;
  int64_t shuffles = fg_cost_moves(p, k, s, &s->load) + fg_cost_moves(p, k, s, &s->store);
  if (s->factors.has_twiddle) shuffles += fg_cost_moves(p, k, s, &s->factors.twiddle);
  int64_t moves = core->move * (2 * slots + factors);
  shuffles += slots * refit_cost(p, k, s, lanes) + halves_cost(s, slots, r) - moves;
  if (is_skewed(p, k, s, lanes)) shuffles = shuffles * r->skewed_pairs / 16;
  int64_t each = pairs_cost(s->codelet, lanes, held || doubled, busy, r) + fg_larger(shuffles, 0) + moves / 4;
  if (s->store.move == FG_MOVE_TRANSPOSE) each += (busy ? r->kept / 2 : r->kept) * fg_larger(slots - 16, 0);
  if (busy && hides_in_lines(p, k, slots)) each = each * 3 / 4;
  if (lanes == 1 && is_dense(s->codelet)) each = each * r->dense / 16;
  if (is_narrow(p, k, s)) each = each * r->narrow / 16;
  int64_t all = r->all_pairs + (p->buffer[s->store.buffer].layout != FG_LAYOUT_INTERLEAVED ? r->parting : 0);
  return pass_cost(p, k, s) + vectors * (each * all / 16) / 2;
}

/* However little there is to do: a wait for what the stage before stored. */
static int64_t chain_cost(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  bool first = s != k->stage &&
               (!s->vectors.alone || fg_exchange_waits(&s[-1].exchange.after)); /* of those that wait for the same */
  return first && p->buffer[s->load.buffer].space == FG_SPACE_LOCAL && !fg_cost_stays_in_values(p, k)
             ? (p->vectors.lanes > 1 ? core->chain : core->loops)
             : 0;
}

/* The unit that wide vectors close opens again some 200 clocks after the last of them. */
static int64_t reopening_cost(const fg_program *p, const fg_kernel *k, const fg_stage *s, int64_t arithmetic) {
  if (has_all_units(p, k) || vector_bytes(p, k, s) >= core->wide_bytes || !costs_of(p, s->vectors.packed)->closes)
    return 0;
  return fg_smaller(core->reopened, fg_larger(arithmetic - core->unnoticed, 0));
}

/* Rows that leave a long codelet of wide vectors are turned among its operations (lower/interleave_stores.c), where
 * both arrays are in L1, the next pass's factors as well. Statements: operations, loads that part numbers,
 * steps of the exchange. */
static bool iterations_early(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  const fg_codelet *c = s->codelet;
  int64_t statements = fg_cost_arithmetic(c) / 16 + 2 * c->nin + c->nout * fg_log2(lanes);
  int64_t bytes = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  bool whole = vector_bytes(p, k, s) >= core->wide_bytes && fg_odd_part(c->nout / 2) == 1 && !straddles(p, k, s, lanes);
  bool first = s->load.buffer == FG_BUFFER_IN && p->buffer[FG_BUFFER_IN].elem == FG_ELEM_COMPLEX;
  return whole && first && statements >= core->long_iteration && bytes < core->iteration_most;
}

/* Rows whole pages apart that are fetched before they are stored (lower/prefetch.c). */
static bool fetches_rows(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  int64_t bytes = 2 * fg_precision_bytes(p->problem.compute);
  int64_t all = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  fg_num apart = fg_affine_coef(&s->store.index.at, s->vectors.lane);
  bool rows = !p->problem.in_place && s->store.move == FG_MOVE_TRANSPOSE && lanes <= core->few_lines &&
              s->codelet->nout / 2 >= core->row_least;
  bool pages = apart.form == FG_NUM_CONST && apart.n * bytes % fg_program_page(p) == 0;
  return rows && pages && s->load.buffer == FG_BUFFER_IN && k->nstage > 1 && !k->nouter &&
         vector_bytes(p, k, s) >= core->wide_bytes && all >= core->apart_least && all <= core->apart_most;
}

/* Of an iteration's numbers that the caller has in pairs, those that meet vectors in an order that shuffles within
 * their parts leave and want (map/lane_order.c). Where nothing has an order, exchanges choose this one anyway; where
 * stages are one function, they hide behind operations. */
static int64_t permuted_slots(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int64_t slots = 0;
  bool permuted = false;
  const fg_access *a;
  for (int i = 0; (a = fg_stage_access((fg_stage *)s, i)); i++) {
    const fg_buffer *b = &p->buffer[a->buffer];
    if (a->move != FG_MOVE_CONTIG && a->move != FG_MOVE_REVERSE) continue;
    permuted = permuted || b->permuted;
    if (b->layout == FG_LAYOUT_INTERLEAVED && b->elem == FG_ELEM_COMPLEX) slots += k->digit[a->reg].extent.n;
  }
  return permuted && !fg_cost_stays_in_values(p, k) ? slots : 0;
}

/* How a pass's rows leave: 0 as they came, 1 turned, 2 turned on both sides, as many values again. */
static int turned_sides(const fg_program *p, const fg_stage *s) {
  bool in = s->load.move == FG_MOVE_TRANSPOSE, out = s->store.move == FG_MOVE_TRANSPOSE;
  if (in) return out && p->buffer[s->load.buffer].elem == p->buffer[s->store.buffer].elem ? 2 : 0;
  return out;
}

/* Of one codelet, numbers one by one: those that lack a register are operands of an instruction, which moves nothing
 * else. */
static bool is_single_real(const fg_program *p, const fg_kernel *k, int lanes) {
  bool reals = p->problem.kind == FG_R2C || p->problem.kind == FG_C2R;
  return reals && lanes == 1 && p->nkernel == 1 && k->nstage == 1 && costs_of(p, false)->single_real;
}

/* What a codelet takes besides its operations and moves, `both`: spills, most where rows wait for each other. */
static int64_t beside_cost(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes, int64_t both) {
  int turned = turned_sides(p, s);
  bool soon = iterations_early(p, k, s, lanes) || fetches_rows(p, k, s, lanes);
  int64_t halves = turned == 2 ? 6 : !turned ? 2 : soon ? 3 : 4, more = 0;
  if (lanes > 1 && turned == 1 && s->codelet->nout / 2 > lanes) more += both * costs_of(p, false)->wide_rows / 32;
  if (!is_single_real(p, k, lanes)) more += halves * spill_cost(p, s->codelet, fg_stage_products(s)) / 2;
  more += code_cost(fg_cost_arithmetic(s->codelet) / 16, costs_of(p, false));
  more += (turned ? 12 : 1) * constants_cost(s->codelet, lanes);
  if (fg_stage_is_clipped(k, s) && vector_bytes(p, k, s) >= core->wide_bytes)
    more += costs_of(p, false)->across * s->codelet->nin;
  more += costs_of(p, false)->fused * s->codelet->count.fma;
  if (is_busy(p, k, s)) more += costs_of(p, false)->third_read * s->codelet->count.fma;
  return more;
}

/* Vectors of one part of their numbers that stay in registers: those of another width are made of them, unless rows
 * are turned anyway. */
static int64_t parts_refit(const fg_program *p, const fg_kernel *k, const fg_stage *s, int lanes) {
  if (s == k->stage || p->buffer[s->load.buffer].space != FG_SPACE_LOCAL || !fg_cost_stays_in_values(p, k)) return 0;
  bool turned = s[-1].store.move == FG_MOVE_TRANSPOSE || s->load.move == FG_MOVE_TRANSPOSE;
  return turned ? 0 : 2 * fg_access_slots(k, &s->load) * joins_cost(k, s, lanes);
}

int64_t fg_cost_stage(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int lanes = fg_stage_lanes(k, s);
  if (s->vectors.packed && s->codelet) return packed_stage_cost(p, k, s, lanes);
  int64_t vectors = fg_larger(1, fg_cost_elements(p, k, s) / lanes);
  int64_t moves = fg_cost_moves(p, k, s, &s->load) + fg_cost_moves(p, k, s, &s->store);
  if (s->factors.has_twiddle) moves += fg_cost_moves(p, k, s, &s->factors.twiddle);
  if (s->factors.has_more) moves += fg_cost_moves(p, k, s, &s->factors.more);
  moves += parts_refit(p, k, s, lanes);
  int64_t arithmetic = s->codelet ? fg_cost_arithmetic(s->codelet) + core->product * fg_stage_products(s) : 0;
  int64_t both = fg_larger(moves, arithmetic) + fg_smaller(moves, arithmetic) / 2;
  if (lanes > 1 && vector_bytes(p, k, s) < core->least_vector)
    both = both * 3 / 2;
  else if (p->vectors.lanes > 1 && is_narrow(p, k, s))
    both = both * costs_of(p, false)->narrow / 16;
  if (s->codelet && is_skewed(p, k, s, lanes))
    both = both * costs_of(p, false)->skewed / 16;
  else if (s->codelet && s->store.move == FG_MOVE_TRANSPOSE && s->codelet->nout / 2 <= core->most_leaving)
    both = both * costs_of(p, false)->leaving / 16;
  if (s->codelet) both += beside_cost(p, k, s, lanes, both);
  if (s->codelet && is_single_real(p, k, lanes)) both = both * costs_of(p, false)->single_real / 16;
  int64_t saved = vectors * permuted_slots(p, k, s) * costs_of(p, false)->permuted;
  int64_t work = vectors * both / 2 - saved + reopening_cost(p, k, s, vectors * arithmetic / 2);
  int64_t wait = chain_cost(p, k, s);
  return pass_cost(p, k, s) + (p->vectors.lanes > 1 ? work + wait : fg_larger(work, wait));
}

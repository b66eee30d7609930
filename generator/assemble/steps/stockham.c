/* Stockham's passes: out of place between two scratch buffers, or all but the first in
 * place in blocks of real and imaginary parts.
 *
 * In: a task, the radices. Out: a stage for each. Stockham's autosort form: Van Loan,
 * Computational Frameworks for the FFT (1992), section 1.7. */
#include "generator/assemble/steps/stockham.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/real.h"
#include "generator/assemble/steps/steps.h"
#include "generator/base/integer.h"
#include "generator/ir/program_machine.h"
#include "targets/machine/limits.h"
#include <string.h>

enum {
  IN_REGISTERS = 32, /* vectors of numbers: shorter transforms keep scratch in registers (lower/scalar_replacement.c) */
  MOST_IN_PLACE = 4, /* passes, which a stage's loops allow */
  WIDE = 64,         /* bytes of a vector that is a line of L1 */
};

/* Numbers of a vector. */
static int64_t lanes_of(const fg_builder *b) { return b->packed ? b->map->lanes / 2 : b->map->lanes; }

/* Where passes work on whole blocks of a vector of real and one of imaginary parts: their
 * first results are whole vectors, or neighbouring transforms are. */
static bool has_blocks(const fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int lanes = b->map->lanes;
  bool vectors = lanes > 1 && !b->map->threads && !b->packed && !fg_plan_param_value(b->program->plan, FG_PARAM_LANES);
  if (!vectors || t->in.mod || t->in.lookup || t->upper) return false;
  int64_t side = 1;
  bool unit = fg_num_is(t->in.stride, 1), inner = false;
  for (int i = 0; i < b->naxis; i++) {
    if (b->axis[i].kind == FG_AXIS_LANES) side *= b->axis[i].extent.n;
    if (b->axis[i].kind != FG_AXIS_INNER) continue;
    inner = true;
    unit = unit || (fg_num_is(t->in.coef[i], 1) && b->axis[i].extent.n % lanes == 0);
  }
  if (side > 1) return !inner && side % lanes == 0;
  bool many = inner || t->n > (int64_t)IN_REGISTERS * lanes;
  return unit && many && !t->exponents && !t->multiply && plan->arg[0] % lanes == 0;
}

/* Rows of the last radices where those of each vector have the same strides. */
static bool rows_in_steps(int64_t lanes, const int64_t *later, int nlater) {
  return nlater >= 2 && lanes % later[nlater - 1] == 0 && later[nlater - 1] * later[nlater - 2] % lanes == 0;
}

/* A first pass's vectors run along the digit of the last radix, or, where that is no whole vectors, along the last
 * two. Where narrower vectors wait for arithmetic anyhow, not if each row's place would have to be computed. */
static bool vectors_along_two(const fg_builder *b, const int64_t *later, int nlater) {
  int64_t lanes = lanes_of(b);
  if (b->naxis || nlater < 2 || later[nlater - 1] % lanes == 0) return false;
  return b->map->lanes * fg_precision_bytes(b->program->problem.compute) >= WIDE || rows_in_steps(lanes, later, nlater);
}

/* Whether passes between are worth being in place. Their vectors have whole rows where the last radix, or a few small
 * ones, fill them. Else each row's place is computed, or some rows are done twice: where L1 does not hold
 * input, output, scratch and factors, but all without scratch, or not much more; beyond that where little is done
 * twice. The last pass alone fetches no line for what it stores anyhow. */
static bool rows_fill_vectors(const fg_builder *b, const fg_plan *plan, const fg_task *t, bool in_output) {
  int64_t lanes = lanes_of(b), last = plan->arg[plan->narg - 1], twice = (lanes - last % lanes) % lanes;
  int64_t bytes = t->n * 2 * fg_precision_bytes(b->program->problem.compute);
  bool joined = vectors_along_two(b, plan->arg + 1, plan->narg - 1);
  if (plan->narg == 2 || !twice) return last >= lanes;
  if (joined && rows_in_steps(lanes, plan->arg + 1, plan->narg - 1)) return true;
  if (joined && bytes < limit->in_place_least) return false;
  if (joined && plan->narg == 3 && (b->packed || bytes <= limit->in_place_most)) return true;
  if (last < lanes) return false;
  return !in_output || (bytes >= limit->one_array_least && bytes <= limit->one_array_most) ||
         twice * limit->in_place_passes <= last * (plan->narg - 3);
}

/* Elements that the last pass takes together must not push each other out of the
 * L1 before they are written: its rows begin in so many sets. */
static bool may_work_in_place(const fg_builder *b, const fg_plan *plan, const fg_task *t, bool in_output) {
  int64_t last = plan->arg[plan->narg - 1], row = t->n / last * 2 * fg_precision_bytes(b->program->problem.compute);
  bool near = last * fg_gcd(row, fg_program_page(b->program)) <= limit->l1_set_lines * fg_program_page(b->program);
  for (int i = 0; i < b->naxis; i++) near = near && fg_build_is_outer(&b->axis[i]);
  return fg_plan_param_value(b->program->plan, FG_PARAM_REUSE) == 2 && near &&
         rows_fill_vectors(b, plan, t, in_output) && plan->narg <= MOST_IN_PLACE;
}

/* A cache holds all of the blocks: else scratch of its own stays nearer than what is written once. */
static bool blocks_in_output(const fg_builder *b, const fg_view *out, int64_t last) {
  bool small = fg_buffer_bytes(&b->program->buffer[FG_BUFFER_OUT]) <= limit->batch_in_output;
  return fg_build_output_has_blocks(b, out, last) && (b->naxis == 0 || (!b->map->blocks && small));
}

static fg_view block_scratch(fg_builder *b, const fg_task *t, bool in_output) {
  fg_view v = fg_build_blocks(b, t->n);
  if (!in_output) return v;
  fg_buffer *scratch = &b->program->buffer[v.buffer];
  scratch->alias = FG_BUFFER_OUT;
  scratch->size = b->program->buffer[FG_BUFFER_OUT].size;
  memcpy(v.coef, t->out.coef, sizeof v.coef);
  return v;
}

/* q's digits by the later radices, the last one's fastest. In place, the digit of radix R
 * is stored where R's results will be: at the product of all radices before it. */
static void in_place_loops(fg_stage_form *form, const fg_task *t, int64_t r, int64_t done, int64_t step) {
  bool first = done == 1;
  int64_t place = done * r, weight = t->n / place;
  memset(form->loop, 0, sizeof form->loop);
  if (!first) form->loop[t->nlater] = (fg_loop){"k", done, 1, 1, 1};
  for (int i = 0; i < t->nlater; i++) {
    static const char *const names[] = {"q", "p", "o"};
    weight /= t->later[i];
    form->loop[first ? i : t->nlater - 1 - i] =
        (fg_loop){names[i], t->later[i], first ? weight : place, place, weight * step};
    place *= t->later[i];
  }
  if (!first) form->load = done;
}

/* The last two digits of q as one, c = d R + e, whose results belong at e n / R + d n / (R S): as c n / R, where n
 * elements take the room of n / (R S). */
static void join_loops(fg_loop *two) {
  two[0] = (fg_loop){two[0].name, two[0].extent * two[1].extent, two[1].load, two[1].store, two[1].twiddle};
  two[1] = (fg_loop){0};
}

/* Of a convolution's ends: rows that there are, all but whose last one are whole; 0: all. */
static int rows_of(const fg_task *t, int64_t elements, int64_t columns) {
  return elements && elements <= t->n - columns ? (int)((elements + columns - 1) / columns) : 0;
}

/* One Stockham pass of radix r; `done` = product of the radices before it. With
 * j = q done + k: reads elements j + m n/r, writes q done r + k + m done. In place, where
 * the later radices are given, it reads where it writes, but for the first
 * pass's input. */
fg_status fg_build_pass(fg_builder *b, const fg_task *t, int64_t r, int64_t done) {
  int64_t columns = t->n / r, groups = columns / done;
  bool multiply = done == 1 && t->multiply, by_exponents = done == 1 && t->exponents && !t->powers;
  const fg_codelet *codelet;
  fg_twiddle all = t->frequency ? FG_TW_OUT_ALL : FG_TW_IN_ALL, others = t->frequency ? FG_TW_OUT : FG_TW_IN;
  if (fg_build_wants_steps(b, t, r)) others = FG_TW_STEPS;
  fg_twiddle twiddle = multiply || by_exponents ? all : done == 1 && !t->powers ? FG_TW_NONE : others;
  fg_codelet_key key = {.sign = t->sign, .twiddle = twiddle};
  key.inputs = done == 1 ? rows_of(t, t->inputs, columns) : 0;
  key.outputs = done == 1 ? rows_of(t, t->outputs, columns) : 0;
  int ends = key.inputs ? key.inputs : key.outputs ? key.outputs : (int)r;
  if (t->upper) key.kind = t->frequency ? FG_CODELET_C2R_COLUMN : FG_CODELET_R2C_COLUMN;
  if (t->upper && 2 * t->upper->slots > r) key.kind = FG_CODELET_R2C_MIDDLE;
  int results = fg_codelet_output(key.kind, (int)r).elements;
  fg_status status = fg_build_key(b, key, r, &codelet);
  if (status != FG_OK) return status;
  fg_factors f = {.slots = (int)r, .coef = columns, .step = 1, .each = 1};
  if (multiply) f.table = *t->multiply;
  if (by_exponents) f = fg_build_exponent_factors(b, t, r);
  if (twiddle == others) f = (others == FG_TW_STEPS ? fg_build_step_factors : fg_build_inner_factors)(b, t, r, done);
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "radix %lld, %lld columns after %lld", (long long)r,
                                                (long long)columns, (long long)done),
                        .codelet = codelet,
                        .in = &t->in,
                        .out = &t->out,
                        .loop = {{"q", groups, done, done * r, f.step}, {"k", done, 1, 1, f.each}},
                        .slots = ends,
                        .out_slots = results - (t->upper ? t->upper->slots : 0),
                        .load = columns,
                        .store = done,
                        .store_rest = t->upper};
  if (t->later) in_place_loops(&form, t, r, done, f.step);
  bool joined = t->later && done == 1 && vectors_along_two(b, t->later, t->nlater);
  int64_t room = joined ? form.loop[t->nlater - 2].store : 0;
  if (joined) join_loops(&form.loop[t->nlater - 2]);
  int64_t run = t->out.run;
  if (run && !t->frequency && groups == 1) { /* its one loop, cut at the runs */
    form.loop[0] = (fg_loop){"q", done / run, run, run, run};
    form.loop[1].extent = run;
  }
  if (run && t->frequency && done == 1) {
    form.loop[0] = (fg_loop){"q", groups / run, run, run * r, run * f.step};
    form.loop[1] = (fg_loop){"k", run, 1, r, f.step};
  }
  if (twiddle != FG_TW_NONE) fg_build_set_factors(&form, &f);
  if (t->frequency) fg_build_transposed_stage(&form);
  form.in = &t->in, form.out = &t->out;
  fg_stage *stage = fg_build_stage(b, &form);
  if (joined) stage->store.index.pad_every = t->n, stage->store.index.pad_by = room - t->n;
  return FG_OK;
}

/* The end's neighbours are loaded as they are, or stored. */
static bool is_plain(const fg_task *t) {
  const fg_view *end = t->frequency ? &t->out : &t->in;
  bool bent = end->mod || end->lookup || end->fold;
  return !bent && !t->upper && !t->exponents && !t->multiply;
}

/* Neighbours are a transform's, or those of transforms that follow each other, in whole vectors. */
static bool has_neighbours(const fg_builder *b, const fg_view *end) {
  bool unit = fg_num_is(end->stride, 1), rows = true;
  for (int i = 0; i < b->naxis; i++) {
    if (fg_build_is_outer(&b->axis[i])) continue;
    rows = rows && b->axis[i].kind == FG_AXIS_INNER;
    unit = unit || (fg_num_is(end->coef[i], 1) && b->axis[i].extent.n % b->map->lanes == 0);
  }
  return unit && rows;
}

/* The same with interleaved complex vectors, in rows of whole ones. */
static bool may_work_on_pairs(const fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int64_t bytes = t->n * 2 * fg_precision_bytes(b->program->problem.compute);
  bool rows =
      b->packed && !b->naxis && plan->narg == 3 && plan->arg[0] > lanes_of(b) && plan->arg[0] % lanes_of(b) == 0;
  return is_plain(t) && fg_num_is(t->in.stride, 1) && rows &&
         bytes >=
             (fg_program_machine(b->program)->separate_fadd ? limit->in_place_least_fadd : limit->in_place_least) &&
         may_work_in_place(b, plan, t, true);
}

/* Rows of an iteration take a whole set of L1, in place. */
static bool fills_a_set(const fg_builder *b, const fg_task *t) {
  int64_t lanes = b->map->lanes / 2, last = t->nlater ? t->later[t->nlater - 1] : 0;
  int64_t row = last ? t->n / last * 2 * fg_precision_bytes(b->program->problem.compute) : 0;
  return last >= lanes &&
         lanes * fg_gcd(row, fg_program_page(b->program)) >= limit->l1_set_lines * fg_program_page(b->program);
}

/* Whole vectors of either part leave each row of a first pass, which exchanges a step or two less as pairs; those of
 * another iteration have registers beside them (lower/software_pipeline.c). Of a last pass back, its mirror image, they
 * come. */
static bool begins_on_pairs(const fg_builder *b, int64_t first, const fg_task *t) {
  const fg_view *rows = t->frequency ? &t->in : &t->out, *end = t->frequency ? &t->out : &t->in;
  int64_t lanes = b->map->lanes, columns = t->n / first;
  bool all = !rows_of(t, t->inputs, columns) && !rows_of(t, t->outputs, columns);
  bool pairs = b->program->buffer[end->buffer].layout == FG_LAYOUT_INTERLEAVED;
  bool plain = is_plain(t) && !t->powers && all && pairs;
  bool whole = first % lanes == 0 && 2 * first <= b->map->registers && fg_odd_part((int)first) == 1 && !rows->run &&
               b->program->buffer[rows->buffer].layout != FG_LAYOUT_INTERLEAVED;
  return plain && has_neighbours(b, end) && whole && !b->packed && first < t->n && !fills_a_set(b, t) &&
         fg_build_wants_first_interleaved(b);
}

fg_status fg_build_first_pass(fg_builder *b, const fg_task *t, int64_t r) {
  bool kernel = b->kernel->vectors.packed, pairs = begins_on_pairs(b, r, t);
  b->packed = b->packed || pairs;
  fg_status status = fg_build_pass(b, t, r, 1);
  if (!pairs) return status;
  b->packed = false;
  b->kernel->vectors.packed = kernel;
  if (status == FG_OK) b->kernel->stage[b->kernel->nstage - 1].vectors.packed = true;
  return status;
}

/* All passes but the first in place. Temperton, Self-sorting in-place fast Fourier
 * transforms (1991); here the first one, out of place, sorts for all others. */
static fg_status build_in_place(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *work) {
  fg_task pass = *t;
  int64_t done = 1;
  for (int i = 0; i < plan->narg; i++) {
    pass.later = plan->arg + i + 1;
    pass.nlater = plan->narg - i - 1;
    pass.out = i == plan->narg - 1 ? t->out : *work;
    fg_status status = i ? fg_build_pass(b, &pass, plan->arg[i], done) : fg_build_first_pass(b, &pass, plan->arg[0]);
    if (status != FG_OK) return status;
    done *= plan->arg[i];
    pass.in = *work;
  }
  return FG_OK;
}

/* Passes alternate between two scratch buffers; the last pass reads the first. */
fg_status fg_build_stockham(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  if (t->kind != FG_C2C) return fg_build_real_stockham(b, plan, t);
  fg_view work[2];
  int passes = plan->narg;
  bool blocks = passes > 1 && has_blocks(b, plan, t);
  bool in_output = blocks && blocks_in_output(b, &t->out, plan->arg[passes - 1]);
  if (blocks && may_work_in_place(b, plan, t, in_output)) {
    work[0] = block_scratch(b, t, in_output);
    return build_in_place(b, plan, t, &work[0]);
  }
  if (may_work_on_pairs(b, plan, t)) {
    if (!fg_build_output_scratch(b, t->n, &work[0])) work[0] = fg_build_scratch(b, t->n);
    return build_in_place(b, plan, t, &work[0]);
  }
  if (passes > 1) work[0] = blocks ? block_scratch(b, t, in_output) : fg_build_scratch(b, t->n);
  if (passes > 2 && blocks)
    work[1] = block_scratch(b, t, false);
  else if (passes > 2 && !(t->out.buffer == FG_BUFFER_OUT && fg_build_output_scratch(b, t->n, &work[1])))
    work[1] = fg_build_scratch(b, t->n);
  int64_t done = 1;
  fg_task pass = *t;
  pass.powers = fg_build_exponents_are_powers(b, t, plan);
  for (int i = 0; i < passes; i++) {
    pass.out = i == passes - 1 ? t->out : work[(passes - i) % 2];
    fg_status status = i ? fg_build_pass(b, &pass, plan->arg[i], done) : fg_build_first_pass(b, &pass, plan->arg[0]);
    if (status != FG_OK) return status;
    done *= plan->arg[i];
    pass.in = pass.out;
  }
  return FG_OK;
}

fg_status fg_build_passes_back(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  fg_task pass = *t, forth = *t;
  fg_view work[2];
  forth.in = t->out, forth.out = t->in;
  bool blocks = plan->narg > 1 && has_blocks(b, plan, &forth);
  int64_t length = t->skewed ? fg_build_bank_pitch(b, t->n) : t->n;
  for (int i = 0; i < 2 && i < plan->narg - 1; i++) work[i] = (blocks ? fg_build_blocks : fg_build_scratch)(b, length);
  pass.frequency = true;
  int64_t done = t->n;
  fg_status status = FG_OK;
  for (int i = plan->narg - 1; i >= 0 && status == FG_OK; i--) {
    pass.out = i ? work[(i - 1) % 2] : t->out;
    done /= plan->arg[i];
    status = i ? fg_build_pass(b, &pass, plan->arg[i], done) : fg_build_first_pass(b, &pass, plan->arg[0]);
    pass.in = pass.out;
  }
  return status;
}

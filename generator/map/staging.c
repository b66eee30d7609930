/* Copies between arrays and shared memory.
 *
 * In: a kernel in block form whose transforms are contiguous in both arrays. Out: neighbouring threads move
 * neighbouring numbers, whole segments at once, and stages access shared memory alone. The cost is more traffic in
 * shared memory; the gain is no short or unaligned rows. */
#include "generator/map/staging.h"
#include "generator/assemble/memory.h"
#include "generator/map/digits.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"
#include <string.h>

/* Elements of a transform, all dimensions of it. */
static int64_t elements_of(const fg_problem *q, bool output) {
  int64_t all = 1;
  for (int d = 0; d < q->rank; d++) all *= fg_problem_span(q, d, output);
  return all;
}

/* Its numbers follow each other in the order of its dimensions. */
static bool is_dense(const fg_problem *q, bool output) {
  int64_t step = 1;
  for (int d = q->rank - 1; d >= 0; d--) {
    if (q->dim[d].n.n > 1 && !fg_num_is(output ? q->dim[d].os : q->dim[d].is, step)) return false;
    step *= fg_problem_span(q, d, output);
  }
  return fg_num_is(output ? q->batch[0].os : q->batch[0].is, step);
}

bool fg_map_rows_are_packed(const fg_builder *b) {
  const fg_problem *q = &b->program->problem;
  bool known = fg_problem_kind_is_complex(q->kind) || q->kind == FG_R2C || q->kind == FG_C2R;
  if (!known || q->batch_rank != 1 || q->split_in || q->split_out) return false;
  if (fg_problem_acts_on_parts(q) || q->nload) return false; /* copies would have to know which element they move */
  return is_dense(q, false) && is_dense(q, true);
}

/* A transform's row of an array, as it moves: neighbouring reals as one complex number
 * where no row begins between them. */
typedef struct row {
  int16_t array;
  int64_t elements;
} row;

static row row_of(fg_builder *b, bool output) {
  const fg_problem *q = &b->program->problem;
  row r = {output ? FG_BUFFER_OUT : FG_BUFFER_IN, elements_of(q, output)};
  fg_view reals = {.buffer = r.array, .stride = fg_num_const(1), .offset = fg_num_const(0)}, pairs;
  if (!fg_problem_is_real(q, output) || r.elements % 2 || !fg_build_complex_view(b, &reals, &pairs)) return r;
  return (row){pairs.buffer, r.elements / 2};
}

/* Memory for the rows of a side in a buffer of the block's: the buffer, or its parts. */
static int16_t memory_for(fg_builder *b, const row *r, int16_t buffer) {
  fg_view whole = {.buffer = buffer, .stride = fg_num_const(1), .offset = fg_num_const(0)};
  bool real = b->program->buffer[r->array].elem == FG_ELEM_REAL;
  return real ? fg_build_parts_view(b, &whole, 0).buffer : buffer;
}

/* What the codelet stores: a scale is of elements, which real ones are one by one. */
static row row_of_results(fg_builder *b, const fg_map_shape *sh, const fg_stage *s) {
  const fg_problem *q = &b->program->problem;
  if (sh->rows) return (row){s->store.buffer, sh->rows};
  return s->operations.stored ? (row){FG_BUFFER_OUT, elements_of(q, true)} : row_of(b, true);
}

/* Element e + threads * m of the block's part, in the array or in its memory. */
static fg_access copy_access(fg_kernel *k, int16_t buffer, int16_t thread, int64_t slots) {
  fg_access a = {
      .buffer = buffer, .index = {.lookup = -1}, .reg = fg_kernel_new_digit(k, "m", FG_ROLE_REG, fg_num_const(slots))};
  a.index.at.offset = fg_num_const(0);
  fg_affine_add(&a.index.at, thread, fg_num_const(1));
  fg_affine_add(&a.index.at, a.reg, fg_num_const(k->digit[thread].extent.n));
  return a;
}

static void keep_below(fg_access *a, fg_num bound) { fg_access_keep(a, &a->index.at, bound); }

fg_stage fg_map_copy_elements(fg_builder *b, int16_t from, int16_t to, int64_t threads, int64_t all) {
  fg_kernel *k = b->kernel;
  int16_t thread = fg_kernel_new_digit(k, "e", FG_ROLE_THREAD, fg_num_const(threads));
  fg_stage s = {.what = "copy", .vectors.lane = -1, .nloop = 1, .loop = {thread}};
  s.load = copy_access(k, from, thread, (all + threads - 1) / threads);
  s.store = copy_access(k, to, thread, (all + threads - 1) / threads);
  if (all % threads) keep_below(&s.load, fg_num_const(all)), keep_below(&s.store, fg_num_const(all));
  return s;
}

/* Where the transform begins, whose rows are moved. */
static void add_batch(const fg_kernel *k, fg_access *a, const fg_access *codelet, int16_t row) {
  for (int i = 0; i < k->nouter; i++)
    if (k->outer[i] != row) fg_affine_add(&a->index.at, k->outer[i], fg_affine_coef(&codelet->index.at, k->outer[i]));
}

/* A stage that moves the block's transforms between an array and its memory. */
static fg_stage copy_stage(fg_builder *b, const row *r, int16_t memory, bool in, const fg_map_shape *sh) {
  int64_t n = r->elements, threads = sh->one * sh->group / sh->iterations;
  fg_stage s = fg_map_copy_elements(b, in ? r->array : memory, in ? memory : r->array, threads, n * sh->group);
  s.what = in ? "copy to shared memory" : "copy from shared memory";
  s.exchange.after = fg_exchange_barrier();
  fg_access *outside = in ? &s.load : &s.store;
  fg_affine_add(&outside->index.at, sh->batch, fg_num_const(n));
  if (sh->count.form != FG_NUM_CONST || sh->count.n % sh->group) keep_below(outside, fg_num_scaled(sh->count, n));
  if (sh->rows) add_batch(b->kernel, outside, in ? &b->kernel->stage[0].load : &b->kernel->stage[0].store, sh->batch);
  return s;
}

fg_stage fg_map_copy(fg_builder *b, bool in, int16_t (*memory)(fg_builder *b, int16_t array), const fg_map_shape *sh) {
  row r = row_of(b, !in);
  return copy_stage(b, &r, memory(b, r.array), in, sh);
}

/* ---- one codelet --------------------------------------------------------------------- */

/* The codelet's side in memory: whole rows, one to each iteration of the stage's loops. */
static void turn_to_memory(fg_kernel *k, const fg_stage *s, fg_access *a, int16_t memory, int64_t elements) {
  a->buffer = memory;
  a->reg = fg_kernel_new_digit(k, "m", FG_ROLE_REG, fg_num_const(elements));
  a->npred = 0; /* rows beyond the batch hold zeros */
  a->index.at = (fg_affine){.offset = fg_num_const(0)};
  fg_affine_add(&a->index.at, a->reg, fg_num_const(1));
  for (int l = 0; l < s->nloop; l++)
    if (strcmp(k->digit[s->loop[l]].name, FG_GUARD_DIGIT) != 0)
      fg_affine_add(&a->index.at, s->loop[l], fg_num_const(elements));
}

/* A side's rows: of the problem's transforms, or of its last dimension. */
static row side_of(fg_builder *b, const fg_map_shape *sh, bool output) {
  const fg_stage *s = &b->kernel->stage[0];
  if (!sh->rows) return row_of(b, output);
  return output ? (row){s->store.buffer, sh->rows} : (row){s->load.buffer, sh->rows};
}

static int16_t memory_of_rows(fg_builder *b, const fg_map_shape *sh, int64_t elements) {
  int16_t work = fg_build_scratch(b, 0).buffer;
  fg_buffer *memory = &b->program->buffer[work];
  bool complex = sh->rows || fg_problem_kind_is_complex(b->program->problem.kind);
  memory->size = (complex ? elements : b->program->problem.dim[0].n.n / 2 + 1) * sh->group;
  for (int i = 0; i < b->nkernel; i++)
    if (b->kernels[i] == b->kernel) memory->local.kernel = i + 1;
  return work;
}

void fg_map_stage_codelet(fg_builder *b, const fg_map_shape *sh) {
  fg_kernel *k = b->kernel;
  row in = side_of(b, sh, false), out = side_of(b, sh, true);
  int16_t work = memory_of_rows(b, sh, in.elements);
  fg_buffer *memory = &b->program->buffer[work];
  memory->local.plain = k->stage[0].factors.matrix;
  int16_t from = memory_for(b, &in, work), to = memory_for(b, &out, work);
  fg_stage *stages = fg_arena_new(b->cx->arena, fg_stage, 3);
  stages[0] = copy_stage(b, &in, from, true, sh);
  stages[1] = k->stage[0];
  stages[2] = copy_stage(b, &out, to, false, sh);
  turn_to_memory(k, &stages[1], &stages[1].load, from, in.elements);
  row results = row_of_results(b, sh, &stages[1]);
  turn_to_memory(k, &stages[1], &stages[1].store, memory_for(b, &results, work), results.elements);
  if (!stages[1].factors.matrix) stages[1].npred = 0;
  stages[1].exchange.after = fg_exchange_barrier();
  k->stage = stages;
  k->nstage = 3;
}

/* ---- several stages ------------------------------------------------------------------ */

/* All exchanges of one length: a transform begins where its row does. */
static bool is_even(const fg_builder *b) {
  const fg_program *p = b->program;
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_map_is_local(b, i) &&
        (p->buffer[i].size != fg_problem_points(&p->problem) || p->buffer[i].elem != FG_ELEM_COMPLEX))
      return false;
  return true;
}

/* Only these two touch the arrays. */
static bool ends_touch_arrays(const fg_builder *b) {
  const fg_kernel *k = b->kernel;
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    bool loads = s->load.buffer == FG_BUFFER_IN, stores = s->store.buffer == FG_BUFFER_OUT;
    if (s->load.rest || s->store.rest || loads != (i == 0) || stores != (i + 1 == k->nstage)) return false;
  }
  return true;
}

bool fg_map_wants_copies(const fg_builder *b) {
  if (!fg_plan_param_value(b->program->plan, FG_PARAM_COPIES) || b->nkernel > 1 || b->kernel->launch.cluster)
    return false;
  return b->kernel->nstage > 1 && fg_map_rows_are_packed(b) && is_even(b) && ends_touch_arrays(b);
}

void fg_map_drop_batch(const fg_kernel *k, fg_affine *at) {
  for (int t = 0; t < at->nterm; t++)
    if (fg_map_is_batch(k, at->term[t].digit)) at->term[t--] = at->term[--at->nterm];
}

void fg_map_go_through_memory(fg_builder *b) {
  fg_kernel *k = b->kernel;
  fg_access *ends[] = {&k->stage[0].load, &k->stage[k->nstage - 1].store};
  for (int i = 0; i < 2; i++) {
    ends[i]->buffer = fg_build_scratch(b, fg_problem_points(&b->program->problem)).buffer;
    fg_map_drop_batch(k, &ends[i]->index.at);
  }
  k->stage[k->nstage - 1].exchange.after = fg_exchange_barrier();
}

void fg_map_add_copies(fg_builder *b, const fg_map_shape *sh) {
  fg_kernel *k = b->kernel;
  row in = row_of(b, false), out = row_of(b, true);
  fg_stage *stages = fg_arena_new(b->cx->arena, fg_stage, k->nstage + 2);
  memcpy(stages + 1, k->stage, sizeof *stages * (size_t)k->nstage);
  stages[0] = copy_stage(b, &in, stages[1].load.buffer, true, sh);
  stages[k->nstage + 1] = copy_stage(b, &out, stages[k->nstage].store.buffer, false, sh);
  k->stage = stages;
  k->nstage += 2;
}
